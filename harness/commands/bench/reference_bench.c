// SPDX-License-Identifier: Apache-2.0
// `bench --device none`: times the scalar references of a suite's problems on one core, without a device.
#include "reference_bench.h"

#include "../../base/clock.h"
#include "../../base/names.h"
#include "../../engine/plan/problem.h"
#include "../../record/result.h"
#include "../../readers/render/format.h"
#include "../../readers/table/table.h"
#include "../../record/record.h"
#include "../../record/journal.h"

#include <stdio.h>

static bool measure(struct arena *arena, struct session *session, void *user, struct outcome *out, struct error *err) {
    const struct plan *plan = &session->plan;
    const int64_t start = clock_ns();
    (void)user;
    (void)err;
    *out = (struct outcome){.context = session->context};
    session->context = NULL; // owned by the outcome now
    out->records = arena_alloc(arena, plan->count, sizeof *out->records);
    // Kernels and shapes of one problem share its reference.
    uint64_t *keys = arena_alloc(arena, plan->count, sizeof *keys);
    struct names problems = {0};
    for (size_t i = 0; i < plan->count; i++) {
        struct record record;
        if (session->budget_s > 0 && (double)(clock_ns() - start) > session->budget_s * 1e9) {
            out->left = plan->count - i;
            out->out_of_budget = true;
            break;
        }
        keys[i] = problem_key(&plan->points[i], session->options.seed);
        const bool is_new = names_put(&problems, (const char *)&keys[i], sizeof keys[i], i) == i;
        if (!is_new || plan->points[i].kernel->probe) continue;
        reference_point(&plan->points[i], &session->options, arena, &record);
        out->records[out->count++] = record_to_json(&record, false);
    }
    names_free(&problems);
    out->wall_s = (double)(clock_ns() - start) / 1e9;
    whole_put(json_get(out->context, "run"), out->left ? "the budget is spent" : NULL, (int64_t)out->left);
    return true;
}

// ---- printing

static void put_problem(struct text *out, const void *row, struct cell *cell) {
    const struct record *record = row;
    (void)cell;
    text_format(out, "%s/%s", record->operator, record->dtype);
}

static void put_size(struct text *out, const void *row, struct cell *cell) {
    (void)cell;
    put_dims_named(out, row);
}

static void put_reference(struct text *out, const void *row, struct cell *cell) {
    const struct record *record = row;
    (void)cell;
    put_time(out, record->reference.ns);
    if (record->reference.extrapolated) text_append(out, "~");
}

static void put_speed(struct text *out, const void *row, struct cell *cell) {
    const struct record *record = row;
    (void)cell;
    if (record->flops > 0) put_rate(out, record->flops / record->reference.ns * 1e9, "FLOP/s");
}

static const struct column columns[] = {{"operator", .put = put_problem}, {"size", .wraps = true, .put = put_size},
    {"scalar reference", .right = true, .put = put_reference},
    {"rate", .right = true, .sparse = true, .put = put_speed}, {0}};

static bool show(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    struct result result;
    struct table table;
    size_t count = 0;
    if (!result_read(run->path, &result, err)) return false;
    struct record *rows = arena_alloc(arena, result.count, sizeof *rows);
    for (size_t i = 0; i < result.count; i++)
        if (result.records[i].reference.ns > 0) rows[count++] = result.records[i];
    table_make(&table, arena, columns, 0, rows, sizeof *rows, count);
    table_print(&table, stdout, TABLE_ANY_WIDTH);
    printf("\nNo device was used: these are the times of the scalar references on one core (~ timed over a part, and "
           "scaled up).\n%zu problems\nResult  %s\n",
        count, run->path);
    result_free(&result);
    *status = count ? STATUS_OK : STATUS_NOTHING;
    return true;
}

const struct bench reference_bench = {
    .verb = "bench", .suite = "quick", .time = true, .finds_sizes = true, .supervise = measure, .after = show};
