// SPDX-License-Identifier: Apache-2.0
struct Params { num_rows: u32, hidden_size: u32, inv_hidden_size: f32, epsilon: f32 }
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
var<workgroup> sums: array<f32, 64>;

@compute @workgroup_size(64)
fn rms_norm(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let n = params.hidden_size;
    let start = group.x * n;
    var sum = 0.0;
    for (var j = lane; j < n; j += 64u) { sum += input[start + j] * input[start + j]; }
    sums[lane] = sum;
    for (var s = 32u; s > 0u; s /= 2u) {
        workgroupBarrier();
        if (lane < s) { sums[lane] += sums[lane + s]; }
    }
    workgroupBarrier();
    let root = sqrt(sums[0] * params.inv_hidden_size + params.epsilon);
    for (var j = lane; j < n; j += 64u) { output[start + j] = input[start + j] * weight[j] / root; }
}
