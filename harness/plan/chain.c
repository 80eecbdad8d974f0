// SPDX-License-Identifier: Apache-2.0
#include "chain.h"

#include "../../reference/table.h"
#include "../base/json.h"
#include "../base/kind.h"
#include "known_names.h"
#include "shape.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const double least_error = 1e-5; // where the file says nothing

struct chain_reading {
    struct arena *arena;
    struct kernels *kernels;
    struct kernel *kernel; // the chain in the form of one
    struct op *op;
    struct chain *chain;
    struct error *err;
};

static int buffer_named(const struct chain *chain, const char *name) {
    for (int i = 0; i < chain->buffer_count; i++)
        if (strcmp(chain->buffers[i].name, name) == 0) return i;
    return -1;
}

static bool is_name(const char *name) {
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return isalpha((unsigned char)*name);
}

static struct chain_buffer *add_buffer(struct chain_reading *r, const struct json_at *at, const char *name) {
    if (!is_name(name)) {
        json_fail(at, r->err, "expected letters, digits and '_' as a buffer's name");
        return NULL;
    }
    if (r->chain->buffer_count == CHAIN_BUFFERS) {
        json_fail(at, r->err, "expected at most %d buffers", CHAIN_BUFFERS);
        return NULL;
    }
    struct chain_buffer *added = &r->chain->buffers[r->chain->buffer_count++];
    added->name = arena_copy(r->arena, name);
    return added;
}

// ---- the chain itself

static bool read_identity(struct chain_reading *r, const struct json_at *at) {
    struct json_at name, summary;
    if (!json_member(at, "name", false, &name, r->err) || !json_string(&name, r->arena, &r->kernel->name, r->err) ||
        !json_member(at, "summary", false, &summary, r->err) ||
        !json_string(&summary, r->arena, &r->kernel->summary, r->err))
        return false;
    if (strncmp(r->kernel->name, "chain.", 6) != 0 || !is_name(r->kernel->name + 6))
        return json_fail(
            &name, r->err, "expected \"chain.NAME\" of letters, digits and '_', found \"%s\"", r->kernel->name);
    return true;
}

static bool read_dims(struct chain_reading *r, const struct json_at *at) {
    struct json_at list, item;
    r->op->dims[0] = "steps";
    if (!json_member(at, "dims", true, &list, r->err)) return false;
    if (!list.value) return true;
    if (!json_expect(&list, json_type_array, r->err)) return false;
    if (json_count(&list) > OPERATOR_DIMS - 2)
        return json_fail(&list, r->err, "expected at most %d dims", OPERATOR_DIMS - 2);
    for (size_t i = 0; i < json_count(&list); i++) {
        if (!json_item(&list, i, &item, r->err) || !json_string(&item, r->arena, &r->op->dims[i + 1], r->err))
            return false;
        if (!is_name(r->op->dims[i + 1]) || operator_dim_index(r->op, r->op->dims[i + 1]) != (int)i + 1)
            return json_fail(&item, r->err, "expected a name that no other dim has, found \"%s\"", r->op->dims[i + 1]);
    }
    return true;
}

static bool read_number(
    struct chain_reading *r, const struct json_at *object, const char *key, bool *given, double *out) {
    struct json_at at;
    if (!json_member(object, key, true, &at, r->err)) return false;
    *given = at.value != NULL;
    return !at.value || json_number(&at, out, r->err);
}

static bool read_buffer(struct chain_reading *r, const struct json_at *at, const char *name) {
    static const char *const keys[] = {"value", "low", "high", "below", NULL};
    struct chain_buffer *out = add_buffer(r, at, name);
    bool value, low, high, below;
    double number = 0, most = 0;
    if (!out || !json_expect(at, json_type_object, r->err) || !json_only(at, keys, r->err) ||
        !read_number(r, at, "value", &value, &number) || !read_number(r, at, "low", &low, &out->low) ||
        !read_number(r, at, "high", &high, &out->high) || !read_number(r, at, "below", &below, &most))
        return false;
    out->given = true;
    out->below = (int64_t)most;
    if (value) out->low = out->high = number;
    if ((value + (low && high) + below) != 1 || low != high || out->low > out->high)
        return json_fail(at, r->err, "expected \"value\", \"low\" and \"high\", or \"below\"");
    if (below && (most < 1 || most > INT32_MAX || most != (double)out->below))
        return json_fail(at, r->err, "expected \"below\" as a whole number of 31 bits");
    return true;
}

static bool read_buffers(struct chain_reading *r, const struct json_at *at) {
    struct json_at object, member;
    if (!json_member(at, "buffers", false, &object, r->err) || !json_expect(&object, json_type_object, r->err))
        return false;
    json_object_object_foreach(object.value, name, ignored) {
        (void)ignored;
        if (!json_member(&object, name, false, &member, r->err) || !read_buffer(r, &member, name)) return false;
    }
    return true;
}

// ---- links

// A whole number, a dim of the chain, or a product of these.
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
    return json_fail(at, r->err, "\"%s\" is no dim of the chain", name);
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
    json_object_object_foreach(object.value, name, ignored) {
        (void)ignored;
        if (!names_have(&names, name))
            return json_fail(
                &object, r->err, "operator %s has no dim \"%s\"%s", op->name, name, names_hint(r->arena, &names, name));
    }
    for (int i = 0; i < operator_dims(op); i++)
        if (!json_member(&object, op->dims[i], false, &member, r->err) || !read_value(r, &member, &link->dims[i]))
            return false;
    return true;
}

static bool read_link_params(struct chain_reading *r, const struct json_at *at, struct chain_link *link) {
    const struct op *op = link->kernel->op;
    struct json_at object, member;
    if (!json_member(at, "params", true, &object, r->err)) return false;
    if (!object.value) return true;
    if (!json_expect(&object, json_type_object, r->err)) return false;
    json_object_object_foreach(object.value, name, ignored) {
        (void)ignored;
        int index = operator_param_index(op, name);
        if (index < 0) return json_fail(&object, r->err, "operator %s has no parameter \"%s\"", op->name, name);
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
    link->shape = kernel_default_shape(link->kernel);
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

// The buffer that an operand is; what is read must hold something by then.
static bool read_operand(struct chain_reading *r, const struct json_at *object, struct chain_link *link, int operand) {
    const struct operand *of = &link->kernel->op->operands[operand];
    struct json_at at;
    const char *name;
    if (!json_member(object, of->name, false, &at, r->err) || !json_string(&at, r->arena, &name, r->err)) return false;
    int buffer = buffer_named(r->chain, name);
    if (buffer < 0 && of->role != ROLE_OUT)
        return json_fail(
            &at, r->err, "no buffer \"%s\" holds anything here: give it under \"buffers\", or write it first", name);
    if (buffer < 0) {
        if (!add_buffer(r, &at, name)) return false;
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
    if (!json_member(at, "operands", false, &object, r->err) || !json_expect(&object, json_type_object, r->err))
        return false;
    json_object_object_foreach(object.value, name, ignored) {
        (void)ignored;
        if (operator_operand_index(op, name) < 0)
            return json_fail(&object, r->err, "operator %s has no operand \"%s\"", op->name, name);
    }
    for (int pass = 0; pass < 2; pass++) // inputs first: an output may be new
        for (int i = 0; i < operator_operands(op); i++)
            if ((op->operands[i].role == ROLE_OUT) == (pass == 1) && !read_operand(r, &object, link, i)) return false;
    return check_sharing(r, &object, link);
}

static bool read_dtype(struct chain_reading *r, const struct json_at *at, struct chain_link *link) {
    struct json_at member;
    const char *name = "f32";
    if (!json_member(at, "dtype", true, &member, r->err) ||
        (member.value && !json_string(&member, r->arena, &name, r->err)))
        return false;
    link->dtype = dtype_named(name);
    if (link->dtype != DTYPE_CASE && link->kernel->dtypes[link->dtype]) return true;
    return json_fail(at, r->err, "kernel %s has no dtype \"%s\"", link->kernel->name, name);
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

static bool read_links(struct chain_reading *r, const struct json_at *at) {
    struct json_at list, item;
    if (!json_member(at, "links", false, &list, r->err) || !json_expect(&list, json_type_array, r->err)) return false;
    if (!json_count(&list) || json_count(&list) > CHAIN_LINKS)
        return json_fail(&list, r->err, "expected 1 to %d links", CHAIN_LINKS);
    for (size_t i = 0; i < json_count(&list); i++)
        if (!json_item(&list, i, &item, r->err) || !read_link(r, &item)) return false;
    return true;
}

static bool read_checks(struct chain_reading *r, const struct json_at *at) {
    struct json_at list, item;
    const char *name;
    if (!json_member(at, "check", false, &list, r->err) || !json_expect(&list, json_type_array, r->err)) return false;
    for (size_t i = 0; i < json_count(&list); i++) {
        if (!json_item(&list, i, &item, r->err) || !json_string(&item, r->arena, &name, r->err)) return false;
        int buffer = buffer_named(r->chain, name);
        if (buffer < 0) return json_fail(&item, r->err, "there is no buffer \"%s\"", name);
        r->chain->buffers[buffer].checked = true;
    }
    return json_count(&list) > 0 || json_fail(&list, r->err, "expected at least one buffer");
}

static bool read_numbers(struct chain_reading *r, const struct json_at *at) {
    bool given;
    double epoch = 0;
    r->chain->tolerance = least_error;
    if (!read_number(r, at, "epoch", &given, &epoch) || !read_number(r, at, "tolerance", &given, &r->chain->tolerance))
        return false;
    r->chain->epoch = (int64_t)epoch;
    if (epoch < 0 || epoch > 1e12 || r->chain->tolerance <= 0 || r->chain->tolerance >= 1)
        return json_fail(at, r->err, "expected \"epoch\" from 0 to 1e12 and \"tolerance\" between 0 and 1");
    return true;
}

// ---- files

static const char *few_steps(int64_t *dims) {
    return dims[0] <= CHAIN_STEPS ? NULL : "at most 64 steps are one submission";
}

static bool read_chain(struct chain_reading *r, const struct json_at *at) {
    static const char *const keys[] = {
        "name", "summary", "dims", "buffers", "links", "check", "epoch", "tolerance", NULL};
    r->kernel = arena_alloc(r->arena, 1, sizeof *r->kernel);
    r->op = arena_alloc(r->arena, 1, sizeof *r->op);
    r->chain = arena_alloc(r->arena, 1, sizeof *r->chain);
    *r->op = (struct op){.name = "chain",
        .family = "chain",
        .summary = "kernels over named buffers, as one submission",
        .formula = "",
        .source = "",
        .systems = "",
        .bound = "",
        .derive = few_steps};
    *r->kernel = (struct kernel){.op = r->op, .file = at->file, .folder = "", .probe = true, .chain = r->chain};
    r->kernel->dtypes[DTYPE_CASE] = true;
    return json_expect(at, json_type_object, r->err) && json_only(at, keys, r->err) && read_identity(r, at) &&
           read_dims(r, at) && read_buffers(r, at) && read_links(r, at) && read_checks(r, at) && read_numbers(r, at);
}

static bool read_list(struct chain_reading *r, const struct json_at *root, size_t *capacity) {
    static const char *const keys[] = {"chains", NULL};
    struct json_at list, item;
    struct kernels *kernels = r->kernels;
    if (!json_only(root, keys, r->err) || !json_member(root, "chains", false, &list, r->err) ||
        !json_expect(&list, json_type_array, r->err))
        return false;
    for (size_t i = 0; i < json_count(&list); i++) {
        if (!json_item(&list, i, &item, r->err)) return false;
        if (!read_chain(r, &item)) {
            slips_add(r->arena, &kernels->slips, r->err->text);
            continue;
        }
        kernels->chains =
            arena_grow(r->arena, kernels->chains, kernels->chain_count, capacity, sizeof *kernels->chains);
        kernels->chains[kernels->chain_count++] = r->kernel;
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const struct kernel *const *)a)->name, (*(const struct kernel *const *)b)->name);
}

void chains_read(struct arena *arena, const char *const *files, size_t count, struct kernels *kernels) {
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        struct error err = {0};
        struct chain_reading reading = {.arena = arena, .kernels = kernels, .err = &err};
        struct json_object *json = kind_read(files[i], KIND_CHAINS, &err);
        struct json_at root = json_root(json, files[i]);
        if (!json || !read_list(&reading, &root, &capacity)) slips_add(arena, &kernels->slips, err.text);
        json_object_put(json);
    }
    if (kernels->chain_count) qsort(kernels->chains, kernels->chain_count, sizeof *kernels->chains, by_name);
    for (size_t i = 1; i < kernels->chain_count; i++)
        if (by_name(&kernels->chains[i - 1], &kernels->chains[i]) == 0)
            slips_add(arena, &kernels->slips,
                arena_format(arena, "%s: the chain \"%s\" is in %s too", kernels->chains[i]->file,
                    kernels->chains[i]->name, kernels->chains[i - 1]->file));
}
