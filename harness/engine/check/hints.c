// SPDX-License-Identifier: Apache-2.0
#include "hints.h"

#include "../../base/memory.h"
#include "../../record/record.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the commonest mistake of products: an input read as if it were stored transposed

// Larger problems are not looked at: the reference runs once for each input.
static const double most_elements = 1 << 18, most_operations = 4e6;
// Share of the magnitude, and of the elements. Numbers of another product seldom come as near.
static const double near = 0.01, least_alike = 0.99;

// Returns whether the kept outputs are about these.
static bool is_alike(const struct problem *problem, const struct truth *truth) {
    int64_t alike = 0, all = 0;
    for (int o = 0; o < truth->output_count; o++) {
        const struct truth_output *output = &truth->outputs[o];
        const struct operand_data *operand = &problem->operands[output->operand];
        for (size_t r = 0; r < output->range_count; r++)
            for (int64_t i = 0; i < output->ranges[r].count; i++, all++) {
                const int64_t at = output->offsets[r] + i;
                const double got = dtype_load(operand->dtype, operand->got, output->ranges[r].first + i);
                const double want = output->want[at], size = fmax(fabs(want), output->magnitude[at]);
                alike += isfinite(want) ? fabs(got - want) <= near * size : !isfinite(got);
            }
    }
    return all && (double)alike >= least_alike * (double)all;
}

// Exchanges the last two axes of [..., rows, cols], keeping the elements in their order.
static void exchange(const double *from, double *to, int64_t elements, int64_t rows, int64_t cols) {
    for (int64_t i = 0; i < elements; i++) {
        const int64_t inside = i % (rows * cols);
        to[i] = from[i - inside + inside % cols * rows + inside / cols];
    }
}

static bool explains(const struct check_request *r, struct operand_data *input, int64_t rows, int64_t cols) {
    const size_t bytes = (size_t)input->elements * sizeof *input->as_double;
    double *kept = memory_alloc((size_t)input->elements, sizeof *kept);
    struct settings settings = settings_standard();
    struct truth truth = {0};
    settings.check_operations = most_operations;
    memcpy(kept, input->as_double, bytes);
    exchange(kept, input->as_double, input->elements, rows, cols);
    truth_make(r->problem, &settings, 0, true, false, &truth);
    memcpy(input->as_double, kept, bytes);
    free(kept);
    const bool alike = is_alike(r->problem, &truth);
    truth_free(&truth);
    return alike;
}

// Returns the name of the input that explains wrong outputs in operand->got, if it is read as if transposed: its last
// two axes are exchanged, with the same elements. NULL: none does, or the problem is too large to look.
static const char *transposed_input(const struct check_request *r) {
    struct problem *problem = r->problem;
    const struct op *op = problem->op;
    if (operator_elements(op, problem->dims) > most_elements || operator_flops(op, problem->dims) > most_operations)
        return NULL;
    for (int i = 0; i < problem->operand_count; i++) {
        struct operand_data *input = &problem->operands[i];
        const int rank = operand_rank(op->operands[i].shape);
        if (input->role != ROLE_IN || !input->as_double || input->is_fixed || rank < 2) continue;
        const int64_t rows = problem->dims[operator_dim_index(op, op->operands[i].shape[rank - 2])],
                      cols = problem->dims[operator_dim_index(op, op->operands[i].shape[rank - 1])];
        if (rows > 1 && cols > 1 && explains(r, input, rows, cols)) return op->operands[i].name;
    }
    return NULL;
}

// ---- all hints

// Wrong memory accesses show in guards, or in bits that depend on the memory behind the data.
enum { CHECKS_OF_BOUNDS = CHECK_GUARD | CHECK_PACKED, CHECKS_OF_VALUES = CHECK_ULP | CHECK_CLASS };

static void add(struct arena *arena, struct record *record, const char *text) {
    record->reason = arena_format(arena, "%s; hint: %s", record->reason, text);
}

void hints_add(const struct check_request *request, struct arena *arena, struct record *record) {
    if (record->status != RECORD_FAIL || !record->reason) return;
    if (request->launch->leaves_early)
        add(arena, record, "some invocations of a workgroup may return or branch before a barrier that all must reach");
    const char *turned = record->failed & CHECKS_OF_VALUES ? transposed_input(request) : NULL;
    if (turned) add(arena, record, arena_format(arena, "%s is read as if it were transposed", turned));
    const struct kernel *kernel = request->point->kernel;
    bool is_wgsl = false;
    for (int i = 0; i < kernel->pass_count; i++) is_wgsl |= shader_language(kernel->passes[i].shader) == LANGUAGE_WGSL;
    if (record->failed & CHECKS_OF_BOUNDS && is_wgsl)
        add(arena, record,
            "a browser keeps each access within its buffer, but this SPIR-V does not; compile like a browser with "
            "--wgsl-compiler 'naga --index-bounds-check-policy Restrict %i %o'");
}
