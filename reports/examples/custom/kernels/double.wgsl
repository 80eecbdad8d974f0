// SPDX-License-Identifier: Apache-2.0
// Doubling in WGSL, after the example in ToRSh's documentation. WG_X is replaced by a number before compiling.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WG_X)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&output)) {
        return;
    }
    output[i] = input[i] * 2.0;
}
