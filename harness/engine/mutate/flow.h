// SPDX-License-Identifier: Apache-2.0
// Follows a value through a module, instruction by instruction, to find out whether a difference in it can show.
#ifndef VKASSAY_MUTATE_FLOW_H
#define VKASSAY_MUTATE_FLOW_H

#include "code.h"

// Effect of an instruction on a differing operand.
enum flow {
    FLOW_ENDS,   // its result is the same, or is allowed to be
    FLOW_PASSES, // its result is the value, or contains it; the result is followed
    FLOW_ALTERS, // its result may differ; the result is followed
    FLOW_SHOWS   // the difference shows, or the instruction is unknown
};

// Judges the operand at a word of an instruction. `moved`: so far the value was only moved, chosen, negated or
// stored, never computed with. Stores to local and shared variables are not judged here, because they are followed.
typedef enum flow flow_use(const struct code *code, uint32_t item, uint32_t word, bool moved, const void *user);

// Returns whether the instruction passes this operand on, unchanged but for its sign.
bool flow_moves(const struct code *code, uint32_t item, uint32_t word);
// Returns whether a select or a phi takes this operand only if a test of it finds NaN or an infinity.
bool flow_is_special(const struct code *code, uint32_t item, uint32_t word);

// Returns whether a difference in the id's value can never show. The flow must end in every instruction that takes
// the value or a result made of it. `moved` is as above, for the value itself. Local and shared variables are
// followed as a whole. Functions are not followed; a call shows.
bool flow_is_hidden(const struct code *code, uint32_t id, bool moved, flow_use *use, const void *user);

#endif
