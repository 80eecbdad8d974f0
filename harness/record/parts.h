// SPDX-License-Identifier: Apache-2.0
// The parts of a record with more than one plain value. Private to harness/record.
#ifndef VKASSAY_RECORD_PARTS_H
#define VKASSAY_RECORD_PARTS_H

#include "../base/json.h"
#include "../base/fields.h"
#include "record.h"
#include "result.h"
#include "../base/file.h"

struct device_info;

#define AT(member) offsetof(struct record, member)

// Kinds for the whole record (offset 0), because they gather several of its members.
enum { WHOLE = 0 };
extern const struct kind kind_dims, kind_shape, kind_inputs, kind_metrics, kind_code, kind_check, kind_time,
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
    struct text *out;
    struct text own; // the file's
    struct file_out *file;
    bool document; // one JSON document instead of lines
    bool trimmed;  // without raw samples
    size_t count;
};

// Opens a file; it is a document if its name ends in .json.
bool writer_open(struct writer *writer, const char *path, bool trimmed, struct error *err);
// Ends the file. With `ok` false it is removed.
bool writer_close(struct writer *writer, bool ok, struct error *err);

// Write the head, then records as texts of other results or journals, then the end.
void writer_begin(struct writer *writer, struct json_object *head);
void writer_put(struct writer *writer, const char *bytes, size_t length);
void writer_end(struct writer *writer);

// ---- the checksum of a line: its last member, over all bytes before it. Lines of older results have none.

// Appends an object's text as a line, without a line break. A checksum in the text is replaced.
void line_put(struct text *out, const char *object, size_t length);
// Appends the object's text of a line, without the checksum.
void line_take(struct text *out, const char *line, size_t length);
// Returns whether the line's checksum is right, or there is none.
bool line_is_whole(const char *line, size_t length);
// Parses a line, without its checksum. NULL: it is not whole, or no JSON.
struct json_object *line_parse(const char *line, size_t length);

// ---- results in lines: the head, then the records, then the end

// Takes an item of a result. Sets *is_record to whether it is a record; devices of a resumed run are noted in its head.
// Returns false, with the reason in err, for a changed line, a part of an exhaustive check that no record has, and an
// end that does not fit.
bool result_line(struct result_lines *lines, const struct json_met *item, bool *is_record, struct error *err);

// Refuses a result in lines whose first line was changed.
bool result_first_line(const struct result_lines *lines, const char *path, struct error *err);

// Adds an empty list of records to the head of a result in lines. Without an end, adds its peaks, and that the run has
// not ended. A document and NULL stay as they are.
void result_complete(
    const struct result_lines *lines, struct json_object *head, struct json_object *const *peaks, size_t count);

// Returns the whole record of an item of which only some members were read. The caller releases it.
struct json_object *record_of(const struct json_met *item);

#endif
