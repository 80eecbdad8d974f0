// SPDX-License-Identifier: Apache-2.0
// Sizes in a check of few kernels: powers of two, remainders of unrolled loops, classes of sizes. The kernels are those
// of sizes.json and of the fixture.
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../covering.h"
#include "../sampler.h"
#include "../../../device/device_info.h"

// Numbers as a shader would have them: the source, and 3000. Of its constants, 2^17 is another.
static int two_numbers(const void *source, const struct point *point, const struct numbers_wanted *wanted,
    uint32_t numbers[COMPARED_NUMBERS]) {
    numbers[0] = *(const uint32_t *)source;
    numbers[1] = 3000;
    assert_true(point->kernel && wanted->least < numbers[0] && numbers[1] < wanted->most);
    if (wanted->declared) numbers[2] = 1 << 17;
    return wanted->declared ? 3 : 2;
}

static int open_kernels(void **state) {
    if (fixture_open(state) != 0) return -1;
    struct fixture *f = *state;
    const char *text = file_read(&f->arena, "harness/engine/tiers/tests/sizes.json", NULL, &f->err);
    if (!text) fail_msg("%s", f->err.text);
    fixture_write(f, "sizes.json", text);
    fixture_kernels(f);
    return 0;
}

// Returns the plan of a check of this kernel alone, made once.
static const struct plan *deep_plan(struct fixture *f, const char *kernel) {
    static const uint32_t source = 777;
    static struct plan plan;
    static const char *made;
    struct suite suite;
    struct sample_counts counts;
    struct device_info device = fixture_device();
    if (made && strcmp(made, kernel) == 0) return &plan;
    device.kind = DEVICE_CPU;
    static const char text[] = "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"entries\": ["
                               "{\"kernel\": \"matmul.*\", \"dims\": {\"m\": 2, \"n\": 2, \"k\": 16}}]}";
    if (!suite_load(&f->arena, fixture_write(f, "suite.txt", text), &suite, &f->err)) fail_msg("%s", f->err.text);
    struct sample_request request = {.suite = &suite,
        .kernels = &f->kernels,
        .device = &device,
        .seed = 3,
        .shapes = 2,
        .sizes = 3,
        .deepen = true,
        .numbers = two_numbers,
        .source = &source,
        .select = &kernel,
        .select_count = 1};
    if (!sample_plan(&f->arena, &request, &plan, &counts, &f->err)) fail_msg("%s", f->err.text);
    made = kernel;
    return &plan;
}

// ---- what points of a plan meet

// A row expects `least` to `most` points of a kernel's plan with this: d are the dims, s the values of the shape.
enum { MOST = 1 << 20 };
struct met {
    const char *what, *kernel;
    bool (*is)(const int64_t *d, const int64_t *s);
    int least, most;
};
#define IS(name, condition)                                                                                            \
    static bool name(const int64_t *d, const int64_t *s) {                                                             \
        (void)d, (void)s;                                                                                              \
        return condition;                                                                                              \
    }

// The second iteration of a loop over tiles begins at a product of two widths: 16 with 32, or with 256. Powers of two
// give one of them.
IS(is_product_of_widths, d[0] == 511 || d[0] == 4095 || d[1] == 511 || d[1] == 4095)
// A kernel may take vectors of four where only pairs are whole.
IS(is_pairs_in_rows, d[0] == 258)
IS(is_pairs_in_cols, d[1] == 258)
// An index of 15 bits is wrong for a third of these columns, so that a long sum shows it.
IS(is_far_beyond_15_bits, d[1] >= (1 << 15) * 3 / 2 && d[1] < 1 << 16)
// A loop of 2^17 iterations of a workgroup ends within a long line.
IS(is_beyond_the_turns_of_a_number, d[1] > s[0] << 17)
// Each of two dims goes beyond a number, and the other is as large as affordable, or both go beyond one.
IS(has_rows_beyond, d[0] > 777 && d[0] < 1000 && d[1] > 1000)
IS(has_cols_beyond, d[1] > 777 && d[1] < 1000 && d[0] > 1000)
IS(has_both_beyond, d[0] > 3000 && d[1] > 3000)
IS(is_row_after_a_number, d[0] == 778 && d[1] == 1)
IS(is_col_after_a_number, d[1] == 778 && d[0] == 1)
IS(is_row_after_another, d[0] == 3001 && d[1] == 1)
IS(is_col_after_another, d[1] == 3001 && d[0] == 1)
IS(is_a_number_in_rows, d[0] == 777 && d[1] > 1 && d[1] <= 8)
IS(is_a_number_in_cols, d[1] == 777 && d[0] > 1 && d[0] <= 8)
IS(is_another_in_rows, d[0] == 3000 && d[1] > 1 && d[1] <= 8)
IS(is_another_in_cols, d[1] == 3000 && d[0] > 1 && d[0] <= 8)
// The default of ITEMS is 1, and no remainder is left. The kernel with 2 has odd and even numbers of iterations.
IS(has_no_rest, d[0] == s[0] * 2)
IS(has_a_rest, d[0] == s[0] * 3 + 1)
// A score of one key, or a head of one element, may hide an error. The dims are batch, kv_heads, capacity, head_dim,
// position, seq.
IS(is_large, d[4] > 1023)
IS(has_whole_vectors, d[4] > 1023 && (d[3] == 8 || d[5] == 8))
IS(is_farthest, d[4] > 8000)
// The number of a line may need more than 24 bits, too, not only that of an element.
IS(has_lines_beyond_24_bits, d[0] * d[1] * d[2] > 1 << 24 && d[3] == 1)
// Each operand has an index beyond the 24 bits of a float: a long row of b, and a product of two columns.
IS(has_input_beyond_24_bits, d[2] * (d[0] > d[1] ? d[0] : d[1]) > 1 << 24)
IS(has_output_beyond_24_bits, d[0] * d[1] > 1 << 24)
// A place times a size may need more than 24 bits in a small problem: a column of a picture made as high again.
IS(is_high, d[2] * d[4] > 1 << 24 && d[3] == 1 && d[5] == 1)
IS(is_wide, d[3] * d[5] > 1 << 24 && d[2] == 1 && d[4] == 1)
// The least problem of a windowed or a vectorised kernel has many elements for each line.
IS(is_beyond_16_bits_in_short_lines, d[0] == 66601 && d[1] == 8)
// The first pass has an invocation for each channel of each picture, the other a sum over pictures. Their product would
// be too much for one pass.
IS(has_long_sums_in_the_second_pass, d[0] > 4096)
// The smallest workgroup joins the most parts, and every part has elements. The pairs of tunables need no such shape.
IS(joins_the_most_parts, s[0] == 8 && s[1] == 4 && s[2] == 96 && d[0] == 2 * 96 * 4 + 1)
// Each invocation of the largest workgroup may join eight parts at a time, and one more is left.
IS(joins_in_a_second_turn, s[0] == 256 && d[0] == 8 * 256 * (256 * 16) + 1)
// Workgroups of a long axis go beyond a number while there are eight in the other.
IS(has_workgroups_down, d[0] > 8 * 777 && d[1] == 64)
IS(has_workgroups_across, d[1] > 8 * 777 && d[0] == 64)
// A tunable sets the number of workgroups of each row, and rows are a dim.
IS(has_parts_of_rows, s[1] == 96 && d[1] == 2 * 96 + 1 && d[0] == 9)

#define ROW(is, kernel, ...) #is, kernel, is, __VA_ARGS__
static const struct met mets[] = {
    {ROW(is_product_of_widths, "matmul.tiled", 3, MOST)},
    {ROW(is_pairs_in_rows, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_pairs_in_cols, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_far_beyond_15_bits, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_beyond_the_turns_of_a_number, "rmsnorm.workgroup", 1, MOST)},
    {ROW(has_rows_beyond, "rmsnorm.workgroup", 1, MOST)},
    {ROW(has_cols_beyond, "rmsnorm.workgroup", 1, MOST)},
    {ROW(has_both_beyond, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_row_after_a_number, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_col_after_a_number, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_row_after_another, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_col_after_another, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_a_number_in_rows, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_a_number_in_cols, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_another_in_rows, "rmsnorm.workgroup", 1, MOST)},
    {ROW(is_another_in_cols, "rmsnorm.workgroup", 1, MOST)},
    {ROW(has_no_rest, "relu.plain", 1, MOST)},
    {ROW(has_a_rest, "relu.plain", 1, MOST)},
    {ROW(is_large, "kv_append.plain", 4, MOST)},
    {ROW(has_whole_vectors, "kv_append.plain", 3, MOST)},
    {ROW(is_farthest, "kv_append.plain", 1, MOST)},
    {ROW(has_lines_beyond_24_bits, "kv_append.plain", 1, MOST)},
    {ROW(has_input_beyond_24_bits, "matmul_nt.plain", 1, 1)},
    {ROW(has_output_beyond_24_bits, "matmul_nt.plain", 1, 1)},
    {ROW(is_high, "upsample_nearest.plain", 1, 1)},
    {ROW(is_wide, "upsample_nearest.plain", 1, 1)},
    {ROW(is_beyond_16_bits_in_short_lines, "transpose.eights", 1, 1)},
    {ROW(has_long_sums_in_the_second_pass, "conv2d_backward_bias.plain", 1, MOST)},
    {ROW(joins_the_most_parts, "weighted_sum.many", 1, 1)},
    {ROW(joins_in_a_second_turn, "sum.plain", 1, 1)},
    {ROW(has_workgroups_down, "transpose.tiles", 1, MOST)},
    {ROW(has_workgroups_across, "transpose.tiles", 1, MOST)},
    {ROW(has_parts_of_rows, "matvec.parts", 1, MOST)},
};

static void each_kind_of_size_is_met(void **state) {
    for (size_t m = 0; m < sizeof mets / sizeof *mets; m++) {
        const struct plan *plan = deep_plan(*state, mets[m].kernel);
        int met = 0;
        for (size_t i = 0; i < plan->count; i++) met += mets[m].is(plan->points[i].dims, plan->points[i].shape.value);
        if (met < mets[m].least || met > mets[m].most)
            fail_msg("%d points of %s: %s", met, mets[m].kernel, mets[m].what);
    }
}

// A kernel may take another way from 16384 rows on, or only between two such sizes.
static void every_dim_passes_powers_of_two(void **state) {
    const struct plan *plan = deep_plan(*state, "rmsnorm.workgroup");
    for (int power = 9; power <= 15; power++)
        for (int dim = 0; dim < 2; dim++) {
            const int64_t size = (int64_t)1 << power;
            int thin = 0, few = 0;
            for (size_t i = 0; i < plan->count; i++) {
                const int64_t at = plan->points[i].dims[dim], other = plan->points[i].dims[1 - dim];
                thin += at == size + 1 && other == 1;
                few += at >= size - 1 && at <= size + 1 && other > 1 && other <= 8;
            }
            if (dim == 0 && power > 13) continue; // a CPU takes too long for so many workgroups
            if (!thin || (power < 13 && !few))
                fail_msg("dim %d at 2^%d: %d thin, %d with few others", dim, power, thin, few);
        }
}

// The last step of a long loop over whole tiles is met in the shape with the most tiles.
static void the_greatest_power_is_met_in_the_finest_shape(void **state) {
    const struct plan *plan = deep_plan(*state, "rmsnorm.workgroup");
    int64_t finest = INT64_MAX;
    bool met = false;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].shape.value[0] < finest) finest = plan->points[i].shape.value[0];
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        met |= point->dims[1] == 1 << 15 && point->dims[0] == 1 && point->shape.value[0] == finest;
    }
    assert_true(met);
}

// A k of exactly one tile at every pair of two tunables, and an n that is no multiple of the tile but of half of it.
static void two_tunables_meet_a_class_of_sizes(void **state) {
    const struct plan *plan = deep_plan(*state, "matmul.tiled");
    bool half[2] = {false, false}, one[2][2] = {{false, false}, {false, false}};
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        const int64_t items = shape_value(point->kernel, &point->shape, "ITEMS", 0);
        const int64_t tile = shape_value(point->kernel, &point->shape, "TILE_K", 0), k = point->dims[2];
        const int64_t wide = point->shape.value[0], n = point->dims[1];
        half[tile == 32] |= n > wide && n % wide == wide / 2;
        one[items == 4][tile == 32] |= k == tile;
    }
    assert_true(one[0][0] && one[0][1] && one[1][0] && one[1][1]);
    assert_true(half[0] || half[1]);
}

// A kernel may ask for the next chunk of a part ahead, and wrongly not for a chunk of one element. In the default shape
// there are parts of each length, and several lines.
static void parts_have_one_element_more_than_a_chunk(void **state) {
    const struct plan *plan = deep_plan(*state, "weighted_sum.plain");
    for (int power = 0; power <= 7; power++) {
        int met = 0;
        for (size_t i = 0; i < plan->count; i++)
            met += plan->points[i].shape.value[1] == 24 && plan->points[i].dims[0] == (24 << power) + 1 &&
                   plan->points[i].dims[1] > 1;
        if (!met) fail_msg("no parts of 2^%d elements and one", power);
    }
}

// A pair of f16 has its own number: 2^25 elements have more than 24 bits of them.
static void pairs_go_beyond_24_bits_in_the_narrowest_type(void **state) {
    const struct plan *plan = deep_plan(*state, "rope_half.pairs");
    int met = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const int64_t *dims = plan->points[i].dims;
        met += plan->points[i].dtype == DTYPE_F16 && dims[0] * dims[1] * dims[2] / 2 > 1 << 24;
    }
    assert_int_equal(met, 1);
}

// ---- sizes of one kernel in its default shape, on a made-up device

struct sampling {
    struct device_info device;
    struct suite suite;
    struct sample_request request;
    struct crossing crossing;
    struct case_sampler sampler;
    struct shape shape;
};

static void sampling_open(struct fixture *f, struct sampling *s, const char *kernel) {
    *s = (struct sampling){.device = fixture_device(),
        .suite = {.settings = settings_standard()},
        .request = {.device = &s->device, .suite = &s->suite},
        .crossing = {.arena = &f->arena, .suite = &s->suite, .device = &s->device, .err = &f->err},
        .sampler = {.request = &s->request,
            .crossing = &s->crossing,
            .kernel = kernel_named(&f->kernels, kernel),
            .dtype = DTYPE_F32,
            .limits = &sample_ordinary}};
    s->shape = kernel_default_shape(s->sampler.kernel, &s->device);
}

// A position is below the capacity of its cache. k is at most a row, and a rule sets it a limit of its own. One device
// has room for 2500 elements, so the multiple of 1000 above 2000 is not legal.
static void a_dim_is_set_with_those_that_limit_it(void **state) {
    enum { POSITION = 4, TOO_DEAR = 1 << 20 };
    static const struct {
        const char *kernel;
        int64_t dims[OPERATOR_DIMS];
        int dim;
        int64_t size;
        bool set;
        int64_t expected[OPERATOR_DIMS]; // 0: not looked at
        uint32_t room;                   // elements of a buffer; 0: the usual
    } rows[] = {
        {"kv_append.plain", {1, 1, 9, 1, 0, 5}, POSITION, 2049, true, {0, 0, 2049 + 9, 0, 2049}, 0},
        {"kv_append.plain", {1, 1, 2058, 1, 2049, 5}, POSITION, TOO_DEAR, false, {0, 0, 2058, 0, 2049}, 0},
        {"topk.small", {1, 5, 2}, 2, 101, true, {0, 5 + 101, 100}, 0},
        {"relu.thousands", {1000}, 0, 1, true, {1000}, 2500},
        {"relu.thousands", {1000}, 0, 1999, true, {2000}, 2500},
        {"relu.thousands", {1000}, 0, 2001, true, {2000}, 2500},
        {"relu.thousands", {1000}, 0, 2499, true, {2000}, 2500},
        {"relu.thousands", {1000}, 0, 2999, true, {2000}, 2500},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sampling s;
        int64_t dims[OPERATOR_DIMS * 2] = {0};
        sampling_open(*state, &s, rows[i].kernel);
        if (rows[i].room) s.device.storage_range = rows[i].room * sizeof(float);
        memcpy(dims, rows[i].dims, sizeof rows[i].dims);
        assert_int_equal(sampler_set_size(&s.sampler, &s.shape, dims, rows[i].dim, rows[i].size), rows[i].set);
        for (int d = 0; d < OPERATOR_DIMS; d++)
            if (rows[i].expected[d]) assert_int_equal(dims[d], rows[i].expected[d]);
    }
}

// Rotary pairs need an even number of elements.
static void a_dim_that_must_be_even_becomes_two(void **state) {
    struct fixture *f = *state;
    struct sampling s;
    static size_t first = 0;
    sampling_open(f, &s, "rope_half.plain");
    struct point base = {.kernel = s.sampler.kernel, .dtype = DTYPE_F32, .dims = {128, 32, 128}};
    assert_null(operator_derive(base.kernel->op, base.dims));
    s.crossing.items = &base, s.crossing.count = 1;
    s.sampler.bases = &first, s.sampler.base_count = 1;
    const struct point thin = sampler_thin(&s.sampler, &s.shape, 0);
    assert_int_equal(thin.dims[0], 128);
    assert_int_equal(thin.dims[1], 1);
    assert_int_equal(thin.dims[2], 2);
}

// With room for few rows, heavy pairs come before light ones.
static void heavy_pairs_are_chosen_first(void **state) {
    struct fixture *f = *state;
    struct covering_row rows[5 * 5];
    struct covering_counts counts;
    struct covering_weights weights = {{{0}}};
    size_t *order, count = 0;
    for (uint8_t a = 0; a < 5; a++)
        for (uint8_t b = 0; b < 5; b++) rows[count++] = (struct covering_row){{a, b}};
    for (int factor = 0; factor < 2; factor++)
        for (int level = 0; level < 5; level++)
            weights.of[factor][level] = level == 1 || level == 4 ? COVERING_WEIGHT : 1;
    const size_t chosen = covering_choose(&f->arena, rows, count, 2, &weights, 7, 9, &order, &counts);
    int heavy = 0;
    assert_int_equal(chosen, 9);
    for (size_t i = 0; i < chosen; i++) {
        const uint8_t *level = rows[order[i]].level;
        heavy += (level[0] == 1 || level[0] == 4) && (level[1] == 1 || level[1] == 4);
    }
    assert_int_equal(heavy, 4);
}

// Adds the sizes of most iterations to a deep sample with one base.
static void add_iterations(struct fixture *f, struct sampling *s, const int64_t dims[OPERATOR_DIMS]) {
    static size_t first = 0;
    struct point base = {.kernel = s->sampler.kernel, .dtype = DTYPE_F32, .shape = s->shape};
    memcpy(base.dims, dims, OPERATOR_DIMS * sizeof *dims);
    assert_true(cross_add(&s->crossing, base));
    s->sampler.bases = &first;
    s->sampler.base_count = 1;
    s->sampler.deep = true;
    const struct trial trial = trial_of(&base, &s->device, 1, &f->arena);
    const struct shape_sample shapes = sample_shapes(&trial, 1, 1);
    assert_true(sampler_iterations(&s->sampler, &shapes));
}

// A loop over the k largest has the most iterations in the smallest workgroup, at the largest k. No chosen shape
// needs to have both.
static void a_dim_reaches_the_limit_of_a_rule(void **state) {
    struct sampling s;
    sampling_open(*state, &s, "topk.plain");
    add_iterations(*state, &s, (int64_t[OPERATOR_DIMS]){1, 5, 2});
    bool met[2] = {false, false};
    for (size_t i = 0; i < s.crossing.count; i++) {
        const struct point *point = &s.crossing.items[i];
        for (int less = 0; less < 2; less++)
            met[less] |= point->dims[2] == 1024 - less && point->shape.value[0] == 16 && point->shape.value[1] == 1024;
    }
    assert_true(met[0] && met[1]);
}

// All 256 invocations share a row, four elements each, and one element is left.
static void the_largest_workgroup_has_a_line_for_all_of_it(void **state) {
    struct sampling s;
    sampling_open(*state, &s, "softmax.plain");
    add_iterations(*state, &s, (int64_t[OPERATOR_DIMS]){3, 5});
    assert_int_equal(s.crossing.count, 3);
    for (int dim = 0; dim < 2; dim++) {
        const struct point *point = &s.crossing.items[1 + dim];
        assert_int_equal(point->dims[dim], 256 * 4 + 1);
        assert_int_equal(point->dims[1 - dim], 1);
        assert_int_equal(point->shape.value[0], 256);
        assert_int_equal(point->shape.value[1], 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_size_is_met),
        cmocka_unit_test(every_dim_passes_powers_of_two),
        cmocka_unit_test(the_greatest_power_is_met_in_the_finest_shape),
        cmocka_unit_test(two_tunables_meet_a_class_of_sizes),
        cmocka_unit_test(parts_have_one_element_more_than_a_chunk),
        cmocka_unit_test(pairs_go_beyond_24_bits_in_the_narrowest_type),
        cmocka_unit_test(a_dim_is_set_with_those_that_limit_it),
        cmocka_unit_test(a_dim_that_must_be_even_becomes_two),
        cmocka_unit_test(heavy_pairs_are_chosen_first),
        cmocka_unit_test(a_dim_reaches_the_limit_of_a_rule),
        cmocka_unit_test(the_largest_workgroup_has_a_line_for_all_of_it),
    };
    return cmocka_run_group_tests(tests, open_kernels, fixture_close);
}
