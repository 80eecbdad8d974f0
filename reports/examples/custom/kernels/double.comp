// SPDX-License-Identifier: Apache-2.0
// Doubling in GLSL. The shader fixes the size of the workgroup, and reads the length from the buffer.
#version 450

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Input { float inputs[]; };
layout(binding = 1) writeonly buffer Output { float outputs[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < outputs.length()) outputs[i] = inputs[i] * 2.0;
}
