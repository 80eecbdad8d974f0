// SPDX-License-Identifier: Apache-2.0
#include "comparison.h"

#include "../view.h"

static struct json_object *source_json(const char *path, const struct result *result) {
    static const char *const members[][3] = {
        {"suite", "run", "suite"}, {"seed", "run", "seed"}, {"started", "run", "started"}, {"git", "tool", "git"}};
    struct json_object *object = json_object_new_object();
    json_put_string(object, "file", path);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        json_put_string(
            object, members[i][0], json_get_string(json_get(result->context, members[i][1]), members[i][2], NULL));
    json_put_string(object, "device", result->device.name);
    json_put_string(object, "driver", result->device.driver_info);
    return object;
}

static struct json_object *point_json(const struct compared_point *point) {
    struct json_object *object = json_object_new_object();
    json_put_string(object, "name", point->name);
    json_put_string(object, "family", point->family);
    json_put_string(object, "verdict", verdict_name(point->verdict));
    json_put(object, "base_ns", point->base ? json_double(compute_ns(point->base)) : NULL);
    json_put(object, "new_ns", point->new ? json_double(compute_ns(point->new)) : NULL);
    json_put_double(object, "ratio", point->ratio.value);
    json_put_double(object, "lo", point->ratio.lo);
    json_put_double(object, "hi", point->ratio.hi);
    json_put_double(object, "cycles_ratio", point->cycles);
    json_put_double(object, "p", point->p);
    json_put_string(object, "note", point->note);
    return object;
}

static struct json_object *family_json(const struct compared_family *family) {
    struct json_object *object = json_object_new_object();
    json_put_string(object, "name", family->name);
    json_put_int(object, "points", (int64_t)family->points);
    json_put_double(object, "ratio", family->ratio);
    return object;
}

static struct json_object *counts_json(const struct comparison *c) {
    struct json_object *counts = json_object_new_object();
    for (int v = 0; v < VERDICT_COUNT; v++)
        json_put_int(counts, verdict_name((enum verdict)v), (int64_t)c->verdicts[v]);
    return counts;
}

static struct json_object *rules_json(const struct comparison_view *view) {
    struct json_object *rules = json_object_new_object();
    json_put_double(rules, "effect", view->comparison->rules.effect);
    json_put_double(rules, "ulp_factor", view->comparison->rules.ulp_factor);
    json_put_bool(rules, "strict", view->strict);
    return rules;
}

struct json_object *comparison_to_json(const struct comparison_view *view) {
    const struct comparison *c = view->comparison;
    struct json_object *object = json_object_new_object(), *differences = json_object_new_array();
    struct json_object *families = json_object_new_array(), *points = json_object_new_array();
    for (size_t i = 0; i < c->difference_count; i++)
        json_object_array_add(differences, json_object_new_string(c->differences[i]));
    for (size_t i = 0; i <= c->family_count; i++) json_object_array_add(families, family_json(&c->families[i]));
    for (size_t i = 0; i < c->count; i++) json_object_array_add(points, point_json(&c->points[i]));
    json_put_int(object, "schema_version", 1);
    json_put_string(object, "verdict", comparison_word(view));
    json_put_int(object, "exit_status", (int64_t)comparison_status(c, view->strict));
    json_put(object, "base", source_json(view->base_path, c->base));
    json_put(object, "new", source_json(view->new_path, c->new));
    json_put(object, "rules", rules_json(view));
    json_put(object, "differences", differences);
    json_put_int(object, "without_samples", (int64_t)c->without_samples);
    json_put(object, "counts", counts_json(c));
    json_put(object, "families", families);
    json_put(object, "compared", points);
    return object;
}
