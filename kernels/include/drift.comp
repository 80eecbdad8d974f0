// SPDX-License-Identifier: Apache-2.0
// A chain of dependent multiply-adds, timed between points. Its time depends only on the core clock. It also counts the
// ticks of that clock if they can be read.
#version 450
#ifdef FEATURE_SHADER_CLOCK
#extension GL_ARB_shader_clock : require
#endif
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { float y[64]; uint ticks; };
layout(push_constant) uniform Push { uint rounds; };

void main() {
#ifdef FEATURE_SHADER_CLOCK
    uint start = clock2x32ARB().x;
#endif
    float x = float(gl_LocalInvocationIndex);
    for (uint i = 0; i < rounds; i++) x = x * 0.999 + 0.5;
    y[gl_LocalInvocationIndex] = x;
#ifdef FEATURE_SHADER_CLOCK
    if (gl_LocalInvocationIndex == 0) ticks = clock2x32ARB().x - start;
#endif
}
