// SPDX-License-Identifier: Apache-2.0
// Constants declared in a shader, and their values: the member "constants".
#include "dispatches.h"
#include "manifest.h"

#include <string.h>

static bool is_variable(const struct kernel *kernel, const char *name, const void *context) {
    (void)context;
    return kernel_variable(kernel, name) >= 0;
}

// Rejects variables: one pipeline serves all turns. Notes a dim: each size then has pipelines of its own.
static bool check_term(struct kernel_reading *r, const struct json_at *at, const struct product *product) {
    const char *name = product_name(r->kernel, product, is_variable, NULL);
    r->kernel->specialized |= product_dim(r->kernel, product) != NULL;
    return !name || json_fail(at, r->err, "a constant may follow from tunables and dims; %s is a variable", name);
}

static bool read_one_name(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    struct product product = {0};
    out->kind = WORD_NAME;
    if (!read_product(r, at, &product) || !check_term(r, at, &product)) return false;
    out->name = out->text = product.factors[0].name;
    return true;
}

static bool read_value(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    bool flag;
    switch (json_object_get_type(at->value)) {
    case json_type_string:
        return read_one_name(r, at, out);
    case json_type_boolean:
        out->kind = WORD_INTEGER;
        if (!json_boolean(at, &flag, r->err)) return false;
        out->integer = flag;
        return true;
    case json_type_int:
        out->kind = WORD_INTEGER;
        return json_integer(at, INT32_MIN, UINT32_MAX, &out->integer, r->err);
    case json_type_double:
        out->kind = WORD_REAL;
        return json_number(at, &out->real, r->err);
    case json_type_array:
        out->kind = WORD_QUOTIENT;
        return read_product(r, at, &out->quotient.over) && check_term(r, at, &out->quotient.over);
    case json_type_object:
        out->kind = WORD_QUOTIENT;
        return kind_get(&kind_quotient, r->arena, at, &out->quotient, r->err) &&
               check_term(r, at, &out->quotient.over) && check_term(r, at, &out->quotient.by);
    default:
        return json_fail(at, r->err, "expected a tunable, a dim, a number, a product or an object, found %s",
            json_type_to_name(json_object_get_type(at->value)));
    }
}

static bool read_constants(struct kernel_reading *r, const struct json_at *at) {
    struct member members[KERNEL_CONSTANTS];
    struct constant *constants = r->pass->constants;
    int count;
    (void)at;
    if (!layers_merge(&r->pass_layers, "constants", members, KERNEL_CONSTANTS, &count, r->err)) return false;
    for (int i = 0; i < count; i++) {
        const char *name = members[i].name;
        // Modules without names need the constant's number.
        const bool is_number = *name && strlen(name) < 10 && name[strspn(name, "0123456789")] == '\0';
        constants[i].name = arena_copy(r->arena, name);
        reading_note(r, (is_identifier(name) || is_number ||
                            json_fail(&members[i].at, r->err,
                                "expected the name or the number of a constant, found \"%s\"", name)) &&
                            read_value(r, &members[i].at, &constants[i].value));
    }
    r->pass->constant_count = r->flawed ? 0 : count;
    return true;
}

static const struct kind kind_plain = {.schema = SCHEMA({
    "anyOf" : [
        {"type" : [ "string", "boolean" ]}, {"type" : "integer", "minimum" : -2147483648, "maximum" : 4294967295},
        {"type" : "number", "not" : {"type" : "integer"}}
    ]
})};
static const struct kind *const forms[] = {&kind_plain, &kind_factors, &kind_quotient, NULL};
static const struct kind kind_value = {.any = forms};
LAYER_KIND(, constants, read_constants,
    .list = &(const struct item_list){.kind = &kind_value, .most = KERNEL_CONSTANTS, .named = true},
    .name = "constants",
    .meaning = "Constants that the shader declares by these names: numbers, or what follows from tunables and dims. "
               "If one follows from dims, each size has pipelines of its own.",
    .schema = SCHEMA({"propertyNames" : {"pattern" : "^([A-Za-z_][A-Za-z0-9_]*|[0-9]{1,9})$"}}))
