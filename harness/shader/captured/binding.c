// SPDX-License-Identifier: Apache-2.0
#include "binding.h"

#include "../../base/hash.h"

#include <stdlib.h>
#include <string.h>

// Returns the type in which a variable's elements are shown. Anything but plain numbers is shown as words.
static enum dtype dtype_of(const struct shader_binding *b) {
    if (b->element == ELEMENT_NONE && *b->block.words && b->block.words[strspn(b->block.words, "f")] == '\0')
        return DTYPE_F32;
    if (b->element == ELEMENT_FLOAT && b->bits <= 32) return b->bits == 32 ? DTYPE_F32 : DTYPE_F16;
    return b->element == ELEMENT_INT && b->bits == 8 ? DTYPE_U8 : DTYPE_U32;
}

static struct bound_buffer *buffer_at(struct bound_buffer *list, int count, const struct shader_binding *b) {
    for (int i = 0; i < count; i++)
        if (list[i].place.set == b->set && list[i].place.binding == b->binding) return &list[i];
    return NULL;
}

// Adds a variable to the buffer of its place. Several variables may view one buffer.
static const char *add_variable(struct bound_dispatch *out, const struct shader_binding *b) {
    const bool uniform = b->kind == SLOT_UNIFORM;
    struct bound_buffer *list = uniform ? out->uniforms : out->buffers;
    int *count = uniform ? &out->uniform_count : &out->buffer_count;
    struct bound_buffer *there = buffer_at(list, *count, b);
    if (b->kind != SLOT_STORAGE && !uniform) return "images and other resources that are no buffers";
    if (b->many) return "arrays of descriptors";
    if (!there) {
        if (*count == (uniform ? KERNEL_BLOCKS - 1 : KERNEL_BINDINGS)) return "too many buffers";
        there = &list[(*count)++];
        *there = (struct bound_buffer){.place = {b->set, b->binding},
            .recorded = captured_operand_at(out->dispatch, b->set, b->binding),
            .name = b->name,
            .dtype = dtype_of(b)};
    }
    if (!there->recorded) return "a buffer that the module uses is missing in the recording";
    if (!there->recorded->bytes) return "an empty range";
    if (there->dtype != dtype_of(b)) there->dtype = DTYPE_U32;
    there->read |= b->read;
    there->written |= b->written;
    if (b->block.bytes > there->block_bytes) there->block_bytes = b->block.bytes;
    return NULL;
}

static int by_place(const void *a, const void *b) {
    const struct binding_place *x = &((const struct bound_buffer *)a)->place,
                               *y = &((const struct bound_buffer *)b)->place;
    return x->set != y->set ? (x->set > y->set) - (x->set < y->set)
                            : (x->binding > y->binding) - (x->binding < y->binding);
}

static const char *check_uniforms(const struct bound_dispatch *d) {
    for (int i = 0; i < d->uniform_count; i++) {
        const struct bound_buffer *u = &d->uniforms[i];
        if (u->block_bytes > 4 * KERNEL_WORDS) return "a uniform block of more than 256 bytes";
        if (u->block_bytes > u->recorded->bytes) return "a uniform range shorter than its block";
        if (!u->recorded->before) return "contents that were not recorded";
    }
    return NULL;
}

// ---- buffers with bytes in common

static bool overlap(const struct captured_operand *a, const struct captured_operand *b) {
    return a->memory == b->memory && a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

// Gives buffers with bytes in common one number, in the order of bindings.
static const char *number_operands(struct bound_dispatch *d) {
    int of[KERNEL_BINDINGS];
    for (int i = 0; i < d->buffer_count; i++) {
        of[i] = i;
        for (int k = 0; k < i; k++) {
            const int from = of[i], to = of[k];
            if (from == to || !overlap(d->buffers[i].recorded, d->buffers[k].recorded)) continue;
            for (int j = 0; j <= i; j++)
                if (of[j] == from || of[j] == to) of[j] = from < to ? from : to;
        }
    }
    for (int i = 0; i < d->buffer_count; i++) {
        if (of[i] == i && d->operand_count == OPERATOR_OPERANDS) return "too many buffers";
        d->buffers[i].operand = of[i] == i ? d->operand_count++ : d->buffers[of[i]].operand;
    }
    return NULL;
}

static void place_operands(struct bound_dispatch *d) {
    for (int o = 0; o < d->operand_count; o++) {
        uint64_t first = UINT64_MAX, end = 0;
        for (int i = 0; i < d->buffer_count; i++) {
            const struct captured_operand *r = d->buffers[i].recorded;
            if (d->buffers[i].operand != o) continue;
            if (r->offset < first) first = r->offset;
            if (r->offset + r->bytes > end) end = r->offset + r->bytes;
        }
        d->operands[o].offset = first;
        d->operands[o].bytes = end - first;
    }
}

static const char *check_contents(const struct bound_dispatch *d) {
    bool written = false;
    for (int i = 0; i < d->buffer_count; i++) {
        if (!d->buffers[i].recorded->before) return "contents that were not recorded";
        written |= d->buffers[i].written;
    }
    return written ? NULL : "no buffer that the module writes";
}

// ---- constants

static const char *check_constants(const struct bound_dispatch *d) {
    const struct captured_pipeline *p = d->dispatch->pipeline;
    const struct shader_interface *shader = &d->module->shader;
    int count = 0;
    for (size_t i = 0; i < p->constant_count; i++)
        for (int k = 0; k < shader->constant_count; k++) {
            if (shader->constants[k].id != p->constants[i].id) continue;
            if (strlen(p->constants[i].bytes) != 8) return "a specialization constant that is not of 32 bits";
            if (++count > KERNEL_CONSTANTS) return "too many specialization constants";
        }
    return p->push_bytes > 4 * KERNEL_WORDS     ? "more than 256 bytes of push constants"
           : shader->push.bytes > p->push_bytes ? "fewer push constants than the module reads"
           : d->dispatch->base[0] || d->dispatch->base[1] || d->dispatch->base[2] ? "a grid that does not begin at 0"
                                                                                  : NULL;
}

static uint64_t hash_buffer(uint64_t hash, const struct bound_buffer *b) {
    const uint32_t parts[] = {b->place.set, b->place.binding, (uint32_t)b->operand, b->block_bytes};
    return hash_bytes(hash, parts, sizeof parts);
}

static uint64_t key_of(const struct bound_dispatch *d) {
    const struct captured_pipeline *p = d->dispatch->pipeline;
    uint64_t key = hash_string(hash_string(HASH_START, p->module), p->entry);
    key = hash_string(key, p->name ? p->name : "");
    for (size_t i = 0; i < p->constant_count; i++)
        key = hash_string(hash_bytes(key, &p->constants[i].id, sizeof p->constants[i].id), p->constants[i].bytes);
    key = hash_bytes(key, &p->subgroup_size, sizeof p->subgroup_size);
    key = hash_bytes(key, &p->push_bytes, sizeof p->push_bytes);
    key = hash_string(key, p->device->name);
    key = hash_string(hash_string(key, p->device->driver_name), p->device->driver_info);
    for (int i = 0; i < d->buffer_count; i++) key = hash_buffer(key, &d->buffers[i]);
    for (int i = 0; i < d->uniform_count; i++) key = hash_buffer(key, &d->uniforms[i]);
    return key;
}

const char *dispatch_bind(
    const struct captured_dispatch *dispatch, const struct captured_module *module, struct bound_dispatch *out) {
    const char *why = module->why;
    *out = (struct bound_dispatch){.dispatch = dispatch, .module = module};
    for (int i = 0; !why && i < module->shader.binding_count; i++)
        if (module->shader.bindings[i].used) why = add_variable(out, &module->shader.bindings[i]);
    qsort(
        out->buffers, (size_t)out->buffer_count, sizeof *out->buffers, by_place); // builds order variables differently
    if (!why) why = check_uniforms(out);
    if (!why) why = check_constants(out);
    if (!why) why = check_contents(out);
    if (!why) why = number_operands(out);
    if (why) return why;
    place_operands(out);
    out->key = key_of(out);
    return NULL;
}
