// SPDX-License-Identifier: Apache-2.0
// finds: race, writes y[0]
// buffers: 128
// groups: 1
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float16_t y[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    y[i / 2u] = float16_t(float(i));
}
