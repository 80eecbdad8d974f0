// SPDX-License-Identifier: Apache-2.0
#include "selftest_case.h"

#include "../../../reference/operator.h"
#include "../../base/json.h"
#include "../../base/memory.h"
#include "../../engine/check/inputs/placement.h"
#include "../../engine/check/inputs/truth.h"
#include "../../engine/plan/legal.h"
#include "../../engine/plan/shapes.h"
#include "../../engine/plan/suite.h"
#include "../../record/record.h"
#include "../schema/described.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SELFTEST_SEED = 1 };

// ---- the size

// Tries all dims at these sizes. Returns the bytes of the case's data as base64; 0: the sizes are not legal.
static size_t try_sizes(
    struct arena *arena, const struct selftest_request *r, const int64_t *sizes, struct point *out) {
    const struct op *op = r->kernel->op;
    struct problem_setter setter = problem_setter(arena, out);
    size_t bytes = 0;
    const char *why = NULL;
    for (int d = 0; d < operator_dims(op) && !why; d++) why = problem_set(&setter, op->dims[d], (double)sizes[d]);
    if (why || problem_derive(&setter)) return 0;
    const struct trial trial = trial_of(out, r->device, 1, arena);
    if (trial_both(&trial, &out->shape)) return 0;
    for (int i = 0; i < operator_operands(op); i++) {
        const int64_t elements = operand_elements(op, &op->operands[i], out->dims);
        uint64_t data;
        if (elements < 0 || elements > 1 << 20 ||
            !dtype_bytes(kernel_operand_dtype(r->kernel, i, out->dtype), elements, &data))
            return 0;
        if (op->operands[i].role != ROLE_OUT) bytes += (size_t)data;
        if (op->operands[i].role != ROLE_IN) bytes += (size_t)elements * 2 * sizeof(float);
    }
    return bytes / 3 * 4 + 64;
}

// Chooses the dims: all alike at first, then larger ones in turn for as long as the data fit.
static bool choose_sizes(struct arena *arena, const struct selftest_request *r, struct point *out) {
    static const int64_t first[] = {3, 1, 2, 4, 8, 16, 32, 64, 128},
                         next[] = {5, 7, 9, 11, 13, 17, 23, 33, 43, 65, 99, 129, 193, 257, 385, 513, 769, 1025};
    const struct op *op = r->kernel->op;
    int64_t sizes[OPERATOR_DIMS];
    size_t bytes = 0;
    for (size_t f = 0; !bytes && f < sizeof first / sizeof *first; f++) {
        for (int d = 0; d < operator_dims(op); d++) {
            const struct option *option = operator_option(op, d);
            sizes[d] = option ? option->values[0] : first[f];
        }
        bytes = try_sizes(arena, r, sizes, out);
        if (bytes > r->most_bytes) bytes = 0;
    }
    if (!bytes) return false;
    for (size_t n = 0; n < sizeof next / sizeof *next; n++)
        for (int d = 0; d < operator_dims(op); d++) {
            const int64_t before = sizes[d];
            if (operator_option(op, d) || before >= next[n]) continue;
            sizes[d] = next[n];
            bytes = try_sizes(arena, r, sizes, out);
            if (!bytes || bytes > r->most_bytes) sizes[d] = before;
        }
    return try_sizes(arena, r, sizes, out) > 0;
}

// ---- the data

static struct json_object *base64(const void *data, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = data;
    struct text text = {0};
    for (size_t i = 0; i < count; i += 3) {
        uint32_t word = 0;
        char four[4];
        for (size_t b = 0; b < 3; b++) word = word << 8 | (i + b < count ? bytes[i + b] : 0);
        for (int d = 0; d < 4; d++) four[d] = digits[word >> (18 - 6 * d) & 63];
        if (count - i < 3) four[3] = '=';
        if (count - i < 2) four[2] = '=';
        text_append_n(&text, four, 4);
    }
    struct json_object *string = json_object_new_string(text_str(&text));
    text_free(&text);
    return string;
}

// Adds expected values as floats with the errors they may have, or as the exact bytes of a type of whole numbers.
static void put_expected(const struct selftest_request *r, const struct problem *problem,
    const struct truth_output *output, struct json_object *object) {
    const struct operand_data *operand = &problem->operands[output->operand];
    const struct judge_input input = {.dtype = operand->dtype,
        .arithmetic = r->kernel->arithmetic,
        .policy = {
            .rte = r->record->check.rte, .specials = r->record->check.specials, .denorms = r->record->check.denorms}};
    const size_t count = (size_t)output->total;
    float *want = memory_alloc(count, sizeof *want), *allowed = memory_alloc(count, sizeof *allowed);
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(output->bound[i])) largest = fmax(largest, fmax(fabs(output->want[i]), output->magnitude[i]));
    for (size_t i = 0; i < count; i++) {
        const double mixes = r->kernel->mixes, value = output->want[i];
        const double magnitude = mixes > 0 ? largest : output->magnitude[i];
        const double error = judge_allowed(
            &input, value, magnitude, output->bound[i] * (mixes > 0 ? mixes : 1), problem_touched(problem, (int64_t)i));
        want[i] = (float)value;
        allowed[i] = isfinite(value) && error > 0 ? nextafterf((float)(error + fabs(value - (double)want[i])), INFINITY)
                                                  : (float)error;
        if (!dtype_info(operand->dtype)->is_float) dtype_store(operand->dtype, want, (int64_t)i, value);
    }
    const bool is_float = dtype_info(operand->dtype)->is_float;
    json_put(object, "want", base64(want, is_float ? count * sizeof *want : (size_t)operand->bytes));
    if (is_float) json_put(object, "allowed", base64(allowed, count * sizeof *allowed));
    free(want);
    free(allowed);
}

static struct json_object *operand_json(
    const struct selftest_request *r, const struct problem *problem, const struct truth *truth, int index) {
    const struct operand_data *operand = &problem->operands[index];
    struct json_object *object = json_object_new_object();
    json_put_string(object, "name", problem->op->operands[index].name);
    json_put_string(object, "type", dtype_info(operand->dtype)->name);
    json_put_string(object, "role", role_name(operand->role));
    json_put_int(object, "elements", operand->elements);
    json_put_int(object, "bytes", (int64_t)operand->bytes);
    if (operand->role != ROLE_OUT) json_put(object, "data", base64(operand->image, (size_t)operand->bytes));
    for (int o = 0; o < truth->output_count; o++)
        if (truth->outputs[o].operand == index) put_expected(r, problem, &truth->outputs[o], object);
    return object;
}

static struct json_object *case_json(const struct selftest_request *r, const struct point *point,
    const struct problem *problem, const struct truth *truth) {
    const struct op *op = point->kernel->op;
    struct json_object *object = json_object_new_object(), *dims = json_object_new_object(),
                       *params = json_object_new_object(), *operands = json_object_new_array();
    for (int d = 0; d < operator_dims(op); d++) json_put_int(dims, op->dims[d], point->dims[d]);
    for (int p = 0; p < operator_params(op); p++) json_put_double(params, op->params[p].name, problem->params[p]);
    for (int i = 0; i < problem->operand_count; i++)
        json_object_array_add(operands, operand_json(r, problem, truth, i));
    json_put_string(object, "kernel", point->kernel->name);
    json_put_string(object, "type", dtype_info(point->dtype)->name);
    json_put(object, "dims", dims);
    json_put(object, "params", params);
    json_put(object, "operands", operands);
    return object;
}

static const char *refusal(const struct selftest_request *r, enum dtype dtype) {
    if (!r->kernel) return "its kernel is not among those loaded; name its folder by --kernels";
    if (r->kernel->probe || r->kernel->recorded || !r->kernel->op->f64) return "it has no reference";
    if (r->kernel->layouts) return "its operands are not packed";
    for (int i = 0; i < operator_operands(r->kernel->op); i++)
        if (r->kernel->op->operands[i].role != ROLE_IN &&
            dtype_info(kernel_operand_dtype(r->kernel, i, dtype))->elements > 1)
            return "its outputs are quantised blocks";
    return NULL;
}

struct json_object *selftest_case(struct arena *arena, const struct selftest_request *r, struct error *err) {
    const struct settings settings = settings_standard();
    struct point point = {.kernel = r->kernel, .dtype = dtype_named(r->record->dtype)};
    struct problem problem = {0};
    struct truth truth = {0};
    const char *why = refusal(r, point.dtype);
    if (!why) point.shape = shape_of_record(point.kernel, r->record);
    if (!why && !choose_sizes(arena, r, &point)) why = "no small size is legal";
    if (why) {
        error_of_kind(err, ERROR_SKIP, "%s", why);
        return NULL;
    }
    if (!problem_open(NULL, &point, SELFTEST_SEED, &problem, err)) return NULL;
    if (!placement_choose(&problem, &point, &settings, err)) {
        problem_close(NULL, &problem);
        return NULL;
    }
    truth_make(
        &problem, &settings, kernel_depth(r->kernel, point.dims, &point.shape), r->record->check.rte, false, &truth);
    struct json_object *object = case_json(r, &point, &problem, &truth);
    truth_free(&truth);
    problem_close(NULL, &problem);
    return object;
}
