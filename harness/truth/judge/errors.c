// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include "../../../reference/bounds.h"

#include <math.h>

static const double rarity = 20.7; // -ln of one in a billion

// Functions, divisions and roots are bounded for the worst argument on the worst device. Their root mean square
// error, or their mean to one side, was below a tenth of that on every device seen, and below 4 ULP. If there is more
// than a product and a sum, a factor rounded once errs by the same quarter of an ULP everywhere.
static const double function_share = 0.1, most_of_functions = 4, least_of_functions = 0.25, sums_alone = 1.5;

static double order_squares(const struct error_rule *rule, const struct sum_order *order, double share) {
    if (rule->with_outlier) return (1 + fmin((double)order->depth, (double)rule->with_outlier)) / 12;
    return (1 + order->tree + order->chains * share) / 12;
}

// Returns the mean square error of an output from its sums. If the sum is only a part of the output, later operations
// round too. Their bound is counted as roundings of half an ULP and 1/12 each, up to a product and two sums. The rest
// of the bound belongs to functions.
static double sum_squares(const struct error_rule *rule, double share, const struct error_bounds *bounds) {
    const struct sum_order *order = &rule->order;
    const double part = bounds->bound - bounds->plain;
    // The order of a serial sum with this bound, to nearest. The bound of depth d is d/2 up to 36, then about 3
    // sqrt(d).
    const double bound = part + 0.5, depth = fmax(1, bound <= 18 ? 2 * bound : bound * bound / 9);
    const struct sum_order serial = {.depth = (int64_t)depth, .chains = depth};
    if (order->depth < 2) return order_squares(rule, &serial, share);
    const double once = bound_sum(order->depth, true) - 0.5, twice = bound_sum(2 * order->depth, true) - 0.5;
    const double reach = part / once;
    const double own = reach * reach * order_squares(rule, order, share);
    if (reach > 0.999) return own;
    // If the part comes from sums of this order, it rises with the depth as the bound of such a sum does. Then the
    // order's deviation applies in the proportion in which the sum reaches the output. The tolerance is 2 %, because
    // depths are whole numbers and some bounds have terms of second order. Otherwise the reference may have fewer terms
    // than the kernel declares, or sums of several lengths. Then the part is taken as a serial sum, if that allows
    // more.
    const double rise = (bounds->twice - bounds->plain) / part;
    if (fabs(rise - twice / once) < 0.02 * (twice / once)) return own + fmin(bounds->plain, sums_alone) / 6;
    return fmax(own, order_squares(rule, &serial, share));
}

// Combines the mean square of the sums' errors with the errors of functions and the rounding to a narrower output.
static struct expected_error errors_stored(const struct error_rule *rule, double sums, double plain) {
    const struct dtype_info *out = dtype_info(rule->dtype), *in = dtype_info(rule->arithmetic);
    const double least = plain > sums_alone ? least_of_functions : 0,
                 scale = ldexp(1, out->significand - in->significand);
    const double functions = fmax(fmin(plain * function_share, most_of_functions), least);
    const double squares = sums + functions * functions;
    const double stored = out->significand < in->significand ? 1.0 / 12 : 0;
    return (struct expected_error){.deviation = sqrt(scale * scale * squares + stored), .bias = scale * functions};
}

struct expected_error errors_expected(
    const struct error_rule *rule, double magnitude, const struct error_bounds *bounds) {
    const struct dtype_info *out = dtype_info(rule->dtype);
    if (!isfinite(bounds->bound) || !(magnitude > 4 * ldexp(1, out->least_exponent))) return (struct expected_error){0};
    // A bound of half an ULP is one rounding, of 1/12. Above a bound of 1, errors may be doubled because their operand
    // is squared later. Doubled errors have twice the mean square for the same bound.
    if (rule->in_steps && bounds->bound > 0)
        return errors_stored(rule, bounds->bound / (bounds->bound <= 1 ? 6 : 3), bounds->bound);
    if (!(bounds->bound > bounds->plain)) return (struct expected_error){0};
    int exponent;
    const double m = 2 * frexp(magnitude, &exponent), share = (m - 6.0 / 7) / m; // of a chain; errors.h derives it
    return errors_stored(rule, sum_squares(rule, share, bounds), bounds->plain);
}

struct expected_error errors_of_exact_sums(const struct error_rule *rule, const struct error_bounds *bounds) {
    if (!isfinite(bounds->plain)) return (struct expected_error){0};
    return errors_stored(rule, fmin(bounds->plain, sums_alone) / 6, bounds->plain);
}

struct expected_error errors_of_unit(const struct sum_order *order, int64_t terms) {
    // The sum may be anywhere in its binade. Relative to the sum, a chain's share g / m^2 = (m - 6/7) / m^3 is at most
    // 49/243, at m = 9/7, and a tree's is at most twice its own. Then follows a reciprocal or a division, in half an
    // ULP. A random sequence has about ln(terms) maxima so far. Each costs an exponential of 3 ULP and a product.
    const double functions = fmin(function_share * 3.5 * log((double)terms), most_of_functions);
    const double squares = (1 + 2 * order->tree + order->chains * 49 / 243) / 12 + 0.25 + functions * functions;
    return (struct expected_error){.deviation = sqrt(squares), .bias = 0.5 + functions};
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
