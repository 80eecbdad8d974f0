// SPDX-License-Identifier: Apache-2.0
// A product of matrices of signed bytes, one output per invocation. Bytes are read through 32-bit words, so that no
// device needs 8-bit storage.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"

layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer C { int c[]; };
layout(push_constant) uniform Push { uint m, n, k; };

int signed_byte(uint word, uint at) {
    return int(word << 24 - at % 4 * 8) >> 24;
}

void main() {
    const uint i = linear_invocation(), row = i / n, col = i % n;
    if (row >= m) return;
    int sum = 0;
    for (uint l = 0; l < k; l++) {
        const uint in_a = row * k + l, in_b = l * n + col;
        sum += signed_byte(a[in_a / 4], in_a) * signed_byte(b[in_b / 4], in_b);
    }
    c[i] = sum;
}
