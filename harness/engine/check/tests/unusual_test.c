// SPDX-License-Identifier: Apache-2.0
// Unusual inputs: the special values, numbers near the ends of exp's range and of any size, and their signs.
#include "../../../../reference/table.h"
#include "../inputs/fill.h"
#include "../inputs/special_values.h"
#include "../../plan/lines.h"
#include "../../../../reference/tests/unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 60000, ROWS = 50, COLS = 400 };

static const struct op op = {.dims = {"rows", "cols"}, .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}}}};

// Returns an element as it is in memory: rounded to its type.
static double stored(enum dtype dtype, double value) {
    uint32_t word[1] = {0};
    dtype_store(dtype, word, 0, value);
    return dtype_load(dtype, word, 0);
}

static bool is_same(double a, double b) {
    return isnan(b) ? isnan(a) : a == b && !signbit(a) == !signbit(b);
}

// Special values take at most half of the elements. A small problem is unusual as a whole.
static void special_values_leave_as_many_others(void **state) {
    for (int specials = -1; specials <= 4; specials++) {
        int64_t crossed = specials >= 1 && specials <= 3 ? 1 : 0;
        for (int i = 0; i < specials; i++) crossed *= special_count(specials);
        const int64_t least = 2 * crossed;
        assert_int_equal(special_elements(specials, least), crossed);
        assert_int_equal(special_elements(specials, 100 * least + 1), crossed);
        assert_int_equal(special_elements(specials, least - 1), 0);
        assert_int_equal(unusual_elements(specials, MOST_UNUSUAL), specials > 0 ? MOST_UNUSUAL : 0);
        assert_int_equal(unusual_elements(specials, MOST_UNUSUAL + 1), special_elements(specials, MOST_UNUSUAL + 1));
    }
}

// The first eight are crossed between three operands.
static void special_values_are_the_edges_of_their_type(void **state) {
    static const struct {
        double f32, f16;
    } values[] = {
        {0.0, 0.0},
        {-0.0, -0.0},
        {INFINITY, INFINITY},
        {-INFINITY, -INFINITY},
        {NAN, NAN},
        {FLT_MAX, 65504},
        {-FLT_MIN, -0x1p-14},
        {1, 1},
        {NAN, NAN},
        {-FLT_MAX, -65504},
        {FLT_MIN, 0x1p-14},
        {0x0.fffffep-126, 0x0.ffcp-14}, // the largest subnormals
        {-0x1p-149, -0x1p-24},          // the least
        {-1, -1},
        {1 + FLT_EPSILON, 1 + 0x1p-10},
        {0.5, 0.5},
        {65519, 65504},    // rounded to f16's largest number
        {65520, INFINITY}, // and to its infinity
        {100, 100},
        {-100, -100},
        {88.75, 88.75}, // exp overflows in f32
        {-1e-4f, -0x1.a38p-14},
    };
    assert_int_equal(special_count(1), sizeof values / sizeof *values);
    assert_int_equal(special_count(2), sizeof values / sizeof *values);
    assert_int_equal(special_count(3), 8);
    for (int64_t i = 0; i < special_count(1); i++) {
        const double f32 = stored(DTYPE_F32, special_value(DTYPE_F32, i));
        const double f16 = stored(DTYPE_F16, special_value(DTYPE_F16, i));
        if (!is_same(f32, values[i].f32) || !is_same(f16, values[i].f16))
            fail_msg("value %d: %.9g in f32, %.9g in f16", (int)i, f32, f16);
    }
}

// Fills N elements of which a quarter, beyond the special values, are far. Returns the first index of these.
static int64_t fill_far(enum dtype dtype, double *values) {
    static uint32_t memory[N];
    const struct operand operand = {
        .name = "x", .role = ROLE_IN, .shape = {"rows", "cols"}, .low = -1, .high = 1, .specials = true};
    const int64_t dims[] = {1, N};
    const struct fill_request request = {
        .op = &op, .operand = &operand, .dtype = dtype, .dims = dims, .elements = N, .key = 3, .specials = 1};
    fill_operand(&request, memory);
    for (int64_t i = 0; i < N; i++) values[i] = dtype_load(dtype, memory, i);
    return special_elements(1, N);
}

// In every stretch of powers of two, from the least subnormal to the largest number.
static void far_numbers_have_either_sign_and_any_size(void **state) {
    static const struct {
        enum dtype dtype;
        int least, most, step; // powers of two
    } types[] = {{DTYPE_F32, -149, 128, 20}, {DTYPE_F16, -24, 16, 5}, {DTYPE_BF16, -133, 128, 20}};
    static double values[N];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const int64_t first = fill_far(types[t].dtype, values);
        for (int low = types[t].least; low + types[t].step <= types[t].most; low += types[t].step) {
            int count[2] = {0, 0};
            for (int64_t i = first; i < N; i++)
                if (fabs(values[i]) >= ldexp(1, low) && fabs(values[i]) < ldexp(1, low + types[t].step))
                    count[signbit(values[i]) != 0]++;
            if (count[0] < 20 || count[1] < 20)
                fail_msg("type %zu from 2^%d on: %d numbers above 0, %d below", t, low, count[0], count[1]);
        }
        int within[2] = {0, 0}; // numbers up to 128, apart from the ends of exp's range
        for (int64_t i = first; i < N; i++)
            if (fabs(values[i]) > 18 && fabs(values[i]) < 36) within[values[i] < 0]++;
        assert_true(within[0] > 150 && within[1] > 150);
    }
}

// exp of these numbers is the type's largest, least normal and least subnormal number, or the square is the largest.
static void far_numbers_come_near_the_ends_of_exp_from_both_sides(void **state) {
    static const struct {
        enum dtype dtype;
        double near; // as a share
        double ends[8];
        int count;
    } types[] = {
        {DTYPE_F32, 0x1p-14, {88.7228391, -87.3365448, -103.9720771, 44.3614196}, 4},
        {DTYPE_F16, 0x1p-8,
            {88.7228391, -87.3365448, -103.9720771, 44.3614196, 11.0898664, -9.7040605, -17.3286795, 5.5449332}, 8},
    };
    static double values[N];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const int64_t first = fill_far(types[t].dtype, values);
        for (int e = 0; e < types[t].count; e++) {
            int below = 0, above = 0, farther = 0;
            for (int64_t i = first; i < N; i++) {
                const double apart = values[i] / types[t].ends[e] - 1;
                below += apart < 0 && apart > -types[t].near;
                above += apart > 0 && apart < types[t].near;
                farther += fabs(apart) > 0.06 && fabs(apart) < 0.125;
            }
            if (below < 30 || above < 30 || farther < 30)
                fail_msg("%g: %d below, %d above, %d farther", types[t].ends[e], below, above, farther);
        }
    }
}

// Fills rows of such lines. Adds NaN up by sign, and rows with zeros by their share: few, most, all.
static void count_signs(enum lines lines, uint64_t key, int nan[2], int rows[3]) {
    static float x[ROWS * COLS];
    const struct operand operand = {
        .name = "x", .role = ROLE_IN, .shape = {"rows", "cols"}, .low = -4, .high = 4, .lines = lines};
    const int64_t dims[] = {ROWS, COLS};
    const struct fill_request request = {
        .op = &op, .operand = &operand, .dtype = DTYPE_F32, .dims = dims, .elements = ROWS * COLS, .key = key};
    fill_operand(&request, x);
    for (int row = 0; row < ROWS; row++) {
        int zeros[2] = {0, 0};
        for (int col = 0; col < COLS; col++) {
            const float value = x[row * COLS + col];
            if (isnan(value)) nan[signbit(value) != 0]++;
            if (value == 0) zeros[signbit(value) != 0]++;
        }
        const int both = zeros[0] + zeros[1];
        if (both < COLS / 20) continue;
        assert_true(zeros[0] > both / 6 && zeros[1] > both / 6);
        rows[both == COLS ? 2 : both > COLS / 2]++;
    }
}

static void nan_and_zeros_in_lines_have_either_sign(void **state) {
    int nan[2] = {0, 0}, rows[3] = {0, 0, 0};
    for (uint64_t key = 1; key <= 20; key++) count_signs(LINES_SOME, key, nan, rows);
    assert_true(rows[0] >= 1);
    count_signs(LINES_ANY, 5, nan, rows);
    assert_true(rows[1] >= 1 && rows[2] >= 1);
    assert_true(nan[0] > COLS / 4 && nan[1] > COLS / 4);
}

// Drawn in [-4, 4), one line is up to 32,768, and in one the first half is moved below the second.
static void lines_are_far_or_moved_by_halves(void **state) {
    static float x[ROWS * COLS];
    const struct operand operand = {
        .name = "x", .role = ROLE_IN, .shape = {"rows", "cols"}, .low = -4, .high = 4, .lines = LINES_FINITE};
    const int64_t dims[] = {ROWS, COLS};
    const struct fill_request request = {
        .op = &op, .operand = &operand, .dtype = DTYPE_F32, .dims = dims, .elements = ROWS * COLS, .key = 5};
    int far = 0, halves = 0;
    fill_operand(&request, x);
    for (int row = 0; row < ROWS; row++) {
        float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int col = 0; col < COLS; col++) {
            const int half = 2 * col >= COLS;
            low[half] = fminf(low[half], x[row * COLS + col]);
            high[half] = fmaxf(high[half], x[row * COLS + col]);
        }
        const float largest = fmaxf(fmaxf(high[0], high[1]), -fminf(low[0], low[1]));
        far += largest > 30000 && largest <= 32768;
        halves += high[0] <= 4 - LINES_MOVED && low[0] >= -4 - LINES_MOVED && low[1] >= -4 && high[1] < 4;
    }
    assert_true(far >= ROWS / 25 && halves >= ROWS / 25); // of thirteen patterns
}

// Numbers of a spread operand have either sign if it has signs, and every true number is met.
static void spread_and_true_numbers_are_of_every_kind(void **state) {
    static float spread[N];
    static int32_t rare[N];
    const int64_t dims[] = {N / 8, 8};
    for (int signs = 0; signs < 2; signs++) {
        const struct operand operand = {.name = "x",
            .role = ROLE_IN,
            .shape = {"rows", "cols"},
            .fill = FILL_SPREAD,
            .low = 0.125,
            .high = 8,
            .signs = signs};
        const struct fill_request request = {
            .op = &op, .operand = &operand, .dtype = DTYPE_F32, .dims = dims, .elements = N, .key = 5};
        int below = 0;
        fill_operand(&request, spread);
        for (int i = 0; i < N; i++) below += spread[i] < 0;
        assert_true(signs ? below > N / 3 && below < 2 * N / 3 : below == 0);
    }
    static const int32_t truths[] = {1, -1, 2, 256, 65536, INT32_MIN, INT32_MAX, -256};
    const struct operand operand = {
        .name = "x", .role = ROLE_IN, .shape = {"rows", "cols"}, .fill = FILL_RARE, .low = 0, .high = 1};
    const struct fill_request request = {
        .op = &op, .operand = &operand, .dtype = DTYPE_I32, .dims = dims, .elements = N, .key = 5};
    int zeros = 0, all = 0;
    fill_operand(&request, rare);
    for (int i = 0; i < N; i++) zeros += rare[i] == 0;
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        int found = 0;
        for (int i = 0; i < N; i++) found += rare[i] == truths[t];
        assert_true(found > N / 128); // an eighth of N / 8
        all += found;
    }
    assert_int_equal(zeros + all, N);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values_leave_as_many_others),
        cmocka_unit_test(special_values_are_the_edges_of_their_type),
        cmocka_unit_test(far_numbers_have_either_sign_and_any_size),
        cmocka_unit_test(far_numbers_come_near_the_ends_of_exp_from_both_sides),
        cmocka_unit_test(nan_and_zeros_in_lines_have_either_sign),
        cmocka_unit_test(lines_are_far_or_moved_by_halves),
        cmocka_unit_test(spread_and_true_numbers_are_of_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
