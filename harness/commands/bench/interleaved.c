// SPDX-License-Identifier: Apache-2.0
#include "interleaved.h"

#include "../../base/file.h"
#include "../../shader/manifest/kernel.h"
#include "../../record/cases.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../engine/supervise/supervise.h"
#include "../prepare.h"
#include "kernel_archive.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

struct interleaved_measuring {
    struct arena *arena;
    const struct bench_run *run;
    struct prepared prepared;
    struct suite suite;
    struct version_files files[2]; // base, head
    struct kernels kernels[2];
    struct version_pair *pairs;
    size_t count;
};

// ---- the points

// Returns whether a point was timed in both results and has other sources now. A baseline of a busy host hides that it
// became slower, whatever its verdict.
static bool is_changed(const struct compared_point *point) {
    return record_is_timed(point->base) && record_is_timed(point->new) &&
           point->base->source_hash != point->new->source_hash;
}

// Returns the names of slower, faster, undecided and changed points in the arena. A comparison has the largest
// differences first.
static const char **points_due(struct arena *arena, const struct comparison *c, size_t *count) {
    const char **names = arena_alloc(arena, c->count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct compared_point *point = &c->points[i];
        const bool both = point->base && point->new;
        const bool differs = point->verdict == VERDICT_SLOWER || point->verdict == VERDICT_FASTER;
        if (both && (differs || point->undecided || is_changed(point)))
            names[(*count)++] = arena_copy(arena, point->name);
    }
    return names;
}

static bool pair_up(
    struct interleaved_measuring *m, const char *const *names, size_t count, struct compare_interleaved *interleaved) {
    struct error ignored;
    m->pairs = arena_alloc(m->arena, count + 1, sizeof *m->pairs);
    for (size_t i = 0; i < count && m->count < INTERLEAVED_MOST; i++) {
        struct point *sides = arena_alloc(m->arena, 2, sizeof *sides);
        bool both = true;
        for (int v = 0; v < 2; v++) both &= point_parse(m->arena, &m->kernels[v], names[i], &sides[v], &ignored);
        if (both) m->pairs[m->count++] = (struct version_pair){{&sides[0], &sides[1]}};
    }
    interleaved->left = count - m->count;
    return m->count > 0;
}

// ---- both versions of the kernels, in folders of their own

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where) {
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

// Both versions are read from unpacked archives, so they differ only in their files.
static bool unpack(
    struct interleaved_measuring *m, const char *base, const char *id, const char *folder, struct error *err) {
    const char *head = arena_format(m->arena, "%s/head.kernels", folder);
    return archive_unpack(
               m->arena, base, id, arena_format(m->arena, "%s/base", folder), &m->files[0], &m->kernels[0], err) &&
           archive_write(m->arena, head, id, m->run->options, m->run->kernels, err) &&
           archive_unpack(
               m->arena, head, id, arena_format(m->arena, "%s/head", folder), &m->files[1], &m->kernels[1], err);
}

// ---- measuring

static void say_point(void *user, const struct progress *p) {
    const char **last = user;
    if (*last != p->current) fprintf(stderr, "interleaved: %s\n", p->current);
    *last = p->current;
}

static bool measure(struct interleaved_measuring *m, struct outcome *out, struct error *err) {
    const struct options *options = m->run->options;
    const char *last = NULL;
    if (!prepare_kernels(m->arena, options, &m->prepared, err) ||
        !prepare_suite(m->arena, &m->prepared, options->suite ? options->suite : "gate", &m->suite, err))
        return false;
    options_settings(options, &m->suite.settings);
    struct session session = prepare_session(m->arena, &m->prepared, options, &m->suite, m->run->device);
    session.kernel_folder_count = 0; // only the versions' own folders
    for (int v = 0; v < 2; v++) session.versions[v] = m->files[v];
    session.effect = options->effect;
    session.retry = true;
    session.budget_s = INTERLEAVED_SECONDS;
    session.context = prepare_context(m->arena, options, &m->suite, m->run->device);
    session.progress = options->quiet ? NULL : say_point;
    session.user = &last;
    session.options.time = true;
    session.options.threads = options->jobs;
    session.options.include_folders = m->files[1].folders + 1; // for shaders measuring the device
    session.options.include_count = m->files[1].count - 1;
    return supervise_pairs(m->arena, &session, m->pairs, m->count, out, err);
}

// ---- taking the times over

static struct record *record_named(struct result *result, const char *name) {
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->records[i].name, name) == 0) return &result->records[i];
    return NULL;
}

// Takes over the compute times and the conditions that compare reads beside them.
static void take_times(struct record *to, const struct record *from) {
    to->time[FIGURE_COMPUTE] = from->time[FIGURE_COMPUTE];
    to->samples[FIGURE_COMPUTE] = from->samples[FIGURE_COMPUTE];
    to->clock = from->clock;
    to->cache = from->cache;
    to->drift = from->drift;
    to->throttled = from->throttled;
    to->shader_clock_hz = from->shader_clock_hz;
    to->host_load = from->host_load;
    to->host_steal = from->host_steal;
}

// A base that is not right now was measured in vain, and its point stays as it was.
static bool take(struct interleaved_measuring *m, const struct outcome *out, struct result *results[2],
    struct compare_interleaved *interleaved, struct error *err) {
    for (size_t i = 0; i < m->count; i++) {
        struct record pair[2];
        const char *name = m->pairs[i].sides[1]->name;
        bool got = true;
        for (int v = 0; v < 2; v++) {
            struct json_object *json = out->records[2 * i + (size_t)v];
            if (json && !record_from_json(m->arena, json, &pair[v], err)) return false;
            got &= json != NULL;
        }
        struct record *base = record_named(results[0], name), *new = record_named(results[1], name);
        got = got && base && new;
        const bool timed = got && pair[0].status == RECORD_PASS && pair[1].status == RECORD_PASS &&
                           pair[0].time[FIGURE_COMPUTE].samples && pair[1].time[FIGURE_COMPUTE].samples;
        if (got && pair[1].status != RECORD_PASS && pair[1].status != RECORD_SKIP) {
            pair[1].replay = new->replay; // that of the user's folder
            *new = pair[1];
        }
        interleaved->left += !timed;
        if (!timed) continue;
        take_times(base, &pair[0]);
        take_times(new, &pair[1]);
        names_put(&interleaved->points, name, strlen(name), interleaved->points.count);
    }
    return true;
}

static bool measure_and_take(struct interleaved_measuring *m, struct result *results[2],
    struct compare_interleaved *interleaved, struct error *err) {
    struct outcome out = {0};
    bool ok = measure(m, &out, err) && take(m, &out, results, interleaved, err);
    for (size_t i = 0; i < out.count; i++) json_object_put(out.records[i]);
    json_object_put(out.context);
    return ok;
}

bool interleaved_measure(struct arena *arena, const struct bench_run *run, const struct compare_pair *pair,
    struct result *base, struct result *new, struct compare_interleaved *interleaved, struct error *err) {
    struct comparison comparison;
    struct interleaved_measuring m = {.arena = arena, .run = run};
    struct result *results[2] = {base, new};
    size_t count;
    if (!compare_quietly(pair, run->options, &comparison, err)) return false;
    const char **names = points_due(arena, &comparison, &count);
    const bool wrong = comparison.verdicts[VERDICT_WRONG] > 0;
    comparison_free(&comparison);
    if (!count || wrong) return true;
    const char *archive = archive_path(arena, pair->base_path);
    interleaved->left = count;
    if (!file_exists(archive)) {
        interleaved->why = "the baseline has no kernels to measure; `vkassay gate --save-baseline` stores them";
        return true;
    }
    const char *folder = file_temporary_folder(arena, "gate");
    if (!folder) return error_set(err, STATUS_FAULT, "no folder for the baseline's kernels: %s", strerror(errno));
    bool ok = unpack(&m, archive, archive_id(arena, base), folder, err);
    if (ok && pair_up(&m, names, count, interleaved)) ok = measure_and_take(&m, results, interleaved, err);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return ok;
}
