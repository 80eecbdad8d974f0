// SPDX-License-Identifier: Apache-2.0
// Pictures brought to another size: one invocation a place in ITEMS channels of a picture, which
// lie at the same coordinates. The nearest element (NEAREST defined) is found in integers; the four
// of an interpolation by coordinates in float.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(constant_id = 3) const uint ITEMS = 4;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push {
    uint c, h, w, oh, ow;
#ifndef NEAREST
    int align_corners;
#endif
};

#ifdef NEAREST
uint offset; // in a plane

void find(uint i, uint j) {
    offset = i * h / oh * w + j * w / ow;
}

float blend(uint plane) {
    return LOAD(x[plane + offset]);
}
#else
uvec4 corners; // in a plane: above and below, left and right
vec2 along_y, along_x; // and their weights

void coordinate(uint i, uint size, uint outputs, out uvec2 places, out vec2 weights) {
    const float aligned = float(i) * (float(size - 1) / float(max(outputs, 2) - 1));
    const float halves = (float(i) + 0.5) * (float(size) / float(outputs)) - 0.5;
    const float at = align_corners != 0 ? aligned : max(halves, 0.0);
    const uint first = min(uint(at), size - 1);
    places = uvec2(first, min(first + 1, size - 1));
    weights.y = at - float(first);
    weights.x = 1.0 - weights.y;
}

void find(uint i, uint j) {
    uvec2 rows, cols;
    coordinate(i, h, oh, rows, along_y);
    coordinate(j, w, ow, cols, along_x);
    corners = rows.xxyy * w + cols.xyxy;
}

float blend(uint plane) {
    const uvec4 at = plane + corners;
    const vec4 value = vec4(LOAD(x[at.x]), LOAD(x[at.y]), LOAD(x[at.z]), LOAD(x[at.w]));
    return dot(along_y, vec2(dot(along_x, value.xy), dot(along_x, value.zw)));
}
#endif

void main() {
    const uint place = gl_GlobalInvocationID.x;
    if (place >= oh * ow) return;
    find(place / ow, place % ow);
    float result[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint channel = min(gl_WorkGroupID.z * ITEMS + item, c - 1);
        result[item] = blend((gl_WorkGroupID.y * c + channel) * h * w);
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint channel = gl_WorkGroupID.z * ITEMS + item;
        if (channel >= c) return;
        y[(gl_WorkGroupID.y * c + channel) * oh * ow + place] = STORE(result[item]);
    }
}
