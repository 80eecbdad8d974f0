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

// Returns the type of the buffer's elements. Integers of 32 bits may be moved floats, or pairs of 16 bits.
static const char *stored_type(const struct guess *g, const struct shader_binding *b) {
    if (is_cast_to_integer(g, b)) return "i32";
    if (b && b->element == ELEMENT_INT && b->bits == 32 && g->reflection->unpacks) return "f16";
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
    if (g->why) return false;
    guess_whole(g);
    dictionary_members(g);
    note_capabilities(g);
    if (g->reflection->unoptimized)
        json_object_array_add(
            g->notes, json_object_new_string("compiled without the optimizer, because it fails on this shader"));
    return true;
}

struct json_object *guess_kernel(struct arena *arena, const struct reflection *reflection,
    const struct guess_turn *turn, const struct dictionary *dictionary, const char *folder, const char **why) {
    struct guess g = {.arena = arena,
        .reflection = reflection,
        .op = turn->op,
        .turn = turn,
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
