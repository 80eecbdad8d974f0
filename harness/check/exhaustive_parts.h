// SPDX-License-Identifier: Apache-2.0
// What the files of an exhaustive check share.
#ifndef VKASSAY_RUN_EXHAUSTIVE_PARTS_H
#define VKASSAY_RUN_EXHAUSTIVE_PARTS_H

#include "../program/program.h"

// What came of a piece; kept until all are done, so that they are summed up in order.
struct piece {
    struct judgement judgement;
    struct record record; // status, reason, and what `check` says of memory, bits and hash
};

// One point of a exhaustive, with its pieces.
struct pieces {
    const struct point *point;
    const struct built *built;
    const struct problem *problem; // any of the lanes': sizes, types and names
    uint64_t seed;
    int64_t n, count; // inputs of a piece, pieces
    struct piece *all;
};

// The operand that is judged: the operator's one output.
int exhaustive_output(const struct problem *problem);

// The input operands of piece `index`, by their bits. A piece that reaches beyond the last input goes on with what
// follows, from 0 again at the end; that is not judged.
void exhaustive_fill(const struct pieces *pieces, const struct problem *problem, int64_t index);

// Judges what was read back of it, on all cores.
void exhaustive_judge(const struct pieces *pieces, const struct problem *problem, int64_t index);

// Fills the record of the point from its pieces.
void exhaustive_sum(const struct pieces *pieces, struct arena *arena, struct record *record);

#endif
