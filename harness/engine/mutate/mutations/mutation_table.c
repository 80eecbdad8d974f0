// SPDX-License-Identifier: Apache-2.0
#include "mutations.h"

#include <string.h>

const struct mutation *const mutation_families[MUTATION_FAMILIES] = {mutations_arithmetic, mutations_comparison,
    mutations_constant, mutations_extended, mutations_memory, mutations_order, mutations_precision, mutations_input,
    mutations_parameter, mutations_control};

const struct mutation *mutation_named(const char *name) {
    for (int family = 0; family < MUTATION_FAMILIES; family++)
        for (const struct mutation *m = mutation_families[family]; m->name; m++)
            if (strcmp(m->name, name) == 0) return m;
    return NULL;
}
