// SPDX-License-Identifier: Apache-2.0
// The table of export formats.
#include "export.h"

#include "../../base/file.h"

#include <string.h>

const struct export_format export_formats[] = {
    {"junit", "JUnit XML: a test case for each point, for CI servers", .put = export_junit},
    {"csv", "RFC 4180: a line for each point, a column for each figure (reports/README.md)", .put = export_csv},
    {"markdown", "tables for people", .put = export_markdown},
    {"gbench", "google-benchmark JSON, which its compare.py reads; points that were timed", .single = true,
        .put = export_gbench},
    {0},
};

const struct export_format *export_among(
    const struct export_format *const *tables, size_t table_count, const char *name, struct error *err) {
    const char *names[32];
    struct text list = {0};
    size_t count = 0;
    for (size_t t = 0; t < table_count; t++)
        for (const struct export_format *f = tables[t]; f->name; f++) {
            if (strcmp(f->name, name) == 0) {
                text_free(&list);
                return f;
            }
            text_format(&list, "%s%s", count ? ", " : "", f->name);
            if (count < sizeof names / sizeof *names) names[count++] = f->name;
        }
    const char *near = text_nearest(name, names, count);
    if (near)
        error_set(err, STATUS_USAGE, "no format '%s'; did you mean '%s'?", name, near);
    else
        error_set(err, STATUS_USAGE, "no format '%s'; there are %s", name, text_str(&list));
    text_free(&list);
    return NULL;
}

const struct export_format *export_named(const char *name, struct error *err) {
    return export_among((const struct export_format *const[]){export_formats}, 1, name, err);
}

bool export_put(struct text *out, const struct export_format *format, const struct result *results, size_t count,
    struct error *err) {
    if (format->single && count != 1)
        return error_set(err, STATUS_USAGE, "a file of format %s holds one result, not %zu", format->name, count);
    if (!format->put(out, results, count, err)) return false;
    return !out->failed || error_set(err, STATUS_FAULT, "out of memory for an export");
}

bool export_write(const char *path, const struct export_format *format, const struct result *results, size_t count,
    struct error *err) {
    struct text text = {0};
    bool ok = export_put(&text, format, results, count, err) && file_write(path, text_str(&text), text.length, err);
    text_free(&text);
    return ok;
}
