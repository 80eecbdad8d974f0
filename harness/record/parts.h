// SPDX-License-Identifier: Apache-2.0
// The parts of a record with more than one plain value. Private to harness/record.
#ifndef VKASSAY_RECORD_PARTS_H
#define VKASSAY_RECORD_PARTS_H

#include "../base/json_list.h"
#include "../base/fields.h"
#include "record.h"
#include "../base/file.h"

struct device_info;

#define AT(member) offsetof(struct record, member)

// Kinds for the whole record (offset 0), because they gather several of its members.
enum { WHOLE = 0 };
extern const struct kind kind_dims, kind_shape, kind_inputs, kind_facts, kind_code, kind_check, kind_time,
    kind_expected, kind_attempts;

// Raw samples to skip on reading.
extern const struct json_passed samples_but_compute, samples_all;

// Helpers for result files. The head is a context with $.run.wall_s, peaks and counts, both taken over, and without
// records.
struct json_object *result_head(
    struct json_object *context, double wall_seconds, struct json_object *peaks, struct json_object *counts);
// Checks the schema's version; `optional`: it may be missing.
bool result_version(struct json_object *context, const char *path, bool optional, struct error *err);
// Checks the members around the records of a result.
bool result_check(struct json_object *context, const char *path, struct device_info *device, struct error *err);

// Defines a kind with fields of its own. `present`: is there anything to write? `scope` is static or empty.
#define GROUP_KIND(scope, name, fields, present)                                                                       \
    static void name##_absent(void *whole) {                                                                           \
        fields_absent(fields, whole);                                                                                  \
    }                                                                                                                  \
    GROUP_KIND_WITH(scope, name, fields, present, name##_absent)
#define GROUP_KIND_WITH(scope, name, members, present, none)                                                           \
    static struct json_object *name##_put(const void *whole) {                                                         \
        const struct record *record = whole;                                                                           \
        return (present) ? fields_put(members, record) : NULL;                                                         \
    }                                                                                                                  \
    scope const struct kind kind_##name = {.put = name##_put, .fields = members, .absent = none};

// ---- writing a result file

struct writer {
    struct file_out *file;
    bool trimmed;
    size_t count;
};

// Begins a file with every member of `head`. A trimmed file is one line without raw samples. Otherwise it is
// indented, with the raw samples of each figure on one line.
bool writer_begin(struct writer *writer, const char *path, struct json_object *head, bool trimmed, struct error *err);

// Writes one more record, copied from another result.
void writer_put_bytes(struct writer *writer, const char *bytes, size_t length);

// Ends the list and the file. With `ok` false the file is removed.
bool writer_end(struct writer *writer, bool ok, struct error *err);

// ---- a journal read in place of a result: its context, then lines

// Sets *is_record to whether an item is a record; other lines of a journal are noted in its context. Returns false,
// with the reason in err, for a part of an exhaustive check.
bool journal_line(const struct json_met *item, bool *is_record, struct error *err);

// Adds to the context of a journal the members of a result: peaks, an empty list of records, and in the run that its
// end is unknown. A result and NULL stay as they are.
void journal_complete(struct json_object *context, struct json_object *const *peaks, size_t count);

// Returns the whole record of an item of which only some members were read. The caller releases it.
struct json_object *record_of(const struct json_met *item);

#endif
