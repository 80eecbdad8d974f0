// SPDX-License-Identifier: Apache-2.0
#include "tried.h"

#include "../../base/file.h"
#include "../../record/cases.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <math.h>
#include <string.h>

// Dispatches of a point with few samples, and its least time.
static const double dispatches = 20, least_s = 0.2;

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

const struct record *tried_largest(
    const struct tried *tried, const struct result *result, size_t points, double seconds) {
    const struct record *best = NULL;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const double each = fmax(record->time[FIGURE_COMPUTE].median * 1e-9 * dispatches, least_s);
        if (strcmp(record->kernel, tried->guess.kernel) != 0 || !record_is_timed(record) ||
            each * (double)points > seconds)
            continue;
        if (!best || record->flops + record->bytes >= best->flops + best->bytes) best = record;
    }
    return best;
}
