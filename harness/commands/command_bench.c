// SPDX-License-Identifier: Apache-2.0
// bench and check: plan, run, record and show a suite. A check is a bench without timing.
#include "bench/bench_run.h"
#include "bench/reference_bench.h"

#include "../base/kind.h"
#include "../base/file.h"
#include "../shader/compile/compile.h"
#include "../shader/compile/shader.h"
#include "../engine/plan/suite.h"
#include "../engine/program/shaders.h"
#include "../engine/tiers/sampled_tier.h"
#include "../readers/exports/export.h"
#include "../readers/render/render.h"
#include "command.h"
#include "bench/known_peaks.h"
#include "../engine/run/run.h"
#include "../device/device_info.h"
#include "../record/device_key.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A chunk of an exhaustive check takes a second beside a GPU, but minutes on a small machine without one.
enum { MOST_LEFT_OUT = 12 };
static const double chunk_timeout_s = 600;

static bool plan_samples(const struct run *run, const struct device_info *device, struct plan *out, struct error *err) {
    const struct options *options = run->options;
    struct sample_request request = {.suite = &run->suite,
        .kernels = &run->prepared.kernels,
        .device = device,
        .seed = options->run.seed,
        .random = options->random,
        .select = options->words,
        .select_count = options->word_count};
    struct sample_counts counts;
    struct session session = prepare_session(run->arena, &run->prepared, options, &run->suite, device);
    session.options.include_folders = run->include_folders;
    session.options.include_count = run->include_count;
    const struct numbers_source source = {device, &session.options};
    request.numbers = program_numbers;
    request.source = &source;
    sample_standard(device, &request);
    if (options->shapes) request.shapes = options->shapes;
    if (!sample_plan(run->arena, &request, out, &counts, err)) return false;
    if (!options->quiet && !options->word_count)
        printf("sampled: %zu of %zu legal shapes, at most %d per kernel and type, drawn by the seed\n", counts.shapes,
            counts.legal, request.shapes);
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

// Plans the suite's points, and adds points for kernels named on the command line.
static bool plan_suite(const struct run *run, const struct device_info *device, struct plan *out, struct error *err) {
    const struct options *options = run->options;
    const bool all = run->bench->all_shapes || (!run->bench->time && options->dims);
    struct suite suite = run->suite;
    if (run->bench->finds_sizes && !prepare_sizes(run->arena, &run->prepared, options, device, run->bench->all_shapes,
                                       all ? SHAPES_ALL : SHAPES_DEFAULT, &suite, err))
        return false;
    if (!suite.entry_count)
        return error_set(err, STATUS_BAD_INPUT, "suite %s names no kernel of %s", suite.name, options->only);
    return plan_build(
        run->arena, &suite, &run->prepared.kernels, device, options->words, options->word_count, out, err);
}

// Plans the points. Whole point names are replayed even if the suite lacks them; patterns select from the suite.
static bool plan(const struct run *run, const struct device_info *device, const struct run_options *as,
    struct plan *out, struct plan_cut *cut, struct error *err) {
    const struct options *options = run->options;
    bool ok;
    if (words_are_points(options))
        ok = plan_from_names(run->arena, &run->prepared.kernels, device, options->words, options->word_count,
            &run->suite.settings, out, err);
    else if (run->sampled)
        ok = plan_samples(run, device, out, err);
    else if (run->exhaustive)
        ok = plan_every_input(run, device, out, err);
    else
        ok = plan_suite(run, device, out, err);
    if (ok && options->shard.count) {
        double *costs = arena_alloc(run->arena, out->count + 1, sizeof *costs);
        for (size_t i = 0; i < out->count; i++) costs[i] = runner_cost(&out->points[i], as, device);
        plan_shard(run->arena, out, costs, options->shard.index, options->shard.count, cut);
    }
    if (ok && run->compile_only) plan_pipelines(run->arena, options->words, options->word_count, out);
    if (ok && run->bench->climbs) supervise_climb(out, run->bench->in_steps);
    if (ok) expectations_apply(run->arena, &run->expectations, device, out);
    return ok;
}

// Reports the user's kernels missing from the suite, if no kernels were selected. Nothing else would report them.
static void say_left_out(const struct run *run, const struct plan *plan) {
    const struct kernels *kernels = &run->prepared.kernels;
    struct text names = {0};
    size_t count = 0;
    for (size_t k = 0; k < kernels->count && !run->options->word_count; k++) {
        bool there = !kernels->items[k]->given;
        for (size_t i = 0; i < plan->count && !there; i++) there = plan->points[i].kernel == kernels->items[k];
        if (there) continue;
        if (count++ < MOST_LEFT_OUT) text_format(&names, "%s%s", count > 1 ? ", " : "", kernels->items[k]->name);
    }
    if (count > MOST_LEFT_OUT) text_format(&names, " and %zu more", count - MOST_LEFT_OUT);
    if (count)
        fprintf(stderr,
            "vkassay: suite %s has no point of %s; run `vkassay check` without --suite and --tier to include them\n",
            run->suite.name, text_str(&names));
    text_free(&names);
}

// Refuses to resume WGSL kernels without the recorded compiler, because another one might make other shaders or fail.
static bool has_wgsl_compiler(const struct run *run, const struct plan *plan, struct error *err) {
    if (!resume_lacks(run->options, "wgsl-compiler")) return true;
    for (size_t i = 0; i < plan->count; i++) {
        const struct kernel *kernel = plan->points[i].kernel;
        for (int p = 0; p < kernel->pass_count; p++)
            if (shader_language(kernel->passes[p].shader) == LANGUAGE_WGSL)
                return error_set(err, STATUS_USAGE,
                    "%s is in WGSL, and the recorded --wgsl-compiler is ignored: repeat it with "
                    "--resume",
                    kernel->name);
    }
    return true;
}

// Refuses a rewriting command that cannot be run, and to go on without the recorded one.
static bool has_rewriter(const struct run *run, struct error *err) {
    const char *line = run->options->run.rewritten;
    if (resume_lacks(run->options, "rewritten"))
        return error_set(err, STATUS_USAGE, "the recorded --rewritten is ignored: repeat it with --resume");
    if (line && run->exhaustive)
        return error_set(err, STATUS_USAGE, "--rewritten requires another tier than exhaustive");
    return !line || rewrite_is_usable(line, err) || error_prefix(err, "--rewritten: ");
}

// With `--shard auto`, lets all devices like this one take points of its run.
static void take_siblings(struct run *run, const struct device_info *device, struct session *session) {
    const struct prepared *prepared = &run->prepared;
    const struct device_info **siblings = arena_alloc(run->arena, prepared->device_count, sizeof *siblings);
    for (size_t i = 0; run->options->shard.all && i < prepared->device_count; i++)
        if (&prepared->devices[i] != device && device_same(&prepared->devices[i], device, DEVICE_MODEL_AND_BUILD))
            siblings[session->sibling_count++] = &prepared->devices[i];
    session->siblings = siblings;
    if (session->jobs <= (int)session->sibling_count) session->jobs = (int)session->sibling_count + 1;
}

// Notes the identities of these devices in the result.
static void note_siblings(const struct session *session) {
    struct json_object *into = json_get(session->context, "run"), *list;
    if (!session->sibling_count) return;
    json_put(into, "devices", list = json_object_new_array());
    for (size_t i = 0; i <= session->sibling_count; i++) {
        const struct device_info *device = i ? session->siblings[i - 1] : session->device;
        json_object_array_add(list, json_object_new_string(device->pci[0] ? device->pci : device->device_uuid));
    }
}

// Notes the cut of the points, so that merge can match shards and find missing ones.
static void note_cut(struct json_object *context, const struct plan_cut *cut) {
    char hash[20];
    struct json_object *shard = json_get(json_get(context, "run"), "shard");
    if (!shard) return;
    snprintf(hash, sizeof hash, "%016" PRIx64, cut->hash);
    json_put_int(shard, "points", (int64_t)cut->points);
    json_put_int(shard, "of", (int64_t)cut->of);
    json_put_string(shard, "cut", hash);
}

// Keeps the first of each group of like devices; the others take points of its run.
static void choose_one_of_alike(struct prepared *prepared) {
    size_t kept = 0;
    for (size_t i = 0; i < prepared->chosen_count; i++) {
        bool found = false;
        for (size_t k = 0; k < kept; k++)
            found |= device_same(&prepared->devices[prepared->chosen[k]], &prepared->devices[prepared->chosen[i]],
                DEVICE_MODEL_AND_BUILD);
        if (!found) prepared->chosen[kept++] = prepared->chosen[i];
    }
    prepared->chosen_count = kept;
}

// Prepares a device's session: its plan, options, folder and context.
static bool begin_device(struct run *run, struct device_run *one, struct error *err) {
    const struct options *options = run->options;
    const struct device_info *device = one->device;
    struct session session = prepare_session(run->arena, &run->prepared, options, &run->suite, device);
    one->folder = prepare_folder(run->arena, options, device, run->suite.name);
    session.options.time = run->bench->time;
    session.options.compile_only = run->compile_only;
    if (run->bench->time) session.options.threads = options->jobs;
    session.options.include_folders = run->include_folders;
    session.options.include_count = run->include_count;
    session.jobs = run->exhaustive && !options->jobs ? 1 : prepare_jobs(options); // one exhaustive part uses all cores
    take_siblings(run, device, &session);
    if (run->exhaustive) session.point_timeout_s = fmax(session.point_timeout_s, chunk_timeout_s);
    session.budget_s = options->budget_s;
    session.climbs = run->bench->climbs;
    one->line.brief = run->bench->climbs != CLIMB_NONE;
    session.journal_path = kind_run_file(run->arena, one->folder);
    session.resume = options->resume != NULL;
    session.retry = true;
    session.progress = options->quiet ? NULL : progress_show;
    struct bench_run shown = {.options = options,
        .device = device,
        .suite = run->suite.name,
        .kernels = &run->prepared.kernels,
        .user = run->bench->user};
    if (run->bench->before && !run->bench->before(run->arena, &shown, err)) return false;
    struct plan_cut cut = {0};
    if (!plan(run, device, &session.options, &session.plan, &cut, err) || !has_wgsl_compiler(run, &session.plan, err) ||
        !file_make_folder(one->folder, err))
        return false;
    session.options.sanitize_large = !run->bench->time && plan_is_deep(&session.plan);
    if (!run->bench->time && !options->shard.count) say_left_out(run, &session.plan);
    session.context = prepare_context(run->arena, options, &run->suite, device);
    note_siblings(&session);
    note_cut(session.context, &cut);
    const char *from = known_peaks_take(run->arena, run, &session);
    if (run->bench->all_shapes) known_peaks_floor(run->arena, &run->prepared.kernels, &session);
    if (!options->quiet)
        printf("%s: suite %s, %zu points on %s, seed %llu\n", run->bench->verb, run->suite.name, session.plan.count,
            one->label, (unsigned long long)options->run.seed);
    if (from && !options->quiet) printf("using peaks measured at %s; --no-cache measures them again\n", from);
    if (options->began_on && strcmp(options->began_on->device_uuid, device->device_uuid) != 0)
        fprintf(stderr,
            "vkassay: the original device (UUID %s) is not available; continuing on one of the same model and driver "
            "(UUID %s)\n",
            options->began_on->device_uuid, device->device_uuid);
    if (!options->quiet && session.sibling_count)
        printf("running on %zu devices of this model\n", session.sibling_count + 1);
    fflush(stdout);
    one->session = session;
    return true;
}

// Chooses the tier of a check. The default is a tier, unless a suite is given.
static bool choose_tier(struct run *run, struct error *err) {
    const struct options *options = run->options;
    if (options->shard.all && run->bench->time)
        return error_set(err, STATUS_USAGE,
            "--shard auto requires check, because shards on several devices cannot be timed equally");
    if (run->bench->time) return true;
    run->compile_only = options->tier && strcmp(options->tier, "compile") == 0;
    if (options->run.disassembly && !run->compile_only)
        return error_set(err, STATUS_USAGE, "--disassembly requires --tier compile");
    if (options->suite && options->tier && !run->compile_only)
        return error_set(err, STATUS_USAGE, "use --suite or --tier, not both");
    if (options->dims && options->tier)
        return error_set(err, STATUS_USAGE, "either --dims or --tier: a tier chooses sizes by itself");
    const bool captured = asks_for_capture(options);
    if (captured && options->tier && !run->compile_only)
        return error_set(err, STATUS_USAGE,
            "--tier %s is not for captured folders: their dispatches are checked as recorded", options->tier);
    run->sampled =
        !captured && !options->suite && !options->dims && (!options->tier || strcmp(options->tier, "sampled") == 0);
    if ((options->random || options->shapes) && !run->sampled)
        return error_set(err, STATUS_USAGE, "--%s requires --tier sampled", options->random ? "random" : "shapes");
    run->exhaustive = options->tier && strcmp(options->tier, "exhaustive") == 0;
    if ((options->pairs || options->range.first || options->range.last != UINT32_MAX) && !run->exhaustive)
        return error_set(err, STATUS_USAGE, "--%s requires --tier exhaustive", options->pairs ? "pairs" : "range");
    return true;
}

// Makes the entries plan all shapes. Entries listing their shapes keep them unless `listed`.
static void take_all_shapes(struct suite *suite, bool listed) {
    size_t kept = 0;
    for (size_t i = 0; i < suite->entry_count; i++) {
        if (suite->entries[i].peak) continue;
        suite->entries[kept] = suite->entries[i];
        if (listed || suite->entries[i].shapes != SHAPES_LISTED) suite->entries[kept].shapes = SHAPES_ALL;
        kept++;
    }
    suite->entry_count = kept;
}

static bool prepare(struct run *run, struct error *err) {
    const struct options *options = run->options;
    struct prepared *prepared = &run->prepared;
    if (!choose_tier(run, err) || !has_rewriter(run, err)) return false;
    if (!prepare_kernels(run->arena, options, prepared, err) ||
        (resume_lacks(options, "operators") && !kernels_are_sound(&prepared->kernels, err)))
        return resume_lacks(options, "operators") ? error_prefix(err, "without the recorded --operators: ") : false;
    if (!prepare_suite(run->arena, prepared, options->suite ? options->suite : run->bench->suite, &run->suite, err) ||
        !prepare_devices(run->arena, options, prepared, err))
        return false;
    if (asks_for_capture(options))
        suite_of_recordings(run->arena, &prepared->kernels, run->bench->time && !run->bench->all_shapes, &run->suite);
    if (!prepare_dims(run->arena, options, &run->suite, err)) return false;
    if (options->dims && !run->bench->time && !options->suite) take_all_shapes(&run->suite, true);
    if (options->shard.all) choose_one_of_alike(prepared);
    if (run->sampled) run->suite.name = "sampled";
    if (run->exhaustive) run->suite = (struct suite){.name = "exhaustive", .file = "", .settings = run->suite.settings};
    if (options->expectations && !expectations_load(run->arena, options->expectations, &run->expectations, err))
        return false;
    if (run->bench->all_shapes) take_all_shapes(&run->suite, false);
    options_settings(options, &run->suite.settings);
    prepare_includes(run->arena, prepared, run->include_folders, &run->include_count);
    return true;
}

// Writes one file for all devices, with a test suite for each.
static bool write_junit(const struct run *run, struct error *err) {
    struct result_set set;
    bool ok = result_set_of(run->arena, run->results, run->result_count, result_read, &set, err) &&
              export_write(run->options->junit, &format_junit, set.results, set.count, err);
    result_set_free(&set);
    return ok;
}

// Writes one page across devices, if there are several.
static bool show_across(struct run *run, const struct device_run *runs, struct error *err) {
    struct result_set set;
    if (run->bench->after || !run->bench->time || run->result_count < 2) return true;
    const char *folder = arena_format(run->arena, "%s/devices/%s",
        run->options->out ? run->options->out : "reports/out", strrchr(runs[0].folder, '/') + 1);
    const char *templates = arena_format(run->arena, "%s/reports", run->prepared.home);
    bool ok = result_set_of(run->arena, run->results, run->result_count, result_read, &set, err) &&
              render_gallery(&set, gallery_items(run->arena, &set), DEVICE_UNIT_AND_DRIVER, "devices", folder,
                  templates, NULL, err);
    if (ok) printf("Devices %s/devices.html\n", folder);
    result_set_free(&set);
    return ok;
}

// Finishes the begun devices one after the other. A device whose workers were lost loses only its own results.
static bool end_devices(struct run *run, struct device_run *runs, enum status *status, struct error *err) {
    const size_t count = run->prepared.chosen_count;
    struct error failed = {0};
    size_t done = 0, begun = 0;
    for (size_t i = 0; i < count; i++) {
        struct error here = {0};
        enum status one = STATUS_OK;
        if (!runs[i].begun) continue;
        begun++;
        if (!bench_end_device(run, &runs[i], &one, &here)) {
            if (failed.status) fprintf(stderr, "vkassay: %s\n", failed.text);
            failed = here;
        } else {
            *status = done++ ? status_join_devices(*status, one) : one;
        }
    }
    if (begun < count) {
        fprintf(stderr, "Not started: %zu of %zu devices\n", count - begun, count);
        *status = status_join(*status, STATUS_PARTIAL);
    }
    if (failed.status) *err = failed;
    return !failed.status;
}

static bool run_devices(struct run *run, enum status *status, struct error *err) {
    const struct prepared *prepared = &run->prepared;
    const struct options *options = run->options;
    const size_t count = prepared->chosen_count;
    struct device_run *runs = arena_alloc(run->arena, count, sizeof *runs);
    for (size_t i = 0; i < count; i++) runs[i].device = &prepared->devices[prepared->chosen[i]];
    bench_devices_label(run->arena, runs, count);
    bool ready = true;
    for (size_t i = 0; ready && i < count; i++) ready = begin_device(run, &runs[i], err);
    if (ready) bench_devices_run(runs, count, run->bench, options->quiet);
    struct error later;
    bool ok = ready && end_devices(run, runs, status, err);
    return ready && show_across(run, runs, ok ? err : &later) && ok;
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
    const struct bench bench = {
        .verb = "bench", .suite = "quick", .time = true, .knows_peaks = true, .finds_sizes = true};
    struct options mine = *options;
    mine.reference_only = options->device && strcmp(options->device, "none") == 0;
    return bench_suite(arena, &mine, mine.reference_only ? &reference_bench : &bench, status, err);
}

bool command_check(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench check = {.verb = "check", .suite = "smoke", .finds_sizes = true};
    return bench_suite(arena, options, &check, status, err);
}
