// SPDX-License-Identifier: Apache-2.0
// The statistics of the errors of sums. A bound must hold for every right kernel and each of its outputs, so most
// errors are far smaller. A kernel can stay within it even if its additions round four times as coarsely, or always
// towards zero. The sum of the errors and the sum of their squares, over many outputs, reveal such a kernel.
//
// When additions round to nearest, their errors are close to independent, with mean zero. The error at a partial sum
// p is uniform over half an ULP of p on either side. So its mean square is ulp(p)^2 / 12. Errors are measured in ULP
// at the sum M of the absolute terms. The mean square of all additions together is then (1/12) times the sum of
// (ulp(p) / ulp(M))^2 over the partial sums p:
//
//   The last addition adds at most 1.
//   A tree over w partials adds 1 + 1/2 + 1/4 ... = 2 - 2/w, because 2^l partial sums on level l are M / 2^l each.
//       It adds twice that if, as is common, some levels of it are short chains.
//   A chain of d additions adds d g, because p runs evenly from 0 to M.
//       With M = m 2^e and m in [1, 2), p is in M's binade for m - 1 of m.
//       It is in each lower one for half as long, with a quarter of the weight:
//       g = (m - 1 + 1/2 (1 + 1/8 + 1/64 ...) / 4 ... ) / m = (m - 6/7) / m, from 1/7 to 4/7
//
// If n lanes are added up at the end, the additions below them count 1/n, because each lane's chain runs only to M /
// n. TOSA's verifier of dot products judges in the same way; its limit is 1.6 a product, whatever the order. If the
// order of a kernel is known, the limit can be much closer. Errors of four times their usual size then exceed it.
#ifndef VKASSAY_JUDGE_ERRORS_H
#define VKASSAY_JUDGE_ERRORS_H

#include "judge.h"

// The order in which a kernel adds its terms. Without a depth, its sums are taken as serial.
struct sum_order {
    int64_t depth;       // additions on the longest path
    double tree, chains; // the mean square of its errors is (1 + tree + chains g) / 12
};

struct error_rule {
    enum dtype dtype;      // of the output
    enum dtype arithmetic; // type the kernel computes in
    struct sum_order order;
    bool in_steps;        // no long sum, but as many roundings as the bound counts
    int64_t with_outlier; // one term dominates the sum: so many of its additions may err, each like the last
};

// Expected error of one output, in ULP of its dtype at its magnitude.
struct expected_error {
    double deviation; // root of the mean square; 0: unknown, because the output is no sum
    double bias;      // largest expected |mean|: functions may err to one side
};

// Three bounds of an output, in ULP of the arithmetic's type. `plain` is the bound if every sum were a single
// addition; the rest of `bound` is the sums' part. `twice` is the bound if sums were twice as deep as the kernel's;
// 0: not known.
struct error_bounds {
    double bound, plain, twice;
};
struct expected_error errors_expected(
    const struct error_rule *rule, double magnitude, const struct error_bounds *bounds);

// Returns the expected error if the sums are exact, like those of whole numbers. Only the later operations count.
struct expected_error errors_of_exact_sums(const struct error_rule *rule, const struct error_bounds *bounds);

// Returns the expected error, in ULP at 1, of the total of outputs that were divided by their sum. They are in single
// precision and should add up to 1. Errors of the terms cancel, because they are the same above and below. A kernel of
// one pass also rescales its sum of `terms` at each new maximum.
struct expected_error errors_of_unit(const struct sum_order *order, int64_t terms);

// Outputs come in groups, because their errors may share a part: for example, a row is divided by one sum. Groups are
// independent. All members are shares of the expected deviation.
struct error_sums {
    int64_t outputs, groups;
    double squares, sum, raw, bias; // sums over the groups of the means within each
};
struct error_group {
    int64_t outputs;
    double squares, sum, raw, bias;
};

// Adds one error to a group. `sum` counts an error as positive if it is away from zero, so truncation shows in
// outputs of either sign. `raw` keeps the sign, so it shows when a truncated part, such as the mean of a row, enters
// outputs of either sign. `away` is the sign of the output.
void errors_add(struct error_group *group, double error, double away, struct expected_error expected);
void errors_close(struct error_sums *sums, const struct error_group *group);

// Return the limits exceeded by a right kernel only once in a billion. They follow from the tails of a chi-square (B.
// Laurent and P. Massart, Annals of Statistics 28, 2000) and of a normal distribution.
double errors_most_squares(const struct error_sums *sums);
double errors_most_sum(const struct error_sums *sums);
// Returns the larger of the two sums of errors, with its sign.
double errors_sum(const struct error_sums *sums);

#endif
