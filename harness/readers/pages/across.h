// SPDX-License-Identifier: Apache-2.0
// Compares several devices: the cost of one device's best shapes on another, and figures by family of operators.
// Private to harness/readers/render.
#ifndef VKASSAY_RENDER_ACROSS_H
#define VKASSAY_RENDER_ACROSS_H

#include "../render/families.h"
#include "../table/table.h"
#include "../render/view.h"

// The best shape of a case on one device, looked up on another device, if both have a choice there.
struct transfer {
    const struct view_case *from, *on;
    const struct record *record; // on the other device; NULL: not in its result
    double loss;                 // relative to the best there; NaN: failed or not timed
    bool other_source;           // `record` has another kernel source than the best of `from`
};

// All cases shared by two devices.
struct shape_transfers {
    struct transfer *items;
    size_t count;
    size_t timed, ties, wrong, missing; // counts of items; ties: not shown to differ from the best there; missing: not
                                        // in that result, skipped or not timed
    size_t other;                       // timed with another source of the kernel
    double mean, worst;                 // geometric mean and maximum of the losses; NaN when timed is 0
};

// Allocates items in the arena.
void transfers_make(const struct view *from, const struct view *on, struct arena *arena, struct shape_transfers *out);

// The subject of a page of several devices: a result for each.
struct devices {
    const struct result *results;
    size_t count;
    struct view *views;
    const char **labels;               // device_label
    struct shape_transfers *transfers; // [from * count + on]
    struct families families;
};
// Fills `out`. The results stay the caller's; devices_free frees the views; everything else is in the arena.
void devices_make(struct devices *out, const struct result *results, size_t count, struct arena *arena);
void devices_free(struct devices *devices);

static inline const struct shape_transfers *transfers_of(const struct devices *devices, size_t from, size_t on) {
    return &devices->transfers[from * devices->count + on];
}

// Appends "1.34x, worst 2.10x (12)", and the number of failed, changed or missing ones.
void put_transfers(struct text *out, const struct shape_transfers *transfers);
// Returns true if the shape was not shown to differ from the best there.
bool transfer_ties(const struct transfer *item);
// Appends the outcome of a shape there: "=1.00x", "1.21x", "fail" or a dash. "*" marks another source of the kernel.
void put_transfer(struct text *out, const struct transfer *item);

// Returns the first column, a column for each device under its label after `title`, and the terminator.
struct column *device_columns(
    const struct devices *p, struct column first, struct column each, const char *title, struct arena *arena);
// Makes the matrix: a row for each device, with the cost of its best shapes on each other device.
void devices_matrix(const struct devices *devices, struct arena *arena, struct table *out);
// Appends the tables of families, with their explanations.
void put_families(struct text *out, const struct devices *devices, struct arena *arena);

// Makes the picture for a shared link: a bar for each device, by roof share, or by speed if no roof is known.
struct card;
void devices_card(const struct devices *devices, struct arena *arena, struct card *out);

#endif
