// SPDX-License-Identifier: Apache-2.0
// Prepares the inputs of a convolution that takes a tap at a time. The first layer of workgroups turns pictures [n,
// cin, h, w] into [n, h + 2 pad, w + 2 pad, cin], with zeros around them. Strips of 32 channels by pixels of a line
// pass through shared memory, so that both sides are read and written contiguously. The second layer turns weights
// [cout, cin, kh, kw] into [kh, kw, cin, cout]; those of a transposed convolution (TRANSPOSED) are [cin, cout, kh, kw].
// Channels are filled up with zeros to to_cin and to_cout.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(binding = 0) readonly buffer From { T from[]; };
layout(binding = 1) readonly buffer Weights { T weights[]; };
layout(binding = 2) writeonly buffer To { T to[]; };
layout(binding = 2) writeonly buffer To4 { VEC4T to4[]; };
layout(binding = 3) writeonly buffer Taps { T taps[]; };
layout(push_constant) uniform Push { uint n, cin, h, w, pad, cout, kh, kw, to_cin, to_cout; };

const uint CHANNELS = 32, PIXELS = 64, PITCH = PIXELS + 1;
shared float strip[CHANNELS * PITCH];

#ifdef TRANSPOSED
#define WEIGHT(row, col) ((row) * cout + (col))
#else
#define WEIGHT(row, col) ((col) * cin + (row))
#endif

void turn_weights() {
    const uint all = to_cout * to_cin * kh * kw, invocations = gl_NumWorkGroups.x * gl_NumWorkGroups.y * WG_SIZE;
    const uint first = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * WG_SIZE + gl_LocalInvocationIndex;
    for (uint i = first; i < all; i += invocations) {
        const uint tap = i / (to_cout * to_cin), row = i / to_cout % to_cin, col = i % to_cout;
        taps[i] = row < cin && col < cout ? weights[WEIGHT(row, col) * (kh * kw) + tap] : STORE(0.0);
    }
}

void take(uint picture, uint y, uint first_c, uint first_x) {
    [[unroll]] for (uint step = 0; step < CHANNELS * PIXELS; step += WG_SIZE) {
        const uint i = step + gl_LocalInvocationIndex, x = i % PIXELS;
        const uint c = first_c + i / PIXELS, column = first_x + x - pad, row = y - pad;
        const bool inside = c < cin && row < h && column < w;
        strip[i / PIXELS * PITCH + x] = inside ? LOAD(from[((picture * cin + c) * h + row) * w + column]) : 0.0;
    }
}

void put(uint picture, uint y, uint first_c, uint first_x) {
    const uint wide = w + 2 * pad, line = (picture * (h + 2 * pad) + y) * wide;
    if (to_cin % 4 == 0) {
        [[unroll]] for (uint step = 0; step < CHANNELS / 4 * PIXELS; step += WG_SIZE) {
            const uint i = step + gl_LocalInvocationIndex, c = i % (CHANNELS / 4) * 4, x = i / (CHANNELS / 4);
            vec4 four;
            [[unroll]] for (uint e = 0; e < 4; e++) four[e] = strip[(c + e) * PITCH + x];
            if (first_c + c < to_cin && first_x + x < wide)
                to4[((line + first_x + x) * to_cin + first_c + c) / 4] = STORE4(four);
        }
    } else {
        for (uint i = gl_LocalInvocationIndex; i < CHANNELS * PIXELS; i += WG_SIZE) {
            const uint c = i % CHANNELS, x = i / CHANNELS;
            if (first_c + c < to_cin && first_x + x < wide)
                to[(line + first_x + x) * to_cin + first_c + c] = STORE(strip[c * PITCH + x]);
        }
    }
}

void main() {
    if (gl_WorkGroupID.z == 1) {
        turn_weights();
        return;
    }
    const uint high = h + 2 * pad, strips = (w + 2 * pad - 1) / PIXELS + 1, first_c = gl_WorkGroupID.y * CHANNELS;
    for (uint at = gl_WorkGroupID.x; at < n * high * strips; at += gl_NumWorkGroups.x) {
        const uint line = at / strips, first_x = at % strips * PIXELS;
        take(line / high, line % high, first_c, first_x);
        barrier();
        put(line / high, line % high, first_c, first_x);
        barrier();
    }
}
