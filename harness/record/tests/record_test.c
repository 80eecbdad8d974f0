// SPDX-License-Identifier: Apache-2.0
#include "sample_record.h"
#include "../record.h"
#include "../journal.h"
#include "../terms.h"
#include "../refusal.h"
#include "../wall.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(struct json_object *object) {
    return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
}

static struct json_object *parse(const char *string) {
    struct json_object *object = json_tokener_parse(string);
    assert_non_null(object);
    return object;
}

// Compares every member by hand: a member forgotten in the table reads back as zero and fails here.
static void assert_same(const struct record *a, const struct record *b, bool samples) {
#define SAME_TEXT(member) assert_string_equal(a->member, b->member)
#define SAME(member) assert_true(a->member == b->member)
    SAME_TEXT(name), SAME_TEXT(operator), SAME_TEXT(kernel), SAME_TEXT(dtype), SAME_TEXT(systems), SAME_TEXT(peak);
    SAME_TEXT(reason), SAME_TEXT(call), SAME_TEXT(replay), SAME_TEXT(stop), SAME_TEXT(cache), SAME(clock),
        SAME_TEXT(clock_why);
    SAME_TEXT(expected.status), SAME_TEXT(expected.reason), SAME(attempts.count), SAME(attempts.flaky);
    SAME(attempts.statuses[0]), SAME(attempts.statuses[1]);
    SAME(case_length), SAME(part), SAME(failed), SAME(is_default), SAME(status), SAME(repeats), SAME(drift),
        SAME(throttled), SAME(flops), SAME(bytes), SAME_TEXT(arithmetic);
    SAME(upload_bytes), SAME(download_bytes), SAME(build_ns), SAME(source_hash);
    for (int p = WALL_COMPILE; p < WALL_COUNT; p++) SAME(wall.ns[p]);
    SAME(clock_probes.count), SAME(clock_probes.least), SAME(clock_probes.most), SAME(clock_probes.noise),
        SAME(clock_probes.least_clock_hz);
    SAME(remeasured), SAME(shader_clock_hz), SAME(host_load), SAME(host_steal);
    SAME(subgroup_size), SAME(reference.ns), SAME(reference.max_ulp), SAME(reference.extrapolated),
        SAME(reference.scale);
    SAME(dim_count), SAME(tunable_count), SAME(wg[0]), SAME(wg[1]), SAME(wg[2]);
    for (int i = 0; i < a->dim_count; i++) SAME_TEXT(dims[i].name), SAME(dims[i].value);
    for (int i = 0; i < a->tunable_count; i++) SAME_TEXT(tunables[i].name), SAME(tunables[i].value);
    SAME(refusal->kind), SAME(refusal->pass), SAME_TEXT(refusal->words[0]);
    for (int i = 0; i < REFUSAL_FIGURES; i++) SAME(refusal->figures[i]);
    SAME(metric_count);
    for (int i = 0; i < a->metric_count; i++) SAME_TEXT(metrics[i].name), SAME(metrics[i].value);
    SAME(check.max_ulp), SAME(check.worst_ulp), SAME(check.bound_ulp), SAME(check.worst_ratio), SAME(check.p99_ulp),
        SAME(check.mean_ulp);
    SAME(check.nmse), SAME(check.worst_index), SAME(check.got), SAME(check.want), SAME(check.checked);
    SAME(check.elements), SAME(check.excluded), SAME(check.failures), SAME(check.same_bits), SAME(check.rte);
    SAME(validated), SAME(validation_messages), SAME(check.packed);
    SAME_TEXT(bounds_unchecked);
    SAME(check.spread.runs), SAME(check.spread.lo), SAME(check.spread.hi);
    SAME(check.guards_intact), SAME(check.inputs_intact), SAME(check.specials), SAME(check.denorms);
    SAME(check.output_hash), SAME(check.input_count);
    SAME(check.specials_in.placement), SAME(check.specials_in.count);
    for (int i = 0; i < a->check.specials_in.count; i++) {
        SAME_TEXT(check.specials_in.rows[i].operand);
        SAME(check.specials_in.rows[i].index), SAME(check.specials_in.rows[i].value);
        SAME(check.specials_in.rows[i].inputs), SAME(check.specials_in.rows[i].judged);
    }
    SAME(exhaustive.bits), SAME(exhaustive.first), SAME(exhaustive.last), SAME(exhaustive.inputs);
    SAME(exhaustive.argument), SAME(exhaustive.ulp), SAME(exhaustive.inputs_per_s);
    SAME(recorded.count), SAME(recorded.ns), SAME(recorded.compared), SAME(recorded.differing), SAME(recorded.index);
    SAME(recorded.got), SAME(recorded.want), SAME(recorded.max_ulp);
    SAME_TEXT(recorded.device), SAME_TEXT(recorded.operand);
    SAME(recorded.number), SAME_TEXT(recorded.signature), SAME_TEXT(recorded.module), SAME_TEXT(recorded.name);
    SAME_TEXT(recorded.sizes), SAME_TEXT(recorded.inputs);
    SAME_TEXT(check.worst_operand);
    assert_memory_equal(a->check.histogram, b->check.histogram, sizeof a->check.histogram);
    for (int i = 0; i < a->check.input_count; i++) SAME_TEXT(check.inputs[i].name);
    for (int f = 0; f < FIGURE_COUNT; f++) {
        assert_memory_equal(&a->time[f], &b->time[f], sizeof a->time[f]);
        if (!samples)
            assert_null(b->samples[f]);
        else
            assert_memory_equal(a->samples[f], b->samples[f], a->time[f].samples * sizeof(double));
    }
}

static void test_round_trip(void **state) {
    const struct record r = sample_record();
    for (int samples = 0; samples <= 1; samples++) {
        struct arena arena = {0};
        struct record back;
        struct error err;
        struct json_object *object = record_to_json(&r, samples);
        struct json_object *parsed = parse(text_of(object)); // through text, as in a file
        assert_true(record_from_json(&arena, parsed, &back, &err));
        assert_same(&r, &back, samples);
        assert_true(back.check.inputs[0].value == 0 && signbit(back.check.inputs[0].value));
        assert_true(isnan(back.check.inputs[1].value));
        assert_true(back.check.inputs[2].value == 0x1p-149);
        struct json_object *again = record_to_json(&back, samples);
        assert_string_equal(text_of(object), text_of(again));
        assert_null(strstr(text_of(object), "NaN"));
        assert_null(strstr(text_of(object), "Infinity"));
        json_object_put(object);
        json_object_put(parsed);
        json_object_put(again);
        arena_free(&arena);
    }
}

// Sets each flag alone, so swapped flags show.
// A record has room for eight inputs of its worst element. A file with more is refused at the ninth.
static void test_too_many_inputs(void **state) {
    for (int count = 8; count < 10; count++) {
        struct arena arena = {0};
        struct error err = {0};
        struct record r = sample_record(), back;
        struct json_object *object = record_to_json(&r, true),
                           *inputs = json_get(json_get(json_get(object, "check"), "worst"), "inputs");
        for (int i = 3; i < count; i++) {
            char name[16];
            snprintf(name, sizeof name, "in%d", i);
            json_put_double(inputs, name, i);
        }
        assert_int_equal(json_object_object_length(inputs), count);
        assert_int_equal(record_from_json(&arena, object, &back, &err), count == 8);
        if (count == 8) assert_int_equal(back.check.input_count, 8);
        if (count > 8) assert_non_null(strstr(err.text, "expected at most 8 members"));
        json_object_put(object);
        arena_free(&arena);
    }
}

static void test_flags(void **state) {
    for (int flag = 0; flag < 10; flag++) {
        struct record r = sample_record(), back;
        bool *flags[] = {&r.is_default, &r.check.same_bits, &r.check.guards_intact, &r.check.inputs_intact,
            &r.check.packed, &r.check.rte, &r.check.specials, &r.check.denorms, &r.throttled,
            &r.reference.extrapolated};
        struct arena arena = {0};
        struct error err;
        for (int i = 0; i < 10; i++) *flags[i] = i == flag;
        struct json_object *object = record_to_json(&r, true);
        assert_true(record_from_json(&arena, object, &back, &err));
        assert_same(&r, &back, true);
        json_object_put(object);
        arena_free(&arena);
    }
}

static void test_what_was_not_measured_is_absent(void **state) {
    const struct record r = {.name = "n",
        .case_length = 1,
        .operator= "o",
        .kernel = "k",
        .dtype = "f32",
        .wg = {1, 1, 1},
        .status = RECORD_SKIP,
        .reason = "needs float16",
        .drift = NAN,
        .reference = {.ns = NAN, .scale = NAN}};
    struct arena arena = {0};
    struct record back;
    struct error err;
    struct json_object *object = record_to_json(&r, true), *drift;
    assert_null(json_get(object, "check"));
    assert_null(json_get(object, "time"));
    assert_null(json_get(object, "reference"));
    assert_true(json_object_object_get_ex(object, "drift", &drift) && !drift);
    assert_true(record_from_json(&arena, object, &back, &err));
    assert_true(isnan(back.drift) && isnan(back.reference.ns) && isnan(back.check.max_ulp));
    assert_true(isnan(back.time[FIGURE_COMPUTE].median) && back.time[FIGURE_COMPUTE].samples == 0);
    assert_int_equal(back.check.worst_index, -1);
    assert_string_equal(back.systems, "");
    json_object_put(object);
    arena_free(&arena);
}

static void test_mismatch_of_class_has_no_headroom(void **state) {
    struct record r = sample_record(), back;
    struct arena arena = {0};
    struct error err;
    r.check.worst_ratio = r.check.p99_ulp = INFINITY;
    r.check.got = NAN;
    struct json_object *object = record_to_json(&r, false), *check = json_get(object, "check"), *headroom;
    assert_true(json_object_object_get_ex(check, "headroom", &headroom) && !headroom);
    assert_string_equal(json_get_string(json_get(check, "worst"), "got", ""), "nan");
    assert_string_equal(json_get_string(json_get(check, "worst"), "want", ""), "-inf");
    assert_true(record_from_json(&arena, object, &back, &err));
    assert_true(isinf(back.check.worst_ratio) && isnan(back.check.got) && isnan(back.check.p99_ulp));
    json_object_put(object);
    r.check.worst_ratio = 0.25;
    object = record_to_json(&r, false);
    assert_true(json_get_double(json_get(object, "check"), "headroom", 0) == 0.75);
    json_object_put(object);
    arena_free(&arena);
}

// In an older result, the error of the worst element follows from the bound and the rest of it.
static void test_the_worst_error_of_an_older_result(void **state) {
    static const struct {
        double ratio, bound, got, want, error;
    } cases[] = {
        {0.75, 0.5, 1, 2, 0.375}, {0, 0, 1, 1, 0}, {INFINITY, 0.5, NAN, 2, INFINITY},
        {INFINITY, 0, INFINITY, 2, INFINITY}, {INFINITY, 0, 1, 2, NAN}, // max_ulp may be another element's
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record r = sample_record(), back;
        struct arena arena = {0};
        struct error err;
        r.check.worst_ratio = cases[i].ratio, r.check.bound_ulp = cases[i].bound;
        r.check.got = cases[i].got, r.check.want = cases[i].want;
        struct json_object *object = record_to_json(&r, false);
        json_object_object_del(json_get(object, "check"), "worst_ulp");
        assert_true(record_from_json(&arena, object, &back, &err));
        assert_true(isnan(cases[i].error) ? isnan(back.check.worst_ulp) : back.check.worst_ulp == cases[i].error);
        json_object_put(object);
        arena_free(&arena);
    }
}

static void test_text_that_is_no_utf8(void **state) {
    struct record r = sample_record(), back;
    struct arena arena = {0};
    struct error err;
    r.reason = "bad \xff byte, cut \xe2\x82, surrogate \xed\xa0\x80, long \xc0\x80, whole "
               "\xf0\x9f\x98\x80, end \xf0\x9f";
    struct json_object *object = record_to_json(&r, false);
    assert_true(record_from_json(&arena, object, &back, &err));
#define U "\xef\xbf\xbd"
    assert_string_equal(back.reason,
        "bad " U " byte, cut " U U ", surrogate " U U U ", long " U U ", whole \xf0\x9f\x98\x80, end " U U);
    json_object_put(object);
    arena_free(&arena);
}

// An older hash reads as unknown, and is written so.
static void test_source_hash(void **state) {
    const struct record r = sample_record();
    struct arena arena = {0};
    struct error err;
    struct record back;
    struct json_object *object = record_to_json(&r, false);
    assert_string_equal(json_get_string(object, "source_hash", ""), "tokens:0123456789abcdef");
    json_put_string(object, "source_hash", "0123456789abcdef");
    assert_true(record_from_json(&arena, object, &back, &err));
    assert_true(back.source_hash == 0);
    json_object_put(object);
    object = record_to_json(&back, false);
    assert_true(json_object_object_get_ex(object, "source_hash", NULL) && !json_get(object, "source_hash"));
    assert_true(record_from_json(&arena, object, &back, &err) && back.source_hash == 0);
    json_object_put(object);
    arena_free(&arena);
}

// A good record with one bad member must be refused, and the error must name its place.
static void test_hostile(void **state) {
    static const struct {
        const char *pointer, *value, *error;
    } bad[] = {
        {"/name", "7", "$.name: expected string, found int"},
        {"/name", "null", "$.name"},
        {"/dims", "[]", "$.dims: expected object"},
        {"/dims/n", "\"many\"", "$.dims.n"},
        {"/shape/wg", "[1,2]", "$.shape.wg: expected 3 items, found 2"},
        {"/shape/wg/1", "-1", "$.shape.wg[1]"},
        {"/shape/wg/1", "4294967296", "$.shape.wg[1]"},
        {"/shape/ITEMS", "true", "$.shape.ITEMS"},
        {"/status", "\"passed\"", "$.status"},
        {"/reason", "null", "expected a \"reason\""},
        {"/default", "1", "$.default"},
        {"/check", "3", "$.check"},
        {"/check/max_ulp", "\"inf\"", "$.check.max_ulp"},
        {"/check/max_ulp", "1e999", "$.check.max_ulp"},
        {"/check/worst/index", "-1", "$.check.worst.index"},
        {"/check/worst/got", "\"Infinity\"", "$.check.worst.got"},
        {"/check/checked", "1.5", "$.check.checked"},
        {"/check/histogram", "[1,2,3]", "$.check.histogram: expected 16 items, found 3"},
        {"/check/histogram/3", "\"x\"", "$.check.histogram[3]"},
        {"/check/policy", "null", "$.check.policy"},
        {"/check/output_hash", "\"0x12\"", "$.check.output_hash"},
        {"/check/output_hash", "\"0123456789ABCDEF\"", "$.check.output_hash"},
        {"/time/compute/median_ns", "null", "$.time.compute.median_ns"},
        {"/time/compute/samples", "0", "$.time.compute"},
        {"/time/compute/samples", "9223372036854775807", "$.time.compute.raw_ns"},
        {"/time/upload/raw_ns/2", "{}", "$.time.upload.raw_ns[2]"},
        {"/repeats", "99999999999", "$.repeats"},
        {"/source_hash", "7", "$.source_hash"},
        {"/source_hash", "\"tokens:12\"", "$.source_hash"},
        {"/source_hash", "\"words:0123456789abcdef\"", "$.source_hash"},
        {"/subgroup_size", "-8", "$.subgroup_size"},
    };
    const struct record r = sample_record();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena arena = {0};
        struct record back;
        struct error err = {0};
        struct json_object *object = record_to_json(&r, true), *value = json_tokener_parse(bad[i].value);
        assert_int_equal(json_pointer_set(&object, bad[i].pointer, value), 0);
        assert_false(record_from_json(&arena, object, &back, &err));
        if (!strstr(err.text, bad[i].error)) print_error("%s -> %s\n", bad[i].pointer, err.text);
        assert_non_null(strstr(err.text, bad[i].error));
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        json_object_put(object);
        arena_free(&arena);
    }
}

static void test_too_many_names(void **state) {
    const struct record r = sample_record();
    struct json_object *object = record_to_json(&r, false), *dims = json_get(object, "dims");
    struct arena arena = {0};
    struct record back;
    struct error err;
    char key[16];
    for (int i = 0; i < RECORD_NAMES + 1; i++) {
        snprintf(key, sizeof key, "d%d", i);
        json_put_int(dims, key, i);
    }
    assert_false(record_from_json(&arena, object, &back, &err));
    assert_non_null(strstr(err.text, "at most 40"));
    json_object_put(object);
    arena_free(&arena);
}

static void test_names(void **state) {
    assert_string_equal(record_status_name(RECORD_PASS), "pass");
    assert_string_equal(record_status_name(RECORD_DEVICE_LOST), "device-lost");
    assert_string_equal(figure_name(FIGURE_COMPUTE), "compute");
    assert_string_equal(figure_name(FIGURE_END_TO_END), "end_to_end");
}

static void the_worst_element_names_its_checks(void **state) {
    static const struct {
        double got, want, max_ulp, bound_ulp;
        uint32_t failed;
    } rows[] = {
        {1, 2, 5, 4, CHECK_ULP}, {NAN, 2, 3, 4, CHECK_CLASS}, {1, INFINITY, 4, 4, CHECK_CLASS},
        {NAN, 2, 5, 4, CHECK_CLASS | CHECK_ULP}, // another element has a large error
        {1, 2, 4, 4, CHECK_ULP},                 // numbers fail by nothing else
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(
            checks_of_worst(rows[i].got, rows[i].want, rows[i].max_ulp, rows[i].bound_ulp), rows[i].failed);
}

// Figures that a record lacks are none.
static void judged_outputs_are_read(void **state) {
    static const char *const texts[] = {"{}", "{\"checked\": 5, \"elements\": 9, \"excluded\": 2, \"exact\": 3}"};
    static const int64_t expected[][4] = {{0, 0, 0, 0}, {5, 9, 2, 3}};
    for (size_t i = 0; i < 2; i++) {
        struct json_object *check = json_parse(texts[i], strlen(texts[i]));
        const struct judged_outputs found = judged_of(check);
        assert_int_equal(found.checked, expected[i][0]);
        assert_int_equal(found.elements, expected[i][1]);
        assert_int_equal(found.excluded, expected[i][2]);
        assert_int_equal(found.exact, expected[i][3]);
        json_object_put(check);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judged_outputs_are_read),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_too_many_inputs),
        cmocka_unit_test(test_what_was_not_measured_is_absent),
        cmocka_unit_test(test_mismatch_of_class_has_no_headroom),
        cmocka_unit_test(test_the_worst_error_of_an_older_result),
        cmocka_unit_test(test_text_that_is_no_utf8),
        cmocka_unit_test(test_source_hash),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_too_many_names),
        cmocka_unit_test(test_names),
        cmocka_unit_test(the_worst_element_names_its_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
