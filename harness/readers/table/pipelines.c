// SPDX-License-Identifier: Apache-2.0
#include "pipelines.h"

#include "../../base/names.h"
#include "../../record/figures.h"
#include "../../record/record.h"
#include "../../record/terms.h"
#include "../../record/result_set.h"
#include "../../record/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_spills(const void *a, const void *b) {
    const struct pipeline *p = a, *q = b;
    if (p->spills != q->spills) return p->spills < q->spills ? 1 : -1;
    if (p->grew != q->grew) return p->grew < q->grew ? 1 : -1;
    return strcmp(p->any->name, q->any->name);
}

// Returns the name of a record's pipeline, or of all pipelines of its kernel and type.
static const char *name_of(struct pipelines *p, const struct record *record, bool any_shape) {
    return arena_format(&p->arena, "%s/%s/%s", record->kernel, record->dtype ? record->dtype : "",
        any_shape ? "" : record_shape(record));
}

static struct pipeline *find(struct pipelines *p, struct names *names, const struct record *record) {
    const char *name = name_of(p, record, false);
    const size_t at = names_put(names, name, strlen(name), p->count);
    if (at == p->count)
        p->items[p->count++] = (struct pipeline){.any = record,
            .of = arena_alloc(&p->arena, p->device_count, sizeof(struct record *)),
            .before = arena_alloc(&p->arena, p->device_count, sizeof(struct record *))};
    return &p->items[at];
}

static void find_devices(struct pipelines *p, const struct result *results, size_t count) {
    struct result_group *groups;
    p->device_count = result_groups(results, count, DEVICE_UNIT, &p->arena, &groups);
    p->devices = arena_alloc(&p->arena, p->device_count + 1, sizeof *p->devices);
    for (size_t d = 0; d < p->device_count; d++) {
        p->devices[d].result = &results[groups[d].places[0]];
        if (groups[d].count > 1) p->devices[d].before = &results[groups[d].places[1]];
    }
}

// Finds each pipeline in the result before: the same shape, or any if the kernel's shape has changed.
static void find_before(struct pipelines *p, size_t device) {
    const struct result *before = p->devices[device].before;
    struct names names = {0};
    for (size_t i = 0; before && i < before->count; i++)
        for (int any = 0; any <= 1; any++) {
            const char *name = name_of(p, &before->records[i], any);
            names_put(&names, name, strlen(name), i);
        }
    for (size_t i = 0; before && i < p->count; i++)
        for (int any = 0; any <= 1 && !p->items[i].before[device]; any++) {
            const char *name = name_of(p, p->items[i].any, any);
            const size_t at = names_get(&names, name, strlen(name));
            if (at != NAMES_NONE) p->items[i].before[device] = &before->records[at];
        }
    names_free(&names);
}

double pipeline_growth(const struct pipeline *pipeline, size_t device) {
    const struct record *now = pipeline->of[device], *before = pipeline->before[device];
    const double grew = now && before ? code_figure(now, CODE_SPILLS) - code_figure(before, CODE_SPILLS) : 0;
    return isfinite(grew) ? grew : 0;
}

static void find_most(struct pipelines *p, struct pipeline *pipeline) {
    for (size_t d = 0; d < p->device_count; d++) {
        const struct record *record = pipeline->of[d];
        if (!record) continue;
        const double spills = code_figure(record, CODE_SPILLS);
        pipeline->spills = fmax(pipeline->spills, spills);
        p->devices[d].most_spills = fmax(p->devices[d].most_spills, spills);
        pipeline->grew = fmax(pipeline->grew, pipeline_growth(pipeline, d));
        p->devices[d].most_waves = fmax(p->devices[d].most_waves, code_figure(record, CODE_WAVES));
    }
}

void pipelines_make(struct pipelines *out, const struct result *results, size_t count) {
    struct names names = {0};
    size_t room = 0;
    *out = (struct pipelines){0};
    for (size_t r = 0; r < count; r++) room += results[r].count;
    find_devices(out, results, count);
    out->items = arena_alloc(&out->arena, room + 1, sizeof *out->items);
    for (size_t d = 0; d < out->device_count; d++) {
        const struct result *result = out->devices[d].result;
        for (size_t i = 0; i < result->count; i++) find(out, &names, &result->records[i])->of[d] = &result->records[i];
    }
    for (size_t d = 0; d < out->device_count; d++) find_before(out, d);
    names_free(&names);
    for (size_t i = 0; i < out->count; i++) find_most(out, &out->items[i]);
    if (out->count) qsort(out->items, out->count, sizeof *out->items, by_spills);
    while (out->spilling < out->count && out->items[out->spilling].spills > 0) out->spilling++;
}

struct pipeline_counts pipelines_count(const struct result *result) {
    struct pipeline_counts counts = {0};
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const double spills = code_figure(record, CODE_SPILLS);
        counts.reports_spills |= !isnan(spills);
        counts.compiled += record->status == RECORD_COMPILED;
        counts.spill += record->status == RECORD_COMPILED && spills > 0;
        counts.explained += record->status == RECORD_COMPILED && spills > 0 && record->reason;
        counts.skipped += record->status == RECORD_SKIP;
        counts.failed += record->status >= RECORD_ERROR && record->status != RECORD_COMPILED;
    }
    return counts;
}

void pipelines_free(struct pipelines *pipelines) {
    arena_free(&pipelines->arena);
}
