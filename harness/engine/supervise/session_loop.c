// SPDX-License-Identifier: Apache-2.0
#include "session_loop.h"

#include "../../base/clock.h"
#include "signals.h"
#include "../../record/journal.h"
#include "../../record/device_key.h"
#include "../../device/device_info.h"

#include <math.h>
#include <string.h>

// A session obeys an interrupt within two seconds. The current point has this part of them to finish. SIGUSR1, sent
// by a batch system near its time limit, sets no limit on the current point.
static const int64_t finish_ns = 1500000000;

double session_elapsed_s(const struct session_loop *loop) {
    return (double)(clock_ns() - loop->start_ns) * 1e-9;
}

static double cost_of(const struct session_loop *loop, const struct point *point) {
    const struct session *session = loop->session;
    return runner_cost(point, &session->options, session->device);
}

void session_expect(struct session_loop *loop, const struct point *point) {
    loop->left.work += cost_of(loop, point);
}

void session_did(struct session_loop *loop, const struct point *point) {
    loop->left.worked += cost_of(loop, point);
}

// Returns the seconds left. The time for shaders that are still to be built is in proportion to their number.
static double left_now(struct session_loop *loop) {
    const struct worker_handle *worker = &loop->worker;
    const double built_s = (double)worker->prefill_ns * 1e-9, started_s = (double)worker->start_ns * 1e-9;
    const double to_build = (double)(loop->session->plan.count - worker->prefilled);
    const double building_s = worker->prefilled ? built_s / (double)worker->prefilled * to_build : 0;
    return time_left_now(&loop->left, session_elapsed_s(loop), built_s + started_s, building_s);
}

void session_tell(struct session_loop *loop, struct json_object *record) {
    const struct session *session = loop->session;
    struct progress *p = &loop->progress;
    p->record = record;
    p->elapsed_s = session_elapsed_s(loop);
    p->left_s = left_now(loop);
    double budget_s = session->budget_s - p->elapsed_s;
    if (session->budget_s > 0 && !(p->left_s < budget_s)) p->left_s = fmax(budget_s, 0);
    if (session->progress) session->progress(session->user, p);
}

static bool tick(void *user) {
    int64_t hurried = signals_hurried();
    if (hurried && clock_ns() - hurried > finish_ns) return false;
    struct session_loop *loop = user;
    pthread_mutex_lock(&loop->lock);
    session_tell(loop, NULL);
    pthread_mutex_unlock(&loop->lock);
    return true;
}

static const char *uuid_in(struct json_object *context) {
    return json_get_string(json_get(context, "device"), "device_uuid", "");
}

// Checks if an interrupted run may be resumed. It must have the same seed and device. If nothing is timed, a device
// like it will do.
static bool same_run(const struct session *session, struct json_object *context, struct error *err) {
    const char *then = json_get_string(json_get(context, "run"), "seed", "");
    const char *now = json_get_string(json_get(session->context, "run"), "seed", "");
    struct device_info device;
    struct error unknown;
    const char *what = "seed";
    if (strcmp(then, now) == 0) {
        then = uuid_in(context), now = uuid_in(session->context), what = "the device";
        const enum device_projection projection = session->options.time ? DEVICE_UNIT : DEVICE_MODEL_AND_BUILD;
        const struct device_key here = device_key(session->device, session->context);
        const bool known = device_from_json(json_get(context, "device"), &device, &unknown);
        if (known ? !device_key_difference(device_key(&device, context), here, projection) : strcmp(then, now) == 0)
            return true;
    }
    return error_set(err, STATUS_USAGE, "%s: is of a run with %s %s; it cannot be resumed with %s",
        session->journal_path, what, then, now);
}

static bool open_journal(
    struct session_loop *loop, struct arena *arena, struct json_object ***old, size_t *count, struct error *err) {
    const struct session *session = loop->session;
    if (!session->journal_path) {
        loop->context = json_object_get(session->context);
        return true;
    }
    if (!session->resume) {
        loop->journal = journal_create(session->journal_path, session->context, err);
        loop->context = json_object_get(session->context);
        return loop->journal != NULL;
    }
    loop->journal = journal_resume(session->journal_path, arena, &loop->context, old, count, err);
    if (!loop->journal) return false;
    if (same_run(session, loop->context, err) &&
        journal_goes_on_with(loop->journal, loop->context, uuid_in(session->context), err))
        return true;
    for (size_t i = 0; i < *count; i++) json_object_put((*old)[i]);
    return false;
}

bool session_open(struct session_loop *loop, struct session *session, struct arena *arena, struct json_object ***old,
    size_t *count, struct error *err) {
    *loop = (struct session_loop){.session = session,
        .start_ns = clock_ns(),
        .worker = {.session = session, .tick = tick, .user = loop},
        .lock = PTHREAD_MUTEX_INITIALIZER};
    *count = 0;
    signals_take(true);
    if (open_journal(loop, arena, old, count, err)) return true;
    json_object_put(loop->context);
    loop->context = NULL;
    return false;
}

void session_judge(const struct session_loop *loop, struct json_object *record) {
    estimate_judge(&loop->session->floors, loop->session->device->kind == DEVICE_CPU, record);
}

bool session_goes_on(struct session_loop *loop) {
    double budget_s = loop->session->budget_s;
    bool spent = budget_s > 0 && !loop->session->climbs && session_elapsed_s(loop) >= budget_s;
    loop->interrupted |= signals_interrupted();
    loop->out_of_budget |= spent && !loop->interrupted;
    return !loop->interrupted && !spent;
}

// Returns why the session did not finish its work; NULL if nothing is left.
static const char *why_cut_short(const struct outcome *out, const struct error *failed) {
    return !out->left           ? NULL
           : out->interrupted   ? "interrupted"
           : out->out_of_budget ? "the budget was spent"
           : failed             ? failed->text
                                : "the run ended early";
}

void session_close(struct session_loop *loop, struct outcome *out, const struct error *failed) {
    struct json_object *run = json_get(loop->context, "run");
    worker_dismiss(&loop->worker, signals_interrupted());
    signals_give_back();
    journal_close(loop->journal);
    out->context = loop->context;
    out->interrupted = loop->interrupted;
    out->out_of_budget = loop->out_of_budget;
    out->no_culprit = loop->worker.no_culprit;
    out->wall_s = session_elapsed_s(loop);
    if (run && loop->worker.losses) json_put(run, "lost_workers", json_object_get(loop->worker.losses));
    if (run) whole_put(run, why_cut_short(out, failed), (int64_t)out->left);
    json_object_put(loop->worker.losses);
    json_object_put(loop->session->context);
    loop->session->context = NULL;
}
