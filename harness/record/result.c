// SPDX-License-Identifier: Apache-2.0
#include "result.h"

#include "../base/file.h"
#include "../base/kind.h"
#include "../base/memory.h"
#include "../base/names.h"
#include "../base/parallel.h"
#include "parts.h"
#include "journal.h"
#include "../device/device_info.h"
#include "../device/profile.h"
#include "cases.h"
#include "refusal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- writing a file

static bool is_document(const char *path) {
    static const char ending[] = ".json";
    const size_t length = strlen(path), end = sizeof ending - 1;
    return length >= end && strcmp(path + length - end, ending) == 0;
}

bool writer_open(struct writer *writer, const char *path, bool trimmed, struct error *err) {
    *writer = (struct writer){.file = file_begin(path, err), .document = is_document(path), .trimmed = trimmed};
    writer->own = (struct text){.spill = file_spill, .spill_user = writer->file};
    writer->out = &writer->own;
    return writer->file;
}

bool writer_close(struct writer *writer, bool ok, struct error *err) {
    file_put(writer->file, text_str(&writer->own), writer->own.length);
    text_free(&writer->own);
    return file_finish(writer->file, ok, err) && ok;
}

void writer_begin(struct writer *writer, struct json_object *head) {
    const char *text = json_object_to_json_string_ext(head, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (!text) memory_out(1, 1);
    if (!writer->document) {
        line_put(writer->out, text, strlen(text));
        return;
    }
    text_append_n(writer->out, text, strlen(text) - 1); // the records are its last member
    text_append(writer->out, ",\"records\":[");
}

void writer_put(struct writer *writer, const char *bytes, size_t length) {
    struct text object = {0}, shorter = {0};
    line_take(&object, bytes, length);
    if (writer->trimmed || memchr(bytes, '\n', length))
        json_put_without(&shorter, text_str(&object), object.length, writer->trimmed ? &samples_all : NULL);
    const struct text *put = shorter.length ? &shorter : &object;
    text_append(writer->out, !writer->document ? "\n" : writer->count ? "," : "");
    writer->count++;
    if (writer->document)
        text_append_n(writer->out, text_str(put), put->length);
    else
        line_put(writer->out, text_str(put), put->length);
    text_free(&object);
    text_free(&shorter);
}

void writer_end(struct writer *writer) {
    if (writer->document)
        text_append(writer->out, "]}");
    else
        text_format(writer->out, "\n{\"" JOURNAL_END "\":{\"records\":%zu}}\n", writer->count);
}

bool result_version(struct json_object *context, const char *path, bool optional, struct error *err) {
    struct json_at root = json_root(context, path), member;
    int64_t version;
    if (!json_member(&root, "schema_version", optional, &member, err)) return false;
    return (optional && !member.value) ||
           json_integer(&member, RESULT_SCHEMA_VERSION, RESULT_SCHEMA_VERSION, &version, err);
}

// ---- results in lines

// Returns whether the run behind a head has ended once: only then is each part also within a record.
static bool has_ended(struct json_object *head) {
    return json_get(head, "peaks");
}

bool result_line(struct result_lines *lines, const struct json_met *item, bool *is_record, struct error *err) {
    if (item->line && !line_is_whole(item->bytes, item->length))
        return json_fail(&item->at, err,
            "its bytes were changed: they have another checksum. --resume runs such points again, and takes their "
            "folder");
    struct json_object *value = item->at.value, *end = json_get(value, JOURNAL_END),
                       *part = json_get(value, JOURNAL_PART);
    *is_record = true;
    if (!item->line) return true;
    if (lines->ended) return json_fail(&item->at, err, "expected nothing after the end of the run");
    if (part && !has_ended(item->before))
        return json_fail(&item->at, err,
            "a part of an exhaustive check, and the run has not ended: finish it by `--resume`, which takes its "
            "folder");
    *is_record = !end && !json_object_is_type(part, json_type_object) && !journal_take_device(item->before, value);
    lines->records += *is_record;
    lines->ended = end;
    return !end || json_get_int(end, "records", -1) == (int64_t)lines->records ||
           json_fail(&item->at, err, "expected the end of %zu records, found that of %s: lines are missing",
               lines->records, json_object_to_json_string(json_get(end, "records")));
}

bool result_first_line(const struct result_lines *lines, const char *path, struct error *err) {
    struct text line = {0};
    char block[65536];
    size_t got = 1;
    const char *end = NULL;
    if (!lines->records && !lines->ended) return true;
    struct file_in *in = file_in_open(path, err);
    bool ok = in;
    while (ok && !end && got) {
        ok = file_in_read(in, block, sizeof block, &got, err);
        end = memchr(block, '\n', got);
        text_append_n(&line, block, end ? (size_t)(end - block) : got);
    }
    if (ok && !line_is_whole(text_str(&line), line.length))
        ok = error_set(err, STATUS_BAD_INPUT, "%s:1: its bytes were changed: they have another checksum", path);
    file_in_close(in);
    text_free(&line);
    return ok;
}

void result_complete(
    const struct result_lines *lines, struct json_object *head, struct json_object *const *peaks, size_t count) {
    if (kind_of(head) != KIND_RESULT || json_get(head, "records")) return;
    if (json_get(head, LINE_SUM)) json_object_object_del(head, LINE_SUM);
    json_put(head, "records", json_object_new_array());
    if (lines->ended) return;
    json_put(head, "peaks", peaks_make(peaks, count));
    json_object_object_del(head, "counts");
    whole_put(json_get(head, "run"), "the file does not show that the run ended", WHOLE_UNKNOWN);
}

struct json_object *record_of(const struct json_met *item) {
    struct json_object *whole = line_parse(item->bytes, item->length);
    return whole ? whole : json_object_get(item->at.value);
}

// ---- reading

// A result on its way into memory.
struct result_reading {
    struct result *out;
    struct result_lines lines;
    struct names names;
    struct json_object **peaks; // of a run that has not ended, because its head has none
    size_t peak_count, peak_capacity;
    struct arena arena;
};

// Takes a record into the result. If the version precedes the records in the file, it is checked first, because
// records of other versions may differ.
static bool take_record(void *user, const struct json_met *item, struct error *err) {
    struct result_reading *r = user;
    struct result *out = r->out;
    bool is_record;
    if (!result_version(item->before, item->at.file, true, err) || !result_line(&r->lines, item, &is_record, err))
        return false;
    if (!is_record) return true;
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? out->capacity * 2 : 64;
        out->records = memory_resize(out->records, out->capacity, sizeof *out->records);
    }
    if (!record_read(&out->arena, &item->at, &out->records[out->count], err)) return false;
    const char *name = out->records[out->count].name;
    if (names_put(&r->names, name, strlen(name), out->count) != out->count)
        return json_fail(&item->at, err, "point %s occurs twice", name);
    out->count++;
    if (!item->line || !json_get_string(item->at.value, "peak", NULL)) return true;
    r->peaks = arena_grow(&r->arena, r->peaks, r->peak_count, &r->peak_capacity, sizeof *r->peaks);
    r->peaks[r->peak_count++] = record_of(item);
    return true;
}

bool result_check(struct json_object *context, const char *path, struct device_info *info, struct error *err) {
    struct json_at root = json_root(context, path), device, part;
    if (!kind_expect(context, path, KIND_RESULT, err) || !result_version(context, path, false, err)) return false;
    static const char *const objects[] = {"tool", "host", "run", "peaks"};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (!json_member(&root, objects[i], false, &part, err) || !json_expect(&part, json_type_object, err))
            return false;
    if (!json_member(&root, "device", false, &device, err) || !json_expect(&device, json_type_object, err))
        return false;
    if (!device_from_json(device.value, info, err)) return error_prefix(err, "%s: ", path);
    return json_member(&root, "records", false, &part, err) && json_expect(&part, json_type_array, err);
}

bool result_read(const char *path, struct result *out, struct error *err) {
    struct result_reading reading = {.out = out};
    const struct json_list list = {"records", &samples_but_compute, take_record, &reading, .lines = true};
    *out = (struct result){0};
    out->context = json_read_list(path, &list, err);
    result_complete(&reading.lines, out->context, reading.peaks, reading.peak_count);
    for (size_t i = 0; i < reading.peak_count; i++) json_object_put(reading.peaks[i]);
    arena_free(&reading.arena);
    names_free(&reading.names);
    if (!out->context && !out->count) kind_not_read(path, KIND_RESULT, err);
    out->device = arena_alloc(&out->arena, 1, sizeof *out->device);
    if (!out->context || !result_first_line(&reading.lines, path, err) ||
        !result_check(out->context, path, out->device, err)) {
        result_free(out);
        return false;
    }
    json_object_object_del(out->context, "records");
    return true;
}

void result_free(struct result *result) {
    json_object_put(result->context);
    if (result->capacity) free(result->records);
    arena_free(&result->arena);
    *result = (struct result){0};
}

// ---- writing

// Copies an object without the member `except`.
static struct json_object *copy_without(struct json_object *object, const char *except) {
    struct json_object *copy = json_object_new_object();
    json_object_object_foreach(object, key, value) {
        if (strcmp(key, except) != 0) json_put(copy, key, json_object_get(value));
    }
    return copy;
}

const struct kind kind_counts = {.each = sizeof(size_t),
    .values = &kind_size,
    .keys = &status_words,
    .required = RECORD_COMPILED,
    .meaning = "Records by status."};

static struct json_object *counts_make(struct json_object *const *records, size_t count) {
    size_t counts[RECORD_STATUS_COUNT] = {0};
    for (int status = 0; status < RECORD_STATUS_COUNT; status++) {
        const char *name = record_status_name((enum record_status)status);
        for (size_t i = 0; i < count; i++)
            counts[status] += strcmp(json_get_string(records[i], "status", ""), name) == 0;
    }
    return kind_put(&kind_counts, counts);
}

struct json_object *result_head(
    struct json_object *context, double wall_seconds, struct json_object *peaks, struct json_object *counts) {
    struct json_object *head = copy_without(context, "records"), *run = json_get(context, "run");
    run = run ? copy_without(run, "wall_s") : json_object_new_object();
    json_put_double(run, "wall_s", wall_seconds);
    json_put(head, "run", run);
    json_put(head, "peaks", peaks);
    json_put(head, "counts", counts);
    return head;
}

static bool put_records(struct writer *writer, struct json_object *const *records, size_t count, struct error *err) {
    struct text line = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        line.length = 0;
        ok = record_line(records[i], &line, err);
        if (ok) writer_put(writer, text_str(&line), line.length);
    }
    text_free(&line);
    return ok;
}

// Writes the parts of exhaustive checks, with which `--resume` goes on.
static void put_parts(struct writer *writer, struct json_object *parts) {
    for (size_t i = 0; parts && !writer->document && i < json_object_array_length(parts); i++) {
        struct text line = {0};
        text_append(&line, "{\"" JOURNAL_PART "\":");
        json_put_text(&line, json_object_get(json_object_array_get_idx(parts, i)), JSON_C_TO_STRING_PLAIN);
        text_append(&line, "}");
        text_append(writer->out, "\n");
        line_put(writer->out, text_str(&line), line.length);
        text_free(&line);
    }
}

bool result_write(const char *path, struct json_object *context, struct json_object **records, size_t count,
    struct json_object *parts, double wall_seconds, bool trimmed, struct error *err) {
    struct json_object *head =
        result_head(context, wall_seconds, peaks_make(records, count), counts_make(records, count));
    struct writer writer;
    bool ok = writer_open(&writer, path, trimmed, err);
    if (ok) {
        writer_begin(&writer, head);
        ok = put_records(&writer, records, count, err);
        put_parts(&writer, parts);
        writer_end(&writer);
        ok = writer_close(&writer, ok, err);
    }
    json_object_put(head);
    return ok;
}

// ---- profiles

struct needs record_needs(const struct record *record) {
    struct needs needs = {0};
    if (record->needs) return *record->needs;
    uint64_t flat = record_invocations(record);
    memcpy(needs.limits.max_size, record->wg, sizeof record->wg);
    needs.limits.max_invocations = flat > UINT32_MAX ? UINT32_MAX : (uint32_t)flat;
    needs.features[FEATURE_SUBGROUP_SIZE] = record->subgroup_size > 0;
    return needs;
}

bool record_keeps_to(const struct record *record, const struct profile *profile) {
    const struct needs needs = record_needs(record);
    struct excess ignored;
    return profile_fits(profile, &needs, &ignored);
}

const char *suite_within(struct arena *arena, const char *suite, const struct profile *profile) {
    return suite && *profile->name ? arena_format(arena, "%s within %s", suite, profile->name) : suite;
}

const char *result_historical(const struct result *result) {
    if (!json_get_bool(json_get(result->context, "run"), "historical", false)) return NULL;
    return json_get_string(json_get(result->context, "tool"), "git", "no revision");
}

const char *result_suite(struct arena *arena, const struct result *result, const char *otherwise) {
    const char *suite = json_get_string(json_get(result->context, "run"), "suite", otherwise);
    suite = suite_within(arena, suite, &result->device->profile);
    return suite;
}

const char *result_suite_label(struct arena *arena, const struct result *result, const char *otherwise) {
    const char *suite = result_suite(arena, result, otherwise);
    if (!suite || !result_historical(result)) return suite;
    return arena_format(arena, "%s, historical (%s)", suite, result_historical(result));
}

void result_clamp(struct result *result, const struct profile *profile) {
    if (!profile || !*profile->name) return;
    device_clamp(result->device, profile);
    for (size_t i = 0; i < result->count; i++) {
        struct record *record = &result->records[i];
        struct needs needs = record_needs(record);
        struct excess excess;
        if (record->peak || record->status == RECORD_SKIP || profile_fits(profile, &needs, &excess)) continue;
        record_refuse(&result->arena, record, refusal_of_excess(&result->arena, &result->device->profile, &excess));
    }
}
