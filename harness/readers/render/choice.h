// SPDX-License-Identifier: Apache-2.0
// Chooses one shape for all sizes of a kernel: the shape with the lowest worst-case cost. Computes the same cost for
// heuristics. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_CHOICE_H
#define VKASSAY_RENDER_CHOICE_H

#include "../../device/profile.h"
#include "view.h"

// Returns true if at least two shapes of the case passed and were timed, so that there is something to choose.
bool has_choice(const struct view_case *c);

// Rules that choose a shape without measuring.
enum heuristic {
    HEURISTIC_DEFAULT,
    HEURISTIC_SYSTEMS,
    HEURISTIC_64,
    HEURISTIC_256,
    HEURISTIC_LARGEST,
    HEURISTIC_COUNT
};
const char *heuristic_name(enum heuristic heuristic); // "default", "system shape", "64", "256", "largest"

// Returns the record that a rule picks; NULL if no such shape was run.
// HEURISTIC_DEFAULT: the kernel's default.
// HEURISTIC_SYSTEMS: the worst of the systems' shapes.
// HEURISTIC_64, HEURISTIC_256: the fastest with 64 or 256 invocations.
// HEURISTIC_LARGEST: the fastest with as many invocations as the largest shape that ran at this size.
// Only the default, the systems' and the largest shape may be a record that did not pass.
const struct record *heuristic_record(const struct view_case *c, enum heuristic heuristic);

// The cost of one shape or rule over all sizes with a choice. A factor is its time over the best shape's time at a
// size.
struct regret {
    double worst;               // the largest factor; NaN when timed is 0
    double lo, hi;              // 95 % interval of the worst: the maxima of the factors' lower and upper ends
    const struct view_case *at; // the size with the worst factor
    // Sizes with a choice; sizes where it was timed; sizes, with a choice or not, where it failed.
    size_t sizes, timed, wrong;
};

// The portable pick: the shape with the least worst factor. Candidates passed wherever they ran, and were timed at
// every size with a choice. Another candidate ties with it if their intervals overlap.
struct choice {
    const struct record *shape; // the record at the first size with a choice; NULL if there is no candidate
    struct regret regret;
    size_t shapes, ties;      // number of candidates; number of ties
    const struct record *tie; // the first tie, or NULL
    // The loss of each rule. Here "64", "256" and "largest" also mean one shape for all sizes. It is the shape with so
    // many invocations and failures at the fewest sizes. Ties go to the most timed sizes, then to the least worst
    // factor. "largest" is the largest number of invocations run at any size.
    struct {
        // The record at the first size with a choice; NULL if there is none, or if the rule's shape differs by size.
        const struct record *shape;
        struct regret regret;
    } heuristics[HEURISTIC_COUNT];
    // The pick among the shapes within each of the program's profiles; its regret is against the best of all shapes.
    struct {
        const struct record *shape; // NULL if no candidate fits the profile
        struct regret regret;
    } within[PROFILES];
};
struct choice choice_of(const struct view_kernel *kernel);
// Returns what a rule picks at a size, using its one shape if the choice has one; NULL if that was not run.
const struct record *choice_heuristic(const struct choice *choice, const struct view_case *c, enum heuristic heuristic);

#endif
