// SPDX-License-Identifier: Apache-2.0
// The coverage of a check for one kernel and dtype: in a result's run.covered, and as a line for people.
#ifndef VKASSAY_RECORD_COVERED_H
#define VKASSAY_RECORD_COVERED_H

#include "../base/json.h"

// Sizes up to this show little of a kernel, because they fit one workgroup.
enum { COVERED_LARGE = 1000 };
// Beyond this share of open outputs a point is counted in `open_points`.
#define COVERED_OPEN 0.25

struct covered {
    const char *kernel, *dtype;
    int64_t points, skipped;            // run; not run
    int64_t shapes, legal_shapes;       // run; accepted by the device
    int64_t pairs, legal_pairs;         // values of two tunables together in one of these shapes (for a single tunable:
                                        // its values)
    int64_t sizes, parameters;          // distinct dims; distinct settings of the operator's parameters
    int64_t large_sizes;                // dims with more than COVERED_LARGE elements in all operands together
    int64_t characters, all_characters; // of operands' lines (plan/lines.h): met; existing
    int64_t checked, elements;          // judged outputs of all points together; all outputs
    int64_t excluded;                   // left out: the device or the specification leaves them open
    int64_t unjudged;                   // of captured dispatches: without a recorded result of this device and driver
    int64_t exact;                      // judged by a run with whole numbers, in `checked` or not
    int64_t open_points;                // with more than COVERED_OPEN of their outputs left open
    int64_t specials, specials_met;     // special values of operands: given, and met by a judged output
    const char *unmet;                  // the others, as "nan in k, inf in v"; NULL: none
};

// Convert rows to an array of a result's run and back. *rows is in the arena; without the member the count is 0.
extern const struct kind kind_covered; // struct covered
struct json_object *covered_to_json(const struct covered *rows, size_t count);
bool covered_from_json(
    struct arena *arena, struct json_object *run, struct covered **rows, size_t *count, struct error *err);

// Returns one line for all rows, "covered: ...", in the arena; NULL without rows.
const char *covered_words(struct arena *arena, const struct covered *rows, size_t count);

#endif
