// SPDX-License-Identifier: Apache-2.0
// Builds shaders ahead of time, and finds the culprit points if a worker is lost meanwhile.
#include "worker_parts.h"

#include "../../base/clock.h"

#include <string.h>

// A batch of points for one worker, and its reports on each of them.
struct order {
    const struct point *points[RUNNER_PREFILL];
    bool begun[RUNNER_PREFILL], built[RUNNER_PREFILL];
    size_t count;
    size_t died; // the point named by the dying worker; `count`: none
    struct message answer;
};

// ---- requests

// Collects the next runnable points without a recorded loss; *to receives the first point not looked at.
static void take_orders(struct worker_handle *worker, size_t from, size_t end, struct order *order, size_t *to) {
    const struct plan *plan = &worker->session->plan;
    for (*to = from; *to < end && order->count < RUNNER_PREFILL; ++*to) {
        const struct point *point = &plan->points[*to];
        if (point->refused || worker_has_lost(worker, point)) continue;
        order->points[order->count++] = point;
    }
    order->died = order->count;
}

// Sends the batch and waits for an answer other than a note. Each note renews the time limit of one point.
static enum reply ask(struct worker_handle *worker, struct order *order) {
    worker_send(worker, MESSAGE_BUILD, order->points, order->count);
    for (;;) {
        size_t i;
        enum reply reply = worker_receive(worker, worker->session->point_timeout_s, &order->answer);
        if (reply != REPLY_LINE || !message_get_note(&order->answer, order->count, &i)) return reply;
        if (i == order->count) continue;
        if (order->answer.type == MESSAGE_DIED) order->died = i;
        order->begun[i] |= order->answer.type == MESSAGE_AT;
        order->built[i] |= order->answer.type == MESSAGE_BUILT;
    }
}

// ---- culprits

// Returns whether a worker of its own is lost to the point too; false also if no worker can be had.
static bool is_fatal_alone(struct worker_handle *worker, const struct point *point) {
    struct order alone = {.points = {point}, .count = 1, .died = 1};
    struct error err;
    char why[WORKER_WHY];
    if (!worker_start(worker, &err) || !worker->process.pid) return false;
    enum reply reply = ask(worker, &alone);
    bool ready = alone.answer.type == MESSAGE_READY;
    message_release(&alone.answer);
    if (ready) return false;
    worker_reap(worker, reply, 0, "", why);
    return reply != REPLY_STOPPED;
}

// Reduces *order to the possible culprits: the point named by the worker, else a point fatal by itself, else all
// points begun and not finished.
static void find_culprits(struct worker_handle *worker, struct order *order) {
    size_t suspects = 0;
    for (size_t i = 0; i < order->count; i++) {
        bool suspect = order->died < order->count ? i == order->died : order->begun[i] && !order->built[i];
        if (suspect) order->points[suspects++] = order->points[i];
    }
    order->count = suspects;
    for (size_t i = 0; suspects > 1 && i < suspects; i++) {
        if (!is_fatal_alone(worker, order->points[i])) continue;
        order->points[0] = order->points[i];
        order->count = 1;
        return;
    }
}

// Keeps the worker's record if the device was lost on a point. The worker is stopped; another one builds the rest.
static bool put_down_answer(struct worker_handle *worker, const struct order *order, struct error *said) {
    const char *name = message_get_name(&order->answer);
    size_t i = 0;
    while (i < order->count && strcmp(order->points[i]->name, name) != 0) i++;
    struct json_object *record =
        message_get_record(&order->answer, i < order->count ? order->points[i]->name : "", said);
    if (!record) return false;
    worker_stop(worker);
    json_put_string(record, "peak", order->points[i]->peak);
    worker_keep_lost(worker, order->points[i], record);
    return true;
}

// Blames the culprits for the lost worker. From then on nothing is built ahead, because it might be fatal again.
static void put_down_loss(struct worker_handle *worker, struct order *order, enum reply reply, const char *said) {
    char why[WORKER_WHY], reason[sizeof why + 120];
    worker_reap(worker, reply, worker->session->point_timeout_s, said, why);
    worker->one_by_one = true;
    find_culprits(worker, order);
    const struct point *first = order->count ? order->points[0] : NULL;
    if (order->count > 1)
        snprintf(reason, sizeof reason,
            "%s, while its shaders were built ahead, and %zu others: it may have been any of them", why,
            order->count - 1);
    else
        snprintf(reason, sizeof reason, "%s, while its shaders were built ahead", why);
    if (!first) worker_note_loss(worker, true, "while shaders were built ahead", why);
    worker_count_loss(
        worker, first ? first->kernel : NULL, why, first ? first->name : "while shaders were built ahead");
    for (size_t i = 0; i < order->count; i++)
        worker_keep_lost(worker, order->points[i],
            stand_in(
                worker->session, order->points[i], reply == REPLY_LATE ? RECORD_TIMEOUT : RECORD_CRASH, reason, NULL));
}

bool prebuild_build(struct worker_handle *worker, size_t first, size_t end) {
    struct order order = {0};
    struct error said = {0};
    if (worker->one_by_one || worker->session->climbs == CLIMB_EACH || first < worker->prefilled ||
        worker->session->options.validate)
        return true;
    take_orders(worker, first, end, &order, &worker->prefilled);
    if (order.count < 2) return true; // a batch of one gains nothing
    int64_t start = clock_ns();
    enum reply reply = ask(worker, &order);
    bool ready = order.answer.type == MESSAGE_READY;
    if (reply == REPLY_STOPPED)
        worker_stop(worker);
    else if (!ready && (reply != REPLY_LINE || !put_down_answer(worker, &order, &said)))
        put_down_loss(worker, &order, reply, said.text);
    message_release(&order.answer);
    worker->prefill_ns += clock_ns() - start;
    return ready || reply == REPLY_STOPPED;
}
