// SPDX-License-Identifier: Apache-2.0
// Evaluates an operator's double reference for numpy_check.py:
//     evaluate NAME DIM... [NAME=VALUE...] < inputs > output
//
// A NAME after the dims is a parameter. With the name "output", VALUE is the requested operand; the default is the
// first output. The inputs are doubles in the machine's byte order, operand after operand, and so is the output.
#include "evaluated.h"
#include "../operator.h"

#include <stdio.h>
#include <string.h>

static bool read_inputs(struct problem *p) {
    for (int i = 0; i < operator_operands(p->op); i++) {
        int64_t count = operand_elements(p->op, &p->op->operands[i], p->dims);
        double value;
        if (!p->in[i] && !p->ints[i]) continue;
        for (int64_t j = 0; j < count; j++) {
            if (fread(&value, sizeof value, 1, stdin) != 1) return false;
            problem_set_at(p, i, j, value);
        }
    }
    return true;
}

// Splits "NAME=VALUE"; returns NULL without '='.
static const char *value_of(char *argument) {
    char *equals = strchr(argument, '=');
    if (!equals) return NULL;
    *equals = 0;
    return equals + 1;
}

// Reads the arguments after the dims; returns false if the operator has no such name.
static bool read_choices(const struct op *op, char **arguments, int count, double *params, int *output) {
    for (int i = 0; i < operator_params(op); i++) params[i] = op->params[i].standard;
    *output = operator_first_output(op);
    for (int i = 0; i < count; i++) {
        const char *value = value_of(arguments[i]);
        int param = operator_param_index(op, arguments[i]);
        if (value && strcmp(arguments[i], "output") == 0)
            *output = operator_operand_index(op, value);
        else if (value && param >= 0)
            params[param] = strtod(value, NULL);
        else
            return false;
    }
    return *output >= 0 && op->operands[*output].role != ROLE_IN;
}

int main(int argc, char **argv) {
    const struct op *op = argc > 1 ? operator_named(argv[1]) : NULL;
    int64_t dims[2 * OPERATOR_DIMS];
    double params[OPERATOR_PARAMS];
    int given = op ? operator_dims(op) : 0, output = -1;
    if (!op || argc < 2 + given || !read_choices(op, argv + 2 + given, argc - 2 - given, params, &output)) {
        fprintf(stderr, "usage: evaluate OPERATOR DIM... [NAME=VALUE...] < inputs > output\n");
        return 64;
    }
    for (int i = 0; i < given; i++) dims[i] = strtoll(argv[2 + i], NULL, 10);
    const char *why = operator_derive(op, dims);
    if (why) {
        fprintf(stderr, "%s: %s\n", op->name, why);
        return 64;
    }
    struct problem p = problem_open_output(op, dims, output, 1);
    memcpy(p.params, params, sizeof params);
    bool ok = read_inputs(&p);
    if (ok) {
        size_t count = (size_t)p.elements;
        problem_truth(&p, 0, p.elements);
        ok = fwrite(p.out, sizeof *p.out, count, stdout) == count;
    }
    problem_close(&p);
    return ok ? 0 : 65;
}
