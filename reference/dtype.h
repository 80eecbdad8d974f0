// SPDX-License-Identifier: Apache-2.0
// Element types: their names, sizes and exact conversion to and from double.
#ifndef VKASSAY_REFERENCE_DTYPE_H
#define VKASSAY_REFERENCE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dtype {
    DTYPE_CASE = 0, // in an operand: "the dtype of the case" (for quantised weights, f32 unless .weights is set)
    DTYPE_F32,
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_I32,
    DTYPE_U32,
    DTYPE_U8,
    DTYPE_I8,
    DTYPE_Q8_0, // GGML block: f16 scale and 32 int8, 34 bytes for 32 elements
    DTYPE_Q4_0, // GGML block: f16 scale and 16 bytes of nibbles (low nibbles are elements 0-15), 18 bytes for 32
    DTYPE_COUNT
};

struct dtype_info {
    const char *name;    // "f32"
    int bytes, elements; // `bytes` hold `elements` consecutive elements
    bool is_float;       // judged in ULP; otherwise compared exactly
    int significand;     // bits including the implicit one: 24, 11, 8; 0 for integers
    int least_exponent;  // of the smallest normal number: -126, -14, -126
    double largest;      // largest finite value
    bool whole;          // 32-bit integers, not exact in float: references take them as they are
    // Features a device needs to declare elements of the type and to compute in it, by name (NULL: none). The width
    // of such arithmetic is arithmetic_bits; 0: kernels do not compute in the type.
    const char *storage_feature, *arithmetic_feature;
    int arithmetic_bits;
    // Widths allowed for a shader's elements, as the sum of 8, 16 and 32. They may be floats, or integers with the
    // bits.
    uint32_t float_widths, integer_widths;
};

const struct dtype_info *dtype_info(enum dtype dtype);
enum dtype dtype_named(const char *name); // DTYPE_CASE if there is no such name

// Computes the bytes of `elements`. Returns false if the product overflows or `elements` is not a whole number of
// blocks.
bool dtype_bytes(enum dtype dtype, int64_t elements, uint64_t *bytes);

// Load element `index` of a buffer as a double (exact), or store a double rounded to nearest even. dtype_store is not
// defined for quantised types. It clamps values beyond an integer type's range.
double dtype_load(enum dtype dtype, const void *buffer, int64_t index);
void dtype_store(enum dtype dtype, void *buffer, int64_t index, double value);

// Returns `value` rounded to the nearest number of the dtype, ties to even.
double dtype_round(enum dtype dtype, double value);

// Returns the unit in the last place of the dtype at |value|, but not less than the ULP of the smallest normal
// number. Beyond the largest finite value it is the ULP of that value. `value` must not be NaN.
double dtype_ulp(enum dtype dtype, double value);

#endif
