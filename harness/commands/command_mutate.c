// SPDX-License-Identifier: Apache-2.0
// mutate: breaks kernels in small ways and tests whether their check notices.
#include "../base/file.h"
#include "../engine/mutate/mutations/mutations.h"
#include "../engine/program/shaders.h"
#include "../engine/tiers/sampled_tier.h"
#include "bench/progress.h"
#include "command.h"
#include "prepare.h"
#include "mutate_run.h"
#include "../device/device_info.h"

#include <stdio.h>

// Plans the kernels' checks with the session's options, and a target for each kernel.
static bool plan_targets(
    struct mutate_run *run, const struct session *session, const struct suite *suite, struct error *err) {
    const struct options *options = run->options;
    const struct numbers_source source = {session->device, &session->options};
    struct sample_request request = {.suite = suite,
        .kernels = &run->prepared.kernels,
        .device = session->device,
        .seed = options->run.seed,
        .each_alone = true,
        .numbers = program_numbers,
        .source = &source,
        .select = options->words,
        .select_count = options->word_count};
    struct plan plan;
    struct sample_counts counts;
    sample_standard(session->device, &request);
    if (options->shapes) request.shapes = options->shapes;
    if (!sample_plan(run->arena, &request, &plan, &counts, err)) return false;
    mutate_group(run, &plan);
    return run->target_count || error_set(err, STATUS_NOTHING, "nothing is selected");
}

static bool run_device(struct mutate_run *run, const struct device_info *device, struct suite *suite,
    enum status *status, struct error *err) {
    const struct options *options = run->options;
    struct session session = prepare_session(run->arena, &run->prepared, options, suite, device);
    struct outcome outcome;
    struct progress_line line = {.brief = true};
    const char *includes[OPTION_LIST + 2];
    session.options.include_folders = includes;
    prepare_includes(run->arena, &run->prepared, includes, &session.options.include_count);
    run->folder = prepare_folder(run->arena, options, device, "mutants");
    run->jobs = session.jobs = prepare_jobs(options);
    session.journal_path = arena_format(run->arena, "%s/mutants.jsonl", run->folder);
    session.resume = file_exists(session.journal_path);
    session.progress = options->quiet ? NULL : progress_show;
    session.user = &line;
    if (!plan_targets(run, &session, suite, err) || !file_make_folder(run->folder, err)) return false;
    session.options.lines = session.options.anew = true;
    mutate_choose(run, device, &session.options, &session.plan);
    run->context = prepare_context(run->arena, options, suite, device);
    json_object_deep_copy(run->context, &session.context, NULL); // a resumed run has its own
    struct error later;
    bool ok = supervise_run(run->arena, &session, &outcome, err);
    progress_end(&line);
    progress_say_losses(&outcome, status);
    if (outcome.context) ok = mutate_finish(run, &outcome, status, ok ? err : &later) && ok;
    for (size_t i = 0; i < outcome.count; i++) json_object_put(outcome.records[i]);
    json_object_put(outcome.context);
    return ok;
}

void help_mutations(void) {
    puts("Mutations, with the error each imitates:");
    for (int family = 0; family < MUTATION_FAMILIES; family++)
        for (const struct mutation *m = mutation_families[family]; m->name; m++) help_row(m->name, 30, m->imitates);
}

bool command_mutate(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct mutate_run run = {.arena = arena, .options = options};
    struct suite suite;
    if (!refuse_capture("mutate", options, err)) return false;
    if (options->all && options->count) return error_set(err, STATUS_USAGE, "use --all or --count, not both");
    if (options->shard.all) return error_set(err, STATUS_USAGE, "--shard auto requires check; mutate expects I/N");
    if (!prepare_kernels(arena, options, &run.prepared, err) ||
        !prepare_suite(arena, &run.prepared, options->suite ? options->suite : "smoke", &suite, err) ||
        !prepare_devices(arena, options, &run.prepared, err))
        return false;
    if (run.prepared.chosen_count != 1) return error_set(err, STATUS_USAGE, "mutate: expected one --device");
    options_settings(options, &suite.settings);
    bool ok = run_device(&run, &run.prepared.devices[run.prepared.chosen[0]], &suite, status, err);
    mutate_release(&run);
    return ok;
}
