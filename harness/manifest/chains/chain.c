// SPDX-License-Identifier: Apache-2.0
#include "chain.h"

#include "../../../reference/table.h"
#include "../../base/kind.h"
#include "chain_reading.h"
#include "../known_names.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const double least_error = 1e-5; // the default tolerance

int chain_buffer_named(const struct chain *chain, const char *name) {
    for (int i = 0; i < chain->buffer_count; i++)
        if (strcmp(chain->buffers[i].name, name) == 0) return i;
    return -1;
}

static bool is_name(const char *name) {
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return isalpha((unsigned char)*name);
}

struct chain_buffer *chain_add_buffer(struct chain_reading *r, const struct json_at *at, const char *name) {
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

const char *chain_buffers_hint(struct chain_reading *r, const char *wanted) {
    struct known_names names = {0};
    for (int i = 0; i < r->chain->buffer_count; i++) names_add(&names, r->chain->buffers[i].name);
    return names_hint(r->arena, &names, wanted);
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
    struct chain_buffer *out = chain_add_buffer(r, at, name);
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

static bool read_checks(struct chain_reading *r, const struct json_at *at) {
    struct json_at list, item;
    const char *name;
    if (!json_member(at, "check", false, &list, r->err) || !json_expect(&list, json_type_array, r->err)) return false;
    for (size_t i = 0; i < json_count(&list); i++) {
        if (!json_item(&list, i, &item, r->err) || !json_string(&item, r->arena, &name, r->err)) return false;
        int buffer = chain_buffer_named(r->chain, name);
        if (buffer < 0)
            return json_fail(&item, r->err, "there is no buffer \"%s\"%s", name, chain_buffers_hint(r, name));
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
           read_dims(r, at) && read_buffers(r, at) && chain_read_links(r, at) && read_checks(r, at) &&
           read_numbers(r, at);
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
            mistakes_add(r->arena, &kernels->mistakes, r->err->text);
            if (r->kernel->name) mistakes_add_kernel(r->arena, &kernels->mistakes, r->kernel->name);
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
        if (!json || !read_list(&reading, &root, &capacity)) mistakes_add(arena, &kernels->mistakes, err.text);
        json_object_put(json);
    }
    if (kernels->chain_count) qsort(kernels->chains, kernels->chain_count, sizeof *kernels->chains, by_name);
    for (size_t i = 1; i < kernels->chain_count; i++)
        if (by_name(&kernels->chains[i - 1], &kernels->chains[i]) == 0)
            mistakes_add(arena, &kernels->mistakes,
                arena_format(arena, "%s: the chain \"%s\" is in %s too", kernels->chains[i]->file,
                    kernels->chains[i]->name, kernels->chains[i - 1]->file));
}
