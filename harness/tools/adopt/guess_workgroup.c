// SPDX-License-Identifier: Apache-2.0
// Guesses the workgroup's size and the values of constants.
#include "dictionary.h"

#include "../../shader/manifest/kernel.h"
#include "../../../reference/operator.h"

#include <stdlib.h>
#include <string.h>

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

// ---- constants

// Returns why a constant is no tunable; NULL: it may be one.
static const char *keeps_default(const struct guess *g, const struct reflected_constant *c, const char *name) {
    if (c->kind != 'i') return "";
    if (operator_dim_index(g->op, name) >= 0 || operator_param_index(g->op, name) >= 0)
        return "it has the name of a dim or parameter";
    for (int i = 0; i < operator_derived(g->op); i++)
        if (strcmp(g->op->derived[i], name) == 0) return "it has the name of a dim or parameter";
    if (strcmp(name, "SUBGROUP") == 0 || strncmp(name, "WG_", 3) == 0) return "its name has a meaning of its own";
    if (c->standard == 0 || c->standard == UINT32_MAX) return "a host sets it, or leaves it out";
    return NULL;
}

// Puts what the dictionary gives for a constant: a value, or an object with a tunable's values.
static void put_known(struct guess *g, const struct reflected_constant *c, const char *name, struct json_object *is,
    struct json_object *tunables, struct json_object *constants) {
    const char *key = *c->name ? c->name : arena_format(g->arena, "%u", c->id);
    if (!json_object_is_type(is, json_type_object)) {
        json_put(constants, key, json_object_get(is));
        return;
    }
    json_put(tunables, name, json_object_get(is));
    if (!*c->name) json_put_string(constants, key, name);
}

static void put_constants(struct guess *g, struct json_object *tunables, struct json_object *constants) {
    for (int i = 0; i < g->reflection->constant_count; i++) {
        const struct reflected_constant *c = &g->reflection->constants[i];
        const bool numbered = g->reflection->language != LANGUAGE_WGSL && c->id > 2;
        const char *name = *c->name ? c->name : arena_format(g->arena, "CONSTANT_%u", c->id), *why;
        bool known;
        struct json_object *is = dictionary_constant(g, c, &known);
        bool is_size = false;
        for (int axis = 0; axis < 3; axis++)
            is_size |= g->reflection->size_names[axis] && strcmp(g->reflection->size_names[axis], c->name) == 0;
        if (is_size || (known && !is) || dictionary_sets(g, c)) continue;
        if (known) {
            put_known(g, c, name, is, tunables, constants);
            continue;
        }
        if (g->of_constant[i]) {
            json_put_string(constants, name, g->of_constant[i]);
            continue;
        }
        why = keeps_default(g, c, name);
        if (!why && !numbered && !*c->name) why = "it has no name, and numbers go from 3 on";
        if (!why && (json_get(tunables, name) || json_object_object_length(tunables) + 3 >= KERNEL_TUNABLES))
            why = "there are too many constants";
        if (!why) put_tunable(tunables, name, numbered ? c->id : INT64_MIN, c->standard, NULL, 0);
        if (why && *why) guess_note(g, "constant %s keeps its default %u: %s", name, c->standard, why);
    }
}

static bool is_choice(const struct guess *g, const char *name) {
    const struct build_line *line = g->reflection->line;
    for (size_t i = 0; line && i < line->define_count; i++)
        if (line->choices[i] && strcmp(line->defines[i].name, name) == 0) return true;
    return false;
}

// Puts the macros of several values, each a tunable passed as a #define.
static void put_choices(struct guess *g, struct json_object *tunables) {
    const struct build_line *line = g->reflection->line;
    for (size_t i = 0; line && i < line->define_count; i++) {
        if (!line->choices[i]) continue;
        struct json_object *tunable = json_object_new_object(), *values = json_object_new_array();
        for (const char *at = line->choices[i]; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
            json_object_array_add(values, json_object_new_int64(strtoll(at, NULL, 10)));
        json_put_int(tunable, "id", -1);
        json_put_int(tunable, "default", strtoll(line->choices[i], NULL, 10));
        json_put(tunable, "values", values);
        json_put(tunables, line->defines[i].name, tunable);
    }
}

// Writes the workgroup's size. A size given by constants becomes tunable, unless shared memory may depend on it. A
// literal size stays as it is.
void guess_workgroup(struct guess *g) {
    const struct shader_interface *shader = &g->reflection->shader;
    struct json_object *tunables = json_object_new_object(), *constants = json_object_new_object(),
                       *size = json_object_new_array();
    bool tuned = false;
    int last = 2;
    while (last > 0 && shader->size[last] == 1 && shader->size_id[last] < 0) last--;
    for (int i = 0; i < 3; i++)
        if (is_choice(g, workgroup_names[i])) last = last < i ? i : last;
    for (int i = 0; i <= last; i++)
        tuned |= shader->size_id[i] >= 0 || g->reflection->size_names[i] || is_choice(g, workgroup_names[i]);
    for (int i = 0; i <= last; i++) {
        const bool free = (shader->size_id[i] >= 0 || g->reflection->size_names[i]) && !g->reflection->shares;
        json_object_array_add(size, json_object_new_int64(shader->size[i]));
        if (tuned) put_axis(tunables, workgroup_names[i], shader->size[i], free ? last + 1 : 3);
        if (g->reflection->size_names[i]) json_put_string(constants, g->reflection->size_names[i], workgroup_names[i]);
        if (shader->size_id[i] >= 0 && shader->size_id[i] != i) // not 0, 1, 2 as WG_X, WG_Y, WG_Z
            json_put_string(
                constants, arena_format(g->arena, "%lld", (long long)shader->size_id[i]), workgroup_names[i]);
    }
    put_constants(g, tunables, constants);
    put_choices(g, tunables);
    if (tuned)
        json_object_put(size);
    else
        json_put(g->kernel, "local_size", size);
    guess_put(g->kernel, "tunables", tunables);
    guess_put(g->kernel, "constants", constants);
}
