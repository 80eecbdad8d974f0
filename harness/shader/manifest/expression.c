// SPDX-License-Identifier: Apache-2.0
#include "expression.h"

#include "../../base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- operations

static double sum_of(double a, double b) {
    return a + b;
}

static double difference_of(double a, double b) {
    return a - b;
}

static double product_of(double a, double b) {
    return a * b;
}

static double quotient_of(double a, double b) {
    return a / b;
}

static double negative_of(double a) {
    return -a;
}

static const struct expression_function {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} functions[] = {
    {"sqrt", sqrt, NULL},
    {"exp", exp, NULL},
    {"exp2", exp2, NULL},
    {"log", log, NULL},
    {"log2", log2, NULL},
    {"abs", fabs, NULL},
    {"floor", floor, NULL},
    {"ceil", ceil, NULL},
    {"min", NULL, fmin},
    {"max", NULL, fmax},
    {"pow", NULL, pow},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

// Returns the names of functions, separated by commas.
static const char *expression_functions(struct arena *arena) {
    struct text text = {0};
    for (int i = 0; i < FUNCTIONS; i++) text_format(&text, "%s%s", i ? ", " : "", functions[i].name);
    return arena_take(arena, &text);
}

// ---- reading

// A reader of one text. Each part appends its steps. Reading stops at the first fault.
struct expression_reading {
    struct arena *arena;
    const char *text, *at;
    struct expression *out;
    int depth;
    const char *fault;
};

static bool is_faulty(struct expression_reading *r, const char *expected) {
    const int column = (int)(r->at - r->text) + 1;
    if (*r->at)
        r->fault = arena_format(r->arena, "expected %s at character %d, found '%c'", expected, column,
            isprint((unsigned char)*r->at) ? *r->at : '?');
    else
        r->fault = arena_format(r->arena, "expected %s at its end", expected);
    return false;
}

static void skip_space(struct expression_reading *r) {
    while (*r->at == ' ') r->at++;
}

static bool took(struct expression_reading *r, char sign) {
    skip_space(r);
    if (*r->at != sign) return false;
    r->at++;
    return true;
}

static bool add_step(struct expression_reading *r, struct expression_step step) {
    if (r->out->count == EXPRESSION_STEPS) {
        r->fault = arena_format(r->arena, "expected at most %d numbers, names and operations", EXPRESSION_STEPS);
        return false;
    }
    r->out->steps[r->out->count++] = step;
    return true;
}

static bool add_two(struct expression_reading *r, double (*two)(double, double)) {
    return add_step(r, (struct expression_step){.two = two});
}

static bool read_sum(struct expression_reading *r);

// Reads digits with at most one point, then at most one exponent.
static bool read_number(struct expression_reading *r) {
    char digits[32];
    const char *end = r->at;
    while (isdigit((unsigned char)*end)) end++;
    if (*end == '.') end++;
    while (isdigit((unsigned char)*end)) end++;
    if ((*end == 'e' || *end == 'E') && isdigit((unsigned char)end[1 + (end[1] == '-' || end[1] == '+')])) {
        end += 1 + (end[1] == '-' || end[1] == '+');
        while (isdigit((unsigned char)*end)) end++;
    }
    const size_t length = (size_t)(end - r->at);
    if (length >= sizeof digits) return is_faulty(r, "a number of at most 31 characters");
    if (length == 1 && *r->at == '.') return is_faulty(r, "a number");
    memcpy(digits, r->at, length);
    digits[length] = '\0';
    r->at = end;
    return add_step(r, (struct expression_step){.number = strtod(digits, NULL)});
}

static bool read_arguments(struct expression_reading *r, const struct expression_function *function) {
    if (!read_sum(r)) return false;
    if (function->two && !took(r, ',')) return is_faulty(r, "',' and a second argument");
    if (function->two && !read_sum(r)) return false;
    if (!took(r, ')')) return is_faulty(r, "')'");
    return add_step(r, (struct expression_step){.one = function->one, .two = function->two});
}

static bool read_name_or_call(struct expression_reading *r) {
    const char *start = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
    const size_t length = (size_t)(r->at - start);
    const char *name = arena_format(r->arena, "%.*s", (int)length, start);
    if (!took(r, '(')) return add_step(r, (struct expression_step){.name = name});
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) return read_arguments(r, &functions[i]);
    r->fault = arena_format(r->arena, "\"%s\" is no function; known are %s", name, expression_functions(r->arena));
    return false;
}

static bool read_atom(struct expression_reading *r) {
    skip_space(r);
    if (isdigit((unsigned char)*r->at) || *r->at == '.') return read_number(r);
    if (isalpha((unsigned char)*r->at) || *r->at == '_') return read_name_or_call(r);
    if (!took(r, '(')) return is_faulty(r, "a number, a name or '('");
    return read_sum(r) && (took(r, ')') || is_faulty(r, "')'"));
}

// Reads -a and a^b. The power binds closer: -a^2 is -(a^2), and a^b^c is a^(b^c).
static bool read_signed(struct expression_reading *r) {
    if (++r->depth > EXPRESSION_DEPTH) {
        r->fault = arena_format(r->arena, "expected at most %d levels", EXPRESSION_DEPTH);
        return false;
    }
    bool ok;
    if (took(r, '-'))
        ok = read_signed(r) && add_step(r, (struct expression_step){.one = negative_of});
    else
        ok = read_atom(r) && (!took(r, '^') || (read_signed(r) && add_two(r, pow)));
    r->depth--;
    return ok;
}

static bool read_term(struct expression_reading *r) {
    if (!read_signed(r)) return false;
    for (;;) {
        const bool times = took(r, '*');
        if (!times && !took(r, '/')) return true;
        if (!read_signed(r) || !add_two(r, times ? product_of : quotient_of)) return false;
    }
}

static bool read_sum(struct expression_reading *r) {
    if (!read_term(r)) return false;
    for (;;) {
        const bool plus = took(r, '+');
        if (!plus && !took(r, '-')) return true;
        if (!read_term(r) || !add_two(r, plus ? sum_of : difference_of)) return false;
    }
}

const struct expression *expression_read(struct arena *arena, const char *text, const char **fault) {
    struct expression *out = arena_alloc(arena, 1, sizeof *out);
    struct expression_reading r = {.arena = arena, .text = text, .at = text, .out = out};
    out->text = text;
    bool ok = read_sum(&r);
    skip_space(&r);
    if (ok && *r.at) ok = is_faulty(&r, "an operation");
    *fault = r.fault;
    return ok ? out : NULL;
}

// ---- evaluation

double expression_value(const struct expression *expression, double (*value_of)(const void *context, const char *name),
    const void *context) {
    double values[EXPRESSION_STEPS + 1] = {0}; // a read expression never takes more values than it has
    int count = 0;
    for (int i = 0; i < expression->count; i++) {
        const struct expression_step *step = &expression->steps[i];
        if (step->two) {
            count--;
            values[count - 1] = step->two(values[count - 1], values[count]);
        } else if (step->one) {
            values[count - 1] = step->one(values[count - 1]);
        } else {
            values[count++] = step->name ? value_of(context, step->name) : step->number;
        }
    }
    return values[0];
}
