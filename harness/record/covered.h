// SPDX-License-Identifier: Apache-2.0
// What a check covered, of one kernel and type: in a result's run.covered, and in a line for a person.
#ifndef VKASSAY_RECORD_COVERED_H
#define VKASSAY_RECORD_COVERED_H

#include "../base/json.h"

// Sizes up to this show little of a kernel: they fit one workgroup.
enum { COVERED_LARGE = 1000 };

struct covered {
    const char *kernel, *dtype;
    int64_t points, skipped;            // that ran; that did not
    int64_t shapes, legal_shapes;       // that ran; that the device takes
    int64_t pairs, legal_pairs;         // values of two tunables that stood together in one of these (of one tunable
                                        // alone: its values)
    int64_t sizes, parameters;          // different dims; different settings of the operator's parameters
    int64_t large_sizes;                // dims whose operands have more than COVERED_LARGE elements together
    int64_t characters, all_characters; // of operands' lines (plan/lines.h): met; that there are
    int64_t checked, elements;          // outputs judged, of all points together; all that there were
    int64_t excluded;                   // left out: the device or the specification leaves them open
    int64_t exact;                      // judged by a run with whole numbers, whether or not among `checked`
};

// An array, of a result's run; and back. *rows is in the arena, empty where the run has none.
struct json_object *covered_to_json(const struct covered *rows, size_t count);
bool covered_from_json(
    struct arena *arena, struct json_object *run, struct covered **rows, size_t *count, struct error *err);

// All of them in one line: "covered: ...", in the arena; NULL where there are none.
const char *covered_words(struct arena *arena, const struct covered *rows, size_t count);

#endif
