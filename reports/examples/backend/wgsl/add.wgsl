// SPDX-License-Identifier: Apache-2.0
struct Info { n: u32, reserved: u32 }
@group(0) @binding(0) var<storage, read> lhs: array<f32>;
@group(0) @binding(1) var<storage, read> rhs: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;
@group(0) @binding(3) var<storage, read> info: Info;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < info.n) {
        result[id.x] = lhs[id.x] + rhs[id.x];
    }
}
