// SPDX-License-Identifier: Apache-2.0
// What devices do in each family of operators: how near to their roofs, and how fast beside each other. Private to
// harness/render.
#ifndef VKASSAY_RENDER_FAMILIES_H
#define VKASSAY_RENDER_FAMILIES_H

#include "view.h"

struct family_figures {
    double roof;   // geometric mean of the shares of the roof of what is rated (standouts.h); NaN: nothing is
    size_t rated;  // so many operators and types
    double speed;  // the fastest device's time over this one's, geometric mean over what another device solves too; NaN
    size_t shared; // so many operators, types and sizes
};

struct families {
    const char **names; // in the order of the table of operators: those of which some device tells
    size_t count;
    struct family_figures *of; // [device * (count + 1) + family]; the last of a device is of all families together
};

// In the arena.
void families_make(const struct view *views, size_t devices, struct arena *arena, struct families *out);

static inline const struct family_figures *family_at(const struct families *families, size_t device, size_t family) {
    return &families->of[device * (families->count + 1) + family];
}

#endif
