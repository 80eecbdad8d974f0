// SPDX-License-Identifier: Apache-2.0
// Changes of control flow: predecessors of blocks, and blocks cut in two.
#ifndef VKASSAY_MUTATE_SPLIT_H
#define VKASSAY_MUTATE_SPLIT_H

#include "module_change.h"

// Returns whether the instruction's block can be cut there: the instruction is in a block that heads no loop.
bool split_allowed(const struct code *code, uint32_t item);

// Emits, before the instruction, a condition true in all invocations of a workgroup except the first. 0: the
// module has no built-in for the invocation.
uint32_t split_not_first(struct module_change *change, uint32_t item);

// Puts the instruction under a condition.
void split_conditional(struct module_change *change, uint32_t item, uint32_t condition);
// Puts a conditional return before the instruction.
void split_return(struct module_change *change, uint32_t item, uint32_t condition);

// Fills in the labels of the blocks that lead to a label's block, at most `most`. Returns how many there are.
int split_leading(const struct code *code, uint32_t label, uint32_t *labels, int most);

#endif
