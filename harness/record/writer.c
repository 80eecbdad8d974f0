// SPDX-License-Identifier: Apache-2.0
#include "writer.h"

#include "../base/fields.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "parts.h"

#include <string.h>

static const char *text_of(const struct writer *writer, struct json_object *value) {
    int layout = writer->trimmed ? JSON_C_TO_STRING_PLAIN : JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;
    const char *text = json_object_to_json_string_ext(value, layout | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (!text) memory_out(1, 1);
    return text;
}

static void put_text(struct writer *writer, const char *text) {
    file_put(writer->file, text, strlen(text));
}

// The head without its closing brace, which comes behind the list.
bool writer_begin(struct writer *writer, const char *path, struct json_object *head, bool trimmed, struct error *err) {
    *writer = (struct writer){.trimmed = trimmed};
    const char *text = text_of(writer, head);
    writer->file = file_begin(path, err);
    if (!writer->file) return false;
    file_put(writer->file, text, strlen(text) - (trimmed ? 1 : 2)); // "\n}"
    put_text(writer, trimmed ? ",\"records\":[" : ",\n  \"records\": [");
    return true;
}

static void put_separator(struct writer *writer) {
    if (writer->count++) put_text(writer, ",");
    if (!writer->trimmed) put_text(writer, "\n    ");
}

// One sample after the other in a line: thousands of them are read by programs alone.
static int put_raw(struct json_object *array, struct printbuf *out, int level, int flags) {
    (void)level, (void)flags;
    size_t count = json_object_array_length(array);
    printbuf_strappend(out, "[");
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *text =
            json_object_to_json_string_length(json_object_array_get_idx(array, i), JSON_C_TO_STRING_PLAIN, &length);
        if (i) printbuf_strappend(out, ", ");
        if (!text || printbuf_memappend(out, text, (int)length) < 0) return -1;
    }
    return printbuf_strappend(out, "]");
}

static void set_raw(struct json_object *record) {
    struct json_object *time = json_get(record, "time");
    if (!json_object_is_type(time, json_type_object)) return;
    json_object_object_foreach(time, figure, summary) {
        (void)figure;
        struct json_object *raw = json_get(summary, samples_all.key);
        if (json_object_is_type(raw, json_type_array)) json_object_set_serializer(raw, put_raw, NULL, NULL);
    }
}

void writer_put_bytes(struct writer *writer, const char *bytes, size_t length) {
    struct text without = {0};
    put_separator(writer);
    if (writer->trimmed) json_put_without(&without, bytes, length, &samples_all);
    file_put(writer->file, writer->trimmed ? text_str(&without) : bytes, writer->trimmed ? without.length : length);
    text_free(&without);
}

// json-c indents from the margin; the list is two levels in. Strings have no line breaks of their own.
void writer_put(struct writer *writer, struct json_object *record) {
    if (!writer->trimmed) set_raw(record);
    const char *text = text_of(writer, record);
    if (writer->trimmed) {
        writer_put_bytes(writer, text, strlen(text));
        return;
    }
    put_separator(writer);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        file_put(writer->file, text, (size_t)(end + 1 - text));
        put_text(writer, "    ");
    }
    put_text(writer, text);
}

bool writer_end(struct writer *writer, bool ok, struct error *err) {
    put_text(writer, writer->trimmed ? "]}" : writer->count ? "\n  ]\n}" : "]\n}");
    return file_finish(writer->file, ok, err);
}
