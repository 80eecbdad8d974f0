// SPDX-License-Identifier: Apache-2.0
// The reported coverage is computed from the points that ran.
#include "../../../record/record.h"
#include "../../plan/suite.h"
#include "../../plan/lines.h"
#include "../../plan/problem.h"
#include "../../../../reference/table.h"
#include "../sampled_tier.h"
#include "../../../shader/manifest/shape.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"

static struct device_info device;

static struct plan plan_of(struct fixture *f) {
    struct suite suite;
    struct sample_counts counts;
    struct plan plan;
    static const char *const select[] = {"relu.scalar", "matmul.tiled", "rmsnorm.workgroup"};
    static const char text[] = "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"entries\": ["
                               "{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"}]}";
    device = fixture_device();
    fixture_kernels(f);
    if (!suite_load(&f->arena, fixture_write(f, "suite.txt", text), &suite, &f->err)) fail_msg("%s", f->err.text);
    struct sample_request request = {.suite = &suite,
        .kernels = &f->kernels,
        .device = &device,
        .seed = 3,
        .shapes = 5,
        .sizes = 3,
        .select = select,
        .select_count = 3};
    if (!sample_plan(&f->arena, &request, &plan, &counts, &f->err)) fail_msg("%s", f->err.text);
    return plan;
}

// Returns where the point's lines have their patterns, another way for each of three.
static int placement_of(size_t index) {
    return (int)(index % 3);
}

// Returns special inputs of the first operand: a NaN that met a judged output, and an infinity that did not.
static struct json_object *specials(size_t index) {
    struct json_object *all = json_object_new_object(), *rows = json_object_new_array();
    for (int i = 0; i < 2; i++) {
        struct json_object *row = json_object_new_object();
        json_put_int(row, "index", 0);
        json_put_string(row, "value", i ? "inf" : "nan");
        json_put_int(row, "judged", i ? 0 : 4);
        json_object_array_add(rows, row);
    }
    json_put(all, "rows", rows);
    json_put_int(all, "planting", placement_of(index));
    return all;
}

static struct json_object *record_for(const struct point *point, enum record_status status, size_t index) {
    struct json_object *record = json_object_new_object(), *check = json_object_new_object();
    json_put_string(record, "name", point->name);
    json_put_string(record, "status", record_status_name(status));
    json_put_int(check, "checked", 7);
    json_put_int(check, "elements", 10);
    json_put_int(check, "excluded", 1);
    json_put(check, "specials", specials(index));
    if (status != RECORD_SKIP) json_put(record, "check", check);
    if (status == RECORD_SKIP) json_object_put(check);
    return record;
}

// Every seventh point has no record, and every fifth of the others is skipped. The records are not in the plan's
// order.
static enum { RAN, SKIPPED, MISSING } fate_of(size_t index) {
    return index % 7 == 6 ? MISSING : index % 5 == 4 ? SKIPPED : RAN;
}

static bool is_of(const struct point *point, const struct covered *row) {
    return strcmp(point->kernel->name, row->kernel) == 0 && strcmp(point_dtype(point), row->dtype) == 0;
}

// Counts the distinct points of a row that ran, compared by `same`.
static int64_t distinct(
    const struct plan *plan, const struct covered *row, bool (*same)(const struct point *a, const struct point *b)) {
    int64_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        bool fresh = is_of(&plan->points[i], row) && fate_of(i) == RAN;
        for (size_t k = 0; fresh && k < i; k++)
            fresh = !is_of(&plan->points[k], row) || fate_of(k) != RAN || !same(&plan->points[k], &plan->points[i]);
        count += fresh;
    }
    return count;
}

// Counts the patterns of lines in the row's points, by kind of line.
static int64_t patterns(const struct plan *plan, const struct covered *row) {
    int64_t count = 0;
    for (int o = 0; o < OPERATOR_OPERANDS; o++) {
        uint32_t seen[LINE_KINDS] = {0};
        for (size_t i = 0; i < plan->count; i++) {
            const struct point *point = &plan->points[i];
            const struct op *op = point->kernel->op;
            if (!is_of(point, row) || fate_of(i) != RAN || o >= operator_operands(op)) continue;
            if (op->operands[o].role == ROLE_OUT || !op->operands[o].lines) continue;
            struct line_set lines = lines_of(op, &op->operands[o], point->dims, operand_key(problem_key(point, 3), o));
            lines_rearrange(&lines, o, placement_of(i));
            lines_mark(&lines, 64, seen);
        }
        for (int kind = 0; kind < LINE_KINDS; kind++) count += __builtin_popcount(seen[kind]);
    }
    return count;
}

static bool any(const struct point *a, const struct point *b) {
    return a == b;
}
static bool same_shape(const struct point *a, const struct point *b) {
    return shape_equal(a->kernel, &a->shape, &b->shape);
}
static bool same_dims(const struct point *a, const struct point *b) {
    return memcmp(a->dims, b->dims, sizeof a->dims) == 0;
}

static bool same_large_dims(const struct point *a, const struct point *b) {
    return same_dims(a, b) || operator_elements(b->kernel->op, b->dims) <= 1000;
}
// Returns whether the row's first point is small. Only then `distinct` counts one size too many as large.
static bool first_is_small(const struct plan *plan, const struct covered *row) {
    for (size_t i = 0; i < plan->count; i++)
        if (is_of(&plan->points[i], row) && fate_of(i) == RAN)
            return operator_elements(plan->points[i].kernel->op, plan->points[i].dims) <= 1000;
    return false;
}

static void counts_are_of_what_ran(void **state) {
    struct fixture *f = *state;
    struct plan plan = plan_of(f);
    struct json_object **records = arena_alloc(&f->arena, plan.count, sizeof *records);
    size_t count = 0, rows_count, points = 0, skipped = 0, large = 0;
    for (size_t i = plan.count; i-- > 0;)
        if (fate_of(i) != MISSING)
            records[count++] = record_for(&plan.points[i], fate_of(i) == RAN ? RECORD_PASS : RECORD_SKIP, i);
    const struct cover_request request = {
        .plan = &plan, .device = &device, .memory_share = 0.5, .seed = 3, .records = records, .record_count = count};
    const struct covered *rows = cover_make(&f->arena, &request, &rows_count);
    assert_true(rows_count >= 3);
    for (size_t i = 0; i < rows_count; i++) {
        const struct covered *row = &rows[i];
        assert_int_equal(row->points, distinct(&plan, row, any));
        assert_int_equal(row->shapes, distinct(&plan, row, same_shape));
        assert_int_equal(row->sizes, distinct(&plan, row, same_dims));
        assert_int_equal(row->large_sizes, distinct(&plan, row, same_large_dims) - first_is_small(&plan, row));
        large += (size_t)row->large_sizes;
        assert_int_equal(row->checked, 7 * row->points);
        assert_int_equal(row->elements, 10 * row->points);
        assert_int_equal(row->excluded, row->points);
        assert_int_equal(row->open_points, 0); // one of eight
        assert_int_equal(row->specials, 2);
        assert_int_equal(row->specials_met, 1);
        assert_ptr_equal(strstr(row->unmet, "inf in "), row->unmet);
        assert_true(row->shapes <= row->legal_shapes && row->pairs <= row->legal_pairs && row->pairs > 0);
        assert_true(row->characters <= row->all_characters);
        assert_int_equal(row->characters, patterns(&plan, row));
        // Lines of softmax have patterns, and elementwise operators have none.
        assert_int_equal(row->all_characters > 0, strncmp(row->kernel, "relu", 4) != 0);
        points += (size_t)row->points;
        skipped += (size_t)row->skipped;
    }
    assert_true(large > 0);
    assert_int_equal(points + skipped, count);
    for (size_t i = 0; i < count; i++) json_object_put(records[i]);
}

static void one_point_is_covered_and_none(void **state) {
    struct fixture *f = *state;
    struct plan plan = plan_of(f);
    struct json_object *record = record_for(&plan.points[0], RECORD_PASS, 0);
    struct cover_request request = {
        .plan = &plan, .device = &device, .memory_share = 0.5, .seed = 3, .records = &record, .record_count = 1};
    size_t count;
    plan.count = 1;
    const struct covered *rows = cover_make(&f->arena, &request, &count);
    assert_int_equal(count, 1);
    assert_string_equal(rows[0].kernel, plan.points[0].kernel->name);
    assert_int_equal(rows[0].points, 1);
    plan.count = request.record_count = 0;
    cover_make(&f->arena, &request, &count);
    assert_int_equal(count, 0);
    json_object_put(record);
}

static void patterns_are_counted_by_their_tables(void **state) {
    uint32_t seen[LINE_KINDS] = {0};
    const struct op *op = operator_named("softmax");
    int64_t dims[OPERATOR_DIMS * 2] = {60, 33};
    struct line_set lines = lines_of(op, &op->operands[0], dims, 5);
    lines_mark(&lines, 60, seen);
    int met = 0;
    for (int kind = 0; kind < LINE_KINDS; kind++) met += __builtin_popcount(seen[kind]);
    assert_int_equal(met, lines_declared(op->operands[0].lines)); // sixty lines have all of them
    assert_true(lines_declared(LINES_SOME) > lines_declared(LINES_FINITE));
    assert_int_equal(lines_declared(LINES_TAME), lines_declared(LINES_FINITE));
    assert_int_equal(lines_declared(LINES_ALIKE), 0);
}

static void kernels_with_small_sizes_only_are_named(void **state) {
    struct fixture *f = *state;
    struct plan plan = plan_of(f);
    assert_null(cover_small(&f->arena, &plan));
    for (size_t i = 0; i < plan.count; i++)
        if (strcmp(plan.points[i].kernel->name, "relu.scalar") == 0 && plan.points[i].dims[0] > 24)
            plan.points[i].dims[0] = 24;
    const char *words = cover_small(&f->arena, &plan);
    assert_says(words, "relu.scalar f32: at most 48 elements"); // of both operands
    assert_null(strstr(words, "matmul"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_point_is_covered_and_none, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(kernels_with_small_sizes_only_are_named, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(counts_are_of_what_ran, fixture_open, fixture_close),
        cmocka_unit_test(patterns_are_counted_by_their_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
