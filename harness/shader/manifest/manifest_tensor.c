// SPDX-License-Identifier: Apache-2.0
// Factors that follow from an operand's shape: {"extent": ["x", 0]}, {"stride": ["x", -2]}, {"elements": "x"}. They
// are read into the dims that they consist of.
#include "manifest.h"
#include "../../../reference/operator.h"

#include <string.h>

// Axes are counted from the end down to this one. Those before the first axis of the operand have one index.
enum { FIRST_AXIS = -4 };

static struct factor number_factor(int64_t number) {
    return (struct factor){.number = number};
}

// Returns a product as one factor.
static struct factor whole_factor(struct arena *arena, const struct product *product) {
    if (product->count == 0) return number_factor(1);
    if (product->count == 1) return product->factors[0];
    struct quotient *rounded = arena_alloc(arena, 1, sizeof *rounded);
    rounded->over = *product;
    return (struct factor){.rounded = rounded};
}

static struct factor extent_factor(const struct operand *operand, int axis) {
    return axis < 0 ? number_factor(1) : (struct factor){.name = operand->shape[axis]};
}

// Returns the product of the extents from this axis on.
static struct product extents_from(const struct operand *operand, int axis) {
    struct product product = {0};
    for (int i = axis; i < operand_rank(operand->shape); i++)
        product.factors[product.count++] = extent_factor(operand, i);
    return product;
}

static struct factor stride_factor(struct kernel_reading *r, int operand, int axis) {
    const struct operand *described = &r->kernel->op->operands[operand];
    const struct layout *layout = r->kernel->layouts ? &r->kernel->layouts[operand] : NULL;
    if (!layout || !layout->has_strides) {
        const struct product packed = extents_from(described, axis < 0 ? 0 : axis + 1);
        return whole_factor(r->arena, &packed);
    }
    if (axis >= 0) return whole_factor(r->arena, &layout->strides[axis]);
    if (!operand_rank(described->shape)) return number_factor(1);
    const struct product outermost = {
        .factors = {extent_factor(described, 0), whole_factor(r->arena, &layout->strides[0])}, .count = 2};
    return whole_factor(r->arena, &outermost);
}

static bool read_operand(struct kernel_reading *r, const struct json_at *at, int *operand) {
    struct known_names names = {0};
    const char *name;
    names_of_operands(&names, r->kernel->op);
    if (!read_name(r, at, &names, "operand", &name)) return false;
    *operand = operator_operand_index(r->kernel->op, name);
    return true;
}

// Reads ["x", -2]. *axis is below 0 if it lies before the operand's first axis.
static bool read_axis(struct kernel_reading *r, const struct json_at *at, int *operand, int *axis) {
    struct json_at item;
    int64_t given;
    if (!json_expect(at, json_type_array, r->err)) return false;
    if (json_count(at) != 2)
        return json_fail(at, r->err, "expected an operand and an axis, found %zu items", json_count(at));
    if (!json_item(at, 0, &item, r->err) || !read_operand(r, &item, operand) || !json_item(at, 1, &item, r->err) ||
        !json_integer(&item, FIRST_AXIS, OPERATOR_RANK - 1, &given, r->err))
        return false;
    const struct operand *described = &r->kernel->op->operands[*operand];
    const int rank = operand_rank(described->shape);
    *axis = (int)(given < 0 ? given + rank : given);
    return *axis < rank || json_fail(&item, r->err, "%s has %d axes; one before them is counted from the end: %d",
                               described->name, rank, -rank - 1);
}

static bool read_extent(struct kernel_reading *r, const struct json_at *at, struct tensor_factor *out) {
    if (!read_axis(r, at, &out->operand, &out->axis)) return false;
    out->factor = extent_factor(&r->kernel->op->operands[out->operand], out->axis);
    return true;
}

static bool read_stride(struct kernel_reading *r, const struct json_at *at, struct tensor_factor *out) {
    if (r->layout_of) return json_fail(at, r->err, "a layout states strides; it cannot follow from them");
    if (!read_axis(r, at, &out->operand, &out->axis)) return false;
    out->factor = stride_factor(r, out->operand, out->axis);
    return true;
}

static bool read_elements(struct kernel_reading *r, const struct json_at *at, struct tensor_factor *out) {
    if (!read_operand(r, at, &out->operand)) return false;
    const struct product all = extents_from(&r->kernel->op->operands[out->operand], 0);
    out->factor = whole_factor(r->arena, &all);
    return true;
}

static const struct kind kind_axis = {.name = "axis",
    .meaning = "An operand and its axis, outermost first, or from the end: -1 is the innermost.",
    .schema = SCHEMA({
        "type" : "array",
        "items" : [ {"type" : "string"}, {"type" : "integer", "minimum" : -4, "maximum" : 5} ],
        "minItems" : 2,
        "maxItems" : 2
    })};
READ_KIND(static, extent, struct tensor_factor, read_extent, .of = &kind_axis)
READ_KIND(static, stride, struct tensor_factor, read_stride, .of = &kind_axis)
READ_KIND(static, elements, struct tensor_factor, read_elements, .schema = SCHEMA({"type" : "string"}))

static bool read_unit(struct kernel_reading *r, const struct json_at *at, struct tensor_factor *out) {
    struct known_names units = {{"elements", "bytes"}, 2};
    const char *unit;
    if (!read_name(r, at, &units, "unit", &unit)) return false;
    out->in_bytes = strcmp(unit, "bytes") == 0;
    return true;
}
READ_KIND(static, unit, struct tensor_factor, read_unit, .schema = SCHEMA({"enum" : [ "elements", "bytes" ]}))

static const struct field tensor_fields[] = {
    {"extent", &kind_extent, 0, SPARSE},
    {"stride", &kind_stride, 0, SPARSE},
    {"elements", &kind_elements, 0, SPARSE},
    {"length", &kind_elements, 0, SPARSE}, // the old name
    {0},
};
static const struct field unit_fields[] = {{"in", &kind_unit, 0, SPARSE}, {0}};
#define ONE_OF_THEM SCHEMA({"minProperties" : 1, "maxProperties" : 1})
const struct kind kind_tensor = {.fields = tensor_fields,
    .name = "tensor",
    .meaning = "Follows from an operand's shape and layout, in elements. \"length\" is the old name of \"elements\".",
    .schema = ONE_OF_THEM};
const struct kind kind_tensor_in_unit = {.meaning = "The same with its unit.", .schema = SCHEMA({
                                             "type" : "object",
                                             "properties" : {
                                                 "stride" : {"$ref" : "#/definitions/axis"},
                                                 "elements" : {"type" : "string"},
                                                 "length" : {"type" : "string"},
                                                 "in" : {"enum" : [ "elements", "bytes" ]}
                                             },
                                             "required" : ["in"],
                                             "minProperties" : 2,
                                             "maxProperties" : 2,
                                             "additionalProperties" : false
                                         })};

bool is_tensor_factor(const struct json_at *at) {
    bool is = false;
    for (const struct field *f = tensor_fields; f->key; f++) is |= json_object_object_get_ex(at->value, f->key, NULL);
    return is;
}

bool read_tensor_factor(struct kernel_reading *r, const struct json_at *at, bool unit, struct tensor_factor *out) {
    struct json_at in = {0};
    *out = (struct tensor_factor){0};
    if (!fields_only(at, tensor_fields, unit ? unit_fields : NULL, r->err) || !json_member(at, "in", true, &in, r->err))
        return false;
    const size_t count = json_count(at) - (in.value != NULL);
    if (count != 1) return json_fail(at, r->err, "expected one of extent, stride and elements, found %zu", count);
    if (in.value && json_get(at->value, "extent"))
        return json_fail(&in, r->err, "an extent counts indices; only strides and elements have a unit");
    if (!fields_get(r->arena, at, tensor_fields, out, r->err)) return false;
    if (!out->factor.name && !out->factor.number && !out->factor.rounded)
        return json_fail(at, r->err, "expected an operand, found null");
    return !in.value || read_unit(r, &in, out);
}
