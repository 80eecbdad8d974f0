// SPDX-License-Identifier: Apache-2.0
// Crossing: turns a suite's entries into candidate points, in the suite's order and before selection.
#ifndef VKASSAY_PLAN_CROSS_H
#define VKASSAY_PLAN_CROSS_H

#include "suite.h"

// The limit on a plan, because it is kept in memory and shown as a list: ten times the points of a long overnight
// run.
enum { PLAN_POINTS = 200000 };

struct crossing {
    struct arena *arena;
    const struct suite *suite;
    const struct kernels *kernels;
    const struct device_info *device;
    const char *const *select; // kernels without a possible match for any of these are skipped; none: all are taken
    size_t select_count;
    struct error *err;
    struct point *items;
    size_t count, capacity;
    const char *refused; // why an operator last refused sizes of the command line
};

// `entry_takes` returns whether the entry names the kernel, `entry_takes_dtype` whether it also includes the dtype.
// `entry_for_device` returns whether the entry is for this kind of device, `entry_for_kernel` whether it is for kernels
// of this one's source.
bool entry_takes(const struct suite_entry *entry, const struct kernel *kernel);
bool entry_takes_dtype(const struct suite_entry *entry, const struct kernel *kernel, int dtype);
bool entry_for_device(const struct suite_entry *entry, const struct device_info *device);
bool entry_for_kernel(const struct suite_entry *entry, const struct kernel *kernel);

// Leaves out kernels that no glob may match, from now on. If a glob may match none, everything is planned, so the error
// can suggest near names.
void cross_select(struct crossing *crossing, const char *const *select, size_t count);
// Returns whether the kernel's points may be selected.
bool cross_may_select(const struct crossing *crossing, const struct kernel *kernel);

// Appends the candidates of one entry. An entry for another kind of device gives none, but is checked as well.
bool cross_entry(struct crossing *crossing, const struct suite_entry *entry);

// Appends one point, complete but for its name. A point that cannot run gets the reason (legal.h).
bool cross_add(struct crossing *crossing, struct point point);

// Makes a plan of the candidates: without repetition, peaks first, the points of a case together.
void cross_arrange(const struct crossing *crossing, struct plan *out);

#endif
