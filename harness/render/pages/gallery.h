// SPDX-License-Identifier: Apache-2.0
// Any results as a gallery: those of one device put together, and its best shapes elsewhere. Private to harness/render.
#ifndef VKASSAY_RENDER_GALLERY_H
#define VKASSAY_RENDER_GALLERY_H

#include "../outcomes.h"
#include "../render.h"
#include "across.h"

// The best shape of a case of one device, on the others.
struct gallery_shape {
    const struct devices *of;
    size_t device; // of them
    const struct view_case *c;
    const struct carried **on; // those where it was timed or is wrong, what costs most first
    const size_t *devices;     // which they are
    size_t count;
    double cost; // the most; infinite: wrong somewhere; NaN: no other device tells
};

int gallery_by_cost(const void *a, const void *b); // for qsort: what costs most first, what nobody tells of last

struct gallery_device {
    const struct gallery_item **items; // the newest first
    size_t count;
    struct failures failures;
    const struct gallery_shape *shapes; // of the gallery's, those that cost most elsewhere first
    size_t shape_count;
};

struct gallery {
    struct devices devices; // of results put together
    struct gallery_device *each;
    struct gallery_shape *shapes; // by device
    size_t shape_count;
};

// In the arena. A device is a name, a driver and a profile of limits, in the order of the items.
void gallery_make(const struct gallery_item *items, size_t count, struct arena *arena, struct gallery *out);
void gallery_free(struct gallery *gallery);

#endif
