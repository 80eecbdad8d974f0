// SPDX-License-Identifier: Apache-2.0
// Chooses a kernel's mutants: places, descriptions, choice. The kernel's modules are only read here.
#include "mutant.h"

#include "../program/agree.h"
#include "../../shader/spirv/spirv_tools.h"
#include "mutant_choice.h"
#include "mutant_parts.h"
#include "../../base/file.h"

#include <string.h>

// A variant in which places were found.
struct home {
    struct mutant_variant *variant;
    size_t end;                      // one past its last place
    const char *text[KERNEL_PASSES]; // SPIR-V as text; NULL: not needed yet
    bool unknown[KERNEL_PASSES];     // SPIRV-Tools are older than its features
};

struct mutant_listing {
    struct arena *arena; // of the result
    const struct mutant_request *request;
    struct mutant_kernel kernel;
    struct mutant_places places;
    struct home homes[DTYPE_COUNT];
    int home_count;
    const char *source_path, *source; // the file read last
    struct mutant_list *out;
    size_t capacity;
};

// ---- places

// Notes which modules SPIRV-Tools do not know; the others must be legal.
static bool is_valid(struct mutant_listing *l, struct home *home, struct error *err) {
    const struct kernel *kernel = home->variant->point->kernel;
    struct arena *arena = &l->kernel.arena;
    for (int p = 0; p < kernel->pass_count; p++) {
        const char *why;
        const struct spirv *spirv = &home->variant->loaded[p].spirv;
        home->unknown[p] = !spirv_tools_know(arena, spirv->words, spirv->count, &why);
        if (home->unknown[p])
            l->out->caveat = arena_format(l->arena,
                "not validated: the SPIRV-Tools that vkassay was built with are older than %s (%s)",
                mutant_place_file(kernel->passes[p].shader), why);
        else if (!spirv_tools_valid(arena, spirv->words, spirv->count, &why))
            return error_set(
                err, STATUS_BAD_INPUT, "%s is not a legal module as it is: %s", kernel->passes[p].shader, why);
    }
    return true;
}

// Finds the places in the first shape of each type. Another shape may select other code by a macro; places only in
// such code are left out.
static bool find_places(struct mutant_listing *l, struct error *err) {
    struct mutant_kernel *k = &l->kernel;
    const struct mutant_request *r = l->request;
    bool seen[DTYPE_COUNT] = {false};
    for (size_t i = 0; i < k->variant_count; i++) {
        struct mutant_variant *v = &k->variants[i];
        if (seen[v->point->dtype]) continue;
        seen[v->point->dtype] = true;
        // The points are skipped if the device does not meet the modules' demands.
        if (!mutant_variant_load(k, v, err) || !agree(&k->arena, v->point, v->loaded, k->device, err)) {
            if (err->kind != ERROR_SKIP) return false;
            continue;
        }
        struct home *home = &l->homes[l->home_count++];
        home->variant = v;
        if (!is_valid(l, home, err)) return false;
        for (int p = 0; p < v->point->kernel->pass_count; p++)
            mutant_places_add(&k->arena, &v->code[p], p, r->only, r->only_count, &l->places);
        home->end = l->places.count;
    }
    return l->home_count; // if none, err is the reason of the last one
}

// ---- descriptions

// Returns a line of a file without surrounding blanks; "" if it cannot be read.
static const char *source_line(struct mutant_listing *l, const char *path, uint32_t line) {
    struct error ignored = {0};
    size_t length;
    if (!*path || !line) return "";
    if (!l->source_path || strcmp(l->source_path, path) != 0) {
        l->source_path = path;
        l->source = file_read(&l->kernel.arena, path, &length, &ignored);
    }
    const char *at = l->source;
    for (uint32_t i = 1; at && i < line; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at) return "";
    while (*at == ' ' || *at == '\t') at++;
    return arena_copy_n(l->arena, at, strcspn(at, "\r\n"));
}

static struct mutant describe(struct mutant_listing *l, const struct mutant_candidate *candidate, struct home *home) {
    const struct mutant_place *place = candidate->place;
    const struct code *code = &home->variant->code[place->pass];
    const struct spirv *spirv = &home->variant->loaded[place->pass].spirv;
    const char **text = &home->text[place->pass];
    if (!*text) *text = spirv_tools_text(&l->kernel.arena, spirv->words, spirv->count);
    return (struct mutant){.name = arena_copy(l->arena, candidate->name),
        .operation = place->mutation->name,
        .file = arena_copy(l->arena, mutant_place_file(place->file)),
        .path = arena_copy(l->arena, place->file),
        .line = place->line,
        .text = source_line(l, place->file, place->line),
        .change = arena_copy(l->arena, place->summary),
        .instruction = spirv_tools_line(l->arena, *text, code->end - place->item),
        .outcome.verdict = MUTANT_NOT_RUN};
}

// Marks the mutant as invalid if its module is not legal.
static void try_out(
    struct mutant_listing *l, const struct mutant_place *place, const struct home *home, struct mutant *mutant) {
    uint32_t *words, item;
    size_t count;
    struct arena scratch = {0};
    const char *why = "it needs more ids than there are";
    bool made = mutant_place_make(&scratch, &home->variant->code[place->pass], place, &words, &count, &item);
    bool legal = made && (home->unknown[place->pass] || spirv_tools_valid(&scratch, words, count, &why));
    if (!legal) mutant->outcome = (struct mutant_outcome){MUTANT_INVALID, .reason = arena_copy(l->arena, why)};
    arena_free(&scratch);
}

// ---- choice

static void keep(struct mutant_listing *l, const struct mutant_candidate *candidate) {
    struct mutant_list *out = l->out;
    struct home *home = l->homes;
    while ((size_t)(candidate->place - l->places.items) >= home->end) home++;
    struct mutant mutant = describe(l, candidate, home);
    try_out(l, candidate->place, home, &mutant);
    out->items = arena_grow(l->arena, out->items, out->count, &l->capacity, sizeof *out->items);
    out->items[out->count++] = mutant;
}

// Chooses as many legal mutants as requested. Invalid ones are listed in addition.
static bool choose(struct mutant_listing *l, struct error *err) {
    const struct mutant_request *r = l->request;
    const char *kernel = r->points[0].kernel->name;
    struct mutant_choice choice = mutant_choice_start(&l->kernel.arena, &l->places, kernel, r->seed);
    const struct mutant_candidate *next;
    int legal = 0;
    while ((!r->count || r->named || legal < r->count) && (next = mutant_choice_next(&choice))) {
        if (r->named && strcmp(next->name, r->named) != 0) continue;
        keep(l, next);
        legal += l->out->items[l->out->count - 1].outcome.verdict != MUTANT_INVALID;
    }
    return l->out->count || !r->named || error_set(err, STATUS_USAGE, "%s has no mutant '%s'", kernel, r->named);
}

bool mutant_list_make(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct mutant_request *request, struct mutant_list *out, struct error *err) {
    struct mutant_listing l = {.arena = arena, .request = request, .out = out};
    *out = (struct mutant_list){0};
    bool ok = mutant_trials_list(&l.kernel, device, options, request->points, request->point_count, err) &&
              find_places(&l, err) && choose(&l, err);
    arena_free(&l.kernel.arena);
    return ok;
}
