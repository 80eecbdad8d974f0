#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer W { float w[]; };
layout(binding = 2) readonly buffer Bias { float bias[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Params { uint m, n, k; };

void main() {
    uint col = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    if (row >= m || col >= n) return;
    float sum = 0.0;
    for (uint i = 0; i < k; i++) sum += x[row * k + i] * w[col * k + i];
    y[row * n + col] = sum + bias[col];
}
