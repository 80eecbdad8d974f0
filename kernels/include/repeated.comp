// SPDX-License-Identifier: Apache-2.0
// Looks at an execution's output on the device. HASH adds two sums over its words to a slot, whatever the order of
// invocations. KEEP copies it if its slot differs from slot 0, and no slot between does. BUSY computes for a while.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Words { uint words[]; };
layout(set = 0, binding = 1) buffer Slots { uint slots[]; };
layout(set = 0, binding = 2) buffer Kept { uint kept[]; };
layout(push_constant) uniform Push { uint mode, count, last, slot, place; }; // last: the bits of the last word
#define HASH 0
#define KEEP 1
#define BUSY 2
shared uint sums[128];

uint mixed(uint x) {
    x = (x ^ x >> 16) * 0x85ebca6b;
    x = (x ^ x >> 13) * 0xc2b2ae35;
    return x ^ x >> 16;
}

uint word_at(uint i) {
    return words[i] & (i + 1 == count ? last : ~0u);
}

void hash(uint step) {
    uint a = 0, b = 0;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += step) {
        const uint one = mixed(word_at(i) ^ (i + place) * 0x9e3779b9);
        a += one;
        b += one * one;
    }
    const uint lane = gl_LocalInvocationIndex;
    sums[lane] = a;
    sums[64 + lane] = b;
    barrier();
    for (uint half_ = 32; half_ > 0; half_ /= 2) {
        if (lane < half_) {
            sums[lane] += sums[lane + half_];
            sums[64 + lane] += sums[64 + lane + half_];
        }
        barrier();
    }
    if (lane == 0) {
        atomicAdd(slots[2 * slot], sums[0]);
        atomicAdd(slots[2 * slot + 1], sums[64]);
    }
}

bool differs(uint other) {
    return slots[2 * other] != slots[0] || slots[2 * other + 1] != slots[1];
}

void main() {
    const uint step = gl_NumWorkGroups.x * 64;
    if (mode == HASH) hash(step);
    if (mode == KEEP && differs(slot)) {
        for (uint other = 1; other < slot; other++)
            if (differs(other)) return;
        for (uint i = gl_GlobalInvocationID.x; i < count; i += step) kept[place + i] = word_at(i);
    }
    if (mode == BUSY) {
        uint x = gl_GlobalInvocationID.x;
        for (uint i = 0; i < count; i++) x = mixed(x + i);
        if (x == 0) slots[2 * slot] = x;
    }
}
