// SPDX-License-Identifier: Apache-2.0
// Fills the parts of a record known before anything is run.
#include "../../base/hash.h"
#include "../../base/text.h"
#include "../../shader/manifest/contract/contract.h"
#include "../plan/legal.h"
#include "../check/inputs/problem_data.h"
#include "run.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"
#include "../../record/record.h"
#include "../../truth/stats/summary.h"
#include "../../device/profile.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void describe_dims(const struct point *point, struct record *out) {
    const struct op *op = point->kernel->op;
    for (int i = 0; i < operator_dims(op); i++)
        out->dims[out->dim_count++] = (struct named_number){op->dims[i], (double)point->dims[i]};
    for (int i = 0; i < operator_params(op); i++)
        if (point->params[i] != op->params[i].standard)
            out->dims[out->dim_count++] = (struct named_number){op->params[i].name, point->params[i]};
}

static void describe_shape(const struct point *point, struct record *out) {
    const struct kernel *kernel = point->kernel;
    shape_workgroup(kernel, &point->shape, out->wg);
    for (int i = 0; i < kernel->tunable_count; i++) {
        if (strncmp(kernel->tunables[i].name, "WG_", 3) == 0) continue;
        out->tunables[out->tunable_count++] =
            (struct named_number){kernel->tunables[i].name, (double)point->shape.value[i]};
    }
    out->subgroup_size = (uint32_t)shape_value(kernel, &point->shape, "SUBGROUP", 0);
}

bool runner_same_problem(const struct point *a, const struct point *b) {
    return a->kernel->op == b->kernel->op && problem_key(a, 0) == problem_key(b, 0);
}

// Returns the least traffic, without inputs unread by all shaders and with the types that the kernel stores.
static double bytes_of(const struct point *point) {
    const struct op *op = point->kernel->op;
    double bytes = operator_bytes(op, point->dims, point->dtype);
    for (int i = 0; i < operator_operands(op); i++) {
        const int64_t elements = operand_elements(op, &op->operands[i], point->dims);
        uint64_t usual = 0, own = 0;
        if (!point->kernel->is_fixed[i] && point->kernel->types[i] == DTYPE_CASE) continue;
        if (!dtype_bytes(operand_dtype(&op->operands[i], point->dtype), elements, &usual)) continue;
        if (!point->kernel->is_fixed[i] && !dtype_bytes(point->kernel->types[i], elements, &own)) continue;
        bytes = fmax(bytes - (double)usual, 0) + (double)own;
    }
    return bytes;
}

// Returns the command line that repeats the point.
static const char *replay_of(const struct point *point, const struct run_options *options, struct arena *arena) {
    struct text line = {0};
    text_append(&line, point_replay(arena, point, options->seed));
    if (options->rewritten) {
        text_append(&line, " --rewritten ");
        text_shell_word(&line, options->rewritten);
    }
    if (options->repeat) text_format(&line, " --repeat %d%s", options->repeat, options->busy ? " --busy" : "");
    return arena_take(arena, &line);
}

static void describe_recording(
    const struct point *point, const struct recording *recording, struct arena *arena, struct record *out) {
    struct text sizes = {0};
    uint64_t inputs = hash_bytes(HASH_START, recording->words, sizeof recording->words);
    for (int b = 0; b < point->kernel->passes[0].binding_count; b++) {
        const struct recorded_range *range = &recording->ranges[b];
        text_format(&sizes, "%s%" PRIu64, b ? " " : "", range->bytes);
        if (point->kernel->op->operands[range->operand].role != ROLE_OUT) inputs = hash_string(inputs, range->before);
    }
    out->recorded.count = recording->count;
    out->recorded.ns = recording->ns;
    out->recorded.number = recording->number;
    out->recorded.signature = recording->signature;
    out->recorded.module = point->kernel->recorded->module;
    out->recorded.name = point->kernel->recorded->name;
    out->recorded.sizes = arena_take(arena, &sizes);
    out->recorded.inputs = arena_format(arena, "%016" PRIx64, inputs);
}

void runner_describe(
    const struct point *point, const struct run_options *options, struct arena *arena, struct record *out) {
    const struct op *op = point->kernel->op;
    *out = (struct record){.name = point->name,
        .case_length = point->case_length,
        .part = point->inputs_count > 0,
        .operator= op->name,
        .kernel = point->kernel->name,
        .dtype = point_dtype(point),
        .is_default = point->is_default,
        .systems = point->systems,
        .leaves = kernel_leaves_text(arena, point->kernel),
        .peak = point->peak,
        .drift = NAN,
        .shader_clock_hz = NAN,
        .host_load = NAN,
        .host_steal = NAN,
        .source_hash = point->kernel->manifest_hash};
    out->reference.ns = out->reference.max_ulp = NAN;
    out->exhaustive.ulp = out->exhaustive.inputs_per_s = NAN;
    out->check.worst_index = -1;
    for (int i = 0; i < FIGURE_COUNT; i++) out->time[i] = summarize(NULL, 0);
    out->dims = arena_alloc(arena, RECORD_NAMES, sizeof *out->dims);
    out->tunables = arena_alloc(arena, KERNEL_TUNABLES, sizeof *out->tunables);
    describe_dims(point, out);
    describe_shape(point, out);
    const struct recording *recording = point_recording(point);
    if (recording) describe_recording(point, recording, arena, out);
    out->flops = operator_flops(op, point->dims);
    out->bytes = bytes_of(point);
    out->replay = replay_of(point, options, arena);
    if (!point->kernel->probe) out->arithmetic = kernel_arithmetic(arena, point->kernel, point->dtype);
    const struct trial trial = {.kernel = point->kernel, .dtype = point->dtype, .dims = point->dims, .arena = arena};
    if (point->kernel->probe) return;
    struct needs *needs = arena_alloc(arena, 1, sizeof *needs);
    trial_needs(&trial, &point->shape, needs);
    out->needs = needs;
}
