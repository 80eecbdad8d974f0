#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Input { float x[]; };
layout(binding = 1) writeonly buffer Output { float y[]; };
layout(binding = 2, std140) uniform Params { uint rows; uint dim; float eps; };
shared float sums[64];

void main() {
    uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    float sum = 0.0;
    for (uint j = lane; j < dim; j += 64) sum += x[row * dim + j] * x[row * dim + j];
    sums[lane] = sum;
    for (uint s = 32; s > 0; s /= 2) {
        barrier();
        if (lane < s) sums[lane] += sums[lane + s];
    }
    barrier();
    float root = sqrt(sums[0] / float(dim) + eps);
    for (uint j = lane; j < dim; j += 64) y[row * dim + j] = x[row * dim + j] / root;
}
