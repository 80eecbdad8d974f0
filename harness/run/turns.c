// SPDX-License-Identifier: Apache-2.0
#include "turns.h"

#include "../base/hash.h"
#include "../stats/summary.h"

#include <math.h>
#include <string.h>

static const double longest_led_ns = 1e6; // a dispatch so long warms itself up
enum { EMPTY_RUNS = 7 };

void turns_drop(struct gpu *gpu, struct ready *ready) {
    if (!ready->key) return;
    if (ready->work) work_destroy(gpu, ready->work);
    launch_release(gpu, &ready->launch);
    *ready = (struct ready){0};
}

void turns_close(struct turns *turns, struct gpu *gpu) {
    for (int i = 0; i < TURNS_KEPT; i++) turns_drop(gpu, &turns->ready[i]);
}

struct ready *turns_find(struct turns *turns, struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, bool *made, struct error *err) {
    uint64_t key = hash_bytes(hash_string(HASH_START, point->name), &built->serial, sizeof built->serial);
    struct ready *place = &turns->ready[0];
    *made = false;
    for (int i = 0; i < TURNS_KEPT; i++) {
        struct ready *ready = &turns->ready[i];
        if (ready->key == key) {
            ready->last_used = ++turns->uses;
            return ready;
        }
        if (ready->last_used < place->last_used) place = ready;
    }
    turns_drop(gpu, place);
    // Made in place: bindings of a launch point at its own scratch buffers.
    bool ok = launch_prepare(gpu, point, problem, built, &place->launch, err);
    if (!ok && err->kind == ERROR_OUT_OF_MEMORY) { // scratch of the others may be in the way
        turns_close(turns, gpu);
        ok = launch_prepare(gpu, point, problem, built, &place->launch, err);
    }
    if (!ok) {
        *place = (struct ready){0};
        return NULL;
    }
    place->key = key;
    place->last_used = ++turns->uses;
    *made = true;
    return place;
}

// What an empty submission costs, which intervals by the host's clock hold too.
static bool time_submission(
    struct turns *turns, struct gpu *gpu, struct work *work, double timeout_s, struct error *err) {
    double values[EMPTY_RUNS];
    if (!work_begin(gpu, work, err) || !work_end(gpu, work, err)) return false;
    for (int i = 0; i < EMPTY_RUNS; i++) {
        int64_t ns = 0;
        if (!work_run(gpu, work, timeout_s, &ns, NULL, err)) return false;
        values[i] = (double)ns;
    }
    turns->timer = (struct timer){.name = "gpu", .submit_ns = summarize(values, EMPTY_RUNS).median};
    return true;
}

bool turns_prepare(struct turns *turns, struct gpu *gpu, struct ready *ready, const struct buffer *flush,
    double most_ns, double timeout_s, struct error *err) {
    double first, second;
    ready->interval = (struct interval){.repeats = 1, .flush = flush};
    ready->work = work_create(gpu, 2, err);
    if (!ready->work) return false;
    if (!turns->timer.name && !time_submission(turns, gpu, ready->work, timeout_s, err)) return false;
    if (!interval_record(gpu, ready->work, &ready->launch, &ready->interval, err) ||
        !turns_take(turns, gpu, ready, timeout_s, &first, err) ||
        !turns_take(turns, gpu, ready, timeout_s, &second, err))
        return false;
    double one_ns = fmin(first, second);
    if (!flush) ready->interval.repeats = interval_repeats(gpu_info(gpu), one_ns, most_ns);
    ready->interval.lead = !flush && one_ns < longest_led_ns;
    return interval_record(gpu, ready->work, &ready->launch, &ready->interval, err);
}

bool turns_take(
    struct turns *turns, struct gpu *gpu, struct ready *ready, double timeout_s, double *ns, struct error *err) {
    return interval_run(gpu, ready->work, &ready->interval, timeout_s, &turns->timer, ns, err);
}
