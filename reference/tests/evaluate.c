// SPDX-License-Identifier: Apache-2.0
// Evaluates an operator's double reference for numpy_check.py:
//     evaluate NAME DIM... < inputs > output
// The inputs are doubles in the machine's order, operand after operand; so is the output.
#include "problem.h"

#include <stdio.h>

static bool read_inputs(struct problem *p) {
    for (int i = 0; i < operator_operands(p->op); i++) {
        size_t count = (size_t)operand_elements(p->op, &p->op->operands[i], p->dims);
        if (p->in[i] && fread(p->in[i], sizeof *p->in[i], count, stdin) != count) return false;
    }
    return true;
}

int main(int argc, char **argv) {
    const struct operator *op = argc> 1 ? operator_named(argv[1]) : NULL;
    if (!op || argc != 2 + operator_dims(op)) {
        fprintf(stderr, "usage: evaluate OPERATOR DIM... < inputs > output\n");
        return 64;
    }
    int64_t dims[2 * OPERATOR_DIMS];
    for (int i = 0; i < operator_dims(op); i++) dims[i] = strtoll(argv[2 + i], NULL, 10);
    const char *why = operator_derive(op, dims);
    if (why) {
        fprintf(stderr, "%s: %s\n", op->name, why);
        return 64;
    }
    struct problem p = problem_open(op, dims, 1);
    bool ok = read_inputs(&p);
    if (ok) {
        size_t count = (size_t)p.elements;
        problem_truth(&p, 0, p.elements);
        ok = fwrite(p.out, sizeof *p.out, count, stdout) == count;
    }
    problem_close(&p);
    return ok ? 0 : 65;
}
