// SPDX-License-Identifier: Apache-2.0
// What supervisor and worker say to each other: one JSON object a line.
//
//     to the worker      {"describe": true}                          list the devices and end
//                        {"device": {}, "operators": [], "kernels": [], "options": {}} open that device
//                        {"name": "...", "peak": null}               run that point; any number of
//                        these; with "way": "check" or "sample" it is only checked, or one
//                        sample of it is taken
//                        {"group": [a point, ...]}                   run these, of one problem, in turns
//                        {"prefill": ["NAME"]}                       build the shaders of these
//     from the worker    {"devices": []}                             answers the first
//                        {"ready": true}                             answers the second and the last; of the last, a
//                        record is the point that the device was lost to
//                        {"built": 2}                                before: with that one of the names the worker is
//                        done, which it was {"at": 2}; {"died": 2}: to that one it was lost a record answers each
//                        point, also of a group: when all are done, in their order; or the one alone that the device
//                        was lost to
//                        {"at": 2}                                   before: this one of the group is begun; their
//                        number: all are timed
//                        {"error": "...", "status": 70}              instead of any of them; then
//                        it ends
#ifndef VKASSAY_SUPERVISE_PROTOCOL_H
#define VKASSAY_SUPERVISE_PROTOCOL_H

#include "process.h"
#include "supervise.h"

#include <stdio.h>

// ---- the supervisor's side
struct json_object *message_describe(void);
struct json_object *message_configuration(const struct session *session);
// How a point is run (run.h): in full as the options say, checked, or one sample of it.
enum way { WAY_FULL, WAY_CHECK, WAY_SAMPLE };
struct json_object *message_point(const struct point *point, enum way way);
struct json_object *message_group(const struct plan *plan, const size_t *points, size_t count);
struct json_object *message_prefill(const char *const *names, size_t count);
bool message_send(struct process *process, struct json_object *message,
    int64_t deadline_ns); // takes `message` over

// Each reads one answer. An answer that is none is an error that quotes it; so is what the worker
// says in
// {"error": ...}, in its own words.
bool answer_devices(const char *line, size_t length, struct arena *arena, struct device_info **devices, size_t *count,
    struct error *err);
bool answer_ready(const char *line, size_t length, struct error *err);
// What is said meanwhile of one of a group or of names: it is begun; its shaders are built, or are not to be had; it
// was fatal.
enum note { NOTE_AT, NOTE_BUILT, NOTE_DIED, NOTES };
// Whether the line is a note of one of `count`, which may be `count` for all, and nothing else.
bool answer_note(const char *line, size_t length, size_t count, enum note *note, size_t *index);
// NULL unless it is a whole record of the point of that name. The caller releases it.
struct json_object *answer_record(const char *line, size_t length, const char *name, struct error *err);

// ---- the worker's side
struct configuration {
    bool describe; // then nothing else is set
    struct device_info device;
    const char *const *kernel_folders;
    size_t kernel_folder_count;
    const char *const *operators;
    size_t operator_count;
    struct run_options options;
};
bool configuration_read(
    const char *line, size_t length, struct arena *arena, struct configuration *out, struct error *err);
bool point_read(const char *line, size_t length, struct arena *arena, const char **name, const char **peak,
    enum way *way, struct error *err);

// Whether the line is no point but a group of 1 to `most`. Its names and peaks go to the arrays.
bool group_read(const char *line, size_t length, struct arena *arena, size_t most, const char **names,
    const char **peaks, size_t *count);
// Whether the line is no point but {"prefill": []}; then the names, in the arena, are those it has.
bool prefill_read(const char *line, size_t length, struct arena *arena, const char *const **names, size_t *count);

struct json_object *message_devices(const struct device_info *devices, size_t count);
struct json_object *message_note(enum note note, size_t index);
struct json_object *message_ready(void);
struct json_object *message_error(const struct error *err);
bool message_write(FILE *to, struct json_object *message); // takes `message` over; false when nobody listens

#endif
