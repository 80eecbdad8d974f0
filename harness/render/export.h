// SPDX-License-Identifier: Apache-2.0
// Results in the forms that other programs read.
#ifndef VKASSAY_RENDER_EXPORT_H
#define VKASSAY_RENDER_EXPORT_H

#include "../base/text.h"
#include "../record/result.h"

struct export_format {
    const char *name, *summary;
    bool single; // its files hold one result
    // Appends the whole file. What is out of memory shows in out->failed.
    bool (*put)(struct text *out, const struct result *results, size_t count, struct error *err);
    // Or, for forms with a file for each case: the file of these records, which differ in their shapes alone.
    bool (*put_case)(struct text *out, const struct record **records, size_t count, const struct result *result,
        struct error *err);
};
extern const struct export_format export_formats[]; // ends with a NULL name

// NULL with STATUS_USAGE, which names what there is: among the formats above, or in several tables.
const struct export_format *export_named(const char *name, struct error *err);
const struct export_format *export_among(const struct export_format *const *tables, size_t table_count, const char *name,
    struct error *err);

// Appends the results in a format; STATUS_USAGE where there are more than it holds.
bool export_put(struct text *out, const struct export_format *format, const struct result *results, size_t count,
    struct error *err);

// The same into a file, atomically.
bool export_write(const char *path, const struct export_format *format, const struct result *results, size_t count,
    struct error *err);

// A file for each case into a folder, which is made, for a format that has put_case.
bool export_cases(const char *folder, const struct export_format *format, const struct result *result, size_t *files,
    struct error *err);

// The formats, each in its own export_NAME.c.
bool export_junit(struct text *out, const struct result *results, size_t count, struct error *err);
bool export_csv(struct text *out, const struct result *results, size_t count, struct error *err);
bool export_markdown(struct text *out, const struct result *results, size_t count, struct error *err);
bool export_gbench(struct text *out, const struct result *results, size_t count, struct error *err);

#endif
