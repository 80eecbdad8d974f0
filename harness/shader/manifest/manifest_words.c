// SPDX-License-Identifier: Apache-2.0
// Parameters of a pass: "push", "uniform" and "parameters", and the words in them.
#include "../../base/text.h"
#include "../../device/limits.h"
#include "manifest.h"
#include "dispatches.h"
#include "expression.h"
#include "../../../reference/operator.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static_assert(4 * KERNEL_WORDS == PROGRAM_PUSH_BYTES, "all words of a kernel may be push constants");

// ---- one word

// Every device has this many descriptor sets. Binding numbers stay within WebGPU's limit.
enum { PLACE_SETS = PROGRAM_SETS, PLACE_BINDINGS = 1000 };

const struct field place_fields[] = {
    {"set", KIND(kind_uint32, .most = PLACE_SETS - 1), offsetof(struct binding_place, set), NEW_NULLABLE},
    {"binding", KIND(kind_uint32, .most = PLACE_BINDINGS - 1), offsetof(struct binding_place, binding), REQUIRED},
    {0},
};

const struct kind kind_place = {.fields = place_fields};

bool same_place(struct binding_place a, struct binding_place b) {
    return a.set == b.set && a.binding == b.binding;
}

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

static bool read_ceiling(struct kernel_reading *r, const struct json_at *object, struct word *out) {
    out->kind = WORD_QUOTIENT;
    if (!kind_get(&kind_quotient, r->arena, object, &out->quotient, r->err)) return false;
    const char *over = product_text(r->arena, &out->quotient.over), *by = product_text(r->arena, &out->quotient.by);
    out->text = strcmp(by, "1") == 0 ? over : arena_format(r->arena, "%s / %s", over, by);
    return true;
}

// ---- expressions

static bool read_text_of_expression(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    struct known_names names = {0};
    const char *fault;
    names_of_dims(&names, r->kernel->op);
    names_of_params(&names, r->kernel->op);
    names_of_tunables(&names, r->kernel);
    names_of_variables(&names, r);
    if (!json_string(at, r->arena, &out->text, r->err)) return false;
    struct word_expression *read = arena_alloc(r->arena, 1, sizeof *read);
    read->of = expression_read(r->arena, out->text, &fault);
    if (!read->of) return json_fail(at, r->err, "the expression \"%s\" is not read: %s", out->text, fault);
    for (int i = 0; i < read->of->count; i++) {
        const char *name = read->of->steps[i].name;
        if (name && !names_have(&names, name))
            return json_fail(at, r->err, "\"%s\" is no dim, parameter or tunable in an expression%s", name,
                names_hint(r->arena, &names, name));
    }
    read->place = arena_format(r->arena, "%s: %s", at->file, at->path);
    out->kind = WORD_EXPRESSION;
    out->expression = read;
    return true;
}
READ_KIND(static, expression, struct word, read_text_of_expression, .schema = SCHEMA({"type" : "string"}))

static bool read_kind_of_number(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    struct known_names kinds = {{"float", "int"}, 2};
    const char *kind;
    if (!read_name(r, at, &kinds, "kind of number", &kind)) return false;
    if (strcmp(kind, "int") == 0) out->kind = WORD_WHOLE;
    return true;
}
READ_KIND(static, kind_of_number, struct word, read_kind_of_number, .schema = SCHEMA({"enum" : [ "float", "int" ]}))

static const struct field expression_fields[] = {
    {"expression", &kind_expression, 0, REQUIRED}, {"as", &kind_kind_of_number, 0, NEW_NULLABLE}, {0}};
static const struct kind kind_computed = {.fields = expression_fields,
    .closed = true,
    .meaning = "A value that the host computes from dims, parameters and tunables, in double."};

// ---- objects with one member, each a way to derive a value

static const struct kind kind_axis_of_grid = {.of = &kind_int, .most = 2};
#define AT(member) offsetof(struct word, member)
static const struct field derived_fields[] = {
    {"groups", &kind_axis_of_grid, AT(axis), SPARSE},
    {"float", &kind_product, AT(quotient.over), SPARSE},
    {"inverse", &kind_product, AT(quotient.over), SPARSE},
    {"inverse_sqrt", &kind_product, AT(quotient.over), SPARSE},
    {0},
};
#undef AT
static const struct {
    enum word_kind kind;
    const char *before; // the product, as text
} derived[] = {{WORD_GROUPS, ""}, {WORD_FLOAT, ""}, {WORD_INVERSE, "1 / "}, {WORD_INVERSE_ROOT, "1 / root of "}};
static const struct kind kind_derived = {.fields = derived_fields,
    .meaning = "Workgroups on an axis of the grid; a product as a float, 1 over it, 1 over its square root.",
    .schema = SCHEMA({"minProperties" : 1, "maxProperties" : 1})};

static bool read_derived(struct kernel_reading *r, const struct json_at *at, struct word *out) {
    int form = 0;
    if (is_tensor_factor(at)) return read_of_tensor(r, at, out);
    if (json_object_object_get_ex(at->value, "expression", NULL))
        return kind_get(&kind_computed, r->arena, at, out, r->err);
    if (!fields_only(at, derived_fields, quotient_fields, r->err)) return false;
    while (derived_fields[form].key && !json_get(at->value, derived_fields[form].key)) form++;
    if (!derived_fields[form].key) return read_ceiling(r, at, out);
    if (json_count(at) != 1)
        return json_fail(
            at, r->err, "expected only \"%s\", found %zu members", derived_fields[form].key, json_count(at));
    out->kind = derived[form].kind;
    if (!fields_get(r->arena, at, derived_fields, out, r->err)) return false;
    out->text = out->kind == WORD_GROUPS
                    ? arena_format(r->arena, "groups on axis %d", out->axis)
                    : arena_format(r->arena, "%s%s", derived[form].before, product_text(r->arena, &out->quotient.over));
    return true;
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

static const struct field pad_fields[] = {
    {"pad", KIND(kind_int, .least = 1, .most = KERNEL_WORDS), 0, REQUIRED},
    {0},
};
static const struct kind kind_pad = {.fields = pad_fields, .meaning = "So many words that are no member: zeros."};

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

static const struct kind kind_name_of_word = {.schema = SCHEMA({"type" : "string"})},
                         kind_whole = {.schema = SCHEMA(
                                           {"type" : "integer", "minimum" : -2147483648, "maximum" : 4294967295})},
                         kind_single = {.schema = SCHEMA({
                             "type" : "number",
                             "minimum" : -3.4028234663852886e38,
                             "maximum" : 3.4028234663852886e38,
                             "not" : {"type" : "integer"}
                         })};
static const struct kind *const word_forms[] = {&kind_name_of_word, &kind_whole, &kind_single, &kind_factors,
    &kind_quotient, &kind_pad, &kind_tensor, &kind_tensor_in_unit, &kind_computed, &kind_derived, NULL};
static const struct kind kind_word = {.any = word_forms,
    .name = "word",
    .meaning = "32 bits of parameters: a dim, parameter or tunable, \"pad\", a number, a product, a derived value."};
#define WORDS(LEAST, MOST)                                                                                             \
    &(const struct item_list) {                                                                                        \
        .kind = &kind_word, .least = LEAST, .most = MOST                                                               \
    }
const struct kind kind_words = {.list = WORDS(0, KERNEL_WORDS), .name = "words"};

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

static bool read_buffer(struct kernel_reading *r, const struct json_at *at, struct block *block) {
    struct json_at members;
    if (!kind_get(&kind_place, r->arena, at, &block->place, r->err) ||
        !json_member(at, "members", false, &members, r->err) || !check_place(r, at, r->pass, r->pass->block_count) ||
        !read_words(r, &members, KERNEL_WORDS, block))
        return false;
    r->pass->block_count++;
    return block->count > 0 || json_fail(&members, r->err, "expected at least one member");
}

static const struct field uniform_fields[] = {
    {"members", &(const struct kind){.list = WORDS(1, KERNEL_WORDS)}, 0, REQUIRED}, {0}};

static bool read_uniform(struct kernel_reading *r, const struct json_at *at) {
    struct block *block = &r->pass->blocks[r->pass->block_count];
    block->kind = BLOCK_UNIFORM;
    return fields_only(at, uniform_fields, place_fields, r->err) && read_buffer(r, at, block);
}

static bool read_push(struct kernel_reading *r, const struct json_at *at) {
    struct block *block = &r->pass->blocks[r->pass->block_count];
    block->kind = BLOCK_PUSH;
    if (!read_words(r, at, KERNEL_WORDS, block)) return false;
    r->pass->block_count += block->count > 0;
    return true;
}

static const struct field block_fields[] = {
    {"in", &(const struct kind){.schema = SCHEMA({"enum" : [ "push", "uniform", "storage" ]})}, 0, REQUIRED},
    {"members", &kind_words, 0, REQUIRED},
    {0},
};
static const struct kind kind_block = {.fields = block_fields,
    .also = place_fields,
    .name = "block",
    .meaning = "Parameters that stand together.",
    .schema = SCHEMA({
        "required" : [ "in", "members" ],
        "oneOf" : [
            {
                "properties" : {"in" : {"enum" : ["push"]}, "members" : {"maxItems" : 32}},
                "not" : {
                    "anyOf" : [
                        {"properties" : {"set" : {}}, "required" : ["set"]},
                        {"properties" : {"binding" : {}}, "required" : ["binding"]}
                    ]
                }
            },
            {
                "properties" :
                    {"in" : {"enum" : [ "uniform", "storage" ]}, "members" : {"minItems" : 1}, "binding" : {}},
                "required" : ["binding"]
            }
        ]
    })};

static bool read_block(struct kernel_reading *r, const struct json_at *at) {
    struct block *block = &r->pass->blocks[r->pass->block_count];
    struct known_names kinds = {{"push", "uniform", "storage"}, 3};
    struct json_at in, members;
    const char *kind;
    *block = (struct block){0}; // drops the remains of a block with an error
    if (!fields_only(at, block_fields, place_fields, r->err) || !json_member(at, "in", false, &in, r->err) ||
        !read_name(r, &in, &kinds, "place of parameters", &kind))
        return false;
    block->kind = *kind == 'p' ? BLOCK_PUSH : *kind == 'u' ? BLOCK_UNIFORM : BLOCK_STORAGE;
    if (block->kind != BLOCK_PUSH) return read_buffer(r, at, block);
    if (pass_push(r->pass)) return json_fail(at, r->err, "push constants are one block; here are two");
    return fields_only(at, block_fields, NULL, r->err) && json_member(at, "members", false, &members, r->err) &&
           read_push(r, &members);
}

// Reads one block, or a list of them.
static bool read_blocks(struct kernel_reading *r, const struct json_at *at) {
    return json_object_is_type(at->value, json_type_array) ? read_each(r, at, KERNEL_BLOCKS, read_block)
                                                           : read_block(r, at);
}

// Reads the parameters from one of three members. A null removes the member given in "common".
static bool read_parameters(struct kernel_reading *r, const struct json_at *at, const char *key,
    bool (*read)(struct kernel_reading *r, const struct json_at *at)) {
    if (!at->value) return true;
    if (r->parameters)
        return json_fail(at, r->err,
            "parameters are either in \"%s\" or in \"%s\", here in both (\"parameters\" takes a list; a null removes "
            "a member of \"common\")",
            r->parameters, key);
    r->parameters = key;
    return read(r, at);
}
static bool read_in_push(struct kernel_reading *r, const struct json_at *at) {
    return read_parameters(r, at, "push", read_push);
}
static bool read_in_uniform(struct kernel_reading *r, const struct json_at *at) {
    return read_parameters(r, at, "uniform", read_uniform);
}
static bool read_in_parameters(struct kernel_reading *r, const struct json_at *at) {
    return read_parameters(r, at, "parameters", read_blocks);
}
LAYER_KIND(, push, read_in_push, .list = WORDS(0, KERNEL_WORDS))
LAYER_KIND(, uniform, read_in_uniform, .fields = uniform_fields, .also = place_fields,
    .meaning = "The same words in a uniform buffer.")
LAYER_KIND(, parameters, read_in_parameters,
    .list = &(const struct item_list){.kind = &kind_block, .most = KERNEL_BLOCKS, .alone = true})
