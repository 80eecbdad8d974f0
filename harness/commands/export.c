// SPDX-License-Identifier: Apache-2.0
#include "../render/export.h"

#include "../base/file.h"
#include "command.h"

#include <stdio.h>

// To the file of --out, or to standard output.
static bool write_out(const struct options *options, const struct export_format *format, const struct result *results,
    struct error *err) {
    struct text text = {0};
    if (options->out) return export_write(options->out, format, results, options->word_count, err);
    bool ok = export_put(&text, format, results, options->word_count, err);
    if (ok && fwrite(text_str(&text), 1, text.length, stdout) != text.length)
        ok = error_set(err, STATUS_FAULT, "the export could not be written");
    text_free(&text);
    return ok;
}

int command_export(struct arena *arena, const struct options *options, struct error *err) {
    if (!options->word_count || !options->format) {
        error_set(err, STATUS_USAGE, "export: expected results, and --format NAME");
        return -1;
    }
    const struct export_format *format = export_named(options->format, err);
    struct result *results = format ? arena_alloc(arena, options->word_count, sizeof *results) : NULL;
    if (!results) return format ? error_set(err, STATUS_FAULT, "out of memory"), -1 : -1;
    size_t read = 0;
    while (read < options->word_count && result_read(options->words[read], &results[read], err)) read++;
    bool ok = read == options->word_count && write_out(options, format, results, err);
    for (size_t i = 0; i < read; i++) result_free(&results[i]);
    return ok ? STATUS_OK : -1;
}
