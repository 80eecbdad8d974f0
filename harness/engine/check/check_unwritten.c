// SPDX-License-Identifier: Apache-2.0
// Finds outputs never written, in a sample or not. Every run poisons outputs with another pattern; a unit with each
// run's pattern was never written. No reference is needed, so this also works outside a sample and for varying bits.
#include "check_parts.h"

#include "../../base/memory.h"
#include "inputs/strided.h"
#include "../../../reference/operator.h"
#include "../../record/record.h"

#include <stdlib.h>
#include <string.h>

// Written values match the poison of every run by chance with a probability of 2^-64.
enum { EVIDENCE_BITS = 64 };

struct held {
    unsigned char *flags[OPERATOR_OPERANDS]; // for each unit of an output: it held its poison so far; or NULL
    uint32_t runs;
};

// Returns the bytes examined together: one element, or a word of larger elements.
static uint64_t unit_of(const struct operand_data *operand) {
    const struct dtype_info *info = dtype_info(operand->dtype);
    return info->elements == 1 && info->bytes < 4 ? (uint64_t)info->bytes : 4;
}

int64_t poisoned_words(const unsigned char *got, uint64_t bytes, uint32_t run, int operand) {
    int64_t count = 0;
    for (uint64_t at = 0; at + 4 <= bytes; at += 4) {
        const uint32_t word = poison_word(run, operand, at / 4);
        count += memcmp(got + at, &word, 4) == 0;
    }
    return count;
}

static bool is_poisoned(const struct operand_data *operand) {
    return operand->role != ROLE_IN && !operand->image && !operand->from;
}

static void note_operand(
    struct held *held, const struct operand_data *operand, int index, const unsigned char *bytes, uint32_t run) {
    const uint64_t unit = unit_of(operand);
    for (uint64_t at = 0; at + unit <= operand->bytes; at += unit) {
        if (!held->flags[index][at / unit]) continue;
        const uint32_t word = poison_word(run, index, at / 4);
        held->flags[index][at / unit] = memcmp(bytes + at, (const unsigned char *)&word + at % 4, unit) == 0;
    }
}

static void note(struct held *held, const struct check_request *r, uint32_t run, bool kept) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (!is_poisoned(operand)) continue;
        const unsigned char *binding = check_read_back(r->problem, operand) + r->problem->guard;
        note_operand(
            held, operand, i, kept ? operand->got : strided_packed(operand, binding, &r->problem->packing), run);
    }
    held->runs++;
}

struct held *held_start(const struct check_request *r) {
    struct held *held = memory_alloc(1, sizeof *held);
    *held = (struct held){0};
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        const uint64_t units = operand->bytes / unit_of(operand);
        if (!is_poisoned(operand)) continue;
        held->flags[i] = memory_alloc((size_t)units + 1, 1);
        memset(held->flags[i], 1, (size_t)units);
    }
    note(held, r, 1, true);
    return held;
}

void held_note(struct held *held, const struct check_request *r, uint32_t run) {
    note(held, r, run, false);
}

bool held_end(struct held *held, const struct check_request *r, bool sure, struct arena *arena, struct record *record) {
    bool any = false;
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        const uint64_t unit = unit_of(operand);
        int64_t unwritten = 0;
        for (uint64_t u = 0; held->flags[i] && u < operand->bytes / unit; u++) unwritten += held->flags[i][u];
        free(held->flags[i]);
        if (!unwritten || !(sure || unit * 8 * held->runs >= EVIDENCE_BITS)) continue;
        any = true;
        if (record->failed & CHECK_UNWRITTEN) continue; // already reported
        check_fail(record, arena, CHECK_UNWRITTEN,
            arena_format(arena, "%lld %s of %s were never written", (long long)unwritten,
                unit == 4 ? "32-bit words" : "elements", r->problem->op->operands[i].name));
    }
    free(held);
    return any;
}

bool check_replays(const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (!is_poisoned(operand)) continue;
        const unsigned char *got =
            strided_packed(operand, check_read_back(r->problem, operand) + r->problem->guard, &r->problem->packing);
        const int64_t left = poisoned_words(got, operand->bytes, run, i);
        if (!left) continue;
        check_fail(record, arena, CHECK_REPLAY,
            arena_format(arena,
                "a later run left %lld 32-bit words of %s unwritten, and the first run wrote them: it keeps results of "
                "earlier runs",
                (long long)left, r->problem->op->operands[i].name));
        return true;
    }
    return false;
}
