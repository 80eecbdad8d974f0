// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include "../../reference/bounds.h"

#include <math.h>

static const double rarity = 20.7; // -ln of one in a billion

// Functions, divisions and roots are bounded for the worst argument on the worst device. What they come to in the root
// of the mean square, or to one side, has been below a tenth of that on every device seen, and below 4 ULP; where there
// is more than a product and a sum, a factor that was rounded once errs by the same quarter of an ULP everywhere.
static const double function_share = 0.1, most_of_functions = 4, least_of_functions = 0.25, sums_alone = 1.5;

static double function_error(double plain) {
    const double share = fmin(plain * function_share, most_of_functions);
    return plain > sums_alone ? fmax(share, least_of_functions) : share;
}

// The share g of a chain, above.
static double chain_share(double magnitude) {
    int exponent;
    const double m = 2 * frexp(magnitude, &exponent);
    return (m - 6.0 / 7) / m;
}

static double order_squares(const struct error_rule *rule, const struct sum_order *order, double share) {
    if (rule->spiked) return (1 + fmin((double)order->depth, (double)rule->spiked)) / 12;
    return (1 + order->tree + order->chains * share) / 12;
}

// The depth of a serial sum whose bound_sum, to nearest, is `bound`: that is d/2 up to 36, then about 3 sqrt(d).
static struct sum_order serial_of(double bound) {
    const double depth = fmax(1, bound <= 18 ? 2 * bound : bound * bound / 9);
    return (struct sum_order){.depth = (int64_t)depth, .chains = depth};
}

// What the sums' part of a bound means: the order's own deviation in the proportion in which its sum reaches the
// output. That holds where the part rises with the depth as the bound of such a sum does; within a part in fifty, as
// depths are whole numbers and some bounds have terms of second order. A reference may have fewer terms than the kernel
// says, or sums of several lengths; then those of the part itself count, if they are more.
static bool is_of_order(const struct sum_order *order, const struct error_bounds *bounds) {
    const double rise = (bounds->twice - bounds->plain) / (bounds->bound - bounds->plain);
    const double own = (bound_sum(2 * order->depth, true) - 0.5) / (bound_sum(order->depth, true) - 0.5);
    return fabs(rise - own) < 0.02 * own;
}

// Where the sum is but a part of an output, what comes behind it rounds too: each operation of half an ULP's bound by
// 1/12, of a product and two sums, as the others are functions.
static double sum_squares(const struct error_rule *rule, double share, const struct error_bounds *bounds) {
    const struct sum_order *order = &rule->order;
    const double part = bounds->bound - bounds->plain;
    const struct sum_order serial = serial_of(part + 0.5);
    if (order->depth < 2) return order_squares(rule, &serial, share);
    const double reach = part / (bound_sum(order->depth, true) - 0.5);
    const double own = reach * reach * order_squares(rule, order, share);
    if (reach > 0.999) return own;
    if (is_of_order(order, bounds)) return own + fmin(bounds->plain, sums_alone) / 6;
    return fmax(own, order_squares(rule, &serial, share));
}

// Half an ULP's bound is one rounding, of 1/12; further ones may count twice where what they are of is squared, and
// then come to twice as much of the bound.
static double steps_squares(double bound) {
    return bound <= 1 ? bound / 6 : bound / 3;
}

// With the mean square of the sums' errors, that of functions, and the rounding of a narrower output.
static struct expected_error errors_stored(const struct error_rule *rule, double sums, double plain) {
    const struct dtype_info *out = dtype_info(rule->dtype), *in = dtype_info(rule->arithmetic);
    const double functions = function_error(plain), scale = ldexp(1, out->significand - in->significand);
    const double squares = sums + functions * functions;
    const double stored = out->significand < in->significand ? 1.0 / 12 : 0;
    return (struct expected_error){.deviation = sqrt(scale * scale * squares + stored), .bias = scale * functions};
}

struct expected_error errors_expected(
    const struct error_rule *rule, double magnitude, const struct error_bounds *bounds) {
    const struct dtype_info *out = dtype_info(rule->dtype);
    if (!isfinite(bounds->bound) || !(magnitude > 4 * ldexp(1, out->least_exponent))) return (struct expected_error){0};
    if (rule->in_steps && bounds->bound > 0) return errors_stored(rule, steps_squares(bounds->bound), bounds->bound);
    if (!(bounds->bound > bounds->plain)) return (struct expected_error){0};
    return errors_stored(rule, sum_squares(rule, chain_share(magnitude), bounds), bounds->plain);
}

struct expected_error errors_of_exact_sums(const struct error_rule *rule, const struct error_bounds *bounds) {
    if (!isfinite(bounds->plain)) return (struct expected_error){0};
    return errors_stored(rule, fmin(bounds->plain, sums_alone) / 6, bounds->plain);
}

struct expected_error errors_of_unit(const struct sum_order *order) {
    // The sum may lie anywhere in its binade: relative to it, (1 + 2 tree + chains / 7) / 12 holds for all of that.
    // Then a reciprocal or divisions, in half an ULP.
    const double squares = (1 + 2 * order->tree + order->chains / 7) / 12 + 0.25;
    return (struct expected_error){.deviation = sqrt(squares), .bias = 0.5};
}

void errors_add(struct error_group *group, double error, double away, struct expected_error expected) {
    if (!(expected.deviation > 0)) return;
    const double share = error / expected.deviation;
    group->outputs++;
    group->squares += share * share;
    group->sum += away < 0 ? -share : share;
    group->raw += share;
    group->bias += expected.bias / expected.deviation;
}

void errors_close(struct error_sums *sums, const struct error_group *group) {
    if (!group->outputs) return;
    const double outputs = (double)group->outputs;
    sums->outputs += group->outputs;
    sums->groups++;
    sums->squares += group->squares / outputs;
    sums->sum += group->sum / outputs;
    sums->raw += group->raw / outputs;
    sums->bias += group->bias / outputs;
}

double errors_most_squares(const struct error_sums *sums) {
    const double groups = (double)sums->groups;
    return groups + 2 * sqrt(rarity * groups) + 2 * rarity;
}

double errors_most_sum(const struct error_sums *sums) {
    return sums->bias + sqrt(2 * rarity * (double)sums->groups);
}

double errors_sum(const struct error_sums *sums) {
    return fabs(sums->raw) > fabs(sums->sum) ? sums->raw : sums->sum;
}
