// SPDX-License-Identifier: Apache-2.0
// What a kernel finds in shared memory and in registers before it writes there. The specification leaves it open, and
// drivers that have just got their memory have zeros there, which a kernel must not count on. Before each run that is
// checked, "residue.comp" of the include folders fills as much shared memory as a workgroup can have, on all cores, and
// many registers: with NaN in every float type before the first run, with large numbers before others, as a maximum may
// pass over NaN.
#ifndef VKASSAY_RUN_RESIDUE_H
#define VKASSAY_RUN_RESIDUE_H

#include "../device/gpu.h"
#include "../run/run.h"

struct residue;

// NULL on failure.
struct residue *residue_open(struct gpu *gpu, const struct run_options *options, struct error *err);
void residue_close(struct gpu *gpu, struct residue *residue); // NULL does nothing
// Records it, with a barrier behind; one must stand before.
bool residue_record(struct gpu *gpu, struct work *work, const struct residue *residue, uint32_t run, struct error *err);

#endif
