// SPDX-License-Identifier: Apache-2.0
// Several devices: what the best shape of one costs on another, and what each does in the families of operators.
// Private to harness/render.
#ifndef VKASSAY_RENDER_ACROSS_H
#define VKASSAY_RENDER_ACROSS_H

#include "../families.h"
#include "../table/table.h"
#include "../view.h"

// The best shape of a case on one device, run on another where the case has a choice too.
struct carried {
    const struct view_case *from, *on;
    const struct record *record; // there, or NULL: not in that result
    double loss;                 // against the best there; NaN: not right, or not timed
    bool other_source;           // `record` is of another source of the kernel than the best of `from`
};

// All cases that two devices share.
struct shapes_crossing {
    struct carried *items;
    size_t count;
    size_t timed, ties, wrong, missing; // of the items; ties are not shown to differ from the best there; missing: not
                                        // in that result, or skipped
    size_t other;                       // timed with another source of the kernel
    double mean, worst;                 // geometric mean and largest of the losses; NaN when timed is 0
};

// Items live in the arena.
void crossing_make(const struct view *from, const struct view *on, struct arena *arena, struct shapes_crossing *out);

// What a page of several devices is about: a result of each.
struct devices {
    const struct result *results;
    size_t count;
    struct view *views;
    const char **labels;               // names; where two have the same, with driver and place
    struct shapes_crossing *crossings; // [from * count + on]
    struct families families;
};
// Of the results, which stay the caller's; all else lives in the arena but for the views.
void devices_make(struct devices *out, const struct result *results, size_t count, struct arena *arena);
void devices_free(struct devices *devices);

static inline const struct shapes_crossing *crossing_of(const struct devices *devices, size_t from, size_t on) {
    return &devices->crossings[from * devices->count + on];
}

// "1.34x (12)", and what of it was wrong or is missing.
void put_crossing(struct text *out, const struct shapes_crossing *crossing);
// Whether the shape was not shown to differ from the best there.
bool carried_ties(const struct carried *item);
// What became of a shape there: "=1.00x", "1.21x", "fail", or a dash; with "*" where it was another source of the
// kernel.
void put_carried(struct text *out, const struct carried *item);

// A row a device, what its best shapes cost on each other one.
void devices_matrix(const struct devices *devices, struct arena *arena, struct table *out);
// A row a family, a bar for each device: of its own roof; or of the speed of the fastest device. A family of which
// nothing is known has no row.
enum family_bars { BARS_OF_ROOF, BARS_OF_SPEED };
void devices_families(const struct devices *devices, enum family_bars bars, struct arena *arena, struct table *out);
// Both tables with what they say.
void put_families(struct text *out, const struct devices *devices, struct arena *arena);

// What a link to such a page shows: a bar for each device, by the roof, or by speed where no roof is known.
struct card;
void devices_card(const struct devices *devices, struct arena *arena, struct card *out);

#endif
