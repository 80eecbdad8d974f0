// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include "../../shader/spirv/analyses.h"

#include "../../base/hash.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../../shader/spirv/changes.h"
#include "../../shader/manifest/dispatches.h"
#include "agree.h"
#include "constants.h"
#include "controls.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Returns the width of the shader's arithmetic if its elements have the type. Most types are widened.
static int bits_of(enum dtype dtype) {
    int bits = dtype_info(dtype)->arithmetic_bits;
    return bits ? bits : 32;
}

static void narrow_policy(struct policy *policy, struct policy also) {
    policy->rte &= also.rte;
    policy->specials &= also.specials;
    policy->denorms &= also.denorms;
    policy->narrows &= also.narrows;
}

// The start of a policy that passes narrow.
static const struct policy strictest = {.rte = true, .specials = true, .denorms = true, .narrows = true};

static void read_policy(struct policy *policy, const struct spirv *spirv, const struct point *point) {
    struct policy declared =
        controls_declared(spirv->words, spirv->count, (uint32_t)bits_of(point->kernel->arithmetic));
    declared.narrows = controls_narrows(spirv->words, spirv->count, point->dtype);
    narrow_policy(policy, declared);
    if (bits_of(point->dtype) == bits_of(point->kernel->arithmetic)) return;
    declared = controls_declared(spirv->words, spirv->count, (uint32_t)bits_of(point->dtype));
    declared.narrows = true;
    narrow_policy(policy, declared);
}

static int set_slots(const struct pass *pass, struct slot slots[PROGRAM_BINDINGS]) {
    for (int i = 0; i < pass->binding_count; i++)
        slots[i] = (struct slot){.set = pass->places[i].set, .binding = pass->places[i].binding};
    int count = pass->binding_count;
    for (int i = 0; i < pass->block_count; i++) {
        const struct block *block = &pass->blocks[i];
        if (block->kind != BLOCK_PUSH)
            slots[count++] = (struct slot){
                .set = block->place.set, .binding = block->place.binding, .uniform = block->kind == BLOCK_UNIFORM};
    }
    return count;
}

// Finds a slot in set 0 behind all others. Returns false if there is no room for it.
static bool slot_behind(const struct slot *slots, int count, struct slot *out) {
    *out = (struct slot){0};
    for (int i = 0; i < count; i++)
        if (slots[i].set == 0 && slots[i].binding >= out->binding) out->binding = slots[i].binding + 1;
    return count < PROGRAM_BINDINGS;
}

bool program_slot_behind(const struct point *point, int index, struct slot *out) {
    struct slot slots[PROGRAM_BINDINGS];
    return slot_behind(slots, set_slots(&point->kernel->passes[index], slots), out);
}

// Returns the least common multiple, or GUARD_BYTES + 1 if it is larger or if an argument is 0.
static uint64_t common_multiple(uint64_t a, uint64_t b) {
    uint64_t x = a, y = b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return !a || !b || b / x > GUARD_BYTES / a ? GUARD_BYTES + 1 : a * (b / x);
}

// Describes the program of a pass without its constants. `slots` must outlive the description.
static struct program_desc describe_program(
    const struct point *point, const struct pass *pass, const struct spirv *spirv, struct slot slots[]) {
    return (struct program_desc){.label = point->kernel->name,
        .spirv = spirv->words,
        .words = spirv->count,
        .entry = pass->entry,
        .bindings = set_slots(pass, slots),
        .slots = slots,
        .push_bytes = (int)pass_push_bytes(pass),
        .subgroup_size = (uint32_t)shape_value(point->kernel, &point->shape, "SUBGROUP", 0)};
}

static struct program *make_program(struct gpu *gpu, const struct point *point, int index, const struct loaded *loaded,
    const struct spirv *spirv, struct built *built, int64_t *pipeline_ns, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    struct slot slots[PROGRAM_BINDINGS];
    struct program_desc desc = describe_program(point, pass, spirv, slots);
    constants_set(point, pass, &loaded->shader, &desc);
    if (built->behind[index]) slot_behind(slots, desc.bindings++, &slots[built->behind[index]]);
    built->waits |= waiting_loops_found(spirv->words, spirv->count);
    if (spirv == &loaded->spirv && !built->skipped.of) { // of the first pass with a barrier that some invocations skip
        struct barrier_constant constants[PROGRAM_CONSTANTS];
        const struct barrier_setting setting = constants_setting(point, pass, &desc, constants);
        built->skipped = barriers_skipped(desc.spirv, desc.words, &setting);
    }
    return program_create(gpu, &desc, pipeline_ns, err);
}

void program_describe(const struct point *point, int index, const struct loaded *loaded,
    struct slot slots[PROGRAM_BINDINGS], struct program_desc *out) {
    const struct pass *pass = &point->kernel->passes[index];
    *out = describe_program(point, pass, &loaded->spirv, slots);
    constants_set(point, pass, &loaded->shader, out);
}

// ---- lengths of buffers

// Returns the common stride of the arrays at this place if the shader asks for their length; 0: it does not.
static uint64_t measured_stride(const struct shader_interface *shader, struct binding_place place) {
    uint64_t stride = 0;
    for (int i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *b = &shader->bindings[i];
        if (!b->measured || b->set != place.set || b->binding != place.binding) continue;
        stride = common_multiple(stride ? stride : 1, b->stride);
    }
    return stride;
}

// Finds the bindings whose length is asked for. The overreach is the largest part of a guard made of whole elements
// of all their arrays.
static void find_measured(const struct point *point, const struct loaded *loaded, struct built *built) {
    uint64_t multiple = 1;
    bool any = false;
    for (int p = 0; p < built->pass_count; p++) {
        struct slot slots[PROGRAM_BINDINGS];
        const int count = set_slots(&point->kernel->passes[p], slots);
        for (int i = 0; i < count; i++) {
            const struct binding_place place = {slots[i].set, slots[i].binding};
            uint64_t stride = measured_stride(&loaded[p].shader, place);
            built->measured[p][i] = stride > 0;
            any |= stride > 0;
            if (stride) multiple = common_multiple(multiple, stride);
        }
    }
    if (any && multiple <= GUARD_BYTES) built->overreach = (uint32_t)(GUARD_BYTES - GUARD_BYTES % multiple);
}

static bool build_shortened(struct arena *arena, struct gpu *gpu, const struct point *point, int index,
    const struct loaded *loaded, struct built *built, struct error *err) {
    bool any = false;
    struct spirv shortened;
    for (int i = 0; i < PROGRAM_BINDINGS; i++) any |= built->measured[index][i];
    if (!any || !built->overreach) return true;
    if (!lengths_shorten(arena, &loaded->spirv, built->overreach, &shortened, err)) return false;
    built->shortened[index] = make_program(gpu, point, index, loaded, &shortened, built, NULL, err);
    return built->shortened[index] != NULL;
}

static bool build_pass(struct arena *arena, struct gpu *gpu, const struct point *point, int index,
    const struct loaded *loaded, struct built *built, struct error *err) {
    const struct spirv *spirv = &loaded->spirv;
    int64_t pipeline_ns = 0;
    built->passes[index] = make_program(gpu, point, index, loaded, spirv, built, &pipeline_ns, err);
    built->compile_ns += spirv->ns + pipeline_ns;
    built->source_hash = hash_bytes(built->source_hash, &spirv->source_hash, sizeof spirv->source_hash);
    built->parts |= loaded->shader.parts;
    read_policy(&built->policy, spirv, point);
    return built->passes[index] && build_shortened(arena, gpu, point, index, loaded, built, err);
}

// Builds all passes, but only after all of them agree with the manifest.
static bool build_passes(struct arena *arena, struct gpu *gpu, const struct run_options *options,
    const struct point *point, struct built *built, struct error *err) {
    struct loaded loaded[KERNEL_PASSES];
    if (!shaders_load(arena, gpu_info(gpu), options, point, loaded, err) ||
        !agree(arena, point, loaded, gpu_info(gpu), err))
        return false;
    find_measured(point, loaded, built);
    built->reads_back = reads_back_of(point, loaded);
    for (int i = 0; i < built->pass_count; i++)
        if (!build_pass(arena, gpu, point, i, &loaded[i], built, err)) return false;
    return true;
}

void built_release(struct gpu *gpu, struct built *built) {
    for (int i = 0; i < built->pass_count; i++) {
        if (built->shared[i]) continue;
        if (built->passes[i]) program_destroy(gpu, built->passes[i]);
        if (built->shortened[i]) program_destroy(gpu, built->shortened[i]);
    }
    *built = (struct built){0};
}

// Makes room for the buffer of a pass that observes.
static bool observe(const struct point *point, int index, struct built *out, struct error *err) {
    struct slot slots[PROGRAM_BINDINGS];
    out->behind[index] = set_slots(&point->kernel->passes[index], slots);
    return out->behind[index] < PROGRAM_BINDINGS ||
           error_of_kind(err, ERROR_SKIP, "%s: no binding is left to observe it", point->kernel->name);
}

bool built_vary(struct gpu *gpu, const struct point *point, const struct loaded loaded[KERNEL_PASSES],
    struct variation variation, const struct built *sound, struct built *out, struct error *err) {
    struct arena arena = {0};
    bool ok = true;
    *out = sound ? *sound : (struct built){.pass_count = point->kernel->pass_count};
    out->policy = strictest;
    for (int i = 0; i < out->pass_count; i++) {
        out->shared[i] = sound && variation.changed && !variation.changed[i];
        if (!out->shared[i]) out->passes[i] = out->shortened[i] = NULL;
    }
    out->overreach = 0;
    if (!variation.observes) find_measured(point, loaded, out);
    if (sound && out->overreach != sound->overreach) out->overreach = 0; // shared passes keep the overreach of `sound`
    for (int i = 0; ok && i < out->pass_count; i++) {
        if (out->shared[i])
            read_policy(&out->policy, &loaded[i].spirv, point);
        else
            ok = (!variation.observes || observe(point, i, out, err)) &&
                 build_pass(&arena, gpu, point, i, &loaded[i], out, err);
    }
    arena_free(&arena);
    if (!ok) built_release(gpu, out);
    return ok;
}

static uint64_t build_key(const struct point *point) {
    uint64_t key = hash_string(HASH_START, point->kernel->name);
    key = hash_bytes(key, &point->kernel->manifest_hash, sizeof point->kernel->manifest_hash);
    key = hash_bytes(key, &point->dtype, sizeof point->dtype);
    for (int i = 0; i < point->kernel->pass_count; i++) key = hash_string(key, point->kernel->passes[i].shader);
    return point_hash_pipelines(key, point);
}

// Returns the slot with `key`, or else the least recently used one.
static struct built *find_slot(struct workshop *workshop, uint64_t key) {
    struct built *slot = &workshop->built[0];
    for (int i = 0; i < BUILT_KEPT; i++) {
        struct built *built = &workshop->built[i];
        if (built->pass_count && built->key == key) return built;
        if (built->last_used < slot->last_used) slot = built;
    }
    return slot;
}

static struct built *claim(struct workshop *workshop, struct gpu *gpu, struct built *slot, const struct point *point) {
    built_release(gpu, slot);
    *slot = (struct built){.key = build_key(point),
        .pass_count = point->kernel->pass_count,
        .policy = strictest,
        .source_hash = point->kernel->manifest_hash,
        .last_used = ++workshop->uses};
    slot->serial = workshop->uses;
    return slot;
}

static bool build(struct gpu *gpu, const struct run_options *options, const struct point *point, struct built *slot,
    struct error *err) {
    struct arena arena = {0};
    unsigned messages = gpu_validation_messages(gpu);
    bool ok = build_passes(&arena, gpu, options, point, slot, err);
    slot->spoken_of = gpu_validation_messages(gpu) != messages;
    arena_free(&arena);
    if (!ok) built_release(gpu, slot);
    return ok;
}

const struct built *workshop_build(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *point, bool *made, struct error *err) {
    struct built *slot = find_slot(workshop, build_key(point));
    bool there = slot->pass_count && slot->key == build_key(point) && !slot->spoken_of;
    if (!there && !build(gpu, options, point, claim(workshop, gpu, slot, point), err)) return NULL;
    *made = !slot->charged;
    slot->charged = true;
    slot->last_used = ++workshop->uses;
    return slot;
}

// ---- prefill on all cores

struct build_order {
    const struct point *point;
    size_t index; // of the point
    struct built *slot;
    uint64_t source; // hash of the compiler's input
    bool first;      // the first order with its source; the others find it in the cache
};

struct build_prefill {
    struct gpu *gpu;
    const struct run_options *options;
    const struct prefill_watch *phases;
    struct build_order *orders;
    size_t count;
    bool first;
    atomic_bool over;
    size_t culprit; // if `over`: the first point whose build made the device unusable, with its error
    struct error err;
};

static uint64_t source_key(const struct point *point) {
    const struct kernel *kernel = point->kernel;
    uint64_t key = hash_string(HASH_START, kernel->name);
    key = hash_bytes(key, &point->dtype, sizeof point->dtype);
    for (int i = 0; i < kernel->tunable_count; i++)
        if (kernel->tunables[i].id < 0) key = hash_bytes(key, &point->shape.value[i], sizeof point->shape.value[i]);
    return key;
}

static void fill_order(void *context, int64_t at, int64_t count) {
    struct build_prefill *prefill = context;
    (void)count;
    const size_t from = (size_t)(prefill->options->build_from * (double)prefill->count);
    struct build_order *order = &prefill->orders[((size_t)at + from) % prefill->count];
    struct error err;
    if (order->first != prefill->first || atomic_load(&prefill->over)) return;
    prefill->phases->begin(prefill->phases->user, order->index);
    bool ok = build(prefill->gpu, prefill->options, order->point, order->slot, &err);
    prefill->phases->end(prefill->phases->user, order->index);
    if (ok || !gpu_is_over(&err) || atomic_exchange(&prefill->over, true)) return;
    prefill->culprit = order->index;
    prefill->err = err;
}

static size_t take_orders(
    struct workshop *workshop, struct gpu *gpu, const struct point *points, size_t count, struct build_order *orders) {
    size_t taken = 0;
    for (size_t i = 0; i < count && taken < RUNNER_PREFILL; i++) {
        struct built *slot = find_slot(workshop, build_key(&points[i]));
        if (points[i].refused || points[i].kernel->probe || (slot->pass_count && slot->key == build_key(&points[i])))
            continue;
        struct build_order *order = &orders[taken];
        *order =
            (struct build_order){&points[i], i, claim(workshop, gpu, slot, &points[i]), source_key(&points[i]), true};
        for (size_t k = 0; k < taken && order->first; k++) order->first = orders[k].source != order->source;
        taken++;
    }
    return taken;
}

bool workshop_prefill(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *points, size_t count, const struct prefill_watch *phases, size_t *culprit, struct error *err) {
    struct build_prefill prefill = {.gpu = gpu,
        .options = options,
        .phases = phases,
        .orders = memory_alloc(RUNNER_PREFILL, sizeof(struct build_order))};
    prefill.count = take_orders(workshop, gpu, points, count, prefill.orders);
    if (prefill.count > 1) gpu_prebuild_begin(gpu);
    for (int turn = 0; turn < 2; turn++) {
        prefill.first = turn == 0;
        parallel_each((int64_t)prefill.count, fill_order, &prefill);
    }
    gpu_prebuild_end(gpu);
    free(prefill.orders);
    *culprit = prefill.culprit;
    *err = prefill.err;
    return !atomic_load(&prefill.over);
}

void workshop_close(struct gpu *gpu, struct workshop *workshop) {
    for (int i = 0; i < BUILT_KEPT; i++) built_release(gpu, &workshop->built[i]);
}
