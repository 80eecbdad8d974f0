// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"

#include "../base/kind.h"
#include "../record/result.h"
#include "prng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- building

// `name` must live as long as the recorded cases.
static struct recorded_case *case_named(struct arena *arena, struct recorded *recorded, const char *name) {
    size_t number = names_put(&recorded->names, name, strlen(name), recorded->count);
    if (number < recorded->count) return &recorded->cases[number];
    recorded->cases = arena_grow(arena, recorded->cases, recorded->count, &recorded->capacity, sizeof *recorded->cases);
    struct recorded_case *added = &recorded->cases[recorded->count++];
    const char *dtype = strchr(name, '/'), *dims = dtype ? strchr(dtype + 1, '/') : NULL;
    size_t length = dims ? (size_t)(dims - name) : strlen(name);
    *added = (struct recorded_case){.name = name, .family = arena_copy_n(arena, name, length), .best = INFINITY};
    return added;
}

static void add_shape(struct arena *arena, struct recorded_case *c, struct recorded_shape shape) {
    c->shapes = arena_grow(arena, c->shapes, c->count, &c->capacity, sizeof *c->shapes);
    shape.median = shape.wrong ? NAN : summarize(shape.samples, shape.count).median;
    if (shape.median < c->best) c->best = shape.median;
    if (!shape.wrong) c->samples += shape.count;
    c->shapes[c->count++] = shape;
}

// ---- from a result

static void add_record(struct arena *arena, struct recorded *recorded, const struct record *record) {
    const double *samples = record->samples[FIGURE_COMPUTE];
    size_t count = record->time[FIGURE_COMPUTE].samples;
    bool right = record->status == RECORD_PASS && samples && count;
    if (!*record_shape(record) || record->status == RECORD_SKIP || (record->status == RECORD_PASS && !right)) return;
    struct recorded_case *c = case_named(arena, recorded, record_case(arena, record));
    struct recorded_shape added = {.name = arena_copy(arena, record_shape(record)),
        .wrong = !right,
        .start = record->is_default || *record->systems,
        .count = right ? count : 0};
    added.samples = arena_alloc(arena, added.count, sizeof *added.samples);
    if (right) memcpy(added.samples, samples, count * sizeof *samples);
    add_shape(arena, c, added);
}

static bool from_result(const char *path, struct arena *arena, struct recorded *out, struct error *err) {
    struct result result;
    if (!result_read(path, &result, err)) return false;
    out->device = arena_copy(arena, result.device.name);
    out->driver = arena_format(arena, "%s %s", result.device.driver_name, result.device.driver_info);
    out->limits.max_invocations = result.device.max_invocations;
    out->limits.shared_bytes = result.device.shared_bytes;
    memcpy(out->limits.max_size, result.device.max_size, sizeof out->limits.max_size);
    for (size_t i = 0; i < result.count; i++) add_record(arena, out, &result.records[i]);
    result_free(&result);
    return true;
}

// ---- from spaces

static bool read_samples(struct arena *arena, const struct json_at *at, struct recorded_shape *out, struct error *err) {
    struct json_at list, item;
    if (!json_member(at, "samples_ns", false, &list, err) || !json_expect(&list, json_type_array, err)) return false;
    out->samples = arena_alloc(arena, json_count(&list) + 1, sizeof *out->samples);
    for (; out->count < json_count(&list); out->count++) {
        double *sample = &out->samples[out->count];
        if (!json_item(&list, out->count, &item, err) || !json_number(&item, sample, err)) return false;
        if (!(*sample > 0)) return json_fail(&item, err, "expected a time above 0");
    }
    if (!out->wrong && !out->count) return json_fail(&list, err, "expected at least one sample");
    return true;
}

static bool read_shape(struct arena *arena, const struct json_at *at, struct recorded_case *c, struct error *err) {
    static const char *const keys[] = {"shape", "start", "wrong", "samples_ns", NULL};
    struct json_at member;
    struct recorded_shape shape = {0};
    if (!json_only(at, keys, err) || !json_member(at, "shape", false, &member, err) ||
        !json_string(&member, arena, &shape.name, err) || !json_member(at, "start", true, &member, err) ||
        (member.value && !json_boolean(&member, &shape.start, err)) || !json_member(at, "wrong", true, &member, err) ||
        (member.value && !json_boolean(&member, &shape.wrong, err)) || !read_samples(arena, at, &shape, err))
        return false;
    add_shape(arena, c, shape);
    return true;
}

static bool read_case(struct arena *arena, const struct json_at *at, struct recorded *out, struct error *err) {
    static const char *const keys[] = {"case", "shapes", NULL};
    struct json_at member, item;
    const char *name;
    if (!json_only(at, keys, err) || !json_member(at, "case", false, &member, err) ||
        !json_string(&member, arena, &name, err) || !json_member(at, "shapes", false, &member, err) ||
        !json_expect(&member, json_type_array, err))
        return false;
    struct recorded_case *c = case_named(arena, out, name);
    for (size_t i = 0; i < json_count(&member); i++)
        if (!json_item(&member, i, &item, err) || !read_shape(arena, &item, c, err)) return false;
    return true;
}

static bool read_limit(const struct json_at *at, uint32_t *out, struct error *err) {
    int64_t number;
    if (!json_integer(at, 1, UINT32_MAX, &number, err)) return false;
    *out = (uint32_t)number;
    return true;
}

// The device's; spaces that were kept without them have none.
static bool read_limits(const struct json_at *root, struct recorded *out, struct error *err) {
    static const char *const keys[] = {"max_invocations", "max_size", "shared_bytes", NULL};
    struct json_at limits, at, item;
    if (!json_member(root, "limits", true, &limits, err) || !limits.value) return !limits.value;
    if (!json_only(&limits, keys, err) || !json_member(&limits, "max_invocations", false, &at, err) ||
        !read_limit(&at, &out->limits.max_invocations, err) || !json_member(&limits, "shared_bytes", false, &at, err) ||
        !read_limit(&at, &out->limits.shared_bytes, err) || !json_member(&limits, "max_size", false, &at, err) ||
        !json_expect(&at, json_type_array, err))
        return false;
    if (json_count(&at) != 3) return json_fail(&at, err, "expected three sizes, found %zu", json_count(&at));
    for (size_t i = 0; i < 3; i++)
        if (!json_item(&at, i, &item, err) || !read_limit(&item, &out->limits.max_size[i], err)) return false;
    return true;
}

static bool from_spaces(
    const char *path, struct json_object *value, struct arena *arena, struct recorded *out, struct error *err) {
    static const char *const keys[] = {"schema_version", "device", "driver", "limits", "spaces", NULL};
    struct json_at root = json_root(value, path), at, item;
    int64_t version;
    if (!json_only(&root, keys, err) || !json_member(&root, "schema_version", false, &at, err) ||
        !json_integer(&at, 1, 1, &version, err) || !json_member(&root, "device", false, &at, err) ||
        !json_string(&at, arena, &out->device, err) || !json_member(&root, "driver", false, &at, err) ||
        !json_string(&at, arena, &out->driver, err) || !read_limits(&root, out, err) ||
        !json_member(&root, "spaces", false, &at, err) || !json_expect(&at, json_type_array, err))
        return false;
    for (size_t i = 0; i < json_count(&at); i++)
        if (!json_item(&at, i, &item, err) || !read_case(arena, &item, out, err)) return false;
    return true;
}

// ---- both

// What cannot be searched goes; the rest gets its axes.
static bool finish(const char *path, struct arena *arena, struct recorded *out, struct error *err) {
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        struct recorded_case *c = &out->cases[i];
        size_t timed = 0;
        for (size_t k = 0; k < c->count; k++) timed += !c->shapes[k].wrong;
        if (timed < 2) continue;
        const char **names = arena_alloc(arena, c->count, sizeof *names);
        for (size_t k = 0; k < c->count; k++) names[k] = c->shapes[k].name;
        c->places = places_of_names(arena, names, c->count, &c->axes);
        for (size_t k = 0; k < c->count; k++) c->places[k].start = c->shapes[k].start;
        out->cases[kept++] = *c;
    }
    out->count = kept;
    return kept || error_set(err, STATUS_BAD_INPUT,
                       "%s: no case has raw samples of two shapes; record one with bench, without --trim", path);
}

bool recorded_read(const char *path, struct arena *arena, struct recorded *out, struct error *err) {
    *out = (struct recorded){0};
    struct json_object *value = kind_of_file(path) == KIND_SPACES ? json_read(path, err) : NULL;
    bool ok = value ? from_spaces(path, value, arena, out, err) : from_result(path, arena, out, err);
    json_object_put(value);
    names_free(&out->names);
    return ok && finish(path, arena, out, err);
}

// ---- writing

static struct json_object *limits_json(const struct recorded *recorded) {
    struct json_object *limits = json_object_new_object(), *sizes = json_object_new_array();
    for (int axis = 0; axis < 3; axis++)
        json_object_array_add(sizes, json_object_new_int64(recorded->limits.max_size[axis]));
    json_put_int(limits, "max_invocations", recorded->limits.max_invocations);
    json_put(limits, "max_size", sizes);
    json_put_int(limits, "shared_bytes", recorded->limits.shared_bytes);
    return limits;
}

static struct json_object *shape_json(const struct recorded_shape *shape) {
    struct json_object *object = json_object_new_object(), *samples = json_object_new_array();
    json_put_string(object, "shape", shape->name);
    if (shape->start) json_put_bool(object, "start", true);
    if (shape->wrong) json_put_bool(object, "wrong", true);
    // Tenths of a nanosecond: below the grain of every timer.
    for (size_t i = 0; i < shape->count; i++)
        json_object_array_add(samples, json_double(round(shape->samples[i] * 10) / 10));
    json_put(object, "samples_ns", samples);
    return object;
}

bool recorded_write(const char *path, const struct recorded *recorded, struct error *err) {
    struct json_object *root = json_object_new_object(), *spaces = json_object_new_array();
    json_put_int(root, "schema_version", 1);
    json_put_string(root, "device", recorded->device);
    json_put_string(root, "driver", recorded->driver);
    if (recorded->limits.max_invocations) json_put(root, "limits", limits_json(recorded));
    for (size_t i = 0; i < recorded->count; i++) {
        const struct recorded_case *c = &recorded->cases[i];
        struct json_object *object = json_object_new_object(), *shapes = json_object_new_array();
        for (size_t k = 0; k < c->count; k++) json_object_array_add(shapes, shape_json(&c->shapes[k]));
        json_put_string(object, "case", c->name);
        json_put(object, "shapes", shapes);
        json_object_array_add(spaces, object);
    }
    json_put(root, "spaces", spaces);
    bool ok = json_write(path, root, false, err);
    json_object_put(root);
    return ok;
}

// ---- replaying

static enum answer ask(void *user, size_t shape, double *ns) {
    struct replay *replay = user;
    const struct recorded_shape *recorded = &replay->recorded->shapes[shape];
    if (recorded->wrong) return ANSWER_WRONG;
    *ns = recorded->samples[random_below(&replay->random, recorded->count)];
    return ANSWER_TIME;
}

struct space replay_space(struct replay *replay) {
    const struct recorded_case *c = replay->recorded;
    return (struct space){.count = c->count, .axes = c->axes, .places = c->places, .ask = ask, .user = replay};
}

// ---- how well strategies do

static void score(const struct recorded_case *c, const struct finding *finding, const struct simulate_options *options,
    struct trial_score *out) {
    double loss = finding->best == NOT_FOUND ? INFINITY : c->shapes[finding->best].median / c->best - 1;
    double one = 1.0 / options->repeats;
    out->near_share += loss <= options->near ? one : 0;
    out->sample_share += (double)finding->samples / (double)c->samples * one;
    out->mean_loss += loss * one;
    out->worst_loss = fmax(out->worst_loss, loss);
}

static void search_case(const struct recorded_case *c, const struct strategy *strategy,
    const struct simulate_options *options, uint64_t seed, struct model *model, struct trial_score *out) {
    struct replay replay = {.recorded = c, .random = seed * 0x9e3779b97f4a7c15u + 1};
    struct space space = replay_space(&replay);
    struct search_options search = {
        .seed = seed, .most_samples = (size_t)floor(options->sample_share * (double)c->samples)};
    struct finding finding;
    const char **names = arena_alloc(model->arena, c->count, sizeof *names);
    for (size_t i = 0; i < c->count; i++) names[i] = c->shapes[i].name;
    model_expect(model, c->family, names, &space);
    strategy_search(strategy, &space, &search, model->arena, &finding);
    score(c, &finding, options, out);
    model_learn(model, c->family, names, &space, &finding);
}

void simulate(const struct recorded *recorded, const struct strategy *strategy, const struct simulate_options *options,
    struct trial_score *scores) {
    memset(scores, 0, recorded->count * sizeof *scores);
    for (int repeat = 0; repeat < options->repeats; repeat++) {
        struct arena arena = {0};
        struct model model = {.arena = &arena};
        for (size_t i = 0; i < recorded->count; i++) {
            uint64_t seed = options->seed + (uint64_t)repeat * recorded->count + i;
            search_case(&recorded->cases[i], strategy, options, seed, &model, &scores[i]);
        }
        arena_free(&arena);
    }
}
