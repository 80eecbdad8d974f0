// SPDX-License-Identifier: Apache-2.0
#include "interleave.h"
#include "launch_target.h"

#include "../../base/hash.h"
#include "series.h"

#include <math.h>

void interleave_drop(struct gpu *gpu, struct ready *ready) {
    if (!ready->key) return;
    work_destroy(gpu, ready->sampler.work);
    launch_release(gpu, &ready->launch);
    *ready = (struct ready){0};
}

void interleave_close(struct interleave *interleave, struct gpu *gpu) {
    for (int i = 0; i < INTERLEAVE_KEPT; i++) interleave_drop(gpu, &interleave->ready[i]);
    interleave->interval = (struct shared_interval){0};
}

struct ready *interleave_find(struct interleave *interleave, struct gpu *gpu, const struct point *point,
    const struct problem *problem, const struct built *built, bool *made, struct error *err) {
    uint64_t key = hash_bytes(hash_string(HASH_START, point->name), &built->serial, sizeof built->serial);
    struct ready *place = &interleave->ready[0];
    *made = false;
    for (int i = 0; i < INTERLEAVE_KEPT; i++) {
        struct ready *ready = &interleave->ready[i];
        if (ready->key == key) {
            ready->last_used = ++interleave->uses;
            return ready;
        }
        if (ready->last_used < place->last_used) place = ready;
    }
    interleave_drop(gpu, place);
    // Prepared in place, because bindings of a launch point at its own scratch buffers.
    bool ok = launch_prepare(gpu, point, problem, built, &place->launch, err);
    if (!ok && err->kind == ERROR_OUT_OF_MEMORY) { // scratch buffers of other points may use up the memory
        interleave_close(interleave, gpu);
        ok = launch_prepare(gpu, point, problem, built, &place->launch, err);
    }
    if (!ok) {
        *place = (struct ready){0};
        return NULL;
    }
    place->key = key;
    place->last_used = ++interleave->uses;
    *made = true;
    return place;
}

bool interleave_prepare(
    struct interleave *interleave, const struct timing_settings *settings, struct ready *ready, struct error *err) {
    struct timing_settings own = *settings;
    own.shared = &interleave->interval;
    if (!(interleave->submit_ns > 0) &&
        !series_submission(settings->device, settings->timeout_s, NULL, &interleave->submit_ns, err))
        return false;
    own.submit_ns = interleave->submit_ns;
    ready->sampler = (struct sampler){.target = launch_target(&ready->launch)};
    return timing_prepare(&own, &ready->sampler, err) && timing_warm_up(&own, &ready->sampler, err);
}

bool interleave_take(struct interleave *interleave, const struct timing_settings *settings, struct ready *ready,
    double *ns, struct error *err) {
    struct timing_settings own = *settings;
    own.shared = &interleave->interval;
    if (!timing_lengthen(&own, &ready->sampler, err) || !timing_take(&own, &ready->sampler, ns, err)) return false;
    ready->fastest_ns = ready->samples++ ? fmin(ready->fastest_ns, *ns) : *ns;
    return true;
}

double interleave_others(const struct interleave *interleave, const struct ready *ready) {
    double fastest = INFINITY;
    for (int i = 0; i < INTERLEAVE_KEPT; i++)
        if (&interleave->ready[i] != ready && interleave->ready[i].samples)
            fastest = fmin(fastest, interleave->ready[i].fastest_ns);
    return fastest;
}
