// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 1
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
var<workgroup> tile: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let i = local.x;
    let g = group.x;
    if (i < 32u) {
        tile[i] = f32(i);
    }
    workgroupBarrier();
    y[i] = tile[63u - i];
}
