// SPDX-License-Identifier: Apache-2.0
// The race: shapes are asked in interleaved rounds, and a shape drops out when its interval is clear of the leader's.
// See harness/tune/README.md, also for how to measure its constants.
#include "candidates.h"
#include "../truth/stats/summary.h"

#include <math.h>
#include <stdlib.h>

enum {
    FIELD = 48,     // shapes at the start of a race; a space up to half as large again starts whole
    THIN_FROM = 2,  // from this heat on, a third drops out by rank
    NEIGHBOURS = 8, // neighbours to join at a time
    EXPANSIONS = 6, // how often neighbours join
    HEATS = 4,      // rounds before the final
    FINALISTS = 4,
    FULL = 4, // limit for a noisy finalist, in units of the least samples
};
static const double expected_hopeless = 2;                 // loss at other dims; a shape above it does not start
static const double bail_least = 0.15, bail_unknown = 0.5; // above the leader, for a first sample
static const double bail_noise = 8;                        // the same in units of the noise
static const double precise = 0.01;                        // the default precision of bench's stop rule
static const double clear_widths = 4;                      // standard errors between losers and the leader

struct race {
    struct candidates *candidates;
    size_t *field; // shapes in the order of requests
    size_t field_count;
};

static bool fresh(const struct race *race, size_t shape) {
    return race->candidates->items[shape].state == FRESH;
}

static bool in_field(const struct race *race, size_t shape) {
    for (size_t i = 0; i < race->field_count; i++)
        if (race->field[i] == shape) return true;
    return false;
}

static void join(struct race *race, size_t shape) {
    if (!in_field(race, shape)) race->field[race->field_count++] = shape;
}

// ---- the field

// Fills the field: the default and the systems' shapes, then shapes with small losses at other dims. The rest
// follows, or a random draw if it is large.
static void line_up(struct race *race) {
    const struct space *space = race->candidates->space;
    size_t *rest = race->field + space->count, rest_count = 0; // room after the field
    for (size_t i = 0; i < space->count; i++)
        if (space->places[i].start || space->places[i].expected <= expected_hopeless) join(race, i);
    for (size_t i = 0; i < space->count; i++)
        if (!in_field(race, i) && !(space->places[i].expected > expected_hopeless)) rest[rest_count++] = i; // NaN, too
    candidates_shuffle(race->candidates, rest, rest_count);
    size_t room = space->count <= FIELD * 3 / 2 ? space->count : FIELD;
    for (size_t i = 0; i < rest_count && race->field_count < room; i++) join(race, rest[i]);
}

// ---- rounds

static double median_of(const struct race *race, int shape) {
    return shape == NOT_FOUND ? INFINITY : candidates_time(race->candidates, (size_t)shape).median;
}

// Drops shapes clear of the best. The race looks after every round, and intervals of few samples separate by chance
// now and then. So the medians must also differ by several standard errors of the pooled noise.
static void drop_clear(struct race *race) {
    struct candidates *candidates = race->candidates;
    int leader = candidates_leader(candidates, ALIVE);
    if (leader == NOT_FOUND) return;
    const struct summary best = candidates_time(candidates, (size_t)leader);
    const double noise = candidates_noise(candidates, bail_unknown / bail_noise);
    const double bail = 1 + fmax(bail_least, bail_noise * noise); // how far above the leader a first sample drops out
    for (size_t i = 0; i < race->field_count; i++) {
        struct candidate *candidate = &candidates->items[race->field[i]];
        if (candidate->state != ALIVE || (int)race->field[i] == leader) continue;
        struct summary time = candidates_time(candidates, race->field[i]);
        const double apart =
            clear_widths * 1.2533 * noise * sqrt(1.0 / (double)time.samples + 1.0 / (double)best.samples);
        const bool far = candidate->count == 1 && time.median > bail * best.median;
        if (far || (time.lo > best.hi && time.median > best.median * (1 + apart))) candidate->state = OUT;
    }
}

// Takes one sample of each shape still in the race with fewer than `target`.
static bool run_round(struct race *race, size_t target) {
    struct candidates *candidates = race->candidates;
    candidates_shuffle(candidates, race->field, race->field_count);
    for (size_t i = 0; i < race->field_count; i++) {
        struct candidate *candidate = &candidates->items[race->field[i]];
        if (candidate->state == OUT || candidate->state == BARRED || candidate->count >= target) continue;
        if (!candidates_ask(candidates, race->field[i])) return false;
    }
    drop_clear(race);
    return true;
}

// Reduces the field to the best `most` shapes still in the race. The others keep their interval, and are declared
// ties if it reaches the best.
static void cut(struct race *race, size_t most) {
    size_t kept = 0;
    for (size_t i = 0; i < race->field_count; i++)
        if (race->candidates->items[race->field[i]].state == ALIVE) race->field[kept++] = race->field[i];
    for (size_t i = 1; i < kept; i++)
        for (size_t k = i; k > 0; k--) {
            const size_t here = race->field[k], before = race->field[k - 1];
            if (!(median_of(race, (int)here) < median_of(race, (int)before))) break;
            race->field[k] = before;
            race->field[k - 1] = here;
        }
    race->field_count = kept < most ? kept : most;
}

static bool heats(struct race *race) {
    for (size_t n = 1; n <= HEATS; n++) {
        size_t alive = 0;
        if (!run_round(race, n)) return false;
        for (size_t i = 0; i < race->field_count; i++) alive += race->candidates->items[race->field[i]].state == ALIVE;
        // The worst third by rank drops out, because noise may keep intervals from separating.
        const size_t most = alive * 2 / 3;
        if (n >= THIN_FROM) cut(race, most > FINALISTS ? most : FINALISTS);
    }
    return true;
}

// ---- neighbours of the leader

struct near {
    size_t shape;
    int distance;
};

static int by_distance(const void *a, const void *b) {
    const struct near *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->shape > y->shape) - (x->shape < y->shape);
}

// Adds the nearest shapes not asked yet, and unlucky ones: dropped on a single sample. Such a shape may have met a
// hiccup, so beside the leader it gets a second one. Returns the number added.
static size_t expand(struct race *race, int leader, struct near *near) {
    const struct space *space = race->candidates->space;
    size_t count = 0, joined = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct candidate *candidate = &race->candidates->items[i];
        const bool unlucky = candidate->state == OUT && candidate->count == 1;
        if ((int)i == leader || (!fresh(race, i) && !unlucky)) continue;
        near[count++] = (struct near){i, space_distance(space, i, (size_t)leader)};
    }
    qsort(near, count, sizeof *near, by_distance);
    for (size_t i = 0; i < count && joined < NEIGHBOURS; i++, joined++) {
        if (near[i].distance > (fresh(race, near[i].shape) ? 3 : 1)) break;
        join(race, near[i].shape);
        if (fresh(race, near[i].shape)) continue;
        race->candidates->items[near[i].shape].state = ALIVE;
        if (!candidates_ask(race->candidates, near[i].shape)) return joined;
    }
    return joined;
}

// Adds neighbours until the leader has no new ones, or stays the same twice.
static bool explore(struct race *race) {
    const struct space *space = race->candidates->space;
    struct near *near = arena_alloc(race->candidates->arena, space->count + 1, sizeof *near);
    int leader = candidates_leader(race->candidates, ALIVE), same = 0;
    for (int n = 0; n < EXPANSIONS && leader != NOT_FOUND && same < 2; n++) {
        if (!expand(race, leader, near)) return true;
        if (!heats(race)) return false;
        int now = candidates_leader(race->candidates, ALIVE);
        same = now == leader ? same + 1 : 0;
        leader = now;
    }
    return true;
}

// ---- the final

// Returns whether more samples could help: several shapes are left, and an interval is wider than required.
static bool undecided(const struct race *race) {
    size_t alive = 0, wide = 0;
    for (size_t i = 0; i < race->field_count; i++) {
        if (race->candidates->items[race->field[i]].state != ALIVE) continue;
        struct summary time = candidates_time(race->candidates, race->field[i]);
        alive++;
        wide += !(summary_precision(&time) <= precise);
    }
    return alive > 1 && wide;
}

// Runs the final. While many shapes are left, the worse half drops out after every two rounds. The last few are
// measured in full, and further while noise hides the best one.
static bool final(struct race *race) {
    size_t n = HEATS, least = race->candidates->options.least;
    cut(race, race->field_count);
    while (race->field_count > FINALISTS) {
        for (size_t end = n + 2; n < end; n++)
            if (!run_round(race, n + 1)) return false;
        cut(race, race->field_count / 2 > FINALISTS ? race->field_count / 2 : FINALISTS);
    }
    for (n++; n <= least || (n <= least * FULL && undecided(race)); n++)
        if (!run_round(race, n)) return false;
    return true;
}

void search_race(struct candidates *candidates) {
    struct race race = {
        candidates, arena_alloc(candidates->arena, 2 * candidates->space->count, sizeof *race.field), 0};
    line_up(&race);
    if (heats(&race) && explore(&race)) final(&race);
}
