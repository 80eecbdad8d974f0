#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Input { float x[]; };
layout(binding = 1) writeonly buffer Output { float y[]; };
layout(push_constant) uniform Params { uint rows; uint cols; };
shared float most[32];

void main() {
    uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    float value = uintBitsToFloat(0xff800000u);
    for (uint j = lane; j < cols; j += 32)
        if (x[row * cols + j] > value) value = x[row * cols + j];
    most[lane] = value;
    for (uint s = 16; s > 0; s /= 2) {
        barrier();
        if (lane < s && most[lane + s] > most[lane]) most[lane] = most[lane + s];
    }
    if (lane == 0) y[row] = most[0];
}
