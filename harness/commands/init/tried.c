// SPDX-License-Identifier: Apache-2.0
#include "tried.h"

#include "../../base/file.h"
#include "../../record/cases.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <math.h>
#include <string.h>

// Dispatches of a point with few samples, and its least time.
static const double dispatches = 20, least_s = 0.3;

struct json_object *tried_entry(const char *member, const char *name, const char *shapes, struct json_object *dims) {
    struct json_object *entry = json_object_new_object();
    json_put_string(entry, member, name);
    json_put_string(entry, "shapes", shapes);
    json_put(entry, "dims", dims);
    return entry;
}

const char *tried_resizing(struct arena *arena, const struct tried *tried, struct error *err) {
    const char *folder = arena_format(arena, "%s/sizes", tried->folder); // as deep as the other, for its paths
    struct json_object *whole = json_read(arena_format(arena, "%s/manifest.json", tried->kernels), err);
    if (!whole) return NULL;
    struct json_object *own = json_object_array_get_idx(json_get(whole, "kernels"), 0);
    json_put(own, "tune", json_object_new_boolean(true));
    const bool ok =
        file_make_folder(folder, err) && json_write(arena_format(arena, "%s/manifest.json", folder), whole, true, err);
    json_object_put(whole);
    return ok ? folder : NULL;
}

double tried_seconds(const struct record *record) {
    return fmax(record->time[FIGURE_COMPUTE].median * 1e-9 * dispatches, least_s);
}

const struct record *tried_largest(
    const struct tried *tried, const struct result *result, size_t points, double seconds) {
    const struct record *best = NULL;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (!tried_is_own(tried, record) || tried_seconds(record) * (double)points > seconds) continue;
        if (!best || record->flops + record->bytes >= best->flops + best->bytes) best = record;
    }
    return best;
}

bool tried_is_own(const struct tried *tried, const struct record *record) {
    return record_is_timed(record) && strcmp(record->kernel, tried->guess.kernel) == 0;
}

// Returns the dims in the record's name, and their length.
static const char *size_of(const struct record *record, size_t *length) {
    const char *size = strchr(strchr(record->name, '/') + 1, '/');
    *length = record->case_length - (size_t)(size - record->name);
    return size;
}

bool tried_same_size(const struct record *a, const struct record *b) {
    size_t a_length, b_length;
    const char *a_size = size_of(a, &a_length), *b_size = size_of(b, &b_length);
    return a_length == b_length && strncmp(a_size, b_size, a_length) == 0;
}
