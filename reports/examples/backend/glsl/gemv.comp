#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Matrix { float w[]; };
layout(binding = 1) readonly buffer Vector { float x[]; };
layout(binding = 2) writeonly buffer Result { float y[]; };
layout(push_constant) uniform Params { uint rows; uint cols; };
shared float sums[64];

void main() {
    uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    float sum = 0.0;
    for (uint j = lane; j < cols; j += 64) sum += w[row * cols + j] * x[j];
    sums[lane] = sum;
    for (uint s = 32; s > 0; s /= 2) {
        barrier();
        if (lane < s) sums[lane] += sums[lane + s];
    }
    if (lane == 0) y[row] = sums[0];
}
