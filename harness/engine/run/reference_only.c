// SPDX-License-Identifier: Apache-2.0
// Times scalar references by themselves, if there is no device or none is wanted.
#include "../check/inputs/problem_data.h"
#include "run.h"
#include "../check/inputs/truth.h"
#include "../../record/record.h"

void reference_point(
    const struct point *point, const struct run_options *options, struct arena *arena, struct record *out) {
    struct problem problem = {0};
    struct truth truth = {0};
    struct error err = {0};
    runner_describe(point, options, arena, out);
    record_refuse(arena, out, REFUSED(arena, .kind = REFUSAL_REFERENCE));
    if (point->kernel->probe || point->kernel->recorded || !problem_open(NULL, point, options->seed, &problem, &err)) {
        if (*err.text) out->reason = arena_copy(arena, err.text);
        return;
    }
    truth_time(&problem, &options->settings, &truth);
    out->reference.ns = truth.baseline_ns;
    out->reference.extrapolated = truth.extrapolated;
    out->reference.scale = truth.scale;
    truth_free(&truth);
    problem_close(NULL, &problem);
}
