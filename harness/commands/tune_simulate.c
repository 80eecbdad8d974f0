// SPDX-License-Identifier: Apache-2.0
// tune --simulate: strategies held against recorded spaces, without a device.
#include "../tune/simulate.h"

#include "command.h"

#include <math.h>
#include <stdio.h>

// What the race is held to: near the true best this often, at this share of the samples.
static const struct simulate_options standard = {.repeats = 50, .sample_share = 0.2, .near = 0.02};

static const char *const compared[] = {"race", "random", "greedy"};
enum { COMPARED = sizeof compared / sizeof *compared };

struct sums {
    double near, share, loss, worst, least_near;
};

static struct sums add_up(const struct trial_score *scores, size_t count) {
    struct sums sums = {.least_near = 1};
    for (size_t i = 0; i < count; i++) {
        sums.near += scores[i].near_share / (double)count;
        sums.share += scores[i].sample_share / (double)count;
        sums.loss += scores[i].mean_loss / (double)count;
        sums.worst = fmax(sums.worst, scores[i].worst_loss);
        sums.least_near = fmin(sums.least_near, scores[i].near_share);
    }
    return sums;
}

static void print_cases(const struct recorded *recorded, struct trial_score *const *scores) {
    printf("%-64s %6s %7s  %s\n", "case", "shapes", "samples", "within 2 % of the best / samples spent");
    printf("%-64s %6s %7s ", "", "", "");
    for (size_t s = 0; s < COMPARED; s++) printf(" %-11s", compared[s]);
    printf("\n");
    for (size_t i = 0; i < recorded->count; i++) {
        const struct recorded_case *c = &recorded->cases[i];
        printf("%-64.64s %6zu %7zu ", c->name, c->count, c->samples);
        for (size_t s = 0; s < COMPARED; s++)
            printf(" %3.0f%% / %3.0f%%", 100 * scores[s][i].near_share, 100 * scores[s][i].sample_share);
        printf("\n");
    }
}

static void print_sums(const struct recorded *recorded, struct trial_score *const *scores, int repeats) {
    printf("\n%s (%s): %zu cases, %d repeats of each search\n", recorded->device, recorded->driver, recorded->count,
        repeats);
    for (size_t s = 0; s < COMPARED; s++) {
        struct sums sums = add_up(scores[s], recorded->count);
        printf("  %-7s within 2 %% of the true best in %5.1f%% of the repeats (%.0f%% on its worst case), "
               "mean loss %.2f%%, "
               "%.1f%% of the samples of exhaustive search\n",
            compared[s], 100 * sums.near, 100 * sums.least_near, 100 * sums.loss, 100 * sums.share);
    }
}

static bool simulate_file(struct arena *arena, const char *path, const struct options *given, struct error *err) {
    struct recorded recorded;
    struct trial_score *scores[COMPARED];
    struct simulate_options options = standard;
    options.seed = given->run.seed;
    if (!recorded_read(path, arena, &recorded, err)) return false;
    for (size_t s = 0; s < COMPARED; s++) {
        scores[s] = arena_alloc(arena, recorded.count, sizeof *scores[s]);
        simulate(&recorded, strategy_named(compared[s]), &options, scores[s]);
    }
    if (given->out && !recorded_write(given->out, &recorded, err)) return false;
    if (!given->quiet) print_cases(&recorded, scores);
    print_sums(&recorded, scores, options.repeats);
    return true;
}

bool tune_simulate(struct arena *arena, const struct options *options, struct error *err) {
    if (!options->word_count)
        return error_set(err, STATUS_USAGE, "tune --simulate: expected results or recorded spaces");
    if (options->out && options->word_count != 1)
        return error_set(err, STATUS_USAGE, "tune --simulate: --out takes the spaces of one result, not of %zu",
            options->word_count);
    for (size_t i = 0; i < options->word_count; i++)
        if (!simulate_file(arena, options->words[i], options, err)) return false;
    return true;
}
