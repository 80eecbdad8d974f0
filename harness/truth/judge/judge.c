// SPDX-License-Identifier: Apache-2.0
// Gathers the verdicts of single elements.
#include "element.h"

#include <math.h>

const double judge_edges[JUDGE_HISTOGRAM] = {
    0, 0x1p-5, 0x1p-4, 0x1p-3, 0x1p-2, 0x1p-1, 1, 2, 4, 8, 16, 32, 64, 128, 256, INFINITY};

static int coarse_bucket(double error) {
    if (!(error > 0)) return 0;
    int exponent = double_exponent(error),
        bucket = exponent + 7;                                // the one from 2^-5 is the second; infinity is above all
    bucket -= isfinite(error) && error == ldexp(1, exponent); // an upper edge belongs to its bucket
    return bucket < 1 ? 1 : bucket < JUDGE_HISTOGRAM - 1 ? bucket : JUDGE_HISTOGRAM - 1;
}

// The fine histogram. Bucket 0 is exactly zero. Then come sixteen buckets an octave from 2^-16 to 2^15.9, each 4.4 %
// wide. The first also counts smaller errors, the last also larger ones.
enum { FINE_BUCKETS = sizeof((struct judgement *)0)->fine / sizeof(int64_t), FINE_OCTAVE = 16, FINE_LEAST = -16 };

static int fine_bucket(double error) {
    if (!(error > 0)) return 0;
    double position = floor((log2(error) - FINE_LEAST) * FINE_OCTAVE) + 1;
    return position < 1 ? 1 : position < FINE_BUCKETS - 1 ? (int)position : FINE_BUCKETS - 1;
}

void judge_start(struct judgement *judgement, int64_t elements) {
    *judgement = (struct judgement){.elements = elements, .worst = {.index = -1, .ulp = NAN, .got = NAN, .want = NAN}};
}

static void keep_worse(struct judge_worst *worst, struct judge_worst other) {
    bool tie = other.ratio == worst->ratio && other.index < worst->index;
    if (worst->index < 0 || tie || other.ratio > worst->ratio) *worst = other;
}

static void add_numbers(struct judgement *judgement, double error, const struct element *element) {
    judgement->compared++;
    judgement->sum_ulp += error;
    judgement->fine[fine_bucket(error)]++;
    if (error > judgement->max_ulp) judgement->max_ulp = error;
    if (!isfinite(element->want) || !isfinite(element->got)) return;
    double difference = element->got - element->want;
    judgement->error_squares += difference * difference;
    judgement->reference_squares += element->want * element->want;
}

void judge_add(struct judgement *judgement, const struct judge_input *input) {
    struct tolerance tolerance = tolerance_make(input);
    for (int64_t i = 0; i < input->count; i++) {
        int64_t index = input->first + i;
        struct element element = {
            .want = input->want[i],
            .got = dtype_load(input->dtype, input->got, index),
            .magnitude = input->magnitude ? input->magnitude[i] : 0,
            .bound = input->bound[i],
            .touched = input->touched ? input->touched[i] : 0,
        };
        judgement->classes[classify(input->dtype, element.want)]++;
        struct element_verdict verdict = element_judge(&tolerance, &element);
        if (verdict.excluded) {
            judgement->excluded++;
            continue;
        }
        judgement->checked++;
        judgement->failures += !verdict.passed;
        judgement->histogram[coarse_bucket(verdict.error)]++;
        // The share of the bound. If the bound is not a positive number, any failure uses all of it.
        double ratio = verdict.error > 0 ? verdict.error / verdict.bound : 0;
        if (!verdict.passed && !(verdict.bound > 0)) ratio = INFINITY;
        keep_worse(&judgement->worst,
            (struct judge_worst){index, ratio, verdict.error, verdict.bound, element.got, element.want});
        if (isfinite(verdict.error)) add_numbers(judgement, verdict.error, &element);
    }
}

void judge_merge(struct judgement *judgement, const struct judgement *part) {
    judgement->compared += part->compared;
    judgement->checked += part->checked;
    judgement->excluded += part->excluded;
    judgement->failures += part->failures;
    judgement->sum_ulp += part->sum_ulp;
    judgement->error_squares += part->error_squares;
    judgement->reference_squares += part->reference_squares;
    if (part->max_ulp > judgement->max_ulp) judgement->max_ulp = part->max_ulp;
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) judgement->histogram[i] += part->histogram[i];
    for (int i = 0; i < CLASS_COUNT; i++) judgement->classes[i] += part->classes[i];
    for (int i = 0; i < FINE_BUCKETS; i++) judgement->fine[i] += part->fine[i];
    if (part->worst.index >= 0) keep_worse(&judgement->worst, part->worst);
}

// Returns the upper edge of the bucket with the 99th percentile, so it is never understated. Returns infinity if
// mismatches of class reach down to the percentile.
static double percentile_99(const struct judgement *judgement) {
    int64_t rank = judgement->checked - judgement->checked / 100; // ceil(0.99 checked)
    if (rank > judgement->compared) return INFINITY;
    int bucket = 0;
    for (int64_t below = judgement->fine[0]; below < rank; below += judgement->fine[bucket]) bucket++;
    if (bucket == 0) return 0;
    double edge = exp2((double)bucket / FINE_OCTAVE + FINE_LEAST);
    return bucket == FINE_BUCKETS - 1 || edge > judgement->max_ulp ? judgement->max_ulp : edge;
}

void judge_finish(struct judgement *judgement) {
    judgement->p99_ulp = judgement->checked ? percentile_99(judgement) : NAN;
}

double judge_mean_ulp(const struct judgement *judgement) {
    return judgement->compared ? judgement->sum_ulp / (double)judgement->compared : NAN;
}

double judge_nmse(const struct judgement *judgement) {
    if (judgement->reference_squares > 0) return judgement->error_squares / judgement->reference_squares;
    return judgement->error_squares > 0 ? INFINITY : 0;
}
