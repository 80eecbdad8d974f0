// SPDX-License-Identifier: Apache-2.0
#include "errors_tier.h"

#include "../../base/memory.h"
#include "../plan/legal.h"
#include "../plan/shapes.h"
#include "../../shader/manifest/dispatches.h"
#include "../../device/device_info.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Limits on the work of one draw, and on the invocations of all draws on a CPU. GROUPS_WANTED: independent outputs of
// all draws together.
static const double most_operations = 3e5, most_elements = 1 << 15, most_invocations_on_cpu = 1 << 14;
static const double most_invocations_of_draws = 1 << 24;
static const double long_sum = 10; // in ULP: half of the sum's depth
enum { GROUPS_WANTED = 320, LEAST_DRAWS = 2, DOUBLINGS = 24 };

static double work_of(const struct op *op, const int64_t *dims) {
    const double elements = operator_elements(op, dims), operations = operator_flops(op, dims);
    return fmax(elements / most_elements, operations / most_operations);
}

// Returns how far the depth of its sums raises the bounds of an output's first granule, in ULP.
static double part_of_output(const struct point *point, int output, struct call_f64 *call) {
    const struct op *op = point->kernel->op;
    const int64_t count = operand_granule(op, &op->operands[output], point->dims);
    double *bounds = memory_alloc((size_t)count * 4, sizeof *bounds);
    double most = 0;
    call->output = output;
    call->count = count;
    call->out = bounds + 2 * count;
    call->magnitude = bounds + 3 * count;
    for (int deep = 0; deep < 2; deep++) {
        call->bound = bounds + deep * count;
        call->depth = deep ? 0 : 1; // 0: serial
        op->f64(call);
    }
    for (int64_t i = 0; i < count; i++) most = fmax(most, bounds[count + i] - bounds[i]);
    free(bounds);
    return most;
}

// Returns the same for the output where it is largest; 0: no output is a sum.
static double sum_part(const struct point *point) {
    const struct op *op = point->kernel->op;
    struct call_f64 call = {.dims = point->dims, .params = point->params, .dtype = point->dtype, .rte = true};
    void *inputs[OPERATOR_OPERANDS] = {0};
    double most = 0;
    if (op->in_steps) return long_sum;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        const size_t count = (size_t)operand_elements(op, operand, point->dims);
        if (operand->role == ROLE_OUT) continue;
        double *values = inputs[i] = memory_alloc(count, sizeof *values);
        call.ints[i] = inputs[i]; // zeros, until they become numbers
        if (dtype_info(operand_dtype(operand, point->dtype))->whole) continue;
        call.ints[i] = NULL;
        call.in[i] = values;
        for (size_t j = 0; j < count; j++) values[j] = 0.5;
    }
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_IN &&
            dtype_info(kernel_operand_dtype(point->kernel, i, point->dtype))->is_float)
            most = fmax(most, part_of_output(point, i, &call));
    for (int i = 0; i < OPERATOR_OPERANDS; i++) free(inputs[i]);
    return most;
}

static bool is_legal(const struct crossing *crossing, const struct point *point) {
    struct trial trial = trial_of(point, crossing->device, crossing->suite->settings.memory_share, crossing->arena);
    return !trial_both(&trial, &point->shape);
}

// Doubles the dim, if this increases the work and stays within the limits.
static bool grow(const struct crossing *crossing, struct point *point, int dim) {
    const struct op *op = point->kernel->op;
    struct point grown = *point;
    grown.dims[dim] *= 2;
    if (operator_derive(op, grown.dims)) return false;
    double work = work_of(op, grown.dims);
    if (work > 1 || work < 1.5 * work_of(op, point->dims) || !is_legal(crossing, &grown)) return false;
    const struct device_info *device = crossing->device;
    const double launched =
        device->kind == DEVICE_CPU ? kernel_invocations(grown.kernel, grown.dims, &grown.shape, device) : 0;
    if (launched > most_invocations_on_cpu &&
        launched > kernel_invocations(point->kernel, point->dims, &point->shape, device))
        return false;
    memcpy(point->dims, grown.dims, sizeof point->dims);
    return true;
}

// Finds the suite's point with the least work and sums of at least twenty terms, otherwise with the longest sums.
// Then its dims are doubled in turn.
static bool find_dims(const struct crossing *crossing, size_t end, struct point *point) {
    const struct op *op = point->kernel->op;
    double least = 1, most = 0;
    for (size_t i = 0; i < end; i++) {
        const struct point *item = &crossing->items[i];
        if (item->kernel != point->kernel || item->dtype != point->dtype) continue;
        struct point tried = *item;
        tried.shape = point->shape;
        if (!is_legal(crossing, &tried)) continue;
        const double work = work_of(op, item->dims), part = work <= 1 ? fmin(sum_part(&tried), long_sum) : 0;
        if (part < most || part == 0 || (part == most && work >= least)) continue;
        most = part;
        least = work;
        memcpy(point->dims, item->dims, sizeof point->dims);
        memcpy(point->params, item->params, sizeof point->params);
    }
    if (most == 0) return false;
    bool grew = true;
    for (int turn = 0; grew && turn < DOUBLINGS; turn++) {
        grew = false;
        for (int dim = 0; dim < operator_dims(op); dim++) grew |= grow(crossing, point, dim);
    }
    return true;
}

// ---- the deepest sums

// At these depths, errors to one side show beside the errors allowed in functions. Truncation adds a quarter of an
// ULP for each addition on the longest path, and most functions should err by 4 ULP at most.
enum { DEPTH_WANTED = 1024, DEPTH_ENOUGH = 64, DEEP_WORK = 8, DEEP_GROUPS = 96, DEEP_OUTPUTS = 8 };

static int64_t depth_of(const struct point *point) {
    return kernel_depth(point->kernel, point->dims, &point->shape);
}

// Returns the length of the last chain of additions. It adds up the results of earlier ones.
static int64_t last_chain(const struct point *point) {
    return kernel_last_chain(point->kernel, point->dims, &point->shape);
}

typedef int64_t measure(const struct point *point);

// Finds the legal shape with the largest length, usually the one with the fewest lanes. Among equals the earlier
// shape stays.
static void deepen_shape(const struct crossing *crossing, struct point *point, measure *length) {
    struct shape shape = shape_first(point->kernel);
    int64_t most = length(point);
    int digit[KERNEL_TUNABLES] = {0};
    do {
        struct point tried = *point;
        tried.shape = shape;
        if (length(&tried) <= most || !is_legal(crossing, &tried)) continue;
        most = length(&tried);
        point->shape = shape;
    } while (shape_next(point->kernel, digit, &shape));
}

static int64_t least_granules(const struct point *point) {
    const struct op *op = point->kernel->op;
    int64_t least = INT64_MAX;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        if (operand->role == ROLE_IN || !dtype_info(kernel_operand_dtype(point->kernel, i, point->dtype))->is_float)
            continue;
        int64_t granules = operand_elements(op, operand, point->dims) / operand_granule(op, operand, point->dims);
        if (granules > 0 && granules < least) least = granules;
    }
    return least;
}

// Doubles the dim if the path becomes longer, or halves it if the path stays as long.
static bool change_dim(const struct crossing *crossing, struct point *point, measure *length, int dim, bool doubled) {
    struct point tried = *point;
    tried.dims[dim] = doubled ? tried.dims[dim] * 2 : tried.dims[dim] / 2;
    if (tried.dims[dim] < 1 || operator_derive(point->kernel->op, tried.dims) || !is_legal(crossing, &tried))
        return false;
    const int64_t old = length(point), depth = length(&tried);
    if (doubled ? depth < old + old / 4 : depth < old || least_granules(&tried) < DEEP_OUTPUTS) return false;
    const double work = work_of(point->kernel->op, tried.dims), before = work_of(point->kernel->op, point->dims);
    if (doubled ? work > DEEP_WORK : work > before * 0.75 || sum_part(&tried) < sum_part(point)) return false;
    memcpy(point->dims, tried.dims, sizeof point->dims);
    return true;
}

// Makes the point's sums deeper. Returns false if they cannot become much deeper.
static bool deepen(const struct crossing *crossing, struct point *point, measure *length) {
    const int64_t before = length(point);
    bool changed = true;
    if (!before || before > DEPTH_ENOUGH) return false;
    deepen_shape(crossing, point, length);
    for (int turn = 0; changed && turn < DOUBLINGS; turn++) {
        changed = false;
        for (int dim = 0; dim < operator_dims(point->kernel->op); dim++)
            if (change_dim(crossing, point, length, dim, false) ||
                (length(point) < DEPTH_WANTED && change_dim(crossing, point, length, dim, true)))
                changed = true;
    }
    return length(point) >= 2 * before;
}

// ---- draws

// Returns the number of draws: enough for the output with the fewest granules, but on a CPU only a second or two of
// work.
static int draws_for(const struct crossing *crossing, const struct point *point, int64_t wanted) {
    const int64_t granules = least_granules(point), least = granules < wanted ? granules : wanted;
    int64_t draws = (wanted + least - 1) / least;
    if (crossing->device->kind == DEVICE_CPU)
        draws = (int64_t)fmin((double)draws, most_invocations_of_draws / kernel_invocations(point->kernel, point->dims,
                                                                             &point->shape, crossing->device));
    return draws < LEAST_DRAWS ? LEAST_DRAWS : draws > ERROR_DRAWS ? ERROR_DRAWS : (int)draws;
}

static bool add_point(struct crossing *crossing, struct point point, int64_t groups) {
    point_of_device(&point, crossing->device);
    point.systems = shape_systems(crossing->arena, point.kernel, &point.shape);
    point.draws = draws_for(crossing, &point, groups);
    return cross_add(crossing, point);
}

static bool add_deep(struct crossing *crossing, struct point point, measure *length) {
    return !deepen(crossing, &point, length) || add_point(crossing, point, DEEP_GROUPS);
}

bool errors_tier(struct crossing *crossing, size_t end) {
    for (size_t k = 0; k < crossing->kernels->count; k++) {
        const struct kernel *kernel = crossing->kernels->items[k];
        if (kernel->recorded) continue;
        for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
            struct point point = {.kernel = kernel, .dtype = (enum dtype)dtype};
            // The errors of mixed terms are not those of the output's own sum.
            if (!kernel->dtypes[dtype] || kernel->mixes > 0 || !cross_may_select(crossing, kernel)) continue;
            point.shape = kernel_default_shape(kernel, crossing->device);
            // A kernel missing from the suite uses points made by the sampled tier.
            if (!find_dims(crossing, end, &point) && !find_dims(crossing, crossing->count, &point)) continue;
            if (!add_point(crossing, point, GROUPS_WANTED)) return false;
            if (dtype == DTYPE_F32 && crossing->device->features[FEATURE_RTE_F32] &&
                !(add_deep(crossing, point, depth_of) && add_deep(crossing, point, last_chain)))
                return false;
        }
    }
    return true;
}
