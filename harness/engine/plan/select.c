// SPDX-License-Identifier: Apache-2.0

#include "suite.h"

#include "../../../reference/table.h"
#include "../../base/text.h"
#include "../../shader/manifest/known_names.h"
#include "../../../reference/operator.h"

#include <string.h>

enum { NEAR_SHOWN = 3 };

bool select_asks(const char *const *globs, size_t count, const char *name, const char *peak) {
    bool asked = !peak;
    for (size_t g = 0; g < count && !asked; g++) asked = select_matches(globs[g], name);
    return asked;
}

// Compares the literal beginning of the glob with the names. Without wildcards before the first '/', the first part
// must be equal.
bool select_may_match(const char *glob, const struct kernel *kernel) {
    const size_t literal = strcspn(glob, "*?[/");
    const bool whole = !glob[literal] || glob[literal] == '/';
    const char *names[] = {kernel->name, kernel->op->name, kernel->op->family};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && strncmp(names[i], glob, literal) == 0 && (!whole || !names[i][literal])) return true;
    return false;
}

static void add_new(struct known_names *names, const char *name) {
    if (!names_have(names, name)) names_add(names, name);
}

// Suggests kernels and operators. The user's own kernels come first, because a misspelt name is probably one of them.
static const char *kernel_hint(
    struct arena *arena, const struct plan *plan, const struct kernels *kernels, const char *glob) {
    struct known_names names = {0};
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < plan->count; i++)
            if (!plan->points[i].kernel->given == !own) add_new(&names, plan->points[i].kernel->name);
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->points[i].kernel->probe) add_new(&names, plan->points[i].kernel->op->name);
    for (size_t i = 0; i < kernels->count; i++) add_new(&names, kernels->items[i]->op->name);
    return names_hint(arena, &names, arena_copy_n(arena, glob, strcspn(glob, "/")));
}

// Suggests the points of a kernel with the names nearest to the request.
static const char *point_hint(struct arena *arena, const struct plan *plan, const char *glob, const char *kernel) {
    bool *shown = arena_alloc(arena, plan->count, sizeof *shown);
    struct text text = {0};
    for (int i = 0; i < NEAR_SHOWN; i++) {
        size_t near = plan->count, least = SIZE_MAX;
        for (size_t p = 0; p < plan->count; p++) {
            if (shown[p] || !select_matches(kernel, plan->points[p].kernel->name)) continue;
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

// Explains a request for existing kernels without a point in the plan.
static const char *absent_hint(struct arena *arena, const struct kernels *kernels, const char *kernel) {
    struct known_names names = {0};
    for (size_t i = 0; i < kernels->count; i++)
        if (select_matches(kernel, kernels->items[i]->name)) names_add(&names, kernels->items[i]->name);
    if (!names.count) return NULL;
    return arena_format(arena, "; no size of %s is in it: name a suite that has one by --suite, or a whole point",
        names_joined(arena, &names));
}

// Explains a request for a kernel left out for a mistake. The mistake is reported where the manifest is read.
static const char *flawed_hint(struct arena *arena, const struct kernels *kernels, const char *kernel) {
    for (size_t i = 0; i < kernels->mistakes.flawed_count; i++)
        if (select_matches(kernel, kernels->mistakes.flawed[i]))
            return arena_format(arena, "; %s has an error and is ignored", kernels->mistakes.flawed[i]);
    return NULL;
}

static bool nothing_matches(
    struct arena *arena, const struct plan *plan, const struct kernels *kernels, const char *glob, struct error *err) {
    const char *kernel = arena_copy_n(arena, glob, strcspn(glob, "/"));
    const char *hint = NULL;
    for (size_t i = 0; !hint && i < plan->count; i++)
        if (select_matches(kernel, plan->points[i].kernel->name)) hint = point_hint(arena, plan, glob, kernel);
    if (!hint) hint = absent_hint(arena, kernels, kernel);
    if (!hint) hint = flawed_hint(arena, kernels, kernel);
    return error_set(err, STATUS_USAGE, "no point of the suite matches \"%s\"%s", glob,
        hint ? hint : kernel_hint(arena, plan, kernels, glob));
}

static void keep_points(struct plan *plan, const bool *keep) {
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (keep[i]) plan->points[kept++] = plan->points[i];
    }
    plan->count = kept;
}

bool select_points(struct arena *arena, struct plan *plan, const struct kernels *kernels, const char *const *globs,
    size_t count, struct error *err) {
    if (!count) return true;
    bool *keep = arena_alloc(arena, plan->count + 1, sizeof *keep);
    bool *used = arena_alloc(arena, count + 1, sizeof *used);
    for (size_t i = 0; i < plan->count; i++) {
        keep[i] = plan->points[i].peak != NULL;
        for (size_t g = 0; g < count; g++) {
            if (!select_matches(globs[g], plan->points[i].name)) continue;
            keep[i] = true;
            used[g] = true;
        }
    }
    for (size_t g = 0; g < count; g++)
        if (!used[g]) return nothing_matches(arena, plan, kernels, globs[g], err);
    keep_points(plan, keep);
    return true;
}
