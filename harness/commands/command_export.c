// SPDX-License-Identifier: Apache-2.0
#include "../base/kind.h"
#include "../base/file.h"
#include "../device/profile.h"
#include "../readers/exports/export.h"
#include "../tune/tuned_table.h"
#include "command.h"
#include "prepare.h"
#include "selftest/export_selftest.h"
#include "../record/record.h"
#include "../record/result.h"
#include "../record/peers.h"
#include "../device/device_info.h"

#include <stdio.h>
#include <string.h>

static bool put_tuned(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)count;
    (void)err;
    tuned_put(out, &tables[0]);
    return true;
}

// Formats of tuned tables.
static const struct export_format format_tuned = {.name = "tuned",
                                      .summary =
                                          "the tuned table as JSON, from any result with cases timed in several shapes",
                                      .single = true,
                                      .put_tables = put_tuned},
                                  format_header = {.name = "header",
                                      .summary = "the tuned tables as a C header, for vkassay_tuned.h",
                                      .put_tables = tuned_put_header},
                                  format_glsl = {.name = "glsl",
                                      .summary = "best shapes as GLSL specialization constants to paste",
                                      .put_tables = tuned_put_glsl},
                                  format_wgsl = {.name = "wgsl",
                                      .summary = "best shapes as WGSL overrides to paste",
                                      .put_tables = tuned_put_wgsl};
static const struct export_format *const every_format[] = {RESULT_FORMATS(ADDRESS_OF_FORMAT) & format_json,
    &format_tuned, &format_header, &format_glsl, &format_wgsl, &format_selftest, &format_selftest_json, NULL};

// The sources of an export: results, and tuned tables for formats made of them.
struct export_sources {
    struct result *results;
    struct tuned *tables;
    size_t count;
    struct prepared prepared; // kernels, for formats naming shaders
    struct profile profile;   // limits of shapes; nameless: none
};

// Reports best shapes of a table beyond a profile.
static void say_beyond(const struct tuned *table, const struct profile *profile) {
    struct text first = {0};
    size_t beyond = 0;
    for (size_t i = 0; i < table->count; i++) {
        struct needs needs = record_needs(table->items[i].best);
        struct excess excess;
        if (profile_fits(profile, &needs, &excess) || beyond++) continue;
        text_format(&first, "%s: ", table->items[i].best->name);
        excess_append(&first, &excess);
    }
    if (beyond)
        fprintf(stderr, "export: %zu of %zu shapes exceed the profile %s (%s); use --limits %s to choose others\n",
            beyond, table->count, profile->name, text_str(&first), profile->name);
    text_free(&first);
}

// Narrows a table read from a file. Its best shapes cannot be chosen again, because it lacks other measurements.
static void narrow_table(struct export_sources *from, const char *path) {
    size_t dropped = tuned_clamp(&from->tables[from->count], &from->profile);
    if (!*from->profile.name) return;
    device_clamp(from->results[from->count].device, &from->profile);
    if (dropped)
        fprintf(stderr,
            "export: %s: omitted %zu shapes that exceed the profile %s; export the table's source result to choose "
            "others\n",
            path, dropped, from->profile.name);
}

// Reads a tuned table, for a format of tables. False keeps the error of reading it as a result.
static bool read_table(struct arena *arena, const struct export_format *format, const char *path,
    struct export_sources *out, struct error *err) {
    if (!format->put_tables || kind_of_file(path) != KIND_TUNED) return false;
    if (!tuned_read(path, arena, &out->results[out->count], &out->tables[out->count], err)) return false;
    narrow_table(out, path);
    return true;
}

// Adds the folders that a run was given, where they still are, unless the user names one.
static struct options with_folders(const struct options *options, const struct export_sources *from) {
    struct options out = *options;
    for (size_t r = 0; r < from->count && !options->only && !options->kernels.count; r++) {
        struct json_object *argv = json_get(json_get(from->results[r].context, "run"), "argv");
        for (size_t i = 1; argv && i < json_object_array_length(argv); i++) {
            const char *word = json_object_get_string(json_object_array_get_idx(argv, i - 1));
            const char *folder = json_object_get_string(json_object_array_get_idx(argv, i));
            if (!word || !folder || !file_exists(folder)) continue;
            if (strcmp(word, "--only") == 0 && !out.only) out.only = folder;
            if (strcmp(word, "--kernels") == 0 && out.kernels.count < OPTION_LIST)
                out.kernels.items[out.kernels.count++] = folder;
        }
    }
    return out;
}

static bool read_one(struct arena *arena, const struct export_format *format, const char *path,
    struct export_sources *out, struct error *err) {
    if (!result_read(path, &out->results[out->count], err)) {
        if (!read_table(arena, format, path, out, err)) return false;
        out->count++;
        return true;
    }
    result_clamp(&out->results[out->count], &out->profile);
    out->count++;
    if (format->put_tables) tuned_make(&out->results[out->count - 1], arena, &out->tables[out->count - 1]);
    return true;
}

// Reports the share of entries from unfinished searches and of noise, because a faster shape may exist for them.
static void say_doubts(const struct export_sources *from) {
    size_t unfinished = 0, noisy = 0, count = 0;
    for (size_t i = 0; i < from->count; i++) {
        unfinished += tuned_unfinished(&from->tables[i]);
        noisy += tuned_noisy(&from->tables[i]);
        count += from->tables[i].count;
    }
    if (unfinished)
        fprintf(stderr, "export: %zu of %zu entries are from unfinished searches, and are marked\n", unfinished, count);
    if (noisy)
        fprintf(stderr, "export: %zu of %zu entries have times with intervals wider than +-20 %%\n", noisy, count);
}

static void print_part(void *user, const char *bytes, size_t length) {
    (void)user;
    fwrite(bytes, 1, length, stdout); // a write error is reported when the program ends
}

// Writes to the file of --out, or to standard output.
static bool write_out(const struct options *options, const struct export_format *format,
    const struct export_sources *from, struct error *err) {
    struct file_out *file = options->out ? file_begin(options->out, err) : NULL;
    if (options->out && !file) return false;
    struct text text = {.spill = file ? file_spill : print_part, .spill_user = file};
    bool ok;
    if (format->put_file)
        ok = format->put_file(&text, options->words[0], err);
    else if (!format->put_tables)
        ok = export_put(&text, format, from->results, from->count, &from->prepared.kernels, err);
    else if (format->single && from->count != 1)
        ok = error_set(err, STATUS_USAGE, "format %s expects one table, found %zu", format->name, from->count);
    else
        ok = format->put_tables(&text, from->tables, from->count, err);
    if (ok) text.spill(file, text_str(&text), text.length);
    text_free(&text);
    return file ? file_finish(file, ok, err) && ok : ok;
}

void export_formats(struct text *words) {
    for (const struct export_format *const *at = every_format; *at; at++)
        text_format(words, "%s%s", words->length ? " " : "", (*at)->name);
}

void help_formats(void) {
    for (const struct export_format *const *at = every_format; *at; at++) {
        const struct export_format *f = *at;
        struct text meaning = {0};
        text_format(
            &meaning, "%s%s%s", f->summary, f->single ? "; one result" : "", f->put_tables ? " (tuned.json too)" : "");
        help_row(f->name, 20, text_str(&meaning));
        text_free(&meaning);
    }
}

bool command_export(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    if (!options->word_count || !options->format)
        return error_set(err, STATUS_USAGE, "export: expected results, and --format NAME");
    const struct export_format *format = export_named(every_format, options->format, err);
    if (!format) return false;
    struct export_sources from = {.results = arena_alloc(arena, options->word_count, sizeof *from.results),
        .tables = arena_alloc(arena, options->word_count, sizeof *from.tables)};
    struct peers peers = {0};
    bool ok =
        prepare_profile(options, &from.profile, err) && (!options->peers || peers_read(options->peers, &peers, err));
    (void)status;
    if (ok && format->put_file && (options->word_count != 1 || *from.profile.name))
        ok =
            error_set(err, STATUS_USAGE, "format %s holds all of one result: name one, without --limits", format->name);
    while (ok && from.count < options->word_count) ok = read_one(arena, format, options->words[from.count], &from, err);
    for (size_t i = 0; options->peers && i < from.count; i++) from.results[i].peers = &peers;
    // Tables whose shapes do not run everywhere are reported, unless they were made within a profile.
    for (size_t i = 0; ok && format->put_tables && i < from.count; i++)
        for (int p = 0; p < PROFILES && !*from.results[i].device->profile.name; p++)
            say_beyond(&from.tables[i], &profiles[p].profile);
    if (ok && format->put_tables) say_doubts(&from);
    if (ok && format->put_shaders) {
        const struct options of_runs = with_folders(options, &from);
        ok = prepare_kernels(arena, &of_runs, &from.prepared, err);
    }
    ok = ok && write_out(options, format, &from, err);
    for (size_t i = 0; i < from.count; i++) result_free(&from.results[i]);
    peers_free(&peers);
    return ok;
}
