// SPDX-License-Identifier: Apache-2.0
#include "covering.h"

#include "../../../reference/philox.h"

enum { PLACES = COVERING_FACTORS * COVERING_LEVELS };

// held[a][b]: a chosen row has the pair of level a of one factor and level b of the same or a later factor. Levels
// are numbered over all factors.
struct covered_pairs {
    bool held[PLACES][PLACES];
};

static int place(const struct covering_row *row, int factor) {
    return factor * COVERING_LEVELS + row->level[factor];
}

static int weight_of(const struct covering_weights *weights, const struct covering_row *row, int factor) {
    return weights ? weights->of[factor][row->level[factor]] : 1;
}

// Returns the gain of a row. A new level counts more than all pairs of a row.
static int gain(const struct covered_pairs *pairs, const struct covering_row *row, int factors,
    const struct covering_weights *weights) {
    int sum = 0;
    for (int a = 0; a < factors; a++)
        for (int b = a; b < factors; b++)
            if (!pairs->held[place(row, a)][place(row, b)])
                sum += a == b ? PLACES * COVERING_WEIGHT * COVERING_WEIGHT
                              : weight_of(weights, row, a) * weight_of(weights, row, b);
    return sum;
}

static size_t hold(struct covered_pairs *pairs, const struct covering_row *row, int factors) {
    size_t fresh = 0;
    for (int a = 0; a < factors; a++)
        for (int b = a; b < factors; b++) {
            bool *held = &pairs->held[place(row, a)][place(row, b)];
            fresh += !*held && (a < b || factors == 1);
            *held = true;
        }
    return fresh;
}

// Returns the index in `order` of the row with the largest gain; -1: no row gains anything.
static int64_t best_of(const struct covered_pairs *pairs, const struct covering_row *rows, const size_t *order,
    size_t left, int factors, const struct covering_weights *weights, size_t start) {
    int64_t best = -1;
    int most = 0;
    for (size_t i = 0; i < left; i++) {
        size_t at = (start + i) % left;
        int sum = gain(pairs, &rows[order[at]], factors, weights);
        if (sum <= most) continue;
        most = sum;
        best = (int64_t)at;
    }
    return best;
}

size_t covering_choose(struct arena *arena, const struct covering_row *rows, size_t count, int factors,
    const struct covering_weights *weights, uint64_t key, size_t most, size_t **order, struct covering_counts *counts) {
    struct covered_pairs all = {0}, held = {0};
    *counts = (struct covering_counts){0};
    *order = arena_alloc(arena, count + 1, sizeof **order);
    for (size_t i = 0; i < count; i++) {
        (*order)[i] = i;
        counts->pairs += hold(&all, &rows[i], factors);
    }
    size_t chosen = 0;
    while (chosen < count && chosen < most) {
        size_t left = count - chosen, start = (size_t)((uint64_t)philox(key, chosen, 3).v[0] * left >> 32);
        int64_t best = chosen ? best_of(&held, rows, *order + chosen, left, factors, weights, start) : 0;
        if (best < 0) break;
        const size_t row = (*order)[chosen + (size_t)best];
        (*order)[chosen + (size_t)best] = (*order)[chosen];
        (*order)[chosen] = row;
        counts->covered += hold(&held, &rows[row], factors);
        chosen++;
    }
    return chosen;
}
