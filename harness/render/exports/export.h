// SPDX-License-Identifier: Apache-2.0
// Results in the forms that other programs read.
#ifndef VKASSAY_RENDER_EXPORT_H
#define VKASSAY_RENDER_EXPORT_H

#include "../../base/kind.h"
#include "../../base/text.h"
#include "../../plan/kernel.h"
#include "../../record/result.h"

struct tuned; // ../tune/table.h

// Records that differ in their shapes alone.
struct export_case {
    const struct record **records;
    size_t count;
    const struct result *result;
    const struct kernels *kernels; // their kernel need not be among them
    const char *file;              // of the first of the case's files, within their folder
};

struct export_format {
    const char *name, *summary;
    bool single;         // its files hold one result
    enum file_kind also; // what it can be made of beside results; KIND_UNKNOWN: nothing
    // Appends the whole file. What is out of memory shows in out->failed.
    bool (*put)(struct text *out, const struct result *results, size_t count, struct error *err);
    // Or, for forms of tuned tables:
    bool (*put_tables)(struct text *out, const struct tuned *tables, size_t count, struct error *err);
    // Or, for forms with files for each case: the first, and one with `second_ending` where there is a second.
    bool (*put_case)(struct text *out, const struct export_case *one, struct error *err);
    bool (*put_second)(struct text *out, const struct export_case *one, struct error *err);
    const char *second_ending;
};
extern const struct export_format export_formats[]; // ends with a NULL name

// NULL with STATUS_USAGE, which names what there is: among the formats above, or in several tables.
const struct export_format *export_named(const char *name, struct error *err);
const struct export_format *export_among(
    const struct export_format *const *tables, size_t table_count, const char *name, struct error *err);

// Appends the results in a format; STATUS_USAGE where there are more than it holds.
bool export_put(struct text *out, const struct export_format *format, const struct result *results, size_t count,
    struct error *err);

// The same into a file, atomically.
bool export_write(const char *path, const struct export_format *format, const struct result *results, size_t count,
    struct error *err);

// The files of each case into a folder, which is made, for a format that has put_case.
bool export_cases(const char *folder, const struct export_format *format, const struct result *result,
    const struct kernels *kernels, size_t *files, struct error *err);

// The formats, each in its own export_NAME.c.
bool export_junit(struct text *out, const struct result *results, size_t count, struct error *err);
bool export_csv(struct text *out, const struct result *results, size_t count, struct error *err);
bool export_markdown(struct text *out, const struct result *results, size_t count, struct error *err);
bool export_gbench(struct text *out, const struct result *results, size_t count, struct error *err);

#endif
