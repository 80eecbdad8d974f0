// SPDX-License-Identifier: Apache-2.0
// Barriers that a part of a workgroup certainly skips, shown by computing the conditions around them for each of its
// invocations. The Vulkan specification leaves what follows undefined; drivers of CPUs run such barriers all the same.
#ifndef VKASSAY_DEVICE_BARRIERS_SKIPPED_H
#define VKASSAY_DEVICE_BARRIERS_SKIPPED_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the words are specialized with.
struct barrier_setting {
    const char *entry;
    uint32_t size[3]; // of the workgroup
    const struct barrier_constant {
        uint32_t id, value; // its SpecId
    } * constants;
    int constant_count;
};

// Of the invocations of a workgroup so many come to a barrier whenever one of them does, and the others do not; 0 of
// 0: no such barrier is known. Conditions that all of them share are taken for such as may be true; those that depend
// on more than an invocation's place in its group show nothing.
struct barrier_share {
    uint32_t reach, of;
};
struct barrier_share barriers_skipped(const uint32_t *words, size_t count, const struct barrier_setting *setting);

#endif
