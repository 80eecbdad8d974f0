// SPDX-License-Identifier: Apache-2.0
// A gallery of any results: results of one device are joined, and its best shapes are compared with other devices.
// Private to harness/readers/render.
#ifndef VKASSAY_RENDER_GALLERY_H
#define VKASSAY_RENDER_GALLERY_H

#include "../render/outcomes.h"
#include "../render/render.h"
#include "across.h"

// The best shape of a case on one device, compared with the other devices.
struct gallery_shape {
    const struct devices *of;
    size_t device; // index in `of`
    const struct view_case *c;
    const struct transfer **on; // devices where it was timed or failed, costliest first
    const size_t *devices;      // their indices
    size_t count;
    double cost; // the highest cost; infinite: it failed somewhere; NaN: no other device has it
};

int gallery_by_cost(const void *a, const void *b); // for qsort: costliest first, unknown last

struct gallery_device {
    const struct result_group *group; // its results
    struct failures failures;
    const struct gallery_shape *shapes; // within the gallery's shapes; costliest elsewhere first
    size_t shape_count;
};

struct gallery {
    const struct result_set *set;
    const struct gallery_item *items; // of its results
    struct devices devices;           // of the joined results
    struct gallery_device *each;
    struct gallery_shape *shapes; // by device
    size_t shape_count;
};

// Makes the gallery in the arena, with one device for each key under the projection. GPUs come first, and then the
// devices with the most points.
void gallery_make(const struct result_set *set, const struct gallery_item *items, enum device_projection projection,
    struct arena *arena, struct gallery *out);
// Appends the table of operators and devices: the share of the roof, or wrong points.
void put_heats(struct text *out, const struct devices *devices, struct arena *arena);
void gallery_free(struct gallery *gallery);

#endif
