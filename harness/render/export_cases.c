// SPDX-License-Identifier: Apache-2.0
// A file for each case of a result.
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

// "FOLDER/softmax.cached_f32_rows-512_cols-1024.json": names of points are of unknown origin.
static char *case_path(struct arena *arena, const char *folder, const struct record *record) {
    char *name = arena_copy_n(arena, record->name, case_length(record));
    for (char *c = name; name && *c; c++)
        if (!isalnum((unsigned char)*c) && (*c != '.' || c == name)) *c = *c == '=' ? '-' : '_';
    return name ? arena_format(arena, "%s/%s.json", folder, name) : NULL;
}

bool export_cases(const char *folder, const struct export_format *format, const struct result *result, size_t *files,
    struct error *err) {
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
        struct text text = {0};
        size_t count = 0;
        if (taken[i]) continue;
        for (size_t k = i; k < result->count; k++) {
            if (taken[k] || !same_case(&result->records[i], &result->records[k])) continue;
            taken[k] = true;
            records[count++] = &result->records[k];
        }
        const char *path = case_path(&arena, folder, records[0]);
        ok = format->put_case(&text, records, count, result, err) &&
             ((path && !text.failed) || error_set(err, STATUS_FAULT, "out of memory for an export")) &&
             file_write(path, text_str(&text), text.length, err);
        text_free(&text);
        *files += ok;
    }
    arena_free(&arena);
    return ok;
}
