// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices: reads a manifest's "cooperative" member.
#include "manifest.h"
#include "../../reference/operator.h"

#include <string.h>

static bool read_side(struct kernel_reading *r, const struct json_at *object, const char *member, struct product *out) {
    struct json_at at;
    return json_member(object, member, false, &at, r->err) && read_product(r, &at, out);
}

// "case" means the dtype of the case.
static bool read_component(
    struct kernel_reading *r, const struct json_at *object, const char *member, enum component *out) {
    struct json_at at;
    struct known_names names = {0};
    const char *name;
    for (int i = 0; i < COMPONENT_COUNT; i++) names_add(&names, component_name((enum component)i));
    names_add(&names, "case");
    if (!json_member(object, member, false, &at, r->err) ||
        !read_name(r, &at, &names, "type of matrix elements", &name))
        return false;
    *out = strcmp(name, "case") == 0 ? COMPONENT_COUNT : (enum component)component_named(name);
    return true;
}

static bool read_scope(struct kernel_reading *r, const struct json_at *object, enum matrix_scope *out) {
    struct json_at at;
    struct known_names names = {0};
    const char *name;
    *out = SCOPE_SUBGROUP;
    if (!json_member(object, "scope", true, &at, r->err)) return false;
    if (!at.value) return true;
    names_add(&names, matrix_scope_name(SCOPE_SUBGROUP));
    names_add(&names, matrix_scope_name(SCOPE_WORKGROUP));
    if (!read_name(r, &at, &names, "scope of a matrix", &name)) return false;
    *out = strcmp(name, matrix_scope_name(SCOPE_WORKGROUP)) == 0 ? SCOPE_WORKGROUP : SCOPE_SUBGROUP;
    return true;
}

bool read_cooperative(struct kernel_reading *r) {
    static const char *const keys[] = {"m", "n", "k", "a", "b", "c", "result", "scope", NULL};
    struct cooperative_use *use = &r->kernel->cooperative;
    struct json_at at;
    if (!layers_find(&r->layers, "cooperative", &at)) return true;
    use->used = true;
    r->kernel->features[FEATURE_COOPERATIVE_MATRIX] = true;
    return json_expect(&at, json_type_object, r->err) && json_only(&at, keys, r->err) &&
           read_side(r, &at, "m", &use->m) && read_side(r, &at, "n", &use->n) && read_side(r, &at, "k", &use->k) &&
           read_component(r, &at, "a", &use->a) && read_component(r, &at, "b", &use->b) &&
           read_component(r, &at, "c", &use->c) && read_component(r, &at, "result", &use->result) &&
           read_scope(r, &at, &use->scope);
}

enum component component_of(enum component component, enum dtype dtype) {
    if (component != COMPONENT_COUNT) return component;
    const int named = component_named(dtype_info(dtype)->name);
    return named < 0 ? COMPONENT_F16 : (enum component)named; // a quantised dtype is no component
}

const char *kernel_arithmetic(struct arena *arena, const struct kernel *kernel, enum dtype dtype) {
    const struct cooperative_use *use = &kernel->cooperative;
    const struct dtype_info *first = dtype_info(operand_dtype(&kernel->op->operands[0], dtype));
    const bool *asks = kernel->features;
    if (use->used)
        return arena_format(arena, "matrix_%s_%s", component_name(component_of(use->a, dtype)),
            component_name(component_of(use->result, dtype)));
    if (asks[FEATURE_INTEGER_DOT]) return "dot_i8";
    if (!first->is_float && first->elements == 1) // integers; quantised blocks do not count as such
        return asks[FEATURE_INT8] ? "mad_i8" : asks[FEATURE_INT16] ? "mad_i16" : "mad_i32";
    if (asks[FEATURE_FLOAT64]) return "fma_f64";
    return arena_format(arena, "fma_%s", dtype_info(kernel->arithmetic)->name);
}
