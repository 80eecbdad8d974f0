// SPDX-License-Identifier: Apache-2.0
// Numbers at which the shaders of a point may change their way (spirv/analyses.h).
#ifndef VKASSAY_PROGRAM_PROGRAM_NUMBERS_H
#define VKASSAY_PROGRAM_PROGRAM_NUMBERS_H

#include "../plan/run_options.h"
#include "../../shader/spirv/analyses.h"

// The way to a point's shaders.
struct numbers_source {
    const struct device_info *device;
    const struct run_options *options;
};

// Lists the numbers of all passes of a point, each once. Returns their count; 0 if its shaders cannot be made. `source`
// is a struct numbers_source.
int program_numbers(const void *source, const struct point *point, const struct numbers_wanted *wanted,
    uint32_t numbers[COMPARED_NUMBERS]);

#endif
