// SPDX-License-Identifier: Apache-2.0
// A second measurement of the points that a gate finds slower: which are measured, and which times then count.
#ifndef VKASSAY_COMMANDS_AGAIN_H
#define VKASSAY_COMMANDS_AGAIN_H

#include "../../record/compare.h"
#include "../options.h"

// Returns whether to measure again: some points are slower, not too many, and none is wrong.
enum { MOST_AGAIN = 200 }; // a host slower at more points will not be better a minute later
bool again_is_wanted(const struct comparison *comparison);

// Returns the names of the slower points in the arena, ended by NULL.
const char **again_names(struct arena *arena, const struct comparison *comparison);

// Returns the options of the second measurement: only these points, on the device of the first. Its JUnit file would
// replace the comparison's.
struct options again_options(
    const struct options *options, const struct device_info *device, const char **names, size_t count);

// Puts records of the second measurement in place of those with their names: faster ones, and those that did not pass.
// Returns how many points of the first one were measured again. The second result must outlive the first.
size_t again_take(struct result *first, const struct result *second);

#endif
