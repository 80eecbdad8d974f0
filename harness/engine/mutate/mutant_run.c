// SPDX-License-Identifier: Apache-2.0
// Runs one mutant: builds it for each type and shape as its points come, and runs them until a check fails.
#include "mutant_parts.h"

#include "../../base/clock.h"
#include "equivalence.h"
#include "values_hash.h"
#include "../program/agree.h"
#include "../check/check_errors.h"
#include "../check/inputs/placement.h"
#include "../../shader/spirv/interface.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Timeout for a hang: a fixed time plus a multiple of the unchanged kernel's time.
static const double patience_s = 2, patience = 20;

// At this many points with the kernel's bits, the mutant runs twice. The second run differs in timing and in the
// memory around the operands. Further points run it once.
enum { CHECKED_WHOLE = 8 };

// Most time goes into compilation, and a mutant without any effect is compiled for every shape and type. After this
// many points with unchanged bits, in this many shapes of a type, it skips shapes that have few points.
enum { TELLING_POINTS = 16, TELLING_SHAPES = 3, FEW_POINTS = 4 };

// ---- the unchanged kernel

static bool build_sound(struct mutant_kernel *k, struct mutant_variant *v, struct error *err) {
    if (v->is_built) return true;
    if (!mutant_variant_load(k, v, err) || !agree(&k->arena, v->point, v->loaded, k->device, err) ||
        !built_vary(k->gpu, v->point, v->loaded, (struct variation){0}, NULL, &v->sound, err))
        return false;
    return v->is_built = true;
}

// Options of a check. `mutant`: stops at the first failure and compares with the kernel's known bits. `once`: as in
// check_request. `loaded`: the shaders to sanitize, and their passes; NULL: not sanitized.
struct way_of_checking {
    double timeout_s;
    bool mutant, once;
    const struct loaded *loaded;
    struct sanitized_passes *sanitized;
};

// Sanitizes a point that passed. A finding kills a mutant. A finding about the unchanged kernel rules the sanitizer out
// for its mutants.
static bool sanitize(struct mutant_kernel *k, struct mutant_trial *t, const struct check_request *request,
    struct way_of_checking way, struct arena *arena, struct record *record, struct error *err) {
    struct record found = {0};
    if (!k->sanitizer || !way.loaded || record->status == RECORD_FAIL || t->variant->is_noisy) return true;
    if (!sanitizer_check_changed(k->sanitizer, request, way.loaded, way.sanitized, arena, &found, err)) return false;
    if (!way.mutant) {
        t->variant->is_noisy = found.status == RECORD_FAIL || found.check.sanitized.why;
    } else if (found.status == RECORD_FAIL) {
        record->status = found.status;
        record->failed = found.failed;
        record->reason = found.reason;
    }
    return true;
}

static bool check(struct mutant_kernel *k, struct mutant_trial *t, const struct built *built,
    struct way_of_checking way, struct arena *arena, struct record *record, struct error *err) {
    struct launch launch;
    *record = (struct record){0};
    if (!launch_prepare(k->gpu, t->point, &t->problem, built, &launch, err)) return false;
    const struct check_request request = {.gpu = k->gpu,
        .work = k->work,
        .problem = &t->problem,
        .launch = &launch,
        .truth = &t->truth,
        .point = t->point,
        .stale_memory = k->stale_memory,
        .policy = t->variant->sound.policy,
        .timeout_s = way.timeout_s,
        .first_failure = way.mutant,
        .known = way.mutant && t->steady ? &t->hash : NULL,
        .once = way.once,
        .packed = t->problem.packed.bytes > 0};
    const uint64_t key = t->problem.key; // redrawing the inputs changes it
    bool ok = t->point->draws ? check_draws(&request, &t->problem, &t->truth, &k->options->settings, arena, record, err)
                              : check_point(&request, arena, record, err);
    t->problem.key = key;
    ok = ok && sanitize(k, t, &request, way, arena, record, err);
    launch_release(k->gpu, &launch);
    return ok;
}

static bool prepare(struct mutant_kernel *k, struct mutant_trial *t, struct error *err) {
    struct mutant_variant *v = t->variant;
    int64_t depth = kernel_depth(t->point->kernel, t->point->dims, &t->point->shape);
    if (!build_sound(k, v, err) || !problem_open(k->gpu, t->point, k->options->seed, &t->problem, err)) return false;
    if (!placement_choose(&t->problem, t->point, &k->options->settings, err)) return false;
    truth_make(&t->problem, &k->options->settings, depth, v->sound.policy.rte, false, &t->truth);
    return true;
}

// Prepares the trial and runs the unchanged kernel there, once. The trial may turn out to be unusable. False: the
// device is no longer usable.
static bool make_ready(struct mutant_kernel *k, struct mutant_trial *t, struct error *err) {
    struct record record;
    if (t->is_ready) return true;
    t->is_ready = true;
    bool ok = prepare(k, t, err);
    int64_t start = clock_ns();
    const struct way_of_checking way = {
        .timeout_s = k->options->timeout_s, .loaded = t->variant->loaded, .sanitized = &t->variant->sanitized};
    ok = ok && check(k, t, &t->variant->sound, way, &k->arena, &record, err);
    t->seconds = (double)(clock_ns() - start) * 1e-9;
    if (t->variant->first_s <= 0) t->variant->first_s = t->seconds;
    if (!ok) {
        t->unusable = arena_copy(&k->arena, err->text);
        return !gpu_is_over(err);
    }
    if (record.status == RECORD_FAIL) t->unusable = record.reason;
    t->hash = record.check.output_hash;
    t->values = values_hash(&t->problem, t->variant->sound.policy);
    // A nondeterministic kernel can give the same bits twice by chance, on a busy host or for a small case.
    t->steady = record.check.same_bits && !t->point->kernel->nondeterministic;
    return t->unusable || mutant_trial_cover(k, t, err);
}

// ---- a mutant

// The mutant of a variant. Without a changed pass, the variant lacks the instruction.
struct mutated {
    bool is_made, is_present, is_built;
    uint32_t item; // of the instruction
    struct loaded loaded[KERNEL_PASSES];
    struct built built;
    struct sanitized_passes sanitized;
};

struct attempt_at {
    struct mutant_kernel *kernel;
    const struct mutant_place *place;
    struct mutated *mutated; // one for each variant
    struct arena *arena;     // for strings of the record
    struct arena scratch;
    struct record *record;
    struct mutant_outcome *out;
    bool other_bits;
    bool only_order;      // the kernel adds up, and where bits differ they agree for whole numbers
    int present;          // trials whose code has the instruction
    int left_out;         // trials that reach it but were skipped
    int same;             // trials with the kernel's bits in the first run
    int steady, unsteady; // trials it ran at, by whether their bits are comparable
};

static void kill(struct attempt_at *a, enum record_status status, const char *check, const struct mutant_trial *t,
    const char *reason) {
    a->out->verdict = MUTANT_KILLED;
    a->out->check = check;
    a->out->point = arena_copy(a->arena, t->point->name);
    a->out->reason = a->record->reason = arena_copy(a->arena, reason);
    a->record->status = status;
}

static void make(struct attempt_at *a, struct mutant_variant *v, struct mutated *m) {
    struct loaded *loaded = &m->loaded[a->place->pass];
    m->is_made = true;
    memcpy(m->loaded, v->loaded, sizeof m->loaded);
    m->is_present = mutant_place_make(
        &a->scratch, &v->code[a->place->pass], a->place, &loaded->spirv.words, &loaded->spirv.count, &m->item);
}

// Builds the mutant. False: a failure here killed it.
static bool build(struct attempt_at *a, const struct mutant_trial *t, struct mutated *m, struct error *err) {
    if (m->is_built) return true;
    *err = (struct error){0};
    const struct pass *pass = &t->point->kernel->passes[a->place->pass];
    struct loaded *loaded = &m->loaded[a->place->pass];
    // The manifest must still describe the shader.
    if (!interface_read(&a->scratch, loaded->spirv.words, loaded->spirv.count, pass->entry ? pass->entry : "main",
            &loaded->shader, err) ||
        !agree(&a->scratch, t->point, m->loaded, gpu_info(a->kernel->gpu), err)) {
        kill(a, RECORD_ERROR, "interface", t, err->text);
        return false;
    }
    bool changed[KERNEL_PASSES] = {false};
    changed[a->place->pass] = true;
    m->is_built = built_vary(a->kernel->gpu, t->point, m->loaded, (struct variation){.changed = changed},
        &t->variant->sound, &m->built, err);
    if (!m->is_built) kill(a, RECORD_ERROR, "build", t, err->text);
    return m->is_built;
}

// Returns the most telling of the failed checks. Any other check comes before ULP, because it may explain a large
// error.
static const char *telling_check(uint32_t failed) {
    uint32_t others = failed & ~(uint32_t)CHECK_ULP;
    for (const struct check_info *c = checks; c->key; c++)
        if ((others ? others : failed) & c->bit) return c->key;
    return "error";
}

// Compares runs with whole numbers, because the kernel's bits differ from run to run, for example with the order of
// sums.
static void note_unsteady(struct attempt_at *a, struct mutant_trial *t, const struct mutated *m) {
    struct error err = {0};
    bool same = false;
    const bool tells = mutant_whole_same(a->kernel, t, &m->built, &same, &err) && t->whole == WHOLE_TELLS;
    a->steady += tells;
    a->unsteady += !tells;
    a->same += same;
    if (!tells || same) return;
    if (!a->other_bits) a->out->point = arena_copy(a->arena, t->point->name);
    a->other_bits = true;
    a->only_order = false;
}

static void note_bits(struct attempt_at *a, struct mutant_trial *t, const struct mutated *m, uint64_t hash) {
    struct error err = {0};
    bool ordered = false;
    if (!t->steady) {
        note_unsteady(a, t, m);
        return;
    }
    a->steady++;
    if (hash == t->hash || values_hash(&t->problem, t->variant->sound.policy) == t->values) {
        a->same++;
        return;
    }
    if (!a->other_bits) a->out->point = arena_copy(a->arena, t->point->name);
    a->other_bits = true;
    a->only_order = a->only_order && mutant_whole_same(a->kernel, t, &m->built, &ordered, &err) && ordered;
}

static enum record_status status_of(const struct error *err) {
    return err->kind == ERROR_TIMEOUT       ? RECORD_TIMEOUT
           : err->kind == ERROR_DEVICE_LOST ? RECORD_DEVICE_LOST
                                            : RECORD_ERROR;
}

// Runs the mutant at a point. False: the device is no longer usable.
static bool run_at(struct attempt_at *a, struct mutant_trial *t, struct mutated *m, struct error *err) {
    struct record record;
    double timeout_s = patience_s + patience * (t->variant->first_s + t->seconds);
    const struct way_of_checking way = {
        fmin(timeout_s, a->kernel->options->timeout_s), true, a->same >= CHECKED_WHOLE, m->loaded, &m->sanitized};
    a->out->points++;
    if (!build(a, t, m, err)) return !gpu_is_over(err);
    *err = (struct error){0};
    if (!check(a->kernel, t, &m->built, way, &a->scratch, &record, err)) {
        if (err->kind == ERROR_OUT_OF_MEMORY || err->kind == ERROR_SKIP) return true;
        const enum record_status status = status_of(err);
        kill(a, status, err->kind == ERROR_DRIVER ? "driver" : record_status_name(status), t, err->text);
        return !gpu_is_over(err);
    }
    if (record.status == RECORD_FAIL) {
        kill(a, RECORD_FAIL, telling_check(record.failed), t, record.reason);
        a->record->failed = record.failed;
    }
    if (a->out->verdict != MUTANT_KILLED) note_bits(a, t, m, record.check.output_hash);
    return true;
}

// Returns the trials in planned order, but trials with more kills come first. Among equals, the single point of its
// shape comes last.
static struct mutant_trial **in_order(struct mutant_kernel *k, struct arena *arena) {
    struct mutant_trial **order = arena_alloc(arena, k->trial_count + 1, sizeof *order);
    for (size_t i = 0; i < k->trial_count; i++) {
        const struct mutant_trial *t = &k->trials[i];
        size_t at = i;
        for (; at > 0; at--) {
            const struct mutant_trial *before = order[at - 1];
            const bool is_single = before->variant->points == 1 && t->variant->points > 1;
            if (t->kills < before->kills || (t->kills == before->kills && !is_single)) break;
            order[at] = order[at - 1];
        }
        order[at] = &k->trials[i];
    }
    return order;
}

// Returns whether the mutant skips this trial, because it is unlikely to show anything there.
static bool is_enough(const struct attempt_at *a, const struct mutant_trial *t) {
    const struct mutant_kernel *k = a->kernel;
    int built = 0;
    if (t->variant->points > FEW_POINTS || a->same < TELLING_POINTS || a->other_bits ||
        a->mutated[t->variant - k->variants].is_built)
        return false;
    for (size_t i = 0; i < k->variant_count; i++)
        built += a->mutated[i].is_built && k->variants[i].point->dtype == t->point->dtype;
    return built >= TELLING_SHAPES;
}

static bool run_all(struct attempt_at *a, void (*alive)(void *user, size_t broken), void *user, struct error *err) {
    struct mutant_kernel *k = a->kernel;
    struct mutant_trial **order = in_order(k, &a->scratch);
    for (size_t i = 0; i < k->trial_count && a->out->verdict != MUTANT_KILLED; i++) {
        struct mutant_trial *t = order[i];
        struct mutated *m = &a->mutated[t->variant - k->variants];
        if (alive && !t->is_ready) alive(user, 0);
        if (!make_ready(k, t, err)) return false;
        if (!m->is_made && t->variant->is_loaded) make(a, t->variant, m);
        if (t->unusable || !m->is_present) continue;
        a->present++;
        if (!mutant_trial_reaches(t, a->place->pass, m->item)) continue;
        if (is_enough(a, t)) {
            a->left_out++;
            continue;
        }
        if (alive) alive(user, 1);
        if (!run_at(a, t, m, err)) return false;
        t->kills += a->out->verdict == MUTANT_KILLED;
    }
    if (a->out->verdict != MUTANT_KILLED) return true;
    // All trials write their inputs again. A broken mutant may have changed their buffers, if the driver let it.
    for (size_t i = 0; i < k->trial_count; i++)
        k->trials[i].problem.inputs_placed = k->trials[i].problem.packed_placed = false;
    return true;
}

// Returns whether the kernel adds up, and the mutant changes only the order of sums, by another index or count.
static bool is_another_order(struct attempt_at *a) {
    if (!a->other_bits || !a->only_order) return false;
    for (size_t i = 0; i < a->kernel->variant_count; i++)
        if (a->mutated[i].is_present &&
            !mutant_changes_indices(&a->scratch, &a->kernel->variants[i].code[a->place->pass], a->mutated[i].item))
            return false;
    return true;
}

// Returns a rule that makes the mutant right in every module containing it; NULL: none.
static const char *rule_of(struct attempt_at *a) {
    const struct equivalence *rule = NULL;
    if (is_another_order(a)) return order_of_sums;
    for (size_t i = 0; i < a->kernel->variant_count; i++) {
        const struct mutant_variant *v = &a->kernel->variants[i];
        const struct kernel *kernel = v->point->kernel;
        if (!a->mutated[i].is_present) continue;
        const struct equivalence_case c = {.code = &v->code[a->place->pass],
            .item = a->mutated[i].item,
            .kernel = kernel,
            .pass = &kernel->passes[a->place->pass]};
        rule = equivalence_of(a->place->mutation->name, &c);
        if (!rule) return NULL;
    }
    return rule ? rule->name : NULL;
}

// Decides the verdict. If the kernel's own bits vary from run to run at a point, they prove nothing there; other
// points may.
static void judge(struct attempt_at *a) {
    if (a->out->verdict == MUTANT_KILLED) return;
    for (size_t i = 0; !a->present && i < a->kernel->trial_count && !a->out->reason; i++)
        if (a->kernel->trials[i].unusable)
            a->out->reason = arena_format(a->arena, "the unchanged kernel fails at %s: %s",
                a->kernel->trials[i].point->name, a->kernel->trials[i].unusable);
    if (!a->present) return;
    a->record->status = RECORD_PASS;
    if (a->unsteady)
        a->out->reason = arena_format(a->arena,
            "at %d of them the unchanged kernel's bits differ from run to run, so they decide nothing", a->unsteady);
    else if (a->left_out)
        a->out->reason =
            arena_format(a->arena, "omitted at %d more, in shapes of %d points or fewer", a->left_out, FEW_POINTS);
    a->out->verdict = a->other_bits || (a->unsteady && !a->steady) ? MUTANT_SURVIVED : MUTANT_UNSEEN;
    a->out->rule = rule_of(a);
    if (a->out->rule) a->out->verdict = MUTANT_EQUIVALENT;
}

// Runs the mutant wherever it is needed, and decides. False: the device is no longer usable.
static bool attempt(struct attempt_at *a, void (*alive)(void *user, size_t broken), void *user) {
    struct mutant_kernel *k = a->kernel;
    struct error err = {0};
    for (size_t i = 0; i < k->trial_count; i++) a->only_order |= k->trials[i].point->draws > 0;
    a->mutated = memory_alloc(k->variant_count, sizeof *a->mutated);
    const bool usable = run_all(a, alive, user, &err);
    if (usable) judge(a);
    for (size_t i = 0; i < k->variant_count; i++) {
        struct mutated *m = &a->mutated[i];
        sanitized_passes_release(k->gpu, &m->sanitized);
        if (m->is_built) built_release(k->gpu, &m->built);
    }
    free(a->mutated);
    if (!usable && a->out->verdict != MUTANT_KILLED) {
        a->record->status = status_of(&err);
        a->out->reason = arena_copy(a->arena, err.text);
    }
    if (!usable && *err.call) a->record->call = arena_copy(a->arena, err.call);
    return usable;
}

bool mutant_kernel_run(struct mutant_kernel *k, const struct point *mutant, struct arena *arena, struct record *out,
    void (*alive)(void *user, size_t broken), void *user) {
    const int64_t start = clock_ns();
    struct mutant_outcome *outcome = arena_alloc(arena, 1, sizeof *outcome);
    struct mutant_place place;
    struct attempt_at a = {.kernel = k, .place = &place, .arena = arena, .record = out, .out = outcome};
    bool usable = true;
    runner_describe(mutant, k->options, arena, out);
    outcome->verdict = MUTANT_NOT_RUN;
    out->status = RECORD_ERROR;
    out->mutant = outcome;
    if (mutant_place_named(arena, mutant->mutant->name, &place) && place.pass < mutant->kernel->pass_count)
        usable = attempt(&a, alive, user);
    if (out->status != RECORD_PASS) out->reason = outcome->reason ? outcome->reason : "no point has its instruction";
    arena_free(&a.scratch);
    outcome->seconds = (double)(clock_ns() - start) * 1e-9;
    return usable;
}
