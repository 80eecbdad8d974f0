// SPDX-License-Identifier: Apache-2.0
#include "tried.h"

#include "../../base/names.h"
#include "../../device/device_info.h"
#include "../../record/cases.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../truth/stats/ratio.h"
#include "../../engine/supervise/supervise.h"
#include "../bench/known_peaks.h"
#include "../prepare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct versus {
    struct arena *arena;
    const struct options *options;
    const struct tried *both;
    struct prepared prepared;
    struct suite suite;
    const char *folders[2][2];
    struct kernels kernels[2];
    struct point points[2];
};

// Returns the record of the second result at the same dims; NULL: there is none that is right and timed.
static const struct record *same_size(const struct result *result, const struct record *record) {
    for (size_t i = 0; i < result->count; i++) {
        const struct record *other = &result->records[i];
        if (!other->peak && record_is_timed(other) && tried_same_size(other, record)) return other;
    }
    return NULL;
}

// Finds the largest size at which both are right. Returns false, with err, if there is none.
static bool choose(struct versus *v, struct error *err) {
    struct result results[2];
    const struct record *at[2] = {NULL, NULL};
    if (!result_read(v->both[0].result, &results[0], err)) return false;
    if (!result_read(v->both[1].result, &results[1], err)) {
        result_free(&results[0]);
        return false;
    }
    for (size_t i = 0; i < results[0].count; i++) {
        const struct record *record = &results[0].records[i];
        const bool own = record_is_timed(record) && !record->peak;
        const struct record *other = own ? same_size(&results[1], record) : NULL;
        if (other) at[0] = record, at[1] = other;
    }
    bool ok = at[0] || error_set(err, STATUS_NOTHING, "try: the shaders have no size at which both are right");
    for (int i = 0; ok && i < 2; i++)
        ok = point_parse(v->arena, &v->kernels[i], arena_copy(v->arena, at[i]->name), &v->points[i], err);
    for (int i = 0; i < 2; i++) result_free(&results[i]);
    return ok;
}

static bool prepare(struct versus *v, struct error *err) {
    for (int i = 0; i < 2; i++)
        if (!kernels_load(v->arena, &v->both[i].kernels, 1, &v->kernels[i], err)) return false;
    if (!choose(v, err) || !prepare_kernels(v->arena, v->options, &v->prepared, err) ||
        !prepare_suite(v->arena, &v->prepared, v->options->suite, &v->suite, err) ||
        !prepare_devices(v->arena, v->options, &v->prepared, err))
        return false;
    options_settings(v->options, &v->suite.settings);
    for (int i = 0; i < 2; i++) {
        v->folders[i][0] = v->both[i].kernels;
        v->folders[i][1] = arena_format(v->arena, "%s/kernels/include", v->prepared.home);
    }
    return true;
}

static const char *name_of(const struct tried *tried) {
    const char *slash = strrchr(tried->shader, '/');
    return slash ? slash + 1 : tried->shader;
}

static void say(const struct versus *v, const struct record records[2]) {
    const struct summary *a = &records[0].time[FIGURE_COMPUTE], *b = &records[1].time[FIGURE_COMPUTE];
    const double *a_ns = records[0].samples[FIGURE_COMPUTE], *b_ns = records[1].samples[FIGURE_COMPUTE];
    const char *why, *bits = records[0].check.output_hash == records[1].check.output_hash ? "same bits" : "other bits",
                     *size = records[1].name + strlen(records[1].kernel) + strlen(records[1].dtype) + 2;
    const int length = (int)strcspn(size, "/");
    double p = NAN;
    const bool paired = a_ns && b_ns && a->samples == b->samples;
    const struct ratio ratio = paired ? ratio_of_sessions(a_ns, b_ns, a->samples, &p) : ratio_of_medians(a, b);
    const enum verdict verdict = verdict_of_times(&ratio, p, v->options->effect, &why);
    const double low = fmin(1 / ratio.lo, 1 / ratio.hi), high = fmax(1 / ratio.lo, 1 / ratio.hi);
    const char *first = name_of(&v->both[0]), *second = name_of(&v->both[1]);
    if (verdict == VERDICT_FASTER)
        printf("%s is %.2f ± %.2f times faster than %s at %.*s, %s\n", second, 1 / ratio.value, (high - low) / 2, first,
            length, size, bits);
    else if (verdict == VERDICT_SLOWER)
        printf("%s is %.2f ± %.2f times faster than %s at %.*s, %s\n", first, ratio.value, (ratio.hi - ratio.lo) / 2,
            second, length, size, bits);
    else if (verdict == VERDICT_SAME)
        printf("%s and %s take the same time within %g %% at %.*s, %s\n", first, second, v->options->effect * 100,
            length, size, bits);
    else
        printf("Undecided at %.*s: %s takes %.2f to %.2f times as long as %s, %s\n", length, size, second, ratio.lo,
            ratio.hi, first, bits);
}

static bool measure(struct versus *v, struct error *err) {
    struct record records[2];
    const struct version_pair pair = {{&v->points[0], &v->points[1]}};
    const struct device_info *device = &v->prepared.devices[v->prepared.chosen[0]];
    struct outcome out = {0};
    struct session session = prepare_session(v->arena, &v->prepared, v->options, &v->suite, device);
    known_peaks_floor(v->arena, &v->prepared.kernels, &session);
    session.kernel_folder_count = 0;
    for (int i = 0; i < 2; i++) session.versions[i] = (struct version_files){v->folders[i], 2};
    session.effect = v->options->effect;
    session.retry = true;
    session.options.time = true;
    session.options.include_folders = &v->folders[1][1]; // for shaders measuring the device
    session.options.include_count = 1;
    session.context = prepare_context(v->arena, v->options, &v->suite, device);
    bool ok = supervise_pairs(v->arena, &session, &pair, 1, &out, err);
    for (size_t i = 0; ok && i < 2; i++) {
        ok = i < out.count && out.records[i] ? record_from_json(v->arena, out.records[i], &records[i], err)
                                             : error_set(err, STATUS_PARTIAL, "try: the run was interrupted");
        if (ok && records[i].status != RECORD_PASS)
            ok = error_set(err, STATUS_WRONG, "try: %s interleaved: %s", v->both[i].shader,
                records[i].reason ? records[i].reason : "it did not pass");
    }
    if (ok) say(v, records);
    for (size_t i = 0; i < out.count; i++) json_object_put(out.records[i]);
    json_object_put(out.context);
    return ok;
}

bool versus_say(struct arena *arena, const struct options *options, const struct tried both[2], struct error *err) {
    struct versus v = {.arena = arena, .options = options, .both = both};
    return prepare(&v, err) && measure(&v, err);
}
