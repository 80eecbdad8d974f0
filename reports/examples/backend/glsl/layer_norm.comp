#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Input { float x[]; };
layout(binding = 1) readonly buffer Weight { float weight[]; };
layout(binding = 2) readonly buffer Bias { float bias[]; };
layout(binding = 3) writeonly buffer Output { float y[]; };
layout(push_constant) uniform Params { uint hidden_size; float epsilon; };
shared float sums[64];

float total(float value, uint lane) {
    sums[lane] = value;
    for (uint s = 32; s > 0; s /= 2) {
        barrier();
        if (lane < s) sums[lane] += sums[lane + s];
    }
    barrier();
    float sum = sums[0];
    barrier();
    return sum;
}

void main() {
    uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x, n = hidden_size;
    float sum = 0.0, squares = 0.0;
    for (uint j = lane; j < n; j += 64) sum += x[row * n + j];
    float mean = total(sum, lane) / float(n);
    for (uint j = lane; j < n; j += 64) squares += (x[row * n + j] - mean) * (x[row * n + j] - mean);
    float root = sqrt(total(squares, lane) / float(n) + epsilon);
    for (uint j = lane; j < n; j += 64) y[row * n + j] = (x[row * n + j] - mean) / root * weight[j] + bias[j];
}
