// SPDX-License-Identifier: Apache-2.0
#include "place.h"

#include "../../base/file.h"
#include "../../engine/program/agree.h"
#include "../../../reference/table.h"

#include <string.h>

void place_miss(struct init *init, const char *path, const char *variant, const char *entry, const char *why) {
    const bool named = strncmp(why, path, strlen(path)) == 0; // by a compiler
    const char *line = named ? why
                             : arena_format(init->arena, "%s%s%s%s%s%s: %s", path, *variant ? " (" : "", variant,
                                   *variant ? ")" : "", *entry ? ", " : "", entry, why);
    init->why = init->why ? init->why : line;
    if (!init->one) fprintf(stderr, "vkassay: not placed: %s\n", line);
    init->missed++;
}

static void miss(struct init *init, const struct reflection *reflection, const char *why) {
    place_miss(init, reflection->path, reflection->variant, reflection->entry, why);
}

// ---- one entry point

static void name_kernel(struct init *init, struct json_object *kernel) {
    const char *name = json_get_string(kernel, "name", ""), *own = arena_copy(init->arena, name);
    bool taken = true;
    for (int i = 2; taken; i++) {
        taken = init->one && kernel_named(&init->others, own);
        for (size_t k = 0; k < init->placed_count && !taken; k++)
            taken = strcmp(json_get_string(init->placed[k].kernel, "name", ""), own) == 0;
        if (taken) own = arena_format(init->arena, "%s_%d", name, i);
    }
    json_put_string(kernel, "name", own);
}

void place_kernel(struct init *init, struct placed_kernel placed) {
    name_kernel(init, placed.kernel);
    const char *refused = guess_refused(init->arena, placed.kernel, init->folder);
    if (refused) {
        if (!placed.is_other)
            miss(init, placed.reflection,
                arena_format(init->arena, "as %s: its manifest would be refused: %s",
                    json_get_string(placed.kernel, "operator", ""), refused));
        json_object_put(placed.kernel);
        return;
    }
    init->placed =
        arena_grow(init->arena, init->placed, init->placed_count, &init->placed_capacity, sizeof *init->placed);
    init->placed[init->placed_count++] = placed;
}

// Chooses the operator of an entry point: the given one, the dictionary's, or one named by the shader. Returns NULL
// with the reason.
static const struct op *choose(
    struct init *init, const struct reflection *reflection, const struct op **second, bool *given, const char **why) {
    const char *reason, *unknown, *type;
    const struct op *op = dictionary_operator(init->dictionary, reflection, &reason, &unknown);
    *second = NULL;
    *given = op || init->op;
    *why = reason;
    if (reason && !init->op) return NULL;
    if (init->op) return init->op;
    type = guess_block_type(reflection);
    *why = type      ? arena_format(init->arena, "type %s", type)
           : unknown ? arena_format(init->arena, "the dictionary's operator \"%s\" is unknown", unknown)
                     : "no operator has this name; use `vkassay init OPERATOR FILE` (see `vkassay list operators`)";
    if (type || unknown) return NULL;
    return op ? op : guess_operator_of(reflection, second);
}

// Returns why no manifest can run the entry point: a resource that is no buffer, or a capability. NULL: one can.
static const char *unusable(struct init *init, const struct reflection *reflection) {
    for (int i = 0; i < reflection->shader.binding_count; i++) {
        const struct shader_binding *b = &reflection->shader.bindings[i];
        if (b->used && binding_way(b))
            return arena_format(init->arena, "binding %u: the shader has %s there: %s", b->binding,
                binding_kind_name(b), binding_way(b));
    }
    return agree_never_enabled(init->arena, &reflection->shader);
}

static struct json_object *guess(
    struct init *init, const struct reflection *reflection, const struct op *op, const char **why) {
    return guess_kernel(init->arena, reflection, &(struct guess_turn){.op = op}, init->dictionary, init->folder, why);
}

static void place(struct init *init, const struct reflection *reflection) {
    struct placed_kernel placed = {.reflection = reflection, .entries = reflection->entry};
    const char *why = unusable(init, reflection);
    const struct op *op = why ? NULL : choose(init, reflection, &placed.second, &placed.given, &why);
    if (!op) {
        miss(init, reflection, why);
        return;
    }
    placed.keeps = dictionary_keeps(init->dictionary, reflection, op);
    placed.op = op;
    placed.kernel = guess(init, reflection, op, &why);
    for (int i = 0; !placed.kernel && !placed.given; i++) {
        const char *ignored;
        if (!(placed.op = guess_relative(op, i))) break;
        placed.kernel = guess(init, reflection, placed.op, &ignored);
    }
    if (placed.kernel)
        place_kernel(init, placed);
    else
        miss(init, reflection, arena_format(init->arena, "as %s: %s", operator_name(op), why));
}

// ---- passes

void place_found(struct init *init, const struct reflection *reflection) {
    const bool plain = strcmp(reflection->entry, "main") == 0;
    const char *name =
        plain ? reflection->stem : arena_format(init->arena, "%s_%s", reflection->stem, reflection->entry);
    struct found_entry found = {.reflection = reflection, .folder = file_folder(init->arena, reflection->path)};
    if (!reflection->line) found.pass = guess_pass(init->arena, name, &found.stem);
    init->found = arena_grow(init->arena, init->found, init->count, &init->capacity, sizeof *init->found);
    init->found[init->count++] = found;
}

// Collects the passes of the same kernel, in their order.
static int gather(const struct init *init, const struct found_entry *one, struct found_entry *out[INIT_PASSES]) {
    int count = 0;
    for (size_t i = 0; i < init->count; i++) {
        struct found_entry *other = &init->found[i];
        int at = count;
        if (other->placed || !other->pass || strcmp(other->stem, one->stem) != 0 ||
            strcmp(other->folder, one->folder) != 0 || count == INIT_PASSES)
            continue;
        for (; at > 0 && out[at - 1]->pass > other->pass; at--) out[at] = out[at - 1];
        if (at > 0 && out[at - 1]->pass == other->pass) return 0; // two have the same number
        out[at] = other;
        count++;
    }
    return count;
}

static bool place_passes(struct init *init, const struct found_entry *one) {
    struct found_entry *passes[INIT_PASSES];
    const struct reflection *reflection[INIT_PASSES];
    struct placed_kernel placed = {.entries = ""};
    const struct op *op = init->op;
    const char *why;
    const int count = one->pass ? gather(init, one, passes) : 0;
    if (count < 2) return false;
    for (int i = 0; i < count; i++) {
        reflection[i] = passes[i]->reflection;
        const char *slash = strrchr(reflection[i]->path, '/'), *entry = reflection[i]->entry;
        const bool plain = i && strcmp(entry, "main") == 0; // in another file
        placed.entries = arena_format(init->arena, "%s%s%s", placed.entries, i ? ", " : "",
            plain ? (slash ? slash + 1 : reflection[i]->path) : entry);
        if (!op) op = choose(init, reflection[i], &placed.second, &placed.given, &why);
    }
    placed.reflection = reflection[0];
    placed.kernel =
        op ? guess_passes(init->arena, reflection, count, op, init->dictionary, one->stem, init->folder, &why) : NULL;
    if (!placed.kernel) return false;
    for (int i = 0; i < count; i++) passes[i]->placed = true;
    place_kernel(init, placed);
    return true;
}

void place_all(struct init *init) {
    for (size_t i = 0; i < init->count; i++) {
        if (init->found[i].placed || place_passes(init, &init->found[i])) continue;
        init->found[i].placed = true;
        place(init, init->found[i].reflection);
    }
}
