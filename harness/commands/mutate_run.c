// SPDX-License-Identifier: Apache-2.0
#include "mutate_run.h"

#include "../base/clock.h"
#include "../base/file.h"
#include "../base/fields.h"

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
    for (size_t i = 0; i < plan->count; i++) {
        const struct kernel *kernel = plan->points[i].kernel;
        size_t t = 0;
        if (kernel->probe) continue;
        while (t < run->target_count && run->targets[t].kernel != kernel) t++;
        if (t == run->target_count) {
            points[t] = arena_alloc(run->arena, plan->count - i, sizeof **points);
            run->targets[run->target_count++] = (struct mutant_target){.kernel = kernel, .points = points[t]};
        }
        points[t][run->targets[t].point_count++] = plan->points[i];
    }
}

// ---- a kernel in the result

static struct json_object *counts_of(const struct mutant_target *t, size_t counts[MUTANT_VERDICTS]) {
    struct json_object *out = json_object_new_object();
    for (size_t i = 0; i < t->mutant_count; i++) counts[t->mutants[i].verdict]++;
    for (int v = 0; v < MUTANT_VERDICTS; v++)
        json_put_int(out, mutant_verdict_name((enum mutant_verdict)v), (int64_t)counts[v]);
    return out;
}

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

static double score_of(const size_t counts[MUTANT_VERDICTS]) {
    size_t both = counts[MUTANT_KILLED] + counts[MUTANT_SURVIVED];
    return both ? (double)counts[MUTANT_KILLED] / (double)both : NAN;
}

static struct json_object *kernel_to_json(const struct mutate_run *run, struct mutant_target *t) {
    size_t counts[MUTANT_VERDICTS] = {0};
    struct json_object *out = json_object_new_object(), *mutants = json_object_new_array();
    json_put_string(out, "name", t->kernel->name);
    json_put_string(out, "operator", t->kernel->op->name);
    json_put_string(out, "family", t->kernel->op->family);
    json_put(out, "counts", counts_of(t, counts));
    json_put_double(out, "score", score_of(counts));
    json_put_double(out, "seconds", t->seconds);
    if (t->reason) json_put(out, "reason", json_text(t->reason));
    for (size_t i = 0; i < t->mutant_count; i++) {
        struct json_object *mutant = mutant_to_json(&t->mutants[i]);
        json_put(mutant, "replay", json_text(replay_line(&t->arena, run, t, &t->mutants[i])));
        json_object_array_add(mutants, mutant);
    }
    json_put(out, "mutants", mutants);
    return out;
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

// What makes lines of two runs belong together.
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
        return error_set(err, STATUS_USAGE, "%s: is of another device, seed or choice of mutants; expected %s",
            journal_path(run), json_object_to_json_string_ext(header, JSON_C_TO_STRING_PLAIN));
    }
    const char *name = number > 1 ? json_get_string(value, "name", NULL) : NULL;
    if (name) drop_target(run, name);
    if (name)
        json_object_array_add(run->kernels, value);
    else
        json_object_put(value); // the header, or what an interrupt left
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

// ---- as it goes

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

static void print_kernel(struct json_object *kernel) {
    struct json_object *mutants = json_get(kernel, "mutants");
    const char *reason = json_get_string(kernel, "reason", NULL);
    if (reason) printf("%s: no mutants: %s\n", json_get_string(kernel, "name", ""), reason);
    for (size_t i = 0; i < json_object_array_length(mutants); i++) {
        struct json_object *m = json_object_array_get_idx(mutants, i);
        const char *verdict = json_get_string(m, "verdict", "");
        if (strcmp(verdict, "killed") == 0) continue;
        printf("%s  %s\n    %s:%d: %s\n    %s\n    %s\n    %s\n", verdict, json_get_string(m, "name", ""),
            json_get_string(m, "file", ""), (int)json_get_int(m, "line", 0), json_get_string(m, "text", ""),
            json_get_string(m, "change", ""), json_get_string(m, "instruction", ""), json_get_string(m, "replay", ""));
        if (json_get_string(m, "reason", NULL)) printf("    %s\n", json_get_string(m, "reason", ""));
    }
    printf("%s: %s in %.1f s\n", json_get_string(kernel, "name", ""),
        json_object_to_json_string(json_get(kernel, "counts")), json_get_double(kernel, "seconds", 0));
}

bool mutate_finish(struct mutate_run *run, bool whole, enum status *status, struct error *err) {
    const char *path = arena_format(run->arena, "%s/mutants.json", run->folder);
    double seconds = (double)(clock_ns() - run->began_ns) * 1e-9;
    int64_t killed = count_of(run->kernels, "killed"), survived = count_of(run->kernels, "survived");
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\x1b[K");
    for (size_t i = 0; i < json_object_array_length(run->kernels); i++)
        print_kernel(json_object_array_get_idx(run->kernels, i));
    printf("killed %lld, survived %lld, unseen %lld: score %.3f; %.1f s\n", (long long)killed, (long long)survived,
        (long long)count_of(run->kernels, "unseen"), (double)killed / (double)(killed + survived), seconds);
    double score = killed + survived ? (double)killed / (double)(killed + survived) : NAN;
    if (!json_object_array_length(run->kernels)) *status = STATUS_NOTHING;
    if (!whole) *status = STATUS_PARTIAL;
    if (score < run->options->least_score) *status = STATUS_WRONG;
    json_put(run->context, "kernels", json_object_get(run->kernels));
    return json_write(path, run->context, true, err);
}
