// SPDX-License-Identifier: Apache-2.0

#include "suite.h"

#include "../base/text.h"
#include "known_names.h"

#include <string.h>

enum { NEAR_SHOWN = 3 };

// Whether the glob matches the name or one of its leading parts; `name` is cut at each '/' in turn
// and put together again.
static bool glob_matches(const char *glob, char *name) {
    for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool match = text_glob(glob, name);
        *slash = '/';
        if (match) return true;
    }
    return text_glob(glob, name);
}

bool select_matches(const char *glob, const char *name) {
    struct text copy = {0};
    text_append(&copy, name);
    bool match = copy.data && glob_matches(glob, copy.data);
    text_free(&copy);
    return match;
}

static const char *kernel_hint(struct arena *arena, const struct plan *plan, const char *glob) {
    struct known_names names = {0};
    for (size_t i = 0; i < plan->count; i++)
        if (!names_have(&names, plan->points[i].kernel->name)) names_add(&names, plan->points[i].kernel->name);
    return names_hint(arena, &names, arena_copy_n(arena, glob, strcspn(glob, "/")));
}

// The points of a kernel whose names differ least from what was asked for.
static const char *point_hint(struct arena *arena, const struct plan *plan, const char *glob, const char *kernel) {
    bool *shown = arena_alloc(arena, plan->count, sizeof *shown);
    struct text text = {0};
    for (int i = 0; i < NEAR_SHOWN; i++) {
        size_t near = plan->count, least = SIZE_MAX;
        for (size_t p = 0; p < plan->count; p++) {
            if (shown[p] || !text_glob(kernel, plan->points[p].kernel->name)) continue;
            size_t distance = text_distance(glob, plan->points[p].name);
            if (near < plan->count && distance >= least) continue;
            near = p;
            least = distance;
        }
        if (near == plan->count) break;
        shown[near] = true;
        text_format(&text, "%s%s", i ? ", " : "; near it: ", plan->points[near].name);
    }
    return arena_take(arena, &text);
}

static bool nothing_matches(struct arena *arena, const struct plan *plan, const char *glob, struct error *err) {
    const char *kernel = arena_copy_n(arena, glob, strcspn(glob, "/"));
    bool known = false;
    for (size_t i = 0; strchr(glob, '/') && i < plan->count; i++)
        known |= text_glob(kernel, plan->points[i].kernel->name);
    return error_set(err, STATUS_USAGE, "no point of the suite matches \"%s\"%s", glob,
        known ? point_hint(arena, plan, glob, kernel) : kernel_hint(arena, plan, glob));
}

static void keep_points(struct plan *plan, const bool *keep) {
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (keep[i]) plan->points[kept++] = plan->points[i];
    }
    plan->count = kept;
}

bool select_points(struct arena *arena, struct plan *plan, const char *const *globs, size_t count, struct error *err) {
    if (!count) return true;
    bool *keep = arena_alloc(arena, plan->count + 1, sizeof *keep);
    bool *used = arena_alloc(arena, count + 1, sizeof *used);
    struct text name = {0};
    for (size_t i = 0; i < plan->count; i++) {
        keep[i] = plan->points[i].peak != NULL;
        name.length = 0;
        text_append(&name, plan->points[i].name);
        for (size_t g = 0; g < count; g++) {
            if (!glob_matches(globs[g], name.data)) continue;
            keep[i] = true;
            used[g] = true;
        }
    }
    text_free(&name);
    for (size_t g = 0; g < count; g++)
        if (!used[g]) return nothing_matches(arena, plan, globs[g], err);
    keep_points(plan, keep);
    return true;
}
