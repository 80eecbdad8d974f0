// SPDX-License-Identifier: Apache-2.0
// Resizes pictures: each invocation takes one place in ITEMS channels of a picture, which have the same
// coordinates.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "upsample.glsl"

void main() {
    const uint place = gl_GlobalInvocationID.x;
    if (place < oh * ow) write_place(place);
}
