// SPDX-License-Identifier: Apache-2.0
// A chain of dependent multiply-adds whose time follows the core clock alone; timed between points.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { float y[]; };
layout(push_constant) uniform Push { uint rounds; };

void main() {
    float x = float(gl_LocalInvocationIndex);
    for (uint i = 0; i < rounds; i++) x = x * 0.999 + 0.5;
    y[gl_LocalInvocationIndex] = x;
}
