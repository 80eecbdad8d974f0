// SPDX-License-Identifier: Apache-2.0
// Guesses grids: the first guess, then other forms, until a trial finds one right.
#include "guess_kernel.h"

#include "../../../reference/operator.h"
#include "../../shader/manifest/kernel.h"

// Builds one axis of a grid: a product of dims over `by` and `wide`. `by` is the workgroup's size if each invocation
// has an item; NULL: each workgroup has one.
struct json_object *guess_axis(const char *const *dims, int count, const char *by, int64_t wide) {
    struct json_object *axis = json_object_new_object(), *over = json_object_new_array(),
                       *share = json_object_new_array();
    for (int i = 0; i < count; i++) json_object_array_add(over, json_object_new_string(dims[i]));
    if (!count) json_object_array_add(over, json_object_new_int64(1));
    json_put(axis, "over", over);
    if (by) json_object_array_add(share, json_object_new_string(by));
    if (wide > 1) json_object_array_add(share, json_object_new_int64(wide));
    guess_put(axis, "by", share);
    return axis;
}

// Maps the axes of the grid to those of the output, the innermost to x. The last axis of the grid takes all remaining
// dims.
static void put_plane(
    struct guess *g, struct json_object *grid, const struct operand *out, uint32_t used, bool groups, int64_t wide) {
    const int rank = operand_rank(out->shape), axes = used & 4 ? 3 : used & 2 ? 2 : 1;
    for (int i = 0; i < axes && i < rank; i++) {
        const bool last = i + 1 == axes;
        const int at = last ? 0 : rank - 1 - i, count = last ? rank - i : 1;
        json_object_array_add(
            grid, guess_axis(&out->shape[at], count, groups ? NULL : workgroup_names[i], i ? 1 : wide));
    }
    guess_note(g, "the grid has an item for each element of %s, its last axis on x", out->name);
}

// Returns whether another variable shows the buffer of vectors as single numbers. It serves the last few elements.
static bool has_scalar_view(const struct guess *g, const struct shader_binding *b) {
    for (int i = 0; i < g->reflection->shader.binding_count; i++) {
        const struct shader_binding *other = &g->reflection->shader.bindings[i];
        if (other->used && other->set == b->set && other->binding == b->binding && guess_wide(other) == 1) return true;
    }
    return false;
}

static void put_wide(struct guess *g, const struct operand *out, const struct shader_binding *b, int64_t wide) {
    if (has_scalar_view(g, b)) {
        guess_note(g, "an invocation takes %lld elements, or one of the last few", (long long)wide);
        return;
    }
    struct json_object *dims = json_object_new_array();
    for (int i = 0; i < operand_rank(out->shape); i++)
        json_object_array_add(dims, json_object_new_string(out->shape[i]));
    guess_rule(g, "multiple", dims, json_object_new_int64(wide), "whole vectors");
    guess_note(g, "an invocation takes %lld elements; only whole vectors occur", (long long)wide);
}

// Guesses the first grid: by the kind of the output and by what the code counts.
static void first_grid(struct guess *g) {
    const int index = operator_first_output(g->op);
    const struct operand *out = &g->op->operands[index];
    const int rank = operand_rank(out->shape), inner = operand_rank(out->granule);
    const int64_t wide = guess_wide(g->of_operand[index]);
    struct json_object *grid = json_object_new_array();
    const uint32_t used = g->reflection->global | g->reflection->group;
    const bool plane = (used & 6) && rank > 1, groups = !g->reflection->global;
    if (plane) {
        put_plane(g, grid, out, used, groups, wide);
    } else if (inner && inner < rank) {
        const bool whole = groups || g->reflection->shares;
        json_object_array_add(grid, guess_axis(out->shape, rank - inner, whole ? NULL : "WG_X", 1));
        guess_note(g, "the grid has %s for each line of %s", whole ? "a workgroup" : "an invocation", out->name);
    } else if (groups && g->reflection->shares) {
        json_object_array_add(grid, guess_axis(out->shape, rank, NULL, 1));
        guess_note(g, "the grid has a workgroup for each element of %s", out->name);
    } else {
        json_object_array_add(grid, guess_axis(out->shape, rank, "WG_X", wide));
        if (wide > 1) put_wide(g, out, g->of_operand[index], wide);
    }
    json_put(g->kernel, "grid", grid);
    if (g->reflection->counts_groups && json_object_array_length(grid) == 1 && (used & 2))
        json_put(g->kernel, "fold", used & 4 ? json_object_new_boolean(true) : json_object_new_string("y"));
}

// ---- other grids

// The dims of the output on an axis of the grid.
enum part { NO_AXIS, ONE, ALL, LINES, OUTER, INNER, FIRST, SECOND, THIRD };

// An axis with its divisor: nothing, a number, or the workgroup's size times -by.
struct axis_form {
    enum part part;
    int by;
};

// Grids of public hosts, the more usual first. A form with ONE alone is for a single line.
static const struct grid_form {
    const char *says;
    struct axis_form axes[3];
} forms[] = {
    {"a workgroup for each line", {{LINES, 0}}},
    {"an invocation for each element", {{ALL, -1}}},
    {"an invocation for each line", {{LINES, -1}}},
    {"one workgroup for the only line", {{ONE, 0}}},
    {"an invocation for each element, the last dim on x", {{INNER, -1}, {OUTER, -1}}},
    {"an invocation for each element, the last dim on y", {{OUTER, -1}, {INNER, -1}}},
    {"a workgroup for each element, the last dim on x", {{INNER, 0}, {OUTER, 0}}},
    {"a workgroup for each element, the last dim on y", {{OUTER, 0}, {INNER, 0}}},
    {"invocations for the last dim, a workgroup on y for each line", {{INNER, -1}, {OUTER, 0}}},
    {"invocations for the last dim on y, a workgroup on x for each line", {{OUTER, 0}, {INNER, -1}}},
    {"a workgroup on y for each line", {{ONE, 0}, {LINES, 0}}},
    {"a workgroup for each element", {{ALL, 0}}},
    {"an invocation for 4 elements", {{ALL, -4}}},
    {"an invocation for 2 elements", {{ALL, -2}}},
    {"an invocation for 8 elements", {{ALL, -8}}},
    {"a workgroup for 16 x 16 elements", {{INNER, 16}, {OUTER, 16}}},
    {"a workgroup for 16 x 16 elements, the last dim on y", {{OUTER, 16}, {INNER, 16}}},
    {"a workgroup for 64 x 64 elements", {{INNER, 64}, {OUTER, 64}}},
    {"a workgroup for 64 x 64 elements, the last dim on y", {{OUTER, 64}, {INNER, 64}}},
    {"a workgroup for 32 x 32 elements", {{INNER, 32}, {OUTER, 32}}},
    {"a workgroup for 32 x 32 elements, the last dim on y", {{OUTER, 32}, {INNER, 32}}},
    {"an invocation for 4 x 4 elements", {{INNER, -4}, {OUTER, -4}}},
    {"an invocation for 4 x 4 elements, the last dim on y", {{OUTER, -4}, {INNER, -4}}},
    {"an invocation for 4 elements of the last dim", {{INNER, -4}, {OUTER, -1}}},
    {"a workgroup for 4 elements", {{ALL, 4}}},
    {"a workgroup for 8 elements", {{ALL, 8}}},
    {"a workgroup for 128 x 128 elements", {{INNER, 128}, {OUTER, 128}}},
    {"an invocation for each element of three axes", {{THIRD, -1}, {SECOND, -1}, {FIRST, -1}}},
    {"workgroups for the last of three axes", {{THIRD, -1}, {SECOND, 0}, {FIRST, 0}}},
    {"a workgroup for each element of three axes", {{THIRD, 0}, {SECOND, 0}, {FIRST, 0}}},
};

// Finds the dims of a part: *count of them from *from on. Returns false if the output has no such part. `alone`:
// the grid has no other axis.
static bool dims_of(const struct operand *out, enum part part, bool alone, int *from, int *count) {
    const int rank = operand_rank(out->shape), inner = operand_rank(out->granule);
    *from = part == INNER ? rank - 1 : part == SECOND ? rank - 2 : part == THIRD ? rank - 1 : 0;
    *count = part == ONE ? 0 : part == ALL ? rank : part == LINES ? rank - inner : part == OUTER ? rank - 1 : 1;
    if (part == FIRST) *count = rank - 2;
    if (part >= FIRST) return rank >= 3;
    return (part == ONE && (!alone || rank < 2 || inner)) || (part == ALL && rank) ||
           (part == LINES && inner && inner < rank) || ((part == OUTER || part == INNER) && rank > 1);
}

// A kernel without a line's number serves one line.
static void only_line(struct guess *g, const struct operand *out) {
    const int inner = operand_rank(out->granule);
    for (int i = 0; inner && i < operand_rank(out->shape) - inner; i++)
        guess_rule(
            g, "equal", json_object_new_string(out->shape[i]), json_object_new_int(1), "the shader has one line");
}

static bool put_form(struct guess *g, const struct grid_form *form, uint32_t used) {
    const struct operand *out = &g->op->operands[operator_first_output(g->op)];
    struct json_object *grid = json_object_new_array();
    bool fits = true;
    for (int i = 0, from, count; i < 3 && form->axes[i].part != NO_AXIS && fits; i++) {
        const struct axis_form *axis = &form->axes[i];
        fits = dims_of(out, axis->part, form->axes[1].part == NO_AXIS, &from, &count) && (!i || (used & 1u << i));
        if (fits)
            json_object_array_add(grid, guess_axis(&out->shape[from], count, axis->by < 0 ? workgroup_names[i] : NULL,
                                            axis->by < 0 ? -axis->by : axis->by));
    }
    if (!fits) {
        json_object_put(grid);
        return guess_fail(g, "the output has no such grid");
    }
    json_put(g->kernel, "grid", grid);
    if (form->axes[0].part == ONE && form->axes[1].part == NO_AXIS) only_line(g, out);
    guess_note(g, "the grid has %s", form->says);
    return true;
}

int guess_grids(void) {
    return 1 + (int)(sizeof forms / sizeof *forms);
}

void guess_grid(struct guess *g) {
    const uint32_t used = g->reflection->global | g->reflection->group;
    if (g->turn && g->turn->grid)
        put_form(g, &forms[g->turn->grid - 1], used);
    else
        first_grid(g);
}

void guess_whole(struct guess *g) {
    for (int d = 0; g->turn->whole && d < operator_dims(g->op); d++)
        if (!(g->turn->any & 1u << d))
            guess_rule(g, "multiple", json_object_new_string(g->op->dims[d]), json_object_new_int(g->turn->whole),
                "whole tiles");
}
