// SPDX-License-Identifier: Apache-2.0
// The weights are stored as in checkpoints: one row per output.
struct Params { m: u32, n: u32, k: u32, _pad: u32 }
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(16, 4)
fn matmul_transposed(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y >= params.m || id.x >= params.n) { return; }
    var sum = 0.0;
    for (var i = 0u; i < params.k; i++) { sum += input[id.y * params.k + i] * weight[id.x * params.k + i]; }
    output[id.y * params.n + id.x] = sum;
}
