// SPDX-License-Identifier: Apache-2.0
// Mutants that no check can kill, as they are right: by rules that follow from the module, the manifest and what the
// operator declares, never from a kernel's name. A rule that cannot be shown to hold does not.
#ifndef VKASSAY_MUTATE_EQUIVALENCE_H
#define VKASSAY_MUTATE_EQUIVALENCE_H

#include "../manifest/kernel.h"
#include "code.h"

// A mutation in one module of a kernel.
struct equivalence_case {
    const struct code *code; // as it was
    uint32_t item;           // that was changed
    const struct kernel *kernel;
    const struct pass *pass;
};

struct equivalence {
    const char *name;
    const char *mutations[4]; // that it is about
    bool (*holds)(const struct equivalence_case *c);
    const char *why;    // as a sentence
    const char *source; // what allows it
};
extern const struct equivalence equivalences[]; // ends with a NULL name
// The one that runs show: it is about no mutation by itself.
extern const char order_of_sums[];

// The first rule that covers the mutation there; NULL: none does.
const struct equivalence *equivalence_of(const char *mutation, const struct equivalence_case *c);
const struct equivalence *equivalence_named(const char *name);

#endif
