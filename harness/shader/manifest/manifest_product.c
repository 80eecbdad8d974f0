// SPDX-License-Identifier: Apache-2.0
// Members made of products: shared memory, rules, depth, scratch.
#include "manifest.h"
#include "../../../reference/table.h"

static void names_of_factors(struct known_names *names, const struct kernel_reading *r) {
    names_of_dims(names, r->kernel->op);
    names_of_tunables(names, r->kernel);
    names_of_variables(names, r);
    for (int axis = 0; axis < 3; axis++)
        if (!names_have(names, workgroup_names[axis])) names_add(names, workgroup_names[axis]); // 1 if not tuned
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
        return kind_get(&kind_quotient, r->arena, at, rounded, r->err);
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

static const struct kind kind_name_of_factor = {.schema = SCHEMA({"type" : "string"})},
                         kind_whole_factor = {
                             .schema = SCHEMA({"type" : "integer", "minimum" : 1, "maximum" : 2147483647})};
static const struct kind *const factor_forms[] = {
    &kind_name_of_factor, &kind_whole_factor, &kind_quotient, &kind_tensor, NULL};
static const struct kind kind_factor = {.any = factor_forms, .name = "factor"};
static const struct item_list factors = {.kind = &kind_factor, .most = PRODUCT_FACTORS};
const struct kind kind_factors = {
    .list = &factors, .name = "product", .meaning = "A product of dims, tunables and integers."};
static const struct kind *const product_forms[] = {&kind_factors, &kind_factor, NULL};
READ_KIND(, product, struct product, read_product, .any = product_forms, .name = "term",
    .meaning = "A product, or a lone factor that stands for one.")

#define AT(member) offsetof(struct quotient, member)
const struct field quotient_fields[] = {
    {"over", &kind_product, AT(over), REQUIRED}, {"by", &kind_product, AT(by), NEW_NULLABLE}, {0}};
#undef AT
const struct kind kind_quotient = {
    .fields = quotient_fields, .closed = true, .name = "quotient", .meaning = "over / by, rounding up."};

// A bare factor would be a summand of its own: ["WG_X", 4] would mean WG_X + 4 bytes. Nobody means this, so each
// summand must be a list.
static bool read_summand(struct kernel_reading *r, const struct json_at *at, struct product *out) {
    return json_expect(at, json_type_array, r->err) && read_product(r, at, out);
}
READ_KIND(static, summand, struct product, read_summand, .list = &factors)
const struct kind kind_shared = {
    .list =
        &(const struct item_list){LIST_OF(struct kernel, shared, shared_count, &kind_summand), .most = KERNEL_TERMS},
    .meaning = "Bytes: products that are added."};

// A rule as in the file: a pair of products, or of a parameter and a number, in one of the members.
struct rule_text {
    const char *why;
    struct json_at sides[3]; // of the kinds of rules; NULL: it is not there
};
static bool read_sides(struct kernel_reading *r, const struct json_at *at, struct json_at *out) {
    (void)r;
    *out = *at;
    return true;
}
static const struct kind kind_pair = {.list = &(const struct item_list){.kind = &kind_product, .least = 2, .most = 2}};
static const struct kind kind_of_parameter = {
    .name = "of_parameter", .meaning = "A parameter and a number.", .schema = SCHEMA({
        "type" : "array",
        "anyOf" : [
            {"items" : [ {"type" : "string"}, {"type" : "number"} ]},
            {"items" : [ {"type" : "number"}, {"type" : "string"} ]}
        ],
        "minItems" : 2,
        "maxItems" : 2
    })};
static const struct kind *const side_forms[] = {&kind_pair, &kind_of_parameter, NULL};
READ_KIND(static, sides, struct json_at, read_sides, .any = side_forms)

#define AT(member) offsetof(struct rule_text, member)
static const struct field rule_fields[] = {
    {"multiple", &kind_sides, AT(sides[RULE_MULTIPLE]), NEW_NULLABLE},
    {"at_most", &kind_sides, AT(sides[RULE_AT_MOST]), NEW_NULLABLE},
    {"equal", &kind_sides, AT(sides[RULE_EQUAL]), NEW_NULLABLE},
    {"why", &kind_text, AT(why), REQUIRED},
    {0},
};
#undef AT
static const struct kind kind_rule = {
    .fields = rule_fields, .closed = true, .schema = SCHEMA({
        "oneOf" : [
            {"properties" : {"multiple" : {"type" : "array"}}, "required" : ["multiple"]},
            {"properties" : {"at_most" : {"type" : "array"}}, "required" : ["at_most"]},
            {"properties" : {"equal" : {"type" : "array"}}, "required" : ["equal"]}
        ]
    })};

// Reads a rule, and appends it to those of its kind.
static bool read_rule(struct kernel_reading *r, const struct json_at *at) {
    struct rule_text text = {0};
    struct rule rule = {0};
    struct json_at side[2];
    int found = 0, sides;
    if (!kind_get(&kind_rule, r->arena, at, &text, r->err)) return false;
    for (int i = 0; i < 3; i++) {
        if (!text.sides[i].value) continue;
        rule.kind = (enum rule_kind)i;
        found++;
    }
    if (found != 1) return json_fail(at, r->err, "expected one of multiple, at_most and equal, found %d", found);
    const struct json_at *pair = &text.sides[rule.kind];
    rule.why = text.why;
    if (!read_list(r, pair, 2, &sides)) return false;
    if (sides != 2) return json_fail(pair, r->err, "expected two products, [of, by], found %d", sides);
    for (int i = 0; i < 2; i++)
        if (!json_item(pair, (size_t)i, &side[i], r->err)) return false;
    if (is_param_rule(r, side)) return read_param_rule(r, side, rule.kind, rule.why);
    if (!read_product(r, &side[0], &rule.of) || !read_product(r, &side[1], &rule.by)) return false;
    r->kernel->rules[r->kernel->rule_count++] = rule;
    return true;
}

EACH_KIND(, rules, kind_rule, KERNEL_RULES, read_rule, )

#define AT(member) offsetof(struct depth_term, member)
static const struct field log2_fields[] = {
    {"log2", &kind_product, AT(length.over), REQUIRED}, {"by", &kind_product, AT(length.by), NEW_NULLABLE}, {0}};
#undef AT
static const struct kind kind_log2 = {.fields = log2_fields, .closed = true};
static const struct kind *const depth_forms[] = {&kind_quotient, &kind_log2, NULL};
static const struct kind kind_depth_term = {.any = depth_forms};

static bool read_depth_term(struct kernel_reading *r, const struct json_at *at) {
    struct depth_term *out = &r->kernel->depth[r->kernel->depth_count++];
    if (!json_expect(at, json_type_object, r->err)) return false;
    out->log2 = json_get(at->value, "log2") != NULL;
    return out->log2 ? kind_get(&kind_log2, r->arena, at, out, r->err)
                     : kind_get(&kind_quotient, r->arena, at, &out->length, r->err);
}

EACH_KIND(, depth, kind_depth_term, KERNEL_TERMS, read_depth_term, )

#define AT(member) offsetof(struct scratch, member)
static const struct field scratch_fields[] = {
    {"dtype", &kind_dtype, AT(dtype), REQUIRED},
    {"over", &kind_product, AT(elements.over), REQUIRED},
    {"by", &kind_product, AT(elements.by), NEW_NULLABLE},
    {0},
};
#undef AT
static const struct kind kind_scratch_buffer = {.fields = scratch_fields, .closed = true};

static bool read_scratch_buffer(struct kernel_reading *r, const struct member *member, struct scratch *out) {
    struct known_names operands = {0};
    names_of_operands(&operands, r->kernel->op);
    if (names_have(&operands, member->name))
        return json_fail(&member->at, r->err, "\"%s\" is an operand of %s; scratch needs another name", member->name,
            operator_name(r->kernel->op));
    return kind_get(&kind_scratch_buffer, r->arena, &member->at, out, r->err);
}

static bool read_scratch(struct kernel_reading *r, const struct json_at *at) {
    struct member members[KERNEL_SCRATCH];
    struct kernel *k = r->kernel;
    int count;
    (void)at;
    if (!layers_merge(&r->layers, "scratch", members, KERNEL_SCRATCH, &count, r->err)) return false;
    for (; k->scratch_count < count; k->scratch_count++)
        k->scratch[k->scratch_count].name = arena_copy(r->arena, members[k->scratch_count].name);
    for (int i = 0; i < count; i++) reading_note(r, read_scratch_buffer(r, &members[i], &r->kernel->scratch[i]));
    return true;
}
LAYER_KIND(, scratch, read_scratch,
    .list = &(const struct item_list){.kind = &kind_scratch_buffer, .most = KERNEL_SCRATCH, .named = true})
