// SPDX-License-Identifier: Apache-2.0
// What the code of a module will do, without running it.
#ifndef VKASSAY_SPIRV_ANALYSES_H
#define VKASSAY_SPIRV_ANALYSES_H

#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- barriers that a part of a workgroup certainly skips, found by computing the conditions around them for each
// invocation. The Vulkan specification leaves the consequences undefined; drivers of CPUs run such barriers all the
// same.

// The values for specializing the words.
struct barrier_setting {
    const char *entry;
    uint32_t size[3]; // of the workgroup
    const struct barrier_constant {
        uint32_t id, value; // id: the SpecId
    } * constants;
    int constant_count;
};

// Whenever one invocation of a workgroup reaches the barrier, exactly `reach` of all `of` invocations do, and the
// others skip it. With 0 of 0, no such barrier is known. A condition shared by all invocations is assumed to be
// possibly true. A condition depending on more than an invocation's place in its group proves nothing.
struct barrier_share {
    uint32_t reach, of;
};
struct barrier_share barriers_skipped(const uint32_t *words, size_t count, const struct barrier_setting *setting);

// ---- whole numbers at which the code may change its way: it compares with them, divides by them, shifts or masks by
// them. Sizes beside them are worth a check.

enum { COMPARED_NUMBERS = 64 };

// The numbers to list: from `least` to `most`. With `declared`, the constants of the module, the lengths of its arrays
// and its specialization constants are listed, too.
struct numbers_wanted {
    uint32_t least, most;
    bool declared;
};

// Lists these numbers, as specialized by the setting: each once, ascending. The first COMPARED_NUMBERS in the order of
// the code are kept and, of declared ones, the largest. Returns their count; 0 for words that are no module.
int numbers_compared(const uint32_t *words, size_t count, const struct barrier_setting *setting,
    const struct numbers_wanted *wanted, uint32_t numbers[COMPARED_NUMBERS]);

// ---- loops that wait for another invocation

// Returns whether a loop looks at memory until another invocation has changed it: by an atomic or volatile load, by an
// atomic operation that changes nothing, or by an attempt to take a lock. A loop that repeats its own failed exchange,
// such as an atomic addition of floats, does not wait.
bool waiting_loops_found(const uint32_t *words, size_t count);

#endif
