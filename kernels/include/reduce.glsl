// SPDX-License-Identifier: Apache-2.0
// Sums, products and extremes over a workgroup of any size. Every invocation must call, and receives the result. The
// shared memory is (WG_SIZE + 1) * 4 bytes.
//
// A tree in shared memory leaves a quarter of the partial results at each step. A step is two operations deep, so the
// depth is log2(WG_SIZE) in all. With SUBGROUPS defined each subgroup combines its own values, and all invocations go
// through the subgroups' results. With lanes.glsl included before, the invocations of a row combine their values. They
// use shuffles within a subgroup, and shared memory if a row has several subgroups.
#ifndef VKASSAY_REDUCE
#define VKASSAY_REDUCE

#include "workgroup.glsl"

#define NEGATIVE_INFINITY uintBitsToFloat(0xff800000u)
#define POSITIVE_INFINITY uintBitsToFloat(0x7f800000u)

shared float reduce_partial[WG_SIZE];
shared float reduce_result; // separate: the next call may write partial results at once

// A NaN is never the larger or the smaller number.
float larger(float a, float b) {
    return b > a ? b : a;
}

float smaller(float a, float b) {
    return b < a ? b : a;
}

#if defined(VKASSAY_LANES)
#define REDUCTION(name, combine, subgroup_combine)                                            \
    float name(float value) {                                                                 \
        EACH_SHUFFLE(step) value = combine(value, subgroupShuffleXor(value, step));           \
        if (lanes <= SUBGROUP_WIDTH) return value;                                            \
        NEXT_HALF();                                                                          \
        if (subgroupElect()) reduce_partial[lanes_half + gl_SubgroupID] = value;              \
        barrier();                                                                            \
        const uint first = lanes_half + LANES_FIRST_PART;                                     \
        value = reduce_partial[first];                                                        \
        for (uint i = 1u; i < LANES_PARTS; i++) value = combine(value, reduce_partial[first + i]); \
        return value;                                                                         \
    }
#elif defined(SUBGROUPS)
#define REDUCTION(name, combine, subgroup_combine)                                            \
    float name(float value) {                                                                 \
        value = subgroup_combine(value);                                                      \
        if (subgroupElect()) reduce_partial[gl_SubgroupID] = value;                           \
        barrier();                                                                            \
        float result = reduce_partial[0];                                                     \
        for (uint i = 1; i < gl_NumSubgroups; i++)                                            \
            result = combine(result, reduce_partial[i]);                                      \
        barrier(); /* before the next call writes */                                          \
        return result;                                                                        \
    }
#else
#define REDUCTION(name, combine, subgroup_combine)                                            \
    float name(float value) {                                                                 \
        const uint i = gl_LocalInvocationIndex;                                               \
        reduce_partial[i] = value;                                                            \
        for (uint count = WG_SIZE; count > 1u; count = (count + 3u) / 4u) {                   \
            const uint kept = (count + 3u) / 4u;                                              \
            barrier();                                                                        \
            if (i >= kept) continue;                                                          \
            if (i + kept < count) value = combine(value, reduce_partial[i + kept]);           \
            if (i + 3u * kept < count)                                                        \
                value = combine(value,                                                        \
                    combine(reduce_partial[i + 2u * kept], reduce_partial[i + 3u * kept]));   \
            else if (i + 2u * kept < count)                                                   \
                value = combine(value, reduce_partial[i + 2u * kept]);                        \
            reduce_partial[i] = value;                                                        \
        }                                                                                     \
        if (i == 0u) reduce_result = value;                                                   \
        barrier();                                                                            \
        return reduce_result;                                                                 \
    }
#endif

#define REDUCE_ADD(a, b) ((a) + (b))
#define REDUCE_MULTIPLY(a, b) ((a) * (b))
REDUCTION(reduce_sum, REDUCE_ADD, subgroupAdd)
REDUCTION(reduce_product, REDUCE_MULTIPLY, subgroupMul)
REDUCTION(reduce_max, larger, subgroupMax)
REDUCTION(reduce_min, smaller, subgroupMin)

#endif
