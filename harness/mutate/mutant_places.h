// SPDX-License-Identifier: Apache-2.0
// Where in a module each mutation applies, under names that mean the same in every module that is made of the source.
#ifndef VKASSAY_MUTATE_MUTANT_PLACES_H
#define VKASSAY_MUTATE_MUTANT_PLACES_H

#include "mutations/mutations.h"

// A mutation at a place: the `ordinal`-th (from 1) that there is of it on that line of the source. Other types, shapes
// and devices make other instructions of a line, but mostly the same in the same order.
struct mutant_place {
    const struct mutation *mutation;
    int pass; // of the kernel, from 0
    const char *file;
    uint32_t line, ordinal; // "" and 0: the module tells no lines
    // In the module that it was found in.
    uint32_t item;
    int way;
    const char *told;
};
struct mutant_places {
    struct mutant_place *items; // in the arena
    size_t count, capacity;
};

// Appends every place of a module, in its order, to *out. `only`: globs over mutations' names, of which one must match;
// none: all.
void mutant_places_add(struct arena *arena, const struct code *code, int pass, const char *const *only,
    size_t only_count, struct mutant_places *out);

// Makes the mutation at its place in a module; false: it is not there. *words is in the arena.
bool mutant_place_make(struct arena *arena, const struct code *code, const struct mutant_place *place, uint32_t **words,
    size_t *count, uint32_t *item);

// "comparison.or_equal@normalisation/softmax_cached.comp:41#1", and ",pass=2" behind that for other passes than the
// first.
const char *mutant_place_name(struct arena *arena, const struct mutant_place *place);

// The last two components of a path.
const char *mutant_place_file(const char *path);

#endif
