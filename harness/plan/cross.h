// SPDX-License-Identifier: Apache-2.0
// Crossing: the candidates for a plan that a suite's
// entries give, in the suite's order, before selection.
#ifndef VKASSAY_PLAN_CROSS_H
#define VKASSAY_PLAN_CROSS_H

#include "suite.h"

// A plan is held in memory and shown as a list; ten times the points of a long night's run.
enum { PLAN_POINTS = 200000 };

struct crossing {
    struct arena *arena;
    const struct suite *suite;
    const struct kernels *kernels;
    const struct device_info *device;
    struct kernels chains;     // in the form of kernels
    const char *const *select; // kernels of which none of these can match a point are passed over; none: all are taken
    size_t select_count;
    struct error *err;
    struct point *items;
    size_t count, capacity;
    const char *refused; // of sizes of a command line, why an operator refused them last
};

// Whether an entry names the kernel, whether its types hold this one, and whether it is for this kind of device.
bool entry_takes(const struct suite_entry *entry, const struct kernel *kernel);
bool entry_takes_dtype(const struct suite_entry *entry, const struct kernel *kernel, int dtype);
bool entry_for_device(const struct suite_entry *entry, const struct device_info *device);

// Appends the candidates of one entry. An entry for the
// other kind of device gives none, but is checked alike.
bool cross_entry(struct crossing *crossing, const struct suite_entry *entry);

// Appends one point, which has everything but its name. A point that cannot run gets the reason (legal.h).
bool cross_add(struct crossing *crossing, struct point point);

// The candidates as a plan: without repetition, peaks first, the points of a case together.
void cross_arrange(const struct crossing *crossing, struct plan *out);

#endif
