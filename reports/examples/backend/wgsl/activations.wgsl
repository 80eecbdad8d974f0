// SPDX-License-Identifier: Apache-2.0
override WG: u32 = 64u;
struct Params { count: u32 }
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(WG)
fn silu(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.count) {
        let x = input[id.x];
        output[id.x] = x / (1.0 + exp(-x));
    }
}

@compute @workgroup_size(WG)
fn sigmoid(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.count) {
        output[id.x] = 1.0 / (1.0 + exp(-input[id.x]));
    }
}

@compute @workgroup_size(WG)
fn quick_gelu(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.count) {
        let x = input[id.x];
        output[id.x] = x / (1.0 + exp(-1.702 * x));
    }
}
