// SPDX-License-Identifier: Apache-2.0
#include "dictionary.h"

#include "../../base/file.h"
#include "../../base/text.h"
#include "../../../reference/operator.h"
#include "../../shader/manifest/kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- name, shader

const char *guess_stem(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return arena_copy_n(arena, name, strcspn(name, "."));
}

// Names the kernel after the file, and after the entry point if it adds anything: "relu.relu_forward_main".
static const char *name_of(struct guess *g) {
    const char *stem = *g->reflection->variant ? g->reflection->variant : g->reflection->stem,
               *entry = g->reflection->entry;
    const bool plain = strcmp(entry, "main") == 0 || strcmp(entry, stem) == 0;
    char *name = arena_format(g->arena, "%s.%s%s%s", g->op->name, stem, plain ? "" : "_", plain ? "" : entry);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.') *c = '_';
    return name;
}

void guess_shader(struct guess *g, const char *folder, struct json_object *into) {
    const struct build_line *line = g->reflection->line;
    struct json_object *defines = json_object_new_object(), *includes = json_object_new_array();
    json_put_string(into, "shader", file_way(g->arena, folder, g->reflection->path));
    if (strcmp(g->reflection->entry, "main") != 0) json_put_string(into, "entry", g->reflection->entry);
    if (line && line->header) json_put_string(into, "header", file_way(g->arena, folder, line->header));
    for (size_t i = 0; line && i < line->define_count; i++)
        if (!line->choices[i]) json_put_string(defines, line->defines[i].name, line->defines[i].value);
    for (size_t i = 0; line && i < line->include_count; i++)
        json_object_array_add(includes, json_object_new_string(file_way(g->arena, folder, line->includes[i])));
    guess_put(into, "defines", defines);
    guess_put(into, "includes", includes);
}

// ---- types

// Returns an operand of the case's type: an output, else an input; -1: none is bound.
static int case_operand(const struct guess *g) {
    int found = -1;
    for (int o = 0; o < operator_operands(g->op); o++) {
        const struct operand *operand = &g->op->operands[o];
        if (!g->of_operand[o] || operand->dtype != DTYPE_CASE || operand->weights) continue;
        if (found < 0 || (operand->role != ROLE_IN && g->op->operands[found].role == ROLE_IN)) found = o;
    }
    for (int o = 0; found < 0 && o < operator_operands(g->op); o++)
        if (g->of_operand[o] && g->op->operands[o].dtype == DTYPE_CASE) found = o;
    return found;
}

// Returns whether integers of 32 bits are the case's type: an input has floats, whatever the case's type is.
static bool is_cast_to_integer(const struct guess *g, const struct shader_binding *b) {
    bool casts = false;
    for (int o = 0; o < operator_operands(g->op); o++)
        casts |= g->of_operand[o] && g->op->operands[o].dtype == DTYPE_F32 && g->op->operands[o].role == ROLE_IN &&
                 g->of_operand[o]->element == ELEMENT_FLOAT;
    return casts && b && b->element == ELEMENT_INT && b->bits == 32;
}

// Returns the type of the buffer's elements. Integers of 32 bits may be moved floats.
static const char *stored_type(const struct guess *g, const struct shader_binding *b) {
    if (is_cast_to_integer(g, b)) return "i32";
    if (!b || b->bits != 16) return "f32";
    return b->element == ELEMENT_INT ? "bf16" : "f16";
}

// Returns the type of quantised blocks that the names state for an operand of weights; NULL: none.
static const char *stated_blocks(const struct guess *g) {
    static const char *const types[] = {"q8_0", "q4_0"};
    const struct build_line *line = g->reflection->line;
    bool weights = false;
    for (int o = 0; o < operator_operands(g->op); o++) weights |= g->op->operands[o].weights;
    for (int i = 0; weights && i < 2; i++) {
        if (strcasestr(g->reflection->variant, types[i]) || strcasestr(g->reflection->stem, types[i])) return types[i];
        for (size_t d = 0; line && d < line->define_count; d++)
            if (strcasestr(line->defines[d].name, types[i])) return types[i];
    }
    return NULL;
}

// Puts "types" for operands stored in another type than the case's.
static void put_types(struct guess *g, const char *usual, bool blocks) {
    struct json_object *types = json_object_new_object();
    for (int o = 0; o < operator_operands(g->op); o++) {
        const struct operand *operand = &g->op->operands[o];
        if (!g->of_operand[o] || operand->dtype != DTYPE_CASE || (blocks && operand->weights)) continue;
        const char *own = stored_type(g, g->of_operand[o]);
        if (strcmp(own, usual) != 0) json_put_string(types, operand->name, own);
    }
    guess_put(g->kernel, "types", types);
}

void guess_dtypes(struct guess *g) {
    const int operand = case_operand(g);
    const struct shader_binding *b = operand >= 0 ? g->of_operand[operand] : NULL;
    const char *type = stored_type(g, b), *blocks = stated_blocks(g);
    struct json_object *list = json_object_new_array();
    if (b && b->element == ELEMENT_INT && b->bits != 16 && strcmp(type, "f32") == 0 &&
        g->op->operands[operand].preserves != PRESERVES_BITS && !g->reflection->floats) {
        guess_fail(g, "\"%s\" has integers of %u bits, and the shader has no floats", b->name, b->bits);
        json_object_put(list);
        return;
    }
    if (g->reflection->halves) json_put_string(g->kernel, "arithmetic", "f16");
    if (b && b->element == ELEMENT_INT && b->bits != 16 && strcmp(type, "f32") == 0)
        guess_note(g, "elements are integers of %u bits, taken for f32", b->bits);
    json_object_array_add(list, json_object_new_string(blocks ? blocks : type));
    json_put(g->kernel, "dtypes", list);
    put_types(g, blocks ? "f32" : type, blocks);
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

void guess_grid(struct guess *g) {
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

static void note_capabilities(struct guess *g) {
    struct text text = {0};
    for (int i = 0; i < g->reflection->shader.capability_count; i++) {
        const char *name = capability_name(g->reflection->shader.capabilities[i]);
        if (name && strcmp(name, "Shader") != 0 && strcmp(name, "Matrix") != 0)
            text_format(&text, "%s%s", text.length ? ", " : "", name);
    }
    if (text.length)
        json_object_array_add(
            g->notes, json_object_new_string(arena_format(g->arena, "asks the device for %s", text_str(&text))));
    text_free(&text);
}

static bool build(struct guess *g, const char *folder) {
    const bool words = dictionary_has(g, "push") || dictionary_has(g, "uniform") || dictionary_has(g, "parameters");
    json_put_string(g->kernel, "name", name_of(g));
    json_put_string(g->kernel, "operator", g->op->name);
    json_put_string(g->kernel, "summary",
        arena_format(g->arena, "%s of %s%s%s", g->reflection->entry, g->reflection->stem,
            *g->reflection->variant ? " as " : "", g->reflection->variant));
    guess_shader(g, folder, g->kernel);
    if (!guess_bindings(g)) {
        if (!dictionary_has(g, "bindings")) return false;
        g->why = NULL;
    }
    if (dictionary_has(g, "bindings")) g->array_count = 0; // it places the arrays, too
    guess_dtypes(g);
    if (g->why) return false;
    if (!words) guess_parameters(g);
    if (g->why) return false;
    guess_workgroup(g);
    if (!dictionary_has(g, "grid")) guess_grid(g);
    dictionary_members(g);
    note_capabilities(g);
    if (g->reflection->unoptimized)
        json_object_array_add(
            g->notes, json_object_new_string("compiled without the optimizer, because it fails on this shader"));
    return true;
}

struct json_object *guess_kernel(struct arena *arena, const struct reflection *reflection, const struct op *op,
    const struct dictionary *dictionary, const char *folder, const char **why) {
    struct guess g = {.arena = arena,
        .reflection = reflection,
        .op = op,
        .dictionary = dictionary,
        .kernel = json_object_new_object(),
        .notes = json_object_new_array()};
    const bool ok = build(&g, folder);
    *why = g.why;
    if (ok && json_object_array_length(g.notes)) json_put(g.kernel, "notes", json_object_get(g.notes));
    json_object_put(g.notes);
    if (!ok) json_object_put(g.kernel);
    return ok ? g.kernel : NULL;
}
