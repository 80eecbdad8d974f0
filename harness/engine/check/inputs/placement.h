// SPDX-License-Identifier: Apache-2.0
// The places of unusual inputs: at most a quarter of the outputs are left open by them, and each kind of special value
// meets an output that is judged.
#ifndef VKASSAY_CHECK_PLACEMENT_H
#define VKASSAY_CHECK_PLACEMENT_H

#include "problem_data.h"

// Chooses where the lines of a freshly opened problem have their patterns, and counts its special inputs. The choice
// follows from the inputs only, so that every kernel has the same. Large problems stay as they are, and so do those of
// a point whose inputs are drawn anew.
bool placement_choose(
    struct problem *problem, const struct point *point, const struct settings *settings, struct error *err);

#endif
