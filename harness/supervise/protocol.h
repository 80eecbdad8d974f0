// SPDX-License-Identifier: Apache-2.0
// What supervisor and worker say to each other: one JSON object a line, whose "type" says which message it is.
//
//     to the worker      describe                                  list the devices and end
//                        open      device, operators, kernels, options, effect, base, head:
//                                                                  open that device
//                        run       points                          run these, of one problem, in turns
//                        check     points                          only check it
//                        sample    points                          take one sample of it
//                        build     points                          build the shaders of these
//                        pair      points                          time these, of the base's kernels and the head's
//                        base      points                          only check it, of the base's kernels
//                        head      points                          only check it, of the head's kernels
//                        break     points, seed, count, only,      choose mutants of the kernel whose points these
//                                  named, killed                   are (mutate/mutant_kernel.h)
//                        mutant    index                           run that one of them
//     from the worker    devices   devices                         answers describe
//                        ready                                     answers open, and build when all are built
//                        record    record                          answers each point of the others: when all are done,
//                                                                  in their order; or, of build too, that of the one
//                                                                  that the device was lost to, alone
//                        at        index                           before: it is at this one of the points; their
//                                                                  number: at all of them
//                        built     index                           the shaders of this one are there, or not to be had
//                        died      index                           to this one it is lost
//                        mutants   mutants, reason                 answers break; reason: why there are none
//                        verdict   mutant                          answers mutant; before: at 0, the kernel as it is
//                                                                  is run, at 1, the mutant is
//                        error     error, status                   instead of any of them; then it ends
//
// A point is {"name": "...", "peak": null}.
#ifndef VKASSAY_SUPERVISE_PROTOCOL_H
#define VKASSAY_SUPERVISE_PROTOCOL_H

#include "../mutate/mutant_kernel.h"
#include "process.h"
#include "supervise.h"

#include <stdio.h>

enum message_type {
    MESSAGE_NONE, // it is none of these
    MESSAGE_DESCRIBE,
    MESSAGE_OPEN,
    MESSAGE_RUN,
    MESSAGE_CHECK,
    MESSAGE_SAMPLE,
    MESSAGE_BUILD,
    MESSAGE_PAIR,
    MESSAGE_BASE,
    MESSAGE_HEAD,
    MESSAGE_BREAK,
    MESSAGE_MUTANT,
    MESSAGE_DEVICES,
    MESSAGE_READY,
    MESSAGE_RECORD,
    MESSAGE_AT,
    MESSAGE_BUILT,
    MESSAGE_DIED,
    MESSAGE_MUTANTS,
    MESSAGE_VERDICT,
    MESSAGE_ERROR,
    MESSAGE_TYPES
};

// A line that was read.
struct message {
    enum message_type type;
    struct json_object *value; // NULL: it is no JSON
    const char *line;          // the caller's
};
struct message message_read(const char *line, size_t length);
void message_release(struct message *message); // accepts a zeroed one

// ---- the supervisor's side. What makes a message gives it to message_send or message_write.
struct json_object *message_describe(void);
struct json_object *message_open(const struct session *session, const struct device_info *device);
// `killed`: points that killed mutants of this kernel before, in any order and as often as they did.
struct json_object *message_break(const struct mutant_request *request, const char *const *killed, size_t killed_count);
struct json_object *message_mutant(size_t index);
struct json_object *message_points(enum message_type type, const struct point *const *points, size_t count);
bool message_send(struct process *process, struct json_object *message, int64_t deadline_ns);

// Whether it is of that type. What is another is an error that quotes it; so is what the worker says in an error, in
// its own words.
bool message_expect(const struct message *message, enum message_type type, struct error *err);
bool message_get_devices(
    const struct message *message, struct arena *arena, struct device_info **devices, size_t *count, struct error *err);
bool message_get_validates(const struct message *message); // whether the validation layer is installed there
// Whether it says meanwhile what becomes of one of `count` points, or of all (`count`).
bool message_get_note(const struct message *message, size_t count, size_t *index);
// The name of the point that it is the record of; "" where it is none.
const char *message_get_name(const struct message *message);
// NULL unless it is a whole record of the point of that name. The caller releases it.
struct json_object *message_get_record(const struct message *message, const char *name, struct error *err);

// ---- the worker's side
struct request {
    enum message_type type;
    // of open
    struct device_info device;
    const char *const *kernel_folders;
    size_t kernel_folder_count;
    const char *const *operators;
    size_t operator_count;
    struct run_options options;
    struct version_files versions[2];
    double effect;
    // of what is asked of points: RUNNER_GROUP at most to be run, RUNNER_PREFILL to be built, two of a pair, otherwise
    // one
    struct asked_point {
        const char *name, *peak; // peak NULL: it serves none
    } * points;
    size_t count;
    // of break: all but the points
    struct mutant_request mutants;
    const char *const *killed;
    size_t killed_count;
    size_t index; // of mutant
};
// STATUS_BAD_INPUT says what was expected. Strings are in the arena.
bool request_read(const char *line, size_t length, struct arena *arena, struct request *out, struct error *err);

struct json_object *message_devices(const struct device_info *devices, size_t count, bool validates);
struct json_object *message_ready(void);
struct json_object *message_record(const struct record *record);
struct json_object *message_note(enum message_type type, size_t index);
struct json_object *message_mutants(const struct mutant *mutants, size_t count, const char *reason, const char *caveat);
struct json_object *message_verdict(const struct mutant *mutant, bool last); // last: the worker ends
struct json_object *message_error(const struct error *err);
bool message_write(FILE *to, struct json_object *message); // false when nobody listens

#endif
