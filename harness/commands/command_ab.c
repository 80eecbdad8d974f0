// SPDX-License-Identifier: Apache-2.0
// ab: measures two kernel folders pair by pair on one device, with both versions in one worker.
#include "../capture/replay/folder.h"
#include "../engine/plan/suite_sizes.h"
#include "../engine/supervise/supervise.h"
#include "command.h"
#include "compare_pair.h"
#include "bench/bench.h"
#include "prepare.h"
#include "bench/known_peaks.h"
#include "bench/progress.h"
#include "../device/device_info.h"
#include "../record/journal.h"
#include "../base/json.h"
#include "../record/record.h"
#include "../record/result.h"
#include "../record/result_set.h"

#include <stdio.h>
#include <string.h>

struct version {
    const char *folders[3]; // its own, then the folders to include from: its own and the program's
    struct kernels kernels;
    struct plan plan;
    bool named; // the suite names some of its kernels
    struct result result;
};

struct ab {
    struct arena *arena;
    const struct options *options;
    struct prepared prepared;
    struct suite suite;
    const struct device_info *device;
    struct version versions[2]; // base, head
    struct version_pair *pairs;
    size_t pair_count;
};

// Returns whether the entry fits the base's kernels. The suite is written for the head's kernels and may, for
// example, name a tunable missing from the base.
static bool fits_base(struct ab *ab, const struct version *version, const struct suite_entry *entry) {
    struct suite one = ab->suite;
    struct suite_entry entries[] = {*entry};
    struct plan plan;
    struct error why = {0};
    one.entries = entries;
    one.entry_count = 1;
    if (plan_build(ab->arena, &one, &version->kernels, ab->device, NULL, 0, &plan, &why)) return true;
    fprintf(stderr, "ab: the base's kernels have no such points: %s\n", why.text);
    return false;
}

// Plans the suite's entries for kernels in the version's folder, without those measuring the device.
static bool plan(struct ab *ab, struct version *version, struct error *err) {
    const bool is_base = version == &ab->versions[0];
    struct suite own = ab->suite;
    own.entries = arena_alloc(ab->arena, ab->suite.entry_count + 1, sizeof *own.entries);
    own.entry_count = 0;
    for (size_t i = 0; i < ab->suite.entry_count; i++) {
        const struct suite_entry *entry = &ab->suite.entries[i];
        if (!entry->peak && entry_has_kernel(entry, &version->kernels) && (!is_base || fits_base(ab, version, entry)))
            own.entries[own.entry_count++] = *entry;
    }
    version->named = own.entry_count > 0;
    return plan_build(ab->arena, &own, &version->kernels, ab->device, NULL, 0, &version->plan, err);
}

// With --only, keeps kernels whose names are in its folder.
static void keep_only(const struct ab *ab, struct kernels *kernels) {
    size_t kept = 0;
    for (size_t i = 0; i < kernels->count; i++)
        if (!ab->prepared.only || kernel_named(&ab->prepared.kernels, kernels->items[i]->name))
            kernels->items[kept++] = kernels->items[i];
    kernels->count = kept;
}

static bool load(struct ab *ab, struct version *version, const char *folder, struct error *err) {
    version->folders[0] = folder;
    version->folders[1] = arena_format(ab->arena, "%s/include", folder);
    version->folders[2] = arena_format(ab->arena, "%s/kernels/include", ab->prepared.home);
    if (!kernels_load(ab->arena, version->folders, 1, &version->kernels, err)) return false;
    prepare_say_mistakes(ab->options, &version->kernels);
    keep_only(ab, &version->kernels);
    return plan(ab, version, err);
}

static void make_result(struct ab *ab, struct version *version, size_t room) {
    struct json_object *context = prepare_context(ab->arena, ab->options, &ab->suite, ab->device);
    version->result = (struct result){.context = context};
    version->result.device = arena_alloc(ab->arena, 1, sizeof *ab->device);
    *version->result.device = *ab->device;
    version->result.records = arena_alloc(ab->arena, room, sizeof *version->result.records);
}

static bool has_match(const struct plan *plan, const char *glob) {
    for (size_t i = 0; i < plan->count; i++)
        if (select_matches(glob, plan->points[i].name)) return true;
    return false;
}

// Selects points from both versions, because a new or removed kernel has points in only one.
static bool choose(struct ab *ab, struct error *err) {
    const struct options *options = ab->options;
    struct plan *base = &ab->versions[0].plan, *head = &ab->versions[1].plan;
    for (size_t i = 0; i < options->word_count; i++)
        if (!has_match(base, options->words[i]) && !has_match(head, options->words[i]))
            return select_points(ab->arena, head, &ab->versions[1].kernels, &options->words[i], 1, err);
    for (int v = 0; options->word_count && v < 2; v++) {
        struct plan *plan = &ab->versions[v].plan;
        size_t kept = 0;
        for (size_t i = 0; i < plan->count; i++) {
            bool wanted = false;
            for (size_t w = 0; w < options->word_count; w++)
                wanted |= select_matches(options->words[w], plan->points[i].name);
            if (wanted) plan->points[kept++] = plan->points[i];
        }
        plan->count = kept;
    }
    return true;
}

// Adds a pair, unless a version refuses its point: then neither result has it.
static void add_pair(struct ab *ab, const struct point *base, const struct point *head) {
    if ((!base || !base->refused) && (!head || !head->refused))
        ab->pairs[ab->pair_count++] = (struct version_pair){{base, head}};
}

static void pair_up(struct ab *ab) {
    const struct plan *base = &ab->versions[0].plan, *head = &ab->versions[1].plan;
    ab->pairs = arena_alloc(ab->arena, base->count + head->count, sizeof *ab->pairs);
    for (size_t i = 0; i < head->count; i++) add_pair(ab, plan_point(base, head->points[i].name), &head->points[i]);
    for (size_t i = 0; i < base->count; i++)
        if (!plan_point(head, base->points[i].name)) add_pair(ab, &base->points[i], NULL);
}

// Prints one line for each point to standard error, because a program may read standard output.
static void say_point(void *user, const struct progress *p) {
    const char **last = user;
    if (*last != p->current) fprintf(stderr, "%s\n", p->current);
    *last = p->current;
}

static bool run(struct ab *ab, struct outcome *out, struct error *err) {
    const struct options *options = ab->options;
    const char *last = NULL;
    struct session session = prepare_session(ab->arena, &ab->prepared, options, &ab->suite, ab->device);
    known_peaks_floor(ab->arena, &ab->prepared.kernels, &session);
    session.kernel_folder_count = 0; // only the versions' own folders
    for (int v = 0; v < 2; v++) session.versions[v] = (struct version_files){ab->versions[v].folders, 3};
    session.effect = options->effect;
    session.retry = true;
    session.context = json_object_get(ab->versions[1].result.context);
    session.progress = options->quiet ? NULL : say_point;
    session.user = &last;
    session.options.time = true;
    session.options.threads = options->jobs;
    session.options.include_folders = ab->versions[1].folders + 1; // for shaders measuring the device
    session.options.include_count = 2;
    return supervise_pairs(ab->arena, &session, ab->pairs, ab->pair_count, out, err);
}

static bool take_records(struct ab *ab, const struct outcome *out, struct error *err) {
    for (size_t i = 0; i < out->count; i++) {
        struct result *result = &ab->versions[i % 2].result;
        if (out->records[i] && !record_from_json(ab->arena, out->records[i], &result->records[result->count++], err))
            return false;
    }
    return true;
}

// Reports suite entries matching no kernel of either folder or the program; they are most likely mistakes.
static void say_unknown(const struct ab *ab) {
    for (size_t i = 0; i < ab->suite.entry_count; i++) {
        const struct suite_entry *entry = &ab->suite.entries[i];
        if (entry->probe || entry_has_kernel(entry, &ab->prepared.kernels) ||
            entry_has_kernel(entry, &ab->versions[0].kernels) || entry_has_kernel(entry, &ab->versions[1].kernels))
            continue;
        fprintf(stderr, "ab: %s: %s: no kernel of either folder matches \"%s\"\n", ab->suite.file, entry->where,
            entry->kernel);
    }
}

static bool prepare(struct ab *ab, struct error *err) {
    const struct options *options = ab->options;
    if (!options->base || !options->head)
        return error_set(err, STATUS_USAGE, "ab: expected --base DIR and --head DIR, two folders of kernels");
    if (!prepare_kernels(ab->arena, options, &ab->prepared, err) ||
        !prepare_suite(ab->arena, &ab->prepared, options->suite ? options->suite : "gate", &ab->suite, err) ||
        !prepare_devices(ab->arena, options, &ab->prepared, err))
        return false;
    if (options->dims && !suite_set_sizes(ab->arena, &ab->suite, options->dims, err)) return false;
    options_settings(options, &ab->suite.settings);
    ab->device = &ab->prepared.devices[ab->prepared.chosen[0]];
    if (!load(ab, &ab->versions[0], options->base, err) || !load(ab, &ab->versions[1], options->head, err))
        return false;
    if (!ab->versions[0].named && !ab->versions[1].named)
        return error_set(err, STATUS_BAD_INPUT, "%s: suite %s has none of its kernels", options->head, ab->suite.name);
    say_unknown(ab);
    if (!choose(ab, err)) return false;
    pair_up(ab);
    for (int v = 0; v < 2; v++) make_result(ab, &ab->versions[v], ab->pair_count);
    return true;
}

static bool show(const struct ab *ab, enum status *status, struct error *err) {
    const struct compare_pair pair = {.verb = "ab",
        .base_path = ab->options->base,
        .new_path = ab->options->head,
        .base = &ab->versions[0].result,
        .new = &ab->versions[1].result,
        .paired = true};
    return compare_and_print(&pair, ab->options, status, err);
}

// ---- captured folders

static bool keep_path(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    (void)err;
    *(const char **)run->user = arena_copy(arena, run->path);
    if (run->cut_short) *status = STATUS_PARTIAL;
    return true;
}

// Times the dispatches of one captured folder, without roofs. *path receives the result.
static bool time_capture(struct arena *arena, const struct options *given, const char *folder, const char *side,
    const char **path, enum status *status, struct error *err) {
    const struct bench bench = {
        .verb = "ab", .suite = "quick", .time = true, .all_shapes = true, .after = keep_path, .user = path};
    struct options mine = *given;
    mine.captures = (struct option_list){.items = {folder}, .count = 1};
    mine.base = mine.head = NULL;
    mine.out = arena_format(arena, "reports/out/ab/%s", side);
    mine.quiet = mine.quiet || compare_is_for_programs(given);
    return bench_suite(arena, &mine, &bench, status, err);
}

// Compares two captured folders. Each has operands of its own, so they are timed one after the other.
static bool ab_captures(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *paths[2] = {NULL, NULL};
    enum status times[2] = {STATUS_OK, STATUS_OK};
    struct result_set set;
    if (!capture_is_folder(options->base) || !capture_is_folder(options->head))
        return error_set(err, STATUS_USAGE, "ab: %s is a captured folder, and %s is none",
            capture_is_folder(options->base) ? options->base : options->head,
            capture_is_folder(options->base) ? options->head : options->base);
    if (!time_capture(arena, options, options->base, "base", &paths[0], &times[0], err) ||
        !time_capture(arena, options, options->head, "head", &paths[1], &times[1], err))
        return false;
    bool ok = result_set_of(arena, paths, 2, result_read, &set, err);
    if (ok) {
        const struct compare_pair pair = {.verb = "ab",
            .base_path = options->base,
            .new_path = options->head,
            .base = &set.results[0],
            .new = &set.results[1]};
        ok = compare_and_print(&pair, options, status, err);
    }
    *status = status_join(*status, status_join(times[0], times[1]));
    result_set_free(&set);
    return ok;
}

bool command_ab(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    if (options->base && options->head && (capture_is_folder(options->base) || capture_is_folder(options->head)))
        return compare_format_known(options, err) && ab_captures(arena, options, status, err);
    struct ab ab = {.arena = arena, .options = options};
    struct outcome out = {0};
    bool ok = compare_format_known(options, err) && prepare(&ab, err) && run(&ab, &out, err) &&
              take_records(&ab, &out, err) && show(&ab, status, err);
    progress_say_losses(&out, status);
    if (ok && out.left) fprintf(stderr, "The run was %s\n", whole_words(arena, json_get(out.context, "run")));
    for (size_t i = 0; i < out.count; i++) json_object_put(out.records[i]);
    json_object_put(out.context);
    for (int i = 0; i < 2; i++) json_object_put(ab.versions[i].result.context);
    return ok;
}
