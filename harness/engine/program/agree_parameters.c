// SPDX-License-Identifier: Apache-2.0
// Checks blocks of parameters in push constants, uniform and storage buffers: existence, size, and the kind of each
// word.
#include "../../base/text.h"
#include "../../shader/manifest/dispatches.h"
#include "agree.h"

struct parameter_view {
    const struct kernel *kernel;
    const struct block *block; // of the manifest
    const char *what;
};

// ---- the shader's block

// The words of a block, and the elements of a runtime array behind them if a storage buffer ends with one.
struct there {
    const struct shader_block *block;
    char rest; // '.': no array follows
};

static char kind_at(const struct there *there, int word) {
    return (uint32_t)word * 4 < there->block->bytes ? there->block->words[word] : there->rest;
}

static const struct shader_binding *binding_of(const struct block *block, const struct shader_interface *shader) {
    const struct shader_binding *declared = NULL;
    const enum slot_kind kind = block->kind == BLOCK_STORAGE ? SLOT_STORAGE : SLOT_UNIFORM;
    for (int i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *b = &shader->bindings[i];
        bool at = b->set == block->place.set && b->binding == block->place.binding;
        if (!at || b->kind != kind) continue;
        if (b->used) return b;
        declared = b;
    }
    return declared;
}

// ---- comparison with the manifest

// Returns the first word of another kind than the manifest gives; -1: all match.
static int misfit(const struct parameter_view *v, const struct there *there) {
    for (int i = 0; i < v->block->count && i < INTERFACE_WORDS; i++) {
        const struct word *word = &v->block->words[i];
        const char found = kind_at(there, i);
        if (word->kind != WORD_PAD && found != '*' && found != (word_is_float(v->kernel, word) ? 'f' : 'i')) return i;
    }
    return -1;
}

// Returns whether the block's size fits. Trailing pads are optional, because some hosts round a block up.
static bool size_fits(const struct parameter_view *v, const struct there *there) {
    int least = v->block->count;
    while (least > 0 && v->block->words[least - 1].kind == WORD_PAD) least--;
    if (there->rest != '.') return there->block->bytes <= (uint32_t)v->block->count * 4;
    return there->block->bytes >= (uint32_t)least * 4 && there->block->bytes <= (uint32_t)v->block->count * 4;
}

static bool agree_words(const struct parameter_view *v, const struct there *there, struct error *err) {
    static const char *const others[] = {"an integer", "a float"};
    int i = misfit(v, there);
    if (i < 0) return true;
    const struct word *word = &v->block->words[i];
    bool real = word_is_float(v->kernel, word);
    char found = kind_at(there, i);
    const char *hint = found == '.'                                 ? " (\"pad\" fills it)"
                       : word->kind == WORD_INTEGER && found == 'f' ? " (a float is written with a point)"
                       : found == 'i' || found == 'f'               ? ": in another order?"
                                                                    : "";
    return error_set(err, STATUS_BAD_INPUT, "%s: bytes %d to %d are %s, %s; the shader has %s there%s", v->what, i * 4,
        i * 4 + 3, word->text, others[real],
        found == '.'   ? "nothing"
        : found == '?' ? "a number that is not of 32 bits"
                       : others[!real],
        hint);
}

// Returns whether the module declares such a block. Kernels in one file share declarations, so a block may be used by
// another entry point only.
static bool is_declared(const struct parameter_view *v, const struct shader_declarations *all) {
    const struct block *block = v->block;
    for (int i = 0; i < all->count; i++) {
        const struct shader_declared *d = &all->items[i];
        bool at = d->set == block->place.set && d->binding == block->place.binding;
        if (block->kind == BLOCK_PUSH ? !d->push : d->push || !at) continue;
        const struct there there = {&d->block, '.'};
        if (block->kind == BLOCK_STORAGE ? d->storage : size_fits(v, &there) && misfit(v, &there) < 0) return true;
    }
    return false;
}

static struct there there_of(const struct block *block, const struct shader_interface *shader) {
    static const struct shader_block none;
    if (block->kind == BLOCK_PUSH) return (struct there){&shader->push, '.'};
    const struct shader_binding *b = binding_of(block, shader);
    if (!b) return (struct there){&none, '.'};
    if (b->kind != SLOT_STORAGE || b->element == ELEMENT_NONE) return (struct there){&b->block, '.'};
    const bool is_word = b->bits == 32 && b->stride % 4 == 0 && b->stride == b->element_bytes;
    if (b->element == ELEMENT_OTHER || !is_word) return (struct there){&b->block, '?'};
    return (struct there){&b->block, b->element == ELEMENT_INT ? 'i' : 'f'};
}

static bool agree_block(
    struct arena *arena, const struct parameter_view *v, const struct loaded *loaded, struct error *err) {
    const struct there there = there_of(v->block, &loaded->shader);
    if (!there.block->bytes && there.rest == '.' && is_declared(v, &loaded->declarations)) return true;
    if (!size_fits(v, &there)) {
        struct text words = {0};
        for (int i = 0; i < v->block->count; i++) text_format(&words, "%s%s", i ? ", " : "", v->block->words[i].text);
        return error_set(err, STATUS_BAD_INPUT, "%s: the shader takes %u bytes, the manifest gives %u (%s)", v->what,
            there.block->bytes, (uint32_t)v->block->count * 4, arena_take(arena, &words));
    }
    const struct shader_binding *b = v->block->kind == BLOCK_STORAGE ? binding_of(v->block, &loaded->shader) : NULL;
    if (b && b->written)
        return error_set(err, STATUS_BAD_INPUT, "%s: the shader writes to binding %u of set %u, where they stand",
            v->what, b->binding, b->set);
    return agree_words(v, &there, err);
}

bool agree_parameters(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    const uint32_t push = loaded->shader.push.bytes;
    if (push && !pass_push(pass) && pass->block_count)
        return error_set(err, STATUS_BAD_INPUT,
            "the shader takes %u bytes of push constants; the manifest gives its parameters in a %s buffer", push,
            pass->blocks[0].kind == BLOCK_UNIFORM ? "uniform" : "storage");
    if (push && !pass_push(pass))
        return error_set(
            err, STATUS_BAD_INPUT, "push constants: the shader takes %u bytes, the manifest gives 0 (none)", push);
    for (int i = 0; i < pass->block_count; i++) {
        const struct parameter_view v = {point->kernel, &pass->blocks[i], block_kind_name(pass->blocks[i].kind)};
        if (!agree_block(arena, &v, loaded, err)) return false;
    }
    return true;
}
