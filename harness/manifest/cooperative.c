// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices: reads a manifest's "cooperative" member and checks whether a device has the matrices it asks
// for.
#include "../plan/legal.h"
#include "manifest.h"

#include "../base/text.h"

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

static enum component component_of(enum component component, enum dtype dtype) {
    if (component != COMPONENT_COUNT) return component;
    const int named = component_named(dtype_info(dtype)->name);
    return named < 0 ? COMPONENT_F16 : (enum component)named; // a quantised dtype is no component
}

// Returns whether the kernel multiplies integers, judged by its first operand. Quantised blocks do not count as
// integers.
static bool is_whole(const struct kernel *kernel, enum dtype dtype) {
    const struct dtype_info *first = dtype_info(operand_dtype(&kernel->op->operands[0], dtype));
    return !first->is_float && first->elements == 1;
}

const char *kernel_arithmetic(struct arena *arena, const struct kernel *kernel, enum dtype dtype) {
    const struct cooperative_use *use = &kernel->cooperative;
    const bool *asks = kernel->features;
    if (use->used)
        return arena_format(arena, "matrix_%s_%s", component_name(component_of(use->a, dtype)),
            component_name(component_of(use->result, dtype)));
    if (asks[FEATURE_INTEGER_DOT]) return "dot_i8";
    if (is_whole(kernel, dtype)) return asks[FEATURE_INT8] ? "mad_i8" : asks[FEATURE_INT16] ? "mad_i16" : "mad_i32";
    if (asks[FEATURE_FLOAT64]) return "fma_f64";
    return arena_format(arena, "fma_%s", dtype_info(kernel->arithmetic)->name);
}

static void append_types(struct text *text, const struct cooperative *matrix) {
    text_format(text, "%s x %s + %s to %s", component_name(matrix->a), component_name(matrix->b),
        component_name(matrix->c), component_name(matrix->result));
    if (matrix->scope != SCOPE_SUBGROUP) text_format(text, " of a %s", matrix_scope_name(matrix->scope));
    if (matrix->invocations && matrix->scope == SCOPE_WORKGROUP) text_format(text, " of %u", matrix->invocations);
}

// Appends the entries of one scope.
static void append_list(
    struct text *text, const char *before, const struct cooperative *list, int count, enum matrix_scope scope) {
    for (int i = 0; i < count; i++) {
        if (list[i].scope != scope) continue;
        text_format(text, "%s%s%ux%ux%u ", text->length ? ", " : "", before, list[i].m, list[i].n, list[i].k);
        append_types(text, &list[i]);
    }
}

static const struct refusal *sizes_refusal(const struct trial *t, const struct cooperative *wanted) {
    const struct device_info *device = t->device;
    struct text types = {0}, has = {0};
    append_types(&types, wanted);
    append_list(&has, "", device->cooperative, device->cooperative_count, wanted->scope);
    append_list(&has, "multiples of ", device->flexible, device->flexible_count, wanted->scope);
    if (!has.length) text_append(&has, "none");
    return REFUSED(t->arena, .kind = REFUSAL_MATRIX_SIZES,
        .words = {arena_take(t->arena, &types), arena_take(t->arena, &has)},
        .figures = {wanted->m, wanted->n, wanted->k});
}

const struct refusal *cooperative_lack(const struct trial *t) {
    if (t->device->features[FEATURE_COOPERATIVE_MATRIX_NV])
        return REFUSED(t->arena, .kind = REFUSAL_MATRIX_COMPILER, .words = {"GL_NV_cooperative_matrix"});
    return REFUSED(t->arena, .kind = REFUSAL_MATRIX_EXTENSION, .words = {feature_name(FEATURE_COOPERATIVE_MATRIX)});
}

const struct refusal *trial_cooperative(const struct trial *t, const struct shape *shape) {
    const struct cooperative_use *use = &t->kernel->cooperative;
    uint32_t wg[3];
    if (!use->used) return NULL;
    shape_workgroup(t->kernel, shape, wg);
    const struct cooperative wanted = {
        .m = (uint32_t)product_value(t->kernel, &use->m, t->dims, shape),
        .n = (uint32_t)product_value(t->kernel, &use->n, t->dims, shape),
        .k = (uint32_t)product_value(t->kernel, &use->k, t->dims, shape),
        .a = component_of(use->a, t->dtype),
        .b = component_of(use->b, t->dtype),
        .c = component_of(use->c, t->dtype),
        .result = component_of(use->result, t->dtype),
        .scope = use->scope,
        .invocations = wg[0] * wg[1] * wg[2],
    };
    return device_multiplies(t->device, &wanted) ? NULL : sizes_refusal(t, &wanted);
}
