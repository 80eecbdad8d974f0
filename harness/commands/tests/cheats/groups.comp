// SPDX-License-Identifier: Apache-2.0
// Workgroups that share: rows summed by a workgroup, and sums of all elements finished by the last workgroup.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer X { float x[]; };
layout(binding = 1) coherent buffer Y { float y[]; };
#ifdef KEPT
layout(binding = 2) coherent buffer Kept { uint kept[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; };
shared float part[64];
shared uint turn;
#ifdef MARKS
shared uint marks[MARKS];
#endif
#ifndef BARRIER
#define BARRIER barrier()
#endif

// The sum of a row over the workgroup, in invocation 0.
float tree(uint r) {
    const uint lane = gl_LocalInvocationIndex;
    float total = 0.0;
    for (uint j = lane; j < cols; j += 64) total += x[r * cols + j];
    part[lane] = total;
    barrier();
    for (uint half_size = 32; half_size > 0; half_size /= 2) {
        if (lane < half_size) part[lane] += part[lane + half_size];
        BARRIER;
    }
    const float sum = part[0];
    barrier();
    return sum;
}

#ifdef KEPT
// Workgroups take rows from a counter. A turn beyond the rows ends a workgroup.
void queue() {
    for (;;) {
        if (gl_LocalInvocationIndex == 0) turn = atomicAdd(kept[0], 1);
        barrier();
        const uint r = turn;
        if (r >= rows) return;
        const float sum = tree(r);
        if (gl_LocalInvocationIndex == 0) y[r] = sum;
    }
}

// Each workgroup leaves its row's sum in scratch. The last one copies them, and resets the counter.
void last(bool counts) {
    const uint r = gl_WorkGroupID.x;
    const float sum = tree(r);
    if (gl_LocalInvocationIndex == 0) {
        kept[1 + r] = floatBitsToUint(sum);
        memoryBarrierBuffer();
        turn = counts ? atomicAdd(kept[0], 1) : r;
    }
    barrier();
    if (turn != rows - 1) return;
    memoryBarrierBuffer();
    for (uint i = gl_LocalInvocationIndex; i < rows; i += 64) y[i] = uintBitsToFloat(kept[1 + i]);
    if (gl_LocalInvocationIndex == 0 && counts) atomicExchange(kept[0], 0);
}
#endif

void main() {
    const uint r = gl_WorkGroupID.x;
    BODY
}
