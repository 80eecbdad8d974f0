// SPDX-License-Identifier: Apache-2.0
// Gathering: made-up outputs with one wrong element must fail. The expected figures were worked out by hand.
#include "../judge.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <stdlib.h>

enum { MANY = 1000000 };

struct data {
    double *want, *bound;
    float *got;
};

// Makes want = got = 1 .. 2, each with a bound of 2 ULP.
static struct data data_make(size_t count) {
    struct data data = {malloc(count * sizeof(double)), malloc(count * sizeof(double)), malloc(count * sizeof(float))};
    assert_true(data.want && data.bound && data.got);
    for (size_t i = 0; i < count; i++) {
        data.got[i] = 1 + (float)(i % 8388608) * 0x1p-23f;
        data.want[i] = (double)data.got[i];
        data.bound[i] = 2;
    }
    return data;
}

static void data_free(struct data data) {
    free(data.want);
    free(data.bound);
    free(data.got);
}

// Judges `count` elements from `first` on. The device's buffer is whole, the expected values are a part of it.
static void add_part(struct judgement *judgement, struct data data, int64_t first, int64_t count) {
    judge_add(judgement, &(struct judge_input){.dtype = DTYPE_F32,
                             .arithmetic = DTYPE_F32,
                             .policy = {true, true, true},
                             .want = data.want + first,
                             .bound = data.bound + first,
                             .got = data.got,
                             .first = first,
                             .count = count});
}

static struct judgement judged(struct data data, int64_t count) {
    struct judgement judgement;
    judge_start(&judgement, count);
    add_part(&judgement, data, 0, count);
    judge_finish(&judgement);
    return judgement;
}

static int64_t histogram_total(const struct judgement *judgement) {
    int64_t total = 0;
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) total += judgement->histogram[i];
    return total;
}

static void test_all_right(void **state) {
    struct data data = data_make(1000);
    struct judgement j = judged(data, 1000);
    assert_int_equal(j.failures, 0);
    assert_int_equal(j.checked, 1000);
    assert_int_equal(j.excluded, 0);
    assert_int_equal(j.worst.index, 0);
    assert_true(j.max_ulp == 0 && j.worst.ratio == 0 && j.p99_ulp == 0 && j.worst.bound_ulp == 2);
    assert_true(judge_mean_ulp(&j) == 0 && judge_nmse(&j) == 0);
    assert_int_equal(j.histogram[0], 1000);
    assert_int_equal(j.classes[CLASS_FINITE], 1000);
    data_free(data);
}

static void test_one_nan_in_a_million(void **state) {
    struct data data = data_make(MANY);
    data.got[654321] = NAN;
    struct judgement j = judged(data, MANY);
    assert_int_equal(j.failures, 1);
    assert_int_equal(j.worst.index, 654321);
    assert_true(isinf(j.worst.ratio) && isnan(j.worst.got) && j.worst.want == data.want[654321]);
    assert_true(isinf(j.worst.ulp));
    assert_true(j.max_ulp == 0); // no comparison of numbers was off
    assert_true(j.p99_ulp == 0 && isfinite(judge_mean_ulp(&j)) && judge_nmse(&j) == 0);
    assert_int_equal(j.histogram[JUDGE_HISTOGRAM - 1], 1);
    assert_int_equal(histogram_total(&j), MANY);
    data_free(data);
}

// Every element is at its bound, on either side. Then one of them moves on by one ULP.
static void test_one_ulp_over_in_a_million(void **state) {
    struct data data = data_make(MANY);
    for (size_t i = 0; i < MANY; i++) data.want[i] += (i % 2 && i > 3 ? -2 : 2) * 0x1p-23; // none is below 1
    struct judgement j = judged(data, MANY);
    assert_int_equal(j.failures, 0);
    assert_true(j.max_ulp == 2 && j.worst.ratio == 1);
    data.got[765431] = nextafterf(data.got[765431], 4); // an odd one is above its expected value
    j = judged(data, MANY);
    assert_int_equal(j.failures, 1);
    assert_int_equal(j.worst.index, 765431);
    assert_true(j.max_ulp == 3 && j.worst.ratio == 1.5 && j.worst.bound_ulp == 2);
    data_free(data);
}

// Earlier judgements leave no allowance. The same wrong element fails however often it comes, and however bad the
// earlier ones were.
static void test_the_bound_does_not_grow(void **state) {
    enum { ROUNDS = 1000 };
    double want[] = {1, 1}, bound[] = {2, 2};
    float got[] = {1 + 3 * 0x1p-23f, 1000};
    struct judgement j;
    judge_start(&j, 2 * ROUNDS);
    for (int round = 1; round <= ROUNDS; round++) {
        judge_add(&j, &(struct judge_input){.dtype = DTYPE_F32,
                          .arithmetic = DTYPE_F32,
                          .policy = {true, true, true},
                          .want = want,
                          .bound = bound,
                          .got = got,
                          .count = 2});
        assert_int_equal(j.failures, 2 * round);
        assert_true(bound[0] == 2 && bound[1] == 2);
    }
    judge_finish(&j);
    assert_true(j.worst.bound_ulp == 2);
}

// Errors of known size are put into good data. A comparator that passes any of them is broken.
static void test_known_bad_data_fails(void **state) {
    enum { COUNT = 4096 };
    static const double bad[] = {3, 4, 100, 1e4, -3, -1000}; // ULP; 2 are allowed
    struct data data = data_make(COUNT);
    for (int round = 0; round < 2000; round++) { // a bound that drifts from round to round would show
        size_t at = (size_t)round * 2654435761u % COUNT;
        double ulps = bad[round % 6];
        float good = data.got[at];
        data.got[at] = (float)((double)good + ulps * (ulps < 0 && good == 1 ? 0x1p-24 : 0x1p-23));
        if (round % 7 == 0) data.got[at] = NAN;
        if (round % 7 == 1) data.got[at] = -good;
        if (round % 7 == 2) data.got[at] = 0;
        if (round % 7 == 3) data.got[at] = INFINITY;
        if (round % 100 == 0) { // the data itself is good
            float kept = data.got[at];
            data.got[at] = good;
            assert_int_equal(judged(data, COUNT).failures, 0);
            data.got[at] = kept;
        }
        struct judgement j = judged(data, COUNT);
        assert_int_equal(j.failures, 1);
        assert_int_equal(j.worst.index, at);
        assert_false(j.worst.ratio <= 1);
        data.got[at] = good;
    }
    data_free(data);
}

static void test_matching_infinities_hide_nothing(void **state) {
    double want[] = {INFINITY, 1, -INFINITY, 2, INFINITY}, bound[] = {1, 1, 1, 1, 1};
    float got[] = {INFINITY, 1, -INFINITY, 2.00001f, INFINITY};
    struct judgement j = judged((struct data){want, bound, got}, 5);
    assert_int_equal(j.failures, 1);
    assert_int_equal(j.worst.index, 3);
    assert_true(j.worst.ratio > 1 && isfinite(j.worst.ratio));
    assert_true(isfinite(judge_mean_ulp(&j)) && judge_nmse(&j) > 0 && judge_nmse(&j) < 1e-10);
    assert_int_equal(j.classes[CLASS_INFINITE], 3);
}

static void test_one_infinity_of_the_other_sign(void **state) {
    enum { COUNT = 10000 };
    struct data data = data_make(COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        data.want[i] = i % 3 ? INFINITY : -INFINITY;
        data.got[i] = (float)data.want[i];
    }
    assert_int_equal(judged(data, COUNT).failures, 0);
    data.got[4321] = -data.got[4321];
    struct judgement j = judged(data, COUNT);
    assert_int_equal(j.failures, 1);
    assert_int_equal(j.worst.index, 4321);
    assert_true(isinf(j.worst.ratio));
    data_free(data);
}

static void test_worst_is_by_ratio_and_ties_go_low(void **state) {
    // The errors are 8 of 16, 3 of 4, 3 of 4 and 1 of 2 ULP.
    double want[] = {1, 1, 1, 1}, bound[] = {16, 4, 4, 2};
    float got[] = {1 + 8 * 0x1p-23f, 1 + 3 * 0x1p-23f, 1 - 3 * 0x1p-23f, 1 + 0x1p-23f};
    struct judgement j = judged((struct data){want, bound, got}, 4);
    assert_int_equal(j.failures, 0);
    assert_int_equal(j.worst.index, 1);
    assert_true(j.worst.ratio == 0.75 && j.worst.bound_ulp == 4 && j.max_ulp == 8);
    assert_true(j.worst.ulp == 3); // the error of the worst element, not the largest error
    assert_true(judge_mean_ulp(&j) == 15.0 / 4);
    // Parts in any order give the same result. Here the lower index of the tie comes later.
    struct judgement parts;
    judge_start(&parts, 4);
    for (int64_t first = 3; first >= 0; first--) add_part(&parts, (struct data){want, bound, got}, first, 1);
    judge_finish(&parts);
    assert_memory_equal(&parts, &j, sizeof j);
}

static void test_a_zero_bound_is_an_infinite_ratio(void **state) {
    double want[] = {1, 1}, bound[] = {1, 0};
    float got[] = {1 + 100 * 0x1p-23f, 1 + 0x1p-23f};
    struct judgement j = judged((struct data){want, bound, got}, 2);
    assert_int_equal(j.failures, 2);
    assert_int_equal(j.worst.index, 1);
    assert_true(isinf(j.worst.ratio) && j.max_ulp == 100);
    assert_true(j.worst.ulp == 1 && j.worst.bound_ulp == 0);
}

static void test_nmse(void **state) {
    double want[] = {1, 2, 2}, bound[] = {1e9, 1e9, 1e9};
    float got[] = {1, 2, 2.5f};
    struct judgement j = judged((struct data){want, bound, got}, 3);
    assert_true(judge_nmse(&j) == 0.25 / 9);
    double zero[] = {0, 0, 0};
    j = judged((struct data){zero, bound, got}, 3);
    assert_true(isinf(judge_nmse(&j)));
}

static void test_percentile(void **state) {
    enum { COUNT = 1000 };
    double want[COUNT], bound[COUNT];
    float got[COUNT];
    for (int i = 0; i < COUNT; i++) { // errors 0, 1, 2 ... 999 ULP
        want[i] = 1;
        bound[i] = 1e6;
        got[i] = 1 + (float)i * 0x1p-23f;
    }
    struct judgement j = judged((struct data){want, bound, got}, COUNT);
    assert_true(j.p99_ulp >= 989 && j.p99_ulp <= 989 * 1.045); // the 990th smallest, never understated
    // The buckets are [0], then (0, 1/32] ... (1/4, 1/2] with no errors. Then (1/2, 1] has 1, (1, 2] has 2, (2, 4]
    // has 3 and 4, ..., and (256, inf) has the rest.
    static const int64_t counts[JUDGE_HISTOGRAM] = {1, 0, 0, 0, 0, 0, 1, 1, 2, 4, 8, 16, 32, 64, 128, 743};
    assert_memory_equal(j.histogram, counts, sizeof counts);
    for (int i = 0; i < 10; i++) got[i * 7] = NAN; // one percent differs in class: still finite
    j = judged((struct data){want, bound, got}, COUNT);
    assert_true(isfinite(j.p99_ulp));
    got[999] = NAN;
    j = judged((struct data){want, bound, got}, COUNT);
    assert_true(isinf(j.p99_ulp));
}

// Merged parts of an output give the same judgement as the whole.
static void test_parts_make_the_whole(void **state) {
    double want[] = {1, 1, 1, INFINITY, 1, 1}, bound[] = {2, 2, 2, 2, 2, INFINITY};
    float got[] = {1, 1 + 3 * 0x1p-23f, 1 + 0x1p-23f, INFINITY, NAN, 2};
    struct judgement whole = judged((struct data){want, bound, got}, 6), sum;
    assert_int_equal(whole.failures, 2);
    assert_true(judge_mean_ulp(&whole) == 1); // 0, 3, 1 and 0 of four; NaN is not in the mean
    for (int cut = 0; cut <= 6; cut++) {
        judge_start(&sum, 6);
        for (int part = 0; part < 2; part++) {
            struct judgement one;
            int first = part ? cut : 0;
            judge_start(&one, 0);
            add_part(&one, (struct data){want, bound, got}, first, part ? 6 - cut : cut);
            judge_merge(&sum, &one);
        }
        judge_finish(&sum);
        assert_int_equal(sum.checked, 5);
        assert_int_equal(sum.compared, 4);
        assert_int_equal(sum.excluded, 1);
        assert_int_equal(sum.failures, 2);
        assert_int_equal(sum.worst.index, 4);
        assert_true(sum.max_ulp == whole.max_ulp && sum.p99_ulp == whole.p99_ulp);
        assert_true(judge_mean_ulp(&sum) == judge_mean_ulp(&whole) && judge_nmse(&sum) == judge_nmse(&whole));
        assert_memory_equal(sum.histogram, whole.histogram, sizeof sum.histogram);
        assert_memory_equal(sum.classes, whole.classes, sizeof sum.classes);
    }
}

// Errors beyond the last edges are in the last buckets, and a percentile among them is the largest error.
static void test_errors_beyond_the_last_edges(void **state) {
    struct data data = data_make(40);
    for (int i = 0; i < 40; i++) data.want[i] = (double)data.got[i] + ldexp(1, i / 2 - 23); // up to 2^19 ULP
    const struct judgement j = judged(data, 40);
    assert_int_equal(histogram_total(&j), 40);
    assert_int_equal(j.histogram[JUDGE_HISTOGRAM - 1], 2 * (20 - 9));
    int64_t fine = 0;
    for (size_t i = 0; i < sizeof j.fine / sizeof *j.fine; i++) fine += j.fine[i];
    assert_int_equal(fine, 40);
    assert_true(j.p99_ulp == j.max_ulp && j.max_ulp > 0x1p18);
    data_free(data);
}

// A part without a judged element leaves the worst one.
static void test_an_empty_part_changes_nothing(void **state) {
    struct data data = data_make(10);
    struct judgement all = judged(data, 10), none;
    judge_start(&none, 0);
    judge_merge(&all, &none);
    assert_int_equal(all.worst.index, 0);
    assert_true(all.worst.bound_ulp == 2 && all.checked == 10);
    data_free(data);
}

// Classes are those of the output's type, not of the arithmetic.
static void test_classes_are_of_the_output(void **state) {
    static const double want[] = {1, 0x1p-20, 0x1p-130, 0, INFINITY, NAN, 0x1p-14}, bound[7] = {0};
    static const struct {
        enum dtype dtype, arithmetic;
        int64_t classes[CLASS_COUNT]; // NaN, infinite, zero, subnormal, finite
    } cases[] = {
        {DTYPE_F16, DTYPE_F32, {1, 1, 1, 2, 2}},
        {DTYPE_F32, DTYPE_F16, {1, 1, 1, 1, 3}},
        {DTYPE_F32, DTYPE_F32, {1, 1, 1, 1, 3}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct judgement judgement;
        const unsigned char got[7 * sizeof(float)] = {0};
        judge_start(&judgement, 7);
        judge_add(&judgement, &(struct judge_input){.dtype = cases[c].dtype,
                                  .arithmetic = cases[c].arithmetic,
                                  .policy = {true, true, true},
                                  .want = want,
                                  .bound = bound,
                                  .got = got,
                                  .count = 7});
        assert_memory_equal(judgement.classes, cases[c].classes, sizeof judgement.classes);
    }
}

static void test_nothing_checked(void **state) {
    double want[] = {NAN}, bound[] = {1};
    float got[] = {1};
    struct judgement j;
    judge_start(&j, 10);
    judge_add(
        &j, &(struct judge_input){
                .dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .want = want, .bound = bound, .got = got, .count = 1});
    judge_finish(&j);
    assert_int_equal(j.checked, 0);
    assert_int_equal(j.excluded, 1);
    assert_int_equal(j.worst.index, -1);
    assert_true(isnan(j.p99_ulp) && isnan(judge_mean_ulp(&j)));
}

// Each edge belongs to the bucket below it, and a number just above it to the next one.
static void test_edges_of_buckets(void **state) {
    for (int i = 1; i < JUDGE_HISTOGRAM - 1; i++)
        for (int above = 0; above < 2; above++) {
            const double error = ldexp(above ? 1 + 0x1p-16 : 1, i - 6); // 2^-5 ... 2^8
            const float got = 1.5f;
            const double want = 1.5 - error * 0x1p-23, bound = 1000;
            struct judgement j;
            judge_start(&j, 1);
            judge_add(&j, &(struct judge_input){.dtype = DTYPE_F32,
                              .arithmetic = DTYPE_F32,
                              .policy = {true, true, true},
                              .want = &want,
                              .bound = &bound,
                              .got = &got,
                              .count = 1});
            assert_true(j.max_ulp == error && judge_edges[i] == ldexp(1, i - 6));
            assert_int_equal(j.histogram[i + above], 1);
        }
}

// The percentile is at the upper edge of its bucket, a sixteenth of an octave wide, but never above the largest error.
static void test_percentile_ends_a_bucket(void **state) {
    struct data data = data_make(1000);
    for (int i = 0; i < 1000; i++) data.want[i] += i < 5 ? 100 * 0x1p-23 : 0x1p-24; // 100 ULP, else half an ULP
    struct judgement j = judged(data, 1000);
    assert_true(j.max_ulp == 100 && j.p99_ulp == exp2(-1 + 1.0 / 16));
    for (int i = 0; i < 5; i++) data.want[i] = (double)data.got[i] + 0x1p-24;
    j = judged(data, 1000);
    assert_true(j.max_ulp == 0.5 && j.p99_ulp == 0.5);
    for (int i = 0; i < 11; i++) data.want[i] = (double)data.got[i] + 100 * 0x1p-23; // now beyond one percent
    j = judged(data, 1000);
    assert_true(j.p99_ulp == 100); // of the bucket up to 2^6.6875, 103.0
    data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_right),
        cmocka_unit_test(test_one_nan_in_a_million),
        cmocka_unit_test(test_one_ulp_over_in_a_million),
        cmocka_unit_test(test_the_bound_does_not_grow),
        cmocka_unit_test(test_known_bad_data_fails),
        cmocka_unit_test(test_matching_infinities_hide_nothing),
        cmocka_unit_test(test_one_infinity_of_the_other_sign),
        cmocka_unit_test(test_worst_is_by_ratio_and_ties_go_low),
        cmocka_unit_test(test_a_zero_bound_is_an_infinite_ratio),
        cmocka_unit_test(test_nmse),
        cmocka_unit_test(test_percentile),
        cmocka_unit_test(test_parts_make_the_whole),
        cmocka_unit_test(test_edges_of_buckets),
        cmocka_unit_test(test_percentile_ends_a_bucket),
        cmocka_unit_test(test_errors_beyond_the_last_edges),
        cmocka_unit_test(test_an_empty_part_changes_nothing),
        cmocka_unit_test(test_classes_are_of_the_output),
        cmocka_unit_test(test_nothing_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
