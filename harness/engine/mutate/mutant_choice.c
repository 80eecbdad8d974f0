// SPDX-License-Identifier: Apache-2.0
#include "mutant_choice.h"

#include "../../base/hash.h"
#include "../../base/names.h"

#include <stdlib.h>
#include <string.h>

// Mixes the hash further, because FNV alone leaves its last bytes in the low bits.
static uint64_t rank_of(uint64_t seed, const char *kernel, const char *name) {
    uint64_t hash = hash_string(hash_string(hash_bytes(HASH_START, &seed, sizeof seed), kernel), name);
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 33;
}

static int by_mutation(const void *a, const void *b) {
    const struct mutant_candidate *x = a, *y = b;
    int order = strcmp(x->place->mutation->name, y->place->mutation->name);
    if (order) return order;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank) : strcmp(x->name, y->name);
}

static int by_rank(const void *a, const void *b) {
    const struct mutant_turn *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void collect(struct arena *arena, const struct mutant_places *places, const char *kernel, uint64_t seed,
    struct mutant_choice *out) {
    struct names seen = {0}, lines = {0};
    out->items = arena_alloc(arena, places->count + 1, sizeof *out->items);
    out->line_uses = arena_alloc(arena, places->count + 1, sizeof *out->line_uses);
    for (size_t i = 0; i < places->count; i++) {
        const struct mutant_place *place = &places->items[i];
        const char *name = mutant_place_name(arena, place);
        if (names_put(&seen, name, strlen(name), i) != i) continue;
        const char *line = arena_format(arena, "%s:%u", place->file, place->line);
        out->items[out->count++] = (struct mutant_candidate){.place = place,
            .name = name,
            .rank = rank_of(seed, kernel, name),
            .line = names_put(&lines, line, strlen(line), lines.count)};
    }
    names_free(&seen);
    names_free(&lines);
}

struct mutant_choice mutant_choice_start(
    struct arena *arena, const struct mutant_places *places, const char *kernel, uint64_t seed) {
    struct mutant_choice out = {0};
    collect(arena, places, kernel, seed, &out);
    qsort(out.items, out.count, sizeof *out.items, by_mutation);
    out.turns = arena_alloc(arena, out.count + 1, sizeof *out.turns);
    for (size_t i = 0; i < out.count; i++) {
        const struct mutation *mutation = out.items[i].place->mutation;
        if (i == 0 || out.items[i - 1].place->mutation != mutation)
            out.turns[out.turn_count++] = (struct mutant_turn){i, i, rank_of(seed, kernel, mutation->name)};
        out.turns[out.turn_count - 1].end = i + 1;
    }
    qsort(out.turns, out.turn_count, sizeof *out.turns, by_rank);
    return out;
}

const struct mutant_candidate *mutant_choice_next(struct mutant_choice *choice) {
    for (size_t tried = 0; tried < choice->turn_count; tried++) {
        const struct mutant_turn *turn = &choice->turns[choice->turn++ % choice->turn_count];
        struct mutant_candidate *best = NULL;
        for (size_t i = turn->first; i < turn->end; i++) {
            struct mutant_candidate *c = &choice->items[i];
            if (!c->taken && (!best || choice->line_uses[c->line] < choice->line_uses[best->line])) best = c;
        }
        if (!best) continue;
        best->taken = true;
        choice->line_uses[best->line]++;
        return best;
    }
    return NULL;
}
