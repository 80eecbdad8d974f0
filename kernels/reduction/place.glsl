// SPDX-License-Identifier: Apache-2.0
// The place of an extreme: the best element so far with its index, over elements in any order. Among equal
// elements the lowest index is best; any NaN is better than a number. ORDERED(x) is x for a maximum and -x for a
// minimum.
#include "workgroup.glsl"

#define NEGATIVE_INFINITY uintBitsToFloat(0xff800000u)
#define NOWHERE 0xffffffffu

shared float place_values[WG_SIZE];
shared uint places[WG_SIZE];

float best = NEGATIVE_INFINITY;
uint place = NOWHERE;

void consider(float value, uint index) {
    const bool is_nan = isnan(value), has_nan = isnan(best), same = value == best || (is_nan && has_nan);
    if (value > best || (is_nan && !has_nan) || (same && index < place)) {
        best = value;
        place = index;
    }
}

void visit(float value, uint index) {
    consider(ORDERED(value), index);
}

// Leaves the best of `extent` invocations, `stride` apart, in the first of them; this one is number `lane`. Every
// invocation of the workgroup must call.
void reduce_places(uint lane, uint extent, uint stride) {
    const uint i = gl_LocalInvocationIndex;
    place_values[i] = best;
    places[i] = place;
    barrier();
    for (uint count = extent; count > 1u;) {
        const uint kept = (count + 1u) / 2u;
        if (lane + kept < count) {
            consider(place_values[i + kept * stride], places[i + kept * stride]);
            place_values[i] = best;
            places[i] = place;
        }
        barrier();
        count = kept;
    }
}

#ifdef VKASSAY_LANES
// Leaves the best of a row's invocations (lanes.glsl) in each of them. Every invocation of the workgroup must call.
void reduce_lanes() {
    EACH_SHUFFLE(step) consider(subgroupShuffleXor(best, step), subgroupShuffleXor(place, step));
    if (lanes <= SUBGROUP_WIDTH) return;
    barrier(); // the previous call has read
    if (subgroupElect()) {
        place_values[gl_SubgroupID] = best;
        places[gl_SubgroupID] = place;
    }
    barrier();
    const uint first = LANES_FIRST_PART;
    for (uint i = 0u; i < LANES_PARTS; i++) consider(place_values[first + i], places[first + i]);
}
#endif

int found(uint start) {
    return int(place - start);
}
