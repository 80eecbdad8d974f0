// SPDX-License-Identifier: Apache-2.0
// The parts of a record that are more than one plain value. Private to harness/record.
#ifndef VKASSAY_RECORD_PARTS_H
#define VKASSAY_RECORD_PARTS_H

#include "../base/json_list.h"
#include "../base/fields.h"
#include "../device/limits.h"
#include "record.h"
#include "../base/file.h"

#define AT(member) offsetof(struct record, member)

// Kinds that take the whole record (offset 0), as they gather several of its members.
enum { WHOLE = 0 };
extern const struct kind kind_dims, kind_shape, kind_inputs, kind_facts, kind_code, kind_check, kind_time,
    kind_expected, kind_attempts;
extern const struct kind kind_refusal; // const struct refusal *

// Raw samples that a reader does without.
extern const struct json_passed samples_but_compute, samples_all;

// Of result files. The head: a context with $.run.wall_s, peaks and counts, which it takes over; without records.
struct json_object *counts_to_json(const size_t counts[RECORD_STATUS_COUNT]);
struct json_object *result_head(
    struct json_object *context, double wall_seconds, struct json_object *peaks, struct json_object *counts);
// The schema's version. 1 where it is optional and not there, as what is read of that version may be of the other.
bool result_version(struct json_object *context, const char *path, bool optional, int64_t *version, struct error *err);
// Whether what stands round the records is that of a result; from then on of this version.
bool result_check(struct json_object *context, const char *path, struct device_info *device, struct error *err);

// A kind made of fields of its own. `present` says whether there is anything to write; `scope` is static or empty.
#define GROUP_KIND(scope, name, fields, present)                                                                       \
    static void name##_absent(void *whole) {                                                                           \
        fields_absent(fields, whole);                                                                                  \
    }                                                                                                                  \
    GROUP_KIND_WITH(scope, name, fields, present, name##_absent)
#define GROUP_KIND_WITH(scope, name, fields, present, none)                                                            \
    static struct json_object *name##_put(const void *whole) {                                                         \
        const struct record *record = whole;                                                                           \
        return (present) ? fields_put(fields, record) : NULL;                                                          \
    }                                                                                                                  \
    static bool name##_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {            \
        return fields_get(arena, at, fields, whole, err);                                                              \
    }                                                                                                                  \
    scope const struct kind kind_##name = {.put = name##_put, .get = name##_get, .absent = none};

// ---- a file while it is written

struct writer {
    struct file_out *file;
    bool trimmed;
    size_t count;
};

// Begins with every member of `head`. A trimmed file is one line and has no raw samples; else it is indented, but for
// those, a line each figure.
bool writer_begin(struct writer *writer, const char *path, struct json_object *head, bool trimmed, struct error *err);

// One more record.
void writer_put(struct writer *writer, struct json_object *record);
// One as it stands in another result.
void writer_put_bytes(struct writer *writer, const char *bytes, size_t length);

// Ends the list and the file; with `ok` false nothing of it stays.
bool writer_end(struct writer *writer, bool ok, struct error *err);

#endif
