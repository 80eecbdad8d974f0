// SPDX-License-Identifier: Apache-2.0
#include "rewritten.h"

#include "../../base/memory.h"
#include "../../shader/compile/compile.h"
#include "check_parts.h"
#include "inputs/strided.h"
#include "worst.h"
#include "../../record/record.h"
#include "../../../reference/operator.h"

#include <stdlib.h>
#include <string.h>

enum { REWRITTEN_KEPT = 8 };

struct rewriter {
    struct {
        uint64_t serial; // of the kernel that was rewritten; 0: none
        uint64_t last_used;
        struct built built;
    } kept[REWRITTEN_KEPT];
    uint64_t uses;
};

struct rewriter *rewriter_open(void) {
    return memory_alloc(1, sizeof(struct rewriter));
}

void rewriter_close(struct gpu *gpu, struct rewriter *w) {
    if (!w) return;
    for (int i = 0; i < REWRITTEN_KEPT; i++) built_release(gpu, &w->kept[i].built);
    free(w);
}

// ---- the shaders

// Rewrites the module of a pass; it must still have the entry point.
static bool rewrite_pass(const struct check_request *r, int index, const char *command, const struct loaded *loaded,
    struct loaded *out, struct arena *arena, struct error *err) {
    const struct pass *pass = &r->point->kernel->passes[index];
    struct shader_interface interface;
    *out = *loaded;
    return rewrite_module(arena, command, pass->shader, &loaded->spirv, &out->spirv, err) &&
           (interface_read(
                arena, out->spirv.words, out->spirv.count, pass->entry ? pass->entry : "main", &interface, err) ||
               error_prefix(err, "%s: ", pass->shader));
}

// Builds the rewritten kernel. The interface stays that of the kernel itself, so both have the same bindings.
static bool make(const struct check_request *r, const struct built *sound, const struct run_options *options,
    struct built *out, struct error *err) {
    struct loaded loaded[KERNEL_PASSES], rewritten[KERNEL_PASSES];
    struct arena arena = {0};
    bool ok = shaders_load(&arena, gpu_info(r->gpu), options, r->point, loaded, err);
    for (int i = 0; ok && i < r->point->kernel->pass_count; i++)
        ok = rewrite_pass(r, i, options->rewritten, &loaded[i], &rewritten[i], &arena, err);
    ok = ok && built_vary(r->gpu, r->point, rewritten, (struct variation){0}, sound, out, err);
    arena_free(&arena);
    return ok;
}

// Returns the rewritten kernel, kept or new.
static const struct built *find(struct rewriter *w, const struct check_request *r, const struct built *sound,
    const struct run_options *options, struct error *err) {
    int at = 0;
    for (int i = 0; i < REWRITTEN_KEPT; i++) {
        if (w->kept[i].serial == sound->serial) at = i;
        if (w->kept[i].serial == sound->serial) break;
        if (w->kept[i].last_used < w->kept[at].last_used) at = i;
    }
    if (w->kept[at].serial != sound->serial) {
        built_release(r->gpu, &w->kept[at].built);
        w->kept[at].serial = 0;
        if (!make(r, sound, options, &w->kept[at].built, err)) return NULL;
        w->kept[at].serial = sound->serial;
    }
    w->kept[at].last_used = ++w->uses;
    return &w->kept[at].built;
}

// ---- the comparison

static void add_differences(const struct check_request *r, struct arena *arena, struct record *found) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (operand->role == ROLE_IN) continue;
        const struct difference d = check_difference(r->problem, operand);
        if (!d.count) continue;
        check_fail(found, arena, CHECK_BITS,
            arena_format(arena, "%lld of %lld elements of %s have other bits; first at index %lld: %s",
                (long long)d.count, (long long)operand->elements, r->problem->op->operands[i].name, (long long)d.first,
                worst_text(arena, r->problem, i, d.first, d.got, d.want)));
    }
}

// Runs the kernel itself and the rewritten one. If all bits are equal, the judgement of the first holds for both.
static bool compare(const struct check_request *own, const struct check_request *rewritten, struct arena *arena,
    struct record *found, struct error *err) {
    if (!check_run(own, 2, err)) return false;
    check_take(own, found);
    if (!check_run(rewritten, 1, err)) return false;
    check_switch(own, WALL_JUDGE);
    check_memory(rewritten, 1, arena, found);
    add_differences(rewritten, arena, found);
    if (found->status != RECORD_FAIL) return true;
    struct record judged = {0};
    check_take(rewritten, &judged);
    check_outputs(rewritten, 1, arena, &judged);
    check_fail(found, arena, judged.failed,
        judged.status == RECORD_FAIL ? judged.reason : "each checked output is within its bound");
    return true;
}

bool rewriter_check(struct rewriter *w, const struct check_request *r, const struct built *sound,
    const struct run_options *options, struct arena *arena, struct record *record, struct error *err) {
    struct check_request own = *r, rewritten;
    struct record found = {0};
    struct launch launch = {0};
    own.packed = false;
    rewritten = own;
    rewritten.launch = &launch;
    check_switch(r, WALL_COMPILE);
    const struct built *built = find(w, r, sound, options, err);
    bool ok = built && launch_prepare(r->gpu, r->point, r->problem, built, &launch, err);
    if (ok) {
        ok = r->point->kernel->nondeterministic ? check_point(&rewritten, arena, &found, err)
                                                : compare(&own, &rewritten, arena, &found, err);
        launch_release(r->gpu, &launch);
    }
    if (!ok) return error_prefix(err, "rewritten by \"%s\": ", options->rewritten);
    if (found.status != RECORD_FAIL) return true;
    r->problem->inputs_placed = r->problem->packed_placed = false;
    check_fail(record, arena, CHECK_REWRITTEN,
        arena_format(arena, "rewritten by \"%s\": %s", options->rewritten, found.reason));
    return true;
}
