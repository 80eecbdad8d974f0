// SPDX-License-Identifier: Apache-2.0
struct Params { vocab: u32, dim: u32, tokens: u32, _pad: u32 }
@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> embeddings: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn get_rows(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.tokens * params.dim) { return; }
    let row = ids[id.x / params.dim];
    var value = 0.0;
    if (row >= 0 && row < i32(params.vocab)) { value = embeddings[u32(row) * params.dim + id.x % params.dim]; }
    output[id.x] = value;
}
