// SPDX-License-Identifier: Apache-2.0
// finds: race, storage
// buffers: 1024 4 256
// groups: 4
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> z: array<f32>;
var<workgroup> is_last: bool;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let i = local.x;
    let g = group.x;
    y[g * 64u + i] = f32(i);
    if (i == 0u) {
        is_last = atomicAdd(&count, 1u) == 3u;
    }
    workgroupBarrier();
    if (is_last) {
        var sum = 0.0;
        for (var k = 0u; k < 4u; k++) {
            sum += y[k * 64u + i];
        }
        z[i] = sum;
    }
}
