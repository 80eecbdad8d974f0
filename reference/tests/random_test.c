// SPDX-License-Identifier: Apache-2.0
// Random numbers tested by their statistics: anything that computes the same bits has the same statistics. Seeds are
// fixed, so a test passes always or never. A right generator exceeds a limit with a probability below 1e-6.
#include "evaluated.h"
#include "unit.h"

#include <string.h>

enum { N = 1 << 20 };

static struct problem draw(const char *name, int64_t n, int32_t seed, int32_t offset) {
    struct problem p = problem_open(operator_named(name), &n, 1);
    p.params[0] = seed;
    p.params[1] = offset;
    problem_truth(&p, 0, n);
    return p;
}

struct moments {
    double mean, variance, skewness, kurtosis;
};

static struct moments moments_of(const double *x, int64_t n) {
    struct moments m = {0};
    for (int64_t i = 0; i < n; i++) m.mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        const double d = x[i] - m.mean;
        m.variance += d * d / (double)n;
        m.skewness += d * d * d / (double)n;
        m.kurtosis += d * d * d * d / (double)n;
    }
    m.skewness /= pow(m.variance, 1.5);
    m.kurtosis /= m.variance * m.variance;
    return m;
}

static double correlation(const double *x, int64_t n, int64_t lag, struct moments m) {
    double sum = 0;
    for (int64_t i = 0; i + lag < n; i++) sum += (x[i] - m.mean) * (x[i + lag] - m.mean);
    return sum / (double)(n - lag) / m.variance;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns the Kolmogorov-Smirnov statistic sqrt(n) D: the largest distance between the share of numbers up to x and
// their distribution there. It exceeds 2.7 with a probability of 2 exp(-2 2.7^2) = 1e-6.
static double kolmogorov_smirnov(double *x, int64_t n, double (*distribution)(double)) {
    double largest = 0;
    qsort(x, (size_t)n, sizeof *x, ascending);
    for (int64_t i = 0; i < n; i++) {
        const double f = distribution(x[i]);
        largest = fmax(largest, fabs(f - (double)i / (double)n));
        largest = fmax(largest, fabs(f - (double)(i + 1) / (double)n));
    }
    return largest * sqrt((double)n);
}

static double uniform_distribution(double x) {
    return x;
}
static double normal_distribution(double x) {
    return 0.5 * erfc(-x * sqrt(0.5));
}

// Allows 5 standard deviations of the estimate: 6e-7 of a normal one exceed them.
static void assert_estimate(double got, double want, double spread, int64_t n) {
    if (!(fabs(got - want) <= 5 * spread / sqrt((double)n)))
        fail_msg("%g, not %g +- %g", got, want, spread / sqrt((double)n));
}

static void uniforms_are_uniform(void **state) {
    for (int32_t seed = 0; seed < 4; seed++) {
        struct problem p = draw("rand_uniform", N, seed, 1000 * seed);
        const struct moments m = moments_of(p.out, N);
        assert_estimate(m.mean, 0.5, sqrt(1.0 / 12), N);
        assert_estimate(m.variance, 1.0 / 12, sqrt(1.0 / 180), N);
        for (int64_t lag = 1; lag <= 5; lag++) assert_estimate(correlation(p.out, N, lag, m), 0, 1, N);
        assert_true(kolmogorov_smirnov(p.out, N, uniform_distribution) < 2.7);
        problem_close(&p);
    }
}

static void normals_are_normal(void **state) {
    for (int32_t seed = 0; seed < 4; seed++) {
        struct problem p = draw("rand_normal", N, seed, 1000 * seed);
        const struct moments m = moments_of(p.out, N);
        assert_estimate(m.mean, 0, 1, N);
        assert_estimate(m.variance, 1, sqrt(2), N);
        assert_estimate(m.skewness, 0, sqrt(6), N);
        assert_estimate(m.kurtosis, 3, sqrt(24), N);
        for (int64_t lag = 1; lag <= 5; lag++) assert_estimate(correlation(p.out, N, lag, m), 0, 1, N);
        assert_true(kolmogorov_smirnov(p.out, N, normal_distribution) < 2.7);
        problem_close(&p);
    }
}

// Checks that the test can fail: it finds a generator with an upper end of 0.995 instead of 1.
static void a_crooked_distribution_is_found(void **state) {
    struct problem p = draw("rand_uniform", N, 1, 0);
    for (int64_t i = 0; i < N; i++) p.out[i] *= 0.995;
    assert_true(kolmogorov_smirnov(p.out, N, uniform_distribution) > 2.7);
    problem_close(&p);
}

static void mean_and_sigma_move_and_stretch(void **state) {
    struct problem standard = draw("rand_normal", 1000, 3, 0), p = draw("rand_normal", 1000, 3, 0);
    p.params[2] = -2;
    p.params[3] = 0.5;
    problem_truth(&p, 0, 1000);
    for (int i = 0; i < 1000; i++) assert_true(fabs(p.out[i] - (0.5 * standard.out[i] - 2)) < 1e-14);
    problem_close(&standard);
    problem_close(&p);
}

// The range is half-open in every dtype: the largest number is below 1 by an ULP of its size.
static void uniforms_stay_below_one(void **state) {
    static const struct {
        enum dtype dtype;
        double grain;
    } cases[] = {{DTYPE_F32, 0x1p-24}, {DTYPE_F16, 0x1p-11}, {DTYPE_BF16, 0x1p-8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problem p = draw("rand_uniform", N, 5, 0);
        p.dtype = cases[i].dtype;
        problem_truth(&p, 0, N);
        double least = 1, most = 0;
        for (int64_t j = 0; j < N; j++) {
            assert_true(p.out[j] == dtype_round(cases[i].dtype, p.out[j]));
            assert_true(fmod(p.out[j], cases[i].grain) == 0);
            least = fmin(least, p.out[j]);
            most = fmax(most, p.out[j]);
        }
        assert_true(least >= 0 && least < 0.001 && most > 0.99 && most <= 1 - cases[i].grain);
        problem_close(&p);
    }
}

// The operators' settings have a number of zeros and one of ones first. Each comes once in 2^24 numbers.
static void settings_begin_with_the_least_and_the_greatest_number(void **state) {
    static const char *const names[] = {"rand_uniform", "rand_normal", "bernoulli", "dropout"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct op *op = operator_named(names[n]);
        assert_true(op->together.count >= 2);
        for (int i = 0; i < op->together.count; i++) {
            const double *set = op->together.values[i];
            struct problem p = draw("rand_uniform", 1, (int32_t)set[0], (int32_t)set[1]);
            assert_true(p.out[0] == (i % 2 ? 1 - 0x1p-24 : 0));
            problem_close(&p);
        }
    }
}

// Offsets count blocks of four numbers, so a later part of a stream is the stream of a larger offset.
static void streams_follow_from_seed_and_offset(void **state) {
    static const char *const names[] = {"rand_uniform", "rand_normal", "bernoulli"};
    for (int i = 0; i < 3; i++) {
        struct problem a = draw(names[i], 4096, 7, 10), again = draw(names[i], 4096, 7, 10);
        struct problem later = draw(names[i], 4096, 7, 11), other = draw(names[i], 4096, 8, 10);
        assert_memory_equal(a.out, again.out, 4096 * sizeof *a.out);
        assert_memory_equal(a.out + 4, later.out, 4092 * sizeof *a.out);
        assert_memory_not_equal(a.out, other.out, 4096 * sizeof *a.out);
        problem_close(&a);
        problem_close(&again);
        problem_close(&later);
        problem_close(&other);
    }
}

// The first two blocks of key 42, computed from the paper's definition in another language. The same program gives
// Random123's known answer for key and counter 0.
static void numbers_are_those_of_philox(void **state) {
    static const uint32_t words[] = {
        0x9ceaf053, 0x77f5493b, 0x12bf50ad, 0x5742b3d7, 0xfcdb2127, 0x53ba6cfd, 0x838f5a6e, 0x744e06fb};
    struct problem p = draw("rand_uniform", 8, 42, 0);
    for (int i = 0; i < 8; i++) assert_true(p.out[i] == (words[i] >> 8) * 0x1p-24);
    problem_close(&p);
}

static void bernoulli_keeps_its_probability(void **state) {
    static const double probabilities[] = {0, 0.25, 0.7, 1};
    for (int i = 0; i < 4; i++) {
        struct problem p = draw("bernoulli", N, 9, 0);
        const double q = probabilities[i];
        p.params[2] = q;
        problem_truth(&p, 0, N);
        double ones = 0;
        for (int64_t j = 0; j < N; j++) {
            assert_true(p.out[j] == 0 || p.out[j] == 1);
            ones += p.out[j];
        }
        assert_estimate(ones / N, q, sqrt(q * (1 - q)), N);
        problem_close(&p);
    }
}

// The mask is bernoulli's for the same seed, and the mean is kept. Dropped values become 0, even NaN.
static void dropout_scales_what_it_keeps(void **state) {
    struct problem p = draw("dropout", N, 9, 3), mask = draw("bernoulli", N, 9, 3);
    for (int64_t i = 0; i < N; i++) problem_set_at(&p, 0, i, mask.out[i] == 1 ? NAN : 3);
    problem_truth(&p, 0, N);
    double mean = 0;
    for (int64_t i = 0; i < N; i++) {
        assert_true(p.out[i] == (mask.out[i] == 1 ? 0 : 4)); // 3 / (1 - 0.25)
        mean += p.out[i] / N;
    }
    assert_estimate(mean, 3, 4 * sqrt(0.25 * 0.75), N);
    p.params[2] = 1;
    problem_truth(&p, 0, N);
    for (int64_t i = 0; i < N; i++) assert_true(p.out[i] == 0);
    problem_close(&p);
    problem_close(&mask);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniforms_are_uniform),
        cmocka_unit_test(normals_are_normal),
        cmocka_unit_test(a_crooked_distribution_is_found),
        cmocka_unit_test(mean_and_sigma_move_and_stretch),
        cmocka_unit_test(uniforms_stay_below_one),
        cmocka_unit_test(settings_begin_with_the_least_and_the_greatest_number),
        cmocka_unit_test(streams_follow_from_seed_and_offset),
        cmocka_unit_test(numbers_are_those_of_philox),
        cmocka_unit_test(bernoulli_keeps_its_probability),
        cmocka_unit_test(dropout_scales_what_it_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
