// SPDX-License-Identifier: Apache-2.0
#include "../../reference/table.h"
#include "../base/file.h"
#include "../base/json.h"
#include "../base/text.h"
#include "../shader/manifest/known_names.h"
#include "../readers/table/table.h"
#include "schema/schema.h"
#include "command.h"
#include "listing/list_bounds.h"
#include "listing/list_coverage.h"
#include "listing/list_sources.h"
#include "listing/operator_listing.h"
#include "prepare.h"
#include "../device/device_info.h"
#include "../../reference/operator.h"

#include <stdio.h>
#include <string.h>

// Returns whether a pattern behind the first word matches; without patterns every name matches.
static bool is_wanted(const struct options *options, const char *name, bool *used) {
    bool wanted = options->word_count < 2;
    for (size_t i = 1; i < options->word_count; i++) {
        if (!select_matches(options->words[i], name)) continue;
        wanted = used[i] = true;
    }
    return wanted;
}

static struct json_object *kernel_json(const struct kernel *kernel) {
    struct json_object *object = json_object_new_object(), *tunables = json_object_new_object(),
                       *dtypes = json_object_new_array();
    for (int d = DTYPE_F32; d < DTYPE_COUNT; d++)
        if (kernel->dtypes[d]) json_object_array_add(dtypes, json_object_new_string(dtype_info((enum dtype)d)->name));
    for (int i = 0; i < kernel->tunable_count; i++) {
        struct json_object *values = json_object_new_array();
        for (int v = 0; v < kernel->tunables[i].value_count; v++)
            json_object_array_add(values, json_object_new_int64(kernel->tunables[i].values[v]));
        json_put(tunables, kernel->tunables[i].name, values);
    }
    json_put_string(object, "name", kernel->name);
    json_put_string(object, "operator", kernel->op->name);
    json_put_string(object, "summary", kernel->summary);
    if (kernel->untried) json_put(object, "untried", json_object_new_boolean(true));
    json_put(object, "dtypes", dtypes);
    json_put(object, "tunables", tunables);
    json_put_string(object, "manifest", kernel->file);
    return object;
}

static struct json_object *operator_json(struct arena *arena, const struct op *op, const struct kernels *kernels) {
    struct listed_operator listed;
    operator_listing(arena, op, kernels, &listed);
    return listed_operator_put(&listed);
}

static bool nothing_is_called(
    struct arena *arena, const char *word, bool kernels, const struct prepared *prepared, struct error *err) {
    struct known_names names = {0};
    for (size_t i = 0; kernels && i < prepared->kernels.count; i++)
        if (prepared->kernels.items[i]->given) names_add(&names, prepared->kernels.items[i]->name);
    for (size_t i = 0; kernels && i < prepared->kernels.count; i++)
        if (!prepared->kernels.items[i]->given) names_add(&names, prepared->kernels.items[i]->name);
    for (size_t i = 0; operator_at(i); i++) names_add(&names, operator_at(i)->name);
    for (size_t i = 0; operator_families[i]; i++) names_add(&names, operator_families[i]);
    return error_set(err, STATUS_USAGE, "no %s matches \"%s\"%s", kernels ? "kernel" : "operator", word,
        names_hint(arena, &names, word));
}

// Lists the operators or kernels matching the patterns behind the first word. Each pattern must match at least one.
static struct json_object *list_named(struct arena *arena, const struct options *options,
    const struct prepared *prepared, bool kernels, struct error *err) {
    struct json_object *list = json_object_new_array();
    bool *used = arena_alloc(arena, options->word_count + 1, sizeof *used);
    for (size_t i = 0; kernels && i < prepared->kernels.count; i++)
        if (is_wanted(options, prepared->kernels.items[i]->name, used))
            json_object_array_add(list, kernel_json(prepared->kernels.items[i]));
    for (size_t i = 0; !kernels && operator_at(i); i++)
        if (is_wanted(options, operator_at(i)->name, used))
            json_object_array_add(list, operator_json(arena, operator_at(i), &prepared->kernels));
    for (size_t i = 1; i < options->word_count; i++) {
        if (used[i]) continue;
        nothing_is_called(arena, options->words[i], kernels, prepared, err);
        json_object_put(list);
        return NULL;
    }
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

static const struct schema_file *schema_named(const char *name, struct error *err) {
    struct text all = {0};
    for (const struct schema_file *file = schema_files; file->name; file++) {
        if (strcmp(file->name, name) == 0) {
            text_free(&all);
            return file;
        }
        text_format(&all, "%s%s", all.length ? ", " : "", file->name);
    }
    error_set(err, STATUS_USAGE, "no schema \"%s\"; there are %s", name, text_str(&all));
    text_free(&all);
    return NULL;
}

// Prints one schema, as it is in reports/schema/.
static bool print_schema(const char *name, struct error *err) {
    const struct schema_file *file = schema_named(name, err);
    struct text text = {0};
    if (!file) return false;
    schema_text(&text, file);
    fputs(text_str(&text), stdout);
    text_free(&text);
    return true;
}

static struct json_object *list_schemas(void) {
    struct json_object *list = json_object_new_array();
    for (const struct schema_file *file = schema_files; file->name; file++) {
        struct json_object *object = json_object_new_object();
        json_put_string(object, "name", file->name);
        json_put_string(object, "title", file->title);
        json_object_array_add(list, object);
    }
    return list;
}

static struct json_object *list_points(
    struct arena *arena, const struct options *options, struct prepared *prepared, struct error *err) {
    struct suite suite;
    struct plan plan;
    struct options named = *options; // as bench would get them
    named.words++;
    named.word_count--;
    named.quiet = true;
    if (!prepare_devices(arena, options, prepared, err) ||
        !prepare_suite(arena, prepared, options->suite ? options->suite : "quick", &suite, err))
        return NULL;
    if (asks_for_capture(options)) suite_of_recordings(arena, &prepared->kernels, false, &suite);
    if (!prepare_dims(arena, &named, &suite, err) ||
        !prepare_sizes(
            arena, prepared, &named, &prepared->devices[prepared->chosen[0]], false, SHAPES_DEFAULT, &suite, err) ||
        (!suite.entry_count &&
            !error_set(err, STATUS_BAD_INPUT, "suite %s names no kernel of %s", suite.name, options->only)) ||
        !plan_build(arena, &suite, &prepared->kernels, &prepared->devices[prepared->chosen[0]], named.words,
            named.word_count, &plan, err))
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

// Appends the object's member named by the column's title.
static void put_member(struct text *out, const void *row, struct cell *cell) {
    struct json_object *value = json_get(*(struct json_object *const *)row, cell->column->title);
    text_append(out, value ? json_object_get_string(value) : "-");
}

static void put_summary(struct text *out, const void *row, struct cell *cell) {
    if (json_get(*(struct json_object *const *)row, "untried")) text_append(out, "untried: ");
    put_member(out, row, cell);
}

#define MEMBER(key, ...)                                                                                               \
    { key, .put = put_member, __VA_ARGS__ }

static const struct named_listing {
    const char *name;
    struct column columns[4]; // as many as fit a screen
} listings[] = {
    {"operators",
        {MEMBER("name", .wraps = false), MEMBER("family", .wraps = false), MEMBER("formula", .wraps = true), {0}}},
    {"kernels", {MEMBER("name", .wraps = false), {"summary", .put = put_summary, .wraps = true}, {0}}},
    {"suites", {MEMBER("name", .wraps = false), MEMBER("summary", .wraps = true), {0}}},
    {"points", {MEMBER("name", .wraps = false), MEMBER("refused", .wraps = true), {0}}},
    {"schemas", {MEMBER("name", .wraps = false), MEMBER("title", .wraps = true), {0}}},
    {"sources", {MEMBER("file", .wraps = true), MEMBER("git", .wraps = false), MEMBER("changed", .wraps = true), {0}}},
    {"coverage", {{0}}}, // these two print texts of their own
    {"bounds", {{0}}},
};

static void print_list(struct arena *arena, struct json_object *list, const struct named_listing *listing) {
    size_t count = json_object_array_length(list);
    struct json_object **rows = arena_alloc(arena, count, sizeof *rows);
    struct table table;
    for (size_t i = 0; i < count; i++) rows[i] = json_object_array_get_idx(list, i);
    table_make(&table, arena, listing->columns, 0, rows, sizeof(*rows), count);
    table_print_bare(&table, stdout, terminal_width());
}

static void print_operators(struct arena *arena, struct json_object *list, const struct kernels *kernels) {
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        const char *name = json_get_string(json_object_array_get_idx(list, i), "name", "");
        struct listed_operator listed;
        if (i) puts("");
        operator_listing(arena, operator_named(name), kernels, &listed);
        operator_listing_print(arena, &listed);
    }
}

bool command_list(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *what = options->word_count ? options->words[0] : "operators";
    const struct named_listing *listing = NULL;
    (void)status;
    for (size_t i = 0; i < sizeof listings / sizeof listings[0]; i++)
        if (strcmp(listings[i].name, what) == 0) listing = &listings[i];
    if (!listing)
        return error_set(err, STATUS_USAGE,
            "list: expected operators, kernels, suites, points, bounds, schemas, sources or coverage, found '%s'",
            what);
    const bool bounds = *what == 'b';
    if (options->dims && *what != 'p' && !bounds)
        return error_set(err, STATUS_USAGE, "list %s: --dims goes with list points and list bounds", what);
    if (strcmp(what, "suites") == 0 && options->word_count > 1)
        return error_set(err, STATUS_USAGE, "list suites: expected nothing behind it, found '%s'", options->words[1]);
    const bool schemas = strcmp(what, "schemas") == 0;
    if (schemas && options->word_count > 2)
        return error_set(err, STATUS_USAGE, "list schemas: expected at most one name, found '%s'", options->words[2]);
    if (schemas && options->word_count == 2) return print_schema(options->words[1], err);
    struct prepared prepared = {0};
    if (!schemas && !prepare_kernels(arena, options, &prepared, err)) return false;
    if (strcmp(what, "coverage") == 0) return list_coverage(arena, options, &prepared, err);
    struct json_object *list = *what == 'o'                   ? list_named(arena, options, &prepared, false, err)
                               : *what == 'k'                 ? list_named(arena, options, &prepared, true, err)
                               : schemas                      ? list_schemas()
                               : bounds                       ? list_bounds(arena, options, err)
                               : strcmp(what, "suites") == 0  ? list_suites(arena, &prepared, err)
                               : strcmp(what, "sources") == 0 ? sources_listing(arena, options, &prepared, err)
                                                              : list_points(arena, options, &prepared, err);
    if (!list) return false;
    if (options->json)
        json_print(json_object_get(list), stdout);
    else if (bounds)
        list_bounds_print(arena, list);
    else if (*what == 'o' && options->word_count > 1)
        print_operators(arena, list, &prepared.kernels);
    else
        print_list(arena, list, listing);
    json_object_put(list);
    return true;
}
