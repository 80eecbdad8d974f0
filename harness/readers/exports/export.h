// SPDX-License-Identifier: Apache-2.0
// Writes results in the formats of other programs.
#ifndef VKASSAY_RENDER_EXPORT_H
#define VKASSAY_RENDER_EXPORT_H

#include "../../base/text.h"
#include "../../shader/manifest/kernel.h"
#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct record;
struct result;

struct tuned; // ../tune/table.h

struct export_format {
    const char *name, *summary; // shown by --help
    bool single;                // a file holds only one result
    // Appends the whole file. A format sets one of these functions.
    bool (*put)(struct text *out, const struct result *results, size_t count, struct error *err);
    // For formats that name shaders. `kernels` holds the known kernels and may be NULL.
    bool (*put_shaders)(
        struct text *out, const struct result *results, size_t count, const struct kernels *kernels, struct error *err);
    // For the format that keeps all of a result's file.
    bool (*put_file)(struct text *out, const char *path, struct error *err);
    // For formats of tuned tables, which are read too.
    bool (*put_tables)(struct text *out, const struct tuned *tables, size_t count, struct error *err);
};

// All formats of results. Each is in its own export_NAME.c, with its summary.
#define RESULT_FORMATS(each) each(junit) each(csv) each(markdown) each(summary) each(annotations)

#define DECLARE_FORMAT(name) extern const struct export_format format_##name;
#define ADDRESS_OF_FORMAT(name) &format_##name,
RESULT_FORMATS(DECLARE_FORMAT)
extern const struct export_format format_json; // of a file, beside these

// Returns the named format. `formats` ends with NULL. Returns NULL with STATUS_USAGE and a list of formats if there
// is none.
const struct export_format *export_named(
    const struct export_format *const *formats, const char *name, struct error *err);

// Appends the results in a format. Fails with STATUS_USAGE if the format cannot hold that many.
bool export_put(struct text *out, const struct export_format *format, const struct result *results, size_t count,
    const struct kernels *kernels, struct error *err);

// Writes the same into a file, atomically.
bool export_write(const char *path, const struct export_format *format, const struct result *results, size_t count,
    struct error *err);

#endif
