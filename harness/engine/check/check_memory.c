// SPDX-License-Identifier: Apache-2.0
// Memory checks of a run: guards, unchanged inputs, and outputs compared with the kept ones.
#include "check_parts.h"

#include "../../base/hash.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "inputs/strided.h"
#include "../../../reference/operator.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const unsigned char *check_read_back(const struct problem *problem, const struct operand_data *operand) {
    return (const unsigned char *)problem->readback.host + operand->staging;
}

// Returns whether the binding read back holds these elements.
static bool holds_elements(struct problem *problem, const struct operand_data *operand, const void *elements) {
    const unsigned char *binding = check_read_back(problem, operand) + problem->guard;
    return parallel_equal(elements, strided_packed(operand, binding, &problem->packing), operand->bytes);
}

void check_fail(struct record *record, struct arena *arena, uint32_t failed, const char *text) {
    record->status = RECORD_FAIL;
    record->failed |= failed;
    record->reason = record->reason ? arena_format(arena, "%s; %s", record->reason, text) : text;
}

static void check_guards(const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    const struct problem *problem = r->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_IN && !check_reads_inputs(r, run)) continue;
        uint32_t guard_run = operand->role == ROLE_IN ? GUARD_RUN_INPUTS : run;
        const unsigned char *span = check_read_back(problem, operand);
        uint64_t after = problem->guard + operand->extent;
        int64_t before_at = guard_check(span, problem->guard, guard_run, (uint32_t)i * 2, operand->guard_form);
        int64_t after_at = guard_check(
            span + after, operand_span(problem, operand) - after, guard_run, (uint32_t)i * 2 + 1, operand->guard_form);
        const char *name = problem->op->operands[i].name;
        if (operand->placing.axes && !strided_intact(operand, i, guard_run, span + problem->guard)) {
            record->check.guards_intact = false;
            check_fail(record, arena, CHECK_GUARD,
                arena_format(arena, "wrote before or between the elements of operand %s, within its layout", name));
        }
        if (before_at < 0 && after_at < 0) continue;
        record->check.guards_intact = false;
        check_fail(record, arena, CHECK_GUARD,
            before_at >= 0 ? arena_format(arena, "wrote before operand %s, %lld bytes before its start", name,
                                 (long long)problem->guard - (long long)before_at)
                           : arena_format(arena, "wrote past the end of operand %s, %lld bytes behind it", name,
                                 (long long)after_at));
    }
}

static void check_scratch_guards(
    const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    const uint32_t *words = r->launch->scratch_guards.host;
    for (int i = 0; i < r->launch->scratch_count; i++) {
        uint64_t count = (r->problem->guard + GUARD_BYTES) / 4, at = 0;
        while (at < count && words[at] == check_scratch_word(run, i)) at++;
        words += count;
        if (at == count) continue;
        record->check.guards_intact = false;
        check_fail(record, arena, CHECK_GUARD,
            arena_format(arena, "wrote outside scratch buffer %s", r->point->kernel->scratch[i].name));
    }
}

static void check_inputs(const struct check_request *r, struct arena *arena, struct record *record) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (operand->role != ROLE_IN) continue;
        if (holds_elements(r->problem, operand, operand->image)) continue;
        record->check.inputs_intact = false;
        check_fail(
            record, arena, CHECK_INPUT, arena_format(arena, "changed its input %s", r->problem->op->operands[i].name));
    }
}

void check_memory(const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    check_guards(r, run, arena, record);
    check_scratch_guards(r, run, arena, record);
    if (check_reads_inputs(r, run)) check_inputs(r, arena, record);
}

bool check_reaching(const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    if (!r->launch->has_reaching || !record->check.guards_intact) return true;
    if (!check_run(r, RUN_REACHING, err)) return false;
    check_switch(r, WALL_JUDGE);
    check_guards(r, RUN_REACHING, arena, record);
    check_scratch_guards(r, RUN_REACHING, arena, record);
    return true;
}

// Returns the name of the first output with other bits than the kept ones, or NULL.
const char *check_differing_output(const struct check_request *r) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (operand->role == ROLE_IN) continue;
        if (!holds_elements(r->problem, operand, operand->got)) return r->problem->op->operands[i].name;
    }
    return NULL;
}

struct difference check_difference(struct problem *problem, const struct operand_data *operand) {
    const struct dtype_info *info = dtype_info(operand->dtype);
    struct difference out = {.first = -1};
    const unsigned char *binding = check_read_back(problem, operand) + problem->guard;
    const unsigned char *got = strided_packed(operand, binding, &problem->packing), *want = operand->got;
    for (uint64_t at = 0, size = (uint64_t)info->bytes; at + size <= operand->bytes; at += size) {
        if (memcmp(got + at, want + at, size) == 0) continue;
        const int64_t index = (int64_t)(at / size) * info->elements;
        const double a = dtype_load(operand->dtype, got, index), b = dtype_load(operand->dtype, want, index);
        if (info->elements == 1 && isnan(a) && isnan(b)) continue;
        if (!out.count++) out = (struct difference){1, index, a, b};
    }
    return out;
}

const char *check_differing_numbers(const struct check_request *r) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (operand->role != ROLE_IN && check_difference(r->problem, operand).count)
            return r->problem->op->operands[i].name;
    }
    return NULL;
}

void check_take(const struct check_request *r, struct record *record) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        struct operand_data *operand = &r->problem->operands[i];
        if (operand->role == ROLE_IN) continue;
        strided_gather(operand, check_read_back(r->problem, operand) + r->problem->guard, operand->got);
    }
    r->problem->got_run = r->problem->last_run;
    record->check.output_hash = check_hash(r->problem);
}

// ---- hash of all outputs ----

// Hashes chunks of one size, eight bytes at a time, so the hash does not depend on the number of cores.
enum { HASH_CHUNK = 1 << 20 };

struct hashing {
    const unsigned char *bytes;
    uint64_t length, *chunks;
};

static uint64_t hash_words(const unsigned char *bytes, uint64_t length) {
    uint64_t hash = HASH_START, at = 0;
    for (uint64_t word; at + 8 <= length; at += 8) {
        memcpy(&word, bytes + at, 8);
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    return hash_bytes(hash, bytes + at, (size_t)(length - at));
}

static void hash_chunks(void *context, int64_t first, int64_t count) {
    const struct hashing *h = context;
    for (int64_t i = first; i < first + count; i++) {
        const uint64_t at = (uint64_t)i * HASH_CHUNK, left = h->length - at;
        h->chunks[i] = hash_words(h->bytes + at, left < HASH_CHUNK ? left : HASH_CHUNK);
    }
}

uint64_t check_hash(const struct problem *problem) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        const uint64_t count = (operand->bytes + HASH_CHUNK - 1) / HASH_CHUNK;
        if (operand->role == ROLE_IN) continue;
        struct hashing hashing = {operand->got, operand->bytes, memory_alloc((size_t)count, sizeof(uint64_t))};
        parallel_for((int64_t)count, 1, hash_chunks, &hashing);
        hash = hash_bytes(hash, hashing.chunks, (size_t)count * sizeof(uint64_t));
        free(hashing.chunks);
    }
    return hash;
}
