// SPDX-License-Identifier: Apache-2.0
// Finds the places in a module where each mutation applies. A place's name means the same in every module made from
// the source.
#ifndef VKASSAY_MUTATE_MUTANT_PLACES_H
#define VKASSAY_MUTATE_MUTANT_PLACES_H

#include "mutations/mutations.h"

// A mutation at a place: its `ordinal`-th occurrence (from 1) on a line of the source. Other types, shapes and
// devices may have other instructions for a line, but mostly the same ones in the same order.
struct mutant_place {
    const struct mutation *mutation;
    int pass;               // of the kernel, from 0
    const char *file;       // its path; only the end counts
    uint32_t line, ordinal; // "" and 0: the module has no lines
    // In the module it was found in.
    uint32_t item;
    int way;
    const char *summary;
};
struct mutant_places {
    struct mutant_place *items; // in the arena
    size_t count, capacity;
};

// Appends every place of a module to *out, in order. `only`: globs over names of mutations, one of them must match;
// none: all.
void mutant_places_add(struct arena *arena, const struct code *code, int pass, const char *const *only,
    size_t only_count, struct mutant_places *out);

// Makes the mutation at its place in a module; false: the module lacks the place. *words is in the arena.
bool mutant_place_make(struct arena *arena, const struct code *code, const struct mutant_place *place, uint32_t **words,
    size_t *count, uint32_t *item);

// Reads a place from its name: `file` is then only the end of a path, and the last three members are not set. False:
// it is no such name. Strings are in the arena.
bool mutant_place_named(struct arena *arena, const char *name, struct mutant_place *out);

// Returns, for example, "comparison.or_equal@normalisation/softmax_cached.comp:41#1". A pass other than the first is
// appended, as in ",pass=2".
const char *mutant_place_name(struct arena *arena, const struct mutant_place *place);

// Returns the last two components of a path.
const char *mutant_place_file(const char *path);

#endif
