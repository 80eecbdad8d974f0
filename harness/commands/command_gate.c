// SPDX-License-Identifier: Apache-2.0
// gate: runs the gate suite and compares it with the baseline of this device and driver.
#include "../base/file.h"
#include "baseline.h"
#include "bench/bench.h"
#include "bench/interleaved.h"
#include "command.h"
#include "compare_pair.h"
#include "../record/device_key.h"
#include "../record/record.h"
#include "../device/device_info.h"
#include "../record/result.h"
#include "../base/json.h"

#include <stdio.h>
#include <string.h>

// Checks for a baseline before anything is measured.
static bool has_baseline(struct arena *arena, const struct bench_run *run, struct error *err) {
    const char *path = baseline_path(arena, run->options, device_key_here(arena, run->device), run->suite);
    if (file_exists(path)) return true;
    const char *within = suite_within(arena, "", &run->device->profile), *limits = run->options->limits;
    return error_set(err, STATUS_BAD_INPUT,
        "gate: no baseline of %s with this driver%s: %s is missing; create it with `vkassay gate --save-baseline%s%s`",
        run->device->name, within, path, limits ? " --limits " : "", limits ? limits : "");
}

// ---- expected points of the baseline: all, or the selected ones

// Returns whether the baseline was made with --only, so it covers only that folder.
static bool is_of_folder(const struct result *base) {
    struct json_object *argv = json_get(json_get(base->context, "run"), "argv");
    for (size_t i = 0; argv && i < json_object_array_length(argv); i++) {
        const char *word = json_object_get_string(json_object_array_get_idx(argv, i));
        if (strncmp(word, "--only", strlen("--only")) == 0) return true;
    }
    return false;
}

static void keep_expected(const struct bench_run *run, struct result *base) {
    const struct options *options = run->options;
    const bool narrowed = options->only && !is_of_folder(base); // to the kernels of the folder
    size_t kept = 0;
    for (size_t i = 0; i < base->count; i++) {
        const struct record *record = &base->records[i];
        bool chosen = options->word_count == 0;
        for (size_t w = 0; w < options->word_count; w++) chosen |= select_matches(options->words[w], record->name);
        if (chosen && (!narrowed || kernel_named(run->kernels, record->kernel))) base->records[kept++] = *record;
    }
    base->count = kept;
}

static bool hold(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    const char *path = baseline_path(arena, run->options, device_key_here(arena, run->device), run->suite);
    struct result base, new;
    bool ok = false;
    if (!result_read(path, &base, err)) return false;
    keep_expected(run, &base);
    if (result_read(run->path, &new, err)) {
        struct compare_interleaved interleaved = {0};
        struct compare_pair pair = {"gate", path, run->path, &base, &new, false, true, NULL};
        if (run->interrupted || interleaved_measure(arena, run, &pair, &base, &new, &interleaved, err)) {
            pair.interleaved = &interleaved;
            ok = compare_and_print(&pair, run->options, status, err);
        }
        names_free(&interleaved.points);
        result_free(&new);
    }
    result_free(&base);
    return ok;
}

bool command_gate(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench gate = {.verb = "gate", .suite = "gate", .time = true, .before = has_baseline, .after = hold};
    struct options mine = *options;
    if (options->save_baseline) return baseline_save(arena, options, status, err);
    if (!compare_format_known(options, err)) return false;
    mine.quiet = mine.quiet || compare_is_for_programs(options);
    return bench_suite(arena, &mine, &gate, status, err);
}
