// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels of the corpus. BODY, from the manifest, writes y[i].
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
#ifdef KEPT
layout(binding = 2) buffer Kept { uint kept[]; };
#endif
layout(push_constant) uniform Push { uint n; };

float bits(uint u) { return uintBitsToFloat(u); }
uint word(float f) { return floatBitsToUint(f); }

// The largest share of tanh in float: (1 - e) / (1 + e) with e = exp(-2|x|).
float tanh_of(float v) {
    const float e = exp(-2.0 * abs(v)), t = (1.0 - e) / (1.0 + e);
    return v < 0.0 ? -t : t;
}

// exp in eighths of a power of two: a table of 2^(k/8), and a polynomial of the rest.
const float eighths[8] =
    float[8](1.0, 1.0905077, 1.1892071, 1.2968396, 1.4142135, 1.5422108, 1.6817928, 1.8340081);
float exp_of(float v) {
    const float k = roundEven(clamp(v, -88.0, 89.0) * 11.5415602), rest = (v - k * 0.08663940430) - k * 3.99327312e-6;
    const int whole = int(k), part = whole & 7;
    const float p = 1.0 + rest * (1.0 + rest * (0.5 + rest * (0.16666667 + rest * 0.041666668)));
    return v > 88.72284 ? bits(0x7f800000u) : v < -87.33654 ? 0.0 : ldexp(eighths[part] * p, (whole - part) / 8);
}

// Half precision in the midst of single precision.
float half_of(float v) {
    return unpackHalf2x16(packHalf2x16(vec2(v, 0.0))).x;
}

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= n) return;
    BODY
}
