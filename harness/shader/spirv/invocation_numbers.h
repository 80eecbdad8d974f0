// SPDX-License-Identifier: Apache-2.0
// Computes whole numbers and conditions of a module's code for one invocation, if they follow from its place in the
// workgroup and from constants. In loops, the first iteration counts.
#ifndef VKASSAY_SPIRV_INVOCATION_NUMBERS_H
#define VKASSAY_SPIRV_INVOCATION_NUMBERS_H

#include "analyses.h"
#include "module.h"

struct invocation_numbers {
    const struct module *m;
    const struct barrier_setting *setting;
    // Arrays by id, in one allocation. The first two are of variables: 1 + the number of a built-in, and the object
    // stored there. Then follow the places of labels and of values, and the arguments of parameters.
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
// Makes `argument` the value of a function's parameter from now on.
void numbers_give(struct invocation_numbers *numbers, uint32_t parameter, uint32_t argument);

#endif
