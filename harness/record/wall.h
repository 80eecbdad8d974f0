// SPDX-License-Identifier: Apache-2.0
// Where wall time goes: every nanosecond between two readings of a phases is one part's.
#ifndef VKASSAY_RECORD_WALL_H
#define VKASSAY_RECORD_WALL_H

#include "../base/json.h"

#include <stdint.h>

enum wall_part {
    WALL_START,     // workers: processes, drivers, devices
    WALL_COMPILE,   // shaders to SPIR-V, SPIR-V to pipelines
    WALL_UPLOAD,    // operands made, written to staging memory, kept there
    WALL_COMPUTE,   // the device at work: checks, warm-up, samples of every figure, copies it makes included
    WALL_DOWNLOAD,  // results read back by the host
    WALL_REFERENCE, // what results should be, and the scalar baseline
    WALL_JUDGE,     // results against the reference, guards, second runs
    WALL_WAIT,      // for a device that has slowed down (timing/pace.h)
    WALL_IDLE,      // none of these: pipes, the journal, lost workers
    WALL_COUNT
};
const char *wall_part_name(enum wall_part part); // "start", ... "idle"

struct wall {
    int64_t ns[WALL_COUNT];
};

int64_t wall_total(const struct wall *wall);
void wall_add(struct wall *sum, const struct wall *more);

// A phases charges the time since its last reading to a part of an account.
struct phase_timer {
    struct wall *account;
    enum wall_part part;
    int64_t since;
};
struct phase_timer phase_timer_start(struct wall *account, enum wall_part part);
// From now on time is `part`'s; returns whose it was.
enum wall_part phase_timer_turn(struct phase_timer *phases, enum wall_part part);
// The same with another account: what was begun is charged to the old one.
void phase_timer_move(struct phase_timer *phases, struct wall *account);

// A run's split as JSON, {"start_s": 0.4, ...}, and back from its "wall"; false when it has none.
struct json_object *wall_to_json(const struct wall *wall);
bool wall_from_json(struct json_object *run, struct wall *wall);
// Adds what a record says of itself.
void wall_add_record(struct wall *sum, struct json_object *record);

// "wall 92 s: start 1 %, compile 31 %, ...", with the wait where there was any to speak of; NULL for a run without it.
char *wall_words(struct arena *arena, struct json_object *run);

// What is to be said of a device that slowed down, where `throttled` of the `timed` points are marked or the wait is 1
// % of the run and 1 s at least; else NULL.
char *wall_slowed(struct arena *arena, struct json_object *run, size_t throttled, size_t timed);

#endif
