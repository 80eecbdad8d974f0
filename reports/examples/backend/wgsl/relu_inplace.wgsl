// SPDX-License-Identifier: Apache-2.0
struct Params { size: u32, _pad0: u32, _pad1: u32, _pad2: u32 }
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Two conditions: some compilers of WGSL load both sides of && first.
    if (id.x < params.size) {
        if (!(data[id.x] > 0.0)) {
            data[id.x] = 0.0;
        }
    }
}
