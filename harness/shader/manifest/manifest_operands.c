// SPDX-License-Identifier: Apache-2.0
// Members about operands used otherwise than the operator states: "types", "in_place", "fixed", "layout",
// "zeroed".
#include "../../base/hash.h"
#include "manifest.h"
#include "dispatches.h"
#include "../../../reference/operator.h"

#include <string.h>

static const struct operand *operand_at(const struct kernel_reading *r, int index) {
    return &r->kernel->op->operands[index];
}

static bool read_operand(
    struct kernel_reading *r, const struct json_at *at, const char *name, enum role role, int *index) {
    struct known_names names = {0};
    const struct op *op = r->kernel->op;
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role == role) names_add(&names, op->operands[i].name);
    *index = operator_operand_index(op, name);
    if (names_have(&names, name)) return true;
    return json_fail(at, r->err, "\"%s\" is no %s of %s%s", name, role == ROLE_IN ? "input" : "output", op->name,
        names_hint(r->arena, &names, name));
}

// ---- types

static const char *type_word(int dtype) {
    const struct dtype_info *info = dtype_info((enum dtype)dtype);
    return (info->is_float && info->elements == 1) || dtype == DTYPE_I32 ? info->name : NULL;
}
static const struct enum_words type_words = {
    type_word, DTYPE_CASE + 1, DTYPE_COUNT, "a type of floats, or i32 for truth values"};
static const struct kind kind_own_type = {.words = &type_words};

static bool read_type(struct kernel_reading *r, const struct member *member) {
    const struct op *op = r->kernel->op;
    struct known_names operands = {0};
    int dtype;
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].dtype == DTYPE_CASE || op->operands[i].fill == FILL_TRUTH)
            names_add(&operands, op->operands[i].name);
    if (!names_have(&operands, member->name))
        return json_fail(&member->at, r->err, "\"%s\" is no operand of the case's type or of truth values of %s%s",
            member->name, op->name, names_hint(r->arena, &operands, member->name));
    if (!read_word_of(r, &member->at, &type_words, "type", &dtype)) return false;
    const int index = operator_operand_index(op, member->name);
    const bool truth = op->operands[index].fill == FILL_TRUTH;
    if (truth != (dtype == DTYPE_I32))
        return json_fail(
            &member->at, r->err, "%s has %s", member->name, truth ? "truth values: only i32 is possible" : "floats");
    r->kernel->types[index] = (enum dtype)dtype;
    return true;
}

// ---- places of other operands, and values without a place

static bool read_pair(struct kernel_reading *r, const struct member *member) {
    const char *name;
    int output, input;
    if (!read_operand(r, &member->at, member->name, ROLE_OUT, &output) ||
        !json_string(&member->at, r->arena, &name, r->err) || !read_operand(r, &member->at, name, ROLE_IN, &input))
        return false;
    const struct operand *out = operand_at(r, output), *in = operand_at(r, input);
    if (!operand_same_shape(out, in) || out->dtype != in->dtype || out->weights != in->weights ||
        r->kernel->types[output] != r->kernel->types[input])
        return json_fail(
            &member->at, r->err, "%s has not the shape and type of %s: it cannot take its place", out->name, in->name);
    const int other = kernel_overwriter(r->kernel, input);
    if (other >= 0)
        return json_fail(&member->at, r->err, "%s takes the place of %s too", operand_at(r, other)->name, in->name);
    r->kernel->in_place[output] = (int8_t)(input + 1);
    return true;
}

// Returns the operand's first dtype without an exact representation of the value, over the kernel's dtypes.
// DTYPE_CASE: all have one.
static enum dtype lacking(const struct kernel_reading *r, int operand, double value) {
    for (int d = DTYPE_CASE + 1; d < DTYPE_COUNT; d++) {
        double room[2] = {0};
        const enum dtype dtype = kernel_operand_dtype(r->kernel, operand, (enum dtype)d);
        if (!r->kernel->dtypes[d] || (dtype_info(dtype)->elements > 1 && value == 0)) continue;
        if (dtype_info(dtype)->elements > 1) return dtype;
        dtype_store(dtype, room, 0, value);
        if (dtype_load(dtype, room, 0) != value) return dtype;
    }
    return DTYPE_CASE;
}

static bool read_constant(struct kernel_reading *r, const struct member *member) {
    struct kernel *k = r->kernel;
    double value;
    int operand;
    const int param = operator_param_index(k->op, member->name);
    if (param >= 0) return read_fixed_param(r, member, param);
    if (!read_operand(r, &member->at, member->name, ROLE_IN, &operand) || !json_number(&member->at, &value, r->err))
        return false;
    enum dtype dtype = lacking(r, operand, value);
    if (dtype != DTYPE_CASE)
        return json_fail(
            &member->at, r->err, "%g is no value of %s, the type of %s", value, dtype_info(dtype)->name, member->name);
    const int other = kernel_overwriter(k, operand);
    if (other >= 0)
        return json_fail(&member->at, r->err, "%s takes the place of %s; it cannot be fixed",
            operand_at(r, other)->name, member->name);
    k->is_fixed[operand] = true;
    k->fixed[operand] = value;
    return true;
}

// ---- layouts

// Reads an offset or a stride. It may use dims and numbers only, because all shapes of a case share one layout.
static bool read_distance(struct kernel_reading *r, const struct json_at *at, struct product *out) {
    if (!read_product(r, at, out)) return false;
    const char *tunable = quotient_choice(r->kernel, &(struct quotient){.over = *out});
    return !tunable || json_fail(at, r->err, "a layout follows from dims and numbers; %s is a tunable", tunable);
}

READ_KIND(static, distance, struct product, read_distance, .of = &kind_product)

static bool read_strides(struct kernel_reading *r, const struct json_at *at, struct layout *out) {
    const struct operand *described = operand_at(r, r->layout_of - 1);
    struct json_at item;
    const int rank = operand_rank(described->shape);
    int count;
    if (!read_list(r, at, OPERATOR_RANK, &count)) return false;
    if (count != rank)
        return json_fail(
            at, r->err, "expected %d strides, one for each axis of %s, found %d", rank, described->name, count);
    out->has_strides = true;
    for (int i = 0; i < count; i++)
        if (!json_item(at, (size_t)i, &item, r->err) || !read_distance(r, &item, &out->strides[i])) return false;
    return true;
}
READ_KIND(static, strides, struct layout, read_strides,
    .list = &(const struct item_list){.kind = &kind_product, .most = OPERATOR_RANK})

static bool read_header(struct kernel_reading *r, const struct json_at *at, struct layout *out) {
    struct block block = {0};
    if (!read_words(r, at, KERNEL_WORDS, &block)) return false;
    for (int i = 0; i < block.count; i++) {
        const struct word *word = &block.words[i];
        if (word->kind != WORD_GROUPS && !word_choice(r->kernel, word)) continue;
        return json_fail(at, r->err, "a header follows from dims, parameters and numbers, not from %s", word->text);
    }
    out->header = block.words;
    out->header_count = block.count;
    return true;
}
READ_KIND(static, header, struct layout, read_header, .of = &kind_words)

static const struct field layout_fields[] = {
    {"offset", &kind_distance, offsetof(struct layout, offset), NEW_NULLABLE},
    {"strides", &kind_strides, 0, NEW_NULLABLE},
    {"header", &kind_header, 0, NEW_NULLABLE},
    {0},
};
static const struct kind kind_layout_of_operand = {
    .fields = layout_fields, .schema = SCHEMA({"dependencies" : {"header" : ["offset"]}})};

static bool read_layout(struct kernel_reading *r, const struct member *member, struct layout *layouts) {
    const struct json_at *at = &member->at;
    const struct kernel *k = r->kernel;
    struct known_names names = {0};
    struct json_at header;
    int operand = operator_operand_index(k->op, member->name);
    names_of_operands(&names, k->op);
    if (operand < 0)
        return json_fail(at, r->err, "\"%s\" is no operand of %s%s", member->name, k->op->name,
            names_hint(r->arena, &names, member->name));
    r->layout_of = operand + 1;
    layouts[operand].placed = true;
    if (!fields_only(at, layout_fields, NULL, r->err) || !json_member(at, "header", true, &header, r->err))
        return false;
    if (kernel_partner(k, operand) >= 0 || k->is_fixed[operand])
        return json_fail(at, r->err, "%s is \"in_place\" or \"fixed\", and has no layout", member->name);
    if (header.value && !json_get(at->value, "offset"))
        return json_fail(&header, r->err, "expected an \"offset\" beside it: where the elements begin");
    return fields_get(r->arena, at, layout_fields, &layouts[operand], r->err);
}

static bool read_layouts(struct kernel_reading *r, const struct json_at *at) {
    struct member members[OPERATOR_OPERANDS];
    int count;
    (void)at;
    if (!layers_merge(&r->layers, "layout", members, OPERATOR_OPERANDS, &count, r->err)) return false;
    if (!count) return true;
    struct layout *layouts = arena_alloc(r->arena, OPERATOR_OPERANDS, sizeof *layouts);
    for (int i = 0; i < count; i++) {
        reading_note(r, read_layout(r, &members[i], layouts));
        r->layout_of = 0;
        r->kernel->arrangement = hash_string(
            hash_string(r->kernel->arrangement, members[i].name), json_object_to_json_string(members[i].at.value));
    }
    r->kernel->layouts = layouts;
    return true;
}
LAYER_KIND(, layout, read_layouts,
    .list = &(const struct item_list){.kind = &kind_layout_of_operand, .most = OPERATOR_OPERANDS, .named = true},
    .meaning = "How operands stand in their bindings, in elements.")

// Reads each member of the object under this key, of all layers together.
static bool read_members(struct kernel_reading *r, const char *key, int room,
    bool (*read)(struct kernel_reading *r, const struct member *member)) {
    struct member *members = arena_alloc(r->arena, (size_t)room, sizeof *members);
    int count;
    if (!layers_merge(&r->layers, key, members, room, &count, r->err)) return false;
    for (int i = 0; i < count; i++) reading_note(r, read(r, &members[i]));
    return true;
}

static bool is_any(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        if (at[i]) return true;
    return false;
}

MEMBERS_KIND(types, kind_own_type, OPERATOR_OPERANDS, read_type,
    .meaning = "Operands stored in another type than that of the case, and truth values in i32.")
MEMBERS_KIND(
    in_place, kind_text, OPERATOR_OPERANDS, read_pair, .meaning = "Outputs, each with the input whose buffer it takes.")
MEMBERS_KIND(fixed, kind_real, OPERATOR_OPERANDS + OPERATOR_PARAMS, read_constant,
    .meaning = "Inputs that no shader reads, each with its value everywhere, and parameters compiled into the shader.")

// Completes the hash begun with the layouts.
void hash_arrangement(struct kernel *k) {
    uint64_t hash = k->arrangement;
    if (is_any(k->leaves, sizeof k->leaves)) hash = hash_bytes(hash, k->leaves, sizeof k->leaves);
    const bool plain = hash == HASH_START && !k->layouts && !is_any(k->in_place, sizeof k->in_place) &&
                       !is_any(k->is_fixed, sizeof k->is_fixed) && !is_any(k->types, sizeof k->types);
    hash = hash_bytes(hash_bytes(hash, k->in_place, sizeof k->in_place), k->fixed, sizeof k->fixed);
    hash = hash_bytes(hash, k->is_fixed, sizeof k->is_fixed);
    if (is_any(k->types, sizeof k->types)) hash = hash_bytes(hash, k->types, sizeof k->types);
    k->arrangement = plain ? 0 : hash;
}

// ---- buffers cleared by the host, or read back

// Reads the name of an output or a scratch buffer. One of *operand and *scratch is its index, the other -1.
static bool read_written(struct kernel_reading *r, const struct json_at *at, int *operand, int *scratch) {
    struct kernel *k = r->kernel;
    struct known_names names = {0};
    const char *name;
    for (int i = 0; i < operator_operands(k->op); i++)
        if (k->op->operands[i].role == ROLE_OUT) names_add(&names, k->op->operands[i].name);
    for (int i = 0; i < k->scratch_count; i++) names_add(&names, k->scratch[i].name);
    if (!read_name(r, at, &names, "output or scratch buffer", &name)) return false;
    *operand = operator_operand_index(k->op, name);
    *scratch = -1;
    for (int i = 0; *operand < 0 && i < k->scratch_count; i++)
        if (strcmp(k->scratch[i].name, name) == 0) *scratch = i;
    return true;
}

static bool read_cleared(struct kernel_reading *r, const struct json_at *at) {
    struct kernel *k = r->kernel;
    int operand, scratch;
    if (!read_written(r, at, &operand, &scratch)) return false;
    if (scratch >= 0) k->scratch[scratch].zeroed = true;
    if (operand < 0) return true;
    const char *name = k->op->operands[operand].name;
    if (kernel_partner(k, operand) >= 0)
        return json_fail(at, r->err, "%s takes the place of an input, so zeros would overwrite the input", name);
    if (k->layouts && k->layouts[operand].placed)
        return json_fail(at, r->err, "%s has a layout, and only its elements belong to it", name);
    k->zeroed[operand] = true;
    return true;
}

enum { MOST_WRITTEN = OPERATOR_OPERANDS + KERNEL_SCRATCH };
EACH_KIND(, zeroed, kind_text, MOST_WRITTEN, read_cleared,
    .meaning = "Outputs and scratch buffers that hold zeros before the first dispatch.")

static bool read_read_back(struct kernel_reading *r, const struct json_at *at) {
    int operand, scratch;
    if (!read_written(r, at, &operand, &scratch)) return false;
    *(operand < 0 ? &r->kernel->scratch[scratch].reads_back : &r->kernel->reads_back[operand]) = true;
    return true;
}

EACH_KIND(, reads_back, kind_text, MOST_WRITTEN, read_read_back,
    .meaning = "Outputs and scratch buffers that a pass reads where it has written them before in the same run.")
