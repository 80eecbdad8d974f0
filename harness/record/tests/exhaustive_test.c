// SPDX-License-Identifier: Apache-2.0
// The chunks of an exhaustive check become one record of the case.
#include "sample_record.h"
#include "../wall.h"
#include "../../truth/judge/judge.h"
#include "../journal.h"
#include "../terms.h"
#include "../record.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>

// Makes chunk `number` of a thousand inputs, ten of them left out.
static struct record chunk(struct arena *arena, int number, double ratio) {
    struct record r = sample_record();
    uint64_t first = (uint64_t)number * 1000;
    r.name = arena_format(arena, "exp.a/f32/n=100/wg=64x1x1/bits=%08llx-%08llx", (unsigned long long)first,
        (unsigned long long)first + 999);
    r.case_length = strlen("exp.a/f32/n=100");
    r.replay = arena_format(arena, "vkassay check '%s' --seed 7 --kernels mine", r.name);
    r.status = RECORD_PASS;
    r.reason = NULL;
    r.check.elements = 1000;
    r.check.checked = 990;
    r.check.excluded = 10;
    r.check.failures = 0;
    r.check.mean_ulp = number;
    r.check.max_ulp = ratio * 4;
    r.check.bound_ulp = 4;
    r.check.worst_ratio = ratio;
    r.check.worst_index = 500;
    r.check.got = number;
    r.exhaustive.first = first;
    r.exhaustive.last = first + 999;
    r.exhaustive.inputs = 1000;
    r.exhaustive.argument = first + 500;
    r.exhaustive.ulp = ratio * 4;
    r.exhaustive.inputs_per_s = number == 1 ? 500 : 1000;
    return r;
}

static struct record joined(struct arena *arena, const struct record *parts, size_t count) {
    struct json_object *records[8];
    struct record whole;
    struct error err = {0};
    struct json_object *chunks = json_object_new_array();
    for (size_t i = 0; i < count; i++) records[i] = record_to_json(&parts[i], true);
    if (!exhaustive_join(records, &count, chunks, &err)) fail_msg("%s", err.text);
    assert_int_equal(count, 1);
    json_object_put(chunks);
    if (!record_from_json(arena, records[0], &whole, &err)) fail_msg("%s", err.text);
    json_object_put(records[0]);
    return whole;
}

static void sums_and_the_worst(void **state) {
    struct arena arena = {0};
    struct record parts[] = {chunk(&arena, 0, 0.25), chunk(&arena, 1, 0.75), chunk(&arena, 2, 0.5)};
    parts[1].validated = true;
    parts[1].validation_messages = 2;
    struct record whole = joined(&arena, parts, 3);
    assert_true(whole.validated && whole.validation_messages >= 2);
    assert_string_equal(whole.name, "exp.a/f32/n=100/wg=64x1x1/bits=00000000-00000bb7");
    assert_string_equal(whole.replay, "vkassay check 'exp.a/f32/n=100/wg=64x1x1/bits=00000000-00000bb7' --seed 7 "
                                      "--kernels mine");
    assert_int_equal(whole.status, RECORD_PASS);
    assert_int_equal(whole.check.elements, 3000);
    assert_int_equal(whole.check.checked, 2970);
    assert_int_equal(whole.check.excluded, 30);
    assert_true(whole.check.mean_ulp == 1);
    assert_true(whole.check.max_ulp == 3 && whole.check.worst_ratio == 0.75);
    assert_true(whole.exhaustive.argument == 1500 && whole.exhaustive.ulp == 3);
    assert_int_equal(whole.check.worst_index, 1500);
    assert_true(whole.check.got == 1);
    assert_true(whole.exhaustive.first == 0 && whole.exhaustive.last == 2999);
    assert_int_equal(whole.exhaustive.inputs, 3000);
    assert_true(fabs(whole.exhaustive.inputs_per_s - 3000 / 4.0) < 1e-9); // 1, 2 and 1 seconds
    for (int i = 0; i < JUDGE_HISTOGRAM; i++)
        assert_int_equal(whole.check.histogram[i], 3 * parts[0].check.histogram[i]);
    arena_free(&arena);
}

// An error of the first input stays the worst until there is a greater one, and a part without an error has none.
static void the_worst_may_be_the_first_input(void **state) {
    struct arena arena = {0};
    struct record parts[] = {chunk(&arena, 0, 0.75), chunk(&arena, 1, 0.5), chunk(&arena, 2, 0.25)};
    parts[0].check.worst_index = 0;
    parts[2].check.worst_index = -1;
    for (int part = WALL_COMPILE; part < WALL_COUNT; part++)
        for (int i = 0; i < 3; i++) parts[i].wall.ns[part] = (part + 1) * 1000 + i;
    const struct record whole = joined(&arena, parts, 3);
    assert_int_equal(whole.check.worst_index, 0);
    assert_true(whole.check.got == 0 && whole.check.worst_ratio == 0.75);
    for (int part = WALL_COMPILE; part < WALL_COUNT; part++)
        assert_int_equal(whole.wall.ns[part], (part + 1) * 3000 + 3);
    parts[0].check.worst_index = -1;
    assert_int_equal(joined(&arena, parts, 3).check.worst_index, 1500);
    arena_free(&arena);
}

// A failure among passes becomes the failure of the whole check, with the replay line of the worst chunk. A lost
// chunk outweighs passes, and its inputs are not counted.
static void what_went_wrong_stays(void **state) {
    struct arena arena = {0};
    struct record parts[] = {chunk(&arena, 0, 0.25), chunk(&arena, 1, 2), chunk(&arena, 2, 4), chunk(&arena, 3, 0.5)};
    for (int i = 1; i <= 2; i++) {
        parts[i].status = RECORD_FAIL;
        parts[i].reason = i == 1 ? "the first" : "the worst";
        parts[i].check.failures = i;
    }
    struct record whole = joined(&arena, parts, 4);
    assert_int_equal(whole.status, RECORD_FAIL);
    assert_string_equal(whole.reason, "the worst");
    assert_string_equal(whole.replay, parts[2].replay);
    assert_int_equal(whole.check.failures, 3);
    assert_true(whole.exhaustive.argument == 2500);

    struct record lost[] = {chunk(&arena, 0, 0.25), chunk(&arena, 1, 0.5)};
    lost[0].status = RECORD_TIMEOUT;
    lost[0].reason = "no answer";
    lost[0].check.checked = 0;
    lost[0].exhaustive.bits = 0;
    whole = joined(&arena, lost, 2);
    assert_int_equal(whole.status, RECORD_TIMEOUT);
    assert_string_equal(whole.reason, "no answer");
    assert_int_equal(whole.exhaustive.inputs, 1000);
    assert_true(whole.exhaustive.argument == 1500);
    arena_free(&arena);
}

// The driver's first failure under the layer's checks of accesses is kept, and the unit of the work is no failure.
static void the_first_run_without_checks_of_accesses_stays(void **state) {
    struct arena arena = {0};
    struct record parts[] = {chunk(&arena, 0, 0.25), chunk(&arena, 1, 0.5), chunk(&arena, 2, 0.5)};
    for (int i = 0; i < 3; i++) parts[i].arithmetic = "fma_f32", parts[i].bounds_unchecked = NULL;
    assert_null(joined(&arena, parts, 3).bounds_unchecked);
    parts[1].bounds_unchecked = "the first", parts[2].bounds_unchecked = "the second";
    assert_string_equal(joined(&arena, parts, 3).bounds_unchecked, "the first");
    parts[0].bounds_unchecked = "of the first chunk";
    assert_string_equal(joined(&arena, parts, 3).bounds_unchecked, "of the first chunk");
    arena_free(&arena);
}

static void others_stay_as_they_are(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    struct record parts[] = {
        chunk(&arena, 0, 0.25), chunk(&arena, 1, 0.5), sample_record(), sample_record(), chunk(&arena, 2, 0.5)};
    struct json_object *records[5];
    size_t count = 5;
    parts[2].part = parts[3].part = false;
    parts[4].name = "exp.b/f32/n=100/wg=64x1x1/bits=00000000-00000fff";
    for (size_t i = 0; i < count; i++) records[i] = record_to_json(&parts[i], true);
    struct json_object *kept[] = {records[2], records[3], records[4]};
    struct json_object *chunks = json_object_new_array(), *first = records[0];
    assert_true(exhaustive_join(records, &count, chunks, &err));
    assert_int_equal(count, 4);
    assert_int_equal(json_object_array_length(chunks), 2);
    assert_ptr_equal(json_object_array_get_idx(chunks, 0), first);
    json_object_put(chunks);
    assert_memory_equal(records + 1, kept, sizeof kept);
    for (size_t i = 0; i < count; i++) json_object_put(records[i]);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_the_worst),
        cmocka_unit_test(the_worst_may_be_the_first_input),
        cmocka_unit_test(what_went_wrong_stays),
        cmocka_unit_test(the_first_run_without_checks_of_accesses_stays),
        cmocka_unit_test(others_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
