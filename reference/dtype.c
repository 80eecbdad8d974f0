// SPDX-License-Identifier: Apache-2.0
#include "dtype.h"

#include <math.h>
#include <string.h>

static const struct dtype_info types[DTYPE_COUNT] = {
    [DTYPE_CASE] = {.name = "case", .elements = 1},
    [DTYPE_F32] = {"f32", 4, 1, true, 24, -126, 0x1.fffffep127, .arithmetic_bits = 32, .float_widths = 32,
        .integer_widths = 32},
    [DTYPE_F16] = {"f16", 2, 1, true, 11, -14, 65504, .storage_feature = "storage16", .arithmetic_feature = "float16",
        .arithmetic_bits = 16, .float_widths = 16, .integer_widths = 16 + 32},
    [DTYPE_BF16] = {"bf16", 2, 1, true, 8, -126, 0x1.fep127, .storage_feature = "storage16", .integer_widths = 16 + 32},
    [DTYPE_I32] = {.name = "i32", .bytes = 4, .elements = 1, .largest = INT32_MAX, .whole = true, .integer_widths = 32},
    [DTYPE_U32] =
        {.name = "u32", .bytes = 4, .elements = 1, .largest = UINT32_MAX, .whole = true, .integer_widths = 32},
    // Bytes and blocks can be read and written through wider words; a kernel that does otherwise names its features.
    [DTYPE_U8] = {.name = "u8", .bytes = 1, .elements = 1, .largest = UINT8_MAX, .integer_widths = 8 + 16 + 32},
    [DTYPE_I8] = {.name = "i8", .bytes = 1, .elements = 1, .largest = INT8_MAX, .integer_widths = 8 + 16 + 32},
    [DTYPE_Q8_0] =
        {.name = "q8_0", .bytes = 34, .elements = 32, .largest = 127 * 65504.0, .integer_widths = 8 + 16 + 32},
    [DTYPE_Q4_0] = {.name = "q4_0", .bytes = 18, .elements = 32, .largest = 8 * 65504.0, .integer_widths = 8 + 16 + 32},
};

const struct dtype_info *dtype_info(enum dtype dtype) {
    return &types[dtype];
}

enum dtype dtype_named(const char *name) {
    for (int i = DTYPE_CASE + 1; i < DTYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0) return (enum dtype)i;
    return DTYPE_CASE;
}

bool dtype_bytes(enum dtype dtype, int64_t elements, uint64_t *bytes) {
    const struct dtype_info *info = &types[dtype];
    if (elements < 0 || elements % info->elements != 0) return false;
    return !__builtin_mul_overflow((uint64_t)(elements / info->elements), (uint64_t)info->bytes, bytes);
}

// Returns 2^exponent, for exponents of normal doubles. ldexp would be a call for every element of every input.
static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Returns the exponent of |value|, or that of the type's smallest normal number if it is larger. A subnormal double
// is below that of every type.
static int exponent_of(const struct dtype_info *info, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    return exponent < info->least_exponent ? info->least_exponent : exponent;
}

double dtype_ulp(enum dtype dtype, double value) {
    const struct dtype_info *info = &types[dtype];
    if (!info->is_float) return 1;
    if (isinf(value)) value = info->largest;
    return power_of_two(exponent_of(info, value) - info->significand + 1);
}

// Rounds by adding and subtracting 1.5 * 2^52 units. The processor's own nearest-even rule leaves a whole number of
// units; both operations are exact otherwise.
static double round_float(const struct dtype_info *info, double value) {
    if (value == 0 || !isfinite(value)) return value;
    if (fabs(value) >= 2 * info->largest) return copysign(INFINITY, value);
    double shift = 0x1.8p52 * power_of_two(exponent_of(info, value) - info->significand + 1);
    double rounded = copysign(value + shift - shift, value); // a negative value that rounds to zero is -0
    return fabs(rounded) > info->largest ? copysign(INFINITY, value) : rounded;
}

static double round_integer(const struct dtype_info *info, double value, double least) {
    if (isnan(value)) return 0;
    if (value <= least || value >= info->largest) return value <= least ? least : info->largest;
    return nearbyint(value);
}

double dtype_round(enum dtype dtype, double value) {
    const struct dtype_info *info = &types[dtype];
    if (dtype == DTYPE_F32) return (double)(float)value;
    if (info->is_float) return round_float(info, value);
    if (dtype == DTYPE_I32) return round_integer(info, value, INT32_MIN);
    if (dtype == DTYPE_I8) return round_integer(info, value, INT8_MIN);
    if (dtype == DTYPE_U32 || dtype == DTYPE_U8) return round_integer(info, value, 0);
    return value;
}

// Encodes a 16-bit float. The types differ in the position of the exponent: f16 has 10 fraction bits, bf16 has 7.
static uint16_t encode(const struct dtype_info *info, double value) {
    int fraction = info->significand - 1;
    uint16_t infinity = (uint16_t)(0x7fff >> fraction << fraction);
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value)) return (uint16_t)(sign | infinity | 1 << (fraction - 1));
    double size = fabs(round_float(info, value));
    if (isinf(size)) return sign | infinity;
    int exponent = exponent_of(info, size);
    // Units of the last place. A normal number has 2^fraction units or more. Its leading one then raises the exponent
    // field by one; 0 is the field of subnormal numbers.
    int units = (int)(size * power_of_two(fraction - exponent));
    return (uint16_t)(sign | (((exponent - info->least_exponent) << fraction) + units));
}

static double decode(const struct dtype_info *info, uint16_t bits) {
    int fraction = info->significand - 1;
    int field = (bits & 0x7fff) >> fraction, units = bits & ((1 << fraction) - 1);
    int last = 0x7fff >> fraction; // the field of infinities and NaN
    double size;
    if (field == last)
        size = units ? NAN : INFINITY;
    else if (field == 0)
        size = units * power_of_two(info->least_exponent - fraction);
    else
        size = (units + (1 << fraction)) * power_of_two(info->least_exponent + field - 1 - fraction);
    return bits & 0x8000 ? -size : size;
}

// Loads an element of a block of 32 (ggml-common.h: block_q8_0, block_q4_0). A block has a half scale and signed
// bytes, or a half scale and nibbles less 8, the low ones first. Scale times integer is exact in float too.
static double load_block(enum dtype dtype, const unsigned char *buffer, int64_t index) {
    const unsigned char *block = buffer + index / 32 * types[dtype].bytes;
    uint16_t half;
    memcpy(&half, block, sizeof half);
    const double scale = decode(&types[DTYPE_F16], half);
    int at = (int)(index % 32);
    if (dtype == DTYPE_Q8_0) return scale * (signed char)block[2 + at];
    int byte = block[2 + at % 16];
    return scale * ((at < 16 ? byte & 15 : byte >> 4) - 8);
}

double dtype_load(enum dtype dtype, const void *buffer, int64_t index) {
    switch (dtype) {
    case DTYPE_F32:
        return (double)((const float *)buffer)[index];
    case DTYPE_F16:
    case DTYPE_BF16:
        return decode(&types[dtype], ((const uint16_t *)buffer)[index]);
    case DTYPE_I32:
        return ((const int32_t *)buffer)[index];
    case DTYPE_U32:
        return ((const uint32_t *)buffer)[index];
    case DTYPE_U8:
        return ((const uint8_t *)buffer)[index];
    case DTYPE_I8:
        return ((const int8_t *)buffer)[index];
    case DTYPE_Q8_0:
    case DTYPE_Q4_0:
        return load_block(dtype, buffer, index);
    case DTYPE_CASE:
    case DTYPE_COUNT:
        break;
    }
    return NAN;
}

void dtype_store(enum dtype dtype, void *buffer, int64_t index, double value) {
    switch (dtype) {
    case DTYPE_F32:
        ((float *)buffer)[index] = (float)value;
        break;
    case DTYPE_F16:
    case DTYPE_BF16:
        ((uint16_t *)buffer)[index] = encode(&types[dtype], value);
        break;
    case DTYPE_I32:
        ((int32_t *)buffer)[index] = (int32_t)dtype_round(dtype, value);
        break;
    case DTYPE_U32:
        ((uint32_t *)buffer)[index] = (uint32_t)dtype_round(dtype, value);
        break;
    case DTYPE_U8:
        ((uint8_t *)buffer)[index] = (uint8_t)dtype_round(dtype, value);
        break;
    case DTYPE_I8:
        ((int8_t *)buffer)[index] = (int8_t)dtype_round(dtype, value);
        break;
    case DTYPE_Q8_0:
    case DTYPE_Q4_0:
    case DTYPE_CASE:
    case DTYPE_COUNT:
        break;
    }
}
