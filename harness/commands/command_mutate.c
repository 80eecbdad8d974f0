// SPDX-License-Identifier: Apache-2.0
// mutate: breaks kernels in small ways and tests whether their check notices.
#include "../base/file.h"
#include "../mutate/mutations/mutations.h"
#include "../program/program_numbers.h"
#include "../tiers/sampled_tier.h"
#include "../base/cores.h"
#include "../supervise/mutant_session.h"
#include "command.h"
#include "prepare.h"
#include "mutate_run.h"
#include "../device/device_info.h"

#include <stdio.h>

enum { STANDARD_COUNT = 40 };

static bool plan_targets(
    struct mutate_run *run, const struct device_info *device, const struct suite *suite, struct error *err) {
    const struct options *options = run->options;
    struct sample_request request = {.suite = suite,
        .kernels = &run->prepared.kernels,
        .device = device,
        .seed = options->run.seed,
        .each_alone = true,
        .select = options->words,
        .select_count = options->word_count};
    struct plan plan;
    struct sample_facts facts;
    const char *includes[OPTION_LIST + 2];
    struct session session = prepare_session(run->arena, &run->prepared, options, suite, device);
    session.options.include_folders = includes;
    prepare_includes(run->arena, &run->prepared, includes, &session.options.include_count);
    const struct numbers_source source = {device, &session.options};
    request.numbers = program_numbers;
    request.source = &source;
    sample_standard(device, &request);
    if (options->shapes) request.shapes = options->shapes;
    if (!sample_plan(run->arena, &request, &plan, &facts, err)) return false;
    mutate_group(run, &plan);
    return run->target_count || error_set(err, STATUS_NOTHING, "nothing is selected");
}

static struct mutant_request request_of(const struct options *options) {
    return (struct mutant_request){.seed = options->run.seed,
        .count = options->all     ? 0
                 : options->count ? options->count
                                  : STANDARD_COUNT,
        .only = options->operations.items,
        .only_count = options->operations.count,
        .named = options->mutant};
}

static bool run_device(struct mutate_run *run, const struct device_info *device, struct suite *suite,
    enum status *status, struct error *err) {
    const struct options *options = run->options;
    struct session session = prepare_session(run->arena, &run->prepared, options, suite, device);
    struct mutant_session mutants = {
        .session = &session, .request = request_of(options), .jobs = prepare_jobs(options), .user = run};
    const char *includes[OPTION_LIST + 2];
    session.options.lines = session.options.anew = true;
    session.options.threads = workers_threads(mutants.jobs);
    session.options.include_folders = includes;
    prepare_includes(run->arena, &run->prepared, includes, &session.options.include_count);
    run->device = device;
    run->jobs = mutants.jobs;
    run->folder = prepare_folder(run->arena, options, device, "mutants");
    run->context = prepare_context(run->arena, options, suite, device);
    bool ok = plan_targets(run, device, suite, err) && file_make_folder(run->folder, err) &&
              mutate_resume(run, &mutants.request, err);
    if (ok) {
        mutants.targets = run->targets;
        mutants.target_count = run->target_count;
        mutants.done = mutate_done;
        mutants.progress = options->quiet ? NULL : mutate_progress;
        bool whole = mutants_supervise(&mutants);
        ok = mutate_finish(run, whole, status, err);
    }
    mutate_release(run);
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
    if (options->all && options->count) return error_set(err, STATUS_USAGE, "use --all or --count, not both");
    if (options->shard.all) return error_set(err, STATUS_USAGE, "--shard auto requires check; mutate expects I/N");
    if (!prepare_kernels(arena, options, &run.prepared, err) ||
        !prepare_suite(arena, &run.prepared, options->suite ? options->suite : "smoke", &suite, err) ||
        !prepare_devices(arena, options, &run.prepared, err))
        return false;
    if (run.prepared.chosen_count != 1) return error_set(err, STATUS_USAGE, "mutate: expected one --device");
    options_settings(options, &suite.settings);
    return run_device(&run, &run.prepared.devices[run.prepared.chosen[0]], &suite, status, err);
}
