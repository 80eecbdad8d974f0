// SPDX-License-Identifier: Apache-2.0
#include "wall.h"

#include "../base/clock.h"

#include <stdio.h>

const char *wall_part_name(enum wall_part part) {
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

enum wall_part phase_timer_turn(struct phase_timer *phases, enum wall_part part) {
    enum wall_part was = phases->part;
    int64_t now = clock_ns();
    phases->account->ns[was] += now - phases->since;
    phases->since = now;
    phases->part = part;
    return was;
}

void phase_timer_move(struct phase_timer *phases, struct wall *account) {
    phase_timer_turn(phases, phases->part);
    phases->account = account;
}

static void part_key(int part, const char *unit, char key[32]) {
    snprintf(key, 32, "%s_%s", wall_part_name((enum wall_part)part), unit);
}

struct json_object *wall_to_json(const struct wall *wall) {
    struct json_object *object = json_object_new_object();
    char key[32];
    for (int part = 0; part < WALL_COUNT; part++) {
        part_key(part, "s", key);
        json_put_double(object, key, (double)wall->ns[part] * 1e-9);
    }
    return object;
}

bool wall_from_json(struct json_object *run, struct wall *wall) {
    struct json_object *object = json_get(run, "wall");
    char key[32];
    *wall = (struct wall){0};
    for (int part = 0; object && part < WALL_COUNT; part++) {
        part_key(part, "s", key);
        double seconds = json_get_double(object, key, 0);
        if (seconds > 0 && seconds < 1e9) wall->ns[part] = (int64_t)(seconds * 1e9);
    }
    return object != NULL;
}

void wall_add_record(struct wall *sum, struct json_object *record) {
    struct json_object *object = json_get(record, "wall");
    char key[32];
    for (int part = 0; part < WALL_COUNT; part++) {
        part_key(part, "ns", key);
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
