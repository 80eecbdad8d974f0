// SPDX-License-Identifier: Apache-2.0
// Builds the list of a kernel's mutants from its points: modules, places, choice.
#include "mutant_parts.h"

#include "../base/file.h"
#include "../program/agree.h"
#include "mutant_choice.h"
#include "../spirv/spirv_tools.h"
#include "../../reference/operator.h"

#include <stdlib.h>
#include <string.h>

// ---- modules

static void set_facts(const struct point *point, const struct pass *pass, struct code_facts *out) {
    const struct kernel *kernel = point->kernel;
    const struct block none = {0}, *block = pass->block_count ? &pass->blocks[0] : &none;
    for (int i = 0; i < block->count && i < CODE_PARAMETERS; i++) {
        const struct word *word = &block->words[i];
        int param = word->kind == WORD_NAME ? operator_param_index(kernel->op, word->name) : -1;
        out->parameters[out->parameter_count++] = (struct code_parameter){.name = word->text,
            .has_standard = param >= 0,
            .integer = param < 0 || kernel->op->params[param].integer,
            .standard = param < 0 ? 0 : kernel->op->params[param].standard};
    }
    for (int i = 0; i < kernel->tunable_count && i < CODE_TUNABLES; i++) {
        const struct tunable *t = &kernel->tunables[i];
        if (t->id >= 0)
            out->tunables[out->tunable_count++] =
                (struct code_tunable){(uint32_t)t->id, t->name, t->values, t->value_count, point->shape.value[i]};
    }
}

bool mutant_variant_load(struct mutant_kernel *k, struct mutant_variant *v, struct error *err) {
    if (v->is_loaded) return true;
    if (!shaders_load(&k->arena, gpu_info(k->gpu), k->options, v->point, v->loaded, err)) return false;
    for (int p = 0; p < v->point->kernel->pass_count; p++) {
        set_facts(v->point, &v->point->kernel->passes[p], &v->facts[p]);
        if (!code_read(&k->arena, v->loaded[p].spirv.words, v->loaded[p].spirv.count, &v->facts[p], &v->code[p], err))
            return error_prefix(err, "%s: ", v->point->kernel->passes[p].shader);
    }
    return v->is_loaded = true;
}

// Lists a variant for each type and shape, and a trial for each point that the device can run.
static void list_trials(struct mutant_kernel *k) {
    const struct mutant_request *r = k->request;
    k->variants = arena_alloc(&k->arena, r->point_count + 1, sizeof *k->variants);
    k->trials = arena_alloc(&k->arena, r->point_count + 1, sizeof *k->trials);
    for (size_t i = 0; i < r->point_count; i++) {
        const struct point *point = &r->points[i];
        size_t v = 0;
        if (point->refused || point->inputs_count) continue;
        for (; v < k->variant_count; v++) {
            const struct point *other = k->variants[v].point;
            if (other->dtype == point->dtype && shape_equal(other->kernel, &other->shape, &point->shape)) break;
        }
        if (v == k->variant_count) k->variants[k->variant_count++] = (struct mutant_variant){.point = point};
        k->variants[v].points++;
        k->trials[k->trial_count++] = (struct mutant_trial){.point = point, .variant = &k->variants[v]};
    }
}

// ---- places

static bool is_valid(struct mutant_kernel *k, struct mutant_variant *v, struct error *err) {
    for (int p = 0; p < v->point->kernel->pass_count; p++) {
        const char *why;
        const struct spirv *spirv = &v->loaded[p].spirv;
        v->unknown[p] = !spirv_tools_know(&k->arena, spirv->words, spirv->count, &why);
        if (v->unknown[p])
            k->caveat = arena_format(&k->arena,
                "not validated: the SPIRV-Tools that vkassay was built with are older than %s (%s)",
                mutant_place_file(v->point->kernel->passes[p].shader), why);
        else if (!spirv_tools_valid(&k->arena, spirv->words, spirv->count, &why))
            return error_set(err, STATUS_BAD_INPUT, "%s is not a legal module as it is: %s",
                v->point->kernel->passes[p].shader, why);
    }
    return true;
}

// Finds the places in the first shape of each type. Another shape may select other code by a macro; places only in
// such code are left out.
static bool find_places(struct mutant_kernel *k, struct error *err) {
    bool seen[DTYPE_COUNT] = {false}, any = false;
    for (size_t i = 0; i < k->variant_count; i++) {
        struct mutant_variant *v = &k->variants[i];
        if (seen[v->point->dtype]) continue;
        seen[v->point->dtype] = true;
        // The points are skipped if the device does not meet the modules' demands.
        if (!mutant_variant_load(k, v, err) || !agree(&k->arena, v->point, v->loaded, gpu_info(k->gpu), err)) {
            if (err->kind != ERROR_SKIP) return false;
            continue;
        }
        if (!is_valid(k, v, err)) return false;
        any = true;
        size_t before = k->places.count;
        for (int p = 0; p < v->point->kernel->pass_count; p++)
            mutant_places_add(&k->arena, &v->code[p], p, k->request->only, k->request->only_count, &k->places);
        for (; before < k->places.count; before++) {
            k->homes = arena_grow(&k->arena, k->homes, k->home_count, &k->home_capacity, sizeof *k->homes);
            k->homes[k->home_count++] = v;
        }
    }
    return any; // if none, err is the reason of the last one
}

// ---- descriptions

// Returns a line of a file without surrounding blanks; "" if it cannot be read.
static const char *source_line(struct mutant_kernel *k, const char *path, uint32_t line) {
    struct error ignored = {0};
    size_t length;
    if (!*path || !line) return "";
    if (!k->source_path || strcmp(k->source_path, path) != 0) {
        k->source_path = path;
        k->source = file_read(&k->arena, path, &length, &ignored);
    }
    const char *at = k->source;
    for (uint32_t i = 1; at && i < line; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at) return "";
    while (*at == ' ' || *at == '\t') at++;
    return arena_copy_n(&k->arena, at, strcspn(at, "\r\n"));
}

static struct mutant describe(
    struct mutant_kernel *k, const struct mutant_candidate *candidate, struct mutant_variant *home) {
    const struct mutant_place *place = candidate->place;
    const struct code *code = &home->code[place->pass];
    const struct spirv *spirv = &home->loaded[place->pass].spirv;
    const char **text = &home->text[place->pass];
    if (!*text) *text = spirv_tools_text(&k->arena, spirv->words, spirv->count);
    return (struct mutant){.name = candidate->name,
        .operation = place->mutation->name,
        .file = mutant_place_file(place->file),
        .path = place->file,
        .line = place->line,
        .text = source_line(k, place->file, place->line),
        .change = place->told,
        .instruction = spirv_tools_line(&k->arena, *text, code->end - place->item),
        .verdict = MUTANT_NOT_RUN};
}

// Marks the mutant as invalid if its module is not legal.
static void try_out(
    struct mutant_kernel *k, const struct mutant_place *place, struct mutant_variant *home, struct mutant *mutant) {
    uint32_t *words, item;
    size_t count;
    struct arena scratch = {0};
    const char *why = "it needs more ids than there are";
    bool made = mutant_place_make(&scratch, &home->code[place->pass], place, &words, &count, &item);
    bool legal = made && (home->unknown[place->pass] || spirv_tools_valid(&scratch, words, count, &why));
    if (!legal) {
        mutant->verdict = MUTANT_INVALID;
        mutant->reason = arena_copy(&k->arena, why);
    }
    arena_free(&scratch);
}

// ---- choice

static void keep(struct mutant_kernel *k, const struct mutant_candidate *candidate) {
    struct mutant_variant *home = k->homes[candidate->place - k->places.items];
    struct mutant mutant = describe(k, candidate, home);
    try_out(k, candidate->place, home, &mutant);
    size_t capacity = k->mutant_capacity;
    k->mutants = arena_grow(&k->arena, k->mutants, k->mutant_count, &k->mutant_capacity, sizeof *k->mutants);
    k->chosen = arena_grow(&k->arena, k->chosen, k->mutant_count, &capacity, sizeof *k->chosen);
    k->mutants[k->mutant_count] = mutant;
    k->chosen[k->mutant_count++] = candidate->place;
}

// Chooses as many legal mutants as requested. Invalid ones are listed in addition.
static bool choose(struct mutant_kernel *k, struct error *err) {
    const struct mutant_request *r = k->request;
    struct mutant_choice choice =
        mutant_choice_start(&k->arena, &k->places, k->request->points[0].kernel->name, r->seed);
    const struct mutant_candidate *next;
    int legal = 0;
    while ((!r->count || r->named || legal < r->count) && (next = mutant_choice_next(&choice))) {
        if (r->named && strcmp(next->name, r->named) != 0) continue;
        keep(k, next);
        legal += k->mutants[k->mutant_count - 1].verdict != MUTANT_INVALID;
    }
    return k->mutant_count || !r->named ||
           error_set(err, STATUS_USAGE, "%s has no mutant '%s'", r->points[0].kernel->name, r->named);
}

struct mutant_kernel *mutant_kernel_open(
    struct gpu *gpu, const struct run_options *options, const struct mutant_request *request, struct error *err) {
    struct mutant_kernel *k = memory_alloc(1, sizeof *k);
    k->gpu = gpu;
    k->options = options;
    k->request = request;
    list_trials(k);
    bool ok = k->trial_count || error_set(err, STATUS_NOTHING, "the device cannot run any of its points");
    ok = ok && find_places(k, err) && choose(k, err) && (k->work = work_create(gpu, 2, err)) &&
         (k->stale_memory = stale_memory_open(gpu, options, err));
    if (ok && options->sanitize) k->sanitizer = sanitizer_open();
    if (ok) return k;
    mutant_kernel_close(k);
    return NULL;
}

void mutant_kernel_close(struct mutant_kernel *k) {
    if (!k) return;
    for (size_t i = 0; i < k->trial_count; i++) {
        problem_close(k->gpu, &k->trials[i].problem);
        truth_free(&k->trials[i].truth);
    }
    static const bool all[KERNEL_PASSES] = {true, true, true, true, true, true};
    for (size_t i = 0; i < k->variant_count; i++) {
        built_vary_release(k->gpu, all, &k->variants[i].sound);
        built_vary_release(k->gpu, all, &k->variants[i].marked);
    }
    for (size_t i = 0; i < k->variant_count; i++) sanitized_passes_release(k->gpu, &k->variants[i].sanitized);
    sanitizer_close(k->gpu, k->sanitizer);
    stale_memory_close(k->gpu, k->stale_memory);
    if (k->work) work_destroy(k->gpu, k->work);
    arena_free(&k->arena);
    free(k);
}

const char *mutant_kernel_caveat(const struct mutant_kernel *k) {
    return k->caveat;
}

const struct mutant *mutant_kernel_list(const struct mutant_kernel *k, size_t *count) {
    *count = k->mutant_count;
    return k->mutants;
}
