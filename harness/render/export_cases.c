// SPDX-License-Identifier: Apache-2.0
// Files for each case of a result.
#include "../base/file.h"
#include "export.h"

#include <ctype.h>
#include <string.h>

static size_t case_length(const struct record *record) {
    const char *shape = strstr(record->name, "/wg=");
    return shape ? (size_t)(shape - record->name) : strlen(record->name);
}

static bool same_case(const struct record *a, const struct record *b) {
    return case_length(a) == case_length(b) && memcmp(a->name, b->name, case_length(a)) == 0;
}

// "softmax.cached_f32_rows-512_cols-1024": names of points are of unknown origin.
static char *case_file(struct arena *arena, const struct record *record) {
    char *name = arena_copy_n(arena, record->name, case_length(record));
    for (char *c = name; name && *c; c++)
        if (!isalnum((unsigned char)*c) && (*c != '.' || c == name)) *c = *c == '=' ? '-' : '_';
    return name;
}

static bool write_file(struct arena *arena, const char *folder, const char *file,
    bool (*put)(struct text *, const struct export_case *, struct error *), const struct export_case *one,
    struct error *err) {
    struct text text = {0};
    const char *path = arena_format(arena, "%s/%s", folder, file);
    bool ok = put(&text, one, err) &&
              ((path && !text.failed) || error_set(err, STATUS_FAULT, "out of memory for an export")) &&
              file_write(path, text_str(&text), text.length, err);
    text_free(&text);
    return ok;
}

static bool write_case(struct arena *arena, const char *folder, const struct export_format *format,
    struct export_case *one, size_t *files, struct error *err) {
    const char *name = case_file(arena, one->records[0]);
    one->file = arena_format(arena, "%s.json", name);
    if (!write_file(arena, folder, one->file, format->put_case, one, err)) return false;
    ++*files;
    if (!format->put_second) return true;
    if (!write_file(
            arena, folder, arena_format(arena, "%s%s", name, format->second_ending), format->put_second, one, err))
        return false;
    ++*files;
    return true;
}

bool export_cases(const char *folder, const struct export_format *format, const struct result *result,
    const struct kernels *kernels, size_t *files, struct error *err) {
    struct arena arena = {0};
    const struct record **records = arena_alloc(&arena, result->count + 1, sizeof *records);
    bool *taken = arena_alloc(&arena, result->count + 1, sizeof *taken);
    *files = 0;
    if (!records || !taken) {
        arena_free(&arena);
        return error_set(err, STATUS_FAULT, "out of memory");
    }
    bool ok = file_make_folder(folder, err);
    for (size_t i = 0; ok && i < result->count; i++) {
        struct export_case one = {.records = records, .result = result, .kernels = kernels};
        if (taken[i]) continue;
        for (size_t k = i; k < result->count; k++) {
            if (taken[k] || !same_case(&result->records[i], &result->records[k])) continue;
            taken[k] = true;
            records[one.count++] = &result->records[k];
        }
        ok = write_case(&arena, folder, format, &one, files, err);
    }
    arena_free(&arena);
    return ok;
}
