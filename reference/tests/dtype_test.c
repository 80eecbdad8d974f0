// SPDX-License-Identifier: Apache-2.0
#include "../dtype.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static uint16_t bits16(enum dtype dtype, double value) {
    uint16_t bits;
    dtype_store(dtype, &bits, 0, value);
    return bits;
}

static void names_lead_to_types(void **state) {
    for (int i = DTYPE_CASE + 1; i < DTYPE_COUNT; i++)
        assert_int_equal(dtype_named(dtype_info((enum dtype)i)->name), i);
    assert_int_equal(dtype_named("f64"), DTYPE_CASE);
    assert_int_equal(dtype_named("case"), DTYPE_CASE);
    assert_int_equal(dtype_named(""), DTYPE_CASE);
}

// Each pattern except NaN comes back unchanged; a NaN stays NaN.
static void check_patterns(enum dtype dtype) {
    for (uint32_t i = 0; i < 0x10000; i++) {
        uint16_t bits = (uint16_t)i;
        double value = dtype_load(dtype, &bits, 0);
        uint16_t back = bits16(dtype, value);
        if (isnan(value))
            assert_true(isnan(dtype_load(dtype, &back, 0)));
        else
            assert_int_equal(back, bits);
    }
}

static void every_pattern_comes_back(void **state) {
    check_patterns(DTYPE_F16);
    check_patterns(DTYPE_BF16);
}

// bf16 is the upper half of f32, so it can be read independently.
static void bf16_is_the_upper_half_of_f32(void **state) {
    for (uint32_t i = 0; i < 0x7f80; i++) {
        uint16_t bits = (uint16_t)i;
        uint32_t wide = i << 16;
        float value;
        memcpy(&value, &wide, sizeof value);
        assert_true(dtype_load(DTYPE_BF16, &bits, 0) == (double)value);
    }
}

static const struct {
    enum dtype dtype;
    double value;
    uint16_t bits;
} stores[] = {
    {DTYPE_F16, 0, 0x0000},
    {DTYPE_F16, -0.0, 0x8000},
    {DTYPE_F16, 1, 0x3c00},
    {DTYPE_F16, -2, 0xc000},
    {DTYPE_F16, 65504, 0x7bff},
    {DTYPE_F16, INFINITY, 0x7c00},
    // Overflow begins half an ULP above the largest number; the tie goes to even, that is to infinity.
    {DTYPE_F16, 65519.99, 0x7bff},
    {DTYPE_F16, 65520, 0x7c00},
    {DTYPE_F16, -1e300, 0xfc00},
    // Ties between neighbours go to the even one.
    {DTYPE_F16, 1 + 0x1p-11, 0x3c00},
    {DTYPE_F16, 1 + 3 * 0x1p-11, 0x3c02},
    {DTYPE_F16, 1 + 0x1p-11 + 0x1p-40, 0x3c01},
    {DTYPE_F16, 2049, 0x6800},
    {DTYPE_F16, 2051, 0x6802},
    // Subnormals are units of 2^-24; half a unit is a tie with zero. The largest rounds up to a normal number.
    {DTYPE_F16, 0x1p-24, 0x0001},
    {DTYPE_F16, 0x1p-25, 0x0000},
    {DTYPE_F16, -0x1p-25, 0x8000},
    {DTYPE_F16, 1.001 * 0x1p-25, 0x0001},
    {DTYPE_F16, 1.5 * 0x1p-24, 0x0002},
    {DTYPE_F16, 1023 * 0x1p-24, 0x03ff},
    {DTYPE_F16, 1023.5 * 0x1p-24, 0x0400},
    {DTYPE_F16, 0x1p-14, 0x0400},
    {DTYPE_F16, 1e-300, 0x0000},
    {DTYPE_F16, 0x1p-1060, 0x0000},
    {DTYPE_BF16, 1, 0x3f80},
    {DTYPE_BF16, 1 + 0x1p-8, 0x3f80},
    {DTYPE_BF16, 1 + 3 * 0x1p-8, 0x3f82},
    {DTYPE_BF16, 0x1.fep127, 0x7f7f},
    {DTYPE_BF16, 0x1.ffp127, 0x7f80},
    {DTYPE_BF16, 0x1p-133, 0x0001},
    {DTYPE_BF16, 0x1p-134, 0x0000},
    {DTYPE_BF16, -3, 0xc040},
};

static void stores_round_to_nearest_even(void **state) {
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        uint16_t stored = bits16(stores[i].dtype, stores[i].value);
        if (stored != stores[i].bits)
            fail_msg("%s: %a is stored as %04x, not %04x", dtype_info(stores[i].dtype)->name, stores[i].value, stored,
                stores[i].bits);
        double rounded = dtype_round(stores[i].dtype, stores[i].value);
        assert_true(rounded == dtype_load(stores[i].dtype, &stored, 0));
        assert_int_equal(signbit(rounded), signbit(stores[i].value));
    }
    assert_true(isnan(dtype_round(DTYPE_F16, NAN)));
}

static void f32_rounds_as_the_processor_does(void **state) {
    float stored[2];
    dtype_store(DTYPE_F32, stored, 1, 0.1);
    assert_true(dtype_load(DTYPE_F32, stored, 1) == (double)0.1f);
    assert_true(dtype_round(DTYPE_F32, 1 + 0x1p-24) == 1);
    assert_true(dtype_round(DTYPE_F32, 1 + 3 * 0x1p-24) == 1 + 0x1p-22);
    assert_true(isinf(dtype_round(DTYPE_F32, 3.5e38)));
    assert_true(dtype_round(DTYPE_F32, 0x1p-149) == 0x1p-149);
}

static void integers_round_and_clamp(void **state) {
    int32_t i32;
    uint32_t u32;
    uint8_t u8;
    static const double from[] = {2.5, 3.5, -2.5, 1e10, -1e10, NAN};
    static const int32_t to_i32[] = {2, 4, -2, INT32_MAX, INT32_MIN, 0};
    static const uint32_t to_u32[] = {2, 4, 0, UINT32_MAX, 0, 0};
    static const uint8_t to_u8[] = {2, 4, 0, UINT8_MAX, 0, 0};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        dtype_store(DTYPE_I32, &i32, 0, from[i]);
        dtype_store(DTYPE_U32, &u32, 0, from[i]);
        dtype_store(DTYPE_U8, &u8, 0, from[i]);
        assert_int_equal(i32, to_i32[i]);
        assert_int_equal(u32, to_u32[i]);
        assert_int_equal(u8, to_u8[i]);
        assert_true(dtype_load(DTYPE_I32, &i32, 0) == to_i32[i]);
        assert_true(dtype_load(DTYPE_U32, &u32, 0) == to_u32[i]);
        assert_true(dtype_load(DTYPE_U8, &u8, 0) == to_u8[i]);
    }
}

// Two blocks of each type, with scales 0.5 and 2 and ascending quants.
static void blocks_are_read_as_ggml_lays_them_out(void **state) {
    unsigned char q8[68], q4[36];
    for (int block = 0; block < 2; block++) {
        double scale = block ? 2 : 0.5;
        dtype_store(DTYPE_F16, q8 + block * 34, 0, scale);
        dtype_store(DTYPE_F16, q4 + block * 18, 0, scale);
        for (int i = 0; i < 32; i++) q8[block * 34 + 2 + i] = (unsigned char)(i - 16);
        for (int i = 0; i < 16; i++) q4[block * 18 + 2 + i] = (unsigned char)(i | (15 - i) << 4);
    }
    for (int i = 0; i < 64; i++) {
        double scale = i < 32 ? 0.5 : 2;
        int at = i % 32, nibble = at < 16 ? at : 31 - at;
        assert_true(dtype_load(DTYPE_Q8_0, q8, i) == scale * (at - 16));
        assert_true(dtype_load(DTYPE_Q4_0, q4, i) == scale * (nibble - 8));
    }
}

static void bytes_count_whole_blocks(void **state) {
    uint64_t bytes;
    assert_true(dtype_bytes(DTYPE_F16, 3, &bytes) && bytes == 6);
    assert_true(dtype_bytes(DTYPE_Q8_0, 64, &bytes) && bytes == 68);
    assert_true(dtype_bytes(DTYPE_Q4_0, 64, &bytes) && bytes == 36);
    assert_false(dtype_bytes(DTYPE_Q4_0, 33, &bytes));
    assert_false(dtype_bytes(DTYPE_F32, -1, &bytes));
    assert_true(dtype_bytes(DTYPE_F32, 0, &bytes) && bytes == 0);
    assert_false(dtype_bytes(DTYPE_F32, INT64_MAX, &bytes));
}

// Words through which a kernel may read and write a type, and the width of its arithmetic.
static void types_have_known_widths(void **state) {
    static const struct {
        enum dtype dtype;
        int arithmetic, floats, integers;
    } rows[] = {{DTYPE_F32, 32, 32, 32}, {DTYPE_F16, 16, 16, 48}, {DTYPE_BF16, 0, 0, 48}, {DTYPE_I32, 0, 0, 32},
        {DTYPE_U32, 0, 0, 32}, {DTYPE_U8, 0, 0, 56}, {DTYPE_I8, 0, 0, 56}, {DTYPE_Q8_0, 0, 0, 56},
        {DTYPE_Q4_0, 0, 0, 56}};
    assert_int_equal(sizeof rows / sizeof *rows, DTYPE_COUNT - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct dtype_info *info = dtype_info(rows[i].dtype);
        assert_int_equal(info->arithmetic_bits, rows[i].arithmetic);
        assert_int_equal(info->float_widths, rows[i].floats);
        assert_int_equal(info->integer_widths, rows[i].integers);
    }
}

static void ulp_is_the_spacing_with_a_floor(void **state) {
    static const struct {
        enum dtype dtype;
        double value, ulp;
    } spacings[] = {
        {DTYPE_F32, 1, 0x1p-23},
        {DTYPE_F32, -1, 0x1p-23},
        {DTYPE_F32, 0x1.fffffep0, 0x1p-23},
        {DTYPE_F32, 0x1.fffffep-1, 0x1p-24},
        {DTYPE_F32, 2, 0x1p-22},
        {DTYPE_F32, 0, 0x1p-149},
        {DTYPE_F32, 0x1p-126, 0x1p-149},
        {DTYPE_F32, 0x1p-140, 0x1p-149},
        {DTYPE_F32, 0x1p-1070, 0x1p-149},
        {DTYPE_F32, 0x1p128, 0x1p105},
        {DTYPE_F32, INFINITY, 0x1p104},
        {DTYPE_F16, 1, 0x1p-10},
        {DTYPE_F16, 0, 0x1p-24},
        {DTYPE_F16, 65504, 32},
        {DTYPE_F16, 65536, 64},
        {DTYPE_BF16, 1, 0x1p-7},
        {DTYPE_BF16, 0, 0x1p-133},
        {DTYPE_I32, 1e9, 1},
    };
    for (size_t i = 0; i < sizeof spacings / sizeof spacings[0]; i++)
        assert_true(dtype_ulp(spacings[i].dtype, spacings[i].value) == spacings[i].ulp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_types),
        cmocka_unit_test(every_pattern_comes_back),
        cmocka_unit_test(bf16_is_the_upper_half_of_f32),
        cmocka_unit_test(stores_round_to_nearest_even),
        cmocka_unit_test(f32_rounds_as_the_processor_does),
        cmocka_unit_test(integers_round_and_clamp),
        cmocka_unit_test(blocks_are_read_as_ggml_lays_them_out),
        cmocka_unit_test(bytes_count_whole_blocks),
        cmocka_unit_test(types_have_known_widths),
        cmocka_unit_test(ulp_is_the_spacing_with_a_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
