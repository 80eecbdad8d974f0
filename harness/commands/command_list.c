// SPDX-License-Identifier: Apache-2.0
#include "../../reference/table.h"
#include "../base/file.h"
#include "../base/json.h"
#include "../base/text.h"
#include "../render/table/table.h"
#include "command.h"
#include "prepare.h"

#include <stdio.h>
#include <string.h>

static struct json_object *names_array(const char *const *names, int count) {
    struct json_object *array = json_object_new_array();
    for (int i = 0; i < count; i++) json_object_array_add(array, json_object_new_string(names[i]));
    return array;
}

static struct json_object *dtypes_array(const bool *dtypes) {
    const char *names[DTYPE_COUNT];
    int count = 0;
    for (int d = DTYPE_F32; d < DTYPE_COUNT; d++)
        if (dtypes[d]) names[count++] = dtype_info((enum dtype)d)->name;
    return names_array(names, count);
}

static void unite(const bool *from, bool *into) {
    for (int d = 0; d < DTYPE_COUNT; d++) into[d] |= from[d];
}

static struct json_object *operator_json(const struct op *op, const struct kernels *kernels) {
    struct json_object *object = json_object_new_object(), *used = json_object_new_array();
    bool dtypes[DTYPE_COUNT] = {0};
    for (size_t i = 0; i < kernels->count; i++) {
        if (kernels->items[i]->op != op) continue;
        json_object_array_add(used, json_object_new_string(kernels->items[i]->name));
        unite(kernels->items[i]->dtypes, dtypes);
    }
    json_put_string(object, "name", op->name);
    json_put_string(object, "family", op->family);
    json_put_string(object, "summary", op->summary);
    json_put_string(object, "formula", op->formula);
    json_put_string(object, "seeds", op->systems);
    json_put(object, "dims", names_array(op->dims, operator_dims(op)));
    json_put(object, "dtypes", dtypes_array(dtypes));
    json_put(object, "kernels", used);
    json_put_string(object, "source", op->source);
    json_put_string(object, "conventions", op->conventions);
    json_put_string(object, "bound", op->bound);
    return object;
}

static struct json_object *kernel_json(const struct kernel *kernel) {
    struct json_object *object = json_object_new_object(), *tunables = json_object_new_object();
    for (int i = 0; i < kernel->tunable_count; i++) {
        struct json_object *values = json_object_new_array();
        for (int v = 0; v < kernel->tunables[i].value_count; v++)
            json_object_array_add(values, json_object_new_int64(kernel->tunables[i].values[v]));
        json_put(tunables, kernel->tunables[i].name, values);
    }
    json_put_string(object, "name", kernel->name);
    json_put_string(object, "operator", kernel->op->name);
    json_put_string(object, "summary", kernel->summary);
    json_put(object, "dtypes", dtypes_array(kernel->dtypes));
    json_put(object, "tunables", tunables);
    json_put_string(object, "manifest", kernel->file);
    return object;
}

static struct json_object *list_operators(const struct prepared *prepared) {
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; operator_at(i); i++)
        json_object_array_add(list, operator_json(operator_at(i), &prepared->kernels));
    return list;
}

static struct json_object *list_kernels(const struct prepared *prepared) {
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < prepared->kernels.count; i++)
        json_object_array_add(list, kernel_json(prepared->kernels.items[i]));
    return list;
}

static struct json_object *list_suites(struct arena *arena, const struct prepared *prepared, struct error *err) {
    char **paths;
    size_t count;
    const char *folder = arena_format(arena, "%s/suites", prepared->home);
    if (!file_list(arena, folder, ".json", &paths, &count, err)) return NULL;
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        struct suite suite;
        if (!suite_load(arena, paths[i], &suite, err)) {
            json_object_put(list);
            return NULL;
        }
        struct json_object *object = json_object_new_object();
        json_put_string(object, "name", suite.name);
        json_put_string(object, "summary", suite.summary);
        json_object_array_add(list, object);
    }
    return list;
}

static struct json_object *list_points(
    struct arena *arena, const struct options *options, struct prepared *prepared, struct error *err) {
    struct suite suite;
    struct plan plan;
    if (!prepare_devices(arena, options, prepared, err) ||
        !prepare_suite(arena, prepared, options->suite ? options->suite : "quick", &suite, err) ||
        (!suite.entry_count &&
            !error_set(err, STATUS_BAD_INPUT, "suite %s names no kernel of %s", suite.name, options->only)) ||
        !plan_build(arena, &suite, &prepared->kernels, &prepared->devices[prepared->chosen[0]], options->words + 1,
            options->word_count - 1, &plan, err))
        return NULL;
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < plan.count; i++) {
        struct json_object *object = json_object_new_object();
        json_put_string(object, "name", plan.points[i].name);
        const struct refusal *refused = plan.points[i].refused;
        json_put_string(object, "refused", refused ? refusal_text(arena, refused) : NULL);
        json_object_array_add(list, object);
    }
    return list;
}

// The member of the object that the column is called by.
static void put_member(struct text *out, const void *row, struct cell *cell) {
    struct json_object *value = json_get(*(struct json_object *const *)row, cell->column->title);
    text_append(out, value ? json_object_get_string(value) : "-");
}

#define MEMBER(key)                                                                                                    \
    { key, .put = put_member }

static const struct listing {
    const char *name;
    struct column columns[4]; // those that fit a person's screen
} listings[] = {
    {"operators", {MEMBER("name"), MEMBER("family"), MEMBER("formula"), {0}}},
    {"kernels", {MEMBER("name"), MEMBER("summary"), {0}}},
    {"suites", {MEMBER("name"), MEMBER("summary"), {0}}},
    {"points", {MEMBER("name"), MEMBER("refused"), {0}}},
};

static void print_list(struct arena *arena, struct json_object *list, const struct listing *listing) {
    size_t count = json_object_array_length(list);
    struct json_object **rows = arena_alloc(arena, count, sizeof *rows);
    struct table table;
    for (size_t i = 0; i < count; i++) rows[i] = json_object_array_get_idx(list, i);
    table_make(&table, arena, listing->columns, 0, rows, sizeof(*rows), count);
    table_print_bare(&table, stdout);
}

bool command_list(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *what = options->word_count ? options->words[0] : "operators";
    const struct listing *listing = NULL;
    (void)status;
    for (size_t i = 0; i < sizeof listings / sizeof listings[0]; i++)
        if (strcmp(listings[i].name, what) == 0) listing = &listings[i];
    if (!listing)
        return error_set(err, STATUS_USAGE, "list: expected operators, kernels, suites or points, found '%s'", what);
    struct prepared prepared = {0};
    if (!prepare_kernels(arena, options, &prepared, err)) return false;
    struct json_object *list = *what == 'o'   ? list_operators(&prepared)
                               : *what == 'k' ? list_kernels(&prepared)
                               : *what == 's' ? list_suites(arena, &prepared, err)
                                              : list_points(arena, options, &prepared, err);
    if (!list) return false;
    if (options->json)
        puts(json_object_to_json_string_ext(list, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    else
        print_list(arena, list, listing);
    json_object_put(list);
    return true;
}
