// SPDX-License-Identifier: Apache-2.0
// The parts of a check that are in several files. Private to check*.c.
#ifndef VKASSAY_RUN_CHECK_PARTS_H
#define VKASSAY_RUN_CHECK_PARTS_H

#include "check.h"

// A run of its own, in which all that is looked at is what must not change.
enum { RUN_REACHING = CHECK_RUNS + 1 };

// Whether the operands of that run are packed, and whether it reads its inputs back.
bool check_is_packed(const struct check_request *request, uint32_t run);
bool check_reads_inputs(const struct check_request *request, uint32_t run);
// What a scratch buffer and its guards hold before it, the same word everywhere.
uint32_t check_scratch_word(uint32_t run, int index);

void check_turn(const struct check_request *request, enum wall_part part);

// An operand with its guards, as it was read back.
const unsigned char *check_read_back(const struct problem *problem, const struct operand_data *operand);

// The record has failed these checks too; `text` says it.
void check_fail(struct record *record, struct arena *arena, uint32_t failed, const char *text);

// The output whose bits are not those that were kept, or NULL.
const char *check_differing_output(const struct check_request *request);

// Judges the outputs of that run, which lie in operand->got.
void check_outputs(const struct check_request *request, uint32_t run, struct arena *arena, struct record *record);

// ---- outputs that nothing wrote (check_unwritten.c)

// Which outputs hold what they were poisoned with, from run 1 on, whose outputs are kept in operand->got.
struct held;
struct held *held_start(const struct check_request *request);
// Those that hold it in this run too, as it was read back.
void held_note(struct held *held, const struct check_request *request, uint32_t run);
// The record has failed where some held it every time. `sure`: it fails anyway; else chance is ruled out too. Returns
// whether there are any, and releases it.
bool held_end(
    struct held *held, const struct check_request *request, bool sure, struct arena *arena, struct record *record);

#endif
