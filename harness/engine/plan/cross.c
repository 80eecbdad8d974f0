// SPDX-License-Identifier: Apache-2.0
#include "cross.h"

#include "../../base/text.h"
#include "../../shader/manifest/known_names.h"
#include "probes.h"
#include "problem.h"
#include "shapes.h"
#include "../../../reference/table.h"
#include "../../device/device_info.h"

#include <string.h>

static bool fail(const struct crossing *x, const char *where, const char *why) {
    return error_set(x->err, STATUS_BAD_INPUT, "%s: %s: %s", x->suite->file, where, why);
}

static const struct kernels *kernels_of(const struct crossing *x, const struct suite_entry *entry) {
    return entry->probe ? probes() : x->kernels;
}

// Compares first letters first: every entry asks this of every kernel, for each of its dims.
bool entry_takes(const struct suite_entry *entry, const struct kernel *kernel) {
    const char *wanted = entry->op ? entry->op : entry->kernel,
               *name = entry->op ? operator_name(kernel->op) : kernel->name;
    if (*wanted != *name && *wanted != '*' && *wanted != '?') return false;
    return entry->op ? strcmp(name, wanted) == 0 : text_glob(wanted, name);
}

bool entry_takes_dtype(const struct suite_entry *entry, const struct kernel *kernel, int dtype) {
    bool any = true;
    for (int i = 0; i < DTYPE_COUNT; i++) any &= !entry->dtypes[i];
    return kernel->dtypes[dtype] && (any || entry->dtypes[dtype]);
}

bool entry_for_device(const struct suite_entry *entry, const struct device_info *device) {
    if (!entry->only_kind || strcmp(entry->only_kind, "own") == 0) return true;
    return (strcmp(entry->only_kind, "cpu") == 0) == (device->kind == DEVICE_CPU);
}

bool entry_for_kernel(const struct suite_entry *entry, const struct kernel *kernel) {
    return kernel->given || !entry->only_kind || strcmp(entry->only_kind, "own") != 0;
}

bool entry_has_kernel(const struct suite_entry *entry, const struct kernels *kernels) {
    for (size_t i = 0; !entry->probe && i < kernels->count; i++)
        for (int d = 0; entry_takes(entry, kernels->items[i]) && d < DTYPE_COUNT; d++)
            if (entry_takes_dtype(entry, kernels->items[i], d)) return true;
    return false;
}

// Returns whether the entry names a kernel left out for a mistake. The mistake is reported where the manifest is read.
static bool names_flawed(const struct kernels *kernels, const struct suite_entry *entry) {
    for (size_t i = 0; !entry->probe && i < kernels->mistakes.flawed_count; i++) {
        const char *name = kernels->mistakes.flawed[i];
        const size_t op = strcspn(name, ".");
        if (entry->op ? strlen(entry->op) == op && memcmp(entry->op, name, op) == 0 : text_glob(entry->kernel, name))
            return true;
    }
    return false;
}

// Returns a hint if "kernel" names a probe; NULL: it does not.
static const char *other_subject(const struct crossing *x, const struct suite_entry *entry) {
    for (size_t i = 0; !entry->op && !entry->probe && i < probes()->count; i++)
        if (text_glob(entry->kernel, probes()->items[i]->name))
            return arena_format(x->arena, "; %s is a probe: name it under \"probe\"", probes()->items[i]->name);
    return NULL;
}

// Checks the entry: it must name a kernel, and one of its kernels must have a dtype of the entry.
static bool check_entry(const struct crossing *x, const struct suite_entry *entry) {
    struct known_names names = {0};
    size_t kernels = 0, served = 0;
    const struct kernels *all = kernels_of(x, entry);
    const char *wanted = entry->op ? entry->op : entry->kernel;
    for (size_t i = 0; i < all->count; i++) {
        const struct kernel *kernel = all->items[i];
        if (!entry->op || i == 0 || kernel->op != all->items[i - 1]->op)
            names_add(&names, entry->op ? operator_name(kernel->op) : kernel->name);
        if (!entry_takes(entry, kernel)) continue;
        kernels++;
        for (int d = 0; d < DTYPE_COUNT; d++) served += entry_takes_dtype(entry, kernel, d);
    }
    if (kernels && served) return true;
    if (kernels)
        return fail(x, arena_format(x->arena, "%s.dtypes", entry->where),
            arena_format(x->arena, "no kernel that \"%s\" matches has one of these dtypes", wanted));
    if (names_flawed(x->kernels, entry)) return true;
    const char *kind = entry->probe ? "probe matches" : entry->op ? "kernel is of an operator" : "kernel matches";
    const char *other = other_subject(x, entry);
    return fail(x, entry->subject,
        arena_format(x->arena, "no %s \"%s\"%s", kind, wanted, other ? other : names_hint(x->arena, &names, wanted)));
}

static bool listed_shapes(
    const struct crossing *x, const struct suite_entry *entry, const struct kernel *kernel, struct shape **out) {
    *out = arena_alloc(x->arena, entry->explicit_count, sizeof **out);
    for (size_t i = 0; i < entry->explicit_count; i++) {
        const struct shape_text *text = &entry->explicit_shapes[i];
        (*out)[i] = kernel_default_shape(kernel, x->device);
        for (int t = 0; t < text->count; t++) {
            const char *why = shape_set(x->arena, kernel, &(*out)[i], text->items[t].name, text->items[t].value);
            if (why) return fail(x, text->where, why);
        }
    }
    return true;
}

static bool append(struct crossing *x, struct point point, const char *where) {
    if (x->count == PLAN_POINTS)
        return fail(x, where,
            arena_format(x->arena,
                "the plan exceeds %d points; name kernels, give fewer sizes or shapes, or split the suite",
                PLAN_POINTS));
    point_name(x->arena, &point);
    x->items = arena_grow(x->arena, x->items, x->count, &x->capacity, sizeof *x->items);
    x->items[x->count++] = point;
    return true;
}

bool cross_add(struct crossing *x, struct point point) {
    const struct trial trial = trial_of(&point, x->device, x->suite->settings.memory_share, x->arena);
    point.refused = trial_both(&trial, &point.shape);
    point_of_device(&point, x->device);
    point.systems = shape_systems(x->arena, point.kernel, &point.shape);
    return append(x, point, "samples");
}

// Appends every shape of one case. `point` has the kernel, dtype, dims and parameters.
static bool cross_case(struct crossing *x, const struct suite_entry *entry, struct point point) {
    const struct kernel *kernel = point.kernel;
    struct shape *listed = NULL;
    point.peak = entry->peak;
    if (entry->shapes == SHAPES_LISTED && !listed_shapes(x, entry, kernel, &listed)) return false;
    struct shape_request request = {.choice = entry->shapes,
        .some = x->suite->settings.some_shapes,
        .listed = listed,
        .listed_count = entry->explicit_count,
        .trial = trial_of(&point, x->device, x->suite->settings.memory_share, x->arena)};
    if (!entry_for_device(entry, x->device) || !entry_for_kernel(entry, kernel)) return true;
    size_t count;
    struct shape_found *shapes = shapes_of_case(&request, &count);
    for (size_t i = 0; i < count; i++) {
        point.shape = shapes[i].shape;
        point.refused = shapes[i].refused;
        point_of_device(&point, x->device);
        point.systems = shape_systems(x->arena, kernel, &point.shape);
        if (!append(x, point, entry->where)) return false;
    }
    return true;
}

// Returns the end of the kernels [first, end) of one operator. Names begin with the operator, so sorting by name has
// put them together.
static size_t operator_end(const struct kernels *kernels, size_t first) {
    size_t end = first;
    while (end < kernels->count && kernels->items[end]->op == kernels->items[first]->op) end++;
    return end;
}

// Sets the dims. Returns NULL, or the operator's reason for refusing them; *where then receives the JSON path.
static const char *set_problem(
    struct crossing *x, const struct suite_dims *dims, const size_t *digit, struct point *point, const char **where) {
    struct problem_setter setter = problem_setter(x->arena, point);
    for (size_t i = 0; i < dims->count; i++) {
        const struct suite_values *values = &dims->items[i];
        const char *why = problem_set(&setter, values->name, values->values[digit[i]]);
        if (!why) continue;
        *where = arena_format(x->arena, "%s.%s", dims->where, values->name);
        return why;
    }
    *where = dims->where;
    return problem_derive(&setter);
}

void cross_select(struct crossing *x, const char *const *select, size_t count) {
    for (size_t g = 0; g < count; g++) {
        bool any = false;
        for (size_t i = 0; !any && i < x->kernels->count; i++) any = select_may_match(select[g], x->kernels->items[i]);
        if (!any) return;
    }
    x->select = select;
    x->select_count = count;
}

bool cross_may_select(const struct crossing *x, const struct kernel *kernel) {
    bool may = x->select_count == 0;
    for (size_t i = 0; !may && i < x->select_count; i++) may = select_may_match(x->select[i], kernel);
    return may;
}

static bool cross_operator(struct crossing *x, const struct suite_entry *entry, const struct suite_dims *dims,
    const size_t *digit, size_t first, size_t end) {
    struct point point = {0};
    const struct kernels *all = kernels_of(x, entry);
    for (size_t i = first; i < end && !point.kernel; i++)
        if (entry_takes(entry, all->items[i])) point.kernel = all->items[i];
    if (!point.kernel) return true;
    const char *where, *why = set_problem(x, dims, digit, &point, &where);
    if (why && x->suite->sizes && !entry->peak) {
        x->refused = why;
        return true;
    }
    if (why) return fail(x, where, why);
    for (int dtype = 0; dtype < DTYPE_COUNT; dtype++)
        for (size_t i = first; i < end; i++) {
            point.kernel = all->items[i];
            point.dtype = (enum dtype)dtype;
            if (!entry_takes(entry, point.kernel) || !entry_takes_dtype(entry, point.kernel, dtype)) continue;
            if (!entry->peak && !cross_may_select(x, point.kernel)) continue;
            if (!cross_case(x, entry, point)) return false;
        }
    return true;
}

// Moves to the next combination of an object's values, the last name fastest. Returns false after the last.
static bool next_dims(const struct suite_dims *dims, size_t *digit) {
    for (size_t i = dims->count; i-- > 0;) {
        digit[i] = digit[i] + 1 < dims->items[i].count ? digit[i] + 1 : 0;
        if (digit[i]) return true;
    }
    return false;
}

static bool cross_dims(struct crossing *x, const struct suite_entry *entry, const struct suite_dims *dims) {
    size_t *digit = arena_alloc(x->arena, dims->count + 1, sizeof *digit), combinations = 1;
    const struct kernels *all = kernels_of(x, entry);
    for (size_t i = 0; i < dims->count; i++)
        if (__builtin_mul_overflow(combinations, dims->items[i].count, &combinations) || combinations > PLAN_POINTS)
            return fail(x, dims->where,
                arena_format(x->arena, "crossing these values gives more than %d combinations", PLAN_POINTS));
    do {
        for (size_t first = 0; first < all->count; first = operator_end(all, first))
            if (!cross_operator(x, entry, dims, digit, first, operator_end(all, first))) return false;
    } while (next_dims(dims, digit));
    return true;
}

bool cross_entry(struct crossing *x, const struct suite_entry *entry) {
    if (!check_entry(x, entry)) return false;
    for (size_t i = 0; i < entry->dims_count; i++)
        if (!cross_dims(x, entry, &entry->dims[i])) return false;
    return true;
}
