// SPDX-License-Identifier: Apache-2.0
// Sums and maxima over a workgroup of any size: a tree in shared memory that halves the number of
// partial results, log2(WG_SIZE) additions deep. Takes WG_SIZE * 4 bytes of shared memory. Every
// invocation must call, and receives the result.
#ifndef VKASSAY_REDUCE
#define VKASSAY_REDUCE

#include "workgroup.glsl"

#define NEGATIVE_INFINITY uintBitsToFloat(0xff800000u)

shared float reduce_partial[WG_SIZE];

// A NaN is never the larger one.
float larger(float a, float b) {
    return b > a ? b : a;
}

#define REDUCE_TREE(name, combine)                                                            \
    float name(float value) {                                                                 \
        uint i = gl_LocalInvocationIndex;                                                     \
        reduce_partial[i] = value;                                                            \
        barrier();                                                                            \
        for (uint count = WG_SIZE; count > 1u;) {                                             \
            uint kept = (count + 1u) / 2u;                                                    \
            if (i + kept < count)                                                             \
                reduce_partial[i] = combine(reduce_partial[i], reduce_partial[i + kept]);     \
            barrier();                                                                        \
            count = kept;                                                                     \
        }                                                                                     \
        float result = reduce_partial[0];                                                     \
        barrier(); /* before the next call writes */                                          \
        return result;                                                                        \
    }

#define REDUCE_ADD(a, b) ((a) + (b))
REDUCE_TREE(reduce_sum, REDUCE_ADD)
REDUCE_TREE(reduce_max, larger)

#endif
