// SPDX-License-Identifier: Apache-2.0
#include "seen.h"

#include "../../../base/file.h"
#include "../../../../reference/operator.h"
#include "../../../base/memory.h"
#include "../../../shader/spirv/controls_declared.h"
#include "../../../shader/spirv/spirv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A dispatch with more bytes is left out: its operands are kept in memory as doubles.
static const uint64_t most_bytes = (uint64_t)1 << 28;

static const void *contents(struct seen *seen, const char *folder, const char *hash, uint64_t bytes) {
    struct error err;
    void *out = arena_alloc(&seen->arena, bytes, 1);
    return capture_operand(folder, hash, out, bytes, &err) ? out : NULL;
}

// ---- buffers

static bool is_parameters(const struct reflection *reflection, const struct shader_binding *b) {
    for (int i = 0; i < reflection->block_count; i++) {
        const struct reflected_block *block = &reflection->blocks[i];
        if (!block->push && block->set == b->set && block->binding == b->binding) return true;
    }
    return false;
}

static uint64_t changed_bytes(const struct seen_buffer *b) {
    const unsigned char *before = b->before, *after = b->after;
    uint64_t end = before == after ? 0 : b->bytes;
    while (end && before[end - 1] == after[end - 1]) end--;
    return end;
}

// Returns whether all words are 0 or 1: those before if the module reads them, and the changed ones after.
static bool has_truths(const struct seen_buffer *b) {
    const uint32_t *before = b->before, *after = b->after;
    for (uint64_t i = 0; b->read && i < b->bytes / 4; i++)
        if (before[i] > 1) return false;
    for (uint64_t i = 0; i < b->changed / 4; i++)
        if (after[i] > 1) return false;
    return b->shader->element == ELEMENT_INT && b->shader->bits == 32;
}

// Counts words that are ordinary floats, and others: small integers are subnormal, and small negative ones are NaNs.
static void count_floats(const uint32_t *words, uint64_t count, uint64_t *ordinary, uint64_t *others) {
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t exponent = words[i] >> 23 & 0xff, fraction = words[i] & 0x7fffff;
        const bool other = exponent == 0 || (exponent == 0xff && fraction && fraction != 0x400000);
        if (exponent || fraction) ++*(other ? others : ordinary);
    }
}

// Returns whether nearly all words of integers but zeros are floats: those before if the module reads them, and the
// changed ones after.
static bool has_floats(const struct seen_buffer *b) {
    uint64_t ordinary = 0, others = 0;
    if (b->shader->element != ELEMENT_INT || b->shader->bits != 32) return false;
    if (b->read) count_floats(b->before, b->bytes / 4, &ordinary, &others);
    count_floats(b->after, b->changed / 4, &ordinary, &others);
    return ordinary > 8 * others;
}

static const char *add_buffer(struct seen *out, const char *folder, const struct shader_binding *b, uint64_t *total) {
    const struct captured_operand *recorded = captured_operand_at(out->dispatch, b->set, b->binding);
    struct seen_buffer *buffer = NULL;
    if (b->kind != SLOT_STORAGE) return "it has a resource that is no buffer";
    if (b->many) return "it has an array of descriptors";
    if (!recorded || !recorded->before || (b->written && !recorded->after)) return "a buffer was not recorded";
    for (int i = 0; i < out->buffer_count; i++)
        if (out->buffers[i].shader->set == b->set && out->buffers[i].shader->binding == b->binding)
            buffer = &out->buffers[i];
    if (!buffer) {
        if (out->buffer_count == OPERATOR_OPERANDS) return "it has more buffers than any operator has operands";
        if (recorded->bytes > most_bytes - *total) return "its buffers have more than 256 MiB";
        *total += recorded->bytes;
        buffer = &out->buffers[out->buffer_count++];
        *buffer = (struct seen_buffer){.shader = b, .bytes = recorded->bytes};
        buffer->after = buffer->before = contents(out, folder, recorded->before, recorded->bytes);
    }
    if (b->written && !buffer->written && strcmp(recorded->before, recorded->after) != 0)
        buffer->after = contents(out, folder, recorded->after, recorded->bytes);
    if (!buffer->before || !buffer->after) return "a file of the folder is damaged or missing";
    buffer->read |= b->read;
    buffer->written |= b->written;
    buffer->changed = changed_bytes(buffer);
    buffer->truths = has_truths(buffer);
    buffer->floats = has_floats(buffer);
    return NULL;
}

// ---- words of parameters

static const char *add_words(struct seen *out, const char *folder, int index) {
    const struct reflected_block *block = &out->reflection->blocks[index];
    uint32_t words[INTERFACE_WORDS] = {0};
    const size_t count = block->block->bytes / 4 < INTERFACE_WORDS ? block->block->bytes / 4 : INTERFACE_WORDS;
    if (block->push) {
        if (capture_bytes(out->dispatch->push, words, sizeof words) == SIZE_MAX)
            return "it has more than 256 bytes of push constants";
    } else {
        const struct captured_operand *recorded = captured_operand_at(out->dispatch, block->set, block->binding);
        const void *bytes =
            recorded && recorded->before ? contents(out, folder, recorded->before, recorded->bytes) : NULL;
        if (!bytes) return "a buffer of parameters was not recorded";
        memcpy(words, bytes, recorded->bytes < sizeof words ? recorded->bytes : sizeof words);
    }
    for (size_t i = 0; i < count && out->word_count < SEEN_WORDS; i++)
        out->words[out->word_count++] = (struct seen_word){.bits = words[i],
            .kind = block->block->words[i],
            .block = index,
            .at = (int)i,
            .name = block->names[i] ? block->names[i] : ""};
    return NULL;
}

// ---- constants

static bool is_float_type(const uint32_t *words, size_t count, uint32_t id) {
    for (size_t at = 0; spirv_next(words, count, &at);)
        if (spirv_op(&words[at]) == SpvOpTypeFloat && spirv_length(&words[at]) >= 3 && words[at + 1] == id)
            return words[at + 2] == 32;
    return false;
}

// Collects what the module has: floats, for an epsilon or a slope, the handling of NaN, and atomic sums.
static void read_module(struct seen *out) {
    struct error err;
    size_t length;
    const uint32_t *words = (const void *)file_read(&out->arena, out->reflection->path, &length, &err);
    const size_t count = words ? length / 4 : 0;
    out->specials = controls_declared(words, count, 32).specials;
    for (size_t at = 0; spirv_next(words, count, &at);) {
        float number;
        const uint32_t op = spirv_op(&words[at]);
        out->atomic_sums |= op == SpvOpAtomicCompareExchange || op == SpvOpAtomicFAddEXT;
        if (out->number_count == SEEN_NUMBERS || op != SpvOpConstant || spirv_length(&words[at]) != 4) continue;
        if (!is_float_type(words, count, words[at + 1])) continue;
        memcpy(&number, &words[at + 3], sizeof number);
        if (isfinite(number)) out->numbers[out->number_count++] = number;
    }
}

// ----

const char *seen_open(const char *folder, const struct captured_dispatch *dispatch, const struct reflection *reflection,
    struct seen *out) {
    const struct shader_interface *shader = &reflection->shader;
    const char *why = NULL;
    uint64_t total = 0;
    *out = (struct seen){.dispatch = dispatch, .reflection = reflection};
    if (dispatch->base[0] || dispatch->base[1] || dispatch->base[2]) return "its grid does not begin at 0";
    for (int i = 0; i < reflection->block_count && !why; i++) why = add_words(out, folder, i);
    for (int i = 0; i < shader->binding_count && !why; i++)
        if (shader->bindings[i].used && !is_parameters(reflection, &shader->bindings[i]))
            why = add_buffer(out, folder, &shader->bindings[i], &total);
    for (int axis = 0; axis < 3; axis++)
        out->group[axis] = captured_constant_bits(dispatch->pipeline, shader->size_id[axis], shader->size[axis]);
    read_module(out);
    return why;
}

void seen_close(struct seen *seen) {
    for (int i = 0; i < seen->buffer_count; i++)
        for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) free(seen->buffers[i].as_double[dtype]);
    arena_free(&seen->arena);
}

int seen_variety(const struct seen *seen) {
    int most = 0;
    for (int i = 0; i < seen->buffer_count; i++) {
        const struct seen_buffer *b = &seen->buffers[i];
        const uint32_t *words = b->after;
        int count = 0;
        for (uint64_t k = 1; k < b->changed / 4 && count < SEEN_VARIETY; k++)
            count += words[k] != words[k - 1] &&
                     (b->shader->element != ELEMENT_FLOAT || (words[k] & 0x7f800000u) != 0x7f800000u);
        if (count > most) most = count;
    }
    return most;
}

bool seen_may_be(const struct seen_buffer *buffer, enum dtype dtype) {
    const struct dtype_info *info = dtype_info(dtype);
    const struct shader_binding *b = buffer->shader;
    if (info->elements != 1 || b->offset) return false;
    // Small integers of 32 bits are no floats: read as such, they are all within any bound of 0.
    if (b->element == ELEMENT_INT && info->is_float && b->bits == 32) return buffer->floats && dtype == DTYPE_F32;
    if (b->element == ELEMENT_INT) return info->integer_widths & b->bits;
    return b->element == ELEMENT_FLOAT && info->float_widths & b->bits && info->bytes * 8 == (int)b->bits;
}

enum dtype seen_type(const struct seen_buffer *buffer, const struct operand *operand, enum dtype of_case) {
    if (operand->dtype == DTYPE_U8 && buffer->truths) return DTYPE_I32;
    const bool half = buffer->shader->element == ELEMENT_FLOAT && buffer->shader->bits == 16;
    return operand->dtype == DTYPE_CASE && of_case == DTYPE_F32 && half ? DTYPE_F16 : DTYPE_CASE;
}

int64_t seen_elements(uint64_t bytes, enum dtype dtype) {
    return (int64_t)(bytes / (uint64_t)dtype_info(dtype)->bytes);
}

const double *seen_doubles(struct seen *seen, int buffer, enum dtype dtype) {
    struct seen_buffer *b = &seen->buffers[buffer];
    if (!b->as_double[dtype]) {
        const int64_t count = seen_elements(b->bytes, dtype);
        b->as_double[dtype] = memory_large((size_t)(count ? count : 1) * sizeof(double));
        if (!b->as_double[dtype]) return NULL;
        for (int64_t i = 0; i < count; i++) b->as_double[dtype][i] = dtype_load(dtype, b->before, i);
    }
    return b->as_double[dtype];
}
