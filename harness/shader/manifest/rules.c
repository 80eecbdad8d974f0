// SPDX-License-Identifier: Apache-2.0
#include "shape.h"
#include "../../../reference/operator.h"

#include <string.h>

// ROUNDS limits the attempts, because mending one rule may break another. REACH limits how far a dim is moved if no
// formula gives its value.
enum { ROUNDS = 12, REACH = 64, DIMS = OPERATOR_DIMS * 2 };

bool rule_holds(const struct kernel *kernel, const struct rule *rule, const int64_t *dims, const struct shape *shape) {
    const int64_t of = product_value(kernel, &rule->of, dims, shape),
                  by = product_value(kernel, &rule->by, dims, shape);
    if (of < 0 || by < 0) return false;
    switch (rule->kind) {
    case RULE_MULTIPLE:
        return by > 0 && of % by == 0;
    case RULE_AT_MOST:
        return of <= by;
    case RULE_EQUAL:
        return of == by;
    }
    return false;
}

static int first_broken(const struct kernel *kernel, const int64_t *dims, const struct shape *shape) {
    for (int i = 0; i < kernel->rule_count; i++) {
        const struct rule *rule = &kernel->rules[i];
        const bool names_dims = product_dim(kernel, &rule->of) || product_dim(kernel, &rule->by);
        if (names_dims && !rule_holds(kernel, rule, dims, shape)) return i;
    }
    return -1;
}

// ---- one dim of one rule

struct mending {
    const struct kernel *kernel;
    const struct shape *shape;
    const struct rule *rule;
    enum rules_way way;
    int dim;
    int64_t *dims;
};

// Returns how often the dim is a plain factor of the product.
static int times_in(const struct mending *m, const struct product *product) {
    int times = 0;
    for (int i = 0; i < product->count; i++)
        times += product->factors[i].name && strcmp(product->factors[i].name, m->kernel->op->dims[m->dim]) == 0;
    return times;
}

// Returns the product without the dim.
static int64_t rest_of(const struct mending *m, const struct product *product) {
    int64_t dims[DIMS];
    memcpy(dims, m->dims, sizeof dims);
    dims[m->dim] = 1;
    return product_value(m->kernel, product, dims, m->shape);
}

static int64_t greatest_common(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

enum { NONE = -1 };

// Returns the size required by the rule for a dim on its left side.
static int64_t wanted_left(const struct mending *m) {
    const int64_t rest = rest_of(m, &m->rule->of), by = product_value(m->kernel, &m->rule->by, m->dims, m->shape);
    if (rest < 1 || by < 1) return NONE;
    if (m->rule->kind == RULE_AT_MOST) return by / rest;
    if (m->rule->kind == RULE_EQUAL) return by % rest == 0 ? by / rest : NONE;
    const int64_t step = by / greatest_common(by, rest), turns = m->dims[m->dim] / step;
    int64_t size;
    return __builtin_mul_overflow(turns + (m->way == RULES_UP), step, &size) ? NONE : size;
}

// Returns the size required by the rule for a dim on its right side. For a multiple it is the greatest divisor.
static int64_t wanted_right(const struct mending *m) {
    const int64_t rest = rest_of(m, &m->rule->by), of = product_value(m->kernel, &m->rule->of, m->dims, m->shape);
    if (rest < 1 || of < 1) return NONE;
    if (m->rule->kind == RULE_AT_MOST) return of / rest + (of % rest != 0);
    return of % rest == 0 ? of / rest : NONE;
}

// Sets the dim to the size if the rule then holds. A RULE_AT_MOST may need a size of 0, such as no padding; other
// rules never get 0.
static bool try_size(const struct mending *m, int64_t size) {
    const int64_t least = m->rule->kind == RULE_AT_MOST ? 0 : 1;
    int64_t dims[DIMS];
    memcpy(dims, m->dims, sizeof dims);
    dims[m->dim] = size;
    if (size < least || operator_derive(m->kernel->op, dims) || !rule_holds(m->kernel, m->rule, dims, m->shape))
        return false;
    memcpy(m->dims, dims, sizeof dims);
    return true;
}

static bool mend_directly(const struct mending *m) {
    const int left = times_in(m, &m->rule->of), right = times_in(m, &m->rule->by);
    if (left && !right) return try_size(m, wanted_left(m));
    return right == 1 && !left && try_size(m, wanted_right(m));
}

// Searches near sizes, for rules with derived dims, quotients or powers.
static bool mend_by_search(const struct mending *m) {
    const int64_t size = m->dims[m->dim];
    for (int64_t by = 1; by <= REACH; by++) {
        const int64_t near = m->way == RULES_UP ? size + by : size - by, far = 2 * size - near;
        if (try_size(m, near) || try_size(m, far)) return true;
    }
    return false;
}

// ---- all dims of all rules

// Tries each dim but the kept one, then the kept one.
static bool mend(struct mending *m, bool (*by)(const struct mending *), int kept) {
    for (m->dim = 0; m->dim < operator_dims(m->kernel->op); m->dim++)
        if (m->dim != kept && by(m)) return true;
    m->dim = kept;
    return kept >= 0 && by(m);
}

static bool meet_from(
    const struct kernel *kernel, const struct shape *shape, enum rules_way way, int kept, int64_t *dims) {
    if (operator_derive(kernel->op, dims)) return false;
    for (int round = 0; round < ROUNDS; round++) {
        const int broken = first_broken(kernel, dims, shape);
        if (broken < 0) return true;
        struct mending m = {.kernel = kernel, .shape = shape, .rule = &kernel->rules[broken], .way = way, .dims = dims};
        if (!mend(&m, mend_directly, kept) && !mend(&m, mend_by_search, kept)) return false;
    }
    return false;
}

bool rules_meet(const struct kernel *kernel, const struct shape *shape, enum rules_way way, int kept, int64_t *dims) {
    int64_t tried[DIMS];
    memcpy(tried, dims, sizeof tried);
    bool met = meet_from(kernel, shape, way, kept, tried);
    for (int i = 0; !met && i < 2; i++) { // starts again with the other dims at 1, then with all at 1
        memcpy(tried, dims, sizeof tried);
        for (int d = 0; d < operator_dims(kernel->op); d++)
            if (d != kept || i) tried[d] = 1;
        met = meet_from(kernel, shape, way, kept, tried);
    }
    if (met) memcpy(dims, tried, sizeof tried);
    return met;
}
