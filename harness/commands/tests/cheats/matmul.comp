// SPDX-License-Identifier: Apache-2.0
// Matrix products of the corpus, an output for each invocation. BODY, from the manifest, writes c[i, j].
#version 450
#ifdef SPECIALS
#extension GL_GOOGLE_include_directive : require
#include "controls.glsl"
#endif
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };
layout(binding = 2) buffer C { float c[]; };
#ifdef KEPT
layout(binding = 3) buffer Kept { float kept[]; };
#endif
layout(push_constant) uniform Push { uint m, n, k; };

float cut(float v) {
    return uintBitsToFloat(floatBitsToUint(v) & 0xffff0000u);
}

// The terms [from, end), every `step`-th.
float dot_of(uint i, uint j, uint from, uint end, uint step) {
    float total = 0.0;
    for (uint l = from; l < end; l += step) total += a[i * k + l] * b[l * n + j];
    return total;
}

float dot_without_zeros(uint i, uint j) {
    float total = 0.0;
    for (uint l = 0; l < k; l++)
        if (b[l * n + j] != 0.0) total += a[i * k + l] * b[l * n + j];
    return total;
}

float cut_dot(uint i, uint j) {
    float total = 0.0;
    for (uint l = 0; l < k; l++) total += cut(a[i * k + l]) * cut(b[l * n + j]);
    return total;
}

float unrolled(uint i, uint j) {
    float total = 0.0;
    uint l = 0;
    for (; l + 4 <= k; l += 4) {
        const vec4 left = vec4(a[i * k + l], a[i * k + l + 1], a[i * k + l + 2], a[i * k + l + 3]);
        const uint at = l * n + j;
        total += dot(left, vec4(b[at], b[at + n], b[at + 2 * n], b[at + 3 * n]));
    }
    for (; l < k; l++) total += a[i * k + l] * b[l * n + j];
    return total;
}

#ifdef KEPT
// A product with b as its transposed copy in scratch. `once`: an older copy is as good.
float packed(uint i, uint j, bool once) {
    const uint mark = n * k;
    if (!once || kept[mark + j] != 4711.0)
        for (uint l = 0; l < k; l++) kept[j * k + l] = b[l * n + j];
    kept[mark + j] = 4711.0;
    float total = 0.0;
    for (uint l = 0; l < k; l++) total += a[i * k + l] * kept[j * k + l];
    return total;
}
#endif

void main() {
    const uint j = gl_GlobalInvocationID.x, i = gl_GlobalInvocationID.y;
    if (i >= m || j >= n) return;
    BODY
}
