// SPDX-License-Identifier: Apache-2.0
// Tests the roof of a record, and the error for shares above it. Peaks are round numbers, so the shares are known.
#include "../../device/profile.h"
#include "../../record/figures.h"

#include "../render/outcomes.h"
#include "../render/highlights.h"
#include "render_fixture.h"
#include "../../truth/stats/summary.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "../../../reference/tests/unit.h"

static const struct known_roof {
    const char *arithmetic, *dtype, *key, *unit, *words;
    double peak;
} known[] = {
    {"fma_f32", "f32", "fma_f32_flops_per_s", "FLOP/s", "f32 multiply-add", 1e12},
    {"fma_f32", "bf16", "fma_f32_flops_per_s", "FLOP/s", "f32 multiply-add", 1e12},
    {"fma_f16", "f16", "fma_f16_flops_per_s", "FLOP/s", "f16 multiply-add", 2e12},
    {"mad_i8", "i8", "mad_i8_ops_per_s", "OP/s", "i8 multiply-add", 3e12},
    {"dot_i8", "q8_0", "dot_i8_ops_per_s", "OP/s", "i8 dot products", 4e12},
    {"matrix_f16_f32", "f16", "matrix_f16_f32_flops_per_s", "FLOP/s", "f16 matrix units", 5e12},
    {"matrix_f16_f16", "f16", "matrix_f16_f16_flops_per_s", "FLOP/s", "f16 matrix units, sums in f16", 6e12},
    {"matrix_bf16_f32", "bf16", "matrix_bf16_f32_flops_per_s", "FLOP/s", "bf16 matrix units", 7e12},
    {"matrix_i8_i32", "i8", "matrix_i8_i32_ops_per_s", "OP/s", "i8 matrix units", 8e12},
};
enum { KNOWN = sizeof known / sizeof *known };

// A product of 1000 x 1000 x 1000 in one millisecond: 2e12 operations per second.
static struct record product(const char *arithmetic, const char *dtype) {
    struct record r = {.name = "matmul.tensor/f16/m=1000,n=1000,k=1000/wg=128x1x1",
        .operator= "matmul",
        .kernel = "matmul.tensor",
        .dtype = dtype,
        .arithmetic = arithmetic,
        .flops = 2e9,
        .bytes = 6e6,
        .clock = CLOCK_GPU};
    r.time[FIGURE_COMPUTE] = fixture_summary(1e6, 0.001, 60);
    return r;
}

static void set_peak(struct result *result, const char *key, double value) {
    json_put_double(json_get(result->context, "peaks"), key, value);
}

static struct result with_peaks(double copy) {
    struct result result = {.context = json_tokener_parse("{\"peaks\":{}}")};
    result.device = arena_alloc(&result.arena, 1, sizeof *result.device);
    set_peak(&result, "copy_bytes_per_s", copy);
    for (size_t i = 0; i < KNOWN; i++) set_peak(&result, known[i].key, known[i].peak);
    return result;
}

static void each_unit_and_type_has_its_own_roof(void **state) {
    struct result result = with_peaks(1e12);
    for (size_t i = 0; i < KNOWN; i++) {
        const struct record r = product(known[i].arithmetic, known[i].dtype);
        const struct rate rate = rate_of(&result, &r);
        assert_string_equal(rate.roof, known[i].key);
        assert_string_equal(rate.unit, known[i].unit);
        assert_string_equal(roof_words(rate.roof), known[i].words);
        assert_true(fabs(rate.share - 2e12 / known[i].peak) < 1e-12);
    }
    result_free(&result);
}

// A roof of f32 is present, but it does not apply to matrix units.
static void without_its_own_roof_nothing_is_shared(void **state) {
    struct result result = with_peaks(1e12);
    json_object_object_del(json_get(result.context, "peaks"), "matrix_f16_f32_flops_per_s");
    const struct record r = product("matrix_f16_f32", "f16");
    const struct rate rate = rate_of(&result, &r);
    assert_true(rate.value == 2e12);
    assert_null(rate.roof);
    assert_true(isnan(rate.share));
    result_free(&result);
}

// Older results do not name the arithmetic; the features they need identify matrices.
static void older_results_are_read_by_their_needs(void **state) {
    static const struct {
        const char *dtype, *key;
        int feature; // -1: none
    } cases[] = {
        {"f16", "matrix_f16_f32_flops_per_s", FEATURE_COOPERATIVE_MATRIX},
        {"q8_0", "matrix_f16_f32_flops_per_s", FEATURE_COOPERATIVE_MATRIX},
        {"bf16", "matrix_bf16_f32_flops_per_s", FEATURE_COOPERATIVE_MATRIX},
        {"i8", "matrix_i8_i32_ops_per_s", FEATURE_COOPERATIVE_MATRIX},
        {"f32", "dot_i8_ops_per_s", FEATURE_INTEGER_DOT},
        {"f16", "fma_f16_flops_per_s", FEATURE_FLOAT16},
        {"f16", "fma_f32_flops_per_s", -1},
    };
    struct result result = with_peaks(1e12);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record r = product(NULL, cases[i].dtype);
        struct needs needs = {0};
        if (cases[i].feature >= 0) needs.features[cases[i].feature] = true;
        r.needs = &needs;
        assert_string_equal(rate_of(&result, &r).roof, cases[i].key);
    }
    const struct record unknown = product(NULL, "f16");
    assert_null(rate_of(&result, &unknown).roof);
    result_free(&result);
}

// Rates above the memory roof come from a cache, unless the traffic is about that of the roof's measurement.
static void what_passes_memory_is_held_against_the_cache(void **state) {
    struct record copied = {.name = "copy.vec4/f32/n=1", .dtype = "f32", .peak = "copy_bytes_per_s", .bytes = 1e9};
    struct result result = with_peaks(1e12);
    result.records = &copied;
    result.count = 1;
    struct record r = product("fma_f32", "f32");
    r.flops = 0;
    r.bytes = 2e9 / 4; // a millisecond: half of the memory roof
    assert_string_equal(roof_words(rate_of(&result, &r).roof), "memory");
    assert_true(rate_of(&result, &r).share == 0.5);
    fixture_scale(&r, 0.25); // twice the roof, with half the traffic of the copy
    set_peak(&result, "cache_bytes_per_s", 4e12);
    assert_string_equal(roof_words(rate_of(&result, &r).roof), "memory");
    r.bytes /= 2, fixture_scale(&r, 0.5); // the same rate, with a quarter of the traffic
    assert_string_equal(roof_words(rate_of(&result, &r).roof), "cache");
    assert_true(rate_of(&result, &r).share == 0.5);
    set_peak(&result, "cache_bytes_per_s", 0.9e12); // measured while the host was busy: the larger roof counts
    assert_string_equal(roof_words(rate_of(&result, &r).roof), "memory");
    result.records = NULL;
    result.count = 0;
    result_free(&result);
}

static void the_highest_of_memory_is_its_roof(void **state) {
    struct result result = with_peaks(1e12);
    assert_true(peak_bytes(&result) == 1e12);
    set_peak(&result, "read_bytes_per_s", 1.5e12);
    set_peak(&result, "write_bytes_per_s", 0.5e12);
    assert_true(peak_bytes(&result) == 1.5e12);
    result_free(&result);
}

// ---- above a roof

static void a_share_above_105_percent_is_an_error_by_name(void **state) {
    struct result result = fixture_result(1);
    struct arena arena = {0};
    struct beyond *found;
    struct text text = {0};
    assert_int_equal(beyond_roofs(&result, &arena, &found), 0);
    put_beyond(&text, &result);
    assert_int_equal(text.length, 0);
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->kernel, "matmul.blocked") == 0 && r->dims[0].value == 1024 && r->is_default) {
            r->time[FIGURE_COMPUTE] = fixture_summary(r->flops / FIXTURE_FMA * 1e9 / 1.04, 0.001, 60);
            assert_int_equal(beyond_roofs(&result, &arena, &found), 0); // 104 %
            r->time[FIGURE_COMPUTE] = fixture_summary(r->flops / FIXTURE_FMA * 1e9 / 1.07, 0.001, 60);
        }
    }
    assert_int_equal(beyond_roofs(&result, &arena, &found), 1);
    assert_string_equal(found[0].record->kernel, "matmul.blocked");
    put_beyond(&text, &result);
    assert_non_null(strstr(text_str(&text), "Error: a point exceeds a measured peak: matmul.blocked f32"));
    assert_non_null(strstr(text_str(&text), "reaches 107 % of f32 multiply-add"));
    const struct record *beyond = found[0].record;
    assert_true(rate_of(&result, beyond).share > 1.05);
    result.device->kind = DEVICE_CPU; // whose peaks depend on other work: the roof was too low
    text.length = 0;
    put_beyond(&text, &result);
    assert_int_equal(text.length, 0);
    assert_true(!rate_of(&result, beyond).roof && isnan(rate_of(&result, beyond).share));
    text_free(&text);
    arena_free(&arena);
    result_free(&result);
}

// Three of four samples must be beyond the fastest sample of the roof.
static void noise_is_no_error(void **state) {
    struct result result = fixture_result(1);
    struct arena arena = {0};
    struct beyond *found;
    struct record *beyond = NULL, *roof = NULL;
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->kernel, "matmul.blocked") == 0 && r->dims[0].value == 1024 && r->is_default) beyond = r;
        if (strcmp(r->kernel, "add.scalar") == 0 && record_is_timed(r)) roof = r;
    }
    assert_true(beyond && roof);
    roof->peak = "fma_f32_flops_per_s";
    struct summary *compute = &beyond->time[FIGURE_COMPUTE];
    *compute = fixture_summary(beyond->flops / FIXTURE_FMA * 1e9 / 1.2, 0.001, 60);
    assert_int_equal(beyond_roofs(&result, &arena, &found), 1);
    compute->q3 = compute->median * 1.2; // a quarter of its samples are slow
    assert_int_equal(beyond_roofs(&result, &arena, &found), 0);
    compute->q3 = compute->median;
    roof->time[FIGURE_COMPUTE].min = roof->time[FIGURE_COMPUTE].median / 1.2; // the roof was once as fast
    assert_int_equal(beyond_roofs(&result, &arena, &found), 0);
    arena_free(&arena);
    result_free(&result);
}

// A matrix kernel comes first in the list of kernels furthest from their roofs.
static void a_matrix_kernel_may_be_furthest(void **state) {
    struct result result = fixture_result(1);
    struct view view;
    struct highlights found;
    set_peak(&result, "matrix_f16_f32_flops_per_s", 1e15);
    for (size_t i = 0; i < result.count; i++)
        if (strcmp(result.records[i].kernel, "matmul.blocked") == 0) result.records[i].arithmetic = "matrix_f16_f32";
    view_make(&result, &view);
    highlights_make(&view, &found);
    assert_true(found.far_count > 0);
    assert_string_equal(found.far[0].record->kernel, "matmul.blocked");
    view_free(&view);
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_and_type_has_its_own_roof),
        cmocka_unit_test(without_its_own_roof_nothing_is_shared),
        cmocka_unit_test(older_results_are_read_by_their_needs),
        cmocka_unit_test(what_passes_memory_is_held_against_the_cache),
        cmocka_unit_test(the_highest_of_memory_is_its_roof),
        cmocka_unit_test(a_share_above_105_percent_is_an_error_by_name),
        cmocka_unit_test(noise_is_no_error),
        cmocka_unit_test(a_matrix_kernel_may_be_furthest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
