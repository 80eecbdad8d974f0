// SPDX-License-Identifier: Apache-2.0
// Sizes far beyond the numbers of the shaders: beyond a length, a number of iterations, or a number of workgroups.
#include "edges.h"
#include "sampler.h"
#include "../../../reference/operator.h"

#include <math.h>
#include <string.h>

// A number serves from LEAST_NUMBER to 2^LAST_POWER. LEAST and MOST: a size is so many times a limit, because a sum
// shows a tenth of its terms. LARGEST is beyond all sizes that any device takes in seconds. BESIDE dims have as many
// workgroups beside a long axis. PAIRED numbers, each at least twice the next, are met in two dims at once.
enum { LEAST_NUMBER = 16, LAST_POWER = 25, LARGEST = 1 << 27, BESIDE = 8, PAIRED = 3, TRIES = 3 };
static const double least_times = 1.1, most_times = 8;

// On a CPU, `near` takes some tenths of a second and `far` a few seconds. With barriers, invocations without elements
// cost as much as others: those of a matrix product compute whole tiles.
static const struct sample_limits near = {.elements = 1 << 22,
    .operations = 3.2e7,
    .invocations = (1 << 21) + (1 << 17),
    .steps = 1 << 25,
    .iterations = 65000};
static const struct sample_limits far = {
    .elements = 5.2e7, .operations = 1.5e8, .invocations = 1 << 25, .steps = 1 << 27, .iterations = 65000};
static const struct sample_limits near_with_barriers = {
    .elements = 1 << 22, .operations = 3.2e7, .invocations = 1 << 19, .steps = 1 << 25, .iterations = 65000};
static const struct sample_limits far_with_barriers = {
    .elements = 5.2e7, .operations = 1.5e8, .invocations = 1 << 19, .steps = 1 << 27, .iterations = 65000};

// The numbers of the shaders, the largest first.
struct limits_found {
    int64_t items[COMPARED_NUMBERS];
    int count;
};

static struct limits_found find_limits(struct case_sampler *s, const struct shape *shape) {
    const struct numbers_wanted wanted = {.least = LEAST_NUMBER, .most = 1u << LAST_POWER, .declared = true};
    struct limits_found found = {.count = 0};
    uint32_t numbers[COMPARED_NUMBERS];
    struct point point = sampler_start(s);
    point.shape = *shape;
    const int count = s->request->numbers ? s->request->numbers(s->request->source, &point, &wanted, numbers) : 0;
    for (int i = 0; i < count; i++) {
        int at = found.count++;
        for (; at > 0 && found.items[at - 1] < numbers[i]; at--) found.items[at] = found.items[at - 1];
        found.items[at] = numbers[i];
    }
    return found;
}

// Sets the dim to the limit times a drawn number, or nearer to the limit if this is too dear.
static bool set_beyond(
    struct case_sampler *s, const struct shape *shape, int64_t *dims, int dim, int64_t limit, double times) {
    int64_t tried[OPERATOR_DIMS * 2];
    for (int i = 0; i < TRIES && limit <= LARGEST; i++, times = i + 1 < TRIES ? sqrt(times) : least_times) {
        memcpy(tried, dims, sizeof tried);
        const int64_t size = (int64_t)((double)limit * fmax(times, least_times)) | 1;
        if (!sampler_set_size(s, shape, tried, dim, size) || tried[dim] <= limit) continue;
        memcpy(dims, tried, sizeof tried);
        return true;
    }
    return false;
}

static double draw_times(struct case_sampler *s) {
    return least_times * pow(most_times / least_times, ldexp(sampler_draw(s), -32));
}

static bool add_new(struct case_sampler *s, struct point *point, const struct shape *shape) {
    point->shape = *shape;
    return sampler_is_planned(s, point) || sampler_add(s, point, shape, &(int){0});
}

// Returns the largest product of a number and a width that is below a number; 0: there is none.
static int64_t next_limit(const struct limits_found *found, const int64_t *widths, int count, int64_t below) {
    int64_t most = 0;
    for (int n = 0; n < found->count; n++)
        for (int w = 0; w < count; w++) {
            const int64_t limit = found->items[n] * widths[w];
            if (limit < below && limit > most) most = limit;
        }
    return most;
}

// Adds the dim beyond the largest limit that is affordable: a number times a width, such as the elements of so many
// iterations or workgroups. A kernel that is wrong beyond a smaller one is wrong there, too. *reached becomes the
// limit; limits up to twice the former one are passed over.
static bool add_farthest(
    struct case_sampler *s, const struct limits_found *found, const struct shape *shape, int dim, int64_t *reached) {
    int64_t widths[EDGE_WIDTHS + 1];
    int count = edge_widths(s->kernel, shape, dim, widths);
    widths[count++] = 1;
    const double times = draw_times(s);
    const struct point thin = sampler_thin(s, shape, dim);
    for (int64_t limit = next_limit(found, widths, count, LARGEST); limit > 2 * *reached;
         limit = next_limit(found, widths, count, limit - limit / 8)) {
        struct point point = thin;
        if (!set_beyond(s, shape, point.dims, dim, limit, times)) continue;
        for (int d = 0; d < operator_dims(s->kernel->op); d++)
            if (d != dim && point.dims[d] == 1) sampler_set_size(s, shape, point.dims, d, 2);
        *reached = limit;
        return add_new(s, &point, shape);
    }
    return true;
}

// Adds more workgroups than the largest affordable number: in a long axis, with BESIDE in each other one.
static bool add_spread(struct case_sampler *s, const struct limits_found *found, const struct shape *shape, int dim) {
    const int64_t part = edge_part(s->kernel, shape, dim);
    struct point wide = sampler_thin(s, shape, dim);
    int64_t beside = 1;
    for (int d = 0; part && d < operator_dims(s->kernel->op); d++) {
        const int64_t other = d != dim && sampler_is_size(s->kernel->op, d) ? edge_part(s->kernel, shape, d) : 0;
        if (other && sampler_set_size(s, shape, wide.dims, d, BESIDE * other) && wide.dims[d] > (BESIDE - 1) * other)
            beside *= BESIDE;
    }
    // In all axes together, then in the long one alone.
    for (int64_t share = beside; beside > 1; share = 1) {
        struct point point = wide;
        int i = 0;
        while (
            i < found->count && !set_beyond(s, shape, point.dims, dim, found->items[i] / share * part, draw_times(s)))
            i++;
        if (i < found->count && !add_new(s, &point, shape)) return false;
        if (share == 1) break;
    }
    return true;
}

// Raises the dim as far as affordable.
static bool set_most(struct case_sampler *s, const struct shape *shape, int64_t *dims, int dim) {
    for (int64_t size = (1 << LAST_POWER) + 1; size > LEAST_NUMBER; size -= size / 4)
        if (size > dims[dim] && sampler_set_size(s, shape, dims, dim, size)) return true;
    return false;
}

// Adds one dim beyond each of PAIRED numbers and another one as large as affordable beside it. If there are many dims,
// the other one is drawn.
static bool add_pairs(struct case_sampler *s, const struct limits_found *found, const struct shape *shape, int dim) {
    const struct op *op = s->kernel->op;
    const int dims = operator_dims(op), drawn = (int)sampler_draw_below(s, (size_t)dims);
    bool ok = true;
    for (int other = 0; ok && other < dims; other++) {
        if (other == dim || !sampler_is_size(op, other) || (dims > SAMPLER_MANY_DIMS && other != drawn)) continue;
        int64_t last = INT64_MAX;
        int paired = 0;
        for (int i = 0; ok && i < found->count && paired < PAIRED; i++) {
            struct point point = sampler_thin(s, shape, dim);
            if (found->items[i] > last / 2 || !set_beyond(s, shape, point.dims, dim, found->items[i], least_times) ||
                !set_most(s, shape, point.dims, other))
                continue;
            last = found->items[i];
            paired++;
            ok = add_new(s, &point, shape);
        }
    }
    return ok;
}

// Adds both dims beyond the largest number that is affordable in both.
static bool add_both_beyond(
    struct case_sampler *s, const struct limits_found *found, const struct shape *shape, int a, int b) {
    for (int i = 0; i < found->count; i++) {
        struct point point = sampler_thin(s, shape, a);
        if (set_beyond(s, shape, point.dims, a, found->items[i], least_times) &&
            set_beyond(s, shape, point.dims, b, found->items[i], least_times) && point.dims[a] > found->items[i])
            return add_new(s, &point, shape);
    }
    return true;
}

static void set_limits(struct case_sampler *s, bool dear) {
    if (s->kernel->shared_count)
        s->limits = dear ? &far_with_barriers : &near_with_barriers;
    else
        s->limits = dear ? &far : &near;
}

// Adds each dim beyond the limits at two costs, in the default shape and in the finest one.
static bool add_each(struct case_sampler *s, const struct shape_sample *shapes, const struct limits_found *found) {
    const struct shape each[] = {shapes->items[0], sampler_finest(s, shapes)};
    bool ok = true;
    for (int dim = 0; ok && dim < operator_dims(s->kernel->op); dim++)
        for (size_t i = 0; ok && i < sizeof each / sizeof *each; i++) {
            int64_t reached = 0;
            if (!sampler_is_size(s->kernel->op, dim)) continue;
            set_limits(s, false);
            ok = add_farthest(s, found, &each[i], dim, &reached) && add_spread(s, found, &each[i], dim);
            set_limits(s, true);
            ok = ok && add_farthest(s, found, &each[i], dim, &reached);
        }
    return ok;
}

bool sampler_beyond(struct case_sampler *s, const struct shape_sample *shapes) {
    if (!s->deep || !shapes->count || !sampler_is_first_type(s)) return true;
    const struct op *op = s->kernel->op;
    const struct shape *shape = &shapes->items[0];
    const struct limits_found found = find_limits(s, shape);
    bool ok = add_each(s, shapes, &found);
    set_limits(s, false);
    for (int dim = 0; ok && dim < operator_dims(op); dim++)
        ok = !sampler_is_size(op, dim) || add_pairs(s, &found, shape, dim);
    set_limits(s, operator_dims(op) <= SAMPLER_MANY_DIMS);
    for (int b = 0; ok && b < operator_dims(op); b++)
        for (int a = 0; ok && a < b; a++)
            ok = !sampler_is_size(op, a) || !sampler_is_size(op, b) || add_both_beyond(s, &found, shape, a, b);
    s->limits = &sample_ordinary;
    return ok;
}
