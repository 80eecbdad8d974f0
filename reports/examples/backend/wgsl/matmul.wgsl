// SPDX-License-Identifier: Apache-2.0
struct Params { M: u32, N: u32, K: u32, _pad: u32 }
@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read> B: array<f32>;
@group(0) @binding(2) var<storage, read_write> C: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
var<workgroup> tile_a: array<array<f32, 8>, 8>;
var<workgroup> tile_b: array<array<f32, 8>, 8>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) lane: vec3<u32>) {
    var sum = 0.0;
    for (var start = 0u; start < params.K; start += 8u) {
        let ka = start + lane.x;
        let kb = start + lane.y;
        tile_a[lane.y][lane.x] = 0.0;
        tile_b[lane.y][lane.x] = 0.0;
        if (id.y < params.M && ka < params.K) { tile_a[lane.y][lane.x] = A[id.y * params.K + ka]; }
        if (id.x < params.N && kb < params.K) { tile_b[lane.y][lane.x] = B[kb * params.N + id.x]; }
        workgroupBarrier();
        for (var k = 0u; k < 8u; k++) { sum += tile_a[lane.y][k] * tile_b[k][lane.x]; }
        workgroupBarrier();
    }
    if (id.y < params.M && id.x < params.N) { C[id.y * params.N + id.x] = sum; }
}
