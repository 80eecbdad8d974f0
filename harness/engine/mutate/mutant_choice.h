// SPDX-License-Identifier: Apache-2.0
// Chooses a kernel's mutants: all, or a subset that follows from a seed and is spread over mutations and lines.
#ifndef VKASSAY_MUTATE_MUTANT_CHOICE_H
#define VKASSAY_MUTATE_MUTANT_CHOICE_H

#include "mutant_places.h"

struct mutant_choice {
    struct mutant_candidate {
        const struct mutant_place *place;
        const char *name;
        uint64_t rank;
        size_t line; // number of its source line
        bool taken;
    } * items; // sorted by mutation; in the arena
    size_t count;
    struct mutant_turn {
        size_t first, end; // range of a mutation's candidates
        uint64_t rank;
    } * turns;
    size_t turn_count, turn;
    size_t *line_uses;
};

// Starts a choice. Places with the same name count once. The same places and seed give the same order on every
// machine.
struct mutant_choice mutant_choice_start(
    struct arena *arena, const struct mutant_places *places, const char *kernel, uint64_t seed);
// Returns the next candidate; NULL: none left. Mutations take turns. Each turn takes a random place among the
// mutation's least used lines.
const struct mutant_candidate *mutant_choice_next(struct mutant_choice *choice);

#endif
