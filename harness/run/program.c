// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include "../base/hash.h"
#include "controls.h"
#include "parallel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEFINES = KERNEL_DEFINES + KERNEL_TUNABLES + FEATURE_COUNT + 1 };

static bool add_define(struct arena *arena, struct define *defines, size_t *count, const char *prefix,
    const char *name, int64_t value) {
    char *macro = arena_format(arena, "%s%s", prefix, name);
    char *text = arena_format(arena, "%lld", (long long)value);
    if (!macro || !text) return false;
    if (*prefix)
        for (char *c = macro; *c; c++) *c = (char)toupper((unsigned char)*c);
    defines[(*count)++] = (struct define){macro, text};
    return true;
}

static bool collect_defines(struct arena *arena, const struct gpu *gpu, const struct point *point,
    const struct pass *pass, struct define *defines, size_t *count) {
    const struct kernel *kernel = point->kernel;
    bool ok = add_define(arena, defines, count, "DTYPE_", dtype_info(point->dtype)->name, 1);
    for (int i = 0; i < pass->define_count; i++) defines[(*count)++] = pass->defines[i];
    for (int i = 0; ok && i < kernel->tunable_count; i++)
        if (kernel->tunables[i].id < 0)
            ok = add_define(arena, defines, count, "", kernel->tunables[i].name, point->shape.value[i]);
    for (int f = 0; ok && f < FEATURE_COUNT; f++)
        if (gpu_info(gpu)->features[f])
            ok = add_define(arena, defines, count, "FEATURE_", feature_name((enum feature)f), 1);
    return ok;
}

static int bits_of(enum dtype dtype) {
    return dtype == DTYPE_F16 ? 16 : 32;
}

static void narrow_policy(struct policy *policy, struct policy also) {
    policy->rte &= also.rte;
    policy->specials &= also.specials;
    policy->denorms &= also.denorms;
}

static void read_policy(struct policy *policy, const struct spirv *spirv, const struct point *point) {
    narrow_policy(policy, controls_declared(spirv->words, spirv->count, (uint32_t)bits_of(point->kernel->arithmetic)));
    if (bits_of(point->dtype) != bits_of(point->kernel->arithmetic))
        narrow_policy(policy, controls_declared(spirv->words, spirv->count, (uint32_t)bits_of(point->dtype)));
}

static void set_constants(const struct point *point, struct program_desc *desc) {
    const struct kernel *kernel = point->kernel;
    uint32_t wg[3];
    shape_workgroup(kernel, &point->shape, wg);
    for (uint32_t axis = 0; axis < 3; axis++) {
        desc->constants[desc->constant_count].id = axis;
        desc->constants[desc->constant_count++].value = wg[axis];
    }
    for (int i = 0; i < kernel->tunable_count; i++) {
        if (kernel->tunables[i].id < 3 || desc->constant_count == PROGRAM_CONSTANTS) continue;
        desc->constants[desc->constant_count].id = (uint32_t)kernel->tunables[i].id;
        desc->constants[desc->constant_count++].value = (uint32_t)point->shape.value[i];
    }
}

static bool build_pass(struct arena *arena, struct gpu *gpu, const struct run_options *options,
    const struct point *point, int index, struct built *built, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    struct define defines[MOST_DEFINES];
    size_t define_count = 0;
    struct spirv spirv;
    if (!collect_defines(arena, gpu, point, pass, defines, &define_count))
        return error_set(err, STATUS_FAULT, "out of memory");
    if (!compile_glsl(arena, pass->shader, defines, define_count, options->include_folders, options->include_count,
            options->cache_folder, &spirv, err))
        return false;
    if (!controls_widen(arena, gpu_info(gpu)->features, &spirv)) return error_set(err, STATUS_FAULT, "out of memory");
    struct program_desc desc = {.label = point->kernel->name, .spirv = spirv.words, .words = spirv.count,
        .bindings = pass->binding_count, .push_bytes = pass->push_count * 4,
        .subgroup_size = (uint32_t)shape_value(point->kernel, &point->shape, "SUBGROUP", 0)};
    set_constants(point, &desc);
    int64_t pipeline_ns = 0;
    built->passes[index] = program_create(gpu, &desc, &pipeline_ns, err);
    built->compile_ns += spirv.ns + pipeline_ns;
    built->source_hash = hash_bytes(built->source_hash, &spirv.source_hash, sizeof spirv.source_hash);
    read_policy(&built->policy, &spirv, point);
    built->asks_length |= controls_array_length(spirv.words, spirv.count);
    return built->passes[index] != NULL;
}

static void built_release(struct gpu *gpu, struct built *built) {
    for (int i = 0; i < built->pass_count; i++)
        if (built->passes[i]) program_destroy(gpu, built->passes[i]);
    *built = (struct built){0};
}

static uint64_t build_key(const struct point *point) {
    uint64_t key = hash_string(HASH_START, point->kernel->name);
    key = hash_bytes(key, &point->kernel->manifest_hash, sizeof point->kernel->manifest_hash);
    key = hash_bytes(key, &point->dtype, sizeof point->dtype);
    return hash_bytes(key, &point->shape, sizeof point->shape);
}

// The slot that holds `key`, or else the one that was not used for longest.
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
    *slot = (struct built){.key = build_key(point), .pass_count = point->kernel->pass_count,
        .policy = {.rte = true, .specials = true, .denorms = true}, .source_hash = point->kernel->manifest_hash,
        .last_used = ++workshop->uses};
    return slot;
}

static bool build(struct gpu *gpu, const struct run_options *options, const struct point *point, struct built *slot,
    struct error *err) {
    struct arena arena = {0};
    bool ok = true;
    for (int i = 0; ok && i < slot->pass_count; i++) ok = build_pass(&arena, gpu, options, point, i, slot, err);
    arena_free(&arena);
    if (!ok) built_release(gpu, slot);
    return ok;
}

const struct built *workshop_build(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *point, bool *made, struct error *err) {
    struct built *slot = find_slot(workshop, build_key(point));
    bool there = slot->pass_count && slot->key == build_key(point);
    if (!there && !build(gpu, options, point, claim(workshop, gpu, slot, point), err)) return NULL;
    *made = !slot->charged;
    slot->charged = true;
    slot->last_used = ++workshop->uses;
    return slot;
}

// ---- ahead of time, on all cores ----

struct order {
    const struct point *point;
    struct built *slot;
    uint64_t source; // of what the compiler sees
    bool first;      // of its source: the others find it in the cache
};

struct prefill {
    struct gpu *gpu;
    const struct run_options *options;
    struct order *orders;
    size_t count;
    bool first;
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
    const struct prefill *prefill = context;
    (void)count;
    struct order *order = &prefill->orders[at];
    struct error ignored;
    if (order->first == prefill->first) build(prefill->gpu, prefill->options, order->point, order->slot, &ignored);
}

static size_t take_orders(struct workshop *workshop, struct gpu *gpu, const struct point *points, size_t count,
    struct order *orders) {
    size_t taken = 0;
    for (size_t i = 0; i < count && taken < BUILT_KEPT / 2; i++) {
        struct built *slot = find_slot(workshop, build_key(&points[i]));
        if (points[i].refused || (slot->pass_count && slot->key == build_key(&points[i]))) continue;
        struct order *order = &orders[taken];
        *order = (struct order){&points[i], claim(workshop, gpu, slot, &points[i]), source_key(&points[i]), true};
        for (size_t k = 0; k < taken && order->first; k++) order->first = orders[k].source != order->source;
        taken++;
    }
    return taken;
}

void workshop_prefill(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *points, size_t count) {
    struct prefill prefill = {.gpu = gpu, .options = options, .orders = calloc(BUILT_KEPT / 2, sizeof(struct order))};
    if (!prefill.orders) return; // later, then, one by one
    prefill.count = take_orders(workshop, gpu, points, count, prefill.orders);
    for (int turn = 0; turn < 2; turn++) {
        prefill.first = turn == 0;
        parallel_each((int64_t)prefill.count, fill_order, &prefill);
    }
    free(prefill.orders);
}

void workshop_close(struct gpu *gpu, struct workshop *workshop) {
    for (int i = 0; i < BUILT_KEPT; i++) built_release(gpu, &workshop->built[i]);
}

// ---- a launch ----

static bool create_scratch(struct gpu *gpu, const struct point *point, const struct problem *problem,
    struct launch *launch, struct error *err) {
    for (int i = 0; i < point->kernel->scratch_count; i++) {
        const struct scratch *scratch = &point->kernel->scratch[i];
        int64_t elements = quotient_value(point->kernel, &scratch->elements, point->dims, &point->shape);
        uint64_t bytes;
        if (elements <= 0 || !dtype_bytes(scratch->dtype, elements, &bytes))
            return error_of_kind(err, ERROR_SKIP, "scratch buffer %s has no size at these dims", scratch->name);
        launch->scratch_bytes[i] = (bytes + 3) & ~(uint64_t)3;
        launch->scratch_count = i + 1;
        if (!buffer_create(gpu, BUFFER_DEVICE, problem->guard + launch->scratch_bytes[i] + GUARD_BYTES,
                &launch->scratch[i], err))
            return false;
    }
    if (!launch->scratch_count) return true;
    uint64_t guards = (problem->guard + GUARD_BYTES) * (uint64_t)launch->scratch_count;
    return buffer_create(gpu, BUFFER_READBACK, guards, &launch->scratch_guards, err);
}

// A binding reaches over the guard behind the data, as drivers drop writes beyond the end of a binding and
// would hide them. Where the shader asks for the buffer's length, or the range is used up, it ends with the data.
static uint64_t binding_bytes(const struct gpu *gpu, const struct built *built, uint64_t bytes) {
    uint64_t reach = (bytes + GUARD_BYTES) & ~(uint64_t)3;
    return built->asks_length || reach > gpu_info(gpu)->storage_range ? bytes : reach;
}

static bool bind(const struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, const struct launch *launch, const char *name, struct binding *out,
    struct binding *packed) {
    int operand = operator_operand_index(problem->op, name);
    if (operand >= 0) {
        const struct operand_data *data = &problem->operands[operand];
        *out = (struct binding){&data->device, problem->guard, binding_bytes(gpu, built, data->bytes)};
        *packed = (struct binding){&problem->packed, problem->packed_at[operand] + problem->guard, out->bytes};
        return true;
    }
    for (int i = 0; i < launch->scratch_count; i++) {
        if (strcmp(point->kernel->scratch[i].name, name) != 0) continue;
        *out = (struct binding){&launch->scratch[i], problem->guard,
            binding_bytes(gpu, built, launch->scratch_bytes[i])};
        *packed = *out;
        return true;
    }
    return false;
}

// A push constant's 32 bits: a dim or tunable as uint, a parameter as float, or as int where it is one.
static bool push_word(const struct point *point, const char *name, uint32_t *word) {
    const struct operator *op = point->kernel->op;
    int dim = operator_dim_index(op, name), param = operator_param_index(op, name);
    if (param >= 0 && op->params[param].integer) {
        int32_t value = (int32_t)point->params[param];
        memcpy(word, &value, sizeof *word);
        return true;
    }
    if (param >= 0) {
        float value = (float)point->params[param];
        memcpy(word, &value, sizeof *word);
        return true;
    }
    int64_t value = dim >= 0 ? point->dims[dim] : shape_value(point->kernel, &point->shape, name, -1);
    *word = (uint32_t)value;
    return value >= 0 && value <= UINT32_MAX;
}

static bool prepare_pass(struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, int index, struct launch *launch, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    for (int i = 0; i < pass->binding_count; i++)
        if (!bind(gpu, point, problem, built, launch, pass->bindings[i], &launch->bindings[index][i],
                &launch->packed[index][i]))
            return error_set(err, STATUS_FAULT, "%s: nothing to bind as %s", point->kernel->name, pass->bindings[i]);
    for (int i = 0; i < pass->push_count; i++)
        if (!push_word(point, pass->push[i], &launch->push[index][i]))
            return error_of_kind(err, ERROR_SKIP, "push constant %s does not fit 32 bits", pass->push[i]);
    if (!pass_groups(point->kernel, pass, point->dims, &point->shape, gpu_info(gpu), launch->groups[index]))
        return error_of_kind(err, ERROR_SKIP, "the grid does not fit the device's workgroup counts");
    return true;
}

bool launch_prepare(struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, struct launch *launch, struct error *err) {
    *launch = (struct launch){.pass_count = built->pass_count};
    bool ok = create_scratch(gpu, point, problem, launch, err);
    for (int i = 0; ok && i < built->pass_count; i++) {
        launch->programs[i] = built->passes[i];
        ok = prepare_pass(gpu, point, problem, built, i, launch, err);
    }
    if (!ok) launch_release(gpu, launch);
    return ok;
}

void launch_release(struct gpu *gpu, struct launch *launch) {
    for (int i = 0; i < launch->scratch_count; i++) buffer_destroy(gpu, &launch->scratch[i]);
    buffer_destroy(gpu, &launch->scratch_guards);
    *launch = (struct launch){0};
}

static bool record(struct gpu *gpu, struct work *work, const struct launch *launch,
    const struct binding (*bindings)[KERNEL_BINDINGS], struct error *err) {
    for (int i = 0; i < launch->pass_count; i++) {
        if (!work_dispatch(gpu, work, launch->programs[i], bindings[i], launch->push[i], launch->groups[i], err))
            return false;
        work_barrier(work);
    }
    return true;
}

bool launch_record(struct gpu *gpu, struct work *work, const struct launch *launch, struct error *err) {
    return record(gpu, work, launch, launch->bindings, err);
}

bool launch_record_packed(struct gpu *gpu, struct work *work, const struct launch *launch, struct error *err) {
    return record(gpu, work, launch, launch->packed, err);
}
