// SPDX-License-Identifier: Apache-2.0
struct Params { total: u32, _pad: vec3<u32> }
@group(0) @binding(1) var<storage, read_write> dst: array<f32>;
@group(0) @binding(0) var<storage, read> src: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.total) { return; }
    let x = src[id.x];
    if (x >= -3.0) { dst[id.x] = x * (min(x + 3.0, 6.0) / 6.0); } else { dst[id.x] = x * 0.0; }
}
