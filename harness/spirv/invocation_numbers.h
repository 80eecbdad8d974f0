// SPDX-License-Identifier: Apache-2.0
// Whole numbers and conditions of a module's code, computed for one invocation as far as they follow from its place in
// the workgroup and from constants. Loops are taken at their first turn.
#ifndef VKASSAY_DEVICE_INVOCATION_NUMBERS_H
#define VKASSAY_DEVICE_INVOCATION_NUMBERS_H

#include "barriers_skipped.h"
#include "module.h"

struct invocation_numbers {
    const struct module *m;
    const struct barrier_setting *setting;
    // By id, in one allocation: of a built-in variable one more than its number; what is stored there; where a label or
    // a value stands; what a parameter was given.
    uint32_t *built_in, *stored, *label_at, *defined_at, *given;
    uint32_t place[3], index; // of the invocation
    uint32_t steps;
    bool has_barrier;
};

struct value {
    bool known;
    uint32_t bits; // a condition is 0 or 1
};

struct invocation_numbers numbers_open(const struct module *module, const struct barrier_setting *setting);
void numbers_close(struct invocation_numbers *numbers);
struct value numbers_of(struct invocation_numbers *numbers, uint32_t id);
// From here on a function's parameter is that argument.
void numbers_give(struct invocation_numbers *numbers, uint32_t parameter, uint32_t argument);

#endif
