// SPDX-License-Identifier: Apache-2.0
#include "contract.h"

#include "../../../base/text.h"
#include "../../../../reference/operator.h"

#include <math.h>

// ---- conditions on parameters

// Returns whether the value of the parameter satisfies the condition.
static bool param_rule_holds(const struct param_rule *rule, double value) {
    const double given = (double)(float)value, number = (double)(float)rule->number;
    switch (rule->kind) {
    case RULE_MULTIPLE:
        return fmod(given, number) == 0;
    case RULE_AT_MOST:
        return rule->reversed ? number <= given : given <= number;
    case RULE_EQUAL:
        return given == number;
    }
    return false;
}

const struct param_rule *param_rule_broken(const struct kernel *kernel, const double *params) {
    for (int i = 0; i < kernel->param_rule_count; i++)
        if (!param_rule_holds(&kernel->param_rules[i], params[kernel->param_rules[i].param]))
            return &kernel->param_rules[i];
    return NULL;
}

double kernel_param_standard(const struct kernel *kernel, int param) {
    const double standard = kernel->op->params[param].standard;
    for (int i = 0; i < kernel->param_rule_count; i++) {
        const struct param_rule *rule = &kernel->param_rules[i];
        if (rule->param == param && !param_rule_holds(rule, standard)) return rule->number;
    }
    return standard;
}

void kernel_params_conform(const struct kernel *kernel, double *params) {
    for (int i = 0; i < kernel->param_rule_count; i++) {
        const struct param_rule *rule = &kernel->param_rules[i];
        if (!param_rule_holds(rule, params[rule->param]))
            params[rule->param] = kernel_param_standard(kernel, rule->param);
    }
}

// ---- conventions left open

static bool shows_nan(const struct operand *x) {
    return x->specials || x->preserves == PRESERVES_BITS || x->fill == FILL_BROKEN || x->lines == LINES_ANY ||
           x->lines == LINES_ORDERED || x->lines == LINES_SOME || x->lines == LINES_BROKEN;
}

static bool shows_ties(const struct operand *x) {
    return x->fill == FILL_STEPS;
}

static bool shows_masked_row(const struct operand *x) {
    return x->fill == FILL_MASK || x->lines == LINES_MASKED || x->lines == LINES_SCARCE || x->lines == LINES_INFINITE;
}

static bool shows_out_of_range(const struct operand *x) {
    return x->fill == FILL_OUT_OF_RANGE;
}

static bool shows_subnormals(const struct operand *x) {
    return x->specials || x->preserves == PRESERVES_BITS;
}

static const struct {
    const char *name;
    bool (*shown_by)(const struct operand *x);
} conventions[LEAVE_COUNT] = {
    [LEAVE_NAN] = {"nan", shows_nan},
    [LEAVE_TIES] = {"ties", shows_ties},
    [LEAVE_MASKED_ROW] = {"masked_row", shows_masked_row},
    [LEAVE_INDEX_RANGE] = {"index_range", shows_out_of_range},
    [LEAVE_SUBNORMALS] = {"subnormals", shows_subnormals},
};

const char *leave_name(enum leave leave) {
    return conventions[leave].name;
}

bool leave_concerns(const struct op *op, enum leave leave) {
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_OUT && conventions[leave].shown_by(&op->operands[i])) return true;
    return false;
}

const char *kernel_leaves_text(struct arena *arena, const struct kernel *kernel) {
    struct text text = {0};
    for (int i = 0; i < LEAVE_COUNT; i++)
        if (kernel->leaves[i]) text_format(&text, "%s%s", text.length ? ", " : "", leave_name((enum leave)i));
    return text.length ? arena_take(arena, &text) : NULL;
}
