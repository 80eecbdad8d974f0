// SPDX-License-Identifier: Apache-2.0
// Maps of 16-bit floats that are narrowed by hand: cut off, with halves up, or to nearest even.
#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint16_t a[]; };
layout(binding = 1) readonly buffer B { uint16_t b[]; };
layout(binding = 2) writeonly buffer Y { uint16_t y[]; };
layout(push_constant) uniform P { uint n; };

float up(uint bits) { return uintBitsToFloat(bits << 16); }
bool isNumber(uint bits) { return (bits & 0x7fffffffu) <= 0x7f800000u; }
#define CUT 0u
#define HALVES_UP 0x8000u
#define TO_EVEN (0x7fffu + (bits >> 16 & 1u))
uint down(uint bits) {
    if (!isNumber(bits)) return bits >> 16 | 0x40u;
    return bits + ROUND >> 16;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= n) return;
    float x = up(uint(a[i])), z = up(uint(b[i]));
    y[i] = uint16_t(down(floatBitsToUint(VALUE)));
}
