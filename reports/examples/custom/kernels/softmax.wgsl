// SPDX-License-Identifier: Apache-2.0
// Softmax in WGSL, with a workgroup per row. Parameters are in a uniform buffer, because WebGPU has no push constants.
// This buffer has a group of its own.
struct Parameters {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(1) @binding(0) var<uniform> parameters: Parameters;

var<workgroup> parts: array<f32, WG_X>;

// The rows are folded over the three axes of the grid.
fn row_of(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return (group.z * groups.y + group.y) * groups.x + group.x;
}

fn largest(lane: u32, mine: f32) -> f32 {
    parts[lane] = mine;
    workgroupBarrier();
    for (var half = u32(WG_X) / 2u; half > 0u; half = half / 2u) {
        if (lane < half) {
            parts[lane] = max(parts[lane], parts[lane + half]);
        }
        workgroupBarrier();
    }
    let whole = parts[0];
    workgroupBarrier();
    return whole;
}

fn total(lane: u32, mine: f32) -> f32 {
    parts[lane] = mine;
    workgroupBarrier();
    for (var half = u32(WG_X) / 2u; half > 0u; half = half / 2u) {
        if (lane < half) {
            parts[lane] = parts[lane] + parts[lane + half];
        }
        workgroupBarrier();
    }
    return parts[0];
}

@compute @workgroup_size(WG_X)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let row = row_of(group, groups);
    let inside = row < parameters.rows;
    let start = select(0u, row, inside) * parameters.cols;
    var top = -3.4028234e38;
    for (var i = lane; i < parameters.cols; i = i + WG_X) {
        top = max(top, x[start + i]);
    }
    top = largest(lane, top);
    var sum = 0.0;
    for (var i = lane; i < parameters.cols; i = i + WG_X) {
        sum = sum + exp(x[start + i] - top);
    }
    sum = total(lane, sum);
    if (inside) {
        for (var i = lane; i < parameters.cols; i = i + WG_X) {
            y[start + i] = exp(x[start + i] - top) / sum;
        }
    }
}
