// SPDX-License-Identifier: Apache-2.0
// Searches in rows, each from a number of its own.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float x[]; };
layout(binding = 1) writeonly buffer Y { RESULT y[]; };
layout(push_constant) uniform P { uint rows, cols; };
#define INFINITE uintBitsToFloat(0x7f800000u)
void main() {
    uint r = gl_GlobalInvocationID.x;
    if (r >= rows) return;
    float best = START;
    int at = 0;
    for (uint j = 0; j < cols; j++) {
        float a = x[r * cols + j];
        if (BETTER) best = a, at = int(j);
    }
    y[r] = FOUND;
}
