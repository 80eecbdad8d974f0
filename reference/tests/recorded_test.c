// SPDX-License-Identifier: Apache-2.0
// Sums over the outputs, magnitudes and bounds of every operator are as recorded in recorded.txt. So no formula and no
// range of an input changes unnoticed. `build/tests/reference-recorded_test --write` prints the file.
#include "evaluated.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { OUT, MAGNITUDE, BOUND, BOUND_UNROUNDED, SUMS }; // the last: without a declared rounding to nearest
static const char path[] = "reference/tests/recorded.txt";

struct row {
    char name[40];
    int output;
    long long elements, unusual[SUMS]; // infinite or NaN
    double sum[SUMS], size[SUMS];
};

// Adds numbers with weights, so that exchanged ones differ.
static void add_up(struct row *row, int which, const double *values) {
    for (long long i = 0; i < row->elements; i++) {
        if (!isfinite(values[i])) {
            row->unusual[which]++;
            continue;
        }
        row->sum[which] += (double)(i % 5 + 1) * values[i];
        row->size[which] += (double)(i % 5 + 1) * fabs(values[i]);
    }
}

static struct row row_of(const struct op *op, int output, const int64_t *dims) {
    struct problem p = problem_open_output(op, dims, output, 7);
    struct row row = {.output = output, .elements = p.elements};
    snprintf(row.name, sizeof row.name, "%s", op->name);
    problem_round_params(&p);
    problem_truth(&p, 0, p.elements);
    add_up(&row, OUT, p.out), add_up(&row, MAGNITUDE, p.magnitude), add_up(&row, BOUND, p.bound);
    p.unrounded = true;
    problem_truth(&p, 0, p.elements);
    add_up(&row, BOUND_UNROUNDED, p.bound);
    problem_close(&p);
    return row;
}

// Returns the elements of all operands together, or 0 if one has none or the dims are not legal.
static int64_t all_elements(const struct op *op, const int64_t *dims) {
    int64_t all[2 * OPERATOR_DIMS], sum = 0;
    for (int i = 0; i < operator_dims(op); i++) all[i] = dims[i];
    if (operator_derive(op, all)) return 0;
    for (int i = 0; i < operator_operands(op); i++) {
        const int64_t elements = operand_elements(op, &op->operands[i], all);
        if (elements == 0) return 0;
        sum += elements;
    }
    return sum;
}

// Draws legal dims, if possible such that there are at least 100 elements.
static void draw_dims(const struct op *op, int64_t *dims) {
    uint64_t seed = 3;
    for (int tries = 0; tries < 100000; tries++) {
        for (int i = 0; i < operator_dims(op); i++)
            dims[i] = (int64_t)((operator_dims(op) < 3 ? 100 : 10) * random_uniform(&seed));
        if (all_elements(op, dims) >= (tries < 10000 ? 100 : 1)) return;
    }
    fail_msg("%s: no such dims", op->name);
}

static void for_each_row(void (*use)(const struct row *row, void *with), void *with) {
    for (int i = 0; operators[i]; i++) {
        int64_t dims[2 * OPERATOR_DIMS];
        draw_dims(operators[i], dims);
        for (int output = 0; output < operator_operands(operators[i]); output++) {
            if (operators[i]->operands[output].role == ROLE_IN) continue;
            const struct row row = row_of(operators[i], output, dims);
            use(&row, with);
        }
    }
}

static void print(const struct row *row, void *file) {
    fprintf(file, "%s %d %lld", row->name, row->output, row->elements);
    for (int s = 0; s < SUMS; s++) fprintf(file, " %lld %.9g", row->unusual[s], row->sum[s]);
    fprintf(file, "\n");
}

static bool read_row(FILE *file, struct row *row) {
    bool ok = fscanf(file, "%39s %d %lld", row->name, &row->output, &row->elements) == 3;
    for (int s = 0; s < SUMS; s++) ok = ok && fscanf(file, "%lld %lf", &row->unusual[s], &row->sum[s]) == 2;
    return ok;
}

// Compares with the next row of the file. Functions of libm may differ by an ULP, and inputs by one of float.
static void compare(const struct row *row, void *file) {
    static const char *const names[] = {"outputs", "magnitudes", "bounds", "bounds without rounding to nearest"};
    struct row kept;
    if (!read_row(file, &kept)) fail_msg("%s: has no row in %s", row->name, path);
    assert_string_equal(row->name, kept.name);
    assert_int_equal(row->output, kept.output);
    assert_int_equal(row->elements, kept.elements);
    for (int s = 0; s < SUMS; s++)
        if (row->unusual[s] != kept.unusual[s] || !(fabs(row->sum[s] - kept.sum[s]) <= 1e-5 * row->size[s]))
            fail_msg("%s, operand %d: the %s add up to %.9g with %lld not finite; recorded: %.9g with %lld", row->name,
                row->output, names[s], row->sum[s], row->unusual[s], kept.sum[s], kept.unusual[s]);
}

static void sums_are_as_recorded(void **state) {
    struct row more;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for_each_row(compare, file);
    assert_false(read_row(file, &more));
    fclose(file);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_as_recorded)};
    if (argc == 2 && strcmp(argv[1], "--write") == 0) {
        for_each_row(print, stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
