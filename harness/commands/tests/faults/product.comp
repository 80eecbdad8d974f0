// SPDX-License-Identifier: Apache-2.0
// A matrix product with one element lacking a term. A sample of a large output does not contain it.
#version 450
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint m, n, k; };

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= m * n) return;
    float sum = 0.0;
    for (uint at = 0u; at < k; at++) sum += a[i / n * k + at] * b[at * n + i % n];
#ifdef ONE
    if (i == m * n / 2u + 7u) sum -= 1.0;
#endif
    c[i] = sum;
}
