// SPDX-License-Identifier: Apache-2.0
#include "guess_kernel.h"

#include "../../base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void guess_note(struct guess *g, const char *format, ...) {
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_append(&text, "GUESS: ");
    text_format_list(&text, format, args);
    va_end(args);
    json_object_array_add(g->notes, json_object_new_string(text_str(&text)));
    text_free(&text);
}

bool guess_fail(struct guess *g, const char *format, ...) {
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_format_list(&text, format, args);
    va_end(args);
    g->why = arena_take(g->arena, &text);
    return false;
}

// ---- name, shader

const char *guess_stem(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return arena_copy_n(arena, name, strcspn(name, "."));
}

// Names the kernel after the file, and after the entry point if it adds anything: "relu.relu_forward_main".
static const char *name_of(struct guess *g) {
    const char *stem = guess_stem(g->arena, g->told->path), *entry = g->told->entry;
    const bool plain = strcmp(entry, "main") == 0 || strcmp(entry, stem) == 0;
    char *name = arena_format(g->arena, "%s.%s%s%s", g->op->name, stem, plain ? "" : "_", plain ? "" : entry);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.') *c = '_';
    return name;
}

// Returns the relative path from a folder to a file. Both must exist.
const char *guess_way(struct arena *arena, const char *folder, const char *path) {
    char from[PATH_MAX], to[PATH_MAX];
    struct text way = {0};
    size_t same = 0;
    if (!realpath(folder, from) || !realpath(path, to)) return path;
    for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
        if (to[i] == '/') same = i + 1;
        if (!from[i] || !to[i]) break;
    }
    for (const char *c = same <= strlen(from) ? from + same : ""; *c; c += strcspn(c, "/"), c += *c == '/')
        text_append(&way, "../");
    text_append(&way, to + same);
    return arena_take(arena, &way);
}

// ---- types

static const struct shader_binding *of_case(const struct guess *g) {
    for (int o = 0; o < operator_operands(g->op); o++)
        if (g->of_operand[o] && g->op->operands[o].dtype == DTYPE_CASE) return g->of_operand[o];
    return NULL;
}

void guess_dtypes(struct guess *g) {
    const struct shader_binding *b = of_case(g);
    const bool whole = b && b->element == ELEMENT_INT;
    const char *name = b && b->element == ELEMENT_FLOAT && b->bits == 16 ? "f16"
                       : whole && b->bits == 16                          ? "bf16"
                                                                         : "f32";
    struct json_object *list = json_object_new_array();
    if (whole && b->bits != 16) guess_note(g, "elements are integers of %u bits, taken for f32", b->bits);
    json_object_array_add(list, json_object_new_string(name));
    json_put(g->kernel, "dtypes", list);
}

// ---- workgroup

static void put_tunable(struct json_object *tunables, const char *name, int64_t id, int64_t standard,
    const int64_t *usual, size_t usual_count) {
    struct json_object *tunable = json_object_new_object(), *values = json_object_new_array();
    for (size_t i = 0; i < usual_count; i++)
        if (usual[i] != standard) json_object_array_add(values, json_object_new_int64(usual[i]));
    json_object_array_add(values, json_object_new_int64(standard));
    if (id != INT64_MIN) json_put_int(tunable, "id", id);
    json_put(tunable, "values", values);
    json_put_int(tunable, "default", standard);
    json_put(tunables, name, tunable);
}

// Adds a tunable for an axis, with usual sizes for one or two axes. A constant of 1 is replaced: it is only a
// placeholder.
static void put_axis(struct json_object *tunables, const char *name, int64_t standard, int axes) {
    static const int64_t line[] = {64, 128, 256}, plane[] = {8, 16};
    const int64_t *usual = axes == 1 ? line : plane;
    put_tunable(tunables, name, INT64_MIN, standard > 1 || axes > 2 ? standard : usual[0], usual,
        axes == 1   ? 3
        : axes == 2 ? 2
                    : 0);
}

static bool is_size_name(const struct told *told, const char *name) {
    for (int i = 0; i < 3; i++)
        if (told->size_names[i] && strcmp(told->size_names[i], name) == 0) return true;
    return false;
}

static void put_constants(struct guess *g, struct json_object *tunables) {
    for (int i = 0; i < g->told->constant_count; i++) {
        const struct told_constant *c = &g->told->constants[i];
        const bool numbered = g->told->language != LANGUAGE_WGSL && c->id > 2;
        if (is_size_name(g->told, c->name)) continue;
        if (numbered || *c->name)
            put_tunable(tunables, *c->name ? c->name : arena_format(g->arena, "CONSTANT_%u", c->id),
                numbered ? c->id : INT64_MIN, c->standard, NULL, 0);
        else
            guess_note(g, "constant %u keeps its default: it has no name, and numbers go from 3 on", c->id);
    }
}

// Writes the workgroup's size. A size given by constants becomes tunable, unless shared memory may depend on it. A
// literal size stays as it is.
static void put_workgroup(struct guess *g) {
    static const char *const axes[3] = {"WG_X", "WG_Y", "WG_Z"};
    const struct shader_interface *shader = &g->told->shader;
    struct json_object *tunables = json_object_new_object(), *constants = json_object_new_object(),
                       *size = json_object_new_array();
    bool tuned = false;
    int last = 2;
    while (last > 0 && shader->size[last] == 1 && shader->size_id[last] < 0) last--;
    for (int i = 0; i <= last; i++) tuned |= shader->size_id[i] >= 0 || g->told->size_names[i];
    for (int i = 0; i <= last; i++) {
        const bool free = (shader->size_id[i] >= 0 || g->told->size_names[i]) && !g->told->shares;
        json_object_array_add(size, json_object_new_int64(shader->size[i]));
        if (tuned) put_axis(tunables, axes[i], shader->size[i], free ? last + 1 : 3);
        if (g->told->size_names[i]) json_put_string(constants, g->told->size_names[i], axes[i]);
    }
    put_constants(g, tunables);
    if (tuned)
        json_object_put(size);
    else
        json_put(g->kernel, "local_size", size);
    if (json_object_object_length(tunables))
        json_put(g->kernel, "tunables", tunables);
    else
        json_object_put(tunables);
    if (json_object_object_length(constants))
        json_put(g->kernel, "constants", constants);
    else
        json_object_put(constants);
}

// ---- grid

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
    if (by || wide > 1)
        json_put(axis, "by", share);
    else
        json_object_put(share);
    return axis;
}

int64_t guess_wide(const struct shader_binding *b) {
    return b && b->bits && b->element_bytes > b->bits / 8 ? b->element_bytes / (b->bits / 8) : 1;
}

// Maps the axes of the grid to those of the output, the innermost to x. The last axis of the grid takes all remaining
// dims.
static void put_plane(
    struct guess *g, struct json_object *grid, const struct operand *out, uint32_t used, bool groups, int64_t wide) {
    static const char *const by[3] = {"WG_X", "WG_Y", "WG_Z"};
    const int rank = operand_rank(out->shape), axes = used & 4 ? 3 : used & 2 ? 2 : 1;
    for (int i = 0; i < axes && i < rank; i++) {
        const bool last = i + 1 == axes;
        const int at = last ? 0 : rank - 1 - i, count = last ? rank - i : 1;
        json_object_array_add(grid, guess_axis(&out->shape[at], count, groups ? NULL : by[i], i ? 1 : wide));
    }
    guess_note(g, "the grid has an item for each element of %s, its last axis on x", out->name);
}

void guess_rule(struct guess *g, const char *kind, struct json_object *of, struct json_object *by, const char *why) {
    struct json_object *list = json_get(g->kernel, "rules"), *rule = json_object_new_object(),
                       *sides = json_object_new_array();
    if (!list) json_put(g->kernel, "rules", list = json_object_new_array());
    json_object_array_add(sides, of);
    json_object_array_add(sides, by);
    json_put(rule, kind, sides);
    json_put_string(rule, "why", why);
    json_object_array_add(list, rule);
}

// Returns whether another variable shows the buffer of vectors as single numbers. It serves the last few elements.
static bool has_scalar_view(const struct guess *g, const struct shader_binding *b) {
    for (int i = 0; i < g->told->shader.binding_count; i++) {
        const struct shader_binding *other = &g->told->shader.bindings[i];
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

void guess_grid(struct guess *g) {
    const int index = operator_first_output(g->op);
    const struct operand *out = &g->op->operands[index];
    const int rank = operand_rank(out->shape), inner = operand_rank(out->granule);
    const int64_t wide = guess_wide(g->of_operand[index]);
    struct json_object *grid = json_object_new_array();
    const uint32_t used = g->told->global | g->told->group;
    const bool plane = (used & 6) && rank > 1, groups = !g->told->global;
    if (plane) {
        put_plane(g, grid, out, used, groups, wide);
    } else if (inner && inner < rank) {
        const bool whole = groups || g->told->shares;
        json_object_array_add(grid, guess_axis(out->shape, rank - inner, whole ? NULL : "WG_X", 1));
        guess_note(g, "the grid has %s for each line of %s", whole ? "a workgroup" : "an invocation", out->name);
    } else if (groups && g->told->shares) {
        json_object_array_add(grid, guess_axis(out->shape, rank, NULL, 1));
        guess_note(g, "the grid has a workgroup for each element of %s", out->name);
    } else {
        json_object_array_add(grid, guess_axis(out->shape, rank, "WG_X", wide));
        if (wide > 1) put_wide(g, out, g->of_operand[index], wide);
    }
    json_put(g->kernel, "grid", grid);
    if (g->told->counts_groups && json_object_array_length(grid) == 1 && (used & 2))
        json_put_bool(g->kernel, "fold", true);
}

static void note_capabilities(struct guess *g) {
    struct text text = {0};
    for (int i = 0; i < g->told->shader.capability_count; i++) {
        const char *name = capability_name(g->told->shader.capabilities[i]);
        if (name && strcmp(name, "Shader") != 0 && strcmp(name, "Matrix") != 0)
            text_format(&text, "%s%s", text.length ? ", " : "", name);
    }
    if (text.length)
        json_object_array_add(
            g->notes, json_object_new_string(arena_format(g->arena, "asks the device for %s", text_str(&text))));
    text_free(&text);
}

struct json_object *guess_kernel(
    struct arena *arena, const struct told *told, const struct op *op, const char *folder, const char **why) {
    struct guess g = {
        .arena = arena, .told = told, .op = op, .kernel = json_object_new_object(), .notes = json_object_new_array()};
    json_put_string(g.kernel, "name", name_of(&g));
    json_put_string(g.kernel, "operator", op->name);
    json_put_string(g.kernel, "summary", arena_format(arena, "%s of %s", told->entry, guess_stem(arena, told->path)));
    json_put_string(g.kernel, "shader", guess_way(arena, folder, told->path));
    if (strcmp(told->entry, "main") != 0) json_put_string(g.kernel, "entry", told->entry);
    if (!guess_bindings(&g)) {
        *why = g.why;
        json_object_put(g.kernel);
        json_object_put(g.notes);
        return NULL;
    }
    guess_dtypes(&g);
    guess_parameters(&g);
    put_workgroup(&g);
    guess_grid(&g);
    note_capabilities(&g);
    if (json_object_array_length(g.notes))
        json_put(g.kernel, "notes", g.notes);
    else
        json_object_put(g.notes);
    return g.kernel;
}
