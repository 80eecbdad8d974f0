// SPDX-License-Identifier: Apache-2.0
// How a kernel's operands differ from the operator's: "in_place", "fixed".
#include "../base/hash.h"
#include "manifest.h"

#include <string.h>

static const struct operand *operand_at(const struct kernel_reading *r, int index) {
    return &r->kernel->op->operands[index];
}

static bool read_operand(
    struct kernel_reading *r, const struct json_at *at, const char *name, enum role role, int *index) {
    struct known_names names = {0};
    const struct op *op = r->kernel->op;
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role == role) names_add(&names, op->operands[i].name);
    *index = operator_operand_index(op, name);
    if (names_have(&names, name)) return true;
    return json_fail(at, r->err, "\"%s\" is no %s of %s%s", name, role == ROLE_IN ? "input" : "output", op->name,
        names_hint(r->arena, &names, name));
}

static bool same_shape(const struct operand *a, const struct operand *b) {
    for (int i = 0; i < OPERATOR_RANK; i++) {
        if (!a->shape[i] || !b->shape[i]) return !a->shape[i] && !b->shape[i];
        if (strcmp(a->shape[i], b->shape[i]) != 0) return false;
    }
    return true;
}

static bool read_pair(struct kernel_reading *r, const struct member *member) {
    const char *name;
    int output, input;
    if (!read_operand(r, &member->at, member->name, ROLE_OUT, &output) ||
        !json_string(&member->at, r->arena, &name, r->err) || !read_operand(r, &member->at, name, ROLE_IN, &input))
        return false;
    const struct operand *out = operand_at(r, output), *in = operand_at(r, input);
    if (!same_shape(out, in) || out->dtype != in->dtype || out->weights != in->weights)
        return json_fail(
            &member->at, r->err, "%s has not the shape and type of %s: it cannot take its place", out->name, in->name);
    for (int i = 0; i < OPERATOR_OPERANDS; i++)
        if (r->kernel->in_place[i] == input + 1)
            return json_fail(&member->at, r->err, "%s takes the place of %s too", operand_at(r, i)->name, in->name);
    r->kernel->in_place[output] = (int8_t)(input + 1);
    return true;
}

static bool read_in_place(struct kernel_reading *r) {
    struct member members[OPERATOR_OPERANDS];
    int count;
    if (!layers_merge(&r->layers, "in_place", members, OPERATOR_OPERANDS, &count, r->err)) return false;
    for (int i = 0; i < count; i++) reading_note(r, read_pair(r, &members[i]));
    return true;
}

// Of the types that the kernel serves the first that does not have the value; DTYPE_CASE: all have it.
static enum dtype lacking(const struct kernel_reading *r, int operand, double value) {
    for (int d = DTYPE_CASE + 1; d < DTYPE_COUNT; d++) {
        double room[2] = {0};
        const enum dtype dtype = operand_dtype(operand_at(r, operand), (enum dtype)d);
        if (!r->kernel->dtypes[d] || (dtype_info(dtype)->elements > 1 && value == 0)) continue;
        if (dtype_info(dtype)->elements > 1) return dtype;
        dtype_store(dtype, room, 0, value);
        if (dtype_load(dtype, room, 0) != value) return dtype;
    }
    return DTYPE_CASE;
}

static bool read_constant(struct kernel_reading *r, const struct member *member) {
    struct kernel *k = r->kernel;
    double value;
    int operand;
    if (!read_operand(r, &member->at, member->name, ROLE_IN, &operand) || !json_number(&member->at, &value, r->err))
        return false;
    enum dtype dtype = lacking(r, operand, value);
    if (dtype != DTYPE_CASE)
        return json_fail(
            &member->at, r->err, "%g is no value of %s, the type of %s", value, dtype_info(dtype)->name, member->name);
    for (int i = 0; i < OPERATOR_OPERANDS; i++)
        if (k->in_place[i] == operand + 1)
            return json_fail(&member->at, r->err, "%s takes the place of %s; it cannot be fixed",
                operand_at(r, i)->name, member->name);
    k->is_fixed[operand] = true;
    k->fixed[operand] = value;
    return true;
}

static bool read_fixed(struct kernel_reading *r) {
    struct member members[OPERATOR_OPERANDS];
    int count;
    if (!layers_merge(&r->layers, "fixed", members, OPERATOR_OPERANDS, &count, r->err)) return false;
    for (int i = 0; i < count; i++) reading_note(r, read_constant(r, &members[i]));
    return true;
}

static bool is_any(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        if (at[i]) return true;
    return false;
}

bool read_operands(struct kernel_reading *r) {
    struct kernel *k = r->kernel;
    reading_note(r, read_in_place(r));
    reading_note(r, read_fixed(r));
    if (!is_any(k->in_place, sizeof k->in_place) && !is_any(k->is_fixed, sizeof k->is_fixed)) return true;
    k->arrangement = hash_bytes(hash_bytes(HASH_START, k->in_place, sizeof k->in_place), k->fixed, sizeof k->fixed);
    k->arrangement = hash_bytes(k->arrangement, k->is_fixed, sizeof k->is_fixed);
    return true;
}
