// SPDX-License-Identifier: Apache-2.0
// Expressions that a host computes before a dispatch, such as "1 / (1 - beta1^step)". They are evaluated in double.
#ifndef VKASSAY_MANIFEST_EXPRESSION_H
#define VKASSAY_MANIFEST_EXPRESSION_H

#include "../../base/arena.h"

#include <stdbool.h>

enum { EXPRESSION_STEPS = 64, EXPRESSION_DEPTH = 16 };

// A number, a name or an operation on the latest values, in the order of evaluation.
struct expression_step {
    double number;
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
};
struct expression {
    const char *text;
    struct expression_step steps[EXPRESSION_STEPS];
    int count;
};

// Reads + - * / ^ and parentheses, names, decimal numbers, and some functions. Returns NULL
// with the reason in *fault. The expression is in the arena.
const struct expression *expression_read(struct arena *arena, const char *text, const char **fault);

// Evaluates the expression. `value_of` gives the value of each name.
double expression_value(const struct expression *expression, double (*value_of)(const void *context, const char *name),
    const void *context);

#endif
