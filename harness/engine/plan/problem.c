// SPDX-License-Identifier: Apache-2.0
#include "problem.h"

#include "../../base/hash.h"
#include "../../base/text.h"
#include "../../shader/manifest/contract/contract.h"
#include "../../shader/manifest/known_names.h"
#include "../../../reference/operator.h"

#include <float.h>
#include <math.h>

struct problem_setter problem_setter(struct arena *arena, struct point *point) {
    const struct op *op = point->kernel->op;
    for (int i = 0; i < operator_params(op); i++) point->params[i] = kernel_param_standard(point->kernel, i);
    return (struct problem_setter){.arena = arena, .point = point};
}

static const char *number_text(struct arena *arena, double value) {
    struct text text = {0};
    text_number(&text, value);
    return arena_take(arena, &text);
}

// Dims reach shaders as 32-bit unsigned numbers.
static const char *set_dim(struct problem_setter *s, int index, double value) {
    const char *name = s->point->kernel->op->dims[index];
    if (!(value >= 0 && value <= UINT32_MAX) || value != floor(value))
        return arena_format(s->arena, "dim %s must be a whole number from 0 to %u, found %s", name, UINT32_MAX,
            number_text(s->arena, value));
    s->point->dims[index] = (int64_t)value;
    return NULL;
}

static const char *set_param(struct problem_setter *s, int index, double value) {
    const struct parameter *param = &s->point->kernel->op->params[index];
    double low = -FLT_MAX, high = FLT_MAX; // a kernel receives a float or an int32
    if (param->integer) {
        low = INT32_MIN;
        high = INT32_MAX;
    }
    if (param->low != 0 || param->high != 0) {
        low = param->low;
        high = param->high;
    }
    if (param->integer && value != floor(value))
        return arena_format(
            s->arena, "parameter %s must be a whole number, found %s", param->name, number_text(s->arena, value));
    if (!(value >= low && value <= high))
        return arena_format(s->arena, "parameter %s must lie in [%s, %s], found %s", param->name,
            number_text(s->arena, low), number_text(s->arena, high), number_text(s->arena, value));
    s->point->params[index] = value;
    return NULL;
}

const char *problem_set(struct problem_setter *s, const char *name, double value) {
    const struct op *op = s->point->kernel->op;
    const int dim = operator_dim_index(op, name), param = operator_param_index(op, name);
    const bool is_dim = dim >= 0 && dim < operator_dims(op);
    const int index = is_dim ? dim : param < 0 ? -1 : OPERATOR_DIMS + param;
    if (index < 0) {
        struct known_names names = {0};
        for (int i = 0; i < operator_dims(op); i++) names_add(&names, op->dims[i]);
        names_of_params(&names, op);
        return arena_format(s->arena, "operator %s takes no dim or parameter \"%s\"%s", op->name, name,
            names_hint(s->arena, &names, name));
    }
    if (s->given[index]) return arena_format(s->arena, "%s is given twice", name);
    s->given[index] = true;
    return index < OPERATOR_DIMS ? set_dim(s, index, value) : set_param(s, index - OPERATOR_DIMS, value);
}

static const char *dims_text(const struct problem_setter *s) {
    const struct op *op = s->point->kernel->op;
    struct text text = {0};
    for (int i = 0; i < operator_dims(op); i++)
        text_format(&text, "%s%s=%lld", i ? "," : "", op->dims[i], (long long)s->point->dims[i]);
    return arena_take(s->arena, &text);
}

const char *problem_derive(struct problem_setter *s) {
    const struct op *op = s->point->kernel->op;
    for (int i = 0; i < operator_dims(op); i++) {
        if (s->given[i]) continue;
        struct known_names names = {0};
        for (int d = 0; d < operator_dims(op); d++) names_add(&names, op->dims[d]);
        return arena_format(
            s->arena, "dim %s is missing; operator %s takes %s", op->dims[i], op->name, names_joined(s->arena, &names));
    }
    const char *why = operator_derive(op, s->point->dims);
    if (!why) return NULL;
    return arena_format(s->arena, "operator %s refuses %s: %s", s->point->kernel->op->name, dims_text(s), why);
}

uint64_t problem_key(const struct point *point, uint64_t seed) {
    const struct op *op = point->kernel->op;
    uint64_t key = hash_string(hash_bytes(HASH_START, &seed, sizeof seed), op->name);
    key = hash_string(key, dtype_info(point->dtype)->name);
    key = hash_bytes(key, point->dims, (size_t)operator_dims(op) * sizeof point->dims[0]);
    key = hash_bytes(key, point->params, (size_t)operator_params(op) * sizeof point->params[0]);
    if (point->kernel->mixes > 0) key = hash_string(key, "mixes"); // its inputs have plain lines
    const uint64_t arrangement = point->kernel->arrangement;
    return arrangement ? hash_bytes(key, &arrangement, sizeof arrangement) : key;
}

uint64_t operand_key(uint64_t problem, int operand) {
    return hash_bytes(problem, &operand, sizeof operand);
}
