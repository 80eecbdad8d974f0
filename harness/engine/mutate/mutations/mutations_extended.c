// SPDX-License-Identifier: Apache-2.0
// Mutations of functions of GLSL.std.450.
#include "mutations.h"

#include <spirv/unified1/GLSL.std.450.h>

struct counterpart {
    uint16_t from, to;
    const char *name, *other;
};

static bool exchange(struct module_change *c, uint32_t item, int way, const struct counterpart *pairs, size_t count) {
    uint32_t number = mutation_extended(c->code, item), operands[4];
    size_t operand_count = spirv_length(code_item(c->code, item)) - 5;
    if (!number || spirv_length(code_item(c->code, item)) < 5 || operand_count > 4) return false;
    for (size_t i = 0; i < operand_count; i++) operands[i] = code_word(c->code, item, 5 + (uint32_t)i);
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].from != number || way-- > 0) continue;
        mutation_extended_remake(c, item, pairs[i].to, operands, operand_count);
        change_tell(c, "%s became %s", pairs[i].name, pairs[i].other);
        return true;
    }
    return false;
}

static bool extreme(struct module_change *c, uint32_t item, int way) {
    static const struct counterpart pairs[] = {
        {GLSLstd450FMin, GLSLstd450FMax, "min", "max"},
        {GLSLstd450FMax, GLSLstd450FMin, "max", "min"},
        {GLSLstd450UMin, GLSLstd450UMax, "min", "max"},
        {GLSLstd450UMax, GLSLstd450UMin, "max", "min"},
        {GLSLstd450SMin, GLSLstd450SMax, "min", "max"},
        {GLSLstd450SMax, GLSLstd450SMin, "max", "min"},
        {GLSLstd450NMin, GLSLstd450NMax, "min", "max"},
        {GLSLstd450NMax, GLSLstd450NMin, "max", "min"},
    };
    return exchange(c, item, way, pairs, sizeof pairs / sizeof *pairs);
}

static bool exponential(struct module_change *c, uint32_t item, int way) {
    static const struct counterpart pairs[] = {
        {GLSLstd450Exp, GLSLstd450Exp2, "exp", "exp2"},
        {GLSLstd450Exp2, GLSLstd450Exp, "exp2", "exp"},
        {GLSLstd450Log, GLSLstd450Log2, "log", "log2"},
        {GLSLstd450Log2, GLSLstd450Log, "log2", "log"},
    };
    return exchange(c, item, way, pairs, sizeof pairs / sizeof *pairs);
}

static bool root(struct module_change *c, uint32_t item, int way) {
    static const struct counterpart pairs[] = {
        {GLSLstd450Sqrt, GLSLstd450InverseSqrt, "sqrt", "inversesqrt"},
        {GLSLstd450InverseSqrt, GLSLstd450Sqrt, "inversesqrt", "sqrt"},
        {GLSLstd450Sin, GLSLstd450Cos, "sin", "cos"},
        {GLSLstd450Cos, GLSLstd450Sin, "cos", "sin"},
    };
    return exchange(c, item, way, pairs, sizeof pairs / sizeof *pairs);
}

static bool rounding(struct module_change *c, uint32_t item, int way) {
    static const struct counterpart pairs[] = {
        {GLSLstd450Floor, GLSLstd450RoundEven, "floor", "roundEven"},
        {GLSLstd450Floor, GLSLstd450Trunc, "floor", "trunc"},
        {GLSLstd450Ceil, GLSLstd450RoundEven, "ceil", "roundEven"},
        {GLSLstd450Ceil, GLSLstd450Trunc, "ceil", "trunc"},
        {GLSLstd450Round, GLSLstd450RoundEven, "round", "roundEven"},
        {GLSLstd450Round, GLSLstd450Trunc, "round", "trunc"},
        {GLSLstd450RoundEven, GLSLstd450Floor, "roundEven", "floor"},
        {GLSLstd450RoundEven, GLSLstd450Trunc, "roundEven", "trunc"},
        {GLSLstd450Trunc, GLSLstd450Floor, "trunc", "floor"},
        {GLSLstd450Trunc, GLSLstd450RoundEven, "trunc", "roundEven"},
    };
    return exchange(c, item, way, pairs, sizeof pairs / sizeof *pairs);
}

static bool absolute(struct module_change *c, uint32_t item, int way) {
    uint32_t number = mutation_extended(c->code, item);
    if ((number != GLSLstd450FAbs && number != GLSLstd450SAbs) || way) return false;
    change_remake(c, item, SpvOpCopyObject, OPERANDS(code_word(c->code, item, 5)));
    change_tell(c, "abs was dropped");
    return true;
}

// Way 0 drops the upper end, way 1 the lower end.
static bool clamp(struct module_change *c, uint32_t item, int way) {
    static const struct {
        uint16_t clamp, without[2];
    } clamps[] = {
        {GLSLstd450FClamp, {GLSLstd450FMax, GLSLstd450FMin}},
        {GLSLstd450UClamp, {GLSLstd450UMax, GLSLstd450UMin}},
        {GLSLstd450SClamp, {GLSLstd450SMax, GLSLstd450SMin}},
        {GLSLstd450NClamp, {GLSLstd450NMax, GLSLstd450NMin}},
    };
    uint32_t number = mutation_extended(c->code, item);
    for (size_t i = 0; way < 2 && i < sizeof clamps / sizeof *clamps; i++) {
        if (clamps[i].clamp != number) continue;
        mutation_extended_remake(c, item, clamps[i].without[way],
            OPERANDS(code_word(c->code, item, 5), code_word(c->code, item, way ? 7 : 6)));
        change_tell(c, "clamp lost its %s end", way ? "lower" : "upper");
        return true;
    }
    return false;
}

const struct mutation mutations_extended[] = {
    {"extended.extreme", "min for max", extreme},
    {"extended.clamp", "a clamp with only one end", clamp},
    {"extended.exponential", "exp for exp2, log for log2", exponential},
    {"extended.root", "sqrt for inversesqrt, sin for cos", root},
    {"extended.rounding", "floor for round or trunc", rounding},
    {"extended.absolute", "a missing abs", absolute},
    {NULL, NULL, NULL},
};
