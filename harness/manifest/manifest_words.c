// SPDX-License-Identifier: Apache-2.0
// Parameters of a pass: "push", "uniform" and "parameters", and the words in them.
#include "../base/text.h"
#include "../device/gpu.h"
#include "manifest.h"
#include "dispatches.h"
#include "expression.h"
#include "words.h"
#include "../../reference/operator.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PUSH_WORDS = PROGRAM_PUSH_BYTES / 4 };

// ---- one word

static bool read_of_tensor(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    struct tensor_factor tensor;
    if (!read_tensor_factor(r, at, true, &tensor)) return false;
    out->kind = tensor.in_bytes ? WORD_BYTES : WORD_QUOTIENT;
    out->operand = tensor.operand;
    out->quotient.over = (struct product){.factors = {tensor.factor}, .count = 1};
    out->text = product_text(r->arena, &out->quotient.over);
    if (tensor.in_bytes)
        out->text =
            arena_format(r->arena, "bytes of %s elements of %s", out->text, r->kernel->op->operands[out->operand].name);
    return true;
}

static bool read_groups(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    int64_t axis;
    if (!json_integer(at, 0, 2, &axis, r->err)) return false;
    out->axis = (int)axis;
    out->text = arena_format(r->arena, "groups on axis %d", out->axis);
    return true;
}

static bool read_as_float(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    static const char *const before[] = {
        [WORD_FLOAT] = "", [WORD_INVERSE] = "1 / ", [WORD_INVERSE_ROOT] = "1 / root of "};
    if (!read_product(r, at, &out->quotient.over)) return false;
    out->text = arena_format(r->arena, "%s%s", before[out->kind], product_text(r->arena, &out->quotient.over));
    return true;
}

static bool read_ceiling(struct kernel_reading *r, const struct json_at *object, struct word *out) {
    out->kind = WORD_QUOTIENT;
    if (!read_quotient(r, object, &out->quotient)) return false;
    const char *over = product_text(r->arena, &out->quotient.over), *by = product_text(r->arena, &out->quotient.by);
    out->text = strcmp(by, "1") == 0 ? over : arena_format(r->arena, "%s / %s", over, by);
    return true;
}

// Reads {"expression": "..."} with "as": "int" or "float".
static bool read_expression(struct kernel_reading *r, const struct json_at *object, struct word *out) {
    static const char *const keys[] = {"expression", "as", NULL};
    struct json_at at, as;
    struct known_names names = {0}, kinds = {0};
    const char *text, *fault, *kind = "float";
    names_add(&kinds, "float");
    names_add(&kinds, "int");
    names_of_dims(&names, r->kernel->op);
    names_of_params(&names, r->kernel->op);
    names_of_tunables(&names, r->kernel);
    names_of_variables(&names, r);
    if (!json_only(object, keys, r->err) || !json_member(object, "expression", false, &at, r->err) ||
        !json_string(&at, r->arena, &text, r->err) || !json_member(object, "as", true, &as, r->err) ||
        (as.value && !read_name(r, &as, &kinds, "kind of number", &kind)))
        return false;
    struct word_expression *read = arena_alloc(r->arena, 1, sizeof *read);
    read->of = expression_read(r->arena, text, &fault);
    if (!read->of) return json_fail(&at, r->err, "the expression \"%s\" is not read: %s", text, fault);
    for (int i = 0; i < read->of->count; i++) {
        const char *name = read->of->steps[i].name;
        if (name && !names_have(&names, name))
            return json_fail(&at, r->err, "\"%s\" is no dim, parameter or tunable in an expression%s", name,
                names_hint(r->arena, &names, name));
    }
    read->place = arena_format(r->arena, "%s: %s", at.file, at.path);
    out->kind = strcmp(kind, "int") == 0 ? WORD_WHOLE : WORD_EXPRESSION;
    out->expression = read;
    out->text = text;
    return true;
}

// Objects with one member, each a way to derive a value.
static const struct form {
    const char *key;
    enum word_kind kind;
    bool (*read)(struct kernel_reading *r, const struct json_at *at, struct word *out);
} forms[] = {
    {"groups", WORD_GROUPS, read_groups},
    {"float", WORD_FLOAT, read_as_float},
    {"inverse", WORD_INVERSE, read_as_float},
    {"inverse_sqrt", WORD_INVERSE_ROOT, read_as_float},
};
enum { FORMS = sizeof forms / sizeof *forms };

static bool read_derived(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    static const char *const keys[] = {"over", "by", "groups", "float", "inverse", "inverse_sqrt", NULL};
    struct json_at member;
    if (is_tensor_factor(at)) return read_of_tensor(r, at, out);
    if (json_object_object_get_ex(at->value, "expression", NULL)) return read_expression(r, at, out);
    if (!json_only(at, keys, r->err)) return false;
    for (int f = 0; f < FORMS; f++) {
        if (!json_member(at, forms[f].key, true, &member, r->err)) return false;
        if (!member.value) continue;
        if (json_count(at) != 1)
            return json_fail(at, r->err, "expected only \"%s\", found %zu members", forms[f].key, json_count(at));
        out->kind = forms[f].kind;
        return forms[f].read(r, &member, out);
    }
    return read_ceiling(r, at, out);
}

static bool read_literal(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    struct text text = {0};
    if (json_object_is_type(at->value, json_type_int)) {
        out->kind = WORD_INTEGER;
        if (!json_integer(at, INT32_MIN, UINT32_MAX, &out->integer, r->err)) return false;
        out->text = arena_format(r->arena, "%lld", (long long)out->integer);
        return true;
    }
    out->kind = WORD_REAL;
    if (!json_number(at, &out->real, r->err)) return false;
    if (fabs(out->real) > FLT_MAX) return json_fail(at, r->err, "%g is no float of 32 bits", out->real);
    text_number(&text, out->real);
    if (!strpbrk(text_str(&text), ".e")) text_append(&text, ".0");
    out->text = arena_take(r->arena, &text);
    return true;
}

// Words naming nothing: a pad, and the numbers missing from JSON.
static const struct word specials[] = {{.kind = WORD_PAD, .text = "pad"},
    {.kind = WORD_REAL, .text = "nan", .real = NAN}, {.kind = WORD_REAL, .text = "inf", .real = INFINITY},
    {.kind = WORD_REAL, .text = "-inf", .real = -INFINITY}};
enum { SPECIALS = sizeof specials / sizeof *specials };

static bool is_special(const char *text, struct word *out) {
    for (size_t i = 0; i < SPECIALS; i++) {
        if (strcmp(specials[i].text, text) != 0) continue;
        *out = specials[i];
        return true;
    }
    return false;
}

static bool read_named(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    struct known_names names = {0};
    names_of_dims(&names, r->kernel->op);
    names_of_params(&names, r->kernel->op);
    names_of_tunables(&names, r->kernel);
    out->kind = WORD_NAME;
    names_of_variables(&names, r);
    if (!names_have(&names, json_object_get_string(at->value)) && is_special(json_object_get_string(at->value), out))
        return true;
    for (size_t i = 0; i < SPECIALS; i++) names_add(&names, specials[i].text);
    if (!read_name(r, at, &names, "dim, parameter or tunable", &out->text)) return false;
    if (kernel_variable(r->kernel, out->text) >= 0) {
        out->kind = WORD_QUOTIENT;
        return read_product(r, at, &out->quotient.over);
    }
    if (out->kind == WORD_NAME) out->name = out->text;
    return true;
}

static bool read_word(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    switch (json_object_get_type(at->value)) {
    case json_type_string:
        return read_named(r, at, out);
    case json_type_int:
    case json_type_double:
        return read_literal(r, at, out);
    case json_type_object:
        return read_derived(r, at, out);
    case json_type_array:
        out->kind = WORD_QUOTIENT;
        if (!read_product(r, at, &out->quotient.over)) return false;
        out->text = product_text(r->arena, &out->quotient.over);
        return true;
    default:
        return json_fail(at, r->err, "expected a name, a number, a product or an object, found %s",
            json_type_to_name(json_object_get_type(at->value)));
    }
}

// Reads {"pad": 3} as three words.
static bool read_pads(struct kernel_reading *r, const struct json_at *at, int room, struct word *out, int *count) {
    struct json_at number;
    int64_t pads;
    if (json_count(at) != 1) return json_fail(at, r->err, "expected only \"pad\", found %zu members", json_count(at));
    if (!json_member(at, "pad", false, &number, r->err) || !json_integer(&number, 1, KERNEL_WORDS, &pads, r->err))
        return false;
    for (int64_t i = 0; i < pads && *count < room; i++)
        out[(*count)++] = (struct word){.kind = WORD_PAD, .text = "pad"};
    return true;
}

bool read_words(struct kernel_reading *r, const struct json_at *list, int room, struct block *out) {
    struct word *words = arena_alloc(r->arena, KERNEL_WORDS, sizeof *words);
    struct json_at item;
    int items;
    out->words = words;
    if (!read_list(r, list, room, &items)) return false;
    for (int i = 0; i < items; i++) {
        if (!json_item(list, (size_t)i, &item, r->err)) return false;
        if (out->count == room) return json_fail(&item, r->err, "expected at most %d words", room);
        bool pads =
            json_object_is_type(item.value, json_type_object) && json_object_object_get_ex(item.value, "pad", NULL);
        reading_note(
            r, pads ? read_pads(r, &item, room, words, &out->count) : read_word(r, &item, &words[out->count++]));
    }
    return true;
}

// ---- blocks

static bool check_place(struct kernel_reading *r, const struct json_at *at, const struct pass *pass, int block) {
    const struct binding_place place = pass->blocks[block].place;
    const char *taken = NULL;
    for (int i = 0; i < pass->binding_count; i++)
        if (same_place(pass->places[i], place)) taken = arena_format(r->arena, "\"%s\"", pass->bindings[i]);
    for (int i = 0; i < block; i++)
        if (pass->blocks[i].kind != BLOCK_PUSH && same_place(pass->blocks[i].place, place)) taken = "other parameters";
    return !taken || json_fail(at, r->err, "binding %u of set %u is that of %s too", place.binding, place.set, taken);
}

static bool read_buffer(struct kernel_reading *r, const struct json_at *at, struct pass *pass, struct block *block) {
    struct json_at members;
    if (!read_place(r, at, &block->place) || !json_member(at, "members", false, &members, r->err) ||
        !check_place(r, at, pass, pass->block_count) || !read_words(r, &members, KERNEL_WORDS, block))
        return false;
    pass->block_count++;
    return block->count > 0 || json_fail(&members, r->err, "expected at least one member");
}

static bool read_uniform(struct kernel_reading *r, const struct json_at *at, struct pass *pass) {
    static const char *const keys[] = {"members", "set", "binding", NULL};
    struct block *block = &pass->blocks[pass->block_count];
    block->kind = BLOCK_UNIFORM;
    return json_expect(at, json_type_object, r->err) && json_only(at, keys, r->err) && read_buffer(r, at, pass, block);
}

static bool read_push(struct kernel_reading *r, const struct json_at *at, struct pass *pass) {
    struct block *block = &pass->blocks[pass->block_count];
    block->kind = BLOCK_PUSH;
    if (!read_words(r, at, PUSH_WORDS, block)) return false;
    pass->block_count += block->count > 0;
    return true;
}

static bool read_block(struct kernel_reading *r, const struct json_at *at, struct pass *pass) {
    static const char *const keys[] = {"in", "members", "set", "binding", NULL}, *const push_keys[] = {
                                                                                     "in", "members", NULL};
    struct block *block = &pass->blocks[pass->block_count];
    struct known_names kinds = {{"push", "uniform", "storage"}, 3};
    struct json_at in, members;
    const char *kind;
    *block = (struct block){0}; // drops the remains of a block with an error
    if (!json_expect(at, json_type_object, r->err) || !json_only(at, keys, r->err) ||
        !json_member(at, "in", false, &in, r->err) || !read_name(r, &in, &kinds, "place of parameters", &kind))
        return false;
    block->kind = *kind == 'p' ? BLOCK_PUSH : *kind == 'u' ? BLOCK_UNIFORM : BLOCK_STORAGE;
    if (block->kind != BLOCK_PUSH) return read_buffer(r, at, pass, block);
    if (pass_push(pass)) return json_fail(at, r->err, "push constants are one block; here are two");
    return json_only(at, push_keys, r->err) && json_member(at, "members", false, &members, r->err) &&
           read_push(r, &members, pass);
}

// Reads one block, or a list of them.
static bool read_blocks(struct kernel_reading *r, const struct json_at *at, struct pass *pass) {
    struct json_at item;
    int count;
    if (!json_object_is_type(at->value, json_type_array)) return read_block(r, at, pass);
    if (!read_list(r, at, KERNEL_BLOCKS, &count)) return false;
    for (int i = 0; i < count; i++)
        reading_note(r, json_item(at, (size_t)i, &item, r->err) && read_block(r, &item, pass));
    return true;
}

// Reads the parameters from one of three members. A null removes the member given in "common".
bool read_parameters(struct kernel_reading *r, const struct layers *layers, struct pass *pass) {
    static const struct {
        const char *key;
        bool (*read)(struct kernel_reading *r, const struct json_at *at, struct pass *pass);
    } ways[] = {{"push", read_push}, {"uniform", read_uniform}, {"parameters", read_blocks}};
    struct json_at found[3];
    int first = -1;
    for (int i = 0; i < 3; i++) {
        if (!layers_find(layers, ways[i].key, &found[i]) || !found[i].value) continue;
        if (first >= 0)
            return json_fail(&found[i], r->err,
                "parameters are either in \"%s\" or in \"%s\", here in both (\"parameters\" takes a list; a null "
                "removes a member of \"common\")",
                ways[first].key, ways[i].key);
        first = i;
    }
    return first < 0 || ways[first].read(r, &found[first], pass);
}
