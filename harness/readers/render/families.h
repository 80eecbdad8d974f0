// SPDX-License-Identifier: Apache-2.0
// Figures of devices by family of operators: how close they come to their roofs, and how fast they are relative to
// each other. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_FAMILIES_H
#define VKASSAY_RENDER_FAMILIES_H

#include "view.h"

struct family_figures {
    double roof;   // geometric mean of the roof shares of rated problems (highlights.h); NaN if none is rated
    size_t rated;  // number of rated problems: an operator and a type each
    double speed;  // fastest device's time over this one's, geometric mean over the shared problems; NaN if none
    size_t shared; // number of problems (operator, type and size) that another device solves too
    double roof_least, speed_least; // the worst of each
};

struct families {
    const char **names; // families with figures on some device, in the order of the operators' table
    size_t count;
    struct family_figures *of; // [device * (count + 1) + family]; each device's last entry covers all families
};

// Returns the place of the operator's family in the operators' table. "other" comes last.
size_t family_number(const char *operator);

// Allocates its results in the arena.
void families_make(const struct view *views, size_t devices, struct arena *arena, struct families *out);

static inline const struct family_figures *family_at(const struct families *families, size_t device, size_t family) {
    return &families->of[device * (families->count + 1) + family];
}

#endif
