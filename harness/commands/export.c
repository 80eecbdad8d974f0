// SPDX-License-Identifier: Apache-2.0
#include "../tune/exports.h"

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

static bool write_cases(const struct options *options, const struct export_format *format, const struct result *results,
    struct error *err) {
    size_t files;
    if (!options->out || options->word_count != 1)
        return error_set(err, STATUS_USAGE,
            "format %s makes a file for each case of one result: --out names their folder", format->name);
    if (!export_cases(options->out, format, &results[0], &files, err)) return false;
    printf("%zu files are in %s\n", files, options->out);
    return true;
}

int command_export(struct arena *arena, const struct options *options, struct error *err) {
    if (!options->word_count || !options->format) {
        error_set(err, STATUS_USAGE, "export: expected results, and --format NAME");
        return -1;
    }
    static const struct export_format *const tables[] = {export_formats, tuned_formats};
    const struct export_format *format = export_among(tables, 2, options->format, err);
    struct result *results = format ? arena_alloc(arena, options->word_count, sizeof *results) : NULL;
    if (!results) return format ? error_set(err, STATUS_FAULT, "out of memory"), -1 : -1;
    size_t read = 0;
    while (read < options->word_count && result_read(options->words[read], &results[read], err)) read++;
    bool ok = read == options->word_count &&
              (format->put_case ? write_cases : write_out)(options, format, results, err);
    for (size_t i = 0; i < read; i++) result_free(&results[i]);
    return ok ? STATUS_OK : -1;
}
