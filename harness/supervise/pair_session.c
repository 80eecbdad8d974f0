// SPDX-License-Identifier: Apache-2.0
// Runs pairs of points of two versions, for `ab`.
#include "expectations.h"
#include "session_loop.h"
#include "../record/standing.h"

#include <string.h>

static void drop(struct json_object *records[2]) {
    for (int i = 0; i < 2; i++) json_object_put(records[i]);
    records[0] = records[1] = NULL;
}

// ---- second attempts: a driver that crashes now and then must not count for or against a version

enum { CONFIRMATIONS = 3 }; // with a driver that crashes half the time, one point in 500 looks fixed

// Crashes, lost devices and hangs can be random.
static bool is_crash(struct json_object *record) {
    return record_json_is(record, RECORD_CRASH) || record_json_is(record, RECORD_DEVICE_LOST) ||
           record_json_is(record, RECORD_TIMEOUT);
}

// Runs one side alone and joins its record with *record. Returns false if no worker can be had.
static bool try_alone(struct session_loop *loop, const struct version_pair *pair, int side, struct json_object **record,
    struct error *err) {
    static const enum message_type alone[] = {MESSAGE_BASE, MESSAGE_HEAD};
    struct json_object *again;
    if (!worker_ask(&loop->worker, alone[side], pair->sides[side], &again, err)) return false;
    loop->interrupted |= !again;
    if (again && record_json_is(*record, RECORD_PASS) && record_json_is(again, RECORD_PASS))
        json_object_put(again);
    else if (again)
        *record = retry_join(*record, again);
    return true;
}

static bool try_again(
    struct session_loop *loop, const struct version_pair *pair, struct json_object *records[2], struct error *err) {
    for (int i = 0; i < 2; i++)
        if (records[i] && !loop->interrupted && retry_is_due(records[i]) && !try_alone(loop, pair, i, &records[i], err))
            return false;
    return true;
}

// Returns whether the base crashed each time and the head never. Only such a crash speaks for a version.
static bool seems_fixed(struct json_object *const records[2]) {
    return records[0] && records[1] && is_crash(records[0]) && record_json_is(records[1], RECORD_PASS) &&
           !json_get_bool(json_get(records[0], "attempts"), "flaky", false);
}

// Repeats both sides alone while the base seems fixed, to detect random crashes.
static bool confirm(
    struct session_loop *loop, const struct version_pair *pair, struct json_object *records[2], struct error *err) {
    for (int n = 0; n < CONFIRMATIONS; n++)
        for (int i = 0; i < 2; i++)
            if (!loop->interrupted && seems_fixed(records) && !try_alone(loop, pair, i, &records[i], err)) return false;
    return true;
}

static bool run_pairs(
    struct session_loop *loop, const struct version_pair *pairs, size_t count, struct outcome *out, struct error *err) {
    for (size_t i = 0; i < count && session_goes_on(loop); i++) {
        struct json_object **records = &out->records[2 * i];
        loop->progress.current = (pairs[i].sides[1] ? pairs[i].sides[1] : pairs[i].sides[0])->name;
        session_tell(loop, NULL);
        bool ok = worker_run_pair(&loop->worker, &pairs[i], records, &loop->interrupted, err);
        if (ok && loop->session->retry)
            ok = try_again(loop, &pairs[i], records, err) && confirm(loop, &pairs[i], records, err);
        if (!ok || loop->interrupted) {
            drop(records);
            return ok;
        }
        loop->ran++;
        loop->progress.done++;
        out->left--;
    }
    return true;
}

bool supervise_pairs(struct arena *arena, struct session *session, const struct version_pair *pairs, size_t count,
    struct outcome *out, struct error *err) {
    struct session_loop loop;
    struct json_object **old;
    size_t none;
    *out = (struct outcome){
        .records = arena_alloc(arena, 2 * count, sizeof *out->records), .count = 2 * count, .left = count};
    bool ok = session_open(&loop, session, arena, &old, &none, err);
    loop.progress.total = loop.to_run = count;
    ok = ok && run_pairs(&loop, pairs, count, out, err);
    session_close(&loop, out, ok ? NULL : err);
    return ok;
}
