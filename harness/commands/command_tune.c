// SPDX-License-Identifier: Apache-2.0
// tune: searches the best shapes for the cases of a suite and writes the tuned table.
#include "../base/file.h"
#include "../readers/render/render.h"
#include "../tune/tune_session.h"
#include "../tune/tuned_table.h"
#include "bench/bench.h"
#include "command.h"
#include "bench/progress.h"
#include "prepare.h"
#include "questions/questions.h"
#include "tune_join.h"
#include "../tune/recorded.h"
#include "../base/json.h"
#include "../record/result.h"
#include "../record/record.h"
#include "../truth/stats/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct tune_progress {
    const struct strategy *strategy;
    bool quiet;
    struct session *session;
};

static void put_loss(const char *what, const char *shape, double loss) {
    if (shape && !isnan(loss)) printf("; %s %s %+.1f%%", what, shape, 100 * loss);
}

// Prints, for example:
//
//     CASE: wg=128x1x1,ITEMS=4 5.67 us ±1.2%, 2 ties; runner-up SHAPE +3.1%; default SHAPE +12.0%
//         24 shapes, 2 pruned; race: 22 tried, 0 wrong, 143 samples, best shape right at 2 more sizes, 0.4 s
static void tell_case(void *user, const struct tuned_case *one) {
    struct tune_progress *progress = user;
    if (progress->quiet) return;
    flockfile(stdout);
    progress_end(progress->session->user);
    printf("%s: ", one->name);
    if (one->best)
        printf("%s %.4g us ±%.1f%%", one->best, one->best_ns / 1e3, 50 * (one->hi_ns - one->lo_ns) / one->best_ns);
    else
        printf("no shape");
    if (one->ties) printf(", %d ties%s", one->ties, one->runner_up ? "" : ": no shape was told apart");
    put_loss("runner-up", one->runner_up, one->runner_up_loss);
    put_loss("default", one->standard, one->standard_loss);
    printf("\n    %zu shapes, %zu pruned; %s: %zu tried, %zu wrong, %zu samples, best shape right at %zu more sizes, "
           "%.1f s%s\n",
        one->product, one->product - one->legal, one->strategy, one->tried, one->wrong, one->samples, one->neighbours,
        one->seconds, one->stopped ? ", stopped by the budget" : "");
    fflush(stdout);
    funlockfile(stdout);
}

static bool search(struct arena *arena, struct session *session, void *user, struct outcome *out, struct error *err) {
    struct tune_progress progress =
        *(struct tune_progress *)user; // a copy, because several devices may be searched at once
    progress.session = session;
    const struct tuning tuning = {.strategy = progress.strategy, .report = tell_case, .user = &progress};
    return supervise_tune(arena, session, &tuning, out, err);
}

// ---- the table

// Prints the pruned shapes of all cases, by reason.
static void print_pruned(struct json_object *cases) {
    bool any = false;
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *one = json_object_array_get_idx(cases, i), *pruned = json_get(one, "pruned");
        size_t reasons = json_object_array_length(pruned);
        if (reasons && !any) printf("\nPruned before compilation:\n");
        any |= reasons > 0;
        if (reasons)
            printf(
                "  %s: of %lld shapes\n", json_get_string(one, "case", ""), (long long)json_get_int(one, "shapes", 0));
        for (size_t k = 0; k < reasons; k++) {
            struct json_object *reason = json_object_array_get_idx(pruned, k);
            printf(
                "    %6lld  %s\n", (long long)json_get_int(reason, "shapes", 0), json_get_string(reason, "reason", ""));
        }
    }
}

enum { NAMED = 5 };

// Names cases whose search was stopped by the budget, with the share of shapes tried.
static void print_unfinished(const struct tuned *tuned) {
    const size_t unfinished = tuned_unfinished(tuned);
    size_t named = 0;
    if (!unfinished) return;
    printf(
        "\nSearches stopped by the budget: %zu of %zu; the table marks them as unfinished\n", unfinished, tuned->count);
    for (size_t i = 0; i < tuned->count && named < NAMED; i++) {
        const struct tuned_entry *entry = &tuned->items[i];
        if (!entry->search.unfinished) continue;
        printf("  %s: %zu of %zu shapes tried\n", entry->case_name, entry->shapes, entry->search.legal);
        named++;
    }
    if (unfinished > named) printf("  and %zu more\n", unfinished - named);
}

// Names cases with noisy times, or without a shape told apart.
static void print_noise(const struct tuned *tuned) {
    const size_t noisy = tuned_noisy(tuned);
    size_t named = 0, undecided = 0;
    for (size_t i = 0; i < tuned->count; i++) undecided += tuned->items[i].undecided;
    if (undecided)
        printf("\nNo shape was told apart from the fastest in %zu of %zu cases (undecided in the table)\n", undecided,
            tuned->count);
    if (!noisy) return;
    printf(
        "\nNoise: %zu of %zu cases have an interval wider than +-20 %%; do not ship these, tune on an idle machine\n",
        noisy, tuned->count);
    for (size_t i = 0; i < tuned->count && named < NAMED; i++) {
        const struct tuned_entry *entry = &tuned->items[i];
        if (!tuned_is_noise(entry)) continue;
        printf("  %s: ±%.0f%%%s\n", entry->case_name, 100 * time_spread(&entry->best->time[FIGURE_COMPUTE]),
            entry->undecided ? ", no shape told apart" : "");
        named++;
    }
    if (noisy > named) printf("  and %zu more\n", noisy - named);
}

static bool finish(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    struct result result;
    struct tuned tuned = {0};
    const char *invariant = run->options->run.invariant;
    if (!result_read(run->path, &result, err)) return false;
    const bool one_set = !invariant || invariant_choose(arena, &result, invariant);
    tuned_make(&result, arena, &tuned);
    const char *folder = file_folder(arena, run->path), *home = home_folder(arena, err);
    const char *path = arena_format(arena, "%s/tuned.json", folder);
    bool ok =
        home && tuned_write(path, &tuned, err) && present(run->path, (struct shown_with){0}, folder, home, true, err);
    size_t wrong = ok ? render_failures(&result, stdout) : 0;
    if (ok) {
        if (!run->options->quiet) print_pruned(json_get(json_get(json_get(result.context, "run"), "tuning"), "cases"));
        print_unfinished(&tuned);
        print_noise(&tuned);
        printf("\n%zu cases tuned\nResult  %s\nReport  %s/report.html\nTable   %s\n", tuned.count, run->path, folder,
            path);
    }
    const size_t count = ok ? tuned.count : 0, unfinished = ok ? tuned_unfinished(&tuned) : 0;
    result_free(&result);
    *status = wrong || !one_set ? STATUS_WRONG : !count ? STATUS_NOTHING : unfinished ? STATUS_PARTIAL : STATUS_OK;
    return ok;
}

static bool choose_strategy(const char *name, const struct strategy **out, struct error *err) {
    *out = name ? strategy_named(name) : NULL;
    if (!name || *out) return true;
    return error_set(err, STATUS_USAGE, "--strategy expects race, exhaustive, random or greedy, found '%s'", name);
}

// Takes the strategy from the options; a resumed search keeps its strategy. A race drops shapes whose bits may be the
// only ones of another size.
static bool take_strategy(struct arena *arena, const struct bench_run *run, struct error *err) {
    struct tune_progress *progress = run->user;
    (void)arena;
    const struct options *options = run->options;
    const char *usual = options->run.invariant ? "exhaustive" : NULL;
    return choose_strategy(options->strategy ? options->strategy : usual, &progress->strategy, err);
}

// ---- simulated searches of recorded spaces, without a device

// The targets of the race: near the true best this often, at this share of the samples.
static const struct simulate_options standard = {.repeats = 50, .sample_share = 0.2, .near = 0.02};

static const char *const compared[] = {"race", "random", "greedy"};
enum { COMPARED = sizeof compared / sizeof *compared };

struct score_sums {
    double near, share, loss, worst, least_near;
};

static struct score_sums add_up(const struct trial_score *scores, size_t count) {
    struct score_sums sums = {.least_near = 1};
    for (size_t i = 0; i < count; i++) {
        sums.near += scores[i].near_share / (double)count;
        sums.share += scores[i].sample_share / (double)count;
        sums.loss += scores[i].mean_loss / (double)count;
        sums.worst = fmax(sums.worst, scores[i].worst_loss);
        sums.least_near = fmin(sums.least_near, scores[i].near_share);
    }
    return sums;
}

static void print_scores(const struct recorded *recorded, struct trial_score *const *scores) {
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
    printf("\n%s (%s%s%s): %zu cases, %d repeats of each search\n", recorded->device, recorded->driver,
        recorded->historical ? ", historical: " : "", recorded->historical ? recorded->historical : "", recorded->count,
        repeats);
    for (size_t s = 0; s < COMPARED; s++) {
        struct score_sums sums = add_up(scores[s], recorded->count);
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
    if (!given->quiet) print_scores(&recorded, scores);
    print_sums(&recorded, scores, options.repeats);
    return true;
}

static bool tune_simulate(struct arena *arena, const struct options *options, struct error *err) {
    if (!options->word_count)
        return error_set(err, STATUS_USAGE, "tune --simulate: expected results or recorded spaces");
    if (options->out && options->word_count != 1)
        return error_set(
            err, STATUS_USAGE, "tune --simulate: --out expects one result, found %zu", options->word_count);
    for (size_t i = 0; i < options->word_count; i++)
        if (!simulate_file(arena, options->words[i], options, err)) return false;
    return true;
}

void help_strategies(void) {
    for (const struct strategy *s = strategies; s->name; s++) help_row(s->name, 14, s->summary);
}

bool command_tune(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct tune_progress progress = {.quiet = options->quiet};
    if (!refuse_capture("tune", options, err)) return false;
    if (options->join) return tune_join(arena, options, status, err);
    if (options->simulate) return tune_simulate(arena, options, err);
    if (!choose_strategy(options->strategy, &progress.strategy, err)) return false;
    const struct bench tune = {.verb = "tune",
        .suite = "tuning",
        .time = true,
        .all_shapes = true,
        .finds_sizes = true,
        .supervise = search,
        .before = take_strategy,
        .after = finish,
        .user = &progress};
    return bench_suite(arena, options, &tune, status, err);
}
