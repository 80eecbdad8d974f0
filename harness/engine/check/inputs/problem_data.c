// SPDX-License-Identifier: Apache-2.0
#include "problem_data.h"

#include "../../../device/limits.h"
#include "../../../base/memory.h"
#include "../../../base/parallel.h"
#include "../../plan/lines.h"
#include "fill.h"
#include "../../../../reference/operator.h"
#include "leave_out.h"
#include "../recorded/contents.h"
#include "strided.h"
#include "special_values.h"
#include "../../../device/device_info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t operand_span(const struct problem *problem, const struct operand_data *operand) {
    return (problem->guard + operand->extent + GUARD_BYTES + 3) & ~(uint64_t)3;
}

static void *take_memory(struct problem *problem, int operand, int which, uint64_t bytes) {
    return reused_take(&problem->memory[operand][which], bytes);
}

static void release_memory(struct problem *problem, size_t above) {
    for (int i = 0; i < OPERATOR_OPERANDS; i++)
        for (int which = 0; which < MEMORY_COUNT; which++) reused_release(&problem->memory[i][which], above);
    reused_release(&problem->packing, above);
}

static void widen(void *context, int64_t first, int64_t count) {
    struct operand_data *operand = context;
    if (operand->dtype == DTYPE_F32) {
        const float *from = operand->image;
        for (int64_t i = first; i < first + count; i++) operand->as_double[i] = (double)from[i];
        return;
    }
    for (int64_t i = first; i < first + count; i++) {
        double value = dtype_load(operand->dtype, operand->image, i);
        operand->as_double[i] = value;
        operand->as_float[i] = (float)value;
    }
}

// Fills an input with its fixed number. A quantised one is 0, because zeroed blocks hold zeros.
static void fill_fixed(void *context, int64_t first, int64_t count) {
    struct operand_data *operand = context;
    const struct dtype_info *info = dtype_info(operand->dtype);
    if (info->elements > 1) {
        if (first == 0) memset(operand->image, 0, (size_t)operand->bytes);
        return;
    }
    for (int64_t i = first; i < first + count; i++) dtype_store(operand->dtype, operand->image, i, operand->fixed);
}

// `as`: the operand that the key is of.
static void fill_values(
    struct problem *problem, int index, int as, const struct operand *described, int specials, int special_index) {
    struct operand_data *operand = &problem->operands[index];
    struct operand within = *described; // without indices out of range
    if (within.fill == FILL_OUT_OF_RANGE && problem->kernel->leaves[LEAVE_INDEX_RANGE]) within.fill = FILL_INDEX;
    struct fill_request request = {.op = problem->op,
        .operand = &within,
        .dims = problem->dims,
        .dtype = operand->dtype,
        .narrow = problem->kernel->arithmetic == DTYPE_F16,
        .elements = operand->elements,
        .key = operand_key(problem->key, as),
        .specials = specials,
        .special_index = special_index,
        .index = index,
        .placement = problem->placement,
        .outlier = described->outlier.along ? &described->outlier : NULL,
        .outlier_key = problem->key};
    if (operand->is_fixed)
        parallel_for(operand->elements, 4096, fill_fixed, operand);
    else
        fill_operand(&request, operand->image);
    const int rank = operand_rank(described->shape);
    const int64_t last_axis = rank ? problem->dims[operator_dim_index(problem->op, described->shape[rank - 1])] : 1;
    if (!operand->is_fixed)
        leave_out(
            problem->kernel, described, operand->dtype, operand->elements, last_axis, request.key, operand->image);
    if (operand->as_double) parallel_for(operand->elements, 4096, widen, operand);
}

// Makes the host's memory of an input. It is filled unless it is `blank`.
static bool make_input(
    struct problem *problem, int index, int specials, int special_index, bool blank, struct error *err) {
    struct operand_data *operand = &problem->operands[index];
    const uint64_t count = (uint64_t)operand->elements;
    const bool whole = dtype_info(operand_dtype(&problem->op->operands[index], problem->dtype))->whole;
    operand->image = take_memory(problem, index, MEMORY_IMAGE, operand->bytes);
    if (!whole) {
        operand->as_double = take_memory(problem, index, MEMORY_DOUBLE, count * sizeof *operand->as_double);
        operand->as_float = operand->dtype == DTYPE_F32
                                ? operand->image
                                : take_memory(problem, index, MEMORY_FLOAT, count * sizeof *operand->as_float);
    }
    if (!operand->image || (!whole && (!operand->as_double || !operand->as_float)))
        return error_set(err, STATUS_FAULT, "out of host memory for operand %s", problem->op->operands[index].name);
    struct operand described = problem->op->operands[index];
    described.outlier.along = NULL;
    if (!blank) fill_values(problem, index, index, &described, specials, special_index);
    return true;
}

static bool takes_specials(const struct problem *problem, int operand) {
    return problem->op->operands[operand].specials && !problem->operands[operand].is_fixed &&
           problem->placement != LINES_PLAIN;
}

// `blank`: only inputs without a fixed number are drawn by the caller.
static bool make_inputs(struct problem *problem, bool blank, struct error *err) {
    int specials = 0, special_index = 0;
    if (problem->kernel->recorded) return recorded_fill(problem, err);
    for (int i = 0; i < problem->operand_count; i++) specials += takes_specials(problem, i);
    for (int i = 0; i < problem->operand_count; i++) {
        if (problem->operands[i].role == ROLE_OUT) continue;
        const bool special = takes_specials(problem, i);
        const bool by_caller = blank && problem->operands[i].role == ROLE_IN && !problem->operands[i].is_fixed;
        if (!make_input(problem, i, specials, special_index, by_caller, err)) return false;
        if (special) problem->special_elements = unusual_elements(specials, problem->operands[i].elements);
        special_index += special;
    }
    return true;
}

bool problem_rearrange(struct problem *problem, int placement, struct error *err) {
    problem->placement = placement;
    problem->inputs_placed = problem->packed_placed = false;
    return make_inputs(problem, false, err);
}

bool problem_takes_whole(const struct problem *problem, int index) {
    const struct operand *operand = &problem->op->operands[index];
    const struct dtype_info *info = dtype_info(problem->operands[index].dtype);
    return operand->fill == FILL_UNIFORM && operand->role != ROLE_OUT && info->is_float && info->elements == 1;
}

// Returns how to draw an operand: as declared but with all lines alike, or as `how` demands.
static struct operand redrawn(const struct problem *problem, int index, const struct redraw *how) {
    struct operand described = problem->op->operands[index];
    const struct dtype_info *info = dtype_info(problem->operands[index].dtype);
    const int rank = operand_rank(described.shape);
    described.lines = LINES_ALIKE;
    if (!how->as_declared) described.outlier.along = NULL;
    if (how->range == 0 || !problem_takes_whole(problem, index)) return described;
    // Whole numbers are of either sign but mostly positive, or none is below 0.
    const bool signs = !how->positive && (described.low < 0 || described.high == 0);
    described.fill = FILL_WHOLE;
    described.high = fmin(how->range, ldexp(1, info->significand));
    described.low = signs ? -described.high / 4 : 0;
    if (how->outlier == 0 || how->with_outlier != index || !rank) return described;
    described.outlier = (struct outlier){
        described.shape[rank - 1], how->outlier, how->outlier, described.low, described.high, .whole = true};
    return described;
}

void problem_redraw(struct problem *problem, uint64_t key, const struct redraw *how) {
    problem->key = key;
    problem->placement = problem->special_count = 0;
    problem->special_elements = 0;
    problem->inputs_placed = problem->packed_placed = false;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand described = redrawn(problem, i, how);
        const int as = how->exchanged && i < 2 ? 1 - i : i;
        if (problem->operands[i].role != ROLE_OUT) fill_values(problem, i, as, &described, 0, 0);
    }
}

void problem_take_lines(struct problem *problem, const struct problem *from) {
    problem->key = ~from->key;
    problem->special_elements = 0;
    problem->inputs_placed = problem->packed_placed = false;
    for (int i = 0; i < problem->operand_count; i++) {
        struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_OUT) continue;
        memcpy(operand->image, from->operands[i].image, (size_t)operand->bytes);
        if (operand->as_double) parallel_for(operand->elements, 4096, widen, operand);
    }
}

uint8_t problem_touched(const struct problem *problem, int64_t e) {
    uint8_t touched = 0;
    if (e >= problem->special_elements) return 0;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *input = &problem->operands[i];
        if (!problem->op->operands[i].specials || !input->image || input->is_fixed) continue;
        enum number_class c = classify(input->dtype, dtype_load(input->dtype, input->image, e));
        if (c == CLASS_NAN || c == CLASS_INFINITE) touched |= 1;
        if (c == CLASS_SUBNORMAL) touched |= 2;
    }
    return touched;
}

static bool size_operand(struct problem *problem, const struct point *point, int index, struct error *err) {
    const struct kernel *kernel = point->kernel;
    const struct operand *described = &problem->op->operands[index];
    struct operand_data *operand = &problem->operands[index];
    operand->role = described->role;
    operand->is_fixed = kernel->is_fixed[index];
    operand->fixed = kernel->fixed[index];
    operand->from = kernel->in_place[index] ? &problem->operands[kernel->in_place[index] - 1] : NULL;
    operand->dtype = kernel_operand_dtype(kernel, index, problem->dtype);
    operand->elements = operand_elements(problem->op, described, problem->dims);
    if (operand->elements < 0 || !dtype_bytes(operand->dtype, operand->elements, &operand->bytes) ||
        operand->bytes > UINT64_MAX / 4)
        return error_of_kind(err, ERROR_SKIP, "operand %s has no size at these dims", described->name);
    if (!strided_find(point, index, operand->bytes, operand, err)) return false;
    operand->staging = problem->staging_bytes;
    // Guard words beside an input of indices are below its limit, so they are valid indices, too.
    const int dim = described->below ? operator_dim_index(problem->op, described->below) : -1;
    const int64_t below = described->fill == FILL_PERMUTATION ? operand->elements : dim < 0 ? 0 : problem->dims[dim];
    if (operand->role == ROLE_IN)
        operand->guard_form = guard_form_of(operand->dtype, below > INT32_MAX ? 0 : (uint32_t)below);
    return !__builtin_add_overflow(problem->staging_bytes, operand_span(problem, operand), &problem->staging_bytes) ||
           error_of_kind(err, ERROR_SKIP, "the operands' sizes overflow");
}

// Places the operands in the packed buffer and returns its size. Data begins at an odd multiple of the least
// alignment, so it never has a greater alignment by chance. The alignment is at least a word, because copies go by
// words.
static uint64_t place_packed(const struct gpu *gpu, struct problem *problem) {
    uint64_t alignment = gpu_info(gpu)->storage_alignment, end = 0;
    if (alignment < 4) alignment = 4;
    for (int i = 0; i < problem->operand_count; i++) {
        uint64_t multiple = (end + problem->guard + alignment - 1) / alignment;
        problem->packed_at[i] = (multiple | 1) * alignment - problem->guard;
        end = problem->packed_at[i] + operand_span(problem, &problem->operands[i]);
    }
    return end;
}

// Reuses the staging buffer of the last problem if it is large enough. A driver needs longer to pin memory than to
// fill it.
static bool keep_or_create(
    struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, struct buffer *buffer, struct error *err) {
    if (buffer->bytes >= bytes) return true;
    buffer_destroy(gpu, buffer);
    return buffer_recycle(gpu, kind, bytes, buffer, err);
}

static bool create_buffers(struct gpu *gpu, struct problem *problem, struct error *err) {
    for (int i = 0; i < problem->operand_count; i++) {
        struct operand_data *operand = &problem->operands[i];
        if (!buffer_recycle(gpu, BUFFER_DEVICE, operand_span(problem, operand), &operand->device, err)) return false;
        if (operand->role == ROLE_IN) continue;
        operand->got = take_memory(problem, i, MEMORY_GOT, operand->bytes);
        if (!operand->got) return error_set(err, STATUS_FAULT, "out of host memory for the outputs");
    }
    const bool packed = problem->staging_bytes <= PACKED_BYTES;
    return (!packed || buffer_recycle(gpu, BUFFER_DEVICE, place_packed(gpu, problem), &problem->packed, err)) &&
           keep_or_create(gpu, BUFFER_UPLOAD, problem->staging_bytes, &problem->upload, err) &&
           keep_or_create(gpu, BUFFER_READBACK, problem->staging_bytes, &problem->readback, err);
}

// Releases everything but the memory that the next problem may reuse.
static void release(struct gpu *gpu, struct problem *problem) {
    for (int i = 0; i < problem->operand_count; i++) buffer_destroy(gpu, &problem->operands[i].device);
    buffer_destroy(gpu, &problem->packed);
    release_memory(problem, REUSED_BYTES);
    struct problem kept = {.upload = problem->upload, .readback = problem->readback, .packing = problem->packing};
    memcpy(kept.memory, problem->memory, sizeof kept.memory);
    *problem = kept;
}

// Describes the problem of a point, and sizes its operands.
static bool describe_problem(
    const struct point *point, uint64_t seed, uint64_t alignment, struct problem *problem, struct error *err) {
    const struct op *op = point->kernel->op;
    problem->key = problem_key(point, seed);
    problem->op = op;
    problem->kernel = point->kernel;
    problem->dtype = point->dtype;
    problem->operand_count = operator_operands(op);
    problem->guard = alignment > GUARD_BYTES ? alignment : GUARD_BYTES;
    memcpy(problem->dims, point->dims, sizeof problem->dims);
    for (int i = 0; i < operator_params(op); i++) // the reference gets what a kernel gets
        problem->params[i] = op->params[i].integer ? point->params[i] : (double)(float)point->params[i];
    for (int i = 0; i < problem->operand_count; i++)
        if (!size_operand(problem, point, i, err)) return false;
    return true;
}

static uint64_t alignment_of(const struct gpu *gpu) {
    return gpu ? gpu_info(gpu)->storage_alignment : 1;
}

static bool open_problem(
    struct gpu *gpu, const struct point *point, uint64_t seed, bool blank, struct problem *problem, struct error *err) {
    release(gpu, problem);
    bool ok = describe_problem(point, seed, alignment_of(gpu), problem, err) &&
              (!gpu || create_buffers(gpu, problem, err)) && make_inputs(problem, blank, err);
    if (!ok) problem_close(gpu, problem);
    return ok;
}

bool problem_open(
    struct gpu *gpu, const struct point *point, uint64_t seed, struct problem *problem, struct error *err) {
    return open_problem(gpu, point, seed, false, problem, err);
}

bool problem_open_blank(
    struct gpu *gpu, const struct point *point, uint64_t seed, struct problem *problem, struct error *err) {
    return open_problem(gpu, point, seed, true, problem, err);
}

bool problem_fill(const struct gpu *gpu, const struct point *point, uint64_t seed, uint64_t most_bytes,
    struct problem *problem, struct error *err) {
    release(NULL, problem);
    bool ok = describe_problem(point, seed, alignment_of(gpu), problem, err);
    if (ok && problem->staging_bytes > most_bytes) ok = error_of_kind(err, ERROR_SKIP, "the operands are too large");
    ok = ok && make_inputs(problem, false, err);
    if (!ok) release(NULL, problem);
    return ok;
}

bool problem_take_filled(struct gpu *gpu, struct problem *filled, struct problem *problem, struct error *err) {
    release(gpu, problem);
    const struct problem old = *problem;
    *problem = *filled;
    for (int i = 0; i < problem->operand_count; i++) // pointers between operands lead into the new place
        if (filled->operands[i].from)
            problem->operands[i].from = &problem->operands[filled->operands[i].from - filled->operands];
    problem->upload = old.upload;
    problem->readback = old.readback;
    *filled = old;
    filled->upload = filled->readback = (struct buffer){0};
    bool ok = create_buffers(gpu, problem, err);
    if (!ok) problem_close(gpu, problem);
    return ok;
}

void problem_clear(struct gpu *gpu, struct problem *problem) {
    release(gpu, problem);
    if (problem->upload.bytes > REUSED_STAGING) buffer_destroy(gpu, &problem->upload);
    if (problem->readback.bytes > REUSED_STAGING) buffer_destroy(gpu, &problem->readback);
}

void problem_close(struct gpu *gpu, struct problem *problem) {
    release(gpu, problem);
    release_memory(problem, 0);
    buffer_destroy(gpu, &problem->upload);
    buffer_destroy(gpu, &problem->readback);
}

bool problem_map(struct gpu *gpu, struct problem *problem, struct error *err) {
    struct error lack = {0};
    if (problem->staging_bytes > MAPPED_BYTES) return true;
    if (buffer_create(gpu, BUFFER_MAPPED, problem->staging_bytes, &problem->mapped, &lack)) return true;
    problem->mapped = (struct buffer){0};
    if (lack.kind == ERROR_SKIP || lack.kind == ERROR_OUT_OF_MEMORY) return true;
    *err = lack;
    return false;
}

void problem_unmap(struct gpu *gpu, struct problem *problem) {
    buffer_destroy(gpu, &problem->mapped);
    problem->mapped = (struct buffer){0};
}
