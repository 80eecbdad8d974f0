// SPDX-License-Identifier: Apache-2.0
// Selection: which points the globs of a command line keep.
#ifndef VKASSAY_PLAN_SELECT_H
#define VKASSAY_PLAN_SELECT_H

#include "suite.h"

// Keeps the points of the plan that one of the globs matches, and those that serve a peak. A glob
// that matches nothing is STATUS_USAGE and says what is near; without globs all points stay.
bool select_points(struct arena *arena, struct plan *plan, const char *const *globs, size_t count, struct error *err);

// Whether the glob matches the name of a point or one of its leading parts.
bool select_matches(const char *glob, const char *name);

#endif
