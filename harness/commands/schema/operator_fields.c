// SPDX-License-Identifier: Apache-2.0
// Operators, as `vkassay list operators --json` prints them.
#include "described.h"

const char *role_name(enum role role) {
    static const char *const words[] = {[ROLE_IN] = "in", [ROLE_OUT] = "out", [ROLE_INOUT] = "inout"};
    return words[role];
}
ENUM_KIND(static, role, role_name, role, ROLE_IN, ROLE_INOUT + 1, "a role")

static const char *fill_word(int fill) {
    static const char *const words[] = {[FILL_UNIFORM] = "uniform",
        [FILL_INDEX] = "index",
        [FILL_OUT_OF_RANGE] = "out-of-range",
        [FILL_PERMUTATION] = "permutation",
        [FILL_SPREAD] = "spread",
        [FILL_CONSTANT] = "constant",
        [FILL_WHOLE] = "whole",
        [FILL_COSINE] = "cosine",
        [FILL_SINE] = "sine",
        [FILL_STEPS] = "steps",
        [FILL_RARE] = "rare",
        [FILL_MASK] = "mask",
        [FILL_TIES] = "ties",
        [FILL_BROKEN] = "broken",
        [FILL_TRUTH] = "truth"};
    return fill < 0 ? NULL : words[fill];
}
static const struct enum_words fill_words = {fill_word, 0, FILL_TRUTH + 1, "a way to draw"};

static const struct kind kind_name = {
    .of = &kind_text, .name = "name", .schema = SCHEMA({"pattern" : "^[a-z][a-z0-9_]*$"})};
static const struct kind kind_meaning = {
    .of = &kind_text, .name = "meaning", .meaning = "null: of an operator of the user's."};
#define MEANING                                                                                                        \
    { "meaning", &kind_meaning, AT(meaning), NULLABLE }
#define MARK(MEANING) KIND(kind_mark, .meaning = MEANING)

#define AT(member) offsetof(struct listed_dim, member)
static const struct field dim_fields[] = {
    {"name", &kind_name, AT(name), REQUIRED},
    MEANING,
    {"least", KIND(kind_int, .most = 1), AT(least), REQUIRED},
    {0},
};
static const struct field derived_fields[] = {{"name", &kind_name, AT(name), REQUIRED}, MEANING, {0}};
static const struct kind kind_dim = {.fields = dim_fields}, kind_derived = {.fields = derived_fields};

#undef AT
#define AT(member) offsetof(struct listed_operand, member)
static const struct field operand_fields[] = {
    {"name", &kind_name, AT(is.name), REQUIRED},
    {"role", &kind_role, AT(is.role), REQUIRED},
    {"dtype", KIND(kind_text, .meaning = "case: that of the case."), AT(dtype), REQUIRED},
    {"weights", KIND(kind_flag, .meaning = "It may be quantised."), AT(is.weights), REQUIRED},
    {"shape",
        &(const struct kind){
            .list = &(const struct item_list){LIST_OF(struct listed_operand, is.shape, rank, &kind_name),
                .most = OPERATOR_RANK},
            .meaning = "Names of dims, outermost first; empty: one element."},
        0, REQUIRED},
    MEANING,
    {"fill", &(const struct kind){.words = &fill_words, .meaning = "How it is drawn; of what is read alone."}, AT(fill),
        SPARSE},
    {"low", &kind_real, AT(is.low), SPARSE},
    {"high", &kind_real, AT(is.high), SPARSE},
    {"below", &kind_name, AT(is.below), SPARSE},
    {"specials", MARK("Zeros, infinities, NaN, subnormals and extremes come first."), AT(is.specials), SPARSE},
    {"lines", MARK("Some lines have a pattern: far from zero, cancelling, infinite, ..."), AT(lines), SPARSE},
    {"broken", MARK("In one case of three some elements are infinite, NaN or zero."), AT(broken), SPARSE},
    {0},
};
static const struct kind kind_operand = {.fields = operand_fields};

#undef AT
#define AT(member) offsetof(struct listed_parameter, member)
static const struct field parameter_fields[] = {
    {"name", &kind_name, AT(is.name), REQUIRED},
    {"type", KIND(kind_text, .schema = SCHEMA({"enum" : [ "float", "integer" ]})), AT(type), REQUIRED},
    {"default", &kind_real, AT(is.standard), REQUIRED},
    {"low", KIND(kind_real, .meaning = "null: any finite value."), AT(is.low), NULLABLE},
    {"high", &kind_real, AT(is.high), NULLABLE},
    {"telling",
        &(const struct kind){.list = &(const struct item_list){LIST_OF(
                                 struct listed_parameter, is.telling.values, is.telling.count, &kind_real)},
            .meaning = "Values that check tries too."},
        0, REQUIRED},
    MEANING,
    {0},
};
static const struct kind kind_parameter = {.fields = parameter_fields};

#undef AT
#define AT(member) offsetof(struct listed_operator, op.member)
#define MANY(LEAST, member, KIND, ...)                                                                                 \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){LIST_OF(struct listed_operator, member, member##_count, KIND),               \
            .least = LEAST, .in_arena = true},                                                                         \
        .meaning = __VA_ARGS__                                                                                         \
    }
#define FILLED KIND(kind_text, .least = 1)
static const struct field operator_fields[] = {
    {"name", &kind_name, AT(name), REQUIRED},
    {"family", &kind_text, AT(family), REQUIRED},
    {"summary", FILLED, AT(summary), REQUIRED},
    {"formula", FILLED, AT(formula), REQUIRED},
    {"conventions", KIND(kind_text, .meaning = "What differs between libraries, and which one this is."),
        AT(conventions), NULLABLE},
    {"source", FILLED, AT(source), REQUIRED},
    {"seeds", KIND(kind_text, .meaning = "The systems that name it."), AT(systems), REQUIRED},
    {"dims", MANY(1, dims, &kind_dim, "Given by a case, in the order of a point's name."), 0, REQUIRED},
    {"derived", MANY(0, derived, &kind_derived, "Dims that follow from the others; a manifest may name them too."), 0,
        REQUIRED},
    {"operands", MANY(1, operands, &kind_operand, NULL), 0, REQUIRED},
    {"parameters", MANY(0, parameters, &kind_parameter, NULL), 0, REQUIRED},
    {"along", KIND(kind_text, .meaning = "The dim along which outputs may be added up."), AT(along), NULLABLE},
    {"bound", KIND(kind_text, .least = 1, .meaning = "Derivation of the allowed error."), AT(bound), REQUIRED},
    {"dtypes", MANY(0, dtypes, &kind_text, "Of its kernels."), 0, REQUIRED},
    {"kernels", MANY(0, kernels, &kind_text, NULL), 0, REQUIRED},
    {0},
};
static const struct kind kind_operator = {.fields = operator_fields};
const struct kind kind_operators_file = {.list = &(const struct item_list){.kind = &kind_operator}};

struct json_object *listed_operator_put(const struct listed_operator *listed) {
    return fields_put(operator_fields, listed);
}
