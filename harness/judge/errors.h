// SPDX-License-Identifier: Apache-2.0
// The statistics of the errors of sums. A bound is to hold for every right kernel and each of its outputs, and so is
// far wider than what most outputs err by: a kernel whose additions round four times as coarsely, or always towards
// zero, can stay within it. Over many outputs the sum of the squares of the errors and the sum of the errors tell.
//
// To nearest, the errors of additions are close to independent, with mean zero; that at a partial sum p is uniform over
// half an ULP of p on either side, a mean square of ulp(p)^2 / 12. In ULP at the sum M of the absolute terms, those of
// all additions come to (1/12) of the sum of (ulp(p) / ulp(M))^2 over the partial sums p:
//
//   the last addition      1 at most
//   a tree over w partials 1 + 1/2 + 1/4 ... = 2 - 2/w, as 2^l partial sums on level l are M / 2^l each; twice that
//                          where, as is common, some levels of it are short chains
//   a chain of d additions d g, as p runs evenly from 0 to M. With M = m 2^e and m in [1, 2), p is of M's binade for
//                          m - 1 of m, and of each lesser one for half as long with a quarter of the weight:
//                          g = (m - 1 + 1/2 (1 + 1/8 + 1/64 ...) / 4 ... ) / m = (m - 6/7) / m, from 1/7 to 4/7
//
// and what lies below n lanes that are added up later counts 1/n, as n such chains each run to M / n alone. This is how
// TOSA's verifier of dot products judges (its limit is 1.6 a product, whatever the order); that of a kernel whose order
// is known can be so much nearer to its errors that four times their size is beyond it.
#ifndef VKASSAY_JUDGE_ERRORS_H
#define VKASSAY_JUDGE_ERRORS_H

#include "judge.h"

// How a kernel adds its terms up. Without a depth its sums are taken for serial.
struct sum_order {
    int64_t depth;       // additions on the longest path
    double tree, chains; // the mean square of its errors is (1 + tree + chains g) / 12
};

struct error_rule {
    enum dtype dtype;      // of the output
    enum dtype arithmetic; // type the kernel computes in
    struct sum_order order;
    bool in_steps;  // no long sum, but as many roundings as the bound counts
    int64_t spiked; // one term is nearly all of the sum: so many additions that it comes by may err, each as the last
};

// What is expected of one output's error, in ULP of its dtype at its magnitude.
struct expected_error {
    double deviation; // root of the mean square; 0: nothing is known of it, as it is no sum
    double bias;      // its mean may be as far from 0 as that: functions may err to one side
};

// An output's bound in ULP of the arithmetic's type, what it would be if every sum were of one addition (what lies
// between is the sums' part) and if they were twice as deep as the kernel's; 0: that is not known.
struct error_bounds {
    double bound, plain, twice;
};
struct expected_error errors_expected(
    const struct error_rule *rule, double magnitude, const struct error_bounds *bounds);

// The same where the sums were exact, as those of whole numbers are: what comes behind them alone.
struct expected_error errors_of_exact_sums(const struct error_rule *rule, const struct error_bounds *bounds);

// Of the total of outputs in single precision that add up to 1 as they were divided by their sum, in ULP at 1. The
// errors of what was summed are the same above and below, and fall out.
struct expected_error errors_of_unit(const struct sum_order *order);

// Outputs come in groups whose errors may have a part in common, as those of a row that is divided by one sum; groups
// are independent. All are shares of the expected deviation.
struct error_sums {
    int64_t outputs, groups;
    double squares, sum, raw, bias; // over the groups, of the means within each
};
struct error_group {
    int64_t outputs;
    double squares, sum, raw, bias;
};

// In `sum` an error counts as positive away from zero, so that truncation shows in outputs of either sign; in `raw` as
// it is, so that it shows where what was cut is a part of outputs of either sign, as the mean of a row. `away` says
// which way the output lies.
void errors_add(struct error_group *group, double error, double away, struct expected_error expected);
void errors_close(struct error_sums *sums, const struct error_group *group);

// What the sums of a right kernel reach but once in a billion, by the tails of a chi-square (B. Laurent and P. Massart,
// Annals of Statistics 28, 2000) and of a normal distribution.
double errors_most_squares(const struct error_sums *sums);
double errors_most_sum(const struct error_sums *sums);
// The larger of the two sums of errors, with its sign.
double errors_sum(const struct error_sums *sums);

#endif
