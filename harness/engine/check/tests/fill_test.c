// SPDX-License-Identifier: Apache-2.0
#include "../inputs/fill.h"
#include "../inputs/special_values.h"

#include "../../../base/parallel.h"
#include "../../plan/lines.h"

#include "../../../base/tests/within.h"
#include "../../../../reference/tests/unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct operand plain = {.name = "x", .role = ROLE_IN, .shape = {"n"}};
static const struct op op = {.name = "test", .dims = {"n", "vocabulary"}};

static struct fill_request request(const struct operand *operand, enum dtype dtype, int64_t n, const int64_t *dims) {
    return (struct fill_request){.op = &op, .operand = operand, .dims = dims, .dtype = dtype, .elements = n, .key = 42};
}

static void values_follow_from_key_and_index_alone(void **state) {
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

// Measured operands are filled faster, with the same values, wherever their lines begin and whatever their
// patterns.
static void large_operands_hold_what_small_ones_do(void **state) {
    enum { LONG = 100002, SHORT = 1001 * 7 };
    static const enum dtype dtypes[] = {DTYPE_F32, DTYPE_F16, DTYPE_BF16, DTYPE_I32};
    static unsigned char a[LONG * 4], b[SHORT * 4];
    struct operand lined = {.name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .low = -9, .high = 99};
    for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++) {
        for (int kind = 0; kind < 2; kind++) {
            lined.lines = kind ? LINES_FINITE : LINES_ALIKE;
            struct fill_request r = request(&lined, dtypes[t], LONG, (int64_t[]){LONG / 7, 7});
            fill_operand(&r, a);
            r.elements = SHORT;
            r.dims = (int64_t[]){SHORT / 7, 7};
            fill_operand(&r, b);
            assert_memory_equal(a, b, (size_t)SHORT * (size_t)dtype_info(dtypes[t])->bytes);
        }
    }
}

// Several threads give the same bits as one, in sizes not divisible by chunks. The test covers single numbers, lines,
// indices, special values and quantised blocks.
static void several_threads_fill_what_one_does(void **state) {
    enum { MOST = 262147 };
    static const int64_t sizes[] = {1, 4095, 4097, 65537, MOST};
    static const struct {
        enum dtype dtype;
        enum fill fill;
        enum lines lines;
    } kinds[] = {{DTYPE_F32, FILL_UNIFORM, LINES_ALIKE}, {DTYPE_F32, FILL_UNIFORM, LINES_ANY},
        {DTYPE_BF16, FILL_SPREAD, LINES_ALIKE}, {DTYPE_F16, FILL_MASK, LINES_ALIKE},
        {DTYPE_I32, FILL_INDEX, LINES_ALIKE}, {DTYPE_I32, FILL_PERMUTATION, LINES_ALIKE},
        {DTYPE_Q8_0, FILL_UNIFORM, LINES_ALIKE}};
    static unsigned char one[MOST * 4 + 1], several[MOST * 4 + 1];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const struct dtype_info *info = dtype_info(kinds[k].dtype);
            const int64_t n = sizes[s] / info->elements * info->elements;
            struct operand operand = {.name = "x",
                .role = ROLE_IN,
                .shape = {"n", "vocabulary"},
                .below = "vocabulary",
                .low = 0.5,
                .high = 99,
                .fill = kinds[k].fill,
                .lines = kinds[k].lines,
                .specials = k < 2};
            struct fill_request r = request(&operand, kinds[k].dtype, n, (int64_t[]){n, 1});
            const size_t bytes = (size_t)(n / info->elements * info->bytes);
            r.specials = k < 2;
            memset(one, 1, sizeof one);
            memset(several, 2, sizeof several);
            parallel_limit(1);
            fill_operand(&r, one);
            parallel_limit(0);
            fill_operand(&r, several);
            assert_memory_equal(one, several, bytes);
            assert_int_equal(several[bytes], 2); // nothing is written behind
        }
}

static void uniform_values_fill_their_range(void **state) {
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

// On a grid of 2^-23, no sum below 2 would be rounded, and no wrongly rounding kernel caught.
static void sums_of_uniform_values_are_rounded(void **state) {
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
    enum { N = 1 << 17 }; // large, because indices of small problems follow patterns
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
    for (int i = 0; i < 7; i++) assert_within(seen[i], 18000, 19400);
}

static void indices_are_out_of_range_on_either_side(void **state) {
    enum { N = 5000 };
    static int32_t values[N];
    int below = 0, above = 0, first = 0;
    int64_t dims[] = {N, 7};
    struct operand index = {
        .name = "i", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_OUT_OF_RANGE, .below = "vocabulary"};
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
    enum { N = 1000 };
    static float values[N];
    int seen[8] = {0};
    int64_t dims[] = {N, 8};
    struct operand steps = {
        .name = "x", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_STEPS, .low = -1, .high = 1, .below = "vocabulary"};
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
    enum { ROWS = 1000, COLS = 8 };
    static int32_t values[ROWS * COLS];
    int64_t dims[] = {ROWS, COLS};
    struct operand rare = {
        .name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .fill = FILL_RARE, .low = 5, .high = 0};
    struct fill_request r = request(&rare, DTYPE_I32, ROWS * COLS, dims);
    fill_operand(&r, values);
    int zeros = 0;
    for (int i = 0; i < ROWS * COLS; i++) {
        assert_true(values[i] == 0 || values[i] == 5);
        zeros += values[i] == 0;
    }
    assert_within(zeros, 900, 1100);
}

// A kernel that tests some bits of a byte would be right for 0, 1 and 2.
static void truth_has_each_bit_alone(void **state) {
    enum { N = 3000 };
    static unsigned char values[N];
    int64_t dims[] = {N, 1};
    int seen[256] = {0};
    struct operand truth = {.name = "x", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_TRUTH};
    struct fill_request r = request(&truth, DTYPE_U8, N, dims);
    fill_operand(&r, values);
    for (int i = 0; i < N; i++) seen[values[i]]++;
    assert_within(seen[0], 900, 1100);
    for (int bit = 0; bit < 8; bit++) assert_within(seen[1 << bit], 30, 700);
    assert_true(seen[255] > 0);
}

// Rows take turns in eleven patterns. Three of these are as drawn, with nothing or a quarter hidden; one is hidden
// wholly. Every third row adds numbers.
static void masks_hide_quarters_and_stretches(void **state) {
    enum { ROWS = 110, COLS = 500 };
    static float values[ROWS * COLS];
    int64_t dims[] = {ROWS, COLS};
    int none = 0, quarter = 0, all = 0, but_one = 0, half = 0, adding = 0;
    struct operand mask = {
        .name = "m", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .fill = FILL_MASK, .lines = LINES_MASKED};
    struct fill_request r = request(&mask, DTYPE_F32, ROWS * COLS, dims);
    fill_operand(&r, values);
    for (int row = 0; row < ROWS; row++) {
        int hidden = 0, added = 0;
        for (int i = 0; i < COLS; i++) {
            float value = values[row * COLS + i];
            assert_true(fabsf(value) <= 4 || (isinf(value) && value < 0));
            hidden += isinf(value) != 0;
            added += fabsf(value) > 0 && fabsf(value) <= 4;
        }
        adding += added > 0;
        none += hidden == 0;
        quarter += hidden > 80 && hidden < 170;
        half += hidden == COLS / 2;
        all += hidden == COLS;
        but_one += hidden == COLS - 1;
    }
    assert_true(none + quarter >= 25 && quarter >= 5 && half >= 5);
    assert_true(all >= 10 && but_one >= 1);
    assert_within(adding, 15, 55); // a third of the rows not wholly hidden
}

// Subnormals, infinities, NaN and both zeros occur, in at most a quarter of all numbers. Measured operands have none.
static void moved_numbers_are_of_every_class(void **state) {
    enum { N = 20000, LARGE = 1 << 17 };
    static float values[LARGE];
    int64_t dims[] = {N, 7};
    struct operand moved = plain;
    moved.preserves = PRESERVES_BITS;
    struct fill_request r = request(&moved, DTYPE_F32, N, dims);
    fill_operand(&r, values);
    int seen[FP_NORMAL + FP_SUBNORMAL + FP_ZERO + FP_INFINITE + FP_NAN + 1] = {0}, negative = 0;
    for (int i = 0; i < N; i++) {
        seen[fpclassify(values[i])]++;
        negative += values[i] == 0 && signbit(values[i]);
    }
    assert_within(seen[FP_NORMAL], 17500, 18800); // including 14 of 22 special values
    assert_within(seen[FP_ZERO], 300, 700);       // 2 of 22 special values are zeros
    assert_within(negative, 120, 380);
    assert_true(seen[FP_SUBNORMAL] > 200 && seen[FP_INFINITE] > 200 && seen[FP_NAN] > 200);
    r.elements = dims[0] = LARGE;
    fill_operand(&r, values);
    for (int i = 0; i < LARGE; i++) assert_true(fabsf(values[i]) <= 1);
}

// Some tensors are whole; some are broken, in each of three ways.
static void broken_values_come_about_once_a_tensor(void **state) {
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
    int ordinary = 0, tiny = 0, huge = 0, middling = 0;
    for (int64_t i = crossed; i < N; i++) {
        assert_true(isfinite(a[i]));
        ordinary += fabsf(a[i]) >= 1e-3f && fabsf(a[i]) <= 1;
        middling += fabsf(a[i]) > 1 && fabsf(a[i]) <= 128;
        tiny += fabsf(a[i]) < 1e-20f;
        huge += fabsf(a[i]) > 1e20f;
    }
    // A quarter of the rest is far: half of it within 128 of zero, the others of any size.
    assert_within(ordinary, 350, 420);
    assert_true(middling > 30 && tiny > 10 && huge > 10);
}

static void far_values_are_for_small_problems(void **state) {
    enum { N = (1 << 16) + 1 };
    static float a[N];
    int64_t dims[] = {N, 7};
    struct operand special = plain;
    special.specials = true;
    struct fill_request r = request(&special, DTYPE_F32, N, dims);
    r.specials = 1;
    fill_operand(&r, a);
    for (int64_t i = special_elements(1, N); i < N; i++) assert_true(fabsf(a[i]) <= 1);
    assert_int_equal(unusual_elements(1, N), special_elements(1, N));
    assert_int_equal(unusual_elements(1, N - 1), N - 1);
}

// In some problems, one index or a few repeat. In others they rise over the whole range, or fall.
static void indices_repeat_in_some_problems(void **state) {
    enum { N = 256, BELOW = 200, KEYS = 60 };
    static int32_t values[N];
    int same = 0, few = 0, spread = 0, rising = 0, falling = 0;
    int64_t dims[] = {N, BELOW};
    struct operand index = {.name = "i", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_INDEX, .below = "vocabulary"};
    struct fill_request r = request(&index, DTYPE_I32, N, dims);
    for (r.key = 1; r.key <= KEYS; r.key++) {
        bool met[BELOW] = {false};
        int distinct = 0, up = 0, down = 0;
        fill_operand(&r, values);
        for (int i = 0; i < N; i++) {
            assert_within(values[i], 0, BELOW - 1);
            distinct += !met[values[i]];
            met[values[i]] = true;
            up += values[i] == i * BELOW / N;
            down += values[i] == (N - 1 - i) * BELOW / N;
        }
        rising += up == N;
        falling += down == N;
        same += distinct <= 2;
        few += distinct > 2 && distinct <= 1 + BELOW / 16;
        spread += distinct > BELOW / 2;
    }
    assert_true(same >= 10 && few >= 3 && spread >= 20 && rising >= 2 && falling >= 2);
    assert_int_equal(same + few + spread, KEYS);
}

// A label of 16 bits is wrong only for the last of 65537 columns.
static void the_last_of_few_indices_is_the_end_of_a_large_range(void **state) {
    enum { N = 3, BELOW = 65537 };
    static const struct op lookup = {.name = "lookup",
        .dims = {"n", "vocabulary"},
        .operands = {{.name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}},
            {.name = "i", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_INDEX, .below = "vocabulary"}}};
    int32_t values[N];
    const int64_t dims[] = {N, BELOW};
    struct fill_request r = request(&lookup.operands[1], DTYPE_I32, N, dims);
    r.op = &lookup;
    for (r.key = 1; r.key <= 9; r.key++) {
        fill_operand(&r, values);
        assert_int_equal(values[N - 1], BELOW - 1);
        assert_true(values[0] < BELOW - 1);
    }
}

// Few indices into a large, measured operand are spread. Otherwise one repeated index would be measured.
static void indices_into_large_operands_are_spread(void **state) {
    enum { N = 500, BELOW = 3000, KEYS = 40 };
    static const struct op lookup = {.name = "lookup",
        .dims = {"n", "vocabulary", "width"},
        .operands = {{.name = "rows", .role = ROLE_IN, .shape = {"vocabulary", "width"}},
            {.name = "i", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_INDEX, .below = "vocabulary"}}};
    static int32_t values[N];
    int64_t dims[] = {N, BELOW, 512};
    struct fill_request r = request(&lookup.operands[1], DTYPE_I32, N, dims);
    r.op = &lookup;
    for (r.key = 1; r.key <= KEYS; r.key++) {
        bool met[BELOW] = {false};
        int distinct = 0, turns = 0;
        fill_operand(&r, values);
        for (int i = 0; i < N; i++) {
            distinct += !met[values[i]];
            met[values[i]] = true;
            turns += i > 0 && values[i] < values[i - 1];
        }
        assert_true(distinct > N * 4 / 5);
        assert_within(turns, N / 3, N * 2 / 3);
    }
}

static void scales_of_blocks_are_of_every_kind(void **state) {
    enum { BLOCKS = 64, N = BLOCKS * 32 };
    static unsigned char blocks[BLOCKS * 34];
    int negative = 0, large = 0, subnormal = 0, zero = 0, plain_cases = 0;
    int64_t dims[] = {N, 7};
    struct operand weights = plain;
    weights.lines = LINES_SOME;
    struct fill_request r = request(&weights, DTYPE_Q8_0, N, dims);
    for (r.key = 1; r.key <= 20; r.key++) {
        int unusual = 0;
        fill_operand(&r, blocks);
        for (int b = 0; b < BLOCKS; b++) {
            double scale = dtype_load(DTYPE_F16, blocks + (ptrdiff_t)b * 34, 0);
            negative += scale < -0.005;
            large += scale > 0.5;
            subnormal += scale != 0 && fabs(scale) < 0x1p-14;
            zero += scale == 0;
            unusual += scale < 0.005 || scale > 0.5;
        }
        plain_cases += unusual == 0;
    }
    assert_true(negative > 20 && large > 20 && subnormal > 20 && zero > 20);
    assert_within(plain_cases, 3, 17);
}

// Products of bytes of one sign near their end add up to the largest sums. Other cases have bytes of both signs.
static void bytes_of_some_cases_are_near_one_end(void **state) {
    enum { N = 64 * 32 };
    static int8_t bytes[N];
    static unsigned char blocks[N / 32 * 34];
    const int64_t dims[] = {N, 7};
    struct operand whole = plain, weights = plain;
    whole.fill = FILL_WHOLE;
    whole.low = -128;
    whole.high = 128;
    weights.lines = LINES_SOME;
    int low = 0, high = 0, both = 0, low_blocks = 0, high_blocks = 0;
    for (uint64_t key = 1; key <= 60; key++) {
        struct fill_request r = request(&whole, DTYPE_I8, N, dims);
        int least = 127, most = -128, least_quant = 127, most_quant = -128;
        r.key = key;
        fill_operand(&r, bytes);
        for (int i = 0; i < N; i++) {
            if (bytes[i] < least) least = bytes[i];
            if (bytes[i] > most) most = bytes[i];
        }
        r = request(&weights, DTYPE_Q8_0, N, dims);
        r.key = key;
        fill_operand(&r, blocks);
        for (int i = 0; i < N; i++) {
            const int quant = (int8_t)blocks[i / 32 * 34 + 2 + i % 32];
            if (quant < least_quant) least_quant = quant;
            if (quant > most_quant) most_quant = quant;
        }
        low += least == -128 && most == -125;
        high += least == 124 && most == 127;
        both += least == -128 && most == 127;
        low_blocks += least_quant == -128 && most_quant == -125;
        high_blocks += least_quant == 124 && most_quant == 127;
    }
    assert_true(low >= 5 && high >= 5 && both >= 20 && low + high + both == 60);
    assert_true(low_blocks >= 5 && high_blocks >= 5);
}

// All bits of one NaN but the sign are set, so arithmetic on its bits overflows.
static void one_special_nan_is_full(void **state) {
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

enum { LINE_ROWS = 17, LINE_COLS = 40 };
struct seen {
    int nan, positive, negative, longest, equal; // elements; the longest stretch of -inf; rows of one value
    int below, above, wide, ordinary, paired;    // rows
    int vast, late, least, greatest, gaps;       // rows
    int one_sign[2];                             // vast rows with no number of the other sign; 1: above zero
};

// Counts the contents of rows drawn in [-4, 4).
static void look(const float *row, struct seen *seen) {
    int nan = 0, infinite = 0, equal = 0, paired = 0, stretch = 0, zeros = 0;
    float low = INFINITY, high = -INFINITY;
    for (int col = 0; col < LINE_COLS; col++) {
        nan += isnan(row[col]);
        infinite += isinf(row[col]) != 0;
        seen->positive += row[col] == INFINITY;
        seen->negative += row[col] == -INFINITY;
        stretch = row[col] == -INFINITY ? stretch + 1 : 0;
        if (stretch > seen->longest) seen->longest = stretch;
        equal += row[col] == row[0];
        paired += col % 2 && row[col] == -row[col - 1];
        low = fminf(low, row[col]);
        high = fmaxf(high, row[col]);
        zeros += row[col] == 0;
    }
    seen->nan += nan;
    seen->equal += equal == LINE_COLS;
    const bool least = low == -FLT_MAX && high < -1e38F && high > -FLT_MAX;
    const bool greatest = high == FLT_MAX && low > 1e38F && low < FLT_MAX;
    seen->least += least;
    seen->greatest += greatest;
    if (nan + infinite > 0 || equal == LINE_COLS || least || greatest) return;
    seen->paired += paired == LINE_COLS / 2;
    const bool one_sign = low > 65536 || high < -65536;
    seen->below += high < -190 && !one_sign;
    seen->above += low > 190 && !one_sign;
    seen->wide += (low < -100 && high > 100) || one_sign;
    seen->vast += (low < -65536 && high > 65536) || one_sign;
    seen->one_sign[low > 0] += one_sign;
    seen->late += low >= -4 && high > 190 && row[LINE_COLS - 3] < 4 && row[LINE_COLS - 2] > 190;
    seen->gaps += zeros > 0 && zeros < LINE_COLS / 2;
    seen->ordinary += low >= -4 && high < 4 && paired == 0;
}

static struct seen look_at_narrow_lines(enum lines lines, bool narrow, int64_t rows, uint64_t key) {
    static float x[LINE_ROWS * 20 * LINE_COLS];
    int64_t dims[] = {rows, LINE_COLS};
    struct seen seen = {0};
    struct operand lined = {
        .name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .low = -4, .high = 4, .lines = lines};
    struct fill_request r = request(&lined, DTYPE_F32, rows * LINE_COLS, dims);
    r.key = key;
    r.narrow = narrow;
    fill_operand(&r, x);
    for (int64_t row = 0; row < rows; row++) look(x + row * LINE_COLS, &seen);
    return seen;
}

static struct seen look_at_lines(enum lines lines, int64_t rows, uint64_t key) {
    return look_at_narrow_lines(lines, false, rows, key);
}

// As many lines as there are patterns have all of them, whatever the key.
static void lines_take_turns_in_pattern(void **state) {
    for (uint64_t key = 1; key < 20; key++) {
        struct seen finite = look_at_lines(LINES_FINITE, 13, key);
        assert_int_equal(finite.nan + finite.positive + finite.negative, 0);
        assert_true(
            // `ordinary` includes ascending, `wide` includes far
            finite.ordinary == 2 && finite.below == 1 && finite.above == 1 && finite.wide == 3);
        assert_true(finite.vast == 1 && finite.late == 1);
        assert_true(finite.equal == 2 && finite.paired == 1); // zeros of both signs count as equal
        struct seen infinite = look_at_lines(LINES_INFINITE, 20, key);
        assert_int_equal(infinite.nan + infinite.positive, 0);
        assert_true(infinite.ordinary == 2 && infinite.below == 1 && infinite.above == 1 && infinite.wide == 2);
        assert_true(infinite.late == 1 && infinite.least == 1 && infinite.greatest == 1);
        // A single element, all, all but one, and two halves; a prefix, a suffix and a stretch of any length.
        assert_true(infinite.negative >= 3 * LINE_COLS + 3 && infinite.longest == LINE_COLS);
        struct seen any = look_at_lines(LINES_ANY, 25, key);
        assert_true(any.ordinary == 2 && any.below == 1 && any.above == 1 && any.wide == 3 && any.paired == 1 &&
                    any.vast == 1 && any.late == 1);
        assert_true(any.nan >= 2 * LINE_COLS + 1 && any.positive + any.negative >= 2 * LINE_COLS + 3);
        struct seen ordered = look_at_lines(LINES_ORDERED, 27, key);
        assert_true(ordered.least == 1 && ordered.greatest == 1 && any.least + any.greatest == 0);
        assert_true(ordered.nan >= 2 * LINE_COLS + 1 && ordered.late == 1);
        struct seen scarce = look_at_lines(LINES_SCARCE, 70, key);
        assert_true(scarce.nan + scarce.positive == 0 && scarce.negative <= LINE_COLS);
    }
}

// No line of several numbers is narrower than lines_spread, because sums of them are judged by it.
static void lines_are_as_wide_as_is_said(void **state) {
    static float x[23 * LINE_COLS];
    int64_t dims[] = {23, LINE_COLS};
    struct operand lined = {.name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .low = -4, .high = 4};
    for (lined.lines = LINES_ALIKE; lined.lines <= LINES_BROKEN; lined.lines++) {
        struct fill_request r = request(&lined, DTYPE_F32, 23 * LINE_COLS, dims);
        fill_operand(&r, x);
        const struct line_set lines = lines_of(r.op, &lined, dims, r.key);
        const bool moved = lines.kind == LINES_FINITE || lines.kind == LINES_SCARCE || lines.kind == LINES_INFINITE ||
                           lines.kind == LINES_ANY || lines.kind == LINES_ORDERED;
        assert_true(fabs(lines_spread(&lines) - (moved ? 8.0 / 204 : 1)) < 1e-9);
        for (int64_t row = 0; row < 23; row++) {
            float low = INFINITY, high = -INFINITY;
            for (int col = 0; col < LINE_COLS; col++) {
                low = fminf(low, x[row * LINE_COLS + col]);
                high = fmaxf(high, x[row * LINE_COLS + col]);
            }
            // The extremes of forty evenly drawn numbers are closer than this once in a million.
            const bool at_an_end = low < -1e38F || high > 1e38F; // compared or subtracted from each other, not added
            if (isfinite(low) && isfinite(high) && low < high && !at_an_end)
                assert_true(high - low > 0.6 * lines_spread(&lines) * (double)fmaxf(fabsf(low), fabsf(high)));
        }
    }
}

// A sum over lines adds small numbers to a vast line. They are few units of that sum.
static void lines_in_one_sum_are_as_wide_as_beside_a_vast_line(void **state) {
    static const struct {
        const char *output;
        int64_t rows;
        double size;
    } cases[] = {{"vocabulary", 23, 0x1p20}, {"n", 23, 204}, {"vocabulary", 1, 204}, {NULL, 2, 0x1p20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct operand lined = {
            "x", ROLE_IN, .shape = {"n", "vocabulary"}, .low = -4, .high = 4, .lines = LINES_ANY};
        const struct op summed = {.name = "summed",
            .dims = {"n", "vocabulary"},
            .operands = {lined, {.name = "y", .role = ROLE_OUT, .shape = {cases[i].output}}}};
        const struct line_set lines = lines_of(&summed, &lined, (int64_t[]){cases[i].rows, LINE_COLS}, 42);
        assert_true(fabs(lines_spread(&lines) - 8 / cases[i].size) < 1e-12);
    }
}

// If each output meets many lines, most of the lines are numbers.
static void a_case_may_have_a_pattern(void **state) {
    int plain_cases = 0, finite = 0, broken = 0, gaps = 0;
    for (uint64_t key = 1; key <= 200; key++) {
        struct seen some = look_at_lines(LINES_SOME, 20, key), tame = look_at_lines(LINES_TAME, 20, key);
        assert_int_equal(tame.nan + tame.positive + tame.negative, 0);
        assert_true(some.nan + some.positive + some.negative <= LINE_COLS);
        broken += some.nan + some.positive + some.negative > 0;
        finite += some.below > 0;
        plain_cases += some.ordinary == 20 && some.gaps == 0;
        gaps += some.gaps > 5;
    }
    assert_true(plain_cases >= 30 && finite >= 30 && broken >= 30 && gaps >= 30);
}

// Numbers that mean something only in their range stay in it, or are no numbers.
static void some_cases_are_broken_and_never_wide(void **state) {
    int broken = 0;
    for (uint64_t key = 1; key <= 200; key++) {
        struct seen seen = look_at_lines(LINES_BROKEN, 20, key);
        assert_int_equal(seen.below + seen.above + seen.wide, 0);
        assert_true(seen.nan + seen.positive + seen.negative <= LINE_COLS);
        broken += seen.nan + seen.positive + seen.negative > 0;
    }
    assert_true(broken >= 40 && broken <= 90);
}

// On an even slope, a running sum would round the same way at each of its tiles.
static void sorted_lines_rise_unevenly(void **state) {
    enum { ROWS = 13, LENGTH = 16385, TILE = 8, TILES = LENGTH / TILE };
    static float x[ROWS * LENGTH];
    const int64_t dims[] = {ROWS, LENGTH};
    const struct operand lined = {.name = "x", .role = ROLE_IN, .shape = {"n", "vocabulary"}, .lines = LINES_FINITE};
    struct fill_request r = request(&lined, DTYPE_F32, ROWS * LENGTH, dims);
    fill_operand(&r, x);
    int sorted = 0;
    for (const float *row = x; row < x + ROWS * LENGTH; row += LENGTH) {
        double sums[TILES] = {0};
        int rises = 0, falls = 0, even = 0;
        for (int i = 1; i < LENGTH; i++) rises += row[i] > row[i - 1], falls += row[i] < row[i - 1];
        if ((rises > 0) == (falls > 0)) continue;
        sorted++;
        for (int i = 0; i < TILES * TILE; i++) sums[i / TILE] += (double)row[i];
        for (int i = 2; i < TILES; i++) even += fabs(sums[i] - 2 * sums[i - 1] + sums[i - 2]) < 0x1p-16;
        assert_true(even < TILES / 8);
    }
    assert_true(sorted > 0);
}

// A single line is not always the ordinary one.
static void one_line_has_any_pattern(void **state) {
    struct seen seen = {0};
    int special = 0;
    for (uint64_t key = 1; key <= 400; key++) {
        struct seen one = look_at_lines(LINES_INFINITE, 1, key);
        seen.ordinary += one.ordinary;
        seen.below += one.below;
        seen.above += one.above;
        seen.wide += one.wide;
        seen.equal += one.equal;
        special += one.negative > 0;
    }
    assert_true(seen.ordinary >= 5 && seen.below >= 5 && seen.above >= 5 && seen.wide >= 5 && seen.equal >= 5);
    assert_true(special > 120 && special < 220); // eight of twenty
}

// A plane is a line if the operand says so.
static void a_line_may_have_two_axes(void **state) {
    enum { PLANES = 190, SIDE = 10 };
    static float x[PLANES * SIDE * SIDE];
    static const struct op planes = {.name = "planes", .dims = {"n", "h", "w"}};
    int64_t dims[] = {PLANES, SIDE, SIDE};
    int hidden = 0, partly = 0;
    struct operand lined = {
        .name = "x", .role = ROLE_IN, .shape = {"n", "h", "w"}, .lines = LINES_INFINITE, .line_axes = 2};
    struct fill_request r = {
        .op = &planes, .operand = &lined, .dims = dims, .dtype = DTYPE_F32, .elements = PLANES * SIDE * SIDE, .key = 3};
    fill_operand(&r, x);
    for (int plane = 0; plane < PLANES; plane++) {
        int infinite = 0;
        for (int i = 0; i < SIDE * SIDE; i++) infinite += isinf(x[plane * SIDE * SIDE + i]) != 0;
        hidden += infinite == SIDE * SIDE;
        partly += infinite == SIDE * SIDE / 2;
    }
    assert_true(hidden >= 10 && partly >= 20); // each pattern ten times
}

// A minimum that starts at the greatest f16 is wrong only in a row wholly above it.
static void some_vast_lines_have_one_sign(void **state) {
    int sign[2] = {0, 0}, vast = 0;
    for (uint64_t key = 1; key <= 40; key++) {
        const struct seen seen = look_at_lines(LINES_FINITE, 13, key);
        vast += seen.vast;
        for (int i = 0; i < 2; i++) sign[i] += seen.one_sign[i];
    }
    assert_int_equal(vast, 40);
    for (int i = 0; i < 2; i++) assert_within(sign[i], 4, 18);
}

// f32 beyond f16 would be an infinity of a kernel that computes in f16, and NaN beside a zero.
static void no_number_is_beyond_a_narrow_arithmetic(void **state) {
    for (uint64_t key = 1; key <= 40; key++) {
        const struct seen finite = look_at_narrow_lines(LINES_FINITE, true, 13, key);
        assert_int_equal(finite.vast + finite.one_sign[0] + finite.one_sign[1], 0);
        const struct seen infinite = look_at_narrow_lines(LINES_INFINITE, true, 20, key);
        assert_int_equal(infinite.least + infinite.greatest, 0);
    }
}

// An infinity would be the sum, whatever happens to the other terms. A line by itself has one in every second case,
// because a sum must also keep it.
static void a_single_output_of_many_elements_is_seldom_infinite(void **state) {
    enum { N = 4097, KEYS = 200 };
    static float x[N];
    static const struct {
        enum lines lines;
        int least, most; // cases with a number that is not finite
    } rows[] = {{LINES_SOME, 0, 0}, {LINES_BROKEN, 0, 0}, {LINES_ANY, KEYS / 8, KEYS * 3 / 10}};
    const int64_t dims[] = {N, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct op sum = {.name = "sum",
            .dims = {"n", "one"},
            .operands = {{.name = "x", .role = ROLE_IN, .shape = {"n"}, .low = -4, .high = 4, .lines = rows[i].lines},
                {.name = "y", .role = ROLE_OUT}}};
        struct fill_request r = request(&sum.operands[0], DTYPE_F32, N, dims);
        int met = 0;
        r.op = &sum;
        for (r.key = 1; r.key <= KEYS; r.key++) {
            bool infinite = false;
            fill_operand(&r, x);
            for (int k = 0; k < N; k++) infinite |= !isfinite(x[k]);
            met += infinite;
        }
        assert_within(met, rows[i].least, rows[i].most);
    }
}

// A scale by itself is not infinite, if it would hide a thousand outputs.
static void a_scale_of_many_outputs_is_finite(void **state) {
    enum { KEYS = 100 };
    static const struct op scaled = {.name = "scaled",
        .dims = {"channels", "plane"},
        .operands = {{.name = "gain", .role = ROLE_IN, .shape = {"channels"}, .lines = LINES_BROKEN},
            {.name = "y", .role = ROLE_OUT, .shape = {"channels", "plane"}}}};
    float gain[2];
    for (int64_t plane = 100; plane <= 1100; plane += 1000) {
        const int64_t dims[] = {1, plane};
        struct fill_request r = request(&scaled.operands[0], DTYPE_F32, 1, dims);
        int met = 0;
        r.op = &scaled;
        for (r.key = 1; r.key <= KEYS; r.key++) {
            fill_operand(&r, gain);
            met += !isfinite(gain[0]);
        }
        if (plane > 1000) assert_int_equal(met, 0);
        if (plane < 1000) assert_within(met, KEYS / 6, KEYS / 2);
    }
}

// Beyond 2^24 an index kept as a float is even.
static void extremes_are_at_odd_places_beyond_24_bits(void **state) {
    enum { FAR_END = 1 << 24, KEYS = 4 };
    const int64_t sizes[] = {FAR_END + 126, FAR_END + 127};
    float *x = malloc(((size_t)FAR_END + 127) * sizeof *x);
    assert_non_null(x);
    for (uint64_t key = 1; key <= KEYS; key++) {
        const int64_t dims[] = {sizes[key % 2], 1};
        const struct operand steps = {.name = "x",
            .role = ROLE_IN,
            .shape = {"n"},
            .fill = FILL_STEPS,
            .low = -1,
            .high = 1,
            .below = "n",
            .lines = LINES_ANY};
        struct fill_request r = request(&steps, DTYPE_F32, dims[0], dims);
        int64_t most = 0, least = 0;
        r.key = key;
        fill_operand(&r, x);
        for (int64_t i = 1; i < dims[0]; i++) {
            if (x[i] > x[most]) most = i;
            if (x[i] < x[least]) least = i;
        }
        assert_true(most > FAR_END && most % 2 == 1 && least > FAR_END && least % 2 == 1);
    }
    free(x);
}

// A measured problem keeps a pattern with meaningful errors.
static void one_long_line_stays_finite(void **state) {
    enum { LONG = (1 << 16) + 1 };
    static float x[LONG];
    int64_t dims[] = {LONG, 1};
    struct operand lined = {.name = "x", .role = ROLE_IN, .shape = {"n"}, .low = -4, .high = 4, .lines = LINES_ANY};
    struct fill_request r = request(&lined, DTYPE_F32, LONG, dims);
    for (r.key = 1; r.key < 9; r.key++) {
        int equal = 0;
        fill_operand(&r, x);
        for (int i = 0; i < LONG; i++) {
            assert_true(isfinite(x[i]));
            equal += x[i] == x[0];
        }
        assert_true(equal < 100);
    }
}

// Some f32 numbers to be cast to bf16 or f16 are halfway between two neighbours.
static void ties_are_met(void **state) {
    enum { N = 1000 };
    static float x[N];
    static const struct {
        enum dtype dtype;
        int bits;
    } narrow[] = {{DTYPE_BF16, 8}, {DTYPE_F16, 11}};
    int64_t dims[] = {N, 7};
    struct operand ties = {
        .name = "x", .role = ROLE_IN, .shape = {"n"}, .fill = FILL_TIES, .low = 1e-3, .high = 1e3, .signs = true};
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
    assert_int_equal(special_elements(2, 33), 0);
    assert_int_equal(special_elements(1, 3), 0);
    assert_int_equal(special_elements(0, 1 << 20), 0);
}

static void rotation_tables_are_cosines_of_position_times_frequency(void **state) {
    float values[3 * 4];
    static const struct op rope = {.name = "rope", .dims = {"seq", "half"}};
    struct operand cosine = {.name = "cos", .role = ROLE_IN, .shape = {"seq", "half"}, .fill = FILL_COSINE};
    int64_t dims[] = {3, 4};
    struct fill_request r = {.op = &rope, .operand = &cosine, .dims = dims, .dtype = DTYPE_F32, .elements = 12};
    fill_operand(&r, values);
    for (int i = 0; i < 4; i++) assert_true(values[i] == 1); // position 0 is the identity
    assert_float_equal(values[2 * 4 + 1], cos(2 * pow(10000, -0.25)), 1e-6);
}

enum { OUTLIER_LINES = 40, OUTLIER_LENGTH = 96 };

// Fills lines of an operand with an outlier.
static void fill_with_outlier(const struct outlier *outlier, uint64_t key, float *values) {
    static const struct op lines = {.name = "test", .dims = {"rows", "cols"}};
    static const struct operand operand = {.name = "x", .role = ROLE_IN, .shape = {"rows", "cols"}};
    const int64_t dims[] = {OUTLIER_LINES, OUTLIER_LENGTH};
    const struct fill_request r = {.op = &lines,
        .operand = &operand,
        .dims = dims,
        .dtype = DTYPE_F32,
        .elements = OUTLIER_LINES * OUTLIER_LENGTH,
        .key = key,
        .outlier = outlier,
        .outlier_key = 5};
    fill_operand(&r, values);
}

static int count_of(const float *values, int count, double low, double high) {
    int found = 0;
    for (int i = 0; i < count; i++) found += (double)values[i] >= low && (double)values[i] <= high;
    return found;
}

static void an_outlier_stands_once_in_a_line_and_at_one_place_of_all_operands(void **state) {
    static float x[OUTLIER_LINES * OUTLIER_LENGTH], y[OUTLIER_LINES * OUTLIER_LENGTH];
    fill_with_outlier(&(struct outlier){.along = "cols", .low = 100, .high = 200, .rest_low = 1, .rest_high = 2}, 1, x);
    fill_with_outlier(&(struct outlier){.along = "cols", .low = -3, .high = -3}, 2, y);
    int places = 0;
    for (int line = 0; line < OUTLIER_LINES; line++) {
        const float *of = x + line * OUTLIER_LENGTH;
        assert_int_equal(count_of(of, OUTLIER_LENGTH, 100, 200), 1);
        assert_int_equal(count_of(of, OUTLIER_LENGTH, 1, 2), OUTLIER_LENGTH - 1);
        for (int at = 0; at < OUTLIER_LENGTH; at++) assert_int_equal(of[at] > 50, y[line * OUTLIER_LENGTH + at] < 0);
        places += of[0] > 50;
    }
    assert_true(places < OUTLIER_LINES / 4); // not at the start of lines
}

static void beside_a_sparse_outlier_one_in_eight_is_something(void **state) {
    static float x[OUTLIER_LINES * OUTLIER_LENGTH];
    const int all = OUTLIER_LINES * OUTLIER_LENGTH;
    fill_with_outlier(
        &(struct outlier){"cols", 3000, 3001, 1, 1, .sparse = true, .signs = true, .balanced = true}, 1, x);
    assert_int_equal(count_of(x, all, 3000, 3001), OUTLIER_LINES);
    assert_int_equal(count_of(x, all, -1501, -1500), 2 * OUTLIER_LINES);
    const int ones = count_of(x, all, 1, 1), others = count_of(x, all, -1, -1);
    assert_within(ones, all / 24, all / 12);
    assert_within(others, all / 24, all / 12);
    assert_int_equal(count_of(x, all, 0, 0), all - ones - others - 3 * OUTLIER_LINES);
}

static void a_flat_outlier_stands_once_in_all_that_its_dim_holds(void **state) {
    static float x[OUTLIER_LINES * OUTLIER_LENGTH];
    const int all = OUTLIER_LINES * OUTLIER_LENGTH;
    fill_with_outlier(&(struct outlier){"rows", 5, 5, .flat = true}, 1, x);
    assert_int_equal(count_of(x, all, 5, 5), 1);
    fill_with_outlier(&(struct outlier){.along = "rows", .low = 5, .high = 5}, 1, x); // a whole line of them
    assert_int_equal(count_of(x, all, 5, 5), OUTLIER_LENGTH);
    fill_with_outlier(&(struct outlier){"cols", 5, 5, -20, -20, .beside = true}, 1, x);
    assert_int_equal(count_of(x, all, -15, -15), all - OUTLIER_LINES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_from_key_and_index_alone),
        cmocka_unit_test(large_operands_hold_what_small_ones_do),
        cmocka_unit_test(uniform_values_fill_their_range),
        cmocka_unit_test(sums_of_uniform_values_are_rounded),
        cmocka_unit_test(indices_stay_below_their_dim),
        cmocka_unit_test(indices_are_out_of_range_on_either_side),
        cmocka_unit_test(steps_repeat_a_few_values),
        cmocka_unit_test(rare_values_come_once_a_row),
        cmocka_unit_test(truth_has_each_bit_alone),
        cmocka_unit_test(masks_hide_quarters_and_stretches),
        cmocka_unit_test(moved_numbers_are_of_every_class),
        cmocka_unit_test(broken_values_come_about_once_a_tensor),
        cmocka_unit_test(a_permutation_holds_every_index_once),
        cmocka_unit_test(special_values_are_crossed_between_two_operands),
        cmocka_unit_test(bytes_of_some_cases_are_near_one_end),
        cmocka_unit_test(one_special_nan_is_full),
        cmocka_unit_test(lines_take_turns_in_pattern),
        cmocka_unit_test(lines_are_as_wide_as_is_said),
        cmocka_unit_test(lines_in_one_sum_are_as_wide_as_beside_a_vast_line),
        cmocka_unit_test(a_case_may_have_a_pattern),
        cmocka_unit_test(some_cases_are_broken_and_never_wide),
        cmocka_unit_test(far_values_are_for_small_problems),
        cmocka_unit_test(indices_repeat_in_some_problems),
        cmocka_unit_test(indices_into_large_operands_are_spread),
        cmocka_unit_test(the_last_of_few_indices_is_the_end_of_a_large_range),
        cmocka_unit_test(scales_of_blocks_are_of_every_kind),
        cmocka_unit_test(sorted_lines_rise_unevenly),
        cmocka_unit_test(one_line_has_any_pattern),
        cmocka_unit_test(a_line_may_have_two_axes),
        cmocka_unit_test(some_vast_lines_have_one_sign),
        cmocka_unit_test(no_number_is_beyond_a_narrow_arithmetic),
        cmocka_unit_test(a_single_output_of_many_elements_is_seldom_infinite),
        cmocka_unit_test(a_scale_of_many_outputs_is_finite),
        cmocka_unit_test(extremes_are_at_odd_places_beyond_24_bits),
        cmocka_unit_test(one_long_line_stays_finite),
        cmocka_unit_test(ties_are_met),
        cmocka_unit_test(a_small_operand_keeps_ordinary_values),
        cmocka_unit_test(rotation_tables_are_cosines_of_position_times_frequency),
        cmocka_unit_test(several_threads_fill_what_one_does),
        cmocka_unit_test(an_outlier_stands_once_in_a_line_and_at_one_place_of_all_operands),
        cmocka_unit_test(beside_a_sparse_outlier_one_in_eight_is_something),
        cmocka_unit_test(a_flat_outlier_stands_once_in_all_that_its_dim_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
