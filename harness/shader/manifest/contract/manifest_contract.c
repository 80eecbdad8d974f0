// SPDX-License-Identifier: Apache-2.0
// Members of a contract: parameters in "fixed" and "rules", and "leaves".
#include "../manifest.h"
#include "contract.h"
#include "../../../../reference/operator.h"

#include <math.h>
#include <string.h>

static bool add_rule(struct kernel_reading *r, const struct json_at *at, const struct param_rule *rule) {
    struct kernel *k = r->kernel;
    if (k->param_rule_count == KERNEL_RULES)
        return json_fail(at, r->err, "expected at most %d conditions on parameters", KERNEL_RULES);
    k->param_rules[k->param_rule_count++] = *rule;
    return true;
}

// Reads a number that the parameter can have.
static bool read_param_number(struct kernel_reading *r, const struct json_at *at, int param, double *out) {
    const struct parameter *p = &r->kernel->op->params[param];
    if (!json_number(at, out, r->err)) return false;
    if (p->integer && *out != floor(*out)) return json_fail(at, r->err, "%s is a whole number, not %g", p->name, *out);
    if ((p->low == 0 && p->high == 0) || (*out >= p->low && *out <= p->high)) return true;
    return json_fail(at, r->err, "%s lies in [%g, %g], and %g does not", p->name, p->low, p->high, *out);
}

bool read_fixed_param(struct kernel_reading *r, const struct member *member, int param) {
    struct param_rule rule = {.kind = RULE_EQUAL, .param = param, .why = "compiled into the shader"};
    return read_param_number(r, &member->at, param, &rule.number) && add_rule(r, &member->at, &rule);
}

static int param_at(const struct kernel_reading *r, const struct json_at *at) {
    const struct op *op = r->kernel->op;
    if (!json_object_is_type(at->value, json_type_string)) return -1;
    const char *name = json_object_get_string(at->value);
    return operator_dim_index(op, name) >= 0 ? -1 : operator_param_index(op, name);
}

bool is_param_rule(const struct kernel_reading *r, const struct json_at sides[2]) {
    return param_at(r, &sides[0]) >= 0 || param_at(r, &sides[1]) >= 0;
}

bool read_param_rule(struct kernel_reading *r, const struct json_at sides[2], enum rule_kind kind, const char *why) {
    struct param_rule rule = {.kind = kind, .param = param_at(r, &sides[0]), .why = why};
    rule.reversed = rule.param < 0;
    if (rule.reversed) rule.param = param_at(r, &sides[1]);
    const struct json_at *number = &sides[!rule.reversed];
    if (param_at(r, number) >= 0)
        return json_fail(number, r->err, "expected a number beside a parameter, found another parameter");
    if (!read_param_number(r, number, rule.param, &rule.number)) return false;
    if (kind == RULE_MULTIPLE && (rule.reversed || rule.number < 1))
        return json_fail(number, r->err, "expected a multiple of a number from 1");
    return add_rule(r, number, &rule);
}

ENUM_KIND(static, leave, leave_name, leave, 0, LEAVE_COUNT, "a convention")

static bool read_leave(struct kernel_reading *r, const struct json_at *at) {
    int leave;
    if (!read_word_of(r, at, &leave_words, "convention", &leave)) return false;
    if (!leave_concerns(r->kernel->op, (enum leave)leave))
        return json_fail(at, r->err, "no input of %s shows the convention \"%s\"", r->kernel->op->name,
            leave_name((enum leave)leave));
    return r->kernel->leaves[leave] = true;
}
EACH_KIND(, leaves, kind_leave, LEAVE_COUNT, read_leave, .meaning = "Conventions that the kernel does not promise.")
