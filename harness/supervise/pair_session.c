// SPDX-License-Identifier: Apache-2.0
// Pairs of two versions' points, for ab.
#include "session_loop.h"

static void drop(struct json_object *records[2]) {
    for (int i = 0; i < 2; i++) json_object_put(records[i]);
    records[0] = records[1] = NULL;
}

static bool run_pairs(
    struct session_loop *loop, const struct version_pair *pairs, size_t count, struct outcome *out, struct error *err) {
    for (size_t i = 0; i < count && session_goes_on(loop); i++) {
        struct json_object **records = &out->records[2 * i];
        loop->progress.current = (pairs[i].sides[1] ? pairs[i].sides[1] : pairs[i].sides[0])->name;
        session_tell(loop, NULL);
        bool ok = worker_run_pair(&loop->worker, &pairs[i], records, &loop->interrupted, err);
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
