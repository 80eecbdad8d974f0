// SPDX-License-Identifier: Apache-2.0
#include "change.h"

#include "../../../reference/philox.h"
#include "../../base/memory.h"
#include "summary.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { SHUFFLES = 999, LONGEST = 512, BLOCKS = 128, LEAST_DIFFERENCES = 5, FENCE = 3 };
static const double level = 0.05;

struct search {
    const double *values;
    size_t length;
    double *ranks; // scratch space for the ranks of one part
    const struct change_rules *rules;
    struct change *changes;
    size_t count, room;
};

// Finds the best split of these ranks and stores it in *split. Returns how far its rank sum is from chance, in
// standard deviations.
static double farthest(const double *ranks, size_t count, size_t *split) {
    double n = (double)count, sum = 0, best = 0;
    *split = 0;
    for (size_t t = 1; t < count; t++) {
        sum += ranks[t - 1];
        double left = (double)t;
        double distance = fabs(sum - left * (n + 1) / 2) / sqrt(left * (n - left) * (n + 1) / 12);
        if (distance > best * (1 + 1e-12)) {
            best = distance;
            *split = t;
        }
    }
    return best;
}

// Returns the sum of the absolute differences between the values and their median, as logarithms.
static double spread(const double *values, size_t count) {
    double median = log(summarize(values, count).median), sum = 0;
    for (size_t i = 0; i < count; i++) sum += fabs(log(values[i]) - median);
    return sum;
}

// Returns the position of the change in a part known to have one. Fits two levels, each the median of its side, with
// the smallest remaining deviations.
static size_t locate(const double *values, size_t count) {
    size_t at = 0;
    double least = INFINITY;
    for (size_t t = 1; t < count; t++) {
        double left = spread(values, t) + spread(values + t, count - t);
        if (!(left < least * (1 - 1e-12))) continue;
        least = left;
        at = t;
    }
    return at;
}

static void shuffle(double *values, size_t count, uint64_t stream) {
    for (size_t i = count - 1; i > 0; i--) {
        struct philox bits = philox(1, stream, i);
        size_t k = (size_t)(((uint64_t)bits.v[0] << 32 | bits.v[1]) % (i + 1));
        double kept = values[i];
        values[i] = values[k];
        values[k] = kept;
    }
}

static bool is_rare(double *ranks, size_t count, double distance) {
    size_t as_far = 1, split; // counts the series itself as one arrangement
    for (uint64_t i = 0; i < SHUFFLES; i++) {
        shuffle(ranks, count, i);
        as_far += farthest(ranks, count, &split) >= distance * (1 - 1e-12);
    }
    return (double)as_far <= level * (SHUFFLES + 1);
}

double change_noise(const double *values, size_t count, size_t at) {
    double *differences = memory_alloc(count + 1, sizeof *differences);
    size_t n = 0;
    for (size_t i = 1; i < count && (i < at || n < LEAST_DIFFERENCES); i++)
        if (i != at) differences[n++] = fabs(log(values[i] / values[i - 1]));
    struct summary s = summarize(differences, n);
    free(differences);
    return n ? expm1(s.q3 + FENCE * (s.q3 - s.q1)) : 0;
}

static void search_part(struct search *s, size_t first, size_t count) {
    size_t split;
    if (count < 2 || s->count == s->room) return;
    const double *part = s->values + first;
    for (size_t i = 0; i < count; i++) { // equal values share their mean rank; quadratic time is fine up to LONGEST
        s->ranks[i] = 0.5;
        for (size_t k = 0; k < count; k++) s->ranks[i] += part[k] < part[i] ? 1 : part[k] == part[i] ? 0.5 : 0;
    }
    double distance = farthest(s->ranks, count, &split);
    if (!split || !is_rare(s->ranks, count, distance)) return;
    split = locate(part, count);
    double before = summarize(part, split).median, after = summarize(part + split, count - split).median;
    double least = s->rules->effect;
    if (s->rules->noise) least = fmax(least, change_noise(s->values, s->length, first + split));
    if (!(fabs(log(after / before)) >= log1p(least))) return;
    search_part(s, first, split);
    if (s->count < s->room) s->changes[s->count++] = (struct change){first + split, least};
    search_part(s, first + split, count - split);
}

static size_t search_all(
    const double *values, size_t count, const struct change_rules *rules, struct change *changes, size_t room) {
    struct search search = {.values = values, .length = count, .rules = rules, .changes = changes, .room = room};
    search.ranks = memory_alloc(count, sizeof *search.ranks);
    search_part(&search, 0, count);
    free(search.ranks);
    return search.count;
}

// Searches a long series: first the medians of blocks, then the two blocks next to each change.
static size_t search_blocks(
    const double *values, size_t count, const struct change_rules *rules, struct change *changes, size_t room) {
    double medians[BLOCKS];
    size_t starts[BLOCKS + 1], kept = 0;
    for (size_t i = 0; i <= BLOCKS; i++) starts[i] = i * count / BLOCKS;
    for (size_t i = 0; i < BLOCKS; i++) medians[i] = summarize(values + starts[i], starts[i + 1] - starts[i]).median;
    size_t found = search_all(medians, BLOCKS, rules, changes, room);
    for (size_t i = 0; i < found; i++) {
        const size_t first = starts[changes[i].at - 1], end = starts[changes[i].at + 1];
        const size_t at = first + locate(values + first, end - first);
        if (at > first && (!kept || at > changes[kept - 1].at)) changes[kept++] = (struct change){at, changes[i].least};
    }
    return kept;
}

size_t change_points(
    const double *values, size_t count, const struct change_rules *rules, struct change *changes, size_t room) {
    if (count < 2) return 0;
    return count > LONGEST ? search_blocks(values, count, rules, changes, room)
                           : search_all(values, count, rules, changes, room);
}
