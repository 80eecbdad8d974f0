// SPDX-License-Identifier: Apache-2.0
#include "../fill.h"

#include "../../base/tests/within.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static const struct operand plain = {.name = "x", .role = ROLE_IN, .shape = {"n"}};
static const struct operator op = {.name = "test", .dims = {"n", "vocabulary"}};

static struct fill_request request(const struct operand *operand, enum dtype dtype, int64_t n, const int64_t *dims) {
    return (struct fill_request){.op = &op, .operand = operand, .dims = dims, .dtype = dtype, .elements = n, .key = 42};
}

static void values_follow_from_key_and_index_alone(void **state) {
    (void)state;
    enum { LONG = 100003, SHORT = 1001 };
    static float a[LONG], b[SHORT];
    int64_t dims[] = {LONG, 7};
    struct fill_request r = request(&plain, DTYPE_F32, LONG, dims);
    fill_operand(&r, a);
    r.elements = SHORT;
    fill_operand(&r, b);
    assert_memory_equal(a, b, sizeof b);
    r.key = 43;
    fill_operand(&r, b);
    assert_memory_not_equal(a, b, sizeof b);
}

static void uniform_values_fill_their_range(void **state) {
    (void)state;
    enum { N = 20000 };
    static float values[N];
    int64_t dims[] = {N, 7};
    struct operand quarter = plain;
    quarter.low = -0.25;
    quarter.high = 1;
    struct fill_request r = request(&quarter, DTYPE_F32, N, dims);
    fill_operand(&r, values);
    double low = 1, high = -1, sum = 0;
    for (int i = 0; i < N; i++) {
        low = fmin(low, (double)values[i]);
        high = fmax(high, (double)values[i]);
        sum += (double)values[i];
    }
    assert_true(low >= -0.25 && low < -0.249 && high < 1 && high > 0.999);
    // The mean of N uniforms has a standard deviation of 1.25 / sqrt(12 N) = 0.0026.
    assert_true(fabs(sum / N - 0.375) < 0.013);
}

// On a grid of 2^-23 no sum below 2 would be rounded, and no kernel that rounds wrongly be caught.
static void sums_of_uniform_values_are_rounded(void **state) {
    (void)state;
    enum { N = 20000 };
    static float values[N];
    int64_t dims[] = {N, 7};
    struct fill_request r = request(&plain, DTYPE_F32, N, dims);
    fill_operand(&r, values);
    int rounded = 0;
    for (int i = 0; i + 1 < N; i += 2) {
        double sum = (double)values[i] + (double)values[i + 1];
        rounded += (double)(float)sum != sum;
    }
    assert_true(rounded > N / 8); // of N / 2
}

static void indices_stay_below_their_dim(void **state) {
    (void)state;
    enum { N = 5000 };
    static int32_t values[N];
    int seen[7] = {0};
    int64_t dims[] = {N, 7};
    struct operand index = {.name = "i", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_INDEX, .below = "vocabulary"};
    struct fill_request r = request(&index, DTYPE_I32, N, dims);
    fill_operand(&r, values);
    for (int i = 0; i < N; i++) {
        assert_within(values[i], 0, 6);
        seen[values[i]]++;
    }
    for (int i = 0; i < 7; i++) assert_within(seen[i], 500, 930);
}

static void strays_are_out_of_range_on_either_side(void **state) {
    (void)state;
    enum { N = 5000 };
    static int32_t values[N];
    int below = 0, above = 0, first = 0;
    int64_t dims[] = {N, 7};
    struct operand index = {.name = "i", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_STRAY, .below = "vocabulary"};
    struct fill_request r = request(&index, DTYPE_I32, N, dims);
    fill_operand(&r, values);
    for (int i = 0; i < N; i++) {
        below += values[i] < 0;
        above += values[i] >= 7;
        first += values[i] == 7;
    }
    assert_within(below, 230, 400); // a sixteenth each
    assert_within(above, 230, 400);
    assert_true(first > 0);
}

static void steps_repeat_a_few_values(void **state) {
    (void)state;
    enum { N = 1000 };
    static float values[N];
    int seen[8] = {0};
    int64_t dims[] = {N, 8};
    struct operand steps = {.name = "x", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_STEPS, .low = -1, .high = 1,
        .below = "vocabulary"};
    struct fill_request r = request(&steps, DTYPE_F32, N, dims);
    fill_operand(&r, values);
    for (int i = 0; i < N; i++) {
        float place = (values[i] + 1) * 4;
        assert_true(place == floorf(place) && place >= 0 && place < 8);
        seen[(int)place]++;
    }
    for (int i = 0; i < 8; i++) assert_within(seen[i], 80, 170);
}

static void rare_values_come_once_a_row(void **state) {
    (void)state;
    enum { ROWS = 1000, COLS = 8 };
    static int32_t values[ROWS * COLS];
    int64_t dims[] = {ROWS, COLS};
    struct operand rare = {.name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .fill = FILL_RARE, .low = 5,
        .high = 0};
    struct fill_request r = request(&rare, DTYPE_I32, ROWS * COLS, dims);
    fill_operand(&r, values);
    int zeros = 0;
    for (int i = 0; i < ROWS * COLS; i++) {
        assert_true(values[i] == 0 || values[i] == 5);
        zeros += values[i] == 0;
    }
    assert_within(zeros, 900, 1100);
}

static void masks_hide_a_quarter_and_whole_rows(void **state) {
    (void)state;
    enum { ROWS = 16, COLS = 500 };
    static float values[ROWS * COLS];
    int64_t dims[] = {ROWS, COLS};
    struct operand mask = {.name = "m", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .fill = FILL_MASK};
    struct fill_request r = request(&mask, DTYPE_F32, ROWS * COLS, dims);
    fill_operand(&r, values);
    for (int row = 0; row < ROWS; row++) {
        int hidden = 0;
        for (int i = 0; i < COLS; i++) {
            float value = values[row * COLS + i];
            assert_true(value == 0 || (isinf(value) && value < 0));
            hidden += value != 0;
        }
        if (row % 8 == 2)
            assert_int_equal(hidden, COLS);
        else
            assert_within(hidden, 70, 180);
    }
}

// Some tensors are whole and some are broken, in each of the three ways.
static void broken_values_come_about_once_a_tensor(void **state) {
    (void)state;
    enum { N = 1000, TENSORS = 300 };
    static float values[N];
    int64_t dims[] = {N, 7};
    struct operand broken = {.name = "g", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_BROKEN, .low = -64, .high = 64};
    struct fill_request r = request(&broken, DTYPE_F32, N, dims);
    int nan = 0, above = 0, below = 0, whole = 0;
    for (r.key = 1; r.key <= TENSORS; r.key++) {
        int before = nan + above + below;
        fill_operand(&r, values);
        for (int i = 0; i < N; i++) {
            assert_true(!isfinite(values[i]) || fabsf(values[i]) <= 64);
            nan += isnan(values[i]);
            above += values[i] == INFINITY;
            below += values[i] == -INFINITY;
        }
        whole += nan + above + below == before;
    }
    assert_within(nan + above + below, TENSORS * 3 / 4, TENSORS * 5 / 4);
    assert_within(whole, TENSORS / 4, TENSORS / 2); // 1 / e
    assert_true(nan > TENSORS / 6 && above > TENSORS / 6 && below > TENSORS / 6);
}

static void a_permutation_holds_every_index_once(void **state) {
    (void)state;
    enum { N = 4097 };
    static int32_t values[N];
    static char seen[N];
    int64_t dims[] = {N, 7};
    struct operand permutation = {.name = "p", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_PERMUTATION};
    struct fill_request r = request(&permutation, DTYPE_I32, N, dims);
    fill_operand(&r, values);
    int fixed = 0;
    for (int i = 0; i < N; i++) {
        assert_within(values[i], 0, N - 1);
        assert_int_equal(seen[values[i]]++, 0);
        fixed += values[i] == i;
    }
    assert_true(fixed < 20);
}

static void special_values_are_crossed_between_two_operands(void **state) {
    (void)state;
    enum { N = 1000 };
    static float a[N], b[N];
    int64_t dims[] = {N, 7};
    struct operand special = plain;
    special.specials = true;
    struct fill_request r = request(&special, DTYPE_F32, N, dims);
    r.specials = 2;
    fill_operand(&r, a);
    r.special_index = 1;
    fill_operand(&r, b);
    int64_t crossed = special_elements(2, N);
    assert_int_equal(crossed, special_count(2) * special_count(2));
    int nan_nan = 0, inf_inf = 0, zero_zero = 0;
    for (int64_t i = 0; i < crossed; i++) {
        nan_nan += isnan(a[i]) && isnan(b[i]);
        inf_inf += isinf(a[i]) && isinf(b[i]);
        zero_zero += a[i] == 0 && b[i] == 0;
    }
    assert_int_equal(nan_nan, 4);
    assert_int_equal(inf_inf, 4);
    assert_int_equal(zero_zero, 4);
    for (int64_t i = crossed; i < N; i++) assert_true(fabsf(a[i]) <= 1 && fabsf(b[i]) <= 1);
}

// Every bit of one NaN is set, so that arithmetic on its bits runs over.
static void one_special_nan_is_full(void **state) {
    (void)state;
    enum { N = 100 };
    static uint32_t bits[N];
    int64_t dims[] = {N, 7};
    int full = 0;
    struct operand special = plain;
    special.specials = true;
    struct fill_request r = request(&special, DTYPE_F32, N, dims);
    r.specials = 1;
    fill_operand(&r, bits);
    for (int i = 0; i < N; i++) full += (bits[i] & 0x7fffffff) == 0x7fffffff;
    assert_int_equal(full, 1);
}

static void lines_take_turns_in_character(void **state) {
    (void)state;
    enum { ROWS = 16, COLS = 40 };
    static float x[ROWS][COLS];
    int64_t dims[] = {ROWS, COLS};
    struct operand lined = {.name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .low = -4, .high = 4,
        .lines = LINES_ANY};
    struct fill_request r = request(&lined, DTYPE_F32, ROWS * COLS, dims);
    fill_operand(&r, x);
    for (int row = 0; row < ROWS; row++) {
        int nan = 0, infinite = 0, positive = 0, equal = 0;
        float low = INFINITY, high = -INFINITY;
        for (int col = 0; col < COLS; col++) {
            nan += isnan(x[row][col]);
            infinite += x[row][col] == -INFINITY;
            positive += x[row][col] == INFINITY;
            equal += x[row][col] == x[row][0];
            low = fminf(low, x[row][col]);
            high = fmaxf(high, x[row][col]);
        }
        assert_int_equal(nan, row == 6);
        assert_int_equal(positive, row == 14);
        assert_int_equal(infinite, row % 8 == 5 ? COLS : row % 8 == 4);
        assert_int_equal(equal == COLS, row % 8 == 3 || row % 8 == 5);
        if (row % 8 == 0) assert_true(low >= -4 && high < 4);
        if (row % 8 == 1) assert_true(high < -190);
        if (row % 8 == 2) assert_true(low < -150 && high > 150);
        if (row % 8 == 7) assert_true(low > 190);
    }
    lined.lines = LINES_FINITE;
    fill_operand(&r, x);
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++) {
            assert_true(isfinite(x[row][col]));
            if (row % 8 == 4 && col % 2) assert_true(x[row][col] == -x[row][col - 1]);
            if (row % 8 == 5) assert_true(x[row][col] == 0 && (bool)signbit(x[row][col]) == col % 2);
        }
}

// Of f32 numbers that are cast to bf16 or f16 some lie halfway between two neighbours.
static void ties_are_met(void **state) {
    (void)state;
    enum { N = 1000 };
    static float x[N];
    static const struct {
        enum dtype dtype;
        int bits;
    } narrow[] = {{DTYPE_BF16, 8}, {DTYPE_F16, 11}};
    int64_t dims[] = {N, 7};
    struct operand ties = {.name = "x", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_TIES, .low = 1e-3, .high = 1e3,
        .signs = true};
    struct fill_request r = request(&ties, DTYPE_F32, N, dims);
    fill_operand(&r, x);
    for (int d = 0; d < 2; d++) {
        int even = 0, odd = 0;
        for (int i = 0; i < N; i++) {
            int exponent;
            double scaled = ldexp(frexp(fabs((double)x[i]), &exponent), narrow[d].bits);
            if (scaled - floor(scaled) != 0.5) continue;
            even += fmod(floor(scaled), 2) == 0;
            odd += fmod(floor(scaled), 2) == 1;
        }
        assert_true(even > 20 && odd > 20);
    }
}

static void a_small_operand_keeps_ordinary_values(void **state) {
    (void)state;
    assert_int_equal(special_elements(2, 33), 0);
    assert_int_equal(special_elements(1, 3), 0);
    assert_int_equal(special_elements(0, 1 << 20), 0);
}

static void rotation_tables_are_cosines_of_position_times_frequency(void **state) {
    (void)state;
    float values[3 * 4];
    static const struct operator rope = {.name = "rope", .dims = {"seq", "half"}};
    struct operand cosine = {.name = "cos", .role = ROLE_IN, .shape = {"seq", "half"}, .fill = FILL_COSINE};
    int64_t dims[] = {3, 4};
    struct fill_request r = {.op = &rope, .operand = &cosine, .dims = dims, .dtype = DTYPE_F32, .elements = 12};
    fill_operand(&r, values);
    for (int i = 0; i < 4; i++) assert_true(values[i] == 1); // position 0 is the identity
    assert_float_equal(values[2 * 4 + 1], cos(2 * pow(10000, -0.25)), 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_from_key_and_index_alone),
        cmocka_unit_test(uniform_values_fill_their_range),
        cmocka_unit_test(sums_of_uniform_values_are_rounded),
        cmocka_unit_test(indices_stay_below_their_dim),
        cmocka_unit_test(strays_are_out_of_range_on_either_side),
        cmocka_unit_test(steps_repeat_a_few_values),
        cmocka_unit_test(rare_values_come_once_a_row),
        cmocka_unit_test(masks_hide_a_quarter_and_whole_rows),
        cmocka_unit_test(broken_values_come_about_once_a_tensor),
        cmocka_unit_test(a_permutation_holds_every_index_once),
        cmocka_unit_test(special_values_are_crossed_between_two_operands),
        cmocka_unit_test(one_special_nan_is_full),
        cmocka_unit_test(lines_take_turns_in_character),
        cmocka_unit_test(ties_are_met),
        cmocka_unit_test(a_small_operand_keeps_ordinary_values),
        cmocka_unit_test(rotation_tables_are_cosines_of_position_times_frequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
