// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices: what a manifest says of those that its shader multiplies, and whether a
// device has them.
#include "legal.h"
#include "manifest.h"

#include "../base/text.h"

static bool read_side(struct kernel_reading *r, const struct json_at *object, const char *member, struct product *out) {
    struct json_at at;
    return json_member(object, member, false, &at, r->err) && read_product(r, &at, out);
}

static bool read_component(
    struct kernel_reading *r, const struct json_at *object, const char *member, enum component *out) {
    struct json_at at;
    struct known_names names = {0};
    const char *name;
    for (int i = 0; i < COMPONENT_COUNT; i++) names_add(&names, component_name((enum component)i));
    if (!json_member(object, member, false, &at, r->err) ||
        !read_name(r, &at, &names, "type of matrix elements", &name))
        return false;
    *out = (enum component)component_named(name);
    return true;
}

bool read_cooperative(struct kernel_reading *r) {
    static const char *const keys[] = {"m", "n", "k", "a", "b", "c", "result", NULL};
    struct cooperative_use *use = &r->kernel->cooperative;
    struct json_at at;
    if (!layers_find(&r->layers, "cooperative", &at)) return true;
    use->used = true;
    r->kernel->features[FEATURE_COOPERATIVE_MATRIX] = true;
    return json_expect(&at, json_type_object, r->err) && json_only(&at, keys, r->err) &&
           read_side(r, &at, "m", &use->m) && read_side(r, &at, "n", &use->n) && read_side(r, &at, "k", &use->k) &&
           read_component(r, &at, "a", &use->a) && read_component(r, &at, "b", &use->b) &&
           read_component(r, &at, "c", &use->c) && read_component(r, &at, "result", &use->result);
}

static void append_types(struct text *text, const struct cooperative *matrix) {
    text_format(text, "%s x %s + %s to %s", component_name(matrix->a), component_name(matrix->b),
        component_name(matrix->c), component_name(matrix->result));
}

static const struct refusal *sizes_refusal(const struct trial *t, const struct cooperative *wanted) {
    struct text types = {0}, has = {0};
    append_types(&types, wanted);
    for (int i = 0; i < t->device->cooperative_count; i++) {
        const struct cooperative *matrix = &t->device->cooperative[i];
        text_format(&has, "%s%ux%ux%u ", i ? ", " : "", matrix->m, matrix->n, matrix->k);
        append_types(&has, matrix);
    }
    if (!t->device->cooperative_count) text_append(&has, "none");
    return REFUSED(t->arena, .kind = REFUSAL_MATRIX_SIZES,
        .words = {arena_take(t->arena, &types), arena_take(t->arena, &has)},
        .figures = {wanted->m, wanted->n, wanted->k});
}

const struct refusal *cooperative_lack(const struct trial *t) {
    const bool *has = t->device->features, khr = has[FEATURE_COOPERATIVE_MATRIX_KHR];
    if (khr || has[FEATURE_COOPERATIVE_MATRIX_NV])
        return REFUSED(t->arena, .kind = REFUSAL_MATRIX_COMPILER,
            .words = {khr ? "GL_KHR_cooperative_matrix" : "GL_NV_cooperative_matrix"});
    return REFUSED(t->arena, .kind = REFUSAL_MATRIX_EXTENSION, .words = {feature_name(FEATURE_COOPERATIVE_MATRIX)});
}

const struct refusal *trial_cooperative(const struct trial *t, const struct shape *shape) {
    const struct cooperative_use *use = &t->kernel->cooperative;
    if (!use->used) return NULL;
    const struct cooperative wanted = {
        .m = (uint32_t)product_value(t->kernel, &use->m, t->dims, shape),
        .n = (uint32_t)product_value(t->kernel, &use->n, t->dims, shape),
        .k = (uint32_t)product_value(t->kernel, &use->k, t->dims, shape),
        .a = use->a,
        .b = use->b,
        .c = use->c,
        .result = use->result,
    };
    return device_multiplies(t->device, &wanted) ? NULL : sizes_refusal(t, &wanted);
}
