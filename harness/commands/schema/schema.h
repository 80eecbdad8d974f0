// SPDX-License-Identifier: Apache-2.0
// JSON Schemas (draft-07) of files, from the same tables of fields as their readers and writers.
#ifndef VKASSAY_SCHEMA_SCHEMA_H
#define VKASSAY_SCHEMA_SCHEMA_H

#include "../../base/fields.h"
#include "../../base/text.h"

// A file, as in reports/schema/NAME.schema.json.
struct schema_file {
    const char *name;  // "result"
    const char *title; // a line about the file
    const struct kind *kind;
};
extern const struct schema_file schema_files[]; // ends with a NULL name

// Makes the schema of a file. The caller releases it.
struct json_object *schema_make(const struct schema_file *file);
// Appends it as in reports/schema/.
void schema_text(struct text *out, const struct schema_file *file);

// Appends a JSON value in lines of at most 120 columns; a list or an object is on one line if it fits.
void schema_layout(struct text *out, struct json_object *value);

#endif
