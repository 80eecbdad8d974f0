// SPDX-License-Identifier: Apache-2.0
// A kernel as a target of timing.
#ifndef VKASSAY_TIMING_LAUNCH_TARGET_H
#define VKASSAY_TIMING_LAUNCH_TARGET_H

#include "../check/launch.h"
#include "timing.h"

// Returns the target that records all dispatches of a launch. It borrows the launch.
struct target launch_target(const struct launch *launch);

#endif
