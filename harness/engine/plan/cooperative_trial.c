// SPDX-License-Identifier: Apache-2.0
// Checks whether a device has the cooperative matrices that a kernel asks for.
#include "../../base/text.h"
#include "../../shader/manifest/shape.h"
#include "legal.h"
#include "../../device/device_info.h"

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

// Returns the device's matrices of one scope in words.
static const char *matrices_text(const struct trial *t, enum matrix_scope scope) {
    const struct device_info *device = t->device;
    struct text has = {0};
    if (t->matrices && *t->matrices) return *t->matrices;
    append_list(&has, "", device->cooperative, device->cooperative_count, scope);
    append_list(&has, "multiples of ", device->flexible, device->flexible_count, scope);
    if (!has.length) text_append(&has, "none");
    const char *text = arena_take(t->arena, &has);
    if (t->matrices) *t->matrices = text;
    return text;
}

static const struct refusal *sizes_refusal(const struct trial *t, const struct cooperative *wanted) {
    struct text types = {0};
    append_types(&types, wanted);
    return REFUSED(t->arena, .kind = REFUSAL_MATRIX_SIZES,
        .words = {arena_take(t->arena, &types), matrices_text(t, wanted->scope)},
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
