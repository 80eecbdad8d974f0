// SPDX-License-Identifier: Apache-2.0
// Mutants that no check can kill, because they are right. The rules follow from the module, the manifest and the
// operator's declaration, never from a kernel's name. A rule counts only if it can be shown to hold.
#ifndef VKASSAY_MUTATE_EQUIVALENCE_H
#define VKASSAY_MUTATE_EQUIVALENCE_H

#include "../../shader/manifest/kernel.h"
#include "code.h"

// A mutation in one module of a kernel.
struct equivalence_case {
    const struct code *code; // before the change
    uint32_t item;           // the changed instruction
    const struct kernel *kernel;
    const struct pass *pass;
};

struct equivalence {
    const char *name;
    const char *mutations[4]; // mutations it covers
    bool (*holds)(const struct equivalence_case *c);
    const char *why;    // one sentence
    const char *source; // source of this permission
};
extern const struct equivalence equivalences[]; // ends with a NULL name
// Name of the rule shown by test runs instead of the module's code. It belongs to no single mutation.
extern const char order_of_sums[];

// Returns the first rule covering the mutation in this case; NULL: none.
const struct equivalence *equivalence_of(const char *mutation, const struct equivalence_case *c);

#endif
