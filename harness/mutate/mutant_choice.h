// SPDX-License-Identifier: Apache-2.0
// Which of a kernel's mutants are made: all, or some that follow from a seed and are spread over mutations and lines.
#ifndef VKASSAY_MUTATE_MUTANT_CHOICE_H
#define VKASSAY_MUTATE_MUTANT_CHOICE_H

#include "mutant_places.h"

struct mutant_choice {
    struct mutant_candidate {
        const struct mutant_place *place;
        const char *name;
        uint64_t rank;
        size_t line; // number of its line
        bool taken;
    } * items; // by mutation, in the arena
    size_t count;
    struct mutant_turn {
        size_t first, end; // of a mutation's candidates
        uint64_t rank;
    } * turns;
    size_t turn_count, turn;
    size_t *line_uses;
};

// Places of the same name are one. The order is the same for the same places and seed, whatever the machine.
struct mutant_choice mutant_choice_start(
    struct arena *arena, const struct mutant_places *places, const char *kernel, uint64_t seed);
// The next; NULL: there are no more. Mutations take turns, and each takes, of the lines used least, a random place.
const struct mutant_candidate *mutant_choice_next(struct mutant_choice *choice);

#endif
