// SPDX-License-Identifier: Apache-2.0
#include "sizes.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"
#include "../../shader/manifest/shape.h"

#include <math.h>
#include <string.h>

enum { LARGEST_SIZE = 10000 };

// Sizes for operators without any in the suites. A kernel that is wrong at its edges may be right at a large one.
static const int64_t made_up[] = {999, 5, 77};

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

static void put_value(struct json_object *object, const char *name, double value) {
    struct json_object *values = json_object_new_array();
    json_object_array_add(values, json_object_new_double(value));
    json_put(object, name, values);
}

static struct json_object *dims_json(const struct suite_dims *dims) {
    struct json_object *object = json_object_new_object();
    for (size_t i = 0; i < dims->count; i++) {
        const struct suite_values *item = &dims->items[i];
        struct json_object *values = json_object_new_array();
        for (size_t v = 0; v < item->count; v++) json_object_array_add(values, json_object_new_double(item->values[v]));
        json_put(object, dims->items[i].name, values);
    }
    return object;
}

// Sets the given dims to the telling values, or to 1.
static void telling_dims(const struct op *op, const struct suite_dims *dims, int64_t *own) {
    for (int d = 0; d < operator_dims(op); d++) own[d] = 1;
    for (size_t i = 0; i < dims->count; i++) {
        const int at = operator_dim_index(op, dims->items[i].name);
        if (at >= 0) own[at] = (int64_t)telling(&dims->items[i]);
    }
}

// Builds one size: the telling values, rounded to the kernel's rules. Returns NULL if the rules take no such dims.
static struct json_object *few_json(const struct kernel *kernel, const struct suite_dims *dims) {
    const struct shape shape = kernel_default_shape(kernel, NULL);
    int64_t before[OPERATOR_DIMS * 2], own[OPERATOR_DIMS * 2];
    telling_dims(kernel->op, dims, before);
    memcpy(own, before, sizeof own);
    if (!rules_meet(kernel, &shape, RULES_UP, -1, own)) return NULL;
    struct json_object *object = json_object_new_object();
    for (size_t i = 0; i < dims->count; i++) put_value(object, dims->items[i].name, telling(&dims->items[i]));
    for (int d = 0; d < operator_dims(kernel->op); d++)
        if (own[d] != before[d]) put_value(object, kernel->op->dims[d], (double)own[d]);
    return object;
}

// Returns the elements and operations at the telling values; infinity if the operator refuses them.
static double work_of(const struct op *op, const struct suite_dims *dims) {
    int64_t own[OPERATOR_DIMS * 2];
    telling_dims(op, dims, own);
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

void sizes_add(const struct operator_sizes *sizes, const char *op, struct json_object *list) {
    for (int s = 0; s < SIZE_SUITES; s++)
        for (size_t e = 0; e < sizes->suites[s].entry_count; e++) {
            const struct suite_entry *entry = &sizes->suites[s].entries[e];
            for (size_t d = 0; is_of(entry, op, &sizes->kernels) && d < entry->dims_count; d++)
                json_object_array_add(list, dims_json(&entry->dims[d]));
        }
}

// Appends at most `most` sizes of at most this work, from the suites.
static void add_few(const struct operator_sizes *sizes, const struct kernel *kernel, size_t most, double work,
    struct json_object *list) {
    for (int s = 0; s < SIZE_SUITES; s++)
        for (size_t e = 0; e < sizes->suites[s].entry_count; e++) {
            const struct suite_entry *entry = &sizes->suites[s].entries[e];
            if (!is_of(entry, kernel->op->name, &sizes->kernels)) continue;
            for (size_t d = 0; d < entry->dims_count && json_object_array_length(list) < most; d++) {
                struct json_object *size =
                    is_small(kernel->op, &entry->dims[d], work) ? few_json(kernel, &entry->dims[d]) : NULL;
                if (size) json_object_array_add(list, size);
            }
        }
}

// Appends the largest equal dims up to `alike` of at most this work, if the operator and the kernel's rules take any.
static void make_up(const struct kernel *kernel, int64_t alike, double work, struct json_object *list) {
    const struct op *op = kernel->op;
    const struct shape shape = kernel_default_shape(kernel, NULL);
    for (; alike; alike = alike * 2 / 3) {
        int64_t own[OPERATOR_DIMS * 2];
        for (int d = 0; d < operator_dims(op); d++) own[d] = alike;
        if (!rules_meet(kernel, &shape, RULES_UP, -1, own) ||
            operator_elements(op, own) + operator_flops(op, own) > work)
            continue;
        struct json_object *object = json_object_new_object();
        for (int d = 0; d < operator_dims(op); d++) put_value(object, op->dims[d], (double)own[d]);
        json_object_array_add(list, object);
        return;
    }
}

void sizes_add_few(const struct operator_sizes *sizes, const struct kernel *kernel, size_t most, double work,
    struct json_object *list) {
    add_few(sizes, kernel, most, work, list);
    const bool from_suites = json_object_array_length(list) > 0;
    for (size_t i = 0; !from_suites && i < most && i < sizeof made_up / sizeof *made_up; i++)
        make_up(kernel, made_up[i], work, list);
    if (!json_object_array_length(list)) add_few(sizes, kernel, 1, INFINITY, list); // better than none
}

bool sizes_write(const char *path, const char *summary, bool plain, struct json_object *entries, struct error *err) {
    struct json_object *suite = json_object_new_object(), *settings = json_object_new_object();
    json_put_int(suite, "schema_version", 1);
    json_put_string(suite, "name", "try");
    json_put_string(suite, "summary", summary);
    json_put(suite, "settings", settings);
    json_put_double(settings, "point_seconds", 0.2);
    json_put_int(settings, "least_samples", 5);
    json_put_double(settings, "reference_seconds", 0.1);
    if (plain) json_put(settings, "plain_inputs", json_object_new_boolean(true));
    json_put(suite, "entries", entries);
    const bool ok = json_write(path, suite, true, err);
    json_object_put(suite);
    return ok;
}
