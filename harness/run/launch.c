// SPDX-License-Identifier: Apache-2.0
// What the dispatches of a built kernel need at given dims: bindings, parameters, groups, scratch buffers.
#include "../plan/words.h"
#include "program.h"

#include <string.h>

static const double fill_timeout_s = 10; // for a few words

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
        if (!buffer_create(
                gpu, BUFFER_DEVICE, problem->guard + launch->scratch_bytes[i] + GUARD_BYTES, &launch->scratch[i], err))
            return false;
    }
    if (!launch->scratch_count) return true;
    uint64_t guards = (problem->guard + GUARD_BYTES) * (uint64_t)launch->scratch_count;
    return buffer_create(gpu, BUFFER_READBACK, guards, &launch->scratch_guards, err);
}

// A binding reaches over the guard behind the data, as drivers drop writes beyond the end of a binding and
// would hide them. Where the shader asks for its length, or the range is used up, it ends with the data.
static uint64_t binding_bytes(const struct gpu *gpu, bool measured, uint64_t bytes) {
    uint64_t reach = (bytes + GUARD_BYTES) & ~(uint64_t)3;
    return measured || reach > gpu_info(gpu)->storage_range ? bytes : reach;
}

static bool bind(const struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, int pass, int index, struct launch *launch) {
    const char *name = point->kernel->passes[pass].bindings[index];
    bool measured = built->measured[pass][index];
    struct binding *out = &launch->bindings[LAUNCH_PLAIN][pass][index],
                   *packed = &launch->bindings[LAUNCH_PACKED][pass][index],
                   *reaching = &launch->bindings[LAUNCH_REACHING][pass][index];
    int operand = operator_operand_index(problem->op, name), scratch = 0;
    const int overwriter = operand < 0 ? -1 : kernel_overwriter(point->kernel, operand);
    uint64_t bytes;
    if (overwriter >= 0) operand = overwriter; // whose buffer it stands in
    if (operand >= 0) {
        const struct operand_data *data = &problem->operands[operand];
        bytes = data->extent;
        *out = (struct binding){&data->device, problem->guard, binding_bytes(gpu, measured, bytes)};
        // Here the binding ends with the data (in whole words), so that the validation layer sees what reaches behind
        // it.
        *packed = (struct binding){&problem->packed, problem->packed_at[operand] + problem->guard,
            measured ? bytes : (bytes + 3) & ~(uint64_t)3};
    } else {
        while (scratch < launch->scratch_count && strcmp(point->kernel->scratch[scratch].name, name) != 0) scratch++;
        if (scratch == launch->scratch_count) return false;
        bytes = launch->scratch_bytes[scratch];
        *out = (struct binding){&launch->scratch[scratch], problem->guard, binding_bytes(gpu, measured, bytes)};
        *packed = *out;
    }
    *reaching = *out;
    if (measured) reaching->bytes = bytes + built->overreach; // over the guard, too
    if (measured && reaching->bytes > gpu_info(gpu)->storage_range) launch->has_reaching = false;
    return true;
}

static bool find_words(
    const struct point *point, const struct pass *pass, int index, struct launch *launch, struct error *err) {
    const struct word_source source = {point->kernel, point->dims, point->params, &point->shape, launch->groups[index]};
    for (int b = 0; b < pass->block_count; b++)
        for (int i = 0; i < pass->blocks[b].count; i++) {
            const struct word *word = &pass->blocks[b].words[i];
            if (!word_value(&source, word, &launch->words[index][b][i]))
                return error_of_kind(err, ERROR_SKIP, "parameter %s does not fit 32 bits", word->text);
        }
    return true;
}

static bool prepare_pass(struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, int index, struct launch *launch, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    for (int i = 0; i < pass->binding_count; i++)
        if (!bind(gpu, point, problem, built, index, i, launch))
            return error_set(err, STATUS_FAULT, "%s: nothing to bind as %s", point->kernel->name, pass->bindings[i]);
    if (!pass_groups(point->kernel, pass, point->dims, &point->shape, gpu_info(gpu), launch->groups[index]))
        return error_of_kind(err, ERROR_SKIP, "the grid does not fit the device's workgroup counts");
    return find_words(point, pass, index, launch, err);
}

// Rounded up to whole vectors, as a block's size is in some languages; those of storage are as long as they are, since
// a shader may ask for their length.
static uint64_t block_bytes(const struct block *block) {
    uint64_t bytes = (uint64_t)block->count * 4;
    return block->kind == BLOCK_UNIFORM ? (bytes + 15) & ~(uint64_t)15 : bytes;
}

static bool create_parameters(
    struct gpu *gpu, const struct kernel *kernel, const struct built *built, struct launch *launch, struct error *err) {
    for (int p = 0; p < launch->pass_count; p++) {
        const struct pass *pass = &kernel->passes[p];
        int at = pass->binding_count;
        for (int b = 0; b < pass->block_count; b++) {
            const struct block *block = &pass->blocks[b];
            struct buffer *buffer = &launch->parameters[p][b];
            if (block->kind == BLOCK_PUSH) continue;
            const uint64_t bytes = block_bytes(block);
            const uint64_t reach = built->measured[p][at] ? built->overreach : 0; // as shaders are told of it
            if (!buffer_create(
                    gpu, block->kind == BLOCK_UNIFORM ? BUFFER_UNIFORM : BUFFER_DEVICE, bytes + reach, buffer, err))
                return false;
            for (int way = 0; way < LAUNCH_WAYS; way++)
                launch->bindings[way][p][at] =
                    (struct binding){buffer, 0, bytes + (way == LAUNCH_REACHING ? reach : 0)};
            at++;
        }
    }
    return true;
}

static void copy_block(struct work *work, const struct buffer *to, const uint32_t *words, int count) {
    for (int i = 0; i < count; i++) work_fill(work, to, (uint64_t)i * 4, 4, words[i]);
}

static bool copy_words(
    struct gpu *gpu, struct work *work, const struct kernel *kernel, const struct launch *launch, struct error *err) {
    if (!work_begin(gpu, work, err)) return false;
    for (int p = 0; p < launch->pass_count; p++)
        for (int b = 0; b < kernel->passes[p].block_count; b++)
            if (launch->parameters[p][b].bytes)
                copy_block(work, &launch->parameters[p][b], launch->words[p][b], kernel->passes[p].blocks[b].count);
    work_barrier(work);
    return work_end(gpu, work, err) && work_run(gpu, work, fill_timeout_s, NULL, NULL, err);
}

// Once for a launch, outside of every measured interval.
static bool fill_parameters(
    struct gpu *gpu, const struct kernel *kernel, const struct launch *launch, struct error *err) {
    bool any = false;
    for (int p = 0; p < launch->pass_count; p++)
        for (int b = 0; b < KERNEL_BLOCKS; b++) any |= launch->parameters[p][b].bytes > 0;
    if (!any) return true;
    struct work *work = work_create(gpu, 0, err);
    bool ok = work && copy_words(gpu, work, kernel, launch, err);
    work_destroy(gpu, work);
    return ok;
}

bool launch_prepare(struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, struct launch *launch, struct error *err) {
    *launch = (struct launch){.problem = problem,
        .pass_count = built->pass_count,
        .has_reaching = built->overreach > 0,
        .leaves_early = built->parts};
    bool ok =
        create_scratch(gpu, point, problem, launch, err) && create_parameters(gpu, point->kernel, built, launch, err);
    for (int i = 0; ok && i < built->pass_count; i++) {
        launch->programs[LAUNCH_PLAIN][i] = launch->programs[LAUNCH_PACKED][i] = built->passes[i];
        launch->programs[LAUNCH_REACHING][i] = built->told[i] ? built->told[i] : built->passes[i];
        ok = prepare_pass(gpu, point, problem, built, i, launch, err);
    }
    ok = ok && fill_parameters(gpu, point->kernel, launch, err);
    if (!ok) launch_release(gpu, launch);
    return ok;
}

void launch_release(struct gpu *gpu, struct launch *launch) {
    for (int i = 0; i < launch->scratch_count; i++) buffer_destroy(gpu, &launch->scratch[i]);
    for (int p = 0; p < launch->pass_count; p++)
        for (int b = 0; b < KERNEL_BLOCKS; b++) buffer_destroy(gpu, &launch->parameters[p][b]);
    buffer_destroy(gpu, &launch->scratch_guards);
    *launch = (struct launch){0};
}

// Of the block that is pushed, which alone has no buffer; where there is none, nothing is pushed.
static const uint32_t *push_words(const struct launch *launch, int pass) {
    int b = 0;
    while (b < KERNEL_BLOCKS - 1 && launch->parameters[pass][b].bytes) b++;
    return launch->words[pass][b];
}

bool launch_record(
    struct gpu *gpu, struct work *work, const struct launch *launch, enum launch_way way, struct error *err) {
    for (int i = 0; i < launch->pass_count; i++) {
        if (!work_dispatch(gpu, work, launch->programs[way][i], launch->bindings[way][i], push_words(launch, i),
                launch->groups[i], err))
            return false;
        work_barrier(work);
    }
    return true;
}

// What is computed in place is put back, from the buffers of the inputs, which no shader touches.
static bool restore_inputs(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct launch *launch = what;
    const struct problem *problem = launch->problem;
    (void)err;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->from)
            device->copy(device->context, work, &operand->from->device, problem->guard, &operand->device,
                problem->guard, operand->extent);
    }
    device->barrier(device->context, work);
    return true;
}

static bool record_target(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    return launch_record(device->context, work, what, LAUNCH_PLAIN, err);
}

struct target launch_target(const struct launch *launch) {
    bool restores = false;
    for (int i = 0; i < launch->problem->operand_count; i++) restores |= launch->problem->operands[i].from != NULL;
    return (struct target){record_target, launch, restores ? restore_inputs : NULL};
}
