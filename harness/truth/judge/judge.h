// SPDX-License-Identifier: Apache-2.0
// Judging outputs: each element is classified before any arithmetic, then measured in ULP against its own bound.
#ifndef VKASSAY_JUDGE_JUDGE_H
#define VKASSAY_JUDGE_JUDGE_H

#include "../../../reference/dtype.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The float controls honoured by the device for this kernel. Elements that depend on other behaviour are excluded and
// counted.
struct policy {
    bool rte;      // round-to-nearest-even declared for the arithmetic
    bool specials; // SignedZeroInfNanPreserve declared: NaN and Inf are gated
    bool denorms;  // DenormPreserve declared: subnormals are gated; otherwise a flush to zero is right too
    // The shader narrows its results by operations on integers, which no driver rounds: to nearest even, or it is
    // wrong.
    bool narrows;
};

enum number_class { CLASS_NAN, CLASS_INFINITE, CLASS_ZERO, CLASS_SUBNORMAL, CLASS_FINITE, CLASS_COUNT };
enum number_class classify(enum dtype dtype, double value); // subnormal in terms of the dtype

enum { JUDGE_HISTOGRAM = 16 };
// Bucket i of the histogram counts errors in (edge[i-1], edge[i]] with edges 0, 2^-5, 2^-4 ... 2^8, infinity. Bucket
// 0 is exactly zero. The last one counts everything above 2^8 ULP and every mismatch of class. An error of 0.5 is
// within a bound of 0.5. The buckets add up to `checked`.
extern const double judge_edges[JUDGE_HISTOGRAM];

struct judge_input {
    enum dtype dtype;      // of the output
    enum dtype arithmetic; // type the kernel computes in
    struct policy policy;
    // At most one operation: the sign of a zero is judged if specials are honoured.
    bool signs;
    bool moved; // only moved, not computed with: subnormals must not be flushed
    // Per element; bounds are in ULP of the arithmetic's type. `magnitude` may be NULL and then equals |want|. An
    // infinite bound means the specification leaves the result open: the element is excluded.
    const double *want, *magnitude, *bound;
    const void *got;      // the whole output buffer, in its dtype
    int64_t first, count; // elements of `got` described by want[0..count)
    // Flags per element, or NULL. An input of the element is NaN or Inf (bit 0) or subnormal (bit 1). Such elements
    // are gated on policy.specials and policy.denorms.
    const uint8_t *touched;
};

struct judgement {
    int64_t elements; // of the output
    int64_t checked;  // elements judged
    int64_t excluded; // elements left out by policy or by the specification
    int64_t failures; // of those checked
    int64_t compared; // of those checked, all but mismatches of class
    double max_ulp;   // largest error compared; may belong to another element than `worst`
    struct judge_worst {
        int64_t index; // lowest index with the worst ratio of error to bound; -1: none
        double ratio;  // infinite for a mismatch of class, and for any error if the bound is 0
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
// Adds the judgement of another part of the same output. If the worst elements are equally bad, the lower index is
// kept.
void judge_merge(struct judgement *judgement, const struct judgement *part);
void judge_finish(struct judgement *judgement);
double judge_mean_ulp(const struct judgement *judgement);
// Returns the normalized mean square error: 0 if both sums are 0, infinite if only the reference's is.
double judge_nmse(const struct judgement *judgement);

// Returns the allowed error of one output in ULP of its dtype, given the bound in ULP of the arithmetic's type. A
// narrower store adds its own rounding: 0.5 to nearest, else 1. A bound of 0 stays 0: exact.
double judge_bound(enum dtype output, enum dtype arithmetic, bool nearest, double bound);

// Returns the allowed absolute error of one output, for judges without the rules of judge_add; `input` gives types and
// policy. It is infinite if those rules may leave the output open, and 0 for an expected NaN or infinity.
double judge_allowed(const struct judge_input *input, double want, double magnitude, double bound, uint8_t touched);

// Returns a guard word. The pattern differs by run, buffer and position.
uint32_t guard_word(uint32_t run, uint32_t operand, uint64_t index);
// Returns the poison in an output's `index`-th word before run `run`.
uint32_t poison_word(uint32_t run, int operand, uint64_t index);
// Writes `bytes` of guard words in a row, starting with index `first`. The last word may be cut off.
void guard_words(void *to, uint64_t bytes, uint32_t run, uint32_t operand, uint64_t first);
// Transformation of a guard word, so a kernel reading it takes it for an ordinary input. First bits are cleared and
// set, then the word is taken modulo `below` unless that is 0. A zeroed form leaves the word as it is.
struct guard_form {
    uint32_t clear, set, below;
};
// Returns the form for inputs of a type. For integers that are indices, `below` is their limit; otherwise it is 0.
struct guard_form guard_form_of(enum dtype dtype, uint32_t below);
void guard_fill(void *bytes, uint64_t length, uint32_t run, uint32_t operand, struct guard_form form);
// Returns the offset of the first byte that differs from the pattern, or -1 if it is intact.
int64_t guard_check(const void *bytes, uint64_t length, uint32_t run, uint32_t operand, struct guard_form form);

#endif
