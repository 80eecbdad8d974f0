// SPDX-License-Identifier: Apache-2.0
#include "mutate_run.h"

#include "../base/file.h"
#include "../base/fields.h"
#include "../base/hash.h"
#include "../base/names.h"
#include "../base/parallel.h"
#include "../readers/render/render.h"
#include "../../reference/operator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STANDARD_COUNT = 40 };

void mutate_group(struct mutate_run *run, const struct plan *plan) {
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
            run->targets[run->target_count++] = (struct mutate_target){.kernel = kernel, .points = points[t]};
        }
        if (!plan->points[i].refused)
            points[t][run->targets[t].point_count++] = plan->points[i];
        else if (!run->targets[t].reason)
            run->targets[t].reason = refusal_text(run->arena, plan->points[i].refused);
    }
    for (size_t t = 0; t < run->target_count; t++)
        if (run->targets[t].point_count) run->targets[t].reason = NULL;
}

// ---- the plan

struct choosing {
    struct mutate_run *run;
    const struct device_info *device;
    const struct run_options *options;
};

static void choose(void *context, int64_t first, int64_t count) {
    const struct choosing *c = context;
    const struct options *options = c->run->options;
    struct mutate_target *t = &c->run->targets[first];
    struct error err;
    const struct mutant_request request = {.points = t->points,
        .point_count = t->point_count,
        .seed = options->run.seed,
        .count = options->all     ? 0
                 : options->count ? options->count
                                  : STANDARD_COUNT,
        .only = options->operations.items,
        .only_count = options->operations.count,
        .named = options->mutant};
    (void)count;
    if (t->reason || mutant_list_make(&t->arena, c->device, c->options, &request, &t->list, &err)) return;
    t->reason = arena_copy(&t->arena, err.text);
    t->list.count = 0;
}

void mutate_choose(
    struct mutate_run *run, const struct device_info *device, const struct run_options *options, struct plan *plan) {
    struct choosing c = {run, device, options};
    size_t count = 0;
    parallel_each((int64_t)run->target_count, choose, &c);
    for (size_t t = 0; t < run->target_count; t++) count += run->targets[t].list.count;
    *plan = (struct plan){.points = arena_alloc(run->arena, count + 1, sizeof *plan->points)};
    struct mutant_of *mutants = arena_alloc(run->arena, count + 1, sizeof *mutants);
    const char **names = arena_alloc(run->arena, count + 1, sizeof *names);
    for (size_t t = 0; t < run->target_count; t++) {
        struct mutate_target *target = &run->targets[t];
        target->set = (struct mutant_set){target->points, target->point_count, names + plan->count, 0};
        for (size_t i = 0; i < target->list.count; i++) {
            const struct mutant *m = &target->list.items[i];
            if (m->outcome.verdict == MUTANT_INVALID) continue;
            names[plan->count] = m->name;
            mutants[plan->count] = (struct mutant_of){m->name, &target->set};
            plan->points[plan->count] = point_of_mutant(run->arena, &mutants[plan->count]);
            plan->count++;
            target->set.name_count++;
        }
    }
}

// ---- the result

// Returns the source files of surviving mutants.
static struct json_object *sources_of(struct mutate_target *t) {
    struct json_object *out = json_object_new_object();
    for (size_t i = 0; i < t->list.count; i++) {
        const struct mutant *m = &t->list.items[i];
        struct error ignored;
        if (m->outcome.verdict != MUTANT_SURVIVED || !m->path || !*m->path || json_get(out, m->file)) continue;
        const char *text = file_read(&t->arena, m->path, NULL, &ignored);
        if (text) json_put(out, m->file, json_text(text));
    }
    return out;
}

static struct json_object *kernel_to_json(const struct mutate_run *run, struct mutate_target *t) {
    struct mutated_kernel out = {.name = t->kernel->name,
        .operator= t->kernel->op->name,
        .family = t->kernel->op->family,
        .reason = t->reason,
        .caveat = t->list.caveat,
        .mutants = t->list.items,
        .mutant_count = t->list.count,
        .sources = sources_of(t)};
    for (size_t i = 0; i < t->list.count; i++) {
        struct mutant *m = &t->list.items[i];
        const struct mutant_of mutant = {m->name, &t->set};
        const struct point point = point_of_mutant(&t->arena, &mutant);
        m->replay = point_replay(&t->arena, &point, run->options->run.seed);
        out.counts[m->outcome.verdict]++;
        out.seconds += m->outcome.seconds;
    }
    const size_t killed = out.counts[MUTANT_KILLED], both = killed + out.counts[MUTANT_SURVIVED];
    out.score = both ? (double)killed / (double)both : NAN;
    struct json_object *json = mutated_kernel_to_json(&out);
    json_object_put(out.sources);
    return json;
}

// Gives the target's mutants the outcomes of their records. Mutants not reached are left out.
static bool take_outcomes(
    struct mutate_target *t, const struct names *names, const struct outcome *outcome, struct error *err) {
    struct mutant_list *list = &t->list;
    const size_t count = list->count;
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct mutant m = list->items[i];
        const char *name = arena_format(&t->arena, "%s!%s", t->kernel->name, m.name);
        const size_t at = names_get(names, name, strlen(name));
        if (at == NAMES_NONE && m.outcome.verdict != MUTANT_INVALID) continue;
        if (at != NAMES_NONE && !mutant_take(&t->arena, &m, outcome->records[at], err)) return false;
        list->items[list->count++] = m;
    }
    return true;
}

// Adds the kernels to the array, without those not reached.
static bool add_kernels(
    struct mutate_run *run, const struct outcome *outcome, struct json_object *kernels, struct error *err) {
    struct names names = {0};
    bool ok = true;
    for (size_t i = 0; i < outcome->count; i++) {
        const char *name = json_get_string(outcome->records[i], "name", "");
        names_put(&names, name, strlen(name), i);
    }
    for (size_t t = 0; ok && t < run->target_count; t++) {
        struct mutate_target *target = &run->targets[t];
        const bool none = !target->list.count;
        ok = take_outcomes(target, &names, outcome, err);
        if (ok && (none || target->list.count)) json_object_array_add(kernels, kernel_to_json(run, target));
    }
    names_free(&names);
    return ok;
}

void mutate_release(struct mutate_run *run) {
    for (size_t i = 0; i < run->target_count; i++) arena_free(&run->targets[i].arena);
    json_object_put(run->context);
}

// ---- the end

static int64_t count_of(struct json_object *kernels, const char *verdict) {
    int64_t sum = 0;
    for (size_t i = 0; i < json_object_array_length(kernels); i++)
        sum += json_get_int(json_get(json_object_array_get_idx(kernels, i), "counts"), verdict, 0);
    return sum;
}

bool mutate_finish(struct mutate_run *run, const struct outcome *outcome, enum status *status, struct error *err) {
    const char *path = arena_format(run->arena, "%s/mutants.json", run->folder);
    const char *templates = arena_format(run->arena, "%s/reports", run->prepared.home);
    const bool whole = !outcome->left;
    struct json_object *context = run->context, *kernels = json_object_new_array();
    bool ok = add_kernels(run, outcome, kernels, err);
    const int64_t killed = count_of(kernels, "killed"), survived = count_of(kernels, "survived");
    mutants_end_add(context, &(struct mutants_end){kernels, outcome->wall_s, whole, run->jobs});
    ok = ok && json_write(path, context, true, err) && render_mutants_markdown(context, run->folder, err) &&
         render_mutants_page(context, run->folder, templates, err);
    if (ok && run->options->json)
        puts(json_object_to_json_string_ext(context, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    else if (ok)
        render_mutants(context, stdout, 0);
    if (ok && !run->options->json) printf("Result  %s\nPage    %s/mutants.html\n", path, run->folder);
    double score = killed + survived ? (double)killed / (double)(killed + survived) : NAN;
    const bool any = killed || survived || count_of(kernels, "unseen") || count_of(kernels, "equivalent");
    if (!any) *status = STATUS_NOTHING;
    if (!whole) *status = STATUS_PARTIAL;
    if (score < run->options->least_score) *status = STATUS_WRONG;
    json_object_put(kernels);
    return ok;
}
