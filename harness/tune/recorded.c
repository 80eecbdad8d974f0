// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"

#include "../base/fields.h"
#include "../base/kind.h"
#include "../record/result.h"
#include "prng.h"
#include "../record/record.h"
#include "../truth/stats/summary.h"
#include "../record/terms.h"
#include "../device/device_info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- cases and shapes

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
    out->device = arena_copy(arena, result.device->name);
    out->driver = arena_format(arena, "%s %s", result.device->driver_name, result.device->driver_info);
    if (result_historical(&result)) out->historical = arena_copy(arena, result_historical(&result));
    out->limits.max_invocations = result.device->max_invocations;
    out->limits.shared_bytes = result.device->shared_bytes;
    memcpy(out->limits.max_size, result.device->max_size, sizeof out->limits.max_size);
    for (size_t i = 0; i < result.count; i++) add_record(arena, out, &result.records[i]);
    result_free(&result);
    return true;
}

// ---- from spaces, and to them

// Rounds to tenths of a nanosecond, below the grain of every timer.
static struct json_object *sample_put(const void *member) {
    return json_double(round(*(const double *)member * 10) / 10);
}
static bool sample_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return kind_above_0.get(arena, at, member, err);
}
static const struct kind kind_sample = {
    .put = sample_put, .get = sample_get, .schema = SCHEMA({"type" : "number", "exclusiveMinimum" : 0})};

static const struct field shape_fields[] = {
    {"shape", KIND(kind_text, .schema = SCHEMA({"pattern" : "^wg="})), offsetof(struct recorded_shape, name), REQUIRED},
    {"start", KIND(kind_mark, .meaning = "The default or a system's shape."), offsetof(struct recorded_shape, start),
        SPARSE},
    {"wrong", KIND(kind_mark, .meaning = "It did not pass, and has no samples."),
        offsetof(struct recorded_shape, wrong), SPARSE},
    {"samples_ns", ARENA_LIST(struct recorded_shape, samples, count, &kind_sample, 0), 0, REQUIRED},
    {0},
};
static const struct kind shape_object = {.fields = shape_fields, .closed = true};
static struct json_object *shape_put(const void *shape) {
    return kind_put(&shape_object, shape);
}
static bool shape_get(struct arena *arena, const struct json_at *at, void *item, struct error *err) {
    const struct recorded_shape *shape = item;
    return kind_get(&shape_object, arena, at, item, err) &&
           (shape->wrong || shape->count || json_fail(at, err, "expected at least one sample"));
}
static const struct kind kind_shape = {.put = shape_put, .get = shape_get, .fields = shape_fields};

static const struct field case_fields[] = {
    {"case", KIND(kind_text, .meaning = "kernel/dtype/dims"), offsetof(struct recorded_case, name), REQUIRED},
    {"shapes",
        KIND(*ARENA_LIST(struct recorded_case, shapes, count, &kind_shape, 0), .schema = SCHEMA({"minItems" : 2})), 0,
        REQUIRED},
    {0},
};
static const struct kind kind_case = {.fields = case_fields, .closed = true};

// The limits of the device; older files of spaces have none.
static const struct field limit_fields[] = {
    {"max_invocations", KIND(kind_uint32, .least = 1), offsetof(struct recorded, limits.max_invocations), REQUIRED},
    {"max_size", KIND(kind_three, .schema = SCHEMA({"items" : {"type" : "integer", "minimum" : 1}})),
        offsetof(struct recorded, limits.max_size), REQUIRED},
    {"shared_bytes", KIND(kind_uint32, .least = 1), offsetof(struct recorded, limits.shared_bytes), REQUIRED},
    {0},
};
static const struct kind limits_object = {.fields = limit_fields, .closed = true};
static struct json_object *limits_put(const void *whole) {
    return ((const struct recorded *)whole)->limits.max_invocations ? kind_put(&limits_object, whole) : NULL;
}
static bool limits_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    return kind_get(&limits_object, arena, at, whole, err);
}
static const struct kind kind_limits = {
    .put = limits_put, .get = limits_get, .fields = limit_fields, .meaning = "Of the device."};

static const struct field file_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"device", &kind_text, offsetof(struct recorded, device), REQUIRED},
    {"driver", &kind_text, offsetof(struct recorded, driver), REQUIRED},
    {"historical",
        KIND(kind_text, .meaning = "The revision of the program, if sources of its kernels have changed since."),
        offsetof(struct recorded, historical), SPARSE},
    {"limits", &kind_limits, 0, SPARSE},
    {"spaces", ARENA_LIST(struct recorded, cases, count, &kind_case, 0), 0, REQUIRED},
    {0},
};
const struct kind kind_spaces_file = {.fields = file_fields, .closed = true};

static bool from_spaces(
    const char *path, struct json_object *value, struct arena *arena, struct recorded *out, struct error *err) {
    struct json_at root = json_root(value, path);
    struct recorded read = {0};
    if (!kind_get(&kind_spaces_file, arena, &root, &read, err)) return false;
    *out = (struct recorded){
        .device = read.device, .driver = read.driver, .historical = read.historical, .limits = read.limits};
    for (size_t i = 0; i < read.count; i++) {
        struct recorded_case *c = case_named(arena, out, read.cases[i].name);
        for (size_t k = 0; k < read.cases[i].count; k++) add_shape(arena, c, read.cases[i].shapes[k]);
    }
    return true;
}

bool recorded_write(const char *path, const struct recorded *recorded, struct error *err) {
    struct json_object *root = fields_put(file_fields, recorded);
    bool ok = json_write(path, root, false, err);
    json_object_put(root);
    return ok;
}

// ---- results and spaces

// Drops cases without enough timed shapes, and makes the axes of the others.
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

// ---- replaying

struct replay {
    const struct recorded_case *recorded;
    uint64_t random;
};

static enum answer ask(void *user, size_t shape, double *ns) {
    struct replay *replay = user;
    const struct recorded_shape *recorded = &replay->recorded->shapes[shape];
    if (recorded->wrong) return ANSWER_WRONG;
    *ns = recorded->samples[random_below(&replay->random, recorded->count)];
    return ANSWER_TIME;
}

// ---- quality of strategies

static void score(const struct recorded_case *c, const struct search_finding *finding,
    const struct simulate_options *options, struct trial_score *out) {
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
    // `expected` stays NaN
    struct space space = {.count = c->count, .axes = c->axes, .places = c->places, .ask = ask, .user = &replay};
    struct search_options search = {
        .seed = seed, .most_samples = (size_t)floor(options->sample_share * (double)c->samples)};
    struct search_finding finding;
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
