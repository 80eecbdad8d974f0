// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "../../../reference/table.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// Texts printed or searched somewhere; none may be missing.
static const struct {
    const char *name;
    size_t offset;
} texts[] = {
    {"family", offsetof(struct op, family)},
    {"summary", offsetof(struct op, summary)},
    {"formula", offsetof(struct op, formula)},
    {"source", offsetof(struct op, source)},
    {"systems", offsetof(struct op, systems)},
    {"bound", offsetof(struct op, bound)},
};

static bool check_operands(const struct op *op, const char *path, struct error *err) {
    bool out = false;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        if (operand->role < ROLE_IN || operand->role > ROLE_INOUT)
            return error_set(err, STATUS_BAD_INPUT, "%s: operand %s of %s has no role", path, operand->name, op->name);
        for (int axis = 0; axis < OPERATOR_RANK && operand->shape[axis]; axis++)
            if (operator_dim_index(op, operand->shape[axis]) < 0)
                return error_set(err, STATUS_BAD_INPUT, "%s: the shape of %s of %s has a name that is not a dim", path,
                    operand->name, op->name);
        out |= operand->role != ROLE_IN;
    }
    return out || error_set(err, STATUS_BAD_INPUT, "%s: %s has no output", path, op->name);
}

static bool check_operator(const struct op *op, const char *path, struct error *err) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    if (!op->name || !islower((unsigned char)*op->name) || op->name[strspn(op->name, letters)])
        return error_set(err, STATUS_BAD_INPUT,
            "%s: expected an operator's name of small letters, digits and '_', found %s%s%s", path,
            op->name ? "\"" : "", op->name ? op->name : "none", op->name ? "\"" : "");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!*(const char *const *)((const char *)op + texts[i].offset))
            return error_set(err, STATUS_BAD_INPUT, "%s: %s has no .%s", path, op->name, texts[i].name);
    if (!op->f64 || !op->f32)
        return error_set(
            err, STATUS_BAD_INPUT, "%s: %s has no .%s, its reference", path, op->name, op->f64 ? "f32" : "f64");
    return check_operands(op, path, err);
}

static bool check_version(const struct operator_file *file, const char *path, struct error *err) {
    if (file->version == OPERATOR_VERSION && file->operator_bytes == sizeof(struct op) &&
        file->call_bytes == sizeof(struct call_f64) && file->dtypes == DTYPE_COUNT && file->operators)
        return true;
    return error_set(err, STATUS_BAD_INPUT,
        "%s: made with another reference/operator.h (version %u, sizes %u and %u, %u types; this program has %d, %zu, "
        "%zu "
        "and %d): compile it against this program's",
        path, file->version, file->operator_bytes, file->call_bytes, file->dtypes, OPERATOR_VERSION, sizeof(struct op),
        sizeof(struct call_f64), DTYPE_COUNT);
}

// Keeps the object open, because kernels and plans point into it.
bool operators_load(struct arena *arena, const char *path, struct error *err) {
    // `dlopen` would look for a bare name in the library folders.
    const char *place = strchr(path, '/') ? path : arena_format(arena, "./%s", path);
    void *object = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (!object) return error_set(err, STATUS_BAD_INPUT, "--operators %s: %s", path, dlerror());
    const struct operator_file *file = dlsym(object, "vkassay_operators");
    if (!file)
        return error_set(err, STATUS_BAD_INPUT,
            "%s: this is no file of operators: it does not end with VKASSAY_OPERATORS(...)", path);
    if (!check_version(file, path, err)) return false;
    const char *kept = arena_copy(arena, path);
    for (size_t i = 0; file->operators[i]; i++) {
        if (!check_operator(file->operators[i], path, err)) return false;
        const char *why = operators_add(file->operators[i], kept);
        if (why) return error_set(err, STATUS_BAD_INPUT, "%s: %s: %s", path, file->operators[i]->name, why);
    }
    return true;
}
