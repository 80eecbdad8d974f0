// SPDX-License-Identifier: Apache-2.0
#include "needs.h"
#include "../../../reference/operator.h"
#include "../../shader/manifest/kernel.h"

#include "../../shader/manifest/dispatches.h"

// ---- the buffers of a case

int case_buffers(const struct trial *t, const struct shape *shape) {
    return operator_operands(t->kernel->op) + (shape ? t->kernel->scratch_count : 0);
}

// Returns whether the operand's layout has a place for each element.
static bool find_operand(const struct trial *t, int index, struct case_buffer *out) {
    const struct op *op = t->kernel->op;
    const struct operand *operand = &op->operands[index];
    struct placing placing;
    *out = (struct case_buffer){.kind = "operand",
        .name = operand->name,
        .dtype = kernel_operand_dtype(t->kernel, index, t->dtype),
        .elements = operand_elements(op, operand, t->dims),
        .bound = !t->kernel->is_fixed[index]};
    if (layout_place(t->kernel, index, t->dims, &placing) != PLACING_GOOD) return false;
    if (placing.axes && out->elements > 0) out->elements = placing.extent;
    return true;
}

static void find_scratch(const struct trial *t, const struct shape *shape, int index, struct case_buffer *out) {
    const struct scratch *scratch = &t->kernel->scratch[index];
    *out = (struct case_buffer){.kind = "scratch",
        .name = scratch->name,
        .dtype = scratch->dtype,
        .elements = quotient_value(t->kernel, &scratch->elements, t->dims, shape),
        .bound = true};
}

const struct refusal *case_buffer(
    const struct trial *t, const struct shape *shape, int index, struct case_buffer *out) {
    const int operands = operator_operands(t->kernel->op);
    if (index >= operands)
        find_scratch(t, shape, index - operands, out);
    else if (!find_operand(t, index, out))
        return REFUSED(t->arena, .kind = REFUSAL_BUFFER_LAYOUT, .words = {out->name});
    const struct dtype_info *info = dtype_info(out->dtype);
    if (out->elements < 0) return REFUSED(t->arena, .kind = REFUSAL_BUFFER_ELEMENTS, .words = {out->kind, out->name});
    if (out->elements == 0) return REFUSED(t->arena, .kind = REFUSAL_BUFFER_EMPTY, .words = {out->kind, out->name});
    if (info->elements > 1 && out->elements % info->elements)
        return REFUSED(t->arena, .kind = REFUSAL_BUFFER_BLOCKS, .words = {out->kind, out->name, info->name},
            .figures = {(double)out->elements, info->elements});
    if (!dtype_bytes(out->dtype, out->elements, &out->bytes))
        return REFUSED(t->arena, .kind = REFUSAL_BUFFER_OVERFLOW, .words = {out->kind, out->name});
    return NULL;
}

// ---- amounts

static int64_t storage_buffers(const struct need_part *part, int axis) {
    (void)axis;
    return pass_storage_buffers(part->pass);
}

static int64_t push_bytes(const struct need_part *part, int axis) {
    (void)axis;
    return pass_push_bytes(part->pass);
}

static int64_t side(const struct need_part *part, int axis) {
    return part->workgroup ? (int64_t)part->workgroup[axis] : -1;
}

static int64_t flat(const uint32_t workgroup[3]) {
    int64_t invocations;
    return __builtin_mul_overflow((int64_t)workgroup[0] * workgroup[1], (int64_t)workgroup[2], &invocations)
               ? -1
               : invocations;
}

static int64_t invocations(const struct need_part *part, int axis) {
    (void)axis;
    return part->workgroup ? flat(part->workgroup) : -1;
}

static int64_t matrix_invocations(const struct need_part *part, int axis) {
    const struct cooperative_use *use = &part->trial->kernel->cooperative;
    return use->used && use->scope == SCOPE_WORKGROUP ? invocations(part, axis) : 0;
}

static int64_t subgroup_size(const struct need_part *part, int axis) {
    (void)axis;
    return shape_value(part->trial->kernel, part->shape, "SUBGROUP", 0);
}

int64_t most_invocations(const struct trial *t, const struct shape *shape) {
    int64_t most = 0;
    for (int p = 0; p < t->kernel->pass_count; p++) {
        uint32_t workgroup[3];
        if (!pass_workgroup(t->kernel, &t->kernel->passes[p], shape, workgroup)) return -1;
        const int64_t count = flat(workgroup);
        if (count < 0) return -1;
        if (count > most) most = count;
    }
    return most;
}

// Vulkan limits the subgroups of a workgroup if their size is required (VUID-VkPipelineShaderStageCreateInfo-pNext-
// 02756).
static int64_t subgroups(const struct need_part *part, int axis) {
    const int64_t size = subgroup_size(part, axis), most = most_invocations(part->trial, part->shape);
    return size < 1 || most < 0 ? -1 : most / size + (most % size != 0);
}

static int64_t shared_bytes(const struct need_part *part, int axis) {
    (void)axis;
    return kernel_shared_bytes(part->trial->kernel, part->trial->dims, part->shape);
}

static int64_t groups(const struct need_part *part, int axis) {
    return quotient_value(part->trial->kernel, &part->pass->grid[axis], part->trial->dims, part->shape);
}

static int64_t buffer_bytes(const struct need_part *part, int axis) {
    (void)axis;
    return part->buffer->bytes > INT64_MAX ? INT64_MAX : (int64_t)part->buffer->bytes;
}

// ---- the table

// The needs of one part of a kernel are compared in the order of the rows.
const struct limit_need limit_needs[] = {
    {.limit = LIMIT_storage_buffers, .of = NEED_OF_PASS, .amount = storage_buffers, .beyond = REFUSAL_STORAGE_BUFFERS},
    {.limit = LIMIT_push_bytes, .of = NEED_OF_PASS, .amount = push_bytes, .beyond = REFUSAL_PUSH_BYTES},
    {.limit = LIMIT_max_size,
        .of = NEED_OF_WORKGROUP,
        .amount = side,
        .beyond = REFUSAL_WORKGROUP_AXIS,
        .empty = REFUSAL_WORKGROUP_EMPTY,
        .overflow = REFUSAL_WORKGROUP_OVERFLOW,
        .axes = {"WG_X", "WG_Y", "WG_Z"}},
    {.limit = LIMIT_max_invocations,
        .of = NEED_OF_WORKGROUP,
        .amount = invocations,
        .beyond = REFUSAL_INVOCATIONS,
        .overflow = REFUSAL_WORKGROUP_OVERFLOW},
    {.limit = LIMIT_matrix2_invocations,
        .of = NEED_OF_WORKGROUP,
        .amount = matrix_invocations,
        .beyond = REFUSAL_DEVICE_LIMIT},
    {.limit = LIMIT_min_subgroup_size,
        .of = NEED_OF_SHAPE,
        .amount = subgroup_size,
        .beyond = REFUSAL_SUBGROUP_SIZE,
        .of_subgroup = true},
    {.limit = LIMIT_max_subgroup_size,
        .of = NEED_OF_SHAPE,
        .amount = subgroup_size,
        .beyond = REFUSAL_SUBGROUP_SIZE,
        .of_subgroup = true},
    {.limit = LIMIT_max_subgroups,
        .of = NEED_OF_SHAPE,
        .amount = subgroups,
        .beyond = REFUSAL_SUBGROUP_COUNT,
        .of_subgroup = true},
    {.limit = LIMIT_shared_bytes,
        .of = NEED_OF_SHAPE,
        .amount = shared_bytes,
        .beyond = REFUSAL_SHARED_BYTES,
        .overflow = REFUSAL_SHARED_OVERFLOW},
    {.limit = LIMIT_max_groups,
        .of = NEED_OF_DISPATCH,
        .amount = groups,
        .beyond = REFUSAL_GRID_AXIS,
        .empty = REFUSAL_GRID_EMPTY,
        .overflow = REFUSAL_GRID_OVERFLOW,
        .axes = {"x", "y", "z"}},
    {.limit = LIMIT_storage_range, .of = NEED_OF_BUFFER, .amount = buffer_bytes, .beyond = REFUSAL_BUFFER_RANGE},
    {.limit = LIMIT_largest_allocation,
        .of = NEED_OF_BUFFER,
        .amount = buffer_bytes,
        .beyond = REFUSAL_BUFFER_ALLOCATION},
    // No amount of a kernel is compared with these. Buffers are placed at the alignment, and device_multiplies()
    // compares matrices with their list.
    {.limit = LIMIT_storage_alignment},
    {.limit = LIMIT_subgroup_size},
    {.limit = LIMIT_matrix2_side},
    {.limit = LIMIT_matrix2_shared_bytes},
};
_Static_assert(sizeof limit_needs / sizeof *limit_needs == LIMIT_COUNT, "limit_needs lacks a limit of DEVICE_LIMITS");

// ---- visits

struct needs_walk {
    const struct trial *trial;
    enum need_of of;
    need_visitor *visit;
    void *context;
    const struct refusal *why;
};

// Visits the needs of one part, in the order of the rows. `like` has the members equal for all of them.
static bool visit_part(struct needs_walk *w, const struct need_part *part, const struct need *like) {
    for (int r = 0; r < LIMIT_COUNT; r++) {
        const struct limit_need *row = &limit_needs[r];
        const int axes = like->folded ? 1 : limit_parts(&device_limits[row->limit]);
        if (row->of != w->of || !row->amount || (row->of_subgroup && !subgroup_size(part, 0))) continue;
        for (int axis = 0; !w->why && axis < axes; axis++) {
            struct need need = *like;
            need.part = part;
            need.row = row;
            need.axis = axis;
            need.amount = row->amount(part, axis);
            if (row->axes[axis]) need.words[0] = row->axes[axis];
            w->why = w->visit(w->context, &need);
        }
    }
    return !w->why;
}

static void visit_mistake(struct needs_walk *w, const struct refusal *mistake) {
    w->why = w->visit(w->context, &(struct need){.mistake = mistake});
}

static void walk_passes(struct needs_walk *w, const struct shape *shape) {
    const struct kernel *kernel = w->trial->kernel;
    for (int p = 0; !w->why && p < kernel->pass_count; p++) {
        uint32_t workgroup[3];
        struct need_part part = {.trial = w->trial, .shape = shape, .pass = &kernel->passes[p]};
        if (shape && pass_workgroup(kernel, part.pass, shape, workgroup)) part.workgroup = workgroup;
        visit_part(w, &part, &(struct need){0});
    }
}

static bool visit_dispatch(void *context, const struct dispatch *d) {
    struct needs_walk *w = context;
    const struct kernel *kernel = w->trial->kernel;
    const struct need_part part = {.trial = w->trial, .shape = &d->shape, .pass = &kernel->passes[d->pass]};
    return visit_part(w, &part,
        &(struct need){.pass = kernel->pass_count > 1 ? d->pass + 1 : 0, .folded = kernel->passes[d->pass].fold});
}

static void walk_buffers(struct needs_walk *w, const struct shape *shape) {
    for (int i = 0; !w->why && i < case_buffers(w->trial, shape); i++) {
        struct case_buffer buffer;
        const struct refusal *mistake = case_buffer(w->trial, shape, i, &buffer);
        const struct need_part part = {.trial = w->trial, .shape = shape, .buffer = &buffer};
        if (mistake)
            visit_mistake(w, mistake);
        else
            visit_part(w, &part, &(struct need){.words = {buffer.kind, buffer.name}, .unbound = !buffer.bound});
    }
}

const struct refusal *needs_visit(
    const struct trial *t, const struct shape *shape, enum need_of of, need_visitor *visit, void *context) {
    struct needs_walk w = {.trial = t, .of = of, .visit = visit, .context = context};
    if (of == NEED_OF_BUFFER)
        walk_buffers(&w, shape);
    else if (of == NEED_OF_SHAPE)
        visit_part(&w, &(struct need_part){.trial = t, .shape = shape}, &(struct need){0});
    else if (of != NEED_OF_DISPATCH)
        walk_passes(&w, shape);
    else if (dispatches_visit(t->kernel, t->dims, shape, visit_dispatch, &w) < 0)
        visit_mistake(&w, REFUSED(t->arena, .kind = REFUSAL_DISPATCHES, .figures = {KERNEL_DISPATCHES}));
    return w.why;
}

// ---- features

static bool visit_named(const char *feature, bool (*visit)(void *context, enum feature feature), void *context) {
    return feature && visit(context, (enum feature)feature_named(feature));
}

void features_visit(const struct trial *t, bool (*visit)(void *context, enum feature feature), void *context) {
    const struct kernel *kernel = t->kernel;
    bool over = false;
    for (int i = 0; !over && i < FEATURE_COUNT; i++) over = kernel->features[i] && visit(context, (enum feature)i);
    if (!over) over = visit_named(dtype_info(kernel->arithmetic)->arithmetic_feature, visit, context);
    for (int i = 0; !over && i < operator_operands(kernel->op); i++)
        over = visit_named(dtype_info(kernel_operand_dtype(kernel, i, t->dtype))->storage_feature, visit, context);
    for (int i = 0; !over && i < kernel->scratch_count; i++)
        over = visit_named(dtype_info(kernel->scratch[i].dtype)->storage_feature, visit, context);
}
