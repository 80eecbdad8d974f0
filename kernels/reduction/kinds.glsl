// SPDX-License-Identifier: Apache-2.0
// The kinds of reduction, chosen by REDUCE: the neutral element, the combination of two results, an element's
// contribution, and the result for n elements.
#include "reduce.glsl"

#define SUM 1
#define MEAN 2
#define LENGTH 3
#define PRODUCT 4
#define MAXIMUM 5
#define MINIMUM 6
#define ANY 7
#define ALL 8

#if REDUCE == PRODUCT
#define START 1.0
#define COMBINE(a, b) REDUCE_MULTIPLY(a, b)
#define OVER_WORKGROUP reduce_product
#define OVER_SUBGROUP subgroupMul
#elif REDUCE == MAXIMUM || REDUCE == ANY
#define START NEGATIVE_INFINITY
#define COMBINE(a, b) larger(a, b)
#define OVER_WORKGROUP reduce_max
#define OVER_SUBGROUP subgroupMax
#elif REDUCE == MINIMUM || REDUCE == ALL
#define START POSITIVE_INFINITY
#define COMBINE(a, b) smaller(a, b)
#define OVER_WORKGROUP reduce_min
#define OVER_SUBGROUP subgroupMin
#else
#define START 0.0
#define COMBINE(a, b) REDUCE_ADD(a, b)
#define OVER_WORKGROUP reduce_sum
#define OVER_SUBGROUP subgroupAdd
#endif

#if REDUCE == LENGTH
#define TERM(x) ((x) * (x))
#define RESULT(r, n) sqrt(r)
#elif REDUCE == MEAN
#define TERM(x) (x)
#define RESULT(r, n) ((r) / float(n))
#elif REDUCE == ANY || REDUCE == ALL
#define TERM(x) ((x) != 0.0 ? 1.0 : 0.0)
#define RESULT(r, n) (r)
#else
#define TERM(x) (x)
#define RESULT(r, n) (r)
#endif

float visited = START;

void visit(float value, uint index) {
    visited = COMBINE(visited, TERM(value));
}
