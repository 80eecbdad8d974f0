// SPDX-License-Identifier: Apache-2.0
// The reference kernel on a device: "drift.comp" from the include folders.
#ifndef VKASSAY_TIMING_DRIFT_GPU_H
#define VKASSAY_TIMING_DRIFT_GPU_H

#include "drift.h"
#include "../plan/run_options.h"
#include "timing.h"

// Opens and starts it. Returns NULL on failure.
struct drift *drift_open(const struct timing_device *device, const struct run_options *options, struct error *err);
void drift_close(struct drift *drift); // accepts NULL

#endif
