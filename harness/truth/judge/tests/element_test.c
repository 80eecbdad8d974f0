// SPDX-License-Identifier: Apache-2.0
// The verdict on single elements as a table: the expected value, the actual value, and the verdict.
#include "../judge.h"
#include "../../../../reference/tests/unit.h"

#include <float.h>
#include <math.h>

static const struct policy all = {.rte = true, .specials = true, .denorms = true};
static const struct policy no_specials = {.rte = true, .specials = false, .denorms = true};
static const struct policy no_rounding = {.rte = false, .specials = true, .denorms = true};
static const struct policy narrowing = {.specials = true, .denorms = true, .narrows = true};
static const struct policy no_denorms = {.rte = true, .specials = true, .denorms = false};

enum said { PASSES, FAILS, EXCLUDED };

struct example {
    const char *what;
    enum dtype dtype, arithmetic;
    const struct policy *policy;
    double want, magnitude, bound, got;
    uint8_t touched;
    enum said said;
};

#define ULP_OF_1 0x1p-23
#define F32 DTYPE_F32, DTYPE_F32
#define F16 DTYPE_F16, DTYPE_F32
#define LARGEST16 65504.0

static const struct example examples[] = {
    {"equal, bound 0", F32, &all, 1, 0, 0, 1, 0, PASSES},
    {"one ulp off, bound 0", F32, &all, 1, 0, 0, 1 + ULP_OF_1, 0, FAILS},
    {"exactly at the bound", F32, &all, 1, 0, 3, 1 + 3 * ULP_OF_1, 0, PASSES},
    {"exactly at the bound below", F32, &all, 1.5, 0, 3, 1.5 - 3 * ULP_OF_1, 0, PASSES},
    {"one ulp over the bound", F32, &all, 1, 0, 3, 1 + 4 * ULP_OF_1, 0, FAILS},
    {"negative, one ulp over", F32, &all, -1, 0, 3, -1 - 4 * ULP_OF_1, 0, FAILS},
    {"the other sign", F32, &all, -1, 0, 1000, 1, 0, FAILS},
    {"the ulp is that of the magnitude", F32, &all, 0, 1024, 1, 0x1p-13, 0, PASSES},
    {"beyond the ulp of the magnitude", F32, &all, 0, 1024, 1, 0x1p-12, 0, FAILS},
    {"the ulp is never that of less than the value", F32, &all, 1024, 1, 1, 1024 + 0x1p-13, 0, PASSES},
    {"a bound that is NaN", F32, &all, 1, 0, NAN, 1, 0, FAILS},
    {"a negative bound", F32, &all, 1, 0, -1, 1, 0, FAILS},
    {"an infinite bound leaves it open", F32, &all, 1, 0, INFINITY, NAN, 0, EXCLUDED},

    {"NaN for a number", F32, &all, 1, 0, 1e6, NAN, 0, FAILS},
    {"NaN for a number, specials not honoured", F32, &no_specials, 1, 0, 1e6, NAN, 0, FAILS},
    {"Inf for a number", F32, &no_specials, 1, 0, 1e6, INFINITY, 0, FAILS},
    {"NaN for NaN", F32, &all, NAN, NAN, 0, NAN, 0, PASSES},
    {"NaN for NaN, specials not honoured", F32, &no_specials, NAN, 0, 0, NAN, 0, PASSES},
    {"a number for NaN", F32, &all, NAN, 0, 1e6, 0, 0, FAILS},
    {"a number for NaN, specials not honoured", F32, &no_specials, NAN, 0, 0, 0, 0, EXCLUDED},
    {"Inf for NaN", F32, &all, NAN, 0, 0, INFINITY, 0, FAILS},
    {"Inf for Inf", F32, &all, INFINITY, INFINITY, 0, INFINITY, 0, PASSES},
    {"-Inf for -Inf", F32, &all, -INFINITY, 0, 0, -INFINITY, 0, PASSES},
    {"the sign of Inf", F32, &all, INFINITY, 0, 1e6, -INFINITY, 0, FAILS},
    {"the sign of -Inf", F32, &all, -INFINITY, 0, 1e6, INFINITY, 0, FAILS},
    {"the sign of Inf, not honoured", F32, &no_specials, INFINITY, 0, 0, -INFINITY, 0, EXCLUDED},
    {"the largest for Inf", F32, &all, INFINITY, 0, 1e6, FLT_MAX, 0, FAILS},
    {"NaN for Inf", F32, &all, INFINITY, 0, 0, NAN, 0, FAILS},
    {"touched by Inf, honoured", F32, &all, 1, 0, 0, 2, 1, FAILS},
    {"touched by Inf, not honoured", F32, &no_specials, 1, 0, 0, NAN, 1, EXCLUDED},
    {"touched by a subnormal, honoured", F32, &all, 1, 0, 0, 2, 2, FAILS},
    {"touched by a subnormal, not honoured", F32, &no_denorms, 1, 0, 0, 2, 2, EXCLUDED},
    {"touched by Inf, denorms not honoured", F32, &no_denorms, 1, 0, 0, 2, 1, FAILS},

    {"overflow: Inf", F32, &all, 1e39, 0, 0.5, INFINITY, 0, PASSES},
    {"overflow: the largest", F32, &all, 1e39, 0, 0.5, FLT_MAX, 0, PASSES},
    // 2^128 - 2^103 is expected: two and a half ULP above the number.
    {"overflow: below the largest, within reach", F32, &all, 0x1.fffffep127 + 0x1p103, 0, 3, FLT_MAX - 0x1p105, 0,
        PASSES},
    {"overflow: below the largest, out of reach", F32, &all, 0x1.fffffep127 + 0x1p103, 0, 2, FLT_MAX - 0x1p105, 0,
        FAILS},
    {"overflow: -Inf", F32, &all, 1e39, 0, 0.5, -INFINITY, 0, FAILS},
    {"overflow: the largest of the other sign", F32, &all, -1e39, 0, 0.5, FLT_MAX, 0, FAILS},
    {"overflow: a small number", F32, &all, 1e39, 0, 0.5, 3, 0, FAILS},
    {"overflow: NaN", F32, &all, 1e39, 0, 0.5, NAN, 0, FAILS},
    {"the largest itself", F32, &all, FLT_MAX, 0, 0.5, FLT_MAX, 0, PASSES},
    {"Inf for the largest, out of reach", F32, &all, FLT_MAX, 0, 0.5, INFINITY, 0, FAILS},
    {"Inf for the largest, within reach", F32, &all, FLT_MAX, 0, 1, INFINITY, 0, PASSES},
    {"Inf three ulp below the end, out of reach", F32, &all, FLT_MAX - 0x1p105, 0, 2.5, INFINITY, 0, FAILS},
    {"Inf three ulp below the end, within reach", F32, &all, FLT_MAX - 0x1p105, 0, 3, INFINITY, 0, PASSES},
    // 2^128 - 2^103 is halfway from the largest to 2^128.
    {"Inf just below halfway beyond the largest", F32, &all, 0x1.fffffep127 + 0x1p103 - 0x1p80, 0, 0.4, INFINITY, 0,
        EXCLUDED},
    {"Inf halfway beyond the largest", F32, &all, 0x1.fffffep127 + 0x1p103, 0, 0.4, INFINITY, 0, PASSES},
    {"the largest just below halfway", F32, &all, 0x1.fffffep127 + 0x1p103 - 0x1p80, 0, 0.5, FLT_MAX, 0, PASSES},
    {"the number before the largest for an overflow", F32, &all, 0x1.fffffep127 + 0x1p103, 0, 1, 0x1.fffffcp127, 0,
        FAILS},
    {"the same within its bound", F32, &all, 0x1.fffffep127 + 0x1p103, 0, 1.5, 0x1.fffffcp127, 0, PASSES},
    {"-Inf just below halfway beyond the least", F32, &all, -0x1.fffffep127 - 0x1p103 + 0x1p80, 0, 0.4, -INFINITY, 0,
        EXCLUDED},
    {"terms of exactly the largest do not overflow", F32, &all, 1, FLT_MAX, 3, INFINITY, 0, FAILS},
    {"f16: Inf just below halfway beyond the largest", F16, &all, 65519.99, 0, 0.4, INFINITY, 0, FAILS},
    {"f16: two steps below the end, out of reach", DTYPE_F16, DTYPE_F16, &all, 65472, 0, 1.5, INFINITY, 0, FAILS},
    {"f16: two steps below the end, within reach", DTYPE_F16, DTYPE_F16, &all, 65472, 0, 2, INFINITY, 0, PASSES},
    {"-Inf near the positive end", F32, &all, FLT_MAX, 0, 3, -INFINITY, 0, FAILS},
    {"a partial sum out of range", F32, &all, 1, 1e39, 3, INFINITY, 0, EXCLUDED},
    {"a partial sum out of range, but a wrong number", F32, &all, 1, 1e39, 3, 0x1p127, 0, FAILS},

    {"a subnormal, exact", F32, &all, 0x1p-140, 0, 0, 0x1p-140, 0, PASSES},
    {"a subnormal flushed, honoured", F32, &all, 0x1p-127, 0, 0.5, 0, 0, FAILS},
    {"a subnormal flushed, not honoured", F32, &no_denorms, 0x1p-127, 0, 0.5, 0, 0, PASSES},
    {"flushed to the other zero", F32, &no_denorms, 0x1p-127, 0, 0.5, -0.0, 0, PASSES},
    {"a subnormal within the floor of the ulp", F32, &all, 0x1p-149, 0, 1, 0x1p-148, 0, PASSES},
    {"the least normal is not flushed", F32, &no_denorms, 0x1p-126, 0, 0, 0, 0, FAILS},
    {"unless the bound lets it fall below", F32, &no_denorms, 0x1p-126, 0, 0.5, 0, 0, PASSES},
    {"a normal is not flushed", F32, &no_denorms, 0x1p-125, 0, 4, 0, 0, FAILS},
    {"a number for a subnormal", F32, &no_denorms, 0x1p-127, 0, 0.5, 1, 0, FAILS},
    {"zero of the other sign", F32, &all, 0, 0, 0, -0.0, 0, PASSES},
    {"a subnormal for zero", F32, &all, 0, 0, 0, 0x1p-149, 0, FAILS},

    {"f16: exact in f32, rounded once", F16, &all, 1 + 0x1p-12, 0, 0.5, 1, 0, PASSES},
    {"f16: half an ulp and the f32 error beside it", F16, &all, 1 + 0x1p-11 + 0x1p-24, 0, 0.5, 1, 0, PASSES},
    {"f16: one ulp off", F16, &all, 1, 0, 3, 1 + 0x1p-10, 0, FAILS},
    {"f16: one ulp off, direction free", F16, &no_rounding, 1, 0, 0.5, 1 + 0x1p-10, 0, PASSES},
    {"f16: one ulp off, specials not honoured", F16, &no_specials, 1, 0, 0.5, 1 + 0x1p-10, 0, FAILS},
    {"f16: exact stays exact", F16, &all, 1, 0, 0, 1, 0, PASSES},
    {"f16 overflow: Inf", F16, &all, 65520, 0, 0.5, INFINITY, 0, PASSES},
    {"f16 overflow: the largest", F16, &all, 65520, 0, 0.5, LARGEST16, 0, PASSES},
    {"f16 beyond the largest, yet it rounds there", F16, &all, 65510, 0, 0, LARGEST16, 0, FAILS},
    {"the same with its rounding", F16, &all, 65510, 0, 1, LARGEST16, 0, PASSES},
    {"Inf there is the wrong rounding", F16, &all, 65510, 0, 1, INFINITY, 0, FAILS},
    {"f16: Inf below the end", F16, &all, LARGEST16, 0, 3, INFINITY, 0, FAILS},
    {"f16 stored from f32: a partial sum stays in range", F16, &all, 1, 1e5, 3, INFINITY, 0, FAILS},
    {"f16 arithmetic: a partial sum does not", DTYPE_F16, DTYPE_F16, &all, 1, 1e5, 3, INFINITY, 0, EXCLUDED},
    {"f16 overflow: NaN", F16, &all, 1e5, 3e5, 3, NAN, 0, FAILS},
    {"f16 arithmetic overflows on one side", DTYPE_F16, DTYPE_F16, &all, 1e5, 1.5e5, 3, NAN, 0, FAILS},
    {"f16 arithmetic overflows on both sides", DTYPE_F16, DTYPE_F16, &all, 1e5, 3e5, 3, NAN, 0, EXCLUDED},
    {"f16 arithmetic overflows beside an infinity", DTYPE_F16, DTYPE_F16, &all, -INFINITY, 1e5, 3, NAN, 0, EXCLUDED},
    {"f16 arithmetic does not beside an infinity", DTYPE_F16, DTYPE_F16, &all, -INFINITY, 1e4, 3, NAN, 0, FAILS},
    {"f16 stored from f32 beside an infinity", F16, &all, -INFINITY, 1e5, 3, NAN, 0, FAILS},
    {"a number beside an infinity", DTYPE_F16, DTYPE_F16, &all, -INFINITY, 1e5, 3, 7, 0, FAILS},
    {"f16 subnormal flushed", F16, &no_denorms, 0x1p-15, 0, 0.5, 0, 0, PASSES},
    {"f16 subnormal flushed, honoured", F16, &all, 0x1p-15, 0, 0.5, 0, 0, FAILS},
    {"f32 from f16 arithmetic: 2^13 ulp of f32 an ulp", DTYPE_F32, DTYPE_F16, &all, 1, 0, 1, 1 + 0x1p-10, 0, PASSES},
    {"f32 from f16 arithmetic: beyond", DTYPE_F32, DTYPE_F16, &all, 1, 0, 1, 1 + 0x1p-9, 0, FAILS},
    {"f32 from f16 arithmetic: floored as f16", DTYPE_F32, DTYPE_F16, &all, 0, 0, 1, 0x1p-24, 0, PASSES},
    {"f32 from f16 arithmetic overflows as f16", DTYPE_F32, DTYPE_F16, &all, 1e5, 0, 1, INFINITY, 0, PASSES},
    {"bf16: half an ulp", DTYPE_BF16, DTYPE_F32, &all, 1 + 0x1p-8, 0, 0.5, 1, 0, PASSES},
    {"bf16: an ulp", DTYPE_BF16, DTYPE_F32, &all, 1, 0, 0.5, 1 + 0x1p-7, 0, FAILS},

    {"i32: equal", DTYPE_I32, DTYPE_F32, &all, -7, 0, 0, -7, 0, PASSES},
    {"i32: off by one whatever the bound", DTYPE_I32, DTYPE_F32, &all, 7, 100, 5, 8, 0, FAILS},
    {"i32: beyond 2^24", DTYPE_I32, DTYPE_F32, &no_denorms, 16777217, 0, 0, 16777216, 0, FAILS},
    {"i32: zero is no flush", DTYPE_I32, DTYPE_F32, &no_denorms, 1, 0, 0, 0, 0, FAILS},
    {"u32: the largest", DTYPE_U32, DTYPE_F32, &all, 4294967295.0, 0, 0, 4294967295.0, 0, PASSES},
    {"u8: other", DTYPE_U8, DTYPE_F32, &all, 1, 0, 0, 255, 0, FAILS},
};

// Cases in which the sign of a zero or a subnormal must be kept too.
static const struct {
    struct example example;
    bool signs, moved;
} kept[] = {
    {{"signs: zero of the other sign", F32, &all, 0, 0, 0, -0.0, 0, FAILS}, .signs = true},
    {{"signs: +0 for -0", F32, &all, -0.0, 0, 0.5, 0, 0, FAILS}, .signs = true},
    {{"signs: -0 for -0", F32, &all, -0.0, 0, 0.5, -0.0, 0, PASSES}, .signs = true},
    {{"signs: not honoured", F32, &no_specials, -0.0, 0, 0.5, 0, 0, PASSES}, .signs = true},
    {{"signs: a sum that cancels, rounded downwards", F32, &no_rounding, 0, 0, 1, -0.0, 0, PASSES}, .signs = true},
    {{"signs: no direction of rounding gives +0 for -0", F32, &no_rounding, -0.0, 0, 1, 0, 0, FAILS}, .signs = true},
    {{"signs: what is flushed has either", F32, &no_denorms, -0x1p-127, 0, 0.5, 0, 0, PASSES}, .signs = true},
    {{"signs: f16", F16, &all, -0.0, 0, 0, 0, 0, FAILS}, .signs = true},
    {{"signs: integers have one zero", DTYPE_I32, DTYPE_F32, &all, -0.0, 0, 0, 0, 0, PASSES}, .signs = true},
    {{"one operation: a tie goes to even", F32, &all, 1 + 0x1p-24, 0, 0.5, 1, 0, PASSES}, .signs = true},
    {{"one operation: a tie away from even", F32, &all, 1 + 0x1p-24, 0, 0.5, 1 + ULP_OF_1, 0, FAILS}, .signs = true},
    {{"one operation: that tie, direction free", F32, &no_rounding, 1 + 0x1p-24, 0, 1, 1 + ULP_OF_1, 0, PASSES},
        .signs = true},
    {{"one operation: a tie in bf16", DTYPE_BF16, DTYPE_F32, &all, 1 + 0x3p-8, 0, 0.5, 1 + 0x1p-7, 0, FAILS},
        .signs = true},
    {{"one operation: a tie in bf16 to even", DTYPE_BF16, DTYPE_F32, &all, 1 + 0x3p-8, 0, 0.5, 1 + 0x1p-6, 0, PASSES},
        .signs = true},
    {{"one operation, then the store: rounded twice", F16, &all, 1 + 0x1p-11 + 0x1p-40, 0, 0.5, 1, 0, PASSES},
        .signs = true},
    {{"one operation: a bound of more is several's", F32, &all, 1 + 0x1p-24, 0, 2.5, 1 + ULP_OF_1, 0, PASSES},
        .signs = true},
    {{"narrowed by the shader: an exact tie, not to even", DTYPE_BF16, DTYPE_F32, &narrowing, 1 + 0x3p-8, 0, 1,
         1 + 0x1p-7, 0, FAILS},
        .signs = true},
    {{"narrowed by the shader: an exact tie to even", DTYPE_BF16, DTYPE_F32, &narrowing, 1 + 0x3p-8, 0, 1, 1 + 0x1p-6,
         0, PASSES},
        .signs = true},
    {{"narrowed by the shader: beside a tie, direction free", DTYPE_BF16, DTYPE_F32, &narrowing, 1 + 0x3p-8 + 0x1p-40,
         0, 1, 1 + 0x1p-7, 0, PASSES},
        .signs = true},
    {{"narrowed by the shader: cut off", DTYPE_BF16, DTYPE_F32, &narrowing, 1 + 0x3p-9, 0, 3, 1, 0, FAILS},
        .signs = true},
    {{"narrowed by an instruction: cut off", DTYPE_BF16, DTYPE_F32, &no_rounding, 1 + 0x3p-9, 0, 3, 1, 0, PASSES},
        .signs = true},
    {{"one operation: a subnormal may be flushed", F32, &no_denorms, 0x1p-127, 0, 0.5, 0, 0, PASSES}, .signs = true},
    {{"moved: a subnormal flushed, not honoured", F32, &no_denorms, 0x1p-127, 0, 0, 0, 0, FAILS}, .moved = true},
    {{"moved: touched by a subnormal", F32, &no_denorms, 1, 0, 0, 2, 2, FAILS}, .moved = true},
    {{"moved: a subnormal that stays", F32, &no_denorms, 0x1p-127, 0, 0, 0x1p-127, 2, PASSES}, .moved = true},
    {{"moved: NaN not honoured", F32, &no_specials, NAN, 0, 0, 0, 1, EXCLUDED}, .moved = true},
};

static void store(enum dtype dtype, void *buffer, double value) {
    dtype_store(dtype, buffer, 0, value);
    if (!isnan(value)) assert_true(dtype_load(dtype, buffer, 0) == value); // the example can be represented exactly
}

static void hold(const struct example *e, bool signs, bool moved) {
    struct judgement judgement;
    unsigned char buffer[8] = {0};
    store(e->dtype, buffer, e->got);
    judge_start(&judgement, 1);
    judge_add(&judgement, &(struct judge_input){.dtype = e->dtype,
                              .arithmetic = e->arithmetic,
                              .policy = *e->policy,
                              .signs = signs,
                              .moved = moved,
                              .want = &e->want,
                              .magnitude = &e->magnitude,
                              .bound = &e->bound,
                              .got = buffer,
                              .count = 1,
                              .touched = &e->touched});
    judge_finish(&judgement);
    enum said said = judgement.excluded ? EXCLUDED : judgement.failures ? FAILS : PASSES;
    if (said != e->said) print_error("%s: said %d, expected %d\n", e->what, (int)said, (int)e->said);
    assert_int_equal(said, e->said);
    assert_int_equal(judgement.checked + judgement.excluded, 1);
}

static void test_examples(void **state) {
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) hold(&examples[i], false, false);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) hold(&kept[i].example, kept[i].signs, kept[i].moved);
}

static void test_bound(void **state) {
    assert_true(judge_bound(DTYPE_F32, DTYPE_F32, true, 3) == 3);
    assert_true(judge_bound(DTYPE_F16, DTYPE_F32, true, 0) == 0);
    assert_true(judge_bound(DTYPE_F16, DTYPE_F32, true, 8192) == 1.5); // 2^13 ULP of f32 are one of f16
    assert_true(judge_bound(DTYPE_F16, DTYPE_F32, false, 8192) == 2);
    assert_true(judge_bound(DTYPE_BF16, DTYPE_F32, true, 65536) == 1.5);
    assert_true(judge_bound(DTYPE_F32, DTYPE_F16, true, 1) == 8192);
}

// The bound of a NaN is that of a zero. Numbers wider than the arithmetic have larger bounds near zero, in their ULP.
static void test_bound_of_nan(void **state) {
    static const double wants[] = {NAN, 0};
    double bounds[2];
    for (int i = 0; i < 2; i++) {
        struct judgement judgement;
        const float got = INFINITY;
        const double bound = 3;
        judge_start(&judgement, 1);
        judge_add(&judgement, &(struct judge_input){.dtype = DTYPE_F32,
                                  .arithmetic = DTYPE_F16,
                                  .policy = all,
                                  .want = &wants[i],
                                  .bound = &bound,
                                  .got = &got,
                                  .count = 1});
        judge_finish(&judgement);
        assert_int_equal(judgement.failures, 1);
        bounds[i] = judgement.worst.bound_ulp;
    }
    assert_true(bounds[0] == bounds[1] && bounds[0] == 3 * (0x1p-24 / 0x1p-149)); // the least steps of f16 and f32
}

// A number below an overflow is as far as its distance in ULP.
static void test_error_below_an_overflow(void **state) {
    struct judgement judgement;
    const double want = 0x1.fffffep127 + 0x1p103, bound = 3;
    const float got = FLT_MAX - 0x1p105f;
    judge_start(&judgement, 1);
    judge_add(&judgement, &(struct judge_input){.dtype = DTYPE_F32,
                              .arithmetic = DTYPE_F32,
                              .policy = all,
                              .want = &want,
                              .bound = &bound,
                              .got = &got,
                              .count = 1});
    judge_finish(&judgement);
    assert_true(judgement.worst.ulp == 2.5 && judgement.worst.bound_ulp == 3 && judgement.max_ulp == 2.5);
}

static void test_classes(void **state) {
    assert_int_equal(classify(DTYPE_F32, NAN), CLASS_NAN);
    assert_int_equal(classify(DTYPE_F32, -INFINITY), CLASS_INFINITE);
    assert_int_equal(classify(DTYPE_F32, -0.0), CLASS_ZERO);
    assert_int_equal(classify(DTYPE_F32, 0x1p-127), CLASS_SUBNORMAL);
    assert_int_equal(classify(DTYPE_F32, 0x1p-126), CLASS_FINITE);
    assert_int_equal(classify(DTYPE_F16, 0x1p-15), CLASS_SUBNORMAL);
    assert_int_equal(classify(DTYPE_F16, -0x1p-14), CLASS_FINITE);
    assert_int_equal(classify(DTYPE_BF16, 0x1p-15), CLASS_FINITE);
    assert_int_equal(classify(DTYPE_I32, 1), CLASS_FINITE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_bound_of_nan),
        cmocka_unit_test(test_error_below_an_overflow),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
