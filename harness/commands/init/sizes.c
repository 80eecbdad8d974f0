// SPDX-License-Identifier: Apache-2.0
#include "sizes.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"

#include <math.h>
#include <string.h>

enum { LARGEST_SIZE = 10000 };

// Elements and operations of a trial. A software driver computes a matrix product of 128 x 128 x 128 in less than a
// second, and one of 16 x 4096 x 4096 in twenty.
static const double most_work = 1 << 24;

// Small and odd sizes first.
static const char *const size_suites[SIZE_SUITES] = {"smoke", "quick"};

bool sizes_load(struct arena *arena, const char *home, struct operator_sizes *out, struct error *err) {
    const char *const folder = arena_format(arena, "%s/kernels", home);
    *out = (struct operator_sizes){.arena = arena};
    if (!kernels_load(arena, &folder, 1, &out->kernels, err)) return false;
    for (int s = 0; s < SIZE_SUITES; s++)
        if (!suite_load(arena, arena_format(arena, "%s/suites/%s.json", home, size_suites[s]), &out->suites[s], err))
            return false;
    return true;
}

// Returns whether the entry is for the operator, by its name or by the name of one of its kernels.
static bool is_of(const struct suite_entry *entry, const char *op, const struct kernels *kernels) {
    if (entry->probe || entry->peak) return false;
    if (entry->op) return strcmp(entry->op, op) == 0;
    for (size_t k = 0; entry->kernel && k < kernels->count; k++)
        if (strcmp(kernels->items[k]->op->name, op) == 0 && select_matches(entry->kernel, kernels->items[k]->name))
            return true;
    return false;
}

// Returns the largest value that is not long to run; the first value if all are.
static double telling(const struct suite_values *item) {
    double best = item->values[0];
    for (size_t v = 0; v < item->count; v++)
        if (item->values[v] <= LARGEST_SIZE && (item->values[v] > best || best > LARGEST_SIZE)) best = item->values[v];
    return best;
}

static struct json_object *dims_json(const struct suite_dims *dims, bool few) {
    struct json_object *object = json_object_new_object();
    for (size_t i = 0; i < dims->count; i++) {
        const struct suite_values *item = &dims->items[i];
        struct json_object *values = json_object_new_array();
        if (few) json_object_array_add(values, json_object_new_double(telling(item)));
        for (size_t v = 0; !few && v < item->count; v++)
            json_object_array_add(values, json_object_new_double(item->values[v]));
        json_put(object, dims->items[i].name, values);
    }
    return object;
}

// Returns the elements and operations at the telling values; infinity if the operator refuses them.
static double work_of(const struct op *op, const struct suite_dims *dims) {
    int64_t own[OPERATOR_DIMS];
    for (int d = 0; d < OPERATOR_DIMS; d++) own[d] = 1;
    for (size_t i = 0; i < dims->count; i++) {
        const int at = operator_dim_index(op, dims->items[i].name);
        if (at >= 0) own[at] = (int64_t)telling(&dims->items[i]);
    }
    if (operator_derive(op, own)) return INFINITY;
    return operator_elements(op, own) + operator_flops(op, own);
}

// Returns whether the sizes are neither all 1, where almost any shader is right, nor long to run.
static bool is_small(const struct op *op, const struct suite_dims *dims, double most) {
    double largest = 1;
    for (size_t i = 0; i < dims->count; i++)
        if (telling(&dims->items[i]) > largest) largest = telling(&dims->items[i]);
    return largest > 1 && largest <= LARGEST_SIZE && (!op || work_of(op, dims) <= most);
}

// Chooses the sizes of an operator: all, or a few small ones.
struct size_choice {
    bool few;
    size_t most;
    double work; // of each of the few
};

static void add(
    const struct operator_sizes *sizes, const char *op, const struct size_choice *choice, struct json_object *list) {
    const struct op *found = operator_named(op);
    for (int s = 0; s < SIZE_SUITES; s++)
        for (size_t e = 0; e < sizes->suites[s].entry_count; e++) {
            const struct suite_entry *entry = &sizes->suites[s].entries[e];
            if (!is_of(entry, op, &sizes->kernels)) continue;
            for (size_t d = 0; d < entry->dims_count && json_object_array_length(list) < choice->most; d++)
                if (!choice->few || is_small(found, &entry->dims[d], choice->work))
                    json_object_array_add(list, dims_json(&entry->dims[d], choice->few));
        }
}

void sizes_add(const struct operator_sizes *sizes, const char *op, struct json_object *list) {
    add(sizes, op, &(struct size_choice){.most = SIZE_MAX}, list);
}

void sizes_add_few(const struct operator_sizes *sizes, const char *op, size_t most, struct json_object *list) {
    add(sizes, op, &(struct size_choice){.few = true, .most = most, .work = most_work}, list);
    if (!json_object_array_length(list)) // a large one is better than none
        add(sizes, op, &(struct size_choice){.few = true, .most = 1, .work = INFINITY}, list);
}

bool sizes_write(const char *path, const char *summary, struct json_object *entries, struct error *err) {
    struct json_object *suite = json_object_new_object(), *settings = json_object_new_object();
    json_put_int(suite, "schema_version", 1);
    json_put_string(suite, "name", "try");
    json_put_string(suite, "summary", summary);
    json_put(suite, "settings", settings);
    json_put_double(settings, "point_seconds", 0.2);
    json_put_int(settings, "least_samples", 5);
    json_put_double(settings, "reference_seconds", 0.1);
    json_put(suite, "entries", entries);
    const bool ok = json_write(path, suite, true, err);
    json_object_put(suite);
    return ok;
}
