// SPDX-License-Identifier: Apache-2.0
// The messages between supervisor and worker: one JSON object a line, with its type in the member "type".
//
// To the worker, with their members:
//
//     "describe"                               List the devices and end.
//     "open"      device, operators, kernels,
//                 options, effect, base, head  Open this device.
//     "run"       points, next                 Run these points of one problem interleaved; a point of the next
//     problem. "check"     points                       Only check this point. "sample"    points Take one sample of
//     this point. "build"     points                       Build the shaders of these points. "pair"      points Time
//     these two: of the base's kernels and of the head's. "base"      points                       Only check this
//     point, with the base's kernels. "head"      points                       Only check this point, with the head's
//     kernels. "mutant"    points, mutants, mutant      Run a mutant of the kernel of these points
//     (mutate/mutant_kernel.h).
//
// From the worker, with their members:
//
//     "devices"   devices, validates           Answers "describe".
//     "ready"                                  Answers "open", and "build" when all shaders are built.
//     "record"    record                       Answers each point of the other requests, in order, when all are done.
//                                              If a point loses the device, only its record is sent, also as
//                                              the answer to "build".
//     "at"        index                        Sent meanwhile: the worker is at this point; the number of points: at
//                                              all of them. Of "mutant": 0, the unchanged kernel runs; 1, the mutant.
//     "built"     index                        The shaders of this point are built, or they do not build.
//     "died"      index                        The worker is dying on this point.
//     "error"     error, status                Answers instead of any of these; then the worker ends.
//
// A point is {"name": "...", "peak": null}.
#ifndef VKASSAY_SUPERVISE_PROTOCOL_H
#define VKASSAY_SUPERVISE_PROTOCOL_H

#include "process.h"
#include "supervise.h"

#include <stdio.h>

enum message_type {
    MESSAGE_NONE, // none of these
    MESSAGE_DESCRIBE,
    MESSAGE_OPEN,
    MESSAGE_RUN,
    MESSAGE_CHECK,
    MESSAGE_SAMPLE,
    MESSAGE_BUILD,
    MESSAGE_PAIR,
    MESSAGE_BASE,
    MESSAGE_HEAD,
    MESSAGE_MUTANT,
    MESSAGE_DEVICES,
    MESSAGE_READY,
    MESSAGE_RECORD,
    MESSAGE_AT,
    MESSAGE_BUILT,
    MESSAGE_DIED,
    MESSAGE_ERROR,
    MESSAGE_TYPES
};

// A line read from the other side.
struct message {
    enum message_type type;
    struct json_object *value; // NULL: not JSON
    const char *line;          // the caller's
};
struct message message_read(const char *line, size_t length);
void message_release(struct message *message); // accepts a zeroed one

// ---- the supervisor's side: pass the message_* results to message_send or message_write
struct json_object *message_describe(void);
struct json_object *message_open(const struct session *session, const struct device_info *device);
struct json_object *message_mutant(const struct mutant_of *mutant);
// `next`: of "run", a point of the problem that follows; NULL: not known.
struct json_object *message_points(
    enum message_type type, const struct point *const *points, size_t count, const struct point *next);
bool message_send(struct process *process, struct json_object *message, int64_t deadline_ns);

// Returns whether the message has that type. Another type is an error that quotes the line. An error message of the
// worker becomes the error, in the worker's words.
bool message_expect(const struct message *message, enum message_type type, struct error *err);
bool message_get_devices(
    const struct message *message, struct arena *arena, struct device_info **devices, size_t *count, struct error *err);
bool message_get_validates(const struct message *message); // is the validation layer installed?
// Returns whether it is a note on progress: "at", "built" or "died", with an index from 0 to `count`. `count` stands
// for all points.
bool message_get_note(const struct message *message, size_t count, size_t *index);
// Returns the point's name of a record message; "" for other messages.
const char *message_get_name(const struct message *message);
// Returns NULL unless it is a complete record of the point of that name. The caller releases it.
struct json_object *message_get_record(const struct message *message, const char *name, struct error *err);

// ---- the worker's side
struct json_object *message_devices(const struct device_info *devices, size_t count, bool validates);
struct json_object *message_ready(void);
struct json_object *message_record(const struct record *record);
struct json_object *message_note(enum message_type type, size_t index);
struct json_object *message_error(const struct error *err);
bool message_write(FILE *to, struct json_object *message); // false if nobody listens

#endif
