// SPDX-License-Identifier: Apache-2.0
// The changes of a history as rows of a table.
#include "history.h"

size_t change_rows(const struct history *h, struct arena *arena, struct change_row **out) {
    size_t room = 0, count = 0;
    for (size_t i = 0; i < h->changed; i++) room += h->points[i].change_count;
    struct change_row *rows = arena_alloc(arena, room, sizeof *rows);
    struct level_shifts *shifts = arena_alloc(arena, h->run_count, sizeof *shifts);
    for (size_t run = 0; run < h->run_count && room; run++) shifts[run] = history_level_shifts(h, run);
    for (size_t i = 0; i < h->changed; i++)
        for (size_t c = h->points[i].change_count; c-- > 0;) { // newest first
            const struct history_point *point = &h->points[i];
            struct change_row *row = &rows[count++];
            *row = (struct change_row){.point = point, .change = c, .shifts = shifts[point->changes[c]]};
            if (!history_candidate_commits(arena, point, c, &row->commits))
                row->commits = (struct candidate_commits){0};
        }
    *out = arena_alloc(arena, count, sizeof **out);
    size_t at = 0;
    for (int machines = 0; machines < 2; machines++) // changes of kernels first
        for (size_t i = 0; i < count; i++)
            if (rows[i].shifts.one_sided == machines) (*out)[at++] = rows[i];
    return count;
}

static void put_change_run(struct text *out, const void *of, struct cell *cell) {
    const struct change_row *row = of;
    const size_t run = row->point->changes[row->change];
    cell->sort = (double)run;
    text_format(out, "%zu, %s", run + 1, row->point->of->runs[run].started);
}
static void put_change_factor(struct text *out, const void *of, struct cell *cell) {
    const struct change_row *row = of;
    cell->sort = row->point->factors[row->change];
    cell->class = cell->sort > 1 ? "bad" : "good";
    text_format(out, "%.3fx", cell->sort);
}
static void put_change_least(struct text *out, const void *of, struct cell *cell) {
    const struct change_row *row = of;
    cell->sort = row->point->least[row->change];
    text_format(out, "%.1f %%", 100 * cell->sort);
}
static void say_candidate_commits(struct text *out, const void *of) {
    const struct candidate_commits *commits = &((const struct change_row *)of)->commits;
    if (commits->before) text_format(out, "%s..%s", commits->before, commits->after);
}
static void say_whose(struct text *out, const void *of) {
    const struct change_row *row = of;
    if (!row->shifts.one_sided) return;
    text_append(out, "the machine's: ");
    put_level_shifts(out, &row->shifts);
}

const struct column change_columns[] = {
    {"point", .wraps = true, TEXT_THROUGH(struct change_row, point, struct history_point, name)},
    {"since run", .put = put_change_run},
    {"change", .right = true, .put = put_change_factor},
    {"counts from", "Least change that counted there: above the point's earlier noise.", .right = true,
        .put = put_change_least},
    {"likely", .wraps = true, .sparse = true, .say = say_whose},
    {"between revisions", .sparse = true, .say = say_candidate_commits},
    {"to find it", .prose = true, .sparse = true, TEXT_OF(struct change_row, commits.bisect)},
    {0},
};
