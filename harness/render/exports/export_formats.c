// SPDX-License-Identifier: Apache-2.0
// The table of export formats.
#include "export.h"

#include "../../base/file.h"

#include <string.h>

const struct export_format *const result_formats[] = {RESULT_FORMATS(ADDRESS_OF_FORMAT) NULL};

const struct export_format *export_named(
    const struct export_format *const *formats, const char *name, struct error *err) {
    const char *names[32];
    struct text list = {0};
    size_t count = 0;
    for (; formats[count] && count < sizeof names / sizeof *names; count++) {
        if (strcmp(formats[count]->name, name) == 0) {
            text_free(&list);
            return formats[count];
        }
        text_format(&list, "%s%s", count ? ", " : "", formats[count]->name);
        names[count] = formats[count]->name;
    }
    const char *near = text_nearest(name, names, count);
    if (near)
        error_set(err, STATUS_USAGE, "no format '%s'; did you mean '%s'?", name, near);
    else
        error_set(err, STATUS_USAGE, "no format '%s'; there are %s", name, text_str(&list));
    text_free(&list);
    return NULL;
}

bool export_put(struct text *out, const struct export_format *format, const struct result *results, size_t count,
    struct error *err) {
    if (format->single && count != 1)
        return error_set(err, STATUS_USAGE, "a file of format %s holds one result, not %zu", format->name, count);
    return format->put(out, results, count, err);
}

bool export_write(const char *path, const struct export_format *format, const struct result *results, size_t count,
    struct error *err) {
    struct file_out *file = file_begin(path, err);
    if (!file) return false;
    struct text text = {.spill = file_spill, .spill_user = file};
    bool ok = export_put(&text, format, results, count, err);
    file_put(file, text_str(&text), text.length);
    text_free(&text);
    return file_finish(file, ok, err) && ok;
}
