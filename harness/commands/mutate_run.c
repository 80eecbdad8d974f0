// SPDX-License-Identifier: Apache-2.0
#include "mutate_run.h"

#include "../base/clock.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/fields.h"
#include "../render/render.h"
#include "../../reference/operator.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void mutate_group(struct mutate_run *run, const struct plan *plan) {
    run->began_ns = clock_ns();
    run->kernels = json_object_new_array();
    run->targets = arena_alloc(run->arena, plan->count + 1, sizeof *run->targets);
    struct point **points = arena_alloc(run->arena, plan->count + 1, sizeof *points);
    const struct shard *shard = &run->options->shard;
    for (size_t i = 0; i < plan->count; i++) {
        const struct kernel *kernel = plan->points[i].kernel;
        size_t t = 0;
        if (kernel->probe) continue;
        const uint64_t hash = hash_string(HASH_START, kernel->name); // a kernel is in one shard
        if (shard->count && hash % (uint64_t)shard->count != (uint64_t)shard->index - 1) continue;
        while (t < run->target_count && run->targets[t].kernel != kernel) t++;
        if (t == run->target_count) {
            points[t] = arena_alloc(run->arena, plan->count - i, sizeof **points);
            run->targets[run->target_count++] = (struct mutant_target){.kernel = kernel, .points = points[t]};
        }
        if (!plan->points[i].refused)
            points[t][run->targets[t].point_count++] = plan->points[i];
        else if (!run->targets[t].reason)
            run->targets[t].reason = refusal_text(run->arena, plan->points[i].refused);
    }
    for (size_t t = 0; t < run->target_count; t++)
        if (run->targets[t].point_count) run->targets[t].reason = NULL;
}

// ---- a kernel in the result

static const char *replay_line(
    struct arena *arena, const struct mutate_run *run, const struct mutant_target *t, const struct mutant *mutant) {
    struct text line = {0};
    const struct kernel *kernel = t->kernel;
    text_format(&line, "vkassay mutate ");
    if (kernel->given) {
        text_append(&line, kernel->alone ? "--only " : "--kernels ");
        text_shell_word(&line, kernel->given);
        text_append(&line, " ");
    }
    text_shell_word(&line, kernel->name);
    text_append(&line, " --mutant ");
    text_shell_word(&line, mutant->name);
    text_format(&line, " --seed %llu", (unsigned long long)run->options->run.seed);
    return arena_take(arena, &line);
}

// Returns the source files of surviving mutants.
static struct json_object *sources_of(struct mutant_target *t) {
    struct json_object *out = json_object_new_object();
    for (size_t i = 0; i < t->mutant_count; i++) {
        const struct mutant *m = &t->mutants[i];
        struct error ignored;
        if (m->verdict != MUTANT_SURVIVED || !m->path || !*m->path || json_get(out, m->file)) continue;
        const char *text = file_read(&t->arena, m->path, NULL, &ignored);
        if (text) json_put(out, m->file, json_text(text));
    }
    return out;
}

static struct json_object *kernel_to_json(const struct mutate_run *run, struct mutant_target *t) {
    struct mutated_kernel out = {.name = t->kernel->name,
        .operator= t->kernel->op->name,
        .family = t->kernel->op->family,
        .seconds = t->seconds,
        .reason = t->reason,
        .caveat = t->caveat,
        .mutants = t->mutants,
        .mutant_count = t->mutant_count,
        .sources = sources_of(t)};
    for (size_t i = 0; i < t->mutant_count; i++) {
        out.counts[t->mutants[i].verdict]++;
        t->mutants[i].replay = replay_line(&t->arena, run, t, &t->mutants[i]);
    }
    const size_t killed = out.counts[MUTANT_KILLED], both = killed + out.counts[MUTANT_SURVIVED];
    out.score = both ? (double)killed / (double)both : NAN;
    struct json_object *json = mutated_kernel_to_json(&out);
    json_object_put(out.sources);
    return json;
}

// ---- the journal

static const char *journal_path(const struct mutate_run *run) {
    return arena_format(run->arena, "%s/mutants.jsonl", run->folder);
}

static bool append(const struct mutate_run *run, struct json_object *line, struct error *err) {
    const char *path = journal_path(run);
    FILE *file = fopen(path, "a");
    if (!file) return error_set(err, STATUS_FAULT, "%s: %s", path, strerror(errno));
    bool ok = fprintf(file, "%s\n", json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN)) > 0;
    return (fclose(file) == 0 && ok) || error_set(err, STATUS_FAULT, "%s: %s", path, strerror(errno));
}

// Returns the journal's first line. Two runs belong together if it is equal.
static struct json_object *header_of(const struct mutate_run *run, const struct mutant_request *request) {
    struct json_object *out = json_object_new_object(), *only = json_object_new_array();
    for (size_t i = 0; i < request->only_count; i++) json_object_array_add(only, json_text(request->only[i]));
    json_put_string(out, "device", json_get_string(json_get(run->context, "device"), "name", ""));
    json_put(out, "seed", json_object_new_uint64(request->seed));
    json_put_int(out, "count", request->count);
    json_put(out, "operations", only);
    json_put_string(out, "mutant", request->named);
    return out;
}

static void drop_target(struct mutate_run *run, const char *name) {
    for (size_t i = 0; i < run->target_count; i++) {
        if (strcmp(run->targets[i].kernel->name, name) != 0) continue;
        memmove(&run->targets[i], &run->targets[i + 1], (run->target_count - i - 1) * sizeof *run->targets);
        run->target_count--;
        return;
    }
}

static bool take_line(struct mutate_run *run, struct json_object *header, const char *line, size_t length,
    size_t number, struct error *err) {
    struct json_object *value = json_parse(line, length);
    if (number == 1 && !json_object_equal(value, header)) {
        json_object_put(value);
        return error_set(err, STATUS_USAGE,
            "%s: this run has a different device, seed or choice of mutants; expected %s", journal_path(run),
            json_object_to_json_string_ext(header, JSON_C_TO_STRING_PLAIN));
    }
    const char *name = number > 1 ? json_get_string(value, "name", NULL) : NULL;
    if (name) drop_target(run, name);
    if (name)
        json_object_array_add(run->kernels, value);
    else
        json_object_put(value); // the header, or a line cut by an interrupt
    return true;
}

bool mutate_resume(struct mutate_run *run, const struct mutant_request *request, struct error *err) {
    struct json_object *header = header_of(run, request);
    size_t length, number = 0;
    bool there = file_exists(journal_path(run)), ok = there || append(run, header, err);
    const char *at = there ? file_read(run->arena, journal_path(run), &length, err) : "";
    if (!at) ok = false;
    while (ok && *at) {
        size_t line = strcspn(at, "\n");
        ok = take_line(run, header, at, line, ++number, err);
        at += line + (at[line] == '\n');
    }
    json_object_put(header);
    return ok;
}

// ---- progress

void mutate_done(void *user, struct mutant_target *t) {
    struct mutate_run *run = user;
    struct error err = {0};
    struct json_object *kernel = kernel_to_json(run, t);
    json_object_array_add(run->kernels, kernel);
    if (!append(run, kernel, &err)) fprintf(stderr, "vkassay: %s\n", err.text);
}

void mutate_progress(void *user, const struct mutant_target *t, size_t mutants, size_t targets) {
    const struct mutate_run *run = user;
    double minutes = (double)(clock_ns() - run->began_ns) / 60e9;
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\x1b[K[%zu/%zu kernels] %zu mutants, %.0f a minute  %s", targets, run->target_count, mutants,
        (double)mutants / minutes, t->kernel->name);
}

void mutate_release(struct mutate_run *run) {
    for (size_t i = 0; i < run->target_count; i++) arena_free(&run->targets[i].arena);
    json_object_put(run->context);
    json_object_put(run->kernels);
}

// ---- the end

static int64_t count_of(struct json_object *kernels, const char *verdict) {
    int64_t sum = 0;
    for (size_t i = 0; i < json_object_array_length(kernels); i++)
        sum += json_get_int(json_get(json_object_array_get_idx(kernels, i), "counts"), verdict, 0);
    return sum;
}

bool mutate_finish(struct mutate_run *run, bool whole, enum status *status, struct error *err) {
    const char *path = arena_format(run->arena, "%s/mutants.json", run->folder);
    const char *templates = arena_format(run->arena, "%s/reports", run->prepared.home);
    int64_t killed = count_of(run->kernels, "killed"), survived = count_of(run->kernels, "survived");
    const double wall_s = (double)(clock_ns() - run->began_ns) * 1e-9;
    mutants_end_add(run->context, &(struct mutants_end){run->kernels, wall_s, whole, run->jobs});
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\x1b[K");
    if (!json_write(path, run->context, true, err) || !render_mutants_markdown(run->context, run->folder, err) ||
        !render_mutants_page(run->context, run->folder, templates, err))
        return false;
    if (run->options->json)
        puts(json_object_to_json_string_ext(run->context, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    else
        render_mutants(run->context, stdout, 0);
    if (!run->options->json) printf("Result  %s\nPage    %s/mutants.html\n", path, run->folder);
    double score = killed + survived ? (double)killed / (double)(killed + survived) : NAN;
    const bool any = killed || survived || count_of(run->kernels, "unseen") || count_of(run->kernels, "equivalent");
    if (!any) *status = STATUS_NOTHING;
    if (!whole) *status = STATUS_PARTIAL;
    if (score < run->options->least_score) *status = STATUS_WRONG;
    return true;
}
