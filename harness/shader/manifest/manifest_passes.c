// SPDX-License-Identifier: Apache-2.0
// Passes: shader, entry point, defines, bindings and grid of each dispatch.
#include "../../base/file.h"
#include "../../device/limits.h"
#include "manifest.h"
#include "dispatches.h"
#include "../../../reference/operator.h"

#include <string.h>

_Static_assert((int)KERNEL_BINDINGS + KERNEL_BLOCKS <= (int)PROGRAM_BINDINGS, "room for parameters too");

static bool read_shader(struct kernel_reading *r, const struct json_at *at) {
    const char *name;
    if (!json_string(at, r->arena, &name, r->err)) return false;
    r->pass->shader = arena_format(r->arena, "%s/%s", r->kernel->folder, name);
    if (file_is_folder(r->pass->shader)) return json_fail(at, r->err, "%s is a folder", r->pass->shader);
    return file_exists(r->pass->shader) || json_fail(at, r->err, "there is no shader file %s", r->pass->shader);
}
LAYER_KIND(static, shader, read_shader, .of = &kind_text)

static bool read_header(struct kernel_reading *r, const struct json_at *at) {
    const char *name;
    if (!json_string(at, r->arena, &name, r->err)) return false;
    r->pass->header = *name == '/' ? name : arena_format(r->arena, "%s/%s", r->kernel->folder, name);
    return file_exists(r->pass->header) || json_fail(at, r->err, "there is no file %s", r->pass->header);
}
LAYER_KIND(static, header, read_header, .of = &kind_text,
    .meaning = "A file whose text stands before the shader's, behind its #version, as a build puts it there.")

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

static bool read_defines(struct kernel_reading *r, const struct json_at *whole) {
    struct member members[KERNEL_DEFINES];
    int count;
    (void)whole;
    if (!layers_merge(&r->pass_layers, "defines", members, KERNEL_DEFINES, &count, r->err)) return false;
    struct define *defines = arena_alloc(r->arena, (size_t)count, sizeof *defines);
    r->pass->defines = defines;
    r->pass->define_count = count;
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
static const struct kind kind_line = {.schema = SCHEMA({"type" : "string", "pattern" : "^[^\\r\\n]*$"})};
LAYER_KIND(, defines, read_defines,
    .list = &(const struct item_list){.kind = &kind_line, .most = KERNEL_DEFINES, .named = true}, .name = "defines",
    .schema = SCHEMA({"propertyNames" : {"pattern" : "^[A-Za-z_][A-Za-z0-9_]{0,62}(\\([^\\r\\n\\\\]*\\))?$"}}))

static bool read_includes(struct kernel_reading *r, const struct json_at *list) {
    struct json_at item;
    int count;
    if (!read_list(r, list, KERNEL_INCLUDES, &count)) return false;
    const char **folders = arena_alloc(r->arena, KERNEL_INCLUDES, sizeof *folders), *name;
    for (int i = 0; i < count; i++) {
        if (!json_item(list, (size_t)i, &item, r->err) || !json_string(&item, r->arena, &name, r->err)) return false;
        folders[i] = *name == '/' ? name : arena_format(r->arena, "%s/%s", r->kernel->folder, name);
    }
    r->pass->includes = folders;
    r->pass->include_count = count;
    return true;
}
LAYER_KIND(static, includes, read_includes,
    .list = &(const struct item_list){.kind = &kind_text, .most = KERNEL_INCLUDES},
    .meaning = "Folders for #include, relative to the manifest.")

static bool read_entry(struct kernel_reading *r, const struct json_at *at) {
    if (!json_string(at, r->arena, &r->pass->entry, r->err)) return false;
    return is_identifier(r->pass->entry) ||
           json_fail(at, r->err, "expected the name of an entry point, found \"%s\"", r->pass->entry);
}
LAYER_KIND(static, entry, read_entry, .meaning = "The entry point; main where it is left out.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^[A-Za-z_][A-Za-z0-9_]*$"}))

static const struct field bound_fields[] = {{"name", &kind_bound_name, 0, REQUIRED}, {0}};
static const struct kind kind_bound = {.fields = bound_fields, .also = place_fields},
                         kind_rotation = {.fields = rotation_fields,
                             .also = place_fields,
                             .meaning = "What takes turns there in a pass that is repeated.",
                             .schema = SCHEMA({"required" : ["turns"], "dependencies" : {"set" : ["binding"]}})};
static const struct kind *const binding_forms[] = {&kind_bound_name, &kind_bound, &kind_rotation, NULL};
static const struct kind kind_binding = {.any = binding_forms,
    .meaning = "An operand or scratch buffer, at set 0 and the binding of its place in the list unless said."};

// Reads a binding with "turns". Without its own place, it is at set 0 and its index in the list.
static bool read_turning(struct kernel_reading *r, const struct json_at *item, int i) {
    struct pass *pass = r->pass;
    struct rotation *rotation = arena_alloc(r->arena, 1, sizeof *rotation);
    const bool placed =
        json_object_object_get_ex(item->value, "binding", NULL) || json_object_object_get_ex(item->value, "set", NULL);
    if (!fields_only(item, rotation_fields, place_fields, r->err) ||
        (placed && !kind_get(&kind_place, r->arena, item, &pass->places[i], r->err)) ||
        !fields_get(r->arena, item, rotation_fields, rotation, r->err))
        return false;
    pass->rotations[i] = rotation;
    pass->bindings[i] = rotation->names[0];
    return true;
}

static bool read_plain_binding(struct kernel_reading *r, const struct json_at *item, int i) {
    if (!json_object_is_type(item->value, json_type_object)) return read_bound_name(r, item, &r->pass->bindings[i]);
    return fields_only(item, bound_fields, place_fields, r->err) &&
           kind_get(&kind_place, r->arena, item, &r->pass->places[i], r->err) &&
           fields_get(r->arena, item, bound_fields, &r->pass->bindings[i], r->err);
}

// Reads one binding: a name, or an object with its place. A bare name is at set 0 and its index in the list.
static bool read_binding(struct kernel_reading *r, const struct json_at *item, int i) {
    struct pass *pass = r->pass;
    pass->bindings[i] = "?"; // the name in messages about other bindings, if this one cannot be read
    pass->places[i] = (struct binding_place){.binding = (uint32_t)i};
    const bool turns =
        json_object_is_type(item->value, json_type_object) && json_object_object_get_ex(item->value, "turns", NULL);
    if (!(turns ? read_turning : read_plain_binding)(r, item, i)) return false;
    for (int before = 0; before < i; before++)
        if (same_place(pass->places[before], pass->places[i]))
            return json_fail(item, r->err, "binding %u of set %u is that of \"%s\" too", pass->places[i].binding,
                pass->places[i].set, pass->bindings[before]);
    return true;
}

static bool read_bindings(struct kernel_reading *r, const struct json_at *list) {
    struct json_at item;
    if (!read_list(r, list, KERNEL_BINDINGS, &r->pass->binding_count)) return false;
    for (int i = 0; i < r->pass->binding_count; i++)
        reading_note(r, json_item(list, (size_t)i, &item, r->err) && read_binding(r, &item, i));
    return true;
}
LAYER_KIND(static, bindings, read_bindings,
    .list = &(const struct item_list){.kind = &kind_binding, .most = KERNEL_BINDINGS}, .name = "bindings")

static bool read_grid(struct kernel_reading *r, const struct json_at *list) {
    struct json_at item;
    if (!read_list(r, list, 3, &r->axes)) return false;
    if (!r->axes) return json_fail(list, r->err, "expected one to three axes");
    for (int i = 0; i < r->axes; i++)
        if (!json_item(list, (size_t)i, &item, r->err) ||
            !kind_get(&kind_quotient, r->arena, &item, &r->pass->grid[i], r->err))
            return false;
    return true;
}
LAYER_KIND(static, grid, read_grid, .list = &(const struct item_list){.kind = &kind_quotient, .least = 1, .most = 3},
    .name = "grid")

// Reads how many axes a folded grid has besides x. A shader may number its groups by x and y alone.
static bool read_fold(struct kernel_reading *r, const struct json_at *at) {
    bool both = false;
    const bool is_text = json_object_is_type(at->value, json_type_string);
    if (is_text && strcmp(json_object_get_string(at->value), "y") != 0)
        return json_fail(at, r->err, "expected true, false or \"y\"");
    if (!is_text && !json_boolean(at, &both, r->err)) return false;
    r->pass->fold = is_text ? 1 : both ? 2 : 0;
    return !r->pass->fold || r->axes <= 1 ||
           json_fail(at, r->err, "only a grid of one axis folds; this one has %d", r->axes);
}
LAYER_KIND(static, fold, read_fold, .schema = SCHEMA({"enum" : [ true, false, "y" ]}))

// Reads whether other sizes are put in place of the one that the shader is written for.
static bool read_tune(struct kernel_reading *r, const struct json_at *at) {
    struct json_at size, passes;
    if (!json_boolean(at, &r->pass->resized, r->err)) return false;
    return !r->pass->resized || (layers_find(&r->layers, "local_size", &size) && size.value) ||
           layers_find(&r->layers, "passes", &passes) ||
           json_fail(at, r->err, "expected a \"local_size\" beside it: the size that the shader is written for");
}
LAYER_KIND(static, tune, read_tune, .of = &kind_flag,
    .meaning = "Other sizes are put in place of the one that the shader is written for.")

// Reads a pass's own workgroup: numbers, or products of tunables.
static bool read_size(struct kernel_reading *r, const struct json_at *list) {
    struct json_at item;
    int axes = 0;
    r->pass->has_size = true;
    if (!read_list(r, list, 3, &axes)) return false;
    if (!axes) return json_fail(list, r->err, "expected one to three sizes");
    for (int axis = 0; axis < axes; axis++) {
        if (!json_item(list, (size_t)axis, &item, r->err) || !read_product(r, &item, &r->pass->size[axis]))
            return false;
        if (product_dim(r->kernel, &r->pass->size[axis]))
            return json_fail(&item, r->err, "a workgroup's size may follow from tunables, not from dims");
    }
    return true;
}
LAYER_KIND(static, own_size, read_size, .list = &(const struct item_list){.kind = &kind_product, .least = 1, .most = 3},
    .meaning = "The pass's own workgroup: numbers, or what follows from tunables.")

// The members of a pass that a kernel may have, too.
const struct field pass_fields[] = {
    {"shader", &kind_shader, 0, REQUIRED},
    {"entry", &kind_entry, 0, SPARSE},
    {"defines", &kind_defines, 0, SPARSE},
    {"header", &kind_header, 0, SPARSE},
    {"includes", &kind_includes, 0, SPARSE},
    {"tune", &kind_tune, 0, SPARSE},
    {"constants", &kind_constants, 0, SPARSE},
    {"bindings", &kind_bindings, 0, REQUIRED},
    {"push", &kind_push, 0, NEW_NULLABLE},
    {"uniform", &kind_uniform, 0, NEW_NULLABLE},
    {"parameters", &kind_parameters, 0, NEW_NULLABLE},
    {"grid", &kind_grid, 0, REQUIRED},
    {"fold", &kind_fold, 0, SPARSE},
    {0},
};
// Members of a pass alone; "repeat" is read before them.
static const struct field own_fields[] = {
    {"local_size", &kind_own_size, 0, SPARSE}, {"repeat", &kind_repeat, 0, SPARSE}, {0}};

// Reads the pass in r->pass_layers. With `own`, the first layer is a pass.
static bool read_pass(struct kernel_reading *r, bool own) {
    struct json_at size;
    struct pass *pass = r->pass = &r->kernel->passes[r->kernel->pass_count++];
    pass->entry = "main";
    pass->constants = arena_alloc(r->arena, KERNEL_CONSTANTS + KERNEL_TUNABLES, sizeof *pass->constants);
    r->parameters = NULL;
    r->axes = 0;
    if (own && layer_has(&r->pass_layers, 0, "local_size"))
        reading_note(r, json_member(&r->pass_layers.at[0], "local_size", false, &size, r->err) && read_size(r, &size));
    read_layers(r, &r->pass_layers, pass_fields);
    return true;
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

static const struct kind kind_pass = {
    .fields = pass_fields, .also = own_fields, .name = "pass", .schema = SCHEMA({"required" : []})};
static const struct field group_fields[] = {
    {"repeat", &kind_repeat, 0, SPARSE}, {"passes", &kind_passes, 0, REQUIRED}, {0}};
static const struct kind kind_group = {.fields = group_fields, .meaning = "Passes that are repeated together."};
static const struct kind *const pass_forms[] = {&kind_pass, &kind_group, NULL};
static const struct kind kind_dispatches = {.any = pass_forms};

static bool read_dispatch(struct kernel_reading *r, const struct json_at *at) {
    if (r->kernel->pass_count == KERNEL_PASSES)
        return json_fail(at, r->err, "expected at most %d passes", KERNEL_PASSES);
    reading_note(r, fields_only(at, pass_fields, own_fields, r->err));
    r->pass_layers = (struct layers){.at = {*at}, .count = 1 + r->layers.count};
    memcpy(&r->pass_layers.at[1], r->layers.at, (size_t)r->layers.count * sizeof r->layers.at[0]);
    return json_object_is_type(at->value, json_type_object) ? read_pass(r, true) : (r->kernel->pass_count++, true);
}

static void read_dispatches(struct kernel_reading *r, const struct json_at *at) {
    const bool is_object = json_object_is_type(at->value, json_type_object);
    const int outer = r->loop, loop = r->kernel->loop_count;
    struct json_at repeat = {0}, list;
    if (is_object && json_object_object_get_ex(at->value, "repeat", NULL))
        reading_note(r, json_member(at, "repeat", false, &repeat, r->err) &&
                            kind_get(&kind_repeat, r->arena, &repeat, r->kernel, r->err));
    if (is_object && json_object_object_get_ex(at->value, "passes", NULL))
        reading_note(r, fields_only(at, group_fields, NULL, r->err) &&
                            json_member(at, "passes", false, &list, r->err) && read_pass_list(r, &list));
    else
        reading_note(r, read_dispatch(r, at));
    if (r->kernel->loop_count > loop) r->kernel->loops[loop].end = r->kernel->pass_count;
    r->loop = outer;
}

// Reads the list of passes; NULL: the kernel is one itself.
static bool read_passes(struct kernel_reading *r, const struct json_at *list) {
    r->pass_layers = r->layers;
    if (!(list ? read_pass_list(r, list) : read_pass(r, false))) return false;
    name_tunables(r->kernel);
    return check_bound(r);
}
LAYER_KIND(, passes, read_passes,
    .list = &(const struct item_list){.kind = &kind_dispatches, .least = 1, .most = KERNEL_PASSES}, .name = "passes")

void read_layers(struct kernel_reading *r, const struct layers *layers, const struct field *fields) {
    for (const struct field *f = fields; f->key; f++) {
        struct json_at at;
        if (layers_find(layers, f->key, &at))
            reading_note(r, kind_get(f->kind, r->arena, &at, (char *)r->kernel + f->offset, r->err));
        else if (f->kind == &kind_passes)
            reading_note(r, read_passes(r, NULL));
        else if (f->presence == REQUIRED)
            reading_note(r, layers_need(layers, f->key, &at, r->err));
    }
}
