// SPDX-License-Identifier: Apache-2.0
// Passes: shader, entry point, defines, bindings and grid of each dispatch.
#include "../base/file.h"
#include "../device/gpu.h"
#include "manifest.h"
#include "dispatches.h"
#include "../../reference/operator.h"

#include <string.h>

// Every device has this many descriptor sets. Binding numbers stay within WebGPU's limit.
enum { PLACE_SETS = PROGRAM_SETS, PLACE_BINDINGS = 1000 };
_Static_assert((int)KERNEL_BINDINGS + KERNEL_BLOCKS <= (int)PROGRAM_BINDINGS, "room for parameters too");

static bool read_shader(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    struct json_at at;
    const char *name;
    if (!layers_need(layers, "shader", &at, r->err) || !json_string(&at, r->arena, &name, r->err)) return false;
    pass->shader = arena_format(r->arena, "%s/%s", r->kernel->folder, name);
    return file_exists(pass->shader) || json_fail(&at, r->err, "there is no shader file %s", pass->shader);
}

// Returns whether #define accepts the name: NAME or NAME(x, y).
static bool is_macro(const char *name) {
    size_t length = strcspn(name, "(");
    char head[64];
    if (length >= sizeof head) return false;
    memcpy(head, name, length);
    head[length] = '\0';
    size_t total = strlen(name);
    return is_identifier(head) && (!name[length] || (name[total - 1] == ')' && !strpbrk(name, "\r\n\\")));
}

static bool read_defines(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    struct member members[KERNEL_DEFINES];
    int count;
    if (!layers_merge(layers, "defines", members, KERNEL_DEFINES, &count, r->err)) return false;
    struct define *defines = arena_alloc(r->arena, (size_t)count, sizeof *defines);
    pass->defines = defines;
    pass->define_count = count;
    for (int i = 0; i < count; i++) {
        const struct json_at *at = &members[i].at;
        struct define *define = &defines[i];
        if (!is_macro(members[i].name))
            return json_fail(at, r->err, "expected a macro, NAME or NAME(x), found \"%s\"", members[i].name);
        define->name = arena_copy(r->arena, members[i].name);
        if (!json_string(at, r->arena, &define->value, r->err)) return false;
        if (strpbrk(define->value, "\r\n")) return json_fail(at, r->err, "a macro's value must be on one line");
    }
    return true;
}

static bool read_includes(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    struct json_at list, item;
    int count;
    if (!layers_find(layers, "includes", &list)) return true;
    if (!read_list(r, &list, KERNEL_INCLUDES, &count)) return false;
    const char **folders = arena_alloc(r->arena, KERNEL_INCLUDES, sizeof *folders), *name;
    for (int i = 0; i < count; i++) {
        if (!json_item(&list, (size_t)i, &item, r->err) || !json_string(&item, r->arena, &name, r->err)) return false;
        folders[i] = *name == '/' ? name : arena_format(r->arena, "%s/%s", r->kernel->folder, name);
    }
    pass->includes = folders;
    pass->include_count = count;
    return true;
}

static bool read_entry(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    struct json_at at;
    pass->entry = "main";
    if (!layers_find(layers, "entry", &at)) return true;
    if (!json_string(&at, r->arena, &pass->entry, r->err)) return false;
    return is_identifier(pass->entry) ||
           json_fail(&at, r->err, "expected the name of an entry point, found \"%s\"", pass->entry);
}

bool read_place(struct kernel_reading *r, const struct json_at *object, struct binding_place *out) {
    struct json_at at;
    int64_t set = 0, binding;
    if (!json_member(object, "binding", false, &at, r->err) ||
        !json_integer(&at, 0, PLACE_BINDINGS - 1, &binding, r->err) || !json_member(object, "set", true, &at, r->err) ||
        (at.value && !json_integer(&at, 0, PLACE_SETS - 1, &set, r->err)))
        return false;
    *out = (struct binding_place){(uint32_t)set, (uint32_t)binding};
    return true;
}

bool same_place(struct binding_place a, struct binding_place b) {
    return a.set == b.set && a.binding == b.binding;
}

// Reads a binding with "turns". Without its own place, it is at set 0 and its index in the list.
static bool read_turns(
    struct kernel_reading *r, const struct json_at *item, const struct known_names *names, int i, struct pass *pass) {
    static const char *const keys[] = {"turns", "first", "last", "set", "binding", NULL};
    const bool placed =
        json_object_object_get_ex(item->value, "binding", NULL) || json_object_object_get_ex(item->value, "set", NULL);
    if (!json_only(item, keys, r->err) || (placed && !read_place(r, item, &pass->places[i])) ||
        !read_rotation(r, item, names, &pass->rotations[i]))
        return false;
    pass->bindings[i] = pass->rotations[i]->names[0];
    return true;
}

static bool read_operand_name(
    struct kernel_reading *r, const struct json_at *item, const struct known_names *names, int i, struct pass *pass) {
    static const char *const keys[] = {"name", "set", "binding", NULL};
    struct json_at name = *item;
    if (json_object_is_type(item->value, json_type_object) &&
        (!json_only(item, keys, r->err) || !read_place(r, item, &pass->places[i]) ||
            !json_member(item, "name", false, &name, r->err)))
        return false;
    return read_name(r, &name, names, "operand or scratch buffer", &pass->bindings[i]);
}

// Reads one binding: a name, or an object with its place. A bare name is at set 0 and its index in the list.
static bool read_binding(
    struct kernel_reading *r, const struct json_at *item, const struct known_names *names, int i, struct pass *pass) {
    pass->bindings[i] = "?"; // the name in messages about other bindings, if this one cannot be read
    pass->places[i] = (struct binding_place){.binding = (uint32_t)i};
    const bool turns =
        json_object_is_type(item->value, json_type_object) && json_object_object_get_ex(item->value, "turns", NULL);
    if (!(turns ? read_turns : read_operand_name)(r, item, names, i, pass)) return false;
    for (int before = 0; before < i; before++)
        if (same_place(pass->places[before], pass->places[i]))
            return json_fail(item, r->err, "binding %u of set %u is that of \"%s\" too", pass->places[i].binding,
                pass->places[i].set, pass->bindings[before]);
    return true;
}

static bool read_bindings(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    struct json_at list, item;
    struct known_names names = {0};
    names_of_operands(&names, r->kernel->op);
    for (int i = 0; i < r->kernel->scratch_count; i++) names_add(&names, r->kernel->scratch[i].name);
    if (!layers_need(layers, "bindings", &list, r->err) || !read_list(r, &list, KERNEL_BINDINGS, &pass->binding_count))
        return false;
    for (int i = 0; i < pass->binding_count; i++)
        reading_note(r, json_item(&list, (size_t)i, &item, r->err) && read_binding(r, &item, &names, i, pass));
    return true;
}

// Reads how many axes a folded grid has besides x. A shader may number its groups by x and y alone.
static bool read_fold(struct kernel_reading *r, const struct json_at *at, int *fold) {
    bool both = false;
    const bool is_text = json_object_is_type(at->value, json_type_string);
    if (is_text && strcmp(json_object_get_string(at->value), "y") != 0)
        return json_fail(at, r->err, "expected true, false or \"y\"");
    if (!is_text && !json_boolean(at, &both, r->err)) return false;
    *fold = is_text ? 1 : both ? 2 : 0;
    return true;
}

static bool read_grid(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    struct json_at list, item, at;
    int axes;
    if (!layers_need(layers, "grid", &list, r->err) || !read_list(r, &list, 3, &axes)) return false;
    if (!axes) return json_fail(&list, r->err, "expected one to three axes");
    for (int i = 0; i < axes; i++)
        if (!json_item(&list, (size_t)i, &item, r->err) || !read_quotient(r, &item, &pass->grid[i])) return false;
    if (!layers_find(layers, "fold", &at)) return true;
    if (!read_fold(r, &at, &pass->fold)) return false;
    return !pass->fold || axes == 1 || json_fail(&at, r->err, "only a grid of one axis folds; this one has %d", axes);
}

// Reads a pass's own workgroup: numbers, or products of tunables.
static bool read_size(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    struct json_at list, item, tune;
    int axes = 0;
    if (layers_find(layers, "tune", &tune) && !json_boolean(&tune, &pass->resized, r->err)) return false;
    pass->has_size = layers->count > r->layers.count && layer_has(layers, 0, "local_size");
    if (!pass->has_size) return true;
    if (!json_member(&layers->at[0], "local_size", false, &list, r->err) || !read_list(r, &list, 3, &axes))
        return false;
    if (!axes) return json_fail(&list, r->err, "expected one to three sizes");
    for (int axis = 0; axis < axes; axis++) {
        if (!json_item(&list, (size_t)axis, &item, r->err) || !read_product(r, &item, &pass->size[axis])) return false;
        if (product_dim(r->kernel, &pass->size[axis]))
            return json_fail(&item, r->err, "a workgroup's size may follow from tunables, not from dims");
    }
    return true;
}

static void read_pass(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    static bool (*const readers[])(struct kernel_reading *, const struct layers *, struct pass *) = {read_shader,
        read_entry, read_defines, read_includes, read_size, read_constants, read_bindings, read_parameters, read_grid};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) reading_note(r, readers[i](r, layers, pass));
}

static bool is_bound(const struct kernel *k, int operand) {
    for (int p = 0; p < k->pass_count; p++)
        for (int b = 0; b < k->passes[p].binding_count; b++)
            if (binding_has(&k->passes[p], b, k->op->operands[operand].name)) return true;
    return false;
}

static bool is_named(const struct kernel *kernel, const char *name, const void *wanted) {
    (void)kernel;
    return strcmp(name, wanted) == 0;
}

static bool is_in(const struct kernel *k, const struct product *product, const char *name) {
    return product_name(k, product, is_named, name) != NULL;
}

// Returns whether a constant or a workgroup size of any pass uses the tunable.
static bool is_followed(const struct kernel *k, const char *name) {
    for (int p = 0; p < k->pass_count; p++) {
        const struct pass *pass = &k->passes[p];
        for (int axis = 0; axis < 3; axis++)
            if (is_in(k, &pass->size[axis], name)) return true;
        for (int i = 0; i < pass->constant_count; i++) {
            const struct word *value = &pass->constants[i].value;
            if (value->kind == WORD_NAME && strcmp(value->name, name) == 0) return true;
            if (value->kind == WORD_QUOTIENT &&
                (is_in(k, &value->quotient.over, name) || is_in(k, &value->quotient.by, name)))
                return true;
        }
    }
    return false;
}

// Passes tunables without an id to constants of the same name, unless a constant or a workgroup size uses them.
static void name_tunables(struct kernel *k) {
    bool named[KERNEL_TUNABLES] = {false};
    for (int i = 0; i < k->tunable_count; i++)
        named[i] = k->tunables[i].id == TUNABLE_NAMED && !is_followed(k, k->tunables[i].name);
    for (int p = 0; p < k->pass_count; p++)
        for (int i = 0; i < k->tunable_count; i++) {
            const char *name = k->tunables[i].name;
            struct constant constant = {name, {.kind = WORD_NAME, .text = name, .name = name}};
            if (named[i]) k->passes[p].constants[k->passes[p].constant_count++] = constant;
        }
}

// Rejects an operand bound in no pass: an output would keep its poison, and an input would not matter.
static bool check_bound(struct kernel_reading *r) {
    const struct kernel *k = r->kernel;
    if (r->flawed) return true; // a binding could not be read; it may be the missing one
    for (int o = 0; o < operator_operands(k->op); o++) {
        const char *name = k->op->operands[o].name;
        const int partner = kernel_partner(k, o);
        bool bound = is_bound(k, o);
        if (k->is_fixed[o] && bound)
            return json_fail(
                &r->layers.at[0], r->err, "operand \"%s\" is \"fixed\", so that no shader reads it, and bound", name);
        if (!bound && !k->is_fixed[o] && (partner < 0 || !is_bound(k, partner)))
            return json_fail(&r->layers.at[0], r->err,
                "operand \"%s\" of %s has no binding (list missing operands in \"fixed\", overwritten ones in "
                "\"in_place\")",
                name, k->op->name);
    }
    return true;
}

// Reads one pass, or a repeated group of passes.
static void read_dispatches(struct kernel_reading *r, const struct json_at *at);

static bool read_pass_list(struct kernel_reading *r, const struct json_at *list) {
    struct json_at item;
    int count;
    if (!read_list(r, list, KERNEL_PASSES, &count)) return false;
    if (!count) return json_fail(list, r->err, "expected at least one pass");
    for (int i = 0; i < count; i++)
        if (json_item(list, (size_t)i, &item, r->err)) read_dispatches(r, &item);
    return true;
}

static bool read_dispatch(struct kernel_reading *r, const struct json_at *at) {
    static const char *const keys[] = {"shader", "entry", "defines", "includes", "constants", "bindings", "push",
        "uniform", "parameters", "local_size", "tune", "grid", "fold", "repeat", NULL};
    struct kernel *k = r->kernel;
    struct layers layers = {.at = {*at}, .count = 1 + r->layers.count};
    memcpy(&layers.at[1], r->layers.at, (size_t)r->layers.count * sizeof layers.at[0]);
    if (k->pass_count == KERNEL_PASSES) return json_fail(at, r->err, "expected at most %d passes", KERNEL_PASSES);
    reading_note(r, json_only(at, keys, r->err));
    struct pass *pass = &k->passes[k->pass_count++];
    if (json_object_is_type(at->value, json_type_object)) read_pass(r, &layers, pass);
    return true;
}

static void read_dispatches(struct kernel_reading *r, const struct json_at *at) {
    const bool is_object = json_object_is_type(at->value, json_type_object);
    const int outer = r->loop, loop = r->kernel->loop_count;
    static const char *const keys[] = {"repeat", "passes", NULL};
    struct json_at repeat = {0}, list;
    if (is_object && json_object_object_get_ex(at->value, "repeat", NULL))
        reading_note(r, json_member(at, "repeat", false, &repeat, r->err) && read_repeat(r, &repeat));
    if (is_object && json_object_object_get_ex(at->value, "passes", NULL))
        reading_note(r,
            json_only(at, keys, r->err) && json_member(at, "passes", false, &list, r->err) && read_pass_list(r, &list));
    else
        reading_note(r, read_dispatch(r, at));
    if (r->kernel->loop_count > loop) r->kernel->loops[loop].end = r->kernel->pass_count;
    r->loop = outer;
}

bool read_passes(struct kernel_reading *r) {
    struct kernel *k = r->kernel;
    struct json_at list;
    if (layers_find(&r->layers, "passes", &list)) {
        if (!read_pass_list(r, &list)) return false;
    } else {
        k->pass_count = 1;
        read_pass(r, &r->layers, &k->passes[0]);
    }
    name_tunables(k);
    return check_bound(r);
}
