// SPDX-License-Identifier: Apache-2.0
// One shape for every size: what a shape, or a rule of thumb, costs where it does worst, and which shape costs least.
// Private to harness/render.
#ifndef VKASSAY_RENDER_CHOICE_H
#define VKASSAY_RENDER_CHOICE_H

#include "view.h"

// Whether the case says anything of shapes: two or more of them were right and timed.
bool has_choice(const struct view_case *c);

// Rules by which shapes are chosen without measuring.
enum thumb { THUMB_DEFAULT, THUMB_SEEDS, THUMB_64, THUMB_256, THUMB_LARGEST, THUMB_COUNT };
const char *thumb_name(enum thumb thumb); // "default", "seeds' shape", "64", "256", "largest"

// The record that a rule picks: the kernel's default; the worst of the seed systems' shapes; the fastest of 64, or of
// 256, invocations; the fastest of as many invocations as any shape that ran here has. One that is not right comes
// only from the default, the systems and the largest; NULL when no such shape was run.
const struct record *thumb_record(const struct view_case *c, enum thumb thumb);

// Over the sizes that have a choice. A factor is time over the best shape's time at that size.
struct regret {
    double worst;               // the largest factor; NaN when timed is 0
    double lo, hi;              // its 95 % interval: the largest of the factors' lower, and of their upper, ends
    const struct view_case *at; // the size of the worst
    size_t sizes, timed,
        wrong; // sizes with a choice; those where it was timed; sizes of any kind where it is not right
};

// The portable pick: of the shapes that are right wherever they ran, and timed at every size with a choice, the one
// whose worst factor is least. Another ties with it when their intervals overlap.
struct choice {
    const struct record *shape; // the record at the first size with a choice; NULL: no such shape
    struct regret regret;
    size_t shapes, ties;      // shapes to choose from; those that tie
    const struct record *tie; // the first of them, or NULL
    // What each rule loses. "64", "256" and "largest" are one shape for all sizes here, too: of so many invocations the
    // one that is wrong at fewest sizes, then timed at most, then whose worst factor is least. The largest is of those
    // that ran at any size.
    struct {
        const struct record
            *shape; // the record at the first size with a choice; NULL: none, or the rule has no one shape
        struct regret regret;
    } thumbs[THUMB_COUNT];
    // The pick among the shapes that keep to each of the program's profiles; the regret is against the best of all.
    struct {
        const struct record *shape; // NULL: none keeps to it
        struct regret regret;
    } within[PROFILES];
};
struct choice choice_of(const struct view_kernel *kernel);
// What a rule picks at a size, with one shape for all sizes where the choice has one; NULL when it was not run.
const struct record *choice_thumb(const struct choice *choice, const struct view_case *c, enum thumb thumb);

#endif
