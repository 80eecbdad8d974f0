// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Squares in place. Beyond 255 the square is infinite in f16.
layout(local_size_x = 64) in;
layout(binding = 0) buffer X { float16_t x[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < n) x[i] = x[i] * x[i];
}
