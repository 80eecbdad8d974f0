// SPDX-License-Identifier: Apache-2.0
// The sources of an element of a resized picture: along each axis a stop, found once for the many elements
// that share it. The nearest element (NEAREST defined) is found in integers; the four of an interpolation by
// coordinates in float. Elements of a row are SIDE apart: one, or, with NHWC defined, the number of
// channels.
layout(constant_id = 3) const uint ITEMS = 4;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push {
    uint c, h, w, oh, ow;
#ifndef NEAREST
    int align_corners;
#endif
};

#ifdef NHWC
#define SIDE c
#else
#define SIDE 1u
#endif

#ifdef NEAREST
#define STOP uint

STOP stop_at(uint i, uint size, uint outputs) {
    return i * size / outputs;
}

float blend(uint plane, STOP row, STOP col) {
    return LOAD(x[plane + (row * w + col) * SIDE]);
}
#else
struct STOP {
    uvec2 places; // below and above
    vec2 weights;
};

STOP stop_at(uint i, uint size, uint outputs) {
    const float aligned = float(i) * (float(size - 1) / float(max(outputs, 2) - 1));
    const float halves = (float(i) + 0.5) * (float(size) / float(outputs)) - 0.5;
    const float at = align_corners != 0 ? aligned : max(halves, 0.0);
    const uint first = min(uint(at), size - 1);
    STOP stop;
    stop.places = uvec2(first, min(first + 1, size - 1));
    stop.weights.y = at - float(first);
    stop.weights.x = 1.0 - stop.weights.y;
    return stop;
}

float blend(uint plane, STOP row, STOP col) {
    const uvec4 at = plane + (row.places.xxyy * w + col.places.xyxy) * SIDE;
    const vec4 value = vec4(LOAD(x[at.x]), LOAD(x[at.y]), LOAD(x[at.z]), LOAD(x[at.w]));
    return dot(row.weights, vec2(dot(col.weights, value.xy), dot(col.weights, value.zw)));
}
#endif

// Returns the plane of this workgroup's channel number `item`; beyond the last channel, the last one's plane.
uint plane_of(uint item) {
    return gl_WorkGroupID.y * c + min(gl_WorkGroupID.z * ITEMS + item, c - 1);
}

// Writes the elements at one place of all channels.
void write_place(uint place) {
    const STOP row = stop_at(place / ow, h, oh), col = stop_at(place % ow, w, ow);
    float result[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        result[item] = blend(plane_of(item) * h * w, row, col);
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (gl_WorkGroupID.z * ITEMS + item >= c) return;
        y[plane_of(item) * oh * ow + place] = STORE(result[item]);
    }
}
