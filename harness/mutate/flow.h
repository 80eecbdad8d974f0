// SPDX-License-Identifier: Apache-2.0
// Where a value goes in a module, instruction by instruction, and whether anything sees that it was another.
#ifndef VKASSAY_MUTATE_FLOW_H
#define VKASSAY_MUTATE_FLOW_H

#include "code.h"

// What an instruction does with a value that it takes.
enum flow {
    FLOW_ENDS,   // its result is the same, or may be
    FLOW_PASSES, // it is its result, or a part of that, which is followed in its turn
    FLOW_ALTERS, // its result may be another: likewise
    FLOW_SHOWS   // it tells the difference, or nothing is known of it
};

// Answers for the operand at that word of an instruction. `moved`: nothing was computed of the value so far; it was
// only moved, chosen, negated or stored. Not asked of stores to local and shared variables, which are followed.
typedef enum flow flow_use(const struct code *code, uint32_t item, uint32_t word, bool moved, const void *user);

// Whether the instruction hands the value at that word on, as it is but for its sign.
bool flow_moves(const struct code *code, uint32_t item, uint32_t word);
// Whether a choice, or a phi, has the value at that word only where it is NaN or infinite, by a test of itself.
bool flow_is_special(const struct code *code, uint32_t item, uint32_t word);

// Whether the value with that id can be another without anything that shows: every instruction that takes it, or what
// was made of it, ends it. `moved`: as above, of the value itself. Local and shared variables are followed as a whole;
// functions are not: a call shows.
bool flow_is_hidden(const struct code *code, uint32_t id, bool moved, flow_use *use, const void *user);

#endif
