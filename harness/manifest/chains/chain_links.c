// SPDX-License-Identifier: Apache-2.0
// The links of a chain: each is a kernel with its sizes and the buffers of its operands.
#include "chain_reading.h"

#include "../../../reference/table.h"
#include "../known_names.h"
#include "../shape.h"
#include "../../../reference/operator.h"

#include <string.h>

// Checks that `names` has every member of `object`. The first unknown member is an error at its place.
static bool known_members(struct chain_reading *r, const struct json_at *object, const struct op *op, const char *what,
    const struct known_names *names) {
    struct json_at member;
    json_object_object_foreach(object->value, name, ignored) {
        (void)ignored;
        if (names_have(names, name)) continue;
        return json_member(object, name, false, &member, r->err) &&
               json_fail(&member, r->err, "operator %s has no %s \"%s\"%s", op->name, what, name,
                   names_hint(r->arena, names, name));
    }
    return true;
}

// Appends a factor: a whole number or a dim of the chain.
static bool read_factor(struct chain_reading *r, const struct json_at *at, struct product *out) {
    const char *name;
    int64_t number;
    if (out->count == PRODUCT_FACTORS) return json_fail(at, r->err, "expected at most %d factors", PRODUCT_FACTORS);
    struct factor *factor = &out->factors[out->count++];
    if (!json_object_is_type(at->value, json_type_string)) {
        if (!json_integer(at, 0, UINT32_MAX, &number, r->err)) return false;
        factor->number = number;
        return true;
    }
    if (!json_string(at, r->arena, &name, r->err)) return false;
    factor->name = name;
    if (operator_dim_index(r->op, name) >= 0) return true;
    struct known_names names = {0};
    names_of_dims(&names, r->op);
    return json_fail(at, r->err, "\"%s\" is no dim of the chain%s", name, names_hint(r->arena, &names, name));
}

static bool read_value(struct chain_reading *r, const struct json_at *at, struct product *out) {
    struct json_at item;
    if (!json_object_is_type(at->value, json_type_array)) return read_factor(r, at, out);
    for (size_t i = 0; i < json_count(at); i++)
        if (!json_item(at, i, &item, r->err) || !read_factor(r, &item, out)) return false;
    return json_count(at) > 0 || json_fail(at, r->err, "expected at least one factor");
}

static bool read_link_dims(struct chain_reading *r, const struct json_at *at, struct chain_link *link) {
    const struct op *op = link->kernel->op;
    struct json_at object, member;
    struct known_names names = {0};
    if (!json_member(at, "dims", false, &object, r->err) || !json_expect(&object, json_type_object, r->err))
        return false;
    for (int i = 0; i < operator_dims(op); i++) names_add(&names, op->dims[i]);
    if (!known_members(r, &object, op, "dim", &names)) return false;
    for (int i = 0; i < operator_dims(op); i++)
        if (!json_member(&object, op->dims[i], false, &member, r->err) || !read_value(r, &member, &link->dims[i]))
            return false;
    return true;
}

static bool read_link_params(struct chain_reading *r, const struct json_at *at, struct chain_link *link) {
    const struct op *op = link->kernel->op;
    struct json_at object, member;
    struct known_names names = {0};
    if (!json_member(at, "params", true, &object, r->err)) return false;
    if (!object.value) return true;
    names_of_params(&names, op);
    if (!json_expect(&object, json_type_object, r->err) || !known_members(r, &object, op, "parameter", &names))
        return false;
    json_object_object_foreach(object.value, name, ignored) {
        (void)ignored;
        int index = operator_param_index(op, name);
        struct chain_param *param = &link->params[index];
        if (!json_member(&object, name, false, &member, r->err)) return false;
        param->given = true;
        param->is_step = json_object_is_type(member.value, json_type_string) &&
                         strcmp(json_object_get_string(member.value), "step") == 0;
        if (!param->is_step && !json_number(&member, &param->number, r->err)) return false;
        const struct parameter *of = &op->params[index];
        if ((of->low != 0 || of->high != 0) && !param->is_step && (param->number < of->low || param->number > of->high))
            return json_fail(&member, r->err, "expected a number from %g to %g", of->low, of->high);
    }
    return true;
}

static bool read_link_shape(struct chain_reading *r, const struct json_at *at, struct chain_link *link) {
    struct json_at object, member;
    int64_t number;
    link->shape = kernel_default_shape(link->kernel, NULL);
    if (!json_member(at, "shape", true, &object, r->err)) return false;
    if (!object.value) return true;
    if (!json_expect(&object, json_type_object, r->err)) return false;
    json_object_object_foreach(object.value, name, ignored) {
        (void)ignored;
        if (!json_member(&object, name, false, &member, r->err) ||
            !json_integer(&member, 0, UINT32_MAX, &number, r->err))
            return false;
        const char *why = shape_set(r->arena, link->kernel, &link->shape, name, number);
        if (why) return json_fail(&member, r->err, "%s", why);
    }
    return true;
}

// Sets the buffer of an operand. A buffer read here must have contents by now.
static bool read_operand(struct chain_reading *r, const struct json_at *object, struct chain_link *link, int operand) {
    const struct operand *of = &link->kernel->op->operands[operand];
    struct json_at at;
    const char *name;
    if (!json_member(object, of->name, false, &at, r->err) || !json_string(&at, r->arena, &name, r->err)) return false;
    int buffer = chain_buffer_named(r->chain, name);
    if (buffer < 0 && of->role != ROLE_OUT)
        return json_fail(&at, r->err,
            "no buffer \"%s\" holds anything here: give it under \"buffers\", or write it first%s", name,
            chain_buffers_hint(r, name));
    if (buffer < 0) {
        if (!chain_add_buffer(r, &at, name)) return false;
        buffer = r->chain->buffer_count - 1;
    }
    link->buffers[operand] = buffer;
    return true;
}

static bool check_sharing(struct chain_reading *r, const struct json_at *at, const struct chain_link *link) {
    const struct kernel *kernel = link->kernel;
    const int count = operator_operands(kernel->op);
    for (int i = 0; i < count; i++) {
        if (kernel->layouts && kernel->layouts[i].placed)
            return json_fail(at, r->err, "%s lays operand %s out in its own way: no other kernel can take it",
                kernel->name, kernel->op->operands[i].name);
        for (int k = 0; k < i; k++) {
            bool one = link->buffers[i] == link->buffers[k], partner = kernel_partner(kernel, i) == k;
            bool read = kernel->op->operands[i].role == ROLE_IN && kernel->op->operands[k].role == ROLE_IN;
            if (one == partner || (one && read)) continue;
            return json_fail(at, r->err,
                one ? "%s may not have operands %s and %s in one buffer"
                    : "%s overwrites an input: operands %s and %s must be one buffer",
                kernel->name, kernel->op->operands[k].name, kernel->op->operands[i].name);
        }
    }
    return true;
}

static bool read_operands(struct chain_reading *r, const struct json_at *at, struct chain_link *link) {
    const struct op *op = link->kernel->op;
    struct json_at object;
    struct known_names names = {0};
    names_of_operands(&names, op);
    if (!json_member(at, "operands", false, &object, r->err) || !json_expect(&object, json_type_object, r->err) ||
        !known_members(r, &object, op, "operand", &names))
        return false;
    for (int pass = 0; pass < 2; pass++) // inputs first, because an output may be a new buffer
        for (int i = 0; i < operator_operands(op); i++)
            if ((op->operands[i].role == ROLE_OUT) == (pass == 1) && !read_operand(r, &object, link, i)) return false;
    return check_sharing(r, &object, link);
}

static bool read_dtype(struct chain_reading *r, const struct json_at *at, struct chain_link *link) {
    struct json_at member;
    struct known_names names = {0};
    const char *name = "f32";
    if (!json_member(at, "dtype", true, &member, r->err) ||
        (member.value && !json_string(&member, r->arena, &name, r->err)))
        return false;
    link->dtype = dtype_named(name);
    if (link->dtype != DTYPE_CASE && link->kernel->dtypes[link->dtype]) return true;
    names_of_dtypes(&names, link->kernel->dtypes);
    return json_fail(member.value ? &member : at, r->err, "kernel %s has no dtype \"%s\"%s", link->kernel->name, name,
        names_hint(r->arena, &names, name));
}

static bool read_link(struct chain_reading *r, const struct json_at *at) {
    static const char *const keys[] = {"kernel", "dtype", "dims", "params", "shape", "operands", NULL};
    struct chain_link *link = &r->chain->links[r->chain->link_count++];
    struct json_at member;
    struct known_names names = {0};
    const char *name;
    if (!json_expect(at, json_type_object, r->err) || !json_only(at, keys, r->err) ||
        !json_member(at, "kernel", false, &member, r->err) || !json_string(&member, r->arena, &name, r->err))
        return false;
    link->kernel = kernel_named(r->kernels, name);
    if (!link->kernel) {
        names_of_kernels(&names, r->kernels);
        return json_fail(&member, r->err, "there is no kernel \"%s\"%s", name, names_hint(r->arena, &names, name));
    }
    return read_dtype(r, at, link) && read_link_dims(r, at, link) && read_link_params(r, at, link) &&
           read_link_shape(r, at, link) && read_operands(r, at, link);
}

bool chain_read_links(struct chain_reading *r, const struct json_at *at) {
    struct json_at list, item;
    if (!json_member(at, "links", false, &list, r->err) || !json_expect(&list, json_type_array, r->err)) return false;
    if (!json_count(&list) || json_count(&list) > CHAIN_LINKS)
        return json_fail(&list, r->err, "expected 1 to %d links", CHAIN_LINKS);
    for (size_t i = 0; i < json_count(&list); i++)
        if (!json_item(&list, i, &item, r->err) || !read_link(r, &item)) return false;
    return true;
}
