// SPDX-License-Identifier: Apache-2.0
#include "wall.h"

#include "../base/clock.h"
#include "../base/fields.h"

#include <stdio.h>

static const char *wall_part_name(enum wall_part part) {
    static const char *const names[WALL_COUNT] = {
        [WALL_START] = "start",
        [WALL_COMPILE] = "compile",
        [WALL_UPLOAD] = "upload",
        [WALL_COMPUTE] = "compute",
        [WALL_DOWNLOAD] = "download",
        [WALL_REFERENCE] = "reference",
        [WALL_JUDGE] = "judge",
        [WALL_WAIT] = "wait",
        [WALL_IDLE] = "idle",
    };
    return names[part];
}

int64_t wall_total(const struct wall *wall) {
    int64_t total = 0;
    for (int part = 0; part < WALL_COUNT; part++) total += wall->ns[part];
    return total;
}

void wall_add(struct wall *sum, const struct wall *more) {
    for (int part = 0; part < WALL_COUNT; part++) sum->ns[part] += more->ns[part];
}

struct phase_timer phase_timer_start(struct wall *account, enum wall_part part) {
    return (struct phase_timer){account, part, clock_ns()};
}

enum wall_part phase_timer_switch(struct phase_timer *phases, enum wall_part part) {
    enum wall_part was = phases->part;
    int64_t now = clock_ns();
    phases->account->ns[was] += now - phases->since;
    phases->since = now;
    phases->part = part;
    return was;
}

void phase_timer_move(struct phase_timer *phases, struct wall *account) {
    phase_timer_switch(phases, phases->part);
    phases->account = account;
}

// Nanoseconds, in files as seconds.
static struct json_object *seconds_put(const void *member) {
    return json_double((double)*(const int64_t *)member * 1e-9);
}
static bool seconds_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    double seconds;
    (void)arena;
    if (!json_number(at, &seconds, err)) return false;
    *(int64_t *)member = seconds > 0 && seconds < 1e9 ? (int64_t)(seconds * 1e9) : 0;
    return true;
}
static const struct kind kind_seconds = {
    .put = seconds_put, .get = seconds_get, .schema = SCHEMA({"type" : "number", "minimum" : 0})};

#define NS(PART) offsetof(struct wall, ns[WALL_##PART])
static const struct field wall_fields[] = {
    {"start_s", &kind_seconds, NS(START), WRITTEN},
    {"compile_s", &kind_seconds, NS(COMPILE), WRITTEN},
    {"upload_s", &kind_seconds, NS(UPLOAD), WRITTEN},
    {"compute_s", &kind_seconds, NS(COMPUTE), WRITTEN},
    {"download_s", &kind_seconds, NS(DOWNLOAD), WRITTEN},
    {"reference_s", &kind_seconds, NS(REFERENCE), WRITTEN},
    {"judge_s", &kind_seconds, NS(JUDGE), WRITTEN},
    {"wait_s", KIND(kind_seconds, .meaning = "For a device that had slowed down. Absent: within idle_s."), NS(WAIT),
        NEW},
    {"idle_s", &kind_seconds, NS(IDLE), WRITTEN},
    {0},
};
const struct kind kind_wall_seconds = {
    .fields = wall_fields, .meaning = "Wall time by part; the sum is wall_s. Of several workers the mean."};

struct json_object *wall_to_json(const struct wall *wall) {
    return fields_put(wall_fields, wall);
}

bool wall_from_json(struct json_object *run, struct wall *wall) {
    const struct json_at at = json_root(json_get(run, "wall"), "run");
    struct error ignored;
    *wall = (struct wall){0};
    return at.value && fields_get(NULL, &at, wall_fields, wall, &ignored);
}

void wall_add_record(struct wall *sum, struct json_object *record) {
    struct json_object *object = json_get(record, "wall");
    char key[32];
    for (int part = 0; part < WALL_COUNT; part++) {
        snprintf(key, sizeof key, "%s_ns", wall_part_name((enum wall_part)part));
        sum->ns[part] += json_get_int(object, key, 0);
    }
}

char *wall_words(struct arena *arena, struct json_object *run) {
    struct wall wall;
    if (!wall_from_json(run, &wall) || wall_total(&wall) <= 0) return NULL;
    double total = (double)wall_total(&wall);
    char *words = arena_format(arena, "wall %.3g s:", total * 1e-9);
    for (int part = 0; part < WALL_COUNT; part++) {
        if (part == WALL_WAIT && (double)wall.ns[part] < 0.005 * total) continue; // no notable wait, as on CPUs
        words = arena_format(arena, "%s%s %s %.0f %%", words, part ? "," : "", wall_part_name((enum wall_part)part),
            100 * (double)wall.ns[part] / total);
    }
    return words;
}

char *wall_slowed(struct arena *arena, struct json_object *run, size_t throttled, size_t timed) {
    struct wall wall;
    double waited = wall_from_json(run, &wall) ? (double)wall.ns[WALL_WAIT] * 1e-9 : 0;
    bool long_wait = waited >= 1 && waited >= 0.01 * (double)wall_total(&wall) * 1e-9;
    if (!throttled && !long_wait) return NULL;
    return arena_format(arena,
        "the device slowed down: %zu of %zu timed points are marked as throttled, %.1f s went on waiting", throttled,
        timed, waited);
}
