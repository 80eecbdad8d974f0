// SPDX-License-Identifier: Apache-2.0
#include "simulate.h"

#include "model.h"

#include <math.h>
#include <string.h>

static void score(const struct recorded_case *c, const struct finding *finding, const struct simulate_options *options,
    struct trial_score *out) {
    double loss = finding->best == NOT_FOUND ? INFINITY : c->shapes[finding->best].median / c->best - 1;
    double one = 1.0 / options->repeats;
    out->near_share += loss <= options->near ? one : 0;
    out->sample_share += (double)finding->samples / (double)c->samples * one;
    out->mean_loss += loss * one;
    out->worst_loss = fmax(out->worst_loss, loss);
}

static void search_case(const struct recorded_case *c, const struct strategy *strategy,
    const struct simulate_options *options, uint64_t seed, struct model *model, struct trial_score *out) {
    struct replay replay = {.recorded = c, .random = seed * 0x9e3779b97f4a7c15u + 1};
    struct space space = replay_space(&replay);
    struct search_options search = {
        .seed = seed, .most_samples = (size_t)floor(options->sample_share * (double)c->samples)};
    struct finding finding;
    const char **names = arena_alloc(model->arena, c->count, sizeof *names);
    for (size_t i = 0; i < c->count; i++) names[i] = c->shapes[i].name;
    model_expect(model, c->family, names, &space);
    strategy_search(strategy, &space, &search, model->arena, &finding);
    score(c, &finding, options, out);
    model_learn(model, c->family, names, &space, &finding);
}

void simulate(const struct recorded *recorded, const struct strategy *strategy, const struct simulate_options *options,
    struct trial_score *scores) {
    memset(scores, 0, recorded->count * sizeof *scores);
    for (int repeat = 0; repeat < options->repeats; repeat++) {
        struct arena arena = {0};
        struct model model = {.arena = &arena};
        for (size_t i = 0; i < recorded->count; i++) {
            uint64_t seed = options->seed + (uint64_t)repeat * recorded->count + i;
            search_case(&recorded->cases[i], strategy, options, seed, &model, &scores[i]);
        }
        arena_free(&arena);
    }
}
