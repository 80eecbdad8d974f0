// SPDX-License-Identifier: Apache-2.0
#include "dispatches.h"

#include "expression.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool put_float(double value, uint32_t *out) {
    float single = (float)value;
    memcpy(out, &single, sizeof *out);
    return true;
}

static bool put_integer(int64_t value, int64_t least, uint32_t *out) {
    *out = (uint32_t)value;
    return value >= least && value <= UINT32_MAX;
}

static bool named_value(const struct word_source *s, const char *name, uint32_t *out) {
    const struct op *op = s->kernel->op;
    int dim = operator_dim_index(op, name), param = operator_param_index(op, name);
    if (param >= 0)
        return op->params[param].integer ? put_integer((int32_t)s->params[param], INT32_MIN, out)
                                         : put_float(s->params[param], out);
    return put_integer(dim >= 0 ? s->dims[dim] : shape_value(s->kernel, s->shape, name, -1), 0, out);
}

// Computes the bytes of so many elements. Returns false if they overflow or are no whole blocks.
static bool bytes_of(const struct word_source *s, int operand, int64_t elements, int64_t *out) {
    uint64_t bytes = 0;
    if (elements < 0 || !dtype_bytes(kernel_operand_dtype(s->kernel, operand, s->dtype), elements, &bytes))
        return false;
    *out = (int64_t)bytes;
    return bytes <= INT64_MAX;
}

// Returns a tunable of an expression as a number, or a dim, or a parameter as the kernel gets it: rounded to a float.
static double expression_name(const void *context, const char *name) {
    const struct word_source *s = context;
    const struct op *op = s->kernel->op;
    const int dim = operator_dim_index(op, name), param = operator_param_index(op, name);
    if (param >= 0) return op->params[param].integer ? s->params[param] : (double)(float)s->params[param];
    return (double)(dim >= 0 ? s->dims[dim] : shape_value(s->kernel, s->shape, name, -1));
}

// Doubles below it round to a finite float, to nearest even.
static const double float_limit = 0x1.ffffffp127;

static bool put_expression(const struct word_source *s, const struct word *word, uint32_t *out, struct error *err) {
    const double value = expression_value(word->expression->of, expression_name, s);
    const bool whole = word->kind == WORD_WHOLE;
    if (whole ? value == floor(value) && value >= INT32_MIN && value <= UINT32_MAX : fabs(value) < float_limit)
        return whole ? put_integer((int64_t)value, INT32_MIN, out) : put_float(value, out);
    return error_set(err, STATUS_BAD_INPUT, "%s: %s is %.17g here, not %s", word->expression->place, word->text, value,
        whole ? "a whole number of 32 bits" : "a finite float");
}

static bool plain_value(const struct word_source *s, const struct word *word, uint32_t *out) {
    int64_t value = -1;
    *out = 0;
    switch (word->kind) {
    case WORD_NAME:
        return named_value(s, word->name, out);
    case WORD_INTEGER:
        return put_integer(word->integer, INT32_MIN, out);
    case WORD_REAL:
        return put_float(word->real, out);
    case WORD_PAD:
        return true;
    case WORD_BYTES:
        value = quotient_value(s->kernel, &word->quotient, s->dims, s->shape);
        return bytes_of(s, word->operand, value, &value) && put_integer(value, 0, out);
    case WORD_GROUPS:
        return put_integer(s->groups[word->axis], 0, out);
    case WORD_WHOLE:
    case WORD_EXPRESSION:
        return false;
    case WORD_QUOTIENT:
    case WORD_FLOAT:
    case WORD_INVERSE:
    case WORD_INVERSE_ROOT:
        value = quotient_value(s->kernel, &word->quotient, s->dims, s->shape);
    }
    if (word->kind == WORD_QUOTIENT || value < 0) return put_integer(value, 0, out);
    double real = (double)value;
    return put_float(word->kind == WORD_FLOAT ? real : 1 / (word->kind == WORD_INVERSE ? real : sqrt(real)), out);
}

bool word_value(const struct word_source *s, const struct word *word, uint32_t *out, struct error *err) {
    if (word->kind == WORD_WHOLE || word->kind == WORD_EXPRESSION) return put_expression(s, word, out, err);
    return plain_value(s, word, out) || error_of_kind(err, ERROR_SKIP, "parameter %s does not fit 32 bits", word->text);
}

bool constant_is(const struct constant *constant, const char *name, uint32_t id) {
    if (isdigit((unsigned char)*constant->name)) return strtoul(constant->name, NULL, 10) == id;
    return strcmp(constant->name, name) == 0;
}

bool constant_value(const struct kernel *kernel, const struct constant *constant, const int64_t *dims,
    const struct shape *shape, double *out) {
    const struct word *word = &constant->value;
    const int dim = word->kind == WORD_NAME ? operator_dim_index(kernel->op, word->name) : -1;
    int64_t whole = word->integer;
    if (word->kind == WORD_NAME) whole = dim >= 0 ? dims[dim] : shape_value(kernel, shape, word->name, 1);
    if (word->kind == WORD_QUOTIENT) whole = quotient_value(kernel, &word->quotient, dims, shape);
    *out = word->kind == WORD_REAL ? word->real : (double)whole;
    return word->kind == WORD_REAL || word->kind == WORD_INTEGER || whole >= 0;
}

// Returns the first tunable or variable in an expression.
static const char *expression_choice(const struct kernel *kernel, const struct expression *expression) {
    for (int i = 0; i < expression->count; i++) {
        const char *name = expression->steps[i].name;
        if (name && operator_dim_index(kernel->op, name) < 0 && operator_param_index(kernel->op, name) < 0) return name;
    }
    return NULL;
}

const char *word_choice(const struct kernel *kernel, const struct word *word) {
    switch (word->kind) {
    case WORD_NAME:
        return operator_dim_index(kernel->op, word->name) < 0 && operator_param_index(kernel->op, word->name) < 0
                   ? word->name
                   : NULL;
    case WORD_INTEGER:
    case WORD_REAL:
    case WORD_PAD:
    case WORD_GROUPS:
        return NULL;
    case WORD_WHOLE:
    case WORD_EXPRESSION:
        return expression_choice(kernel, word->expression->of);
    case WORD_QUOTIENT:
    case WORD_BYTES:
    case WORD_FLOAT:
    case WORD_INVERSE:
    case WORD_INVERSE_ROOT:
        return quotient_choice(kernel, &word->quotient);
    }
    return NULL;
}

bool word_is_float(const struct kernel *kernel, const struct word *word) {
    int param = word->kind == WORD_NAME ? operator_param_index(kernel->op, word->name) : -1;
    if (param >= 0) return !kernel->op->params[param].integer;
    return word->kind == WORD_REAL || word->kind >= WORD_EXPRESSION;
}

const struct block *pass_push(const struct pass *pass) {
    for (int i = 0; i < pass->block_count; i++)
        if (pass->blocks[i].kind == BLOCK_PUSH) return &pass->blocks[i];
    return NULL;
}

uint32_t pass_push_bytes(const struct pass *pass) {
    const struct block *push = pass_push(pass);
    return push ? 4 * (uint32_t)push->count : 0;
}

uint32_t pass_storage_buffers(const struct pass *pass) {
    uint32_t count = (uint32_t)pass->binding_count;
    for (int i = 0; i < pass->block_count; i++) count += pass->blocks[i].kind == BLOCK_STORAGE;
    return count;
}

const char *block_kind_name(enum block_kind kind) {
    static const char *const names[] = {[BLOCK_PUSH] = "push constants",
        [BLOCK_UNIFORM] = "uniform parameters",
        [BLOCK_STORAGE] = "storage parameters"};
    return names[kind];
}
