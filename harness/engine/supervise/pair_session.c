// SPDX-License-Identifier: Apache-2.0
// Runs pairs of points of two versions, for `ab`.
#include "expectations.h"
#include "session_loop.h"
#include "../../record/terms.h"

#include <string.h>

// ---- second attempts: a driver that crashes now and then must not count for or against a version

enum { CONFIRMATIONS = 3 }; // with a driver that crashes half the time, one point in 500 looks fixed

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

// Repeats each side that is due. Then repeats both while the base seems fixed, to detect random crashes. A version is
// the cause only if the base crashed each time and the head never did.
static bool repeat(
    struct session_loop *loop, const struct version_pair *pair, struct json_object *records[2], struct error *err) {
    for (int n = 0; n <= CONFIRMATIONS; n++)
        for (int i = 0; i < 2; i++) {
            const bool fixed = records[0] && records[1] && retry_is_crash(records[0]) &&
                               record_json_is(records[1], RECORD_PASS) &&
                               !json_get_bool(json_get(records[0], "attempts"), "flaky", false);
            const bool due = n ? fixed : records[i] && retry_is_due(records[i]);
            if (due && !loop->interrupted && !try_alone(loop, pair, i, &records[i], err)) return false;
        }
    return true;
}

static const struct point *either(const struct version_pair *pair) {
    return pair->sides[1] ? pair->sides[1] : pair->sides[0];
}

static bool run_pairs(
    struct session_loop *loop, const struct version_pair *pairs, size_t count, struct outcome *out, struct error *err) {
    for (size_t i = 0; i < count && session_goes_on(loop); i++) {
        struct json_object **records = &out->records[2 * i];
        loop->progress.current = either(&pairs[i])->name;
        session_tell(loop, NULL);
        bool ok = worker_run_pair(&loop->worker, &pairs[i], records, &loop->interrupted, err);
        if (ok && loop->session->retry) ok = repeat(loop, &pairs[i], records, err);
        for (int side = 0; ok && side < 2; side++)
            if (records[side]) session_judge(loop, records[side]);
        if (!ok || loop->interrupted) {
            for (int side = 0; side < 2; side++) json_object_put(records[side]);
            records[0] = records[1] = NULL;
            return ok;
        }
        session_did(loop, either(&pairs[i]));
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
    loop.progress.total = count;
    for (size_t i = 0; i < count; i++) session_expect(&loop, either(&pairs[i]));
    ok = ok && run_pairs(&loop, pairs, count, out, err);
    session_close(&loop, out, ok ? NULL : err);
    return ok;
}
