// SPDX-License-Identifier: Apache-2.0
// Parts of a check shared by several files. Private to check*.c.
#ifndef VKASSAY_CHECK_CHECK_PARTS_H
#define VKASSAY_CHECK_CHECK_PARTS_H

#include "check.h"

// The run of check_reaching; only memory it must not change is checked.
enum { RUN_REACHING = CHECK_RUNS + 1 };

// Returns whether the run has packed operands, whether its grids are folded, and whether it reads its inputs back.
bool check_is_packed(const struct check_request *request, uint32_t run);
bool check_is_folded(const struct check_request *request, uint32_t run);
bool check_reads_inputs(const struct check_request *request, uint32_t run);
// Returns the word in a scratch buffer and its guards before the run; it is the same everywhere.
uint32_t check_scratch_word(uint32_t run, int index);

// Places inputs, poisoned outputs and scratch for a plain run, without running anything.
bool check_place(const struct check_request *request, struct error *err);

void check_switch(const struct check_request *request, enum wall_part part);

// Returns an operand with its guards, as read back.
const unsigned char *check_read_back(const struct problem *problem, const struct operand_data *operand);

// Adds failed checks to the record, with `text` as a reason.
void check_fail(struct record *record, struct arena *arena, uint32_t failed, const char *text);

// Returns the name of the first output with other bits than the kept ones, or NULL.
const char *check_differing_output(const struct check_request *request);

// The elements of an output that differ from the kept ones. Any two NaNs are equal, since Vulkan leaves their bits
// open.
struct difference {
    int64_t count, first; // first: its index, -1 for none
    double got, want;     // of the first one; want is the kept one
};
struct difference check_difference(struct problem *problem, const struct operand_data *operand);
// Returns the name of the first output with a difference, or NULL.
const char *check_differing_numbers(const struct check_request *request);

// Judges the outputs of this run, kept in operand->got.
void check_outputs(const struct check_request *request, uint32_t run, struct arena *arena, struct record *record);

// ---- outputs never written (check_unwritten.c)

// Counts whole words of an output that still hold the poison of this run.
int64_t poisoned_words(const unsigned char *got, uint64_t bytes, uint32_t run, int operand);
// Fails the record if a later run left poison in an output read back. The caller knows that run 1 wrote these words.
bool check_replays(const struct check_request *request, uint32_t run, struct arena *arena, struct record *record);

// The units of outputs with their poison in every run so far. It begins with run 1, kept in operand->got.
struct held;
struct held *held_start(const struct check_request *request);
// Drops units without this run's poison in the buffers read back.
void held_note(struct held *held, const struct check_request *request, uint32_t run);
// Fails the record if units held their poison in every run. `sure`: the record fails anyway; otherwise chance is
// ruled out first. Returns whether there are such units, and frees `held`.
bool held_end(
    struct held *held, const struct check_request *request, bool sure, struct arena *arena, struct record *record);

#endif
