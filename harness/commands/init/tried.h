// SPDX-License-Identifier: Apache-2.0
// A shader of `try`, and what is said about its speed.
#ifndef VKASSAY_COMMANDS_TRIED_H
#define VKASSAY_COMMANDS_TRIED_H

#include "init.h"
#include "../../base/json.h"

struct record;
struct result;

struct tried {
    const char *shader;  // as on the command line
    const char *op;      // its operator's name
    const char *folder;  // of the manifest's folder and the suite
    const char *kernels; // of the manifest
    struct one_guess guess;
    size_t siblings; // the program's kernels of the operator
    int64_t start_ns;
    const char *result; // path; NULL: there is none
};

// Returns an entry of a suite: the kernel, or all kernels of the operator, at these dims, which it takes over.
struct json_object *tried_entry(const char *member, const char *name, const char *shapes, struct json_object *dims);

// Writes the manifest again, with the kernel's workgroup size resized by "tune". Returns its folder; NULL with err.
const char *tried_resizing(struct arena *arena, const struct tried *tried, struct error *err);

// Returns the largest right and timed record of the shader whose time, `points` times, fits into `seconds`; NULL: none.
const struct record *tried_largest(
    const struct tried *tried, const struct result *result, size_t points, double seconds);

// Returns the expected seconds of one more point like the record, with few samples.
double tried_seconds(const struct record *record);

// Returns whether the record is of the shader, right and timed.
bool tried_is_own(const struct tried *tried, const struct record *record);

// Returns whether both records have the same dims.
bool tried_same_size(const struct record *a, const struct record *b);

// Prints how fast the shader is at each size: its share of the roof, beside the program's fastest kernel there. At the
// largest size it is also beside itself in other workgroup sizes. Beyond the budget nothing is measured.
bool siblings_say(struct arena *arena, const struct options *options, const struct tried *tried, struct error *err);

// Measures two right shaders interleaved at the largest size of both, and prints which is faster. They must have the
// same operator.
bool versus_say(struct arena *arena, const struct options *options, const struct tried both[2], struct error *err);

#endif
