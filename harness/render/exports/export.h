// SPDX-License-Identifier: Apache-2.0
// Results in the forms that other programs read.
#ifndef VKASSAY_RENDER_EXPORT_H
#define VKASSAY_RENDER_EXPORT_H

#include "../../base/kind.h"
#include "../../base/text.h"
#include "../../manifest/kernel.h"
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
    const char *name, *summary; // help is made of both
    bool single;                // its files hold one result
    enum file_kind also;        // what it can be made of beside results; KIND_UNKNOWN: nothing
    // Appends the whole file.
    bool (*put)(struct text *out, const struct result *results, size_t count, struct error *err);
    // Or, for forms that name shaders: `kernels` has those that are known here, and may be NULL.
    bool (*put_shaders)(
        struct text *out, const struct result *results, size_t count, const struct kernels *kernels, struct error *err);
    // Or, for forms of tuned tables:
    bool (*put_tables)(struct text *out, const struct tuned *tables, size_t count, struct error *err);
    // Or, for forms with files for each case: the first, and one with `second_ending` where there is a second.
    bool (*put_case)(struct text *out, const struct export_case *one, struct error *err);
    bool (*put_second)(struct text *out, const struct export_case *one, struct error *err);
    const char *second_ending;
};

// Every format of results; each is in its own export_NAME.c, with its summary.
#define RESULT_FORMATS(each)                                                                                           \
    each(junit) each(csv) each(markdown) each(summary) each(gbench) each(github_benchmark) each(bencher)               \
        each(openmetrics) each(trace) each(annotations) each(sql)

#define DECLARE_FORMAT(name) extern const struct export_format format_##name;
#define ADDRESS_OF_FORMAT(name) &format_##name,
RESULT_FORMATS(DECLARE_FORMAT)
extern const struct export_format *const result_formats[]; // ends with NULL

// NULL with STATUS_USAGE, which names what there is among `formats`, which end with NULL.
const struct export_format *export_named(
    const struct export_format *const *formats, const char *name, struct error *err);

// Appends the results in a format; STATUS_USAGE where there are more than it holds.
bool export_put(struct text *out, const struct export_format *format, const struct result *results, size_t count,
    const struct kernels *kernels, struct error *err);

// The same into a file, atomically.
bool export_write(const char *path, const struct export_format *format, const struct result *results, size_t count,
    struct error *err);

// The files of each case into a folder, which is made, for a format that has put_case.
bool export_cases(const char *folder, const struct export_format *format, const struct result *result,
    const struct kernels *kernels, size_t *files, struct error *err);

#endif
