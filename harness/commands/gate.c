// SPDX-License-Identifier: Apache-2.0
// gate: the gate suite run and held against the baseline of this device and driver.
#include "../base/file.h"
#include "baseline.h"
#include "bench.h"
#include "command.h"
#include "compare.h"

#include <stdio.h>

// Asked before anything is measured.
static bool has_baseline(struct arena *arena, const struct bench_run *run, struct error *err) {
    const char *path = baseline_path(arena, run->options, run->device, run->suite);
    if (!path) return error_set(err, STATUS_FAULT, "out of memory");
    if (file_exists(path)) return true;
    return error_set(err, STATUS_BAD_INPUT, "gate: there is no baseline of %s with this driver: %s; `vkassay baseline` makes it",
        run->device->name, path);
}

static int hold(struct arena *arena, const struct bench_run *run, struct error *err) {
    const char *baseline = baseline_path(arena, run->options, run->device, run->suite);
    if (!baseline) {
        error_set(err, STATUS_FAULT, "out of memory");
        return -1;
    }
    int status = compare_files("gate", baseline, run->path, run->options, err);
    if (status < 0) return status;
    if (run->out_of_budget) fprintf(stderr, "gate: out of budget, the points that were left count as removed\n");
    if (!run->interrupted) return status;
    fprintf(stderr, "gate: interrupted, nothing is said of the rest\n");
    return status == STATUS_OK ? STATUS_NOTHING : status;
}

int command_gate(struct arena *arena, const struct options *options, struct error *err) {
    const struct bench gate = {.verb = "gate", .suite = "gate", .time = true, .before = has_baseline, .after = hold};
    struct options mine = *options;
    if (!compare_format_known(options, err)) return -1;
    mine.quiet = mine.quiet || compare_is_for_programs(options);
    return bench_suite(arena, &mine, &gate, err);
}
