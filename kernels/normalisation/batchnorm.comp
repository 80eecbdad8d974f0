// SPDX-License-Identifier: Apache-2.0
// Norm of channels by given statistics: operands, or (FROM_BATCH defined) results of a previous pass over the batch.
// FROM_BATCH goes backwards, because the caches still hold the data that this pass read last. An invocation takes ITEMS
// times four elements; the channel is found once for four. All fours of whole planes are loaded at first.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

#ifdef FROM_BATCH
layout(constant_id = 4) const uint ITEMS = 1;
#define STATISTIC float
#define LOAD_STATISTIC(x) (x)
#else
layout(constant_id = 3) const uint ITEMS = 1;
#define STATISTIC T
#define LOAD_STATISTIC(x) LOAD(x)
#endif

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) readonly buffer Mean { STATISTIC mean[]; };
layout(binding = 4) readonly buffer Variance { STATISTIC variance[]; };
layout(binding = 5) writeonly buffer Y { T y[]; };
layout(binding = 5) writeonly buffer Y4 { VEC4T y4[]; };
layout(push_constant) uniform Push { uint n, c, plane; float eps; };

float channel_mean, gain, shift;

void take_channel(uint channel) {
    channel_mean = LOAD_STATISTIC(mean[channel]);
    gain = LOAD(gamma[channel]) * inversesqrt(LOAD_STATISTIC(variance[channel]) + eps);
    shift = LOAD(beta[channel]);
}

#define NORMALISED(value) (((value) - channel_mean) * gain + shift)

// Normalises the four elements from 4 i on. A plane may end between two of them.
void normalise4(uint i) {
    const uint at = 4 * i, end = (at / plane + 1) * plane;
    const vec4 four = LOAD4(x4[i]);
    vec4 result;
    take_channel(at / plane % c);
    for (uint j = 0; j < 4; j++) {
        if (at + j >= end) take_channel((at + j) / plane % c);
        result[j] = NORMALISED(four[j]);
    }
    y4[i] = STORE4(result);
}

void normalise_whole(uint start, uint fours) {
    vec4 loaded[ITEMS];
    [[unroll]] for (uint item = 0, i = start; item < ITEMS; item++, i += WG_SIZE)
        if (i < fours) loaded[item] = LOAD4(x4[i]);
    [[unroll]] for (uint item = 0, i = start; item < ITEMS; item++, i += WG_SIZE) {
        if (i < fours) {
            take_channel(i / (plane / 4) % c);
            y4[i] = STORE4(NORMALISED(loaded[item]));
        }
    }
}

void main() {
    const uint elements = n * c * plane, fours = elements / 4, share = WG_SIZE * ITEMS;
    const uint last = (elements - 1) / (4 * share) * share; // where the last workgroup begins
    uint first = linear_first(share);
    if (first > last) return;
#ifdef FROM_BATCH
    first = last - first;
#endif
    uint i = first + gl_LocalInvocationIndex;
    if (plane % 4 == 0) {
        normalise_whole(i, fours);
        return;
    }
    for (uint item = 0; item < ITEMS; item++, i += WG_SIZE)
        if (i < fours) normalise4(i);
    if (first > 0 || gl_LocalInvocationIndex >= elements % 4) return;
    const uint left = 4 * fours + gl_LocalInvocationIndex; // at most the last three
    take_channel(left / plane % c);
    y[left] = STORE(NORMALISED(LOAD(x[left])));
}
