// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include <string.h>

enum { COLUMNS = 120, INDENT = 2 };

static const char *plain(struct json_object *value) {
    return json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE);
}

static bool is_nested(struct json_object *value) {
    return json_object_is_type(value, json_type_object) || json_object_is_type(value, json_type_array);
}

static void put_key(struct text *out, const char *key) {
    struct json_object *string = json_object_new_string(key);
    text_format(out, "%s: ", plain(string));
    json_object_put(string);
}

// Appends a value on one line.
static void put_flat(struct text *out, struct json_object *value) {
    const char *before = "";
    if (json_object_is_type(value, json_type_object)) {
        text_append(out, "{");
        json_object_object_foreach(value, key, member) {
            text_append(out, before);
            put_key(out, key);
            put_flat(out, member);
            before = ", ";
        }
        text_append(out, "}");
    } else if (json_object_is_type(value, json_type_array)) {
        text_append(out, "[");
        for (size_t i = 0; i < json_object_array_length(value); i++) {
            text_append(out, before);
            put_flat(out, json_object_array_get_idx(value, i));
            before = ", ";
        }
        text_append(out, "]");
    } else {
        text_append(out, plain(value));
    }
}

static void put_break(struct text *out, bool first, int indent) {
    text_format(out, "%s\n%*s", first ? "" : ",", indent, "");
}

static void put(struct text *out, struct json_object *value, int column, int indent);

// Appends an array in several lines. Words share lines.
static void put_items(struct text *out, struct json_object *array, int indent) {
    int column = COLUMNS;
    text_append(out, "[");
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        struct json_object *item = json_object_array_get_idx(array, i);
        const bool word = !is_nested(item);
        const int length = word ? (int)strlen(plain(item)) : COLUMNS;
        if (column + length + 2 < COLUMNS) {
            text_append(out, ", ");
            column += length + 2;
        } else {
            put_break(out, !i, indent + INDENT);
            column = indent + INDENT + length;
        }
        put(out, item, indent + INDENT, indent + INDENT);
    }
    text_format(out, "\n%*s]", indent, "");
}

// Appends a value after `column` characters of its line. `indent` is that of its line.
static void put(struct text *out, struct json_object *value, int column, int indent) {
    struct text flat = {0};
    bool first = true;
    put_flat(&flat, value);
    if (!is_nested(value) || (column > 0 && column + (int)flat.length < COLUMNS)) {
        text_append(out, text_str(&flat));
    } else if (json_object_is_type(value, json_type_object)) {
        text_append(out, "{");
        json_object_object_foreach(value, key, member) {
            const size_t start = out->length + (first ? 1 : 2);
            put_break(out, first, indent + INDENT);
            put_key(out, key);
            put(out, member, (int)(out->length - start), indent + INDENT);
            first = false;
        }
        text_format(out, "\n%*s}", indent, "");
    } else {
        put_items(out, value, indent);
    }
    text_free(&flat);
}

void schema_text(struct text *out, const struct schema_file *file) {
    struct json_object *schema = schema_make(file);
    schema_layout(out, schema);
    json_object_put(schema);
}

void schema_layout(struct text *out, struct json_object *value) {
    put(out, value, 0, 0);
    text_append(out, "\n");
}
