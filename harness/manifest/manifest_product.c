// SPDX-License-Identifier: Apache-2.0
// Members made of products: shared memory, rules, depth, scratch.
#include "manifest.h"
#include "../../reference/table.h"

static void names_of_factors(struct known_names *names, const struct kernel_reading *r) {
    static const char *const workgroup[3] = {"WG_X", "WG_Y", "WG_Z"}; // 1 if a kernel does not tune them
    names_of_dims(names, r->kernel->op);
    names_of_tunables(names, r->kernel);
    names_of_variables(names, r);
    for (int axis = 0; axis < 3; axis++)
        if (!names_have(names, workgroup[axis])) names_add(names, workgroup[axis]);
}

static bool read_factor(struct kernel_reading *r, const struct json_at *at, struct factor *out) {
    if (is_tensor_factor(at)) {
        struct tensor_factor tensor;
        if (!read_tensor_factor(r, at, false, &tensor)) return false;
        *out = tensor.factor;
        return true;
    }
    if (json_object_is_type(at->value, json_type_object)) {
        struct quotient *rounded = arena_alloc(r->arena, 1, sizeof *rounded);
        out->rounded = rounded;
        return read_quotient(r, at, rounded);
    }
    if (json_object_is_type(at->value, json_type_int)) return json_integer(at, 1, INT32_MAX, &out->number, r->err);
    if (!json_object_is_type(at->value, json_type_string))
        return json_fail(at, r->err, "expected a dim, a tunable or an integer, found %s",
            json_type_to_name(json_object_get_type(at->value)));
    struct known_names names = {0};
    names_of_factors(&names, r);
    return read_name(r, at, &names, "dim or tunable", &out->name);
}

bool read_product(struct kernel_reading *r, const struct json_at *at, struct product *out) {
    struct json_at item;
    if (!json_object_is_type(at->value, json_type_array)) {
        out->count = 1;
        return read_factor(r, at, &out->factors[0]);
    }
    if (!read_list(r, at, PRODUCT_FACTORS, &out->count)) return false;
    for (int i = 0; i < out->count; i++)
        if (!json_item(at, (size_t)i, &item, r->err) || !read_factor(r, &item, &out->factors[i])) return false;
    return true;
}

bool read_over_by(struct kernel_reading *r, const struct json_at *at, struct quotient *out) {
    struct json_at over, by;
    return json_member(at, "over", false, &over, r->err) && read_product(r, &over, &out->over) &&
           json_member(at, "by", true, &by, r->err) && (!by.value || read_product(r, &by, &out->by));
}

bool read_quotient(struct kernel_reading *r, const struct json_at *at, struct quotient *out) {
    static const char *const keys[] = {"over", "by", NULL};
    return json_only(at, keys, r->err) && read_over_by(r, at, out);
}

bool read_shared(struct kernel_reading *r) {
    struct json_at list, item;
    if (!layers_find(&r->layers, "shared", &list)) return true;
    if (!read_list(r, &list, KERNEL_TERMS, &r->kernel->shared_count)) return false;
    for (int i = 0; i < r->kernel->shared_count; i++) {
        if (!json_item(&list, (size_t)i, &item, r->err)) return false;
        // A bare factor would be a summand of its own: ["WG_X", 4] would mean WG_X + 4 bytes. Nobody means this, so
        // each summand must be a list.
        if (!json_expect(&item, json_type_array, r->err) || !read_product(r, &item, &r->kernel->shared[i]))
            return false;
    }
    return true;
}

// Reads a rule, and appends it to those of its kind.
static bool read_rule(struct kernel_reading *r, const struct json_at *at) {
    static const char *const keys[] = {"multiple", "at_most", "equal", "why", NULL};
    static const enum rule_kind kinds[] = {RULE_MULTIPLE, RULE_AT_MOST, RULE_EQUAL};
    struct json_at pair = {0}, side[2], why;
    struct rule rule = {0};
    int found = 0, sides;
    if (!json_only(at, keys, r->err) || !json_member(at, "why", false, &why, r->err) ||
        !json_string(&why, r->arena, &rule.why, r->err))
        return false;
    for (int i = 0; i < 3; i++) {
        struct json_at member;
        if (!json_member(at, keys[i], true, &member, r->err)) return false;
        if (!member.value) continue;
        pair = member;
        rule.kind = kinds[i];
        found++;
    }
    if (found != 1) return json_fail(at, r->err, "expected one of multiple, at_most and equal, found %d", found);
    if (!read_list(r, &pair, 2, &sides)) return false;
    if (sides != 2) return json_fail(&pair, r->err, "expected two products, [of, by], found %d", sides);
    for (int i = 0; i < 2; i++)
        if (!json_item(&pair, (size_t)i, &side[i], r->err)) return false;
    if (is_param_rule(r, side)) return read_param_rule(r, side, rule.kind, rule.why);
    if (!read_product(r, &side[0], &rule.of) || !read_product(r, &side[1], &rule.by)) return false;
    r->kernel->rules[r->kernel->rule_count++] = rule;
    return true;
}

bool read_rules(struct kernel_reading *r) {
    struct json_at list;
    return !layers_find(&r->layers, "rules", &list) || read_each(r, &list, KERNEL_RULES, read_rule);
}

static bool read_depth_term(struct kernel_reading *r, const struct json_at *at) {
    static const char *const keys[] = {"log2", "by", NULL};
    struct depth_term *out = &r->kernel->depth[r->kernel->depth_count++];
    struct json_at log2, by;
    if (!json_expect(at, json_type_object, r->err) || !json_member(at, "log2", true, &log2, r->err)) return false;
    out->log2 = log2.value != NULL;
    if (!out->log2) return read_quotient(r, at, &out->length);
    return json_only(at, keys, r->err) && read_product(r, &log2, &out->length.over) &&
           json_member(at, "by", true, &by, r->err) && (!by.value || read_product(r, &by, &out->length.by));
}

bool read_depth(struct kernel_reading *r) {
    struct json_at list;
    return !layers_find(&r->layers, "depth", &list) || read_each(r, &list, KERNEL_TERMS, read_depth_term);
}

static bool read_scratch_buffer(struct kernel_reading *r, const struct member *member, struct scratch *out) {
    static const char *const keys[] = {"dtype", "over", "by", NULL};
    struct json_at at;
    struct known_names operands = {0}, dtypes = {0};
    const char *dtype;
    names_of_operands(&operands, r->kernel->op);
    names_of_dtypes(&dtypes, NULL);
    if (names_have(&operands, member->name))
        return json_fail(&member->at, r->err, "\"%s\" is an operand of %s; scratch needs another name", member->name,
            operator_name(r->kernel->op));
    if (!json_only(&member->at, keys, r->err) || !json_member(&member->at, "dtype", false, &at, r->err) ||
        !read_name(r, &at, &dtypes, "dtype", &dtype))
        return false;
    out->dtype = dtype_named(dtype);
    return read_over_by(r, &member->at, &out->elements);
}

bool read_scratch(struct kernel_reading *r) {
    struct member members[KERNEL_SCRATCH];
    struct kernel *k = r->kernel;
    int count;
    if (!layers_merge(&r->layers, "scratch", members, KERNEL_SCRATCH, &count, r->err)) return false;
    for (; k->scratch_count < count; k->scratch_count++)
        k->scratch[k->scratch_count].name = arena_copy(r->arena, members[k->scratch_count].name);
    for (int i = 0; i < count; i++) reading_note(r, read_scratch_buffer(r, &members[i], &r->kernel->scratch[i]));
    return true;
}
