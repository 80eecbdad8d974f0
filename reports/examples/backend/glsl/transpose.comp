#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(binding = 0) readonly buffer Input { float x[]; };
layout(binding = 1) writeonly buffer Output { float y[]; };
layout(push_constant) uniform Params { uint rows; uint cols; };

void main() {
    uint i = gl_GlobalInvocationID.x, j = gl_GlobalInvocationID.y;
    if (i < rows && j < cols) y[j * rows + i] = x[i * cols + j];
}
