// SPDX-License-Identifier: Apache-2.0
// bench and check: a suite planned, run, recorded and shown. A check is a bench that does not time.
#include "bench.h"

#include "../base/file.h"
#include "../device/shader.h"
#include "../supervise/expectations.h"
#include "../plan/cover.h"
#include "../plan/sampled_tier.h"
#include "../plan/exhaustive_tier.h"
#include "../record/standing.h"
#include "../render/exports/export.h"
#include "../supervise/supervise.h"
#include "command.h"
#include "prepare.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A chunk of an exhaustive check is a second's work beside a GPU, and minutes' on a small machine without one.
static const double chunk_timeout_s = 600;

struct run {
    struct arena *arena;
    const struct options *options;
    const struct bench *bench;
    bool sampled;    // the sampled tier: the suite is what it starts from
    bool exhaustive; // the tier, instead of a suite
    struct prepared prepared;
    struct suite suite;
    struct expectations expectations;
    const char *include_folders[OPTION_LIST + 2];
    size_t include_count;
    const char *results[64]; // paths of what was written, as many as devices can be chosen
    size_t result_count;
    bool interrupted; // no further device is begun
};

static bool is_point_name(const char *word) {
    return strstr(word, "/wg=") && !strpbrk(word, "*?");
}

static bool plan_samples(const struct run *run, const struct device_info *device, struct plan *out, struct error *err) {
    const struct options *options = run->options;
    struct sample_request request = {.suite = &run->suite,
        .kernels = &run->prepared.kernels,
        .device = device,
        .seed = options->run.seed,
        .random = options->random,
        .select = options->words,
        .select_count = options->word_count};
    struct sample_facts facts;
    sample_standard(device, &request);
    if (options->shapes) request.shapes = options->shapes;
    if (!sample_plan(run->arena, &request, out, &facts, err)) return false;
    if (!options->quiet && !options->word_count)
        printf("sampled: %zu of %zu legal shapes, at most %d a kernel and type; which ones follows from the seed\n",
            facts.shapes, facts.legal, request.shapes);
    return true;
}

static bool plan_every_input(
    const struct run *run, const struct device_info *device, struct plan *out, struct error *err) {
    const struct options *options = run->options;
    struct exhaustive_request request = {.first = options->range.first,
        .last = options->range.last,
        .pairs = options->pairs,
        .memory_share = run->suite.settings.memory_share,
        .select = options->words,
        .select_count = options->word_count};
    return plan_exhaustive(run->arena, &run->prepared.kernels, device, &request, out, err);
}

// Whole point names are replayed as they stand, whether the suite has them or not; patterns choose from the suite.
static bool plan(const struct run *run, const struct device_info *device, struct plan *out, struct error *err) {
    const struct options *options = run->options;
    bool names = options->word_count > 0;
    for (size_t i = 0; i < options->word_count; i++) names = names && is_point_name(options->words[i]);
    bool ok;
    if (names)
        ok = plan_from_names(run->arena, &run->prepared.kernels, device, options->words, options->word_count,
            &run->suite.settings, out, err);
    else if (run->sampled)
        ok = plan_samples(run, device, out, err);
    else if (run->exhaustive)
        ok = plan_every_input(run, device, out, err);
    else if (!run->suite.entry_count)
        ok = error_set(err, STATUS_BAD_INPUT, "suite %s names no kernel of %s", run->suite.name, options->only);
    else
        ok = plan_build(
            run->arena, &run->suite, &run->prepared.kernels, device, options->words, options->word_count, out, err);
    if (ok && options->shard.count) plan_shard(out, options->shard.index, options->shard.count);
    if (ok) expectations_apply(run->arena, &run->expectations, device, out);
    return ok;
}

// What the records say of the run.
static enum status status_of(const struct outcome *outcome) {
    size_t ran = 0, wrong = 0;
    for (size_t i = 0; i < outcome->count; i++) {
        ran += strcmp(json_get_string(outcome->records[i], "status", ""), record_status_name(RECORD_SKIP)) != 0;
        wrong += standing_is_bad(record_standing_json(outcome->records[i]));
    }
    return wrong ? STATUS_WRONG : ran ? STATUS_OK : STATUS_NOTHING;
}

// By which the same run would come out as expected.
static bool write_expectations(const struct run *run, const struct device_info *device, const struct outcome *outcome,
    const char *path, struct error *err) {
    struct json_object *next = expectations_next(&run->expectations, device, outcome->records, outcome->count);
    bool ok = json_write(path, next, true, err);
    json_object_put(next);
    return ok;
}

// The device's speed, where it was not steady.
static void say_slowed(const struct run *run, const struct outcome *outcome) {
    size_t throttled = 0, timed = 0;
    for (size_t i = 0; i < outcome->count; i++) {
        timed += json_get(outcome->records[i], "time") != NULL;
        throttled += json_object_get_boolean(json_get(outcome->records[i], "throttled")) != 0;
    }
    const char *words = wall_slowed(run->arena, json_get(outcome->context, "run"), throttled, timed);
    if (words) puts(words);
}

static const char *cut_short_words(const struct run *run, const struct outcome *outcome) {
    return whole_words(run->arena, json_get(outcome->context, "run"));
}

// The path of the result; NULL with err.
static const char *write_result(
    struct run *run, const struct device_info *device, struct outcome *outcome, const char *folder, struct error *err) {
    const char *path = arena_format(run->arena, "%s/result.json", folder);
    if (!exhaustive_join(outcome->records, &outcome->count, err)) return NULL;
    expectations_note(&run->expectations, device, outcome->records, outcome->count);
    if (!result_write(
            path, outcome->context, outcome->records, outcome->count, outcome->wall_s, run->options->trim, err))
        return NULL;
    run->results[run->result_count++] = path;
    return path;
}

static bool show(struct run *run, const struct device_info *device, struct outcome *outcome, const char *path,
    const char *folder, enum status *status, struct error *err) {
    if (run->bench->after) {
        struct bench_run facts = {run->options, device, run->suite.name, &run->prepared.kernels, path,
            outcome->interrupted, cut_short_words(run, outcome), run->bench->user};
        return run->bench->after(run->arena, &facts, status, err);
    }
    const char *next = arena_format(run->arena, "%s/expectations.json", folder);
    if (!write_expectations(run, device, outcome, next, err) || !present(path, folder, run->prepared.home, false, err))
        return false;
    *status = status_of(outcome);
    if (*status == STATUS_WRONG) printf("What went otherwise than expected is in %s, for --expectations\n", next);
    const char *words = wall_words(run->arena, json_get(outcome->context, "run"));
    if (words) puts(words);
    say_slowed(run, outcome);
    return true;
}

// What there is of a run, whole or not.
static bool finish(struct run *run, const struct device_info *device, struct outcome *outcome, const char *folder,
    enum status *status, struct error *err) {
    const char *path = write_result(run, device, outcome, folder, err);
    bool ok = path && show(run, device, outcome, path, folder, status, err);
    const char *line = resume_line(run->arena, run->options, folder);
    progress_say_losses(outcome);
    if (outcome->unblamed) *status = STATUS_WRONG;
    if (!ok || !outcome->left) return ok;
    fprintf(stderr, "The run was %s\n", cut_short_words(run, outcome));
    if (line) fprintf(stderr, "continue with: %s\n", line);
    *status = status_join(*status, STATUS_PARTIAL);
    return true;
}

// Of a run that failed: what there is, and how to go on.
static void salvage(struct run *run, const struct device_info *device, struct outcome *outcome, const char *folder) {
    struct error later;
    const char *path = write_result(run, device, outcome, folder, &later);
    bool shown = path && present(path, folder, run->prepared.home, true, &later);
    const char *line = resume_line(run->arena, run->options, folder);
    fprintf(stderr, "The run ended early. What there is by then:\nResult  %s\nJournal %s/journal.jsonl\n",
        path ? path : later.text, folder);
    if (path) fprintf(stderr, "Report  %s%s\n", shown ? folder : later.text, shown ? "/report.html" : "");
    if (line) fprintf(stderr, "continue with: %s\n", line);
}

static void release(struct outcome *outcome) {
    for (size_t i = 0; i < outcome->count; i++) json_object_put(outcome->records[i]);
    json_object_put(outcome->context);
}

// Another compiler than the run was started with would make other shaders, or none.
static bool has_wgsl_compiler(const struct run *run, const struct plan *plan, struct error *err) {
    if (!resume_lacks(run->options, "wgsl-compiler")) return true;
    for (size_t i = 0; i < plan->count; i++) {
        const struct kernel *kernel = plan->points[i].kernel;
        for (int p = 0; p < kernel->pass_count; p++)
            if (shader_language(kernel->passes[p].shader) == LANGUAGE_WGSL)
                return error_set(err, STATUS_USAGE,
                    "%s is in WGSL, and the recorded --wgsl-compiler does not count by itself: give one beside "
                    "--resume",
                    kernel->name);
    }
    return true;
}

// Counted before anything is joined or let go.
static void note_covered(
    const struct run *run, const struct device_info *device, const struct plan *plan, const struct outcome *outcome) {
    const struct cover_request request = {.plan = plan,
        .device = device,
        .memory_share = run->suite.settings.memory_share,
        .seed = run->options->run.seed,
        .records = outcome->records,
        .record_count = outcome->count};
    size_t count;
    struct json_object *into = json_get(outcome->context, "run");
    if (run->bench->time || run->exhaustive || !into) return;
    const struct covered *rows = cover_make(run->arena, &request, &count);
    json_put(into, "covered", covered_to_json(rows, count));
}

static bool run_device(struct run *run, const struct device_info *device, enum status *status, struct error *err) {
    const struct options *options = run->options;
    const char *folder = prepare_folder(run->arena, options, device, run->suite.name);
    struct session session = prepare_session(run->arena, &run->prepared, options, &run->suite, device);
    session.options.time = run->bench->time;
    session.options.include_folders = run->include_folders;
    session.options.include_count = run->include_count;
    session.jobs = run->exhaustive && !options->jobs ? 1 : prepare_jobs(options); // a part has all cores at work
    if (run->exhaustive) session.point_timeout_s = fmax(session.point_timeout_s, chunk_timeout_s);
    session.budget_s = options->budget_s;
    session.journal_path = arena_format(run->arena, "%s/journal.jsonl", folder);
    session.resume = options->resume != NULL;
    session.retry = true;
    session.progress = options->quiet ? NULL : progress_show;
    struct progress_line line = {0};
    session.user = &line;
    struct bench_run facts = {.options = options,
        .device = device,
        .suite = run->suite.name,
        .kernels = &run->prepared.kernels,
        .user = run->bench->user};
    if (run->bench->before && !run->bench->before(run->arena, &facts, err)) return false;
    if (!plan(run, device, &session.plan, err) || !has_wgsl_compiler(run, &session.plan, err) ||
        !file_make_folder(folder, err))
        return false;
    session.context = prepare_context(run->arena, options, &run->suite, device);
    if (!options->quiet)
        printf("%s: suite %s, %zu points on %s, seed %llu\n", run->bench->verb, run->suite.name, session.plan.count,
            device->name, (unsigned long long)options->run.seed);
    fflush(stdout);
    struct outcome outcome = {0};
    bool ran = run->bench->supervise ? run->bench->supervise(run->arena, &session, run->bench->user, &outcome, err)
                                     : supervise_run(run->arena, &session, &outcome, err);
    progress_end(&line);
    note_covered(run, device, &session.plan, &outcome);
    run->interrupted = outcome.interrupted;
    bool ok = ran && finish(run, device, &outcome, folder, status, err);
    if (!ran && outcome.context) salvage(run, device, &outcome, folder);
    release(&outcome);
    return ok;
}

// A check runs a tier unless a suite is asked for.
static bool choose_tier(struct run *run, struct error *err) {
    const struct options *options = run->options;
    if (run->bench->time) return true;
    if (options->suite && options->tier) return error_set(err, STATUS_USAGE, "either --suite or --tier, not both");
    run->sampled = !options->suite && (!options->tier || strcmp(options->tier, "sampled") == 0);
    if ((options->random || options->shapes) && !run->sampled)
        return error_set(err, STATUS_USAGE, "--%s goes with --tier sampled", options->random ? "random" : "shapes");
    run->exhaustive = options->tier && strcmp(options->tier, "exhaustive") == 0;
    if ((options->pairs || options->range.first || options->range.last != UINT32_MAX) && !run->exhaustive)
        return error_set(err, STATUS_USAGE, "--%s goes with --tier exhaustive", options->pairs ? "pairs" : "range");
    return true;
}

static void take_all_shapes(struct suite *suite) {
    size_t kept = 0;
    for (size_t i = 0; i < suite->entry_count; i++) {
        if (suite->entries[i].peak) continue;
        suite->entries[kept] = suite->entries[i];
        suite->entries[kept++].shapes = SHAPES_ALL;
    }
    suite->entry_count = kept;
}

static bool prepare(struct run *run, struct error *err) {
    const struct options *options = run->options;
    struct prepared *prepared = &run->prepared;
    if (!choose_tier(run, err)) return false;
    if (!prepare_kernels(run->arena, options, prepared, err) ||
        (resume_lacks(options, "operators") && !kernels_are_sound(&prepared->kernels, err)))
        return resume_lacks(options, "operators") ? error_prefix(err, "without the recorded --operators: ") : false;
    if (!prepare_suite(run->arena, prepared, options->suite ? options->suite : run->bench->suite, &run->suite, err) ||
        !prepare_devices(run->arena, options, prepared, err))
        return false;
    if (run->sampled) run->suite.name = "sampled";
    if (run->exhaustive) run->suite = (struct suite){.name = "exhaustive", .file = "", .settings = run->suite.settings};
    if (options->expectations && !expectations_load(run->arena, options->expectations, &run->expectations, err))
        return false;
    if (run->bench->all_shapes) take_all_shapes(&run->suite);
    options_settings(options, &run->suite.settings);
    prepare_includes(run->arena, prepared, run->include_folders, &run->include_count);
    return true;
}

// One file for all devices, a test suite each.
static bool write_junit(const struct run *run, struct error *err) {
    struct result *results;
    if (!read_results(run->arena, run->results, run->result_count, &results, err)) return false;
    bool ok = export_write(run->options->junit, &format_junit, results, run->result_count, err);
    release_results(results, run->result_count);
    return ok;
}

// Each chosen device; one that its workers are lost to does not keep the others waiting.
static bool run_devices(struct run *run, enum status *status, struct error *err) {
    const struct prepared *prepared = &run->prepared;
    struct error failed = {0};
    size_t i = 0, done = 0;
    for (; i < prepared->chosen_count && !run->interrupted; i++) {
        size_t before = run->result_count;
        enum status one = STATUS_OK;
        bool ok = run_device(run, &prepared->devices[prepared->chosen[i]], &one, err);
        if (!ok && run->result_count == before) return false;
        if (failed.status && !ok) fprintf(stderr, "vkassay: %s\n", failed.text);
        if (!ok)
            failed = *err;
        else
            *status = done++ ? status_join_devices(*status, one) : one;
    }
    if (i < prepared->chosen_count) {
        fprintf(stderr, "Not begun: %zu of %zu devices\n", prepared->chosen_count - i, prepared->chosen_count);
        *status = status_join(*status, STATUS_PARTIAL);
    }
    if (failed.status) *err = failed;
    return !failed.status;
}

bool bench_suite(struct arena *arena, const struct options *given, const struct bench *bench, enum status *status,
    struct error *err) {
    struct options options = *given;
    struct run run = {.arena = arena, .options = &options, .bench = bench};
    if (given->resume && !resume_options(arena, given, &options, err)) return false;
    if (!prepare(&run, err)) return false;
    bool ok = run_devices(&run, status, err);
    struct error later;
    return (!options.junit || write_junit(&run, ok ? err : &later)) && ok;
}

bool command_bench(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench bench = {.verb = "bench", .suite = "quick", .time = true};
    return bench_suite(arena, options, &bench, status, err);
}

bool command_check(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench check = {.verb = "check", .suite = "smoke"};
    return bench_suite(arena, options, &check, status, err);
}
