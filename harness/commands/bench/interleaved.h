// SPDX-License-Identifier: Apache-2.0
// A gate's second measurement: the baseline's kernels and today's interleaved, because an old clock proves nothing.
#ifndef VKASSAY_COMMANDS_INTERLEAVED_H
#define VKASSAY_COMMANDS_INTERLEAVED_H

#include "../../base/names.h"
#include "../compare_pair.h"
#include "bench.h"

enum { INTERLEAVED_MOST = 200, INTERLEAVED_SECONDS = 900 }; // no point begins later

// Measures slower, faster and undecided points of `pair` interleaved, and those of changed kernels, by verdict and then
// by difference. Both results then have these compute times, with the conditions of their measurement, and
// interleaved->points names them. A head that is not right then takes the place of its record; its strings live in the
// arena. Errors stay those of the first measurement. With wrong points nothing is measured. If the baseline has no
// kernels, interleaved->why says so. Returns false if its kernels are damaged or of another run, or if no worker can be
// had. The caller calls names_free for interleaved->points.
bool interleaved_measure(struct arena *arena, const struct bench_run *run, const struct compare_pair *pair,
    struct result *base, struct result *new, struct compare_interleaved *interleaved, struct error *err);

#endif
