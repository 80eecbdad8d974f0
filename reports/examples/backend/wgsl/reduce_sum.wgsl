// SPDX-License-Identifier: Apache-2.0
// Two passes: the first adds each 256 elements, and the second adds these sums in one workgroup.
struct Params { n: u32 }
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
var<workgroup> part: array<f32, 256>;

fn join(lane: u32) {
    for (var s = 128u; s > 0u; s /= 2u) {
        workgroupBarrier();
        if (lane < s) { part[lane] += part[lane + s]; }
    }
}

@compute @workgroup_size(256)
fn blocks(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32,
          @builtin(workgroup_id) group: vec3<u32>) {
    part[lane] = 0.0;
    if (id.x < params.n) { part[lane] = values[id.x]; }
    join(lane);
    if (lane == 0u) { sums[group.x] = part[0]; }
}

@compute @workgroup_size(256)
fn finish(@builtin(local_invocation_index) lane: u32) {
    part[lane] = 0.0;
    for (var i = lane; i < params.n; i += 256u) { part[lane] += values[i]; }
    join(lane);
    if (lane == 0u) { sums[0] = part[0]; }
}
