// SPDX-License-Identifier: Apache-2.0
// Ways to break a module: a table of small mutations, with a file for each family.
#ifndef VKASSAY_MUTATE_MUTATIONS_H
#define VKASSAY_MUTATE_MUTATIONS_H

#include "../module_change.h"

struct mutation {
    const char *name;     // "comparison.or_equal": family and unit
    const char *imitates; // mistake of a programmer, a compiler or a driver
    // Makes change number `way` of this kind at the instruction and describes it. False: there is no such way, and
    // none beyond it; *change is then unusable. Called only for instructions within functions.
    bool (*make)(struct module_change *change, uint32_t item, int way);
};

enum { MUTATION_FAMILIES = 10 };
// Each ends with a NULL name.
extern const struct mutation *const mutation_families[MUTATION_FAMILIES];
extern const struct mutation mutations_arithmetic[], mutations_comparison[], mutations_constant[], mutations_extended[],
    mutations_memory[], mutations_order[], mutations_precision[], mutations_input[], mutations_parameter[],
    mutations_control[];

const struct mutation *mutation_named(const char *name);

// ---- shared by the families

// Returns the instruction's number in GLSL.std.450; 0: it is no extended instruction.
uint32_t mutation_extended(const struct code *code, uint32_t item);
// Replaces the number and the operands of an extended instruction. Its type and result stay.
void mutation_extended_remake(
    struct module_change *change, uint32_t item, uint32_t number, const uint32_t *operands, size_t count);
uint32_t mutation_extended_emit(struct module_change *change, enum side side, uint32_t item, uint32_t number,
    uint32_t type, uint32_t result, const uint32_t *operands, size_t count);

// Returns the access chain that made a pointer, as an item; 0: none.
uint32_t mutation_chain(const struct code *code, uint32_t pointer);
// Returns the word of an access chain's last array index; 0: none.
uint32_t mutation_array_index(const struct code *code, uint32_t chain);

// Finds the loop left by a conditional branch. Returns the item of its OpLoopMerge; 0: the branch leaves no loop.
// Sets *leaves to the word (2 or 3) of the branch's target outside the loop.
uint32_t mutation_loop_left(const struct code *code, uint32_t branch, uint32_t *leaves);

// Return the bits of a float type's infinity, and the size of its mantissa.
uint64_t mutation_infinity(uint32_t width);
uint32_t mutation_mantissa(uint32_t width); // stored bits

#endif
