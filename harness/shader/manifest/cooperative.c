// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices: reads a manifest's "cooperative" member.
#include "manifest.h"
#include "../../../reference/operator.h"

#include <string.h>

// The last word, "case", means the dtype of the case.
static const char *component_word(int component) {
    return component == COMPONENT_COUNT ? "case" : component_name((enum component)component);
}
static const struct enum_words component_words = {component_word, 0, COMPONENT_COUNT + 1, "a type of matrix elements"};

static bool read_component(struct kernel_reading *r, const struct json_at *at, enum component *out) {
    int component;
    if (!read_word_of(r, at, &component_words, "type of matrix elements", &component)) return false;
    *out = (enum component)component;
    return true;
}
READ_KIND(static, component, enum component, read_component, .words = &component_words, .name = "component",
    .meaning = "A type of elements; case: that of the case, f16 where that is of quantised blocks.")
ENUM_KIND(static, matrix_scope, matrix_scope_name, matrix_scope, SCOPE_SUBGROUP, SCOPE_WORKGROUP + 1,
    "\"subgroup\" or \"workgroup\"")

#define AT(member) offsetof(struct cooperative_use, member)
static const struct field cooperative_fields[] = {
    {"m", &kind_product, AT(m), REQUIRED},
    {"n", &kind_product, AT(n), REQUIRED},
    {"k", &kind_product, AT(k), REQUIRED},
    {"a", &kind_component, AT(a), REQUIRED},
    {"b", &kind_component, AT(b), REQUIRED},
    {"c", &kind_component, AT(c), REQUIRED},
    {"result", &kind_component, AT(result), REQUIRED},
    {"scope", &kind_matrix_scope, AT(scope), SPARSE},
    {0},
};
static const struct kind cooperative_form = {.fields = cooperative_fields, .closed = true};

static bool read_cooperative(struct kernel_reading *r, const struct json_at *at) {
    r->kernel->cooperative.used = true;
    r->kernel->features[FEATURE_COOPERATIVE_MATRIX] = true;
    return json_expect(at, json_type_object, r->err) &&
           kind_get(&cooperative_form, r->arena, at, &r->kernel->cooperative, r->err);
}
LAYER_KIND(, cooperative, read_cooperative, .fields = cooperative_fields,
    .meaning = "Matrices that are multiplied, by a subgroup or a workgroup together: result[m, n] = a[m, k] b[k, n] + "
               "c[m, n].")

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
