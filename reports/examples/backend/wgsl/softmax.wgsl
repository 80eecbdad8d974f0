// SPDX-License-Identifier: Apache-2.0
struct Dims { rows: u32, cols: u32 }
struct Params { dims: Dims, scale_unused: u32, _pad: u32 }
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(1) @binding(0) var<uniform> params: Params;
var<workgroup> shared_value: array<f32, 128>;

fn largest(lane: u32) -> f32 {
    for (var s = 64u; s > 0u; s /= 2u) {
        workgroupBarrier();
        if (lane < s) { shared_value[lane] = max(shared_value[lane], shared_value[lane + s]); }
    }
    workgroupBarrier();
    let value = shared_value[0];
    workgroupBarrier();
    return value;
}

fn total(lane: u32) -> f32 {
    for (var s = 64u; s > 0u; s /= 2u) {
        workgroupBarrier();
        if (lane < s) { shared_value[lane] += shared_value[lane + s]; }
    }
    workgroupBarrier();
    let value = shared_value[0];
    workgroupBarrier();
    return value;
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let cols = params.dims.cols;
    let start = group.x * cols;
    var most = -3.40282347e38;
    for (var j = lane; j < cols; j += 128u) { most = max(most, x[start + j]); }
    shared_value[lane] = most;
    most = largest(lane);
    var sum = 0.0;
    for (var j = lane; j < cols; j += 128u) { sum += exp(x[start + j] - most); }
    shared_value[lane] = sum;
    sum = total(lane);
    for (var j = lane; j < cols; j += 128u) { y[start + j] = exp(x[start + j] - most) / sum; }
}
