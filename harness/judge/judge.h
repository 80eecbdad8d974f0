// SPDX-License-Identifier: Apache-2.0
// Judging outputs: each element is classified before any arithmetic, then measured in ULP against
// its own bound.
#ifndef VKASSAY_JUDGE_JUDGE_H
#define VKASSAY_JUDGE_JUDGE_H

#include "../../reference/dtype.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the device was asked to honour when the kernel was compiled; what is not honoured is
// excluded, and counted.
struct policy {
    bool rte;      // round-to-nearest-even declared for the arithmetic
    bool specials; // SignedZeroInfNanPreserve declared: NaN and Inf are gated
    bool denorms;  // DenormPreserve declared: subnormals are gated, otherwise a flush to zero is
                   // right too
};

enum number_class { CLASS_NAN, CLASS_INFINITE, CLASS_ZERO, CLASS_SUBNORMAL, CLASS_FINITE, CLASS_COUNT };
enum number_class classify(enum dtype dtype, double value); // subnormal in terms of the dtype

enum { JUDGE_HISTOGRAM = 16 };
// Bucket i of the histogram counts errors in (edge[i-1], edge[i]] with edges 0, 2^-5, 2^-4 ... 2^8,
// infinity: bucket 0 is exactly zero, the last one is everything above 2^8 ULP and every mismatch of
// class; an error of 0.5 stands within a bound of 0.5. The buckets add up to `checked`.
extern const double judge_edges[JUDGE_HISTOGRAM];

struct judge_input {
    enum dtype dtype;      // of the output
    enum dtype arithmetic; // type the kernel computes in
    struct policy policy;
    // One operation, or none: the sign of a zero is judged where specials are honoured.
    bool signs;
    bool moved; // subnormals are numbers that no arithmetic has met: none may be flushed
    // Per element; bound in ULP of the arithmetic's type. A magnitude may be NULL (|want| stands
    // for it). An infinite bound says that the specification leaves the result open: the element is
    // excluded.
    const double *want, *magnitude, *bound;
    const void *got;      // the whole output buffer, in its dtype
    int64_t first, count; // elements of `got` that want[0..count) stand for
    // Per element, may be NULL: set when an input of the element is NaN or Inf (bit 0) or subnormal
    // (bit 1): such elements are gated on policy.specials and policy.denorms.
    const uint8_t *touched;
};

struct judgement {
    int64_t elements; // of the output
    int64_t checked;  // those judged
    int64_t excluded; // those left out by policy or by the specification
    int64_t failures; // of those checked
    int64_t compared; // of those checked, all but mismatches of class
    double max_ulp;   // largest error among those compared, which need not be of the worst element
    struct judge_worst {
        int64_t index; // of the worst ratio of error to bound, the lowest such; -1: none
        double ratio;  // infinite for a mismatch of class, and for any error where the bound is 0
        double ulp;    // its error; infinite for a mismatch of class
        double bound_ulp, got, want;
    } worst;
    double sum_ulp;                          // for the mean
    double p99_ulp;                          // set by judge_finish, from the fine histogram
    double error_squares, reference_squares; // NMSE is their ratio, over finite elements
    int64_t histogram[JUDGE_HISTOGRAM];
    int64_t classes[CLASS_COUNT]; // of the expected values
    int64_t fine[512];            // logarithmic, for the percentile
};

void judge_start(struct judgement *judgement, int64_t elements);
void judge_add(struct judgement *judgement, const struct judge_input *input);
// Adds what was found in another part of the same output; of equal worst elements the lower index stays.
void judge_merge(struct judgement *judgement, const struct judgement *part);
void judge_finish(struct judgement *judgement);
double judge_mean_ulp(const struct judgement *judgement);
// 0 when both sums are 0; infinite when only the reference's is.
double judge_nmse(const struct judgement *judgement);

// The allowed error of one output in ULP of its dtype, from the bound in ULP of the arithmetic's
// type: a narrower store adds its own rounding (0.5 with RTE, else 1). A bound of 0 stays 0: exact.
double judge_bound(enum dtype output, enum dtype arithmetic, bool rte, double bound);

// Guard words: a pattern that differs by run, buffer and position.
uint32_t guard_word(uint32_t run, uint32_t operand, uint64_t index);
// `bytes` of them in a row from index `first` on; the last may be cut off.
void guard_words(void *to, uint64_t bytes, uint32_t run, uint32_t operand, uint64_t first);
// What is made of such a word, so that a kernel which reads it takes it for an input like others: bits that are cleared
// and set, then the rest by `below` unless that is 0. Zeroed: the word as it is.
struct guard_form {
    uint32_t clear, set, below;
};
// That of an input of the type; of integers that are below a number, which is 0 where they are not.
struct guard_form guard_form_of(enum dtype dtype, uint32_t below);
void guard_fill(void *bytes, uint64_t length, uint32_t run, uint32_t operand, struct guard_form form);
// First byte that differs from the pattern, or -1 when intact.
int64_t guard_check(const void *bytes, uint64_t length, uint32_t run, uint32_t operand, struct guard_form form);

#endif
