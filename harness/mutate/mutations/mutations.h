// SPDX-License-Identifier: Apache-2.0
// The ways of breaking a module: a table of small units, one file a family.
#ifndef VKASSAY_MUTATE_MUTATIONS_H
#define VKASSAY_MUTATE_MUTATIONS_H

#include "../module_change.h"

struct mutation {
    const char *name;     // "comparison.or_equal": family and unit
    const char *imitates; // the slip of a programmer, a compiler or a driver
    // Makes change number `way` of this kind at the instruction, and tells it. False: there is no such way, and none
    // beyond it; *change is of no use then. Called for instructions within functions.
    bool (*make)(struct module_change *change, uint32_t item, int way);
};

enum { MUTATION_FAMILIES = 10 };
// Each ends with a NULL name.
extern const struct mutation *const mutation_families[MUTATION_FAMILIES];
extern const struct mutation mutations_arithmetic[], mutations_comparison[], mutations_constant[], mutations_extended[],
    mutations_memory[], mutations_order[], mutations_precision[], mutations_input[], mutations_parameter[],
    mutations_control[];

const struct mutation *mutation_named(const char *name);

// ---- what families share

// Which instruction of GLSL.std.450 it is; 0: none.
uint32_t mutation_extended(const struct code *code, uint32_t item);
// The same extended instruction with another number and its operands, or others.
void mutation_extended_remake(
    struct module_change *change, uint32_t item, uint32_t number, const uint32_t *operands, size_t count);
uint32_t mutation_extended_emit(struct module_change *change, enum side side, uint32_t item, uint32_t number,
    uint32_t type, uint32_t result, const uint32_t *operands, size_t count);

// Whether a pointer leads, at last, to a variable of that storage class; and the access chain that made it (an item; 0:
// it is none).
uint32_t mutation_chain(const struct code *code, uint32_t pointer);
// Number of the last index of an access chain that steps through an array; 0: there is none.
uint32_t mutation_array_index(const struct code *code, uint32_t chain);

// The loop that a conditional branch leaves: the item of its header's OpLoopMerge; 0: it leaves none. *leaves is the
// word of the branch (2 or 3) that leads outside.
uint32_t mutation_loop_left(const struct code *code, uint32_t branch, uint32_t *leaves);

// The pattern's bits of a float type: the largest finite number, the least normal one, infinity.
uint64_t mutation_infinity(uint32_t width);
uint32_t mutation_mantissa(uint32_t width); // stored bits

#endif
