// SPDX-License-Identifier: Apache-2.0
// The table of formats, and the one that needs few words.
#include "exports.h"

#include "tuned_table.h"

const struct export_format *const every_format[] = {
    RESULT_FORMATS(ADDRESS_OF_FORMAT) TUNED_FORMATS(ADDRESS_OF_FORMAT) NULL};

static bool put_tuned(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)count;
    (void)err;
    struct json_object *root = tuned_json(&tables[0]);
    text_append(out, json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    text_append(out, "\n");
    json_object_put(root);
    return true;
}

const struct export_format format_tuned = {.name = "tuned",
    .summary = "the tuned table as JSON, of any result whose cases were timed in several shapes",
    .single = true,
    .also = KIND_TUNED,
    .put_tables = put_tuned};
