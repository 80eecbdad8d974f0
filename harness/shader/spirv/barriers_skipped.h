// SPDX-License-Identifier: Apache-2.0
// Finds barriers that a part of a workgroup certainly skips, by computing the conditions around them for each
// invocation. The Vulkan specification leaves the consequences undefined; drivers of CPUs run such barriers all the
// same.
#ifndef VKASSAY_SPIRV_BARRIERS_SKIPPED_H
#define VKASSAY_SPIRV_BARRIERS_SKIPPED_H

#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
