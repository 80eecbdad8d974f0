// SPDX-License-Identifier: Apache-2.0
// Changes of the flow of control: blocks, what leads to them, and what is cut in two.
#ifndef VKASSAY_MUTATE_SPLIT_H
#define VKASSAY_MUTATE_SPLIT_H

#include "module_change.h"

// Whether the instruction's block can be cut there: it heads no loop and is in one.
bool split_allowed(const struct code *code, uint32_t item);

// Puts, before the instruction, what is true in every invocation of a workgroup but the first; 0: the module does not
// know which invocation it is.
uint32_t split_not_first(struct module_change *change, uint32_t item);

// The instruction under a condition.
void split_conditional(struct module_change *change, uint32_t item, uint32_t condition);
// A return under a condition, before the instruction.
void split_return(struct module_change *change, uint32_t item, uint32_t condition);

// The labels of the blocks that lead to that of a label, of which there are at most `most`; their number.
int split_leading(const struct code *code, uint32_t label, uint32_t *labels, int most);

#endif
