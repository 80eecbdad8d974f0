// SPDX-License-Identifier: Apache-2.0
// The fixed reference kernel: timed beside every point, so that a clock that changes is seen on any vendor; and run
// in bulk before timing, as a GPU that waited for the host has lowered its clock.
#ifndef VKASSAY_RUN_DRIFT_H
#define VKASSAY_RUN_DRIFT_H

#include "../device/gpu.h"
#include "run.h"

struct drift;

// Compiles "drift.comp" from the include folders and finds how many rounds of it last about 100 us. NULL on failure.
struct drift *drift_open(struct gpu *gpu, const struct run_options *options, struct error *err);
void drift_close(struct gpu *gpu, struct drift *drift);

// Keeps the device busy until the reference kernel is as fast as its median, as long as there is time to wait (pace.h).
// Does nothing on CPU devices, whose clocks are the host's.
bool drift_settle(struct gpu *gpu, struct drift *drift, double timeout_s, struct error *err);
// Whether it was still slow when the last such wait ended: what is measured now is to be marked.
bool drift_is_slow(const struct drift *drift);
// Whether a measurement during which the device was slow, and which took so long, may be made again within what may be
// waited; on CPU devices always.
bool drift_repeats(struct gpu *gpu, struct drift *drift, int64_t took_ns);

// Times it a few times more; *ratio is the least of these times over the median so far (1 at first), NaN without
// timestamps.
bool drift_sample(struct gpu *gpu, struct drift *drift, double timeout_s, double *ratio, struct error *err);

// The clock of the shader cores just now, in Hz, where a shader can read it (VK_KHR_shader_clock on a GPU); else NaN.
bool drift_clock(struct gpu *gpu, struct drift *drift, double timeout_s, double *hz, struct error *err);

#endif
