// SPDX-License-Identifier: Apache-2.0
// Sizes at which a kernel may begin to work in another way: powers of two, numbers in its shaders, and every remainder
// of an unrolled loop.
#include "edges.h"
#include "sampler.h"
#include "../../../reference/operator.h"

#include <string.h>

// Powers of two from 2^FIRST_POWER to 2^LAST_POWER. Within an operand, a kernel's steps may grow as the square of a
// dim. An operator of many dims has such a dim no larger than 2^WITHIN_POWER, because a CPU takes seconds. For a single
// pass with barriers it is 2^SHORT_POWER. A dim of few elements beside a large one has up to FEW, a whole vector.
// MOST_UNROLLED: largest value of a tunable whose remainders are tried.
enum { FIRST_POWER = 9, WITHIN_POWER = 13, LAST_POWER = 16, FEW = 8, MOST_UNROLLED = 8 };
enum { SHORT_POWER = 11, INVOCATIONS_OF_PASSES = 4, STEPS_OF_PASSES = 64 };
// LONG is far beyond 2^15, and below 2^16 because lavapipe ends longer loops. Where barriers make invocations dear,
// sizes above FINE take the finest shape.
enum { LONG = 49153, FINE = 1 << 11 };
// Beyond small sizes, these are whole pairs but no whole vectors of four. Most other sizes are odd or whole vectors.
enum { PAIRS = 258 };
// Of the numbers of a shader, at most MOST_NUMBERS serve, from LEAST_NUMBER on.
enum { LEAST_NUMBER = 6, MOST_NUMBERS = 12 };

// Beside the power of two, 2^14 rows have their workgroups of 16.
static const struct sample_limits alone = {.elements = 1 << 18,
    .operations = 4e6,
    .invocations = (1 << 18) + (1 << 14),
    .steps = 1 << 23,
    .iterations = 1 << 14};
// A loop without barriers takes milliseconds.
static const struct sample_limits alone_without_barriers = {.elements = 1 << 18,
    .operations = 4e6,
    .invocations = (1 << 18) + (1 << 14),
    .steps = 1 << 23,
    .iterations = 65000};
static const struct sample_limits beside_few = {
    .elements = 1 << 19, .operations = 4e6, .invocations = 1 << 18, .steps = 1 << 23, .iterations = 1 << 12};
static const struct sample_limits beside_few_of_many = {.elements = 1 << 17,
    .operations = 1e6,
    .invocations = (1 << 16) + (1 << 12),
    .steps = 1 << 21,
    .iterations = 1 << 12};

// Gives the other dims a few elements, as far as affordable: the first one a whole vector. This is the innermost one in
// half of the cases. If there are many dims, half of the others stay.
static void set_few(struct case_sampler *s, const struct shape *shape, int dim, int64_t *dims) {
    const int count = operator_dims(s->kernel->op);
    const int first = sampler_draw(s) & 1 ? count - 1 : (int)sampler_draw_below(s, (size_t)count);
    bool vector = true;
    for (int i = 0; i < count; i++) {
        const int d = (first - i + count) % count;
        if (d == dim || !sampler_is_size(s->kernel->op, d)) continue;
        if (!vector && count > SAMPLER_MANY_DIMS && (sampler_draw(s) & 1)) continue;
        sampler_set_size(s, shape, dims, d, vector ? FEW : 2 + (int64_t)sampler_draw_below(s, FEW - 1));
        vector = false;
    }
}

// Adds a point with the dim at this size, if affordable. Others are as small as possible, or have a few elements.
static bool add_size(struct case_sampler *s, const struct shape *shape, int dim, int64_t size, bool few, int *added) {
    struct point point = sampler_thin(s, shape, dim);
    if (!sampler_set_size(s, shape, point.dims, dim, size)) return true;
    if (few) set_few(s, shape, dim, point.dims);
    point.shape = *shape;
    if (!sampler_is_planned(s, &point)) return sampler_add(s, &point, shape, added);
    ++*added;
    return true;
}

// Adds a size within the limits. The default shape may have too many invocations; the finest one then serves.
static bool add_within(struct case_sampler *s, const struct sample_limits *limits, const struct shape *shape,
    const struct shape *finest, int dim, int64_t size, bool few) {
    const struct sample_limits *before = s->limits;
    int added = 0;
    s->limits = limits;
    const bool ok =
        add_size(s, shape, dim, size, few, &added) && (added || add_size(s, finest, dim, size, few, &added));
    s->limits = before;
    return ok;
}

// Returns the limits for sizes with the others at their least, or with a few elements beside it. Kernels of several
// passes have more steps. They are counted as if the pass with the most invocations had the longest sum, and passes
// that join results have few.
static struct sample_limits limits_of(const struct case_sampler *s, int dim, int64_t size, bool few) {
    const bool many = operator_dims(s->kernel->op) > SAMPLER_MANY_DIMS;
    const bool within = !sampler_grows(s->kernel->op, dim) && size > 1 + (1 << SHORT_POWER);
    struct sample_limits limits = s->kernel->shared_count > 0 ? alone : alone_without_barriers;
    if (few) limits = beside_few;
    if (many && (few || within)) limits = beside_few_of_many;
    if (s->kernel->pass_count > 1) {
        limits.invocations *= INVOCATIONS_OF_PASSES;
        limits.steps *= STEPS_OF_PASSES;
    }
    return limits;
}

// Adds `size` with the other dims at their least, and `near` with a few elements beside it, in any of the shapes. A dim
// may hide an error if others are 1: a softmax of one key has no use for its score.
static bool add_both(struct case_sampler *s, const struct shape_sample *shapes, int dim, int64_t size, int64_t near) {
    const struct shape *shape = &shapes->items[0], finest = sampler_finest(s, shapes);
    const bool barriers = s->kernel->shared_count > 0, fine = barriers && size > FINE;
    const size_t any = sampler_draw_below(s, shapes->count + 1);
    const struct sample_limits thin = limits_of(s, dim, size, false), few = limits_of(s, dim, size, true);
    return add_within(s, &thin, fine ? &finest : shape, fine ? shape : &finest, dim, size, false) &&
           add_within(s, &few, any < shapes->count ? &shapes->items[any] : &finest, &finest, dim, near, true);
}

int sampler_last_power(const struct case_sampler *s, int dim) {
    if (sampler_grows(s->kernel->op, dim)) return LAST_POWER;
    return s->kernel->shared_count > 0 && s->kernel->pass_count == 1 ? SHORT_POWER : WITHIN_POWER;
}

int sampler_edges(const struct case_sampler *s, const struct shape *shape, int dim, int64_t sizes[EDGE_SIZES]) {
    const int64_t most = 1 + ((int64_t)1 << sampler_last_power(s, dim));
    int count = edge_sizes(s->kernel, shape, dim, sizes);
    while (count > 1 && sizes[count - 1] > most) count--;
    return count;
}

// Adds every power of two: one more with the other dims at their least, then the power, one more or one less.
static bool add_powers(struct case_sampler *s, const struct shape_sample *shapes, int dim) {
    static const int64_t beside[] = {0, 0, 1, -1};
    const int last = sampler_last_power(s, dim);
    // The dim's greatest power of two is in the finest shape. All its tiles are whole, and there are the most of them.
    const int64_t greatest = (int64_t)1 << (last < LAST_POWER ? last : LAST_POWER - 1);
    const struct shape finest = sampler_finest(s, shapes);
    const struct sample_limits limits = limits_of(s, dim, greatest, false);
    bool ok = add_within(s, &limits, &finest, &finest, dim, greatest, false);
    for (int power = FIRST_POWER; ok && power <= last; power++) {
        const int64_t size = (int64_t)1 << power;
        ok = add_both(s, shapes, dim, size + 1, size + beside[sampler_draw_below(s, 4)]);
    }
    const struct sample_limits of_pairs = limits_of(s, dim, PAIRS, false);
    ok = ok && add_within(s, &of_pairs, &shapes->items[0], &shapes->items[0], dim, PAIRS, false);
    return ok && (last < LAST_POWER || add_both(s, shapes, dim, LONG, LONG));
}

// Adds sizes with every number of iterations that a loop unrolled `times` times leaves to its tail, for a loop over
// elements and for one over workgroups.
static bool add_remainders(struct case_sampler *s, const struct shape *shape, int dim, int64_t times) {
    const int64_t step[] = {1, edge_invocations(s->kernel, shape)};
    bool ok = true;
    int added = 0;
    for (int64_t rest = 0; ok && rest < times; rest++)
        ok = add_size(s, shape, dim, step[0] * (times + rest), false, &added) &&
             add_size(s, shape, dim, step[1] * (times + rest) + rest % 2, false, &added);
    return ok;
}

// Lists the numbers of the shader at the shape, but at most MOST_NUMBERS.
static int list_numbers(struct case_sampler *s, const struct shape *shape, uint32_t numbers[COMPARED_NUMBERS]) {
    struct point point = sampler_start(s);
    point.shape = *shape;
    if (!s->request->numbers) return 0;
    const struct numbers_wanted wanted = {.least = LEAST_NUMBER, .most = 1u << LAST_POWER};
    const int count = s->request->numbers(s->request->source, &point, &wanted, numbers);
    return count < MOST_NUMBERS ? count : MOST_NUMBERS;
}

bool sampler_steps(struct case_sampler *s, const struct shape_sample *shapes) {
    const struct op *op = s->kernel->op;
    const struct shape *shape = &shapes->items[0];
    bool ok = true;
    if (!s->deep || !shapes->count || !sampler_is_first_type(s)) return true;
    uint32_t numbers[COMPARED_NUMBERS];
    const int count = list_numbers(s, shape, numbers);
    for (int dim = 0; ok && dim < operator_dims(op); dim++) {
        if (!sampler_is_size(op, dim)) continue;
        ok = add_powers(s, shapes, dim);
        for (int i = 0; ok && i < count; i++)
            if (numbers[i] <= 1u << sampler_last_power(s, dim))
                ok = add_both(s, shapes, dim, (int64_t)numbers[i] + 1, (int64_t)numbers[i]);
        for (int t = 0; ok && operator_dims(op) <= SAMPLER_MANY_DIMS && t < s->kernel->tunable_count; t++)
            if (strncmp(s->kernel->tunables[t].name, "WG_", 3) != 0 && shape->value[t] > 1 &&
                shape->value[t] <= MOST_UNROLLED)
                ok = add_remainders(s, shape, dim, shape->value[t]);
    }
    return ok;
}
