// SPDX-License-Identifier: Apache-2.0
// A result file while it is written, record by record. Private to harness/record.
#ifndef VKASSAY_RECORD_WRITER_H
#define VKASSAY_RECORD_WRITER_H

#include "../base/file.h"
#include "../base/json_list.h"

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
