// SPDX-License-Identifier: Apache-2.0
// Prepares the dispatches of a built kernel at given dims: bindings, parameters, groups and scratch buffers.
#include "launch.h"

#include "../../device/limits.h"
#include "../../base/memory.h"
#include "../../shader/manifest/dispatches.h"
#include "../../device/device_info.h"

#include <stdlib.h>
#include <string.h>

static const double fill_timeout_s = 10; // for a few words
enum { BLOCK_ALIGNMENT = 256 };          // the largest minUniformBufferOffsetAlignment of any device

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
        if (!buffer_recycle(
                gpu, BUFFER_DEVICE, problem->guard + launch->scratch_bytes[i] + GUARD_BYTES, &launch->scratch[i], err))
            return false;
    }
    if (!launch->scratch_count) return true;
    uint64_t guards = (problem->guard + GUARD_BYTES) * (uint64_t)launch->scratch_count;
    return buffer_recycle(gpu, BUFFER_READBACK, guards, &launch->scratch_guards, err);
}

// Returns the size of a binding. It includes the guard behind the data, because drivers drop writes beyond a
// binding's end and would hide them. It ends with the data if the shader asks for the length, or if the device's
// largest range is exceeded.
static uint64_t binding_bytes(const struct gpu *gpu, bool measured, uint64_t bytes) {
    uint64_t reach = (bytes + GUARD_BYTES) & ~(uint64_t)3;
    return measured || reach > gpu_info(gpu)->storage_range ? bytes : reach;
}

static bool bind(const struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, const struct dispatch *dispatch, int index, struct launch *launch) {
    const int pass = dispatch->pass;
    struct launched *at = &launch->dispatches[launch->dispatch_count];
    const char *name = binding_name(&point->kernel->passes[pass], index, dispatch);
    bool measured = built->measured[pass][index];
    struct binding *out = &at->bindings[LAUNCH_PLAIN][index], *packed = &at->bindings[LAUNCH_PACKED][index],
                   *reaching = &at->bindings[LAUNCH_REACHING][index];
    int operand = operator_operand_index(problem->op, name), scratch = 0;
    const int overwriter = operand < 0 ? -1 : kernel_overwriter(point->kernel, operand);
    const struct recording *recording = point_recording(point);
    uint64_t bytes;
    if (overwriter >= 0) operand = overwriter; // the output that shares the buffer
    if (operand >= 0) {
        const struct operand_data *data = &problem->operands[operand];
        const uint64_t from = problem->guard + (recording ? recording->ranges[index].offset : 0);
        bytes = recording ? recording->ranges[index].bytes : data->extent;
        *out = (struct binding){&data->device, from, binding_bytes(gpu, measured, bytes)};
        // This binding ends with the data (in whole words). The validation layer then sees accesses behind it.
        *packed = (struct binding){
            &problem->packed, problem->packed_at[operand] + from, measured ? bytes : (bytes + 3) & ~(uint64_t)3};
    } else {
        while (scratch < launch->scratch_count && strcmp(point->kernel->scratch[scratch].name, name) != 0) scratch++;
        if (scratch == launch->scratch_count) return false;
        bytes = launch->scratch_bytes[scratch];
        *out = (struct binding){&launch->scratch[scratch], problem->guard, binding_bytes(gpu, measured, bytes)};
        *packed = *out;
    }
    at->data[index] = (bytes + 3) & ~(uint64_t)3;
    *reaching = *out;
    if (measured) reaching->bytes = bytes + built->overreach; // covers the guard, too
    if (measured && reaching->bytes > gpu_info(gpu)->storage_range) launch->has_reaching = false;
    return true;
}

// ---- parameters

static struct buffer *buffer_of(struct launch *launch, const struct block *block) {
    return block->kind == BLOCK_UNIFORM ? &launch->uniforms : &launch->storage;
}

static bool find_words(const struct point *point, const struct dispatch *d, struct launched *at, struct error *err) {
    const struct pass *pass = &point->kernel->passes[d->pass];
    const struct word_source source = {point->kernel, point->dtype, point->dims, point->params, &d->shape, at->groups};
    const struct recording *recording = point_recording(point);
    if (recording) memcpy(at->words, recording->words, sizeof at->words);
    if (recording) return true;
    for (int b = 0; b < pass->block_count; b++)
        for (int i = 0; i < pass->blocks[b].count; i++) {
            const struct word *word = &pass->blocks[b].words[i];
            if (!word_value(&source, word, &at->words[b][i], err)) return false;
        }
    return true;
}

// Appends each block to the buffer of its kind. Uniform blocks are rounded up to whole vectors, as in some languages.
// Storage blocks are not, because a shader may ask for their length.
static void place_blocks(
    const struct pass *pass, const struct built *built, struct launched *at, struct launch *launch) {
    int index = pass->binding_count;
    for (int b = 0; b < pass->block_count; b++) {
        const struct block *block = &pass->blocks[b];
        struct buffer *buffer = buffer_of(launch, block);
        if (block->kind == BLOCK_PUSH) at->pushed = b;
        if (block->kind == BLOCK_PUSH) continue;
        uint64_t bytes = (uint64_t)block->count * 4;
        if (block->kind == BLOCK_UNIFORM) bytes = (bytes + 15) & ~(uint64_t)15;
        const uint64_t reach = built->measured[at->pass][index] ? built->overreach : 0; // the shader subtracts it again
        at->at[b] = buffer->bytes;
        at->data[index] = bytes;
        for (int way = 0; way < LAUNCH_WAYS; way++)
            at->bindings[way][index] =
                (struct binding){buffer, at->at[b], bytes + (way == LAUNCH_REACHING ? reach : 0)};
        buffer->bytes = (at->at[b] + bytes + reach + BLOCK_ALIGNMENT - 1) & ~(uint64_t)(BLOCK_ALIGNMENT - 1);
        index++;
    }
}

static bool create_buffers(struct gpu *gpu, struct launch *launch, struct error *err) {
    const uint64_t uniforms = launch->uniforms.bytes, storage = launch->storage.bytes;
    launch->uniforms = launch->storage = (struct buffer){0};
    return (!uniforms || buffer_recycle(gpu, BUFFER_UNIFORM, uniforms, &launch->uniforms, err)) &&
           (!storage || buffer_recycle(gpu, BUFFER_DEVICE, storage, &launch->storage, err)) &&
           (!launch->zeroed_count || buffer_recycle(gpu, BUFFER_DEVICE, 4, &launch->zero, err));
}

static bool copy_words(
    struct gpu *gpu, struct work *work, const struct kernel *kernel, struct launch *launch, struct error *err) {
    if (!work_begin(gpu, work, err)) return false;
    if (launch->zeroed_count) work_fill(work, &launch->zero, 0, launch->zero.bytes, 0);
    for (int d = 0; d < launch->dispatch_count; d++) {
        const struct launched *at = &launch->dispatches[d];
        const struct pass *pass = &kernel->passes[at->pass];
        for (int b = 0; b < pass->block_count; b++)
            for (int i = 0; pass->blocks[b].kind != BLOCK_PUSH && i < pass->blocks[b].count; i++)
                work_fill(work, buffer_of(launch, &pass->blocks[b]), at->at[b] + (uint64_t)i * 4, 4, at->words[b][i]);
    }
    work_barrier(work);
    return work_end(gpu, work, err) && work_run(gpu, work, fill_timeout_s, NULL, NULL, err);
}

// Fills the parameters once per launch, outside every measured interval.
static bool fill_parameters(struct gpu *gpu, const struct kernel *kernel, struct launch *launch, struct error *err) {
    if (!launch->uniforms.bytes && !launch->storage.bytes && !launch->zeroed_count) return true;
    struct work *work = work_create(gpu, 0, err);
    bool ok = work && copy_words(gpu, work, kernel, launch, err);
    work_destroy(gpu, work);
    return ok;
}

// ---- buffers cleared by the host

static void find_zeroed(const struct point *point, const struct problem *problem, struct launch *launch) {
    for (int i = 0; i < operator_operands(point->kernel->op); i++) {
        const struct operand_data *data = &problem->operands[i];
        if (!point->kernel->zeroed[i]) continue;
        for (int way = 0; way < LAUNCH_WAYS; way++)
            launch->zeroed[way][launch->zeroed_count] =
                way == LAUNCH_PACKED
                    ? (struct binding){&problem->packed, problem->packed_at[i] + problem->guard, data->extent}
                    : (struct binding){&data->device, problem->guard, data->extent};
        launch->zeroed_count++;
    }
    for (int i = 0; i < launch->scratch_count; i++) {
        if (!point->kernel->scratch[i].zeroed) continue;
        for (int way = 0; way < LAUNCH_WAYS; way++)
            launch->zeroed[way][launch->zeroed_count] =
                (struct binding){&launch->scratch[i], problem->guard, launch->scratch_bytes[i]};
        launch->zeroed_count++;
    }
}

// Records the clearing of buffers. Whole words are filled; the bytes of a partial word are copied, because a guard
// follows them.
void launch_record_zeros(struct work *work, const struct launch *launch, enum launch_way way) {
    for (int i = 0; i < launch->zeroed_count; i++) {
        const struct binding *at = &launch->zeroed[way][i];
        const uint64_t whole = at->bytes & ~(uint64_t)3;
        work_fill(work, at->buffer, at->offset, whole, 0);
        work_copy(work, &launch->zero, 0, at->buffer, at->offset + whole, at->bytes - whole);
    }
    if (launch->zeroed_count) work_barrier(work);
}

// ---- dispatches

struct preparing {
    struct gpu *gpu;
    const struct point *point;
    const struct problem *problem;
    const struct built *built;
    struct launch *launch;
    struct error *err;
    bool ok;
};

// Refuses ranges that overlap at an offset which this device does not allow.
static bool check_offsets(const struct preparing *p, const struct launched *at) {
    const struct recording *recording = point_recording(p->point);
    const uint64_t alignment = gpu_info(p->gpu)->storage_alignment;
    for (int i = 0; recording && alignment && i < p->point->kernel->passes[at->pass].binding_count; i++)
        if (recording->ranges[i].offset % alignment)
            return error_of_kind(p->err, ERROR_SKIP,
                "recorded ranges overlap %llu bytes from the start of one; the device binds at multiples of %llu",
                (unsigned long long)recording->ranges[i].offset, (unsigned long long)alignment);
    return true;
}

static bool prepare(struct preparing *p, const struct dispatch *d) {
    const struct pass *pass = &p->point->kernel->passes[d->pass];
    struct launch *launch = p->launch;
    launch->dispatches =
        memory_resize(launch->dispatches, (size_t)launch->dispatch_count + 1, sizeof *launch->dispatches);
    struct launched *at = &launch->dispatches[launch->dispatch_count];
    *at = (struct launched){.pass = d->pass};
    for (int i = 0; i < pass->binding_count; i++)
        if (!bind(p->gpu, p->point, p->problem, p->built, d, i, launch))
            return error_set(
                p->err, STATUS_FAULT, "%s: nothing to bind as %s", p->point->kernel->name, pass->bindings[i]);
    if (!check_offsets(p, at)) return false;
    if (!pass_groups(p->point->kernel, pass, p->point->dims, &d->shape, gpu_info(p->gpu), at->groups))
        return error_of_kind(p->err, ERROR_SKIP, "the grid does not fit the device's workgroup counts");
    grid_fold_early(pass, at->groups, at->folded);
    launch->folds |= memcmp(at->folded, at->groups, sizeof at->groups) != 0;
    place_blocks(pass, p->built, at, launch);
    launch->dispatch_count++;
    return find_words(p->point, d, at, p->err);
}

static bool visit(void *context, const struct dispatch *d) {
    struct preparing *p = context;
    return p->ok = prepare(p, d);
}

static bool prepare_all(struct preparing *p) {
    p->ok = true;
    if (dispatches_visit(p->point->kernel, p->point->dims, &p->point->shape, visit, p) < 0 && p->ok)
        return error_of_kind(p->err, ERROR_SKIP, "too many dispatches");
    find_zeroed(p->point, p->problem, p->launch);
    return p->ok && create_buffers(p->gpu, p->launch, p->err) &&
           fill_parameters(p->gpu, p->point->kernel, p->launch, p->err);
}

bool launch_prepare(struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, struct launch *launch, struct error *err) {
    *launch = (struct launch){.problem = problem,
        .has_reaching = built->overreach > 0,
        .leaves_early = built->parts,
        .skipped = built->skipped,
        .reads_back = built->reads_back};
    for (int i = 0; i < built->pass_count; i++) {
        launch->programs[LAUNCH_PLAIN][i] = launch->programs[LAUNCH_PACKED][i] = built->passes[i];
        launch->programs[LAUNCH_REACHING][i] = built->shortened[i] ? built->shortened[i] : built->passes[i];
    }
    struct preparing preparing = {gpu, point, problem, built, launch, err, true};
    bool ok = create_scratch(gpu, point, problem, launch, err) && prepare_all(&preparing);
    if (!ok) launch_release(gpu, launch);
    return ok;
}

void launch_release(struct gpu *gpu, struct launch *launch) {
    for (int i = 0; i < launch->scratch_count; i++) buffer_destroy(gpu, &launch->scratch[i]);
    if (launch->uniforms.handle) buffer_destroy(gpu, &launch->uniforms);
    if (launch->storage.handle) buffer_destroy(gpu, &launch->storage);
    buffer_destroy(gpu, &launch->scratch_guards);
    buffer_destroy(gpu, &launch->zero);
    free(launch->dispatches);
    *launch = (struct launch){0};
}

bool launch_record(struct gpu *gpu, struct work *work, const struct launch *launch, enum launch_way way, bool folded,
    struct error *err) {
    launch_record_zeros(work, launch, way);
    for (int i = 0; i < launch->dispatch_count; i++) {
        const struct launched *at = &launch->dispatches[i];
        if (!work_dispatch(gpu, work, launch->programs[way][at->pass], at->bindings[way], at->words[at->pushed],
                folded ? at->folded : at->groups, err))
            return false;
        work_barrier(work);
    }
    return true;
}
