// SPDX-License-Identifier: Apache-2.0
// Weights [cout, cin, kh, kw] to [kh, kw, cin, cout], for a kernel that takes a tap at a time.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer From { T from[]; };
layout(binding = 1) writeonly buffer To { T to[]; };
layout(push_constant) uniform Push { uint cout, cin, kh, kw; };

void main() {
    const uint i = linear_invocation(), taps = kh * kw, channels = cout * cin;
    if (i >= channels * taps) return;
    const uint tap = i / channels, row = i % channels / cout, col = i % cout;
    to[i] = from[(col * cin + row) * taps + tap];
}
