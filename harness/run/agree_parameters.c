// SPDX-License-Identifier: Apache-2.0
// Push constants, or the uniform buffer that stands for them: size, and whether each word is of the right kind.
#include "../base/text.h"
#include "agree.h"

#include <string.h>

static bool is_float(const struct op *op, const char *name) {
    int param = operator_param_index(op, name);
    return param >= 0 && !op->params[param].integer;
}

static const char *joined(struct arena *arena, const struct pass *pass) {
    struct text text = {0};
    for (int i = 0; i < pass->push_count; i++) text_format(&text, "%s%s", i ? ", " : "", pass->push[i]);
    return arena_take(arena, &text);
}

static const struct shader_block *block_of(const struct pass *pass, const struct shader_interface *shader) {
    static const struct shader_block none;
    const struct shader_block *declared = &none;
    if (!pass->uniform) return &shader->push;
    for (int i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *b = &shader->bindings[i];
        bool there = b->set == pass->uniform_place.set && b->binding == pass->uniform_place.binding;
        if (b->kind != SLOT_UNIFORM || !there) continue;
        if (b->used) return &b->block;
        declared = &b->block;
    }
    return declared;
}

// The first word that is not what the manifest gives there; -1: all are.
static int misfit(const struct point *point, const struct pass *pass, const struct shader_block *block) {
    for (int i = 0; i < pass->push_count && i < INTERFACE_WORDS; i++)
        if (block->words[i] != (is_float(point->kernel->op, pass->push[i]) ? 'f' : 'i')) return i;
    return -1;
}

static bool agree_words(const struct point *point, const struct pass *pass, const struct shader_block *block,
    const char *what, struct error *err) {
    static const char *const others[] = {"an integer", "a float"};
    int i = misfit(point, pass, block);
    if (i < 0) return true;
    bool real = is_float(point->kernel->op, pass->push[i]);
    char there = block->words[i];
    return error_set(err, STATUS_BAD_INPUT, "%s: bytes %d to %d are %s, %s; the shader has %s there%s", what, i * 4,
        i * 4 + 3, pass->push[i], others[real],
        there == '.'   ? "nothing"
        : there == '?' ? "a number that is not of 32 bits"
                       : others[!real],
        there == 'i' || there == 'f' ? ": in another order?" : "");
}

// Kernels of one file share its declarations: a block that this entry point has no use for, and another has.
static bool is_declared(const struct point *point, const struct pass *pass, const struct shader_declarations *all) {
    for (int i = 0; i < all->count; i++) {
        const struct shader_declared *d = &all->items[i];
        struct binding_place place = pass->uniform_place;
        if (pass->uniform ? d->push || d->set != place.set || d->binding != place.binding : !d->push) continue;
        if (d->block.bytes == (uint32_t)pass->push_count * 4 && misfit(point, pass, &d->block) < 0) return true;
    }
    return false;
}

bool agree_parameters(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    const struct shader_block *block = block_of(pass, &loaded->shader), *push = &loaded->shader.push;
    const char *what = pass->uniform ? "uniform parameters" : "push constants";
    uint32_t bytes = (uint32_t)pass->push_count * 4;
    if (pass->uniform && push->bytes)
        return error_set(err, STATUS_BAD_INPUT,
            "the shader takes %u bytes of push constants; the manifest gives its parameters in a uniform buffer",
            push->bytes);
    if (!bytes && !block->bytes) return true;
    if (!block->bytes && is_declared(point, pass, &loaded->declarations)) return true;
    if (block->bytes != bytes)
        return error_set(err, STATUS_BAD_INPUT, "%s: the shader takes %u bytes, the manifest gives %u (%s)", what,
            block->bytes, bytes, bytes ? joined(arena, pass) : "none");
    return agree_words(point, pass, block, what, err);
}
