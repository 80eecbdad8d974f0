// SPDX-License-Identifier: Apache-2.0
// Element types: their names, sizes and exact conversion to and from double.
#ifndef VKASSAY_REFERENCE_DTYPE_H
#define VKASSAY_REFERENCE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dtype {
    DTYPE_CASE = 0, // in an operand: "the dtype of the case" (for quantised weights, f32 unless
                    // .weights is set)
    DTYPE_F32,
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_I32,
    DTYPE_U32,
    DTYPE_U8,
    DTYPE_I8,
    DTYPE_Q8_0, // GGML block: f16 scale and 32 int8, 34 bytes for 32 elements
    DTYPE_Q4_0, // GGML block: f16 scale and 16 bytes of nibbles (low nibbles are elements 0-15), 18
                // bytes for 32
    DTYPE_COUNT
};

struct dtype_info {
    const char *name;    // "f32"
    int bytes, elements; // `bytes` hold `elements` consecutive elements
    bool is_float;       // judged in ULP; otherwise compared exactly
    int significand;     // bits with the implicit one: 24, 11, 8; 0 for integers
    int least_exponent;  // of the smallest normal number: -126, -14, -126
    double largest;      // largest finite value
    bool whole;          // 32-bit whole numbers, which float does not hold: references take them as they are
    // What a device must have, by the name of its feature (NULL: nothing), so that a shader may declare elements of the
    // type, and compute in it; and the bits of such arithmetic, 0: kernels do not compute in it.
    const char *storage_feature, *arithmetic_feature;
    int arithmetic_bits;
    // Widths that a shader's elements may have, 8, 16 and 32 added up: as floats, and as integers that hold the bits.
    uint32_t float_widths, integer_widths;
};

const struct dtype_info *dtype_info(enum dtype dtype);
enum dtype dtype_named(const char *name); // DTYPE_CASE when there is none of that name

// Bytes that hold `elements`; false when the product overflows or `elements` is no whole number of
// blocks.
bool dtype_bytes(enum dtype dtype, int64_t elements, uint64_t *bytes);

// Element `index` of a buffer of that dtype as a double (exact), and the nearest-even store of a
// double. dtype_store is not defined for quantised types; a value beyond an integer type's range is
// clamped.
double dtype_load(enum dtype dtype, const void *buffer, int64_t index);
void dtype_store(enum dtype dtype, void *buffer, int64_t index, double value);

// `value` rounded to the nearest even number of the dtype, as a double.
double dtype_round(enum dtype dtype, double value);

// Unit in the last place of the dtype at |value|, floored at the ulp of the smallest normal number.
// Beyond the largest finite value it is the ulp of that value. `value` must not be NaN.
double dtype_ulp(enum dtype dtype, double value);

#endif
