// SPDX-License-Identifier: Apache-2.0
#include "candidates.h"

#include "prng.h"
#include "../truth/stats/summary.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_PAIRS = 8, INTERVAL_SAMPLES = 6 };
static const double noise_unknown = 0.05;
// The median of n normal samples has 1.2533 times the spread of their mean; 1.96 of these are 95 %.
static const double interval_widths = 1.96 * 1.2533;

void candidates_open(struct candidates *candidates, const struct space *space, const struct search_options *options,
    struct arena *arena) {
    *candidates = (struct candidates){.space = space,
        .options = *options,
        .arena = arena,
        .random = options->seed * 2 + 1,
        .items = arena_alloc(arena, space->count, sizeof *candidates->items)};
    if (!candidates->options.least) candidates->options.least = CASE_LEAST;
}

// ---- requests

static void append(struct arena *arena, double **values, size_t *count, size_t *capacity, double value) {
    *values = arena_grow(arena, *values, *count, capacity, sizeof **values);
    (*values)[(*count)++] = value;
}

static void take(struct candidates *candidates, struct candidate *candidate, double ns) {
    append(candidates->arena, &candidate->samples, &candidate->count, &candidate->capacity, ns);
    candidates->samples++;
    if (candidate->state == FRESH) candidate->state = ALIVE;
    if (candidate->count < 2) return;
    double pair = fabs(log(ns / candidate->samples[candidate->count - 2]));
    append(candidates->arena, &candidates->pairs, &candidates->pair_count, &candidates->pair_capacity, pair);
}

bool candidates_ask(struct candidates *candidates, size_t shape) {
    struct candidate *candidate = &candidates->items[shape];
    double ns = 0;
    if (candidates->stopped || candidate->state == BARRED) return !candidates->stopped;
    size_t most = candidates->options.most_samples;
    enum answer answer =
        most && candidates->samples >= most ? ANSWER_STOP : candidates->space->ask(candidates->space->user, shape, &ns);
    if (answer == ANSWER_STOP) {
        candidates->stopped = true;
        return false;
    }
    if (answer == ANSWER_WRONG || !(ns > 0 && isfinite(ns)))
        candidate->state = BARRED;
    else
        take(candidates, candidate, ns);
    return true;
}

// ---- estimates

double candidates_noise(const struct candidates *candidates, double otherwise) {
    if (candidates->pair_count < LEAST_PAIRS) return otherwise;
    struct summary pairs = summarize(candidates->pairs, candidates->pair_count);
    return pairs.samples ? fmax(pairs.median / 0.954, 1e-4) : otherwise;
}

// Returns the lower of the two middle samples. Disturbances only lengthen a time, so one hiccup among two samples
// must not count by half.
static double lower_median(const struct candidate *candidate) {
    double sorted[INTERVAL_SAMPLES];
    for (size_t i = 0; i < candidate->count; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > candidate->samples[i]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = candidate->samples[i];
    }
    return sorted[(candidate->count - 1) / 2];
}

struct summary candidates_time(const struct candidates *candidates, size_t shape) {
    const struct candidate *candidate = &candidates->items[shape];
    struct summary time = summarize(candidate->samples, candidate->count);
    if (candidate->count == 0 || candidate->count >= INTERVAL_SAMPLES) return time;
    double half = interval_widths * candidates_noise(candidates, noise_unknown) / sqrt((double)candidate->count);
    time.median = lower_median(candidate);
    time.lo = time.median * fmax(1 - half, 0);
    time.hi = time.median * (1 + half);
    return time;
}

int candidates_leader(const struct candidates *candidates, enum state state) {
    int leader = NOT_FOUND;
    double least = INFINITY;
    for (size_t i = 0; i < candidates->space->count; i++) {
        if (candidates->items[i].state != state || !candidates->items[i].count) continue;
        double median = candidates_time(candidates, i).median;
        if (!(median < least)) continue;
        least = median;
        leader = (int)i;
    }
    return leader;
}

int space_distance(const struct space *space, size_t a, size_t b) {
    int distance = 0;
    for (int axis = 0; axis < space->axes; axis++)
        distance += abs(space->places[a].step[axis] - space->places[b].step[axis]);
    return distance;
}

// ---- random order

void candidates_shuffle(struct candidates *candidates, size_t *items, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(&candidates->random, i), kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
}

// ---- the end

static void count_shapes(const struct candidates *candidates, struct search_finding *out) {
    for (size_t i = 0; i < candidates->space->count; i++) {
        out->times[i] = candidates_time(candidates, i);
        out->raw[i] = candidates->items[i].samples;
        out->wrong[i] = candidates->items[i].state == BARRED;
        out->barred += out->wrong[i];
        out->tried += candidates->items[i].state != FRESH;
    }
}

void candidates_close(struct candidates *candidates, struct search_finding *out) {
    size_t count = candidates->space->count;
    *out = (struct search_finding){.samples = candidates->samples,
        .stopped = candidates->stopped,
        .times = arena_alloc(candidates->arena, count, sizeof *out->times),
        .wrong = arena_alloc(candidates->arena, count, sizeof *out->wrong),
        .raw = arena_alloc(candidates->arena, count, sizeof *out->raw)};
    count_shapes(candidates, out);
    out->standard = NOT_FOUND;
    for (size_t i = 0; i < count; i++)
        if (candidates->space->places[i].standard) out->standard = (int)i;
    finding_choose(out, count, candidates->options.least);
}
