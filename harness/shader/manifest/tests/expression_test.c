// SPDX-License-Identifier: Apache-2.0
// Expressions of hosts: values known by hand, and texts that are no expression.
#include "../expression.h"
#include "../../../../reference/tests/unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// beta is 0.5, step is 3, n is 1025.
static double value_of(const void *context, const char *name) {
    (void)context;
    return strcmp(name, "beta") == 0 ? 0.5 : strcmp(name, "step") == 0 ? 3 : strcmp(name, "n") == 0 ? 1025 : NAN;
}

static void values_are_those_of_mathematics(void **state) {
    static const struct {
        const char *text;
        double want;
    } rows[] = {
        {"1 / (1 - beta^step)", 1 / 0.875},
        {"1/(1-beta^step)", 1 / 0.875},
        {" n ", 1025},
        {"1 - 2 - 3", -4},
        {"8 / 4 / 2", 1},
        {"2 + 3 * 4", 14},
        {"2 * 3 + 4", 10},
        {"(2 + 3) * 4", 20},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"2^-1", 0.5},
        {"-(-3)", 3},
        {"2 * -3", -6},
        {"sqrt(16) + abs(-2)", 6},
        {"floor(2.5) + ceil(2.5)", 5},
        {"min(2, 3) - max(2, 3)", -1},
        {"pow(2, step) + exp2(2) + log2(8)", 15},
        {"exp(0) + log(1)", 1},
        {"1e3 + 1.5e-1 + .5 + 2.", 1002.65},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *fault;
        const struct expression *e = expression_read(&arena, rows[i].text, &fault);
        if (!e) fail_msg("%s: %s", rows[i].text, fault);
        const double got = expression_value(e, value_of, NULL);
        if (fabs(got - rows[i].want) > 1e-12) fail_msg("%s: %g, expected %g", rows[i].text, got, rows[i].want);
    }
    arena_free(&arena);
}

static void other_texts_are_refused_where_they_go_wrong(void **state) {
    static const char *const rows[][2] = {
        {"", "expected a number, a name or '(' at its end"},
        {"1 +", "expected a number, a name or '(' at its end"},
        {"1 2", "expected an operation at character 3, found '2'"},
        {"(1", "expected ')' at its end"},
        {"1)", "expected an operation at character 2, found ')'"},
        {".", "expected a number at character 1, found '.'"},
        {"1e", "expected an operation at character 2, found 'e'"},
        {"0x10", "expected an operation at character 2, found 'x'"},
        {"+1", "expected a number, a name or '(' at character 1, found '+'"},
        {"system(1)", "\"system\" is no function; known are sqrt, "},
        {"min(1)", "expected ',' and a second argument at character 6, found ')'"},
        {"sqrt(1, 2)", "expected ')' at character 7, found ','"},
        {"1 \n", "expected an operation at character 3, found '?'"},
        {"11111111111111111111111111111111", "a number of at most 31 characters"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *fault = NULL;
        if (expression_read(&arena, rows[i][0], &fault)) fail_msg("accepted: %s", rows[i][0]);
        if (!strstr(fault, rows[i][1])) fail_msg("%s: %s", rows[i][0], fault);
    }
    arena_free(&arena);
}

// Texts of any length and depth end with a reason, not with the stack.
static void long_and_deep_texts_are_refused(void **state) {
    static const char *const parts[] = {"(", "-", "1+", "2^", "abs("};
    static char text[200001];
    struct arena arena = {0};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        const char *fault = NULL;
        text[0] = '\0';
        const size_t length = strlen(parts[p]);
        size_t at = 0;
        for (; at + length + 1 < sizeof text; at += length) memcpy(&text[at], parts[p], length);
        memcpy(&text[at], "1", 2);
        assert_null(expression_read(&arena, text, &fault));
        assert_non_null(strstr(fault, "expected at most "));
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_mathematics),
        cmocka_unit_test(other_texts_are_refused_where_they_go_wrong),
        cmocka_unit_test(long_and_deep_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
