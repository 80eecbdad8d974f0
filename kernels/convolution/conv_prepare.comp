// SPDX-License-Identifier: Apache-2.0
// Prepares the inputs of a convolution that takes a tap at a time. The first layer of workgroups turns pictures [n,
// cin, h, w] into [n, h + 2 pad, w + 2 pad, cin], with zeros around them. Strips of 32 channels by pixels of a line
// pass through shared memory, so that both sides are read and written contiguously. The second layer turns weights
// [cout, cin, kh, kw] into [kh, kw, cin, cout]; those of a transposed convolution (TRANSPOSED) are [cin, cout, kh, kw].
// Channels are filled up with zeros to to_cin and to_cout.
//
// With WINDOWS defined, pictures become the windows of their outputs, [n, oh, ow, cin kh kw], and weights [cin kh kw,
// cout]. The convolution of these by 1 x 1 is the same.
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
#ifdef WINDOWS
#include "digits.glsl"
layout(push_constant) uniform Push { uint n, cin, h, w, pad, cout, kh, kw, to_cin, to_cout, stride, dilation, oh, ow; };
#define ROWS (cin * kh * kw)
#define TAPS 1
#else
layout(push_constant) uniform Push { uint n, cin, h, w, pad, cout, kh, kw, to_cin, to_cout; };
#define ROWS cin
#define TAPS (kh * kw)
#endif

const uint CHANNELS = 32, PIXELS = 64, PITCH = PIXELS + 1;
shared float strip[CHANNELS * PITCH];

// The weight of an output channel and a line, the taps of an input channel one after the other.
#ifdef TRANSPOSED
#define WEIGHT(line, col) (((line) / TAPS * cout + (col)) * TAPS + (line) % TAPS)
#define SLOT(i) uvec2((i) / PIXELS, (i) % PIXELS)
#else
#define WEIGHT(line, col) ((col) * ROWS * TAPS + (line))
#define SLOT(i) uvec2((i) % CHANNELS, (i) / CHANNELS)
#endif

// Turns strips of CHANNELS lines by PIXELS output channels.
void turn_weights() {
    const uint all = to_cin * TAPS, across = (to_cout - 1) / PIXELS + 1, strips = ((all - 1) / CHANNELS + 1) * across;
    const uint first = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    for (uint at = first; at < strips; at += gl_NumWorkGroups.x * gl_NumWorkGroups.y) {
        const uint first_line = at / across * CHANNELS, first_col = at % across * PIXELS;
        [[unroll]] for (uint step = 0; step < CHANNELS * PIXELS; step += WG_SIZE) {
            const uvec2 slot = SLOT(step + gl_LocalInvocationIndex);
            const uint line = first_line + slot.x, col = first_col + slot.y;
            const bool inside = line < ROWS * TAPS && col < cout;
            strip[slot.x * PITCH + slot.y] = inside ? LOAD(weights[WEIGHT(line, col)]) : 0.0;
        }
        barrier();
        [[unroll]] for (uint step = 0; step < CHANNELS * PIXELS; step += WG_SIZE) {
            const uint i = step + gl_LocalInvocationIndex, line = first_line + i / PIXELS, col = first_col + i % PIXELS;
            if (line < all && col < to_cout)
                taps[(line % TAPS * to_cin + line / TAPS) * to_cout + col] = STORE(strip[i / PIXELS * PITCH + i % PIXELS]);
        }
        barrier();
    }
}

#ifdef WINDOWS
// Puts the window of each output's place side by side, four elements an invocation.
void take_windows() {
    const uint quads = to_cin / 4, all = n * oh * ow * quads;
    for (uint i = gl_WorkGroupID.x * WG_SIZE + gl_LocalInvocationIndex; i < all; i += gl_NumWorkGroups.x * WG_SIZE) {
        const uvec3 place = digits_of(i / quads, oh, ow);
        uvec3 tap = digits_of(i % quads * 4, kh, kw);
        vec4 four;
        [[unroll]] for (uint e = 0; e < 4; e++, tap = count_on(tap, uvec3(0, 0, 1), kh, kw)) {
            const uint row = place.y * stride + tap.y * dilation - pad, col = place.z * stride + tap.z * dilation - pad;
            const bool inside = tap.x < cin && row < h && col < w;
            four[e] = inside ? LOAD(from[((place.x * cin + tap.x) * h + row) * w + col]) : 0.0;
        }
        to4[i] = STORE4(four);
    }
}
#endif

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
#ifdef WINDOWS
    take_windows();
#else
    const uint high = h + 2 * pad, strips = (w + 2 * pad - 1) / PIXELS + 1, first_c = gl_WorkGroupID.y * CHANNELS;
    for (uint at = gl_WorkGroupID.x; at < n * high * strips; at += gl_NumWorkGroups.x) {
        const uint line = at / strips, first_x = at % strips * PIXELS;
        take(line / high, line % high, first_c, first_x);
        barrier();
        put(line / high, line % high, first_c, first_x);
        barrier();
    }
#endif
}
