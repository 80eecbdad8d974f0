// SPDX-License-Identifier: Apache-2.0
// Sizes in a check of few kernels: powers of two, remainders of unrolled loops, classes of sizes.
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

static struct plan deep_plan(struct fixture *f, const char *kernel) {
    static const uint32_t source = 777;
    struct suite suite;
    struct sample_counts counts;
    struct plan plan;
    struct device_info device = fixture_device();
    fixture_kernels(f);
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
    return plan;
}

// A kernel may take another way from 16384 rows on, or only between two such sizes.
static void every_dim_passes_powers_of_two(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "rmsnorm.workgroup");
    for (int power = 9; power <= 15; power++)
        for (int dim = 0; dim < 2; dim++) {
            const int64_t size = (int64_t)1 << power;
            int thin = 0, few = 0;
            for (size_t i = 0; i < plan.count; i++) {
                const int64_t at = plan.points[i].dims[dim], other = plan.points[i].dims[1 - dim];
                thin += at == size + 1 && other == 1;
                few += at >= size - 1 && at <= size + 1 && other > 1 && other <= 8;
            }
            if (dim == 0 && power > 13) continue; // a CPU takes too long for so many workgroups
            if (!thin || (power < 13 && !few))
                fail_msg("dim %d at 2^%d: %d thin, %d with few others", dim, power, thin, few);
        }
}

// A kernel may take vectors of four where only pairs are whole.
static void every_dim_is_pairs_without_whole_vectors(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "rmsnorm.workgroup");
    for (int dim = 0; dim < 2; dim++) {
        int met = 0;
        for (size_t i = 0; i < plan.count; i++) met += plan.points[i].dims[dim] == 258;
        if (!met) fail_msg("dim %d", dim);
    }
}

// The last step of a long loop over whole tiles is met in the shape with the most tiles.
static void the_greatest_power_is_met_in_the_finest_shape(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "rmsnorm.workgroup");
    int64_t finest = INT64_MAX;
    bool met = false;
    for (size_t i = 0; i < plan.count; i++)
        if (plan.points[i].shape.value[0] < finest) finest = plan.points[i].shape.value[0];
    for (size_t i = 0; i < plan.count; i++)
        met |=
            plan.points[i].dims[1] == 1 << 15 && plan.points[i].dims[0] == 1 && plan.points[i].shape.value[0] == finest;
    assert_true(met);
}

static const char cache_manifest[] =
    "{\"kernels\": [{\"operator\": \"kv_append\", \"name\": \"kv_append.plain\", \"summary\": \"s\", \"shader\": "
    "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"cache\"], \"push\": [\"batch\", \"kv_heads\", "
    "\"capacity\", \"head_dim\", \"position\", \"seq\"], \"tunables\": {\"WG_X\": {\"values\": [64], \"default\": "
    "64}}, "
    "\"grid\": [{\"over\": [\"batch\", \"kv_heads\", \"seq\", \"head_dim\"], \"by\": [\"WG_X\"]}]}]}";

// Sizes of one kernel in its default shape, on a made-up device.
struct sampling {
    struct device_info device;
    struct suite suite;
    struct sample_request request;
    struct crossing crossing;
    struct case_sampler sampler;
    struct shape shape;
};

static void sampling_open(
    struct fixture *f, struct sampling *s, const char *file, const char *manifest, const char *kernel) {
    fixture_write(f, file, manifest);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
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

// A position is below the capacity of its cache.
static void a_dim_rises_with_the_one_that_limits_it(void **state) {
    struct fixture *f = *state;
    enum { CAPACITY = 2, POSITION = 4 };
    struct sampling s;
    sampling_open(f, &s, "cache.json", cache_manifest, "kv_append.plain");
    int64_t dims[OPERATOR_DIMS * 2] = {1, 1, 9, 1, 0, 5};
    assert_true(sampler_set_size(&s.sampler, &s.shape, dims, POSITION, 2049));
    assert_int_equal(dims[POSITION], 2049);
    assert_int_equal(dims[CAPACITY], 2049 + 9);
    assert_false(sampler_set_size(&s.sampler, &s.shape, dims, POSITION, 1 << 20)); // too dear
    assert_int_equal(dims[POSITION], 2049);
    assert_int_equal(dims[CAPACITY], 2049 + 9);
}

// A score of one key, or a head of one element, may hide an error.
static void a_large_dim_of_many_has_a_few_elements_beside_it(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "cache.json", cache_manifest);
    struct plan plan = deep_plan(f, "kv_append.plain");
    enum { HEAD_DIM = 3, POSITION = 4, SEQ = 5 };
    int large = 0, whole_vectors = 0, farthest = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t *dims = plan.points[i].dims;
        large += dims[POSITION] > 1023;
        whole_vectors += dims[POSITION] > 1023 && (dims[HEAD_DIM] == 8 || dims[SEQ] == 8);
        farthest += dims[POSITION] > 8000;
    }
    assert_true(large >= 4 && whole_vectors >= 3 && farthest >= 1);
}

// Each operand has an index beyond the 24 bits of a float: a long row of b, and a product of two columns.
static void an_input_and_an_output_go_beyond_24_bits(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"matmul_nt\", \"name\": \"matmul_nt.plain\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"a\", \"b\", \"c\"], \"push\": [\"m\", \"n\", \"k\"], "
        "\"tunables\": {\"WG_X\": {\"values\": [8, 64], \"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": "
        "[\"WG_X\"]}, {\"over\": [\"m\"]}], \"depth\": [{\"over\": [\"k\"]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "product.json", manifest);
    struct plan plan = deep_plan(f, "matmul_nt.plain");
    int inputs = 0, outputs = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t *dims = plan.points[i].dims; // m, n, k
        inputs += dims[2] * (dims[0] > dims[1] ? dims[0] : dims[1]) > 1 << 24;
        outputs += dims[0] * dims[1] > 1 << 24;
    }
    assert_true(inputs == 1 && outputs == 1);
}

// A place times a size may need more than 24 bits in a small problem: a column of a picture made as high again.
static void two_sizes_of_different_operands_multiply_beyond_24_bits(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"upsample_nearest\", \"name\": \"upsample_nearest.plain\", \"summary\": "
        "\"s\", \"shader\": \"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"c\", "
        "\"h\", \"w\", \"oh\", \"ow\"], \"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, \"grid\": "
        "[{\"over\": [\"oh\", \"ow\"], \"by\": [\"WG_X\"]}, {\"over\": [\"n\"]}, {\"over\": [\"c\"]}]}]}";
    enum { H = 2, W, OH, OW };
    struct fixture *f = *state;
    fixture_write(f, "picture.json", manifest);
    struct plan plan = deep_plan(f, "upsample_nearest.plain");
    int high = 0, wide = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t *dims = plan.points[i].dims;
        high += dims[H] * dims[OH] > 1 << 24 && dims[W] == 1 && dims[OW] == 1;
        wide += dims[W] * dims[OW] > 1 << 24 && dims[H] == 1 && dims[OH] == 1;
    }
    assert_true(high == 1 && wide == 1);
}

// The number of a line may need more than 24 bits, too, not only that of an element.
static void lines_that_are_moved_go_beyond_24_bits(void **state) {
    enum { BATCH, KV_HEADS, CAPACITY, HEAD_DIM };
    struct fixture *f = *state;
    fixture_write(f, "cache.json", cache_manifest);
    struct plan plan = deep_plan(f, "kv_append.plain");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t *dims = plan.points[i].dims;
        met += dims[BATCH] * dims[KV_HEADS] * dims[CAPACITY] > 1 << 24 && dims[HEAD_DIM] == 1;
    }
    assert_true(met);
}

// The least problem of a windowed or a vectorised kernel has many elements for each line.
static void a_dim_of_short_lines_goes_beyond_16_bits(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"transpose\", \"name\": \"transpose.eights\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"rows\", \"cols\"], "
        "\"tunables\": "
        "{\"WG_X\": {\"values\": [64], \"default\": 64}}, \"rules\": [{\"multiple\": [[\"cols\"], [8]], \"why\": "
        "\"whole "
        "eights\"}], \"grid\": [{\"over\": [\"rows\", \"cols\"], \"by\": [\"WG_X\"]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "eights.json", manifest);
    struct plan plan = deep_plan(f, "transpose.eights");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++) met += plan.points[i].dims[0] == 66601 && plan.points[i].dims[1] == 8;
    assert_int_equal(met, 1);
}

// The first pass has an invocation for each channel of each picture, the other a sum over pictures. Their product would
// be too much for one pass.
static void a_kernel_of_two_passes_has_long_sums_in_the_second(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"conv2d_backward_bias\", \"name\": \"conv2d_backward_bias.plain\", "
        "\"summary\": \"s\", \"dtypes\": [\"f32\"], \"tunables\": {\"WG_X\": {\"values\": [16, 128], \"default\": "
        "128}}, \"scratch\": {\"sums\": {\"dtype\": \"f32\", \"over\": [\"n\", \"cout\"]}}, \"passes\": [{\"shader\": "
        "\"k.comp\", \"bindings\": [\"dy\", \"sums\"], \"push\": [\"n\", \"cout\", \"oh\", \"ow\"], \"grid\": "
        "[{\"over\": "
        "[\"n\", \"cout\"]}], \"fold\": true}, {\"shader\": \"k.comp\", \"bindings\": [\"sums\", \"dbias\"], \"push\": "
        "[\"n\", \"cout\"], \"grid\": [{\"over\": [\"cout\"], \"by\": [\"WG_X\"]}]}], \"shared\": [[\"WG_X\", 4]], "
        "\"depth\": [{\"over\": [\"oh\", \"ow\"], \"by\": [\"WG_X\"]}, {\"over\": [\"n\"]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "bias.json", manifest);
    struct plan plan = deep_plan(f, "conv2d_backward_bias.plain");
    int64_t most = 0;
    for (size_t i = 0; i < plan.count; i++)
        if (plan.points[i].dims[0] > most) most = plan.points[i].dims[0];
    assert_true(most > 4096);
}

// An index of 15 bits is wrong for a third of these columns, so that a long sum shows it.
static void a_dim_goes_far_beyond_15_bits(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "rmsnorm.workgroup");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t cols = plan.points[i].dims[1];
        met += cols >= (1 << 15) * 3 / 2 && cols < 1 << 16;
    }
    assert_true(met);
}

static void every_dim_passes_numbers_of_the_shader(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "rmsnorm.workgroup");
    const int64_t numbers[] = {777, 3000};
    for (int n = 0; n < 2; n++)
        for (int dim = 0; dim < 2; dim++) {
            int beyond = 0, equal = 0;
            for (size_t i = 0; i < plan.count; i++) {
                const int64_t at = plan.points[i].dims[dim], other = plan.points[i].dims[1 - dim];
                beyond += at == numbers[n] + 1 && other == 1;
                equal += at == numbers[n] && other > 1 && other <= 8;
            }
            assert_true(beyond && equal);
        }
}

// The default of ITEMS is 1, and no remainder is left. The kernel with 2 has odd and even numbers of iterations.
static void every_remainder_of_a_tunable_is_met(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "relu.plain");
    bool met[2] = {false, false};
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t wg = plan.points[i].shape.value[0], n = plan.points[i].dims[0];
        for (int rest = 0; rest < 2; rest++) met[rest] |= n == wg * (2 + rest) + rest % 2;
    }
    assert_true(met[0] && met[1]);
}

// A k of exactly one tile at every pair of two tunables, and an n that is no multiple of the tile but of half of it.
static void two_tunables_meet_a_class_of_sizes(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "matmul.tiled");
    bool half[2] = {false, false}, one[2][2] = {{false, false}, {false, false}};
    for (size_t i = 0; i < plan.count; i++) {
        const struct point *point = &plan.points[i];
        const int64_t items = shape_value(point->kernel, &point->shape, "ITEMS", 0);
        const int64_t tile = shape_value(point->kernel, &point->shape, "TILE_K", 0), k = point->dims[2];
        const int64_t wide = point->shape.value[0], n = point->dims[1];
        half[tile == 32] |= n > wide && n % wide == wide / 2;
        one[items == 4][tile == 32] |= k == tile;
    }
    assert_true(one[0][0] && one[0][1] && one[1][0] && one[1][1]);
    assert_true(half[0] || half[1]);
}

// The second iteration of a loop over tiles begins at a product of two widths: 16 with 32, or with 256.
static void products_of_two_widths_are_met(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "matmul.tiled");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++)
        for (int dim = 0; dim < 2; dim++) met += plan.points[i].dims[dim] == 511 || plan.points[i].dims[dim] == 4095;
    assert_true(met >= 3); // powers of two give one
}

// The device has room for 2500 elements, so the multiple above 2000 is not legal.
static void a_size_without_a_larger_multiple_becomes_a_smaller_one(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"relu\", \"name\": \"relu.thousands\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": "
        "{\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], \"rules\": "
        "[{\"multiple\": [[\"n\"], [1000]], \"why\": \"whole thousands\"}]}]}";
    static const int64_t rows[][2] = {{1, 1000}, {1999, 2000}, {2001, 2000}, {2499, 2000}, {2999, 2000}};
    struct fixture *f = *state;
    struct sampling s;
    sampling_open(f, &s, "thousands.json", manifest, "relu.thousands");
    s.device.storage_range = 2500 * sizeof(float);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t dims[OPERATOR_DIMS * 2] = {1000};
        assert_true(sampler_set_size(&s.sampler, &s.shape, dims, 0, rows[i][0]));
        assert_int_equal(dims[0], rows[i][1]);
    }
}

// Rotary pairs need an even number of elements.
static void a_dim_that_must_be_even_becomes_two(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"rope_half\", \"name\": \"rope_half.plain\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"cos\", \"sin\", \"y\"], \"push\": [\"seq\"], "
        "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [\"seq\"], \"by\": "
        "[\"WG_X\"]}]}]}";
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct suite suite = {.settings = settings_standard()};
    const struct sample_request request = {.device = &device, .suite = &suite};
    fixture_write(f, "rope.json", manifest);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    struct point base = {
        .kernel = kernel_named(&f->kernels, "rope_half.plain"), .dtype = DTYPE_F32, .dims = {128, 32, 128}};
    assert_null(operator_derive(base.kernel->op, base.dims));
    struct crossing crossing = {.arena = &f->arena, .items = &base, .count = 1};
    size_t first = 0;
    struct case_sampler sampler = {.request = &request,
        .crossing = &crossing,
        .kernel = base.kernel,
        .dtype = DTYPE_F32,
        .bases = &first,
        .base_count = 1,
        .limits = &sample_ordinary};
    const struct shape shape = kernel_default_shape(base.kernel, &device);
    const struct point thin = sampler_thin(&sampler, &shape, 0);
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
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"topk\", \"name\": \"topk.plain\", \"summary\": \"s\", \"shader\": \"k.comp\", "
        "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"values\", \"indices\"], \"push\": [\"rows\", \"cols\", \"k\"], "
        "\"tunables\": {\"WG_X\": {\"values\": [16, 32, 64, 128, 256], \"default\": 64}, \"CAPACITY\": {\"id\": 3, "
        "\"values\": [64, 256, 1024, 4096], \"default\": 64}}, \"shared\": [[\"CAPACITY\", 8]], \"grid\": [{\"over\": "
        "[\"rows\"]}], \"rules\": [{\"at_most\": [[\"k\"], [\"CAPACITY\"]], \"why\": \"room\"}]}]}";
    struct fixture *f = *state;
    struct sampling s;
    sampling_open(f, &s, "topk.json", manifest, "topk.plain");
    add_iterations(f, &s, (int64_t[OPERATOR_DIMS]){1, 5, 2});
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
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"softmax\", \"name\": \"softmax.plain\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"rows\", \"cols\"], "
        "\"tunables\": "
        "{\"WG_X\": {\"values\": [64, 128, 256], \"default\": 64}, \"ITEMS\": {\"id\": 3, \"values\": [1, 4, 16], "
        "\"default\": 4}}, \"grid\": [{\"over\": [\"rows\"]}]}]}";
    struct fixture *f = *state;
    struct sampling s;
    sampling_open(f, &s, "softmax.json", manifest, "softmax.plain");
    add_iterations(f, &s, (int64_t[OPERATOR_DIMS]){3, 5});
    assert_int_equal(s.crossing.count, 3);
    for (int dim = 0; dim < 2; dim++) {
        const struct point *point = &s.crossing.items[1 + dim];
        assert_int_equal(point->dims[dim], 256 * 4 + 1);
        assert_int_equal(point->dims[1 - dim], 1);
        assert_int_equal(point->shape.value[0], 256);
        assert_int_equal(point->shape.value[1], 4);
    }
}

// k is at most a row, and a rule sets it a limit of its own.
static void a_dim_rises_to_its_limit_with_another(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"topk\", \"name\": \"topk.small\", \"summary\": \"s\", \"shader\": \"k.comp\", "
        "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"values\", \"indices\"], \"push\": [\"rows\", \"cols\", \"k\"], "
        "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [\"rows\"]}], \"rules\": "
        "[{\"at_most\": [[\"k\"], [100]], \"why\": \"room\"}]}]}";
    struct fixture *f = *state;
    struct sampling s;
    sampling_open(f, &s, "small.json", manifest, "topk.small");
    int64_t dims[OPERATOR_DIMS * 2] = {1, 5, 2};
    assert_true(sampler_set_size(&s.sampler, &s.shape, dims, 2, 101));
    assert_int_equal(dims[1], 5 + 101);
    assert_int_equal(dims[2], 100);
}

// A kernel may ask for the next chunk of a part ahead, and wrongly not for a chunk of one element. In the default shape
// there are parts of each length, and several lines.
static void parts_have_one_element_more_than_a_chunk(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"weighted_sum\", \"name\": \"weighted_sum.plain\", \"summary\": \"s\", "
        "\"dtypes\": [\"f32\"], \"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}, \"SPLITS\": {\"id\": 3, "
        "\"values\": [7, 24], \"default\": 24}}, \"scratch\": {\"parts\": {\"dtype\": \"f32\", \"over\": [\"SPLITS\", "
        "\"head_dim\"]}}, \"depth\": [{\"over\": [\"seq\"], \"by\": [\"SPLITS\"]}], \"passes\": [{\"shader\": "
        "\"k.comp\", \"bindings\": [\"w\", \"v\", \"parts\"], \"push\": [\"seq\"], \"grid\": [{\"over\": "
        "[\"SPLITS\"]}]}, {\"shader\": \"k.comp\", \"bindings\": [\"parts\", \"o\"], \"push\": [\"seq\"], \"grid\": "
        "[{\"over\": [\"head_dim\"], \"by\": [\"WG_X\"]}]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "parts.json", manifest);
    struct plan plan = deep_plan(f, "weighted_sum.plain");
    for (int power = 0; power <= 7; power++) {
        int met = 0;
        for (size_t i = 0; i < plan.count; i++)
            met += plan.points[i].shape.value[1] == 24 && plan.points[i].dims[0] == (24 << power) + 1 &&
                   plan.points[i].dims[1] > 1;
        if (!met) fail_msg("no parts of 2^%d elements and one", power);
    }
}

// The smallest workgroup joins the most parts, and every part has elements. The pairs of tunables need no such shape.
static void the_smallest_workgroup_joins_the_most_parts(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"weighted_sum\", \"name\": \"weighted_sum.many\", \"summary\": \"s\", "
        "\"dtypes\": [\"f32\"], \"tunables\": {\"WG_X\": {\"values\": [8, 16, 32], \"default\": 16}, \"WG_Y\": "
        "{\"values\": [4, 8, 16], \"default\": 8}, \"SPLITS\": {\"id\": 3, \"values\": [1, 8, 16, 64, 96], "
        "\"default\": "
        "16}}, \"scratch\": {\"parts\": {\"dtype\": \"f32\", \"over\": [\"SPLITS\", \"head_dim\"]}}, \"depth\": "
        "[{\"over\": [\"seq\"], \"by\": [\"SPLITS\", \"WG_Y\"]}], \"passes\": [{\"shader\": \"k.comp\", "
        "\"bindings\": [\"w\", \"v\", \"parts\"], \"push\": [\"seq\"], \"grid\": [{\"over\": [\"SPLITS\"]}]}, "
        "{\"shader\": \"k.comp\", \"bindings\": [\"parts\", \"o\"], \"push\": [\"seq\"], \"grid\": [{\"over\": "
        "[\"head_dim\"], \"by\": [\"WG_X\"]}]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "many.json", manifest);
    struct plan plan = deep_plan(f, "weighted_sum.many");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t *value = plan.points[i].shape.value;
        met += value[0] == 8 && value[1] == 4 && value[2] == 96 && plan.points[i].dims[0] == 2 * 96 * 4 + 1;
    }
    assert_int_equal(met, 1);
}

// Each invocation of the largest workgroup may join eight parts at a time, and one more is left.
static void a_workgroup_joins_parts_in_a_second_turn(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"sum\", \"name\": \"sum.plain\", \"summary\": \"s\", \"dtypes\": [\"f32\"], "
        "\"tunables\": {\"WG_X\": {\"values\": [32, 64, 256], \"default\": 64}}, \"scratch\": {\"partial\": "
        "{\"dtype\": "
        "\"f32\", \"over\": [\"n\"], \"by\": [\"WG_X\", 16]}}, \"depth\": [{\"over\": [16]}], \"passes\": "
        "[{\"shader\": "
        "\"k.comp\", \"bindings\": [\"x\", \"partial\"], \"push\": [\"n\"], \"grid\": [{\"over\": [\"n\"], \"by\": "
        "[\"WG_X\", 16]}], \"fold\": true}, {\"shader\": \"k.comp\", \"bindings\": [\"partial\", \"y\"], \"push\": "
        "[\"n\"], \"grid\": [{\"over\": [1]}]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "sum.json", manifest);
    struct plan plan = deep_plan(f, "sum.plain");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++)
        met += plan.points[i].shape.value[0] == 256 && plan.points[i].dims[0] == 8 * 256 * (256 * 16) + 1;
    assert_int_equal(met, 1);
}

// A loop of 2^17 iterations of a workgroup ends within a long line.
static void a_dim_goes_beyond_the_turns_of_a_number(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "rmsnorm.workgroup");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++)
        met += plan.points[i].dims[1] > (int64_t)plan.points[i].shape.value[0] << 17;
    assert_true(met);
}

// Each of two dims goes beyond a number, and the other is as large as affordable, or both go beyond one.
static void two_dims_go_beyond_numbers_together(void **state) {
    struct fixture *f = *state;
    struct plan plan = deep_plan(f, "rmsnorm.workgroup");
    int rows = 0, cols = 0, both = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t *dims = plan.points[i].dims;
        rows += dims[0] > 777 && dims[0] < 1000 && dims[1] > 1000;
        cols += dims[1] > 777 && dims[1] < 1000 && dims[0] > 1000;
        both += dims[0] > 3000 && dims[1] > 3000;
    }
    assert_true(rows && cols && both);
}

// Workgroups of a long axis go beyond a number while there are eight in the other.
static void workgroups_of_two_axes_go_beyond_a_number(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"transpose\", \"name\": \"transpose.tiles\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"rows\", \"cols\"], "
        "\"local_size\": [8, 8], \"grid\": [{\"over\": [\"cols\"], \"by\": [8]}, {\"over\": [\"rows\"], \"by\": "
        "[8]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "tiles.json", manifest);
    struct plan plan = deep_plan(f, "transpose.tiles");
    int met[2] = {0, 0};
    for (size_t i = 0; i < plan.count; i++)
        for (int dim = 0; dim < 2; dim++)
            met[dim] += plan.points[i].dims[dim] > 8 * 777 && plan.points[i].dims[1 - dim] == 64;
    assert_true(met[0] && met[1]);
}

// A pair of f16 has its own number: 2^25 elements have more than 24 bits of them.
static void pairs_go_beyond_24_bits_in_the_narrowest_type(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"rope_half\", \"name\": \"rope_half.plain\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\", \"f16\"], \"bindings\": [\"x\", \"cos\", \"sin\", \"y\"], \"push\": "
        "[\"seq\", "
        "\"heads\", \"head_dim\"], \"local_size\": [64], \"grid\": [{\"over\": [\"seq\", \"heads\", \"half\"], \"by\": "
        "[64]}], \"fold\": true}]}";
    struct fixture *f = *state;
    fixture_write(f, "rope.json", manifest);
    struct plan plan = deep_plan(f, "rope_half.plain");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const int64_t *dims = plan.points[i].dims;
        met += plan.points[i].dtype == DTYPE_F16 && dims[0] * dims[1] * dims[2] / 2 > 1 << 24;
    }
    assert_int_equal(met, 1);
}

// A tunable sets the number of workgroups of each row, and rows are a dim.
static void workgroups_of_each_row_have_parts(void **state) {
    static const char manifest[] =
        "{\"kernels\": [{\"operator\": \"matvec\", \"name\": \"matvec.parts\", \"summary\": \"s\", \"dtypes\": "
        "[\"f32\"], \"tunables\": {\"WG_X\": {\"values\": [8, 128], \"default\": 8}, \"SPLITS\": {\"id\": 3, "
        "\"values\": "
        "[8, 96], \"default\": 8}}, \"rules\": [{\"at_most\": [[\"SPLITS\"], [\"WG_X\"]], \"why\": \"one workgroup "
        "joins\"}], \"scratch\": {\"parts\": {\"dtype\": \"f32\", \"over\": [\"SPLITS\", \"rows\"]}}, \"depth\": "
        "[{\"over\": [\"cols\"], \"by\": [\"SPLITS\"]}], \"passes\": [{\"shader\": \"k.comp\", \"bindings\": [\"w\", "
        "\"x\", \"parts\"], \"push\": [\"cols\"], \"grid\": [{\"over\": [\"rows\", \"SPLITS\"]}]}, {\"shader\": "
        "\"k.comp\", \"bindings\": [\"parts\", \"y\"], \"push\": [\"cols\"], \"grid\": [{\"over\": [\"rows\"], \"by\": "
        "[\"WG_X\"]}]}]}]}";
    struct fixture *f = *state;
    fixture_write(f, "matvec.json", manifest);
    struct plan plan = deep_plan(f, "matvec.parts");
    int met = 0;
    for (size_t i = 0; i < plan.count; i++)
        met +=
            plan.points[i].shape.value[1] == 96 && plan.points[i].dims[1] == 2 * 96 + 1 && plan.points[i].dims[0] == 9;
    assert_true(met);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_dim_goes_beyond_the_turns_of_a_number, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(two_dims_go_beyond_numbers_together, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(workgroups_of_two_axes_go_beyond_a_number, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(pairs_go_beyond_24_bits_in_the_narrowest_type, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(workgroups_of_each_row_have_parts, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_dim_passes_powers_of_two, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_dim_is_pairs_without_whole_vectors, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_greatest_power_is_met_in_the_finest_shape, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_dim_rises_with_the_one_that_limits_it, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_large_dim_of_many_has_a_few_elements_beside_it, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            a_kernel_of_two_passes_has_long_sums_in_the_second, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_input_and_an_output_go_beyond_24_bits, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_dim_of_short_lines_goes_beyond_16_bits, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(products_of_two_widths_are_met, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_dim_passes_numbers_of_the_shader, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_remainder_of_a_tunable_is_met, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(two_tunables_meet_a_class_of_sizes, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            a_size_without_a_larger_multiple_becomes_a_smaller_one, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_dim_goes_far_beyond_15_bits, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_dim_that_must_be_even_becomes_two, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_dim_reaches_the_limit_of_a_rule, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_largest_workgroup_has_a_line_for_all_of_it, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_dim_rises_to_its_limit_with_another, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(parts_have_one_element_more_than_a_chunk, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(lines_that_are_moved_go_beyond_24_bits, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_smallest_workgroup_joins_the_most_parts, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            two_sizes_of_different_operands_multiply_beyond_24_bits, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_workgroup_joins_parts_in_a_second_turn, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(heavy_pairs_are_chosen_first, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
