// SPDX-License-Identifier: Apache-2.0
// Recorded spaces as a result, as far as they have its data: names, shapes, samples and wrong shapes.
#include "recorded.h"
#include "../record/record.h"
#include "../stats/summary.h"
#include "../record/terms.h"
#include "../record/result.h"
#include "../device/device_info.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes one "NAME=NUMBER" of a list with commas and moves *at past it. Returns false if there is none.
static bool take_number(struct arena *arena, const char **at, struct named_number *out) {
    size_t length = strcspn(*at, "=,/");
    char *end;
    if (!length || (*at)[length] != '=') return false;
    out->name = arena_copy_n(arena, *at, length);
    out->value = strtod(*at + length + 1, &end);
    if (end == *at + length + 1 || !isfinite(out->value) || (*end && *end != ',')) return false;
    *at = *end ? end + 1 : end;
    return true;
}

static bool take_numbers(struct arena *arena, const char *at, struct named_number **out, int *count) {
    size_t room = 1;
    for (const char *c = at; *c; c++) room += *c == ',';
    *out = arena_alloc(arena, room, sizeof **out);
    if (room > RECORD_NAMES) return false;
    while (*at)
        if (!take_number(arena, &at, &(*out)[(*count)++])) return false;
    return true;
}

// Takes a shape: "wg=64x1x1,ITEMS=4".
static bool take_shape(struct arena *arena, const char *name, struct record *out) {
    unsigned wg[3];
    int used = 0;
    if (sscanf(name, "wg=%9ux%9ux%9u%n", &wg[0], &wg[1], &wg[2], &used) != 3 || !used) return false;
    for (int axis = 0; axis < 3; axis++) out->wg[axis] = wg[axis];
    if (!name[used]) return true;
    return name[used] == ',' && take_numbers(arena, name + used + 1, &out->tunables, &out->tunable_count);
}

// Takes a case: "softmax.cached/f32/rows=512,cols=1024".
static bool take_case(struct arena *arena, const char *name, struct record *out) {
    const char *dtype = strchr(name, '/'), *dims = dtype ? strchr(dtype + 1, '/') : NULL, *dot = strchr(name, '.');
    if (!dims || !dot || dot > dtype) return false;
    out->operator= arena_copy_n(arena, name, (size_t)(dot - name));
    out->kernel = arena_copy_n(arena, name, (size_t)(dtype - name));
    out->dtype = arena_copy_n(arena, dtype + 1, (size_t)(dims - dtype - 1));
    return take_numbers(arena, dims + 1, &out->dims, &out->dim_count);
}

static bool add(
    struct arena *arena, const struct recorded_case *c, const struct recorded_shape *shape, struct record *out) {
    *out = (struct record){.status = shape->wrong ? RECORD_FAIL : RECORD_PASS,
        .systems = "",
        .is_default = shape->start,
        .reason = shape->wrong ? "wrong, or it did not run" : NULL,
        .repeats = 1,
        .drift = NAN};
    for (int f = 0; f < FIGURE_COUNT; f++) out->time[f] = summarize(NULL, 0);
    out->time[FIGURE_COMPUTE] = summarize(shape->samples, shape->count);
    out->samples[FIGURE_COMPUTE] = shape->samples;
    out->case_length = strlen(c->name);
    out->name = arena_format(arena, "%s/%s", c->name, shape->name);
    return take_case(arena, c->name, out) && take_shape(arena, shape->name, out);
}

static bool add_all(const char *path, const struct recorded *recorded, struct result *out, struct error *err) {
    size_t room = 0;
    for (size_t i = 0; i < recorded->count; i++) room += recorded->cases[i].count;
    out->records = arena_alloc(&out->arena, room + 1, sizeof *out->records);
    for (size_t i = 0; i < recorded->count; i++)
        for (size_t k = 0; k < recorded->cases[i].count; k++) {
            const struct recorded_case *c = &recorded->cases[i];
            if (!add(&out->arena, c, &c->shapes[k], &out->records[out->count]))
                return error_set(err, STATUS_BAD_INPUT, "%s: \"%.200s\" and \"%.200s\" are no case and shape", path,
                    c->name, c->shapes[k].name);
            out->count++;
        }
    return true;
}

bool recorded_result(const char *path, struct result *out, struct error *err) {
    struct recorded recorded;
    *out = (struct result){0};
    bool ok = recorded_read(path, &out->arena, &recorded, err);
    if (ok) {
        out->device = arena_alloc(&out->arena, 1, sizeof *out->device);
        snprintf(out->device->name, sizeof out->device->name, "%s", recorded.device);
        snprintf(out->device->driver_info, sizeof out->device->driver_info, "%s", recorded.driver);
        out->device->max_invocations = recorded.limits.max_invocations;
        out->device->shared_bytes = recorded.limits.shared_bytes;
        for (int axis = 0; axis < 3; axis++) out->device->max_size[axis] = recorded.limits.max_size[axis];
        ok = add_all(path, &recorded, out, err);
    }
    if (!ok) result_free(out);
    return ok;
}
