// SPDX-License-Identifier: Apache-2.0
// The split of wall time: every nanosecond between two readings of a phase timer belongs to one part.
#ifndef VKASSAY_RECORD_WALL_H
#define VKASSAY_RECORD_WALL_H

#include "../base/json.h"

#include <stdint.h>

enum wall_part {
    WALL_START,     // workers: processes, drivers, devices
    WALL_COMPILE,   // shaders to SPIR-V, SPIR-V to pipelines
    WALL_UPLOAD,    // making operands, writing them to staging memory, keeping them there
    WALL_COMPUTE,   // the device at work: checks, warm-up, samples of every figure, its copies included
    WALL_DOWNLOAD,  // reading results back by the host
    WALL_REFERENCE, // computing the expected results, and the scalar baseline
    WALL_JUDGE,     // comparing results with the reference, guards, second runs
    WALL_WAIT,      // for a device that has slowed down (timing/pace.h)
    WALL_IDLE,      // none of these: pipes, the journal, lost workers
    WALL_COUNT
};

struct wall {
    int64_t ns[WALL_COUNT];
};

int64_t wall_total(const struct wall *wall);
void wall_add(struct wall *sum, const struct wall *more);

// Charges the time since its last reading to a part of an account.
struct phase_timer {
    struct wall *account;
    enum wall_part part;
    int64_t since;
};
struct phase_timer phase_timer_start(struct wall *account, enum wall_part part);
// Charges time to `part` from now on; returns the previous part.
enum wall_part phase_timer_switch(struct phase_timer *phases, enum wall_part part);
// Changes the account; the time so far is charged to the old one.
void phase_timer_move(struct phase_timer *phases, struct wall *account);

// Convert a run's split to JSON, {"start_s": 0.4, ...}, and back from its "wall"; false if it has none.
struct json_object *wall_to_json(const struct wall *wall);
bool wall_from_json(struct json_object *run, struct wall *wall);
extern const struct kind kind_wall_seconds; // struct wall in that form
// Adds the wall time of a record.
void wall_add_record(struct wall *sum, struct json_object *record);

// Returns "wall 92 s: start 1 %, compile 31 %, ...", with the wait only if it was notable; NULL for a run without a
// split.
char *wall_words(struct arena *arena, struct json_object *run);

// Returns a warning about a device that slowed down, else NULL. It is due if `throttled` of the `timed` points are
// marked, or if the wait is at least 1 % of the run and 1 s.
char *wall_slowed(struct arena *arena, struct json_object *run, size_t throttled, size_t timed);

#endif
