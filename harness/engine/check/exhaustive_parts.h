// SPDX-License-Identifier: Apache-2.0
// Parts shared by the files of an exhaustive check.
#ifndef VKASSAY_CHECK_EXHAUSTIVE_PARTS_H
#define VKASSAY_CHECK_EXHAUSTIVE_PARTS_H

#include "../program/program.h"
#include "../../record/record.h"

// The outcome of a piece, kept until all are done because they are summed up in order.
struct piece {
    struct judgement judgement;
    struct record record; // status, reason, and the memory, bits and hash of `check`
};

// A point of an exhaustive check, with its pieces.
struct pieces {
    const struct point *point;
    const struct built *built;
    const struct problem *problem; // of any lane: sizes, types and names
    uint64_t seed;
    int64_t n, count; // inputs of a piece; number of pieces
    struct piece *all;
};

// Returns the judged operand: the operator's one output.
int exhaustive_output(const struct problem *problem);

// Fills the inputs of piece `index`, by their bits. Beyond the last input it continues with the following bits, from
// 0 again at the end. Nothing beyond the last input is judged.
void exhaustive_fill(const struct pieces *pieces, const struct problem *problem, int64_t index);

// Judges the outputs read back for the piece, on all cores.
void exhaustive_judge(const struct pieces *pieces, const struct problem *problem, int64_t index);

// Fills the record of the point from its pieces.
void exhaustive_sum(const struct pieces *pieces, struct arena *arena, struct record *record);

#endif
