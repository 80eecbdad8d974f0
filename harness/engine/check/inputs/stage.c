// SPDX-License-Identifier: Apache-2.0
// What the host writes for a run: inputs, guards, and poison or earlier results in outputs.
#include "problem_data.h"

#include "../../../../reference/operator.h"
#include "../../../base/hash.h"
#include "../../../base/memory.h"
#include "../../../base/parallel.h"
#include "strided.h"

#include <string.h>

enum { DISTURBED_BLOCK = 8, DISTURBED_STRETCH = 64 }; // words

struct staging {
    const struct problem *problem;
    const struct operand_data *operand;
    unsigned char *data;
    uint32_t run;
    int index;
};

// Returns whether word `at` of `count` is left as an earlier run left it, in memory disturbed before another run. One
// word in eight is not. A kernel that finds its marks and skips its work then leaves wrong words behind. Word 0 stays,
// since marks are likely there.
static bool disturbed_keeps(uint64_t key, uint64_t at, uint64_t count) {
    const uint64_t block = at / DISTURBED_BLOCK, left = count - block * DISTURBED_BLOCK;
    const uint32_t among = left < DISTURBED_BLOCK ? (uint32_t)left : DISTURBED_BLOCK;
    const uint32_t bits = guard_word((uint32_t)key, (uint32_t)(key >> 32), block);
    const uint32_t place = block || among == 1 ? bits % among : 1 + bits % (among - 1);
    return at % DISTURBED_BLOCK != place;
}

// Returns whether a stretch of an output keeps an earlier run's results at all. Half of them do: reads of outputs that
// nobody wrote yet are found by poison alone.
static bool keeps_stretch(uint64_t key, uint64_t stretch) {
    return stretch == 0 || guard_word((uint32_t)(key >> 32), (uint32_t)key, stretch) & 1;
}

// Returns whether a byte of both words is equal.
static bool share_byte(uint32_t a, uint32_t b) {
    const uint32_t x = a ^ b;
    return (((x - 0x01010101u) & ~x) & 0x80808080u) != 0;
}

// Puts words of the kept outputs over their poison. A word with poison of that run was never written and gets none: it
// must hold the poison of every run to be found (check_unwritten.c).
static void disturb_kept(const struct staging *s, uint64_t first, uint64_t end) {
    const uint64_t key = s->problem->key ^ ((uint64_t)s->run << 8 | (uint32_t)s->index) * 0x9e3779b97f4a7c15u;
    const unsigned char *got = s->operand->got;
    for (uint64_t at = first; at < end; at++) {
        uint32_t word;
        if (!keeps_stretch(key, at / DISTURBED_STRETCH)) {
            at |= DISTURBED_STRETCH - 1;
            continue;
        }
        memcpy(&word, got + 4 * at, 4);
        if (disturbed_keeps(key, at, s->operand->bytes / 4) &&
            !share_byte(word, poison_word(s->problem->got_run, s->index, at)))
            memcpy(s->data + 4 * at, &word, 4);
    }
}

static void stage_chunk(void *context, int64_t first, int64_t count) {
    const struct staging *s = context;
    const struct operand_data *source = s->operand->from ? s->operand->from : s->operand;
    if (source->image) {
        const uint64_t at = ((uint64_t)first + source->turn) % source->bytes, left = source->bytes - at;
        const uint64_t head = left < (uint64_t)count ? left : (uint64_t)count;
        memcpy(s->data + first, (const unsigned char *)source->image + at, (size_t)head);
        memcpy(s->data + first + head, source->image, (size_t)((uint64_t)count - head));
        return;
    }
    // The guard pattern of another run number; it changes with run, operand and place.
    guard_words(s->data + first, (uint64_t)count, ~s->run, (uint32_t)s->index, (uint64_t)first / 4);
    if (s->run > 1 && s->problem->got_run) disturb_kept(s, (uint64_t)first / 4, (uint64_t)(first + count) / 4);
}

static void stage_strided(const struct staging *s, uint32_t guard_run, struct reused_memory *packing) {
    struct staging packed = *s;
    strided_fill(s->operand, s->index, guard_run, s->data);
    packed.data = reused_take(packing, s->operand->bytes);
    if (!packed.data) memory_out((size_t)s->operand->bytes, 1);
    parallel_for((int64_t)s->operand->bytes, 1 << 16, stage_chunk, &packed);
    strided_scatter(s->operand, packed.data, s->data);
}

void problem_turn(struct problem *problem, uint64_t key) {
    problem->inputs_placed = problem->packed_placed = false;
    for (int i = 0; i < problem->operand_count; i++) {
        struct operand_data *operand = &problem->operands[i];
        const struct operand *described = &problem->op->operands[i];
        const int rank = operand_rank(described->shape);
        operand->turn = 0;
        if (!key || !operand->image || operand->is_fixed || !rank) continue;
        int64_t line = problem->dims[operator_dim_index(problem->op, described->shape[rank - 1])];
        if (line <= 0 || line >= operand->elements) line = dtype_info(operand->dtype)->elements;
        const int64_t lines = operand->elements / line;
        const uint64_t bits = hash_bytes(key, &i, sizeof i);
        uint64_t turn;
        if (lines < 2 || !dtype_bytes(operand->dtype, line * (1 + (int64_t)(bits % (uint64_t)(lines - 1))), &turn))
            continue;
        operand->turn = turn < operand->bytes ? turn : 0;
    }
}

void problem_stage(struct problem *problem, uint32_t run, bool inputs) {
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_IN && !inputs) continue;
        uint32_t guard_run = operand->role == ROLE_IN ? GUARD_RUN_INPUTS : run;
        unsigned char *span = (unsigned char *)problem->upload.host + operand->staging;
        uint64_t after = problem->guard + operand->extent;
        guard_fill(span, problem->guard, guard_run, (uint32_t)i * 2, operand->guard_form);
        guard_fill(
            span + after, operand_span(problem, operand) - after, guard_run, (uint32_t)i * 2 + 1, operand->guard_form);
        struct staging staging = {problem, operand, span + problem->guard, run, i};
        if (!operand->placing.axes) {
            parallel_for((int64_t)operand->bytes, 1 << 16, stage_chunk, &staging);
            continue;
        }
        stage_strided(&staging, guard_run, &problem->packing);
    }
}
