// SPDX-License-Identifier: Apache-2.0
// Runs the sanitizer at one small point of each kernel, kind of type and shape. Private to harness/engine/run.
#ifndef VKASSAY_RUN_SANITIZE_SMALL_H
#define VKASSAY_RUN_SANITIZE_SMALL_H

#include "runner.h"

// Keeps the verdict on each kernel, and the operands of the last small point.
struct small_verdicts;
void small_verdicts_close(struct gpu *gpu, struct small_verdicts *verdicts); // accepts NULL

// Returns why the sanitizer cannot judge the kernel on this device; NULL: it can. A wait that the driver ends looks
// like a race.
const char *sanitize_refusal(struct runner *runner, const struct built *built);

// Sanitizes the point's kernel, unless it was before. It allocates memory, so it comes before the point's own problem.
// Returns false if the device failed.
bool sanitize_small(struct runner *runner, const struct point *point, const struct built *built, struct error *err);
// Adds the verdict to the record of a point that was judged.
void sanitize_small_tell(
    const struct runner *runner, const struct point *point, struct arena *arena, struct record *record);

#endif
