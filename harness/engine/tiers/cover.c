// SPDX-License-Identifier: Apache-2.0
#include "sampled_tier.h"

#include "../../base/names.h"
#include "../../base/text.h"
#include "../../record/result.h"
#include "../plan/lines.h"
#include "../plan/problem.h"
#include "sample_shapes.h"
#include "../../record/terms.h"
#include "../../record/journal.h"

#include <math.h>
#include <string.h>

// Lines examined in each operand; more than there are patterns.
enum { MOST_LINES = 64 };

// A kernel and type, and its points.
struct cover {
    struct covered *row;
    const struct point *first;
    const struct point **ran; // row->points of them
    int *placements;          // of these points
    uint32_t special, met;    // special values, as in judged_outputs
};

static const char *kernel_and_type(struct arena *arena, const struct point *point) {
    return arena_format(arena, "%s/%s", point->kernel->name, point_dtype(point));
}

// Groups the points by kernel and type. cover_of[] receives the index of each point's group.
static struct cover *find_covers(
    struct arena *arena, struct arena *scratch, const struct plan *plan, size_t *cover_of, size_t *count) {
    struct names names = {0};
    struct cover *covers = arena_alloc(scratch, plan->count + 1, sizeof *covers);
    size_t *sizes = arena_alloc(scratch, plan->count + 1, sizeof *sizes);
    *count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const char *key = kernel_and_type(scratch, &plan->points[i]);
        cover_of[i] = names_put(&names, key, strlen(key), *count);
        if (cover_of[i] == *count) covers[(*count)++].first = &plan->points[i];
        sizes[cover_of[i]]++;
    }
    struct covered *rows = arena_alloc(arena, *count + 1, sizeof *rows);
    for (size_t i = 0; i < *count; i++) {
        covers[i].row = &rows[i];
        covers[i].ran = arena_alloc(scratch, sizes[i], sizeof(struct point *));
        covers[i].placements = arena_alloc(scratch, sizes[i], sizeof(int));
        rows[i].kernel = arena_copy(arena, covers[i].first->kernel->name);
        rows[i].dtype = point_dtype(covers[i].first);
    }
    names_free(&names);
    return covers;
}

static void count_record(struct cover *cover, const struct point *point, struct json_object *record) {
    const struct judged_outputs judged = record_judged(record);
    if (strcmp(json_get_string(record, "status", ""), record_status_name(RECORD_SKIP)) == 0) {
        cover->row->skipped++;
        return;
    }
    cover->placements[cover->row->points] = judged.placement;
    cover->ran[cover->row->points++] = point;
    cover->special |= judged.special;
    cover->met |= judged.met;
    cover->row->open_points += open_share(judged.checked, judged.excluded) > COVERED_OPEN;
    cover->row->checked += judged.checked;
    cover->row->elements += judged.elements;
    cover->row->excluded += judged.excluded;
    if (point->kernel->recorded) cover->row->unjudged += judged.elements - judged.checked;
    cover->row->exact += judged.exact;
}

static void count_records(
    struct arena *scratch, const struct cover_request *r, struct cover *covers, size_t *cover_of) {
    struct names names = {0};
    const struct plan *plan = r->plan;
    bool *counted = arena_alloc(scratch, plan->count + 1, sizeof *counted);
    for (size_t i = 0; i < plan->count; i++) names_put(&names, plan->points[i].name, strlen(plan->points[i].name), i);
    for (size_t i = 0; i < r->record_count; i++) {
        const char *name = json_get_string(r->records[i], "name", "");
        size_t at = names_get(&names, name, strlen(name));
        if (at == NAMES_NONE || counted[at]) continue;
        counted[at] = true;
        count_record(&covers[cover_of[at]], &plan->points[at], r->records[i]);
    }
    names_free(&names);
}

// ---- distinct values among the executed points

// Counts the distinct values of the member at `offset`.
static int64_t distinct(const struct cover *cover, size_t offset, size_t size) {
    struct names names = {0};
    for (int64_t i = 0; i < cover->row->points; i++)
        names_put(&names, (const char *)cover->ran[i] + offset, size, (size_t)i);
    int64_t count = (int64_t)names.count;
    names_free(&names);
    return count;
}

static int64_t large_sizes(const struct cover *cover) {
    struct names names = {0};
    for (int64_t i = 0; i < cover->row->points; i++) {
        const struct point *point = cover->ran[i];
        if (operator_elements(point->kernel->op, point->dims) > COVERED_LARGE)
            names_put(&names, (const char *)point->dims, sizeof point->dims, (size_t)i);
    }
    int64_t count = (int64_t)names.count;
    names_free(&names);
    return count;
}

static void count_shapes(struct arena *scratch, const struct cover_request *r, struct cover *cover) {
    const struct kernel *kernel = cover->first->kernel;
    struct trial trial = trial_of(cover->first, r->device, r->memory_share, scratch);
    struct shape *shapes = arena_alloc(scratch, (size_t)cover->row->points + 1, sizeof *shapes);
    for (int64_t i = 0; i < cover->row->points; i++) shapes[i] = cover->ran[i]->shape;
    cover->row->shapes = distinct(cover, offsetof(struct point, shape), sizeof(struct shape));
    cover->row->pairs = (int64_t)sample_pairs(scratch, kernel, shapes, (size_t)cover->row->points);
    if (trial_case(&trial)) return;
    struct shape_sample all = sample_shapes(&trial, 0, 0);
    cover->row->legal_shapes = (int64_t)all.legal;
    cover->row->legal_pairs = (int64_t)all.pairs.pairs;
}

static void count_patterns(const struct cover_request *r, struct cover *cover) {
    const struct op *op = cover->first->kernel->op;
    for (int o = 0; o < operator_operands(op); o++) {
        const struct operand *operand = &op->operands[o];
        uint32_t seen[LINE_KINDS] = {0};
        if (operand->role == ROLE_OUT || !operand->lines) continue;
        for (int64_t i = 0; i < cover->row->points; i++) {
            const struct point *point = cover->ran[i];
            if (point->draws) continue; // with alike lines
            struct line_set lines = lines_of(op, operand, point->dims, operand_key(problem_key(point, r->seed), o));
            lines_rearrange(&lines, o, cover->placements[i]);
            lines_mark(&lines, MOST_LINES, seen);
        }
        for (int kind = 0; kind < LINE_KINDS; kind++) cover->row->characters += __builtin_popcount(seen[kind]);
        cover->row->all_characters += lines_declared(operand->lines);
    }
}

// Counts the special values of operands that met a judged output, and names the others.
static void count_specials(struct arena *arena, struct cover *cover) {
    struct text unmet = {0};
    cover->row->specials = __builtin_popcount(cover->special);
    cover->row->specials_met = __builtin_popcount(cover->met);
    for (int bit = 0; bit < SPECIAL_VALUES * operator_operands(cover->first->kernel->op); bit++)
        if ((cover->special & ~cover->met) >> bit & 1)
            text_format(&unmet, "%s%s in %s", unmet.length ? ", " : "",
                special_value_name((enum special_value)(bit % SPECIAL_VALUES)),
                cover->first->kernel->op->operands[bit / SPECIAL_VALUES].name);
    if (unmet.length)
        cover->row->unmet = arena_take(arena, &unmet);
    else
        text_free(&unmet);
}

struct covered *cover_make(struct arena *arena, const struct cover_request *r, size_t *count) {
    struct arena scratch = {0};
    size_t *cover_of = arena_alloc(&scratch, r->plan->count + 1, sizeof *cover_of);
    struct cover *covers = find_covers(arena, &scratch, r->plan, cover_of, count);
    count_records(&scratch, r, covers, cover_of);
    struct covered *rows = *count ? covers[0].row : NULL;
    for (size_t i = 0; i < *count; i++) {
        struct arena own = {0};
        struct cover *cover = &covers[i];
        cover->row->sizes = distinct(cover, offsetof(struct point, dims), sizeof cover->first->dims);
        cover->row->large_sizes = large_sizes(cover);
        cover->row->parameters = distinct(cover, offsetof(struct point, params), sizeof cover->first->params);
        if (!cover->first->kernel->probe) count_shapes(&own, r, cover);
        count_patterns(r, cover);
        count_specials(arena, cover);
        arena_free(&own);
    }
    arena_free(&scratch);
    return rows;
}

static double largest_of(const struct plan *plan, const struct point *of) {
    double largest = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        if (point->kernel == of->kernel && point->dtype == of->dtype && !point->refused)
            largest = fmax(largest, operator_elements(point->kernel->op, point->dims));
    }
    return largest;
}

const char *cover_small(struct arena *arena, const struct plan *plan) {
    struct arena scratch = {0};
    struct names seen = {0};
    struct text text = {0};
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        const char *key = kernel_and_type(&scratch, point);
        const bool is_first = names_put(&seen, key, strlen(key), i) == i;
        if (!is_first || point->kernel->probe) continue;
        const double largest = largest_of(plan, point);
        if (largest > 0 && largest <= COVERED_LARGE)
            text_format(&text, "%s%s %s: at most %.0f elements", text.length ? "; " : "", point->kernel->name,
                point_dtype(point), largest);
    }
    names_free(&seen);
    arena_free(&scratch);
    if (text.length) return arena_take(arena, &text);
    text_free(&text);
    return NULL;
}
