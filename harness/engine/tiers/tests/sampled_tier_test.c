// SPDX-License-Identifier: Apache-2.0
// The sampled tier: edges of a kernel's tiles, the choice of shapes, and plans that follow from the seed.
#include "../edges.h"
#include "../../plan/suite.h"
#include "../../plan/legal.h"
#include "../../plan/lines.h"
#include "../../plan/problem.h"
#include "../sample_params.h"
#include "../sampled_tier.h"
#include "../sample_shapes.h"
#include "../../plan/shapes.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"

static bool holds(const int64_t *items, int count, int64_t wanted) {
    for (int i = 0; i < count; i++)
        if (items[i] == wanted) return true;
    return false;
}

static void the_grid_names_the_first_width(void **state) {
    struct fixture *f = *state;
    int64_t widths[EDGE_WIDTHS];
    fixture_kernels(f);
    const struct kernel *kernel = kernel_named(&f->kernels, "matmul.tiled");
    struct shape shape = {.value = {16, 32, 4, 16}}; // ITEMS is the third tunable after merging
    assert_null(shape_set(&f->arena, kernel, &shape, "WG_X", 16));
    assert_null(shape_set(&f->arena, kernel, &shape, "WG_Y", 32));
    assert_null(shape_set(&f->arena, kernel, &shape, "ITEMS", 4));
    assert_null(shape_set(&f->arena, kernel, &shape, "TILE_K", 32));
    assert_true(edge_widths(kernel, &shape, 0, widths) > 0); // m over WG_Y x ITEMS
    assert_int_equal(widths[0], 128);
    assert_true(edge_widths(kernel, &shape, 1, widths) > 0); // n over WG_X
    assert_int_equal(widths[0], 16);
    assert_true(edge_widths(kernel, &shape, 2, widths) > 0); // no grid has k, but a rule does
    assert_int_equal(widths[0], 32);
}

static void sizes_stand_round_every_width(void **state) {
    struct fixture *f = *state;
    int64_t sizes[EDGE_SIZES];
    fixture_kernels(f);
    const struct kernel *kernel = kernel_named(&f->kernels, "relu.scalar");
    struct shape shape = kernel_default_shape(kernel, NULL);
    assert_null(shape_set(&f->arena, kernel, &shape, "WG_X", 64));
    assert_null(shape_set(&f->arena, kernel, &shape, "ITEMS", 4));
    int count = edge_sizes(kernel, &shape, 0, sizes);
    static const int64_t expected[] = {1, 3, 4, 5, 63, 64, 65, 129, 255, 256, 257, 513, 768, 7, 31, 1021};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_true(holds(sizes, count, expected[i]));
    for (int i = 1; i < count; i++) assert_true(sizes[i - 1] < sizes[i]);
    assert_false(holds(sizes, count, 0)); // relu does not define it
}

static struct plan sampled_on(
    struct fixture *f, const char *entries, const struct device_info *device, uint64_t seed, int shapes, int random) {
    struct suite suite;
    struct sample_counts counts;
    struct plan plan;
    const char *text = arena_format(
        &f->arena, "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"entries\": [%s]}", entries);
    fixture_kernels(f);
    if (!suite_load(&f->arena, fixture_write(f, "suite.txt", text), &suite, &f->err)) fail_msg("%s", f->err.text);
    struct sample_request request = {.suite = &suite,
        .kernels = &f->kernels,
        .device = device,
        .seed = seed,
        .shapes = shapes,
        .sizes = 3,
        .random = random};
    if (!sample_plan(&f->arena, &request, &plan, &counts, &f->err)) fail_msg("%s", f->err.text);
    assert_true(counts.shapes <= counts.legal);
    return plan;
}

static struct plan sampled(struct fixture *f, uint64_t seed, int shapes, int random) {
    static struct device_info device;
    device = fixture_device();
    return sampled_on(f,
        "{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"},"
        "{\"kernel\": \"matmul.*\", \"dims\": {\"m\": 2, \"n\": 2, \"k\": 16}, \"shapes\": \"default\"}",
        &device, seed, shapes, random);
}

static size_t count_of(const struct plan *plan, const char *kernel, int64_t size) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        count += strcmp(plan->points[i].kernel->name, kernel) == 0 && (!size || plan->points[i].dims[0] == size);
    return count;
}

static void every_kernel_is_sampled_past_its_tile(void **state) {
    struct fixture *f = *state;
    struct plan plan = sampled(f, 1, 3, 0);
    assert_true(count_of(&plan, "relu.scalar", 1025) > 0); // the suite's own point
    assert_true(count_of(&plan, "relu.scalar", 257) > 0);  // default shape: 256 and one more
    assert_true(count_of(&plan, "relu.scalar", 255) > 0);
    assert_true(count_of(&plan, "relu.plain", 0) > 0); // not in the suite
    assert_true(count_of(&plan, "rmsnorm.workgroup", 0) > 0);
    assert_true(count_of(&plan, "matmul.tiled", 17) > 0);
    for (size_t i = 0; i < plan.count; i++) {
        assert_null(plan.points[i].refused);
        for (size_t j = 0; j < i; j++) assert_string_not_equal(plan.points[i].name, plan.points[j].name);
    }
}

static bool same_names(const struct plan *a, const struct plan *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) same = strcmp(a->points[i].name, b->points[i].name) == 0;
    return same;
}

static void the_plan_follows_from_the_seed(void **state) {
    struct fixture *f = *state;
    struct plan first = sampled(f, 7, 3, 5), again = sampled(f, 7, 3, 5), other = sampled(f, 8, 3, 5);
    assert_true(same_names(&first, &again));
    assert_false(same_names(&first, &other));
    struct plan less = sampled(f, 7, 3, 0);
    assert_true(first.count > less.count);
}

// Planning must skip kernels not selected. For a check of one kernel, planning all took nine tenths of the time
// before the first point.
static void kernels_that_are_not_selected_cost_nothing(void **state) {
    struct fixture *f = *state;
    const struct device_info device = fixture_device();
    struct suite suite;
    fixture_kernels(f);
    if (!suite_load(&f->arena,
            fixture_write(f, "suite.txt",
                "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"entries\": [{\"kernel\": "
                "\"relu.scalar\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"}]}"),
            &suite, &f->err))
        fail_msg("%s", f->err.text);
    struct sample_request request = {
        .suite = &suite, .kernels = &f->kernels, .device = &device, .seed = 1, .shapes = 3, .sizes = 3};
    struct plan all, one;
    struct sample_counts of_all, of_one;
    assert_true(sample_plan(&f->arena, &request, &all, &of_all, &f->err));
    request.select = (const char *const[]){"relu.plain"};
    request.select_count = 1;
    assert_true(sample_plan(&f->arena, &request, &one, &of_one, &f->err));
    assert_int_equal(one.count, count_of(&all, "relu.plain", 0));
    assert_true(of_one.legal > 0 && of_one.legal < of_all.legal / 4);
}

// ---- rules of manifests

// Kernels outside the suite: whole vectors, two equal dims, and rules without a legal size.
static const char ruled_manifest[] =
    "{\"common\": {\"shader\": \"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], "
    "\"tunables\": {\"WG_X\": {\"values\": [64, 256], \"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": "
    "[\"WG_X\", 64]}], \"fold\": true}, \"kernels\": [\n"
    " {\"name\": \"relu.vectors\", \"operator\": \"relu\", \"summary\": \"whole vectors\", \"rules\": [{\"multiple\": "
    "[[\"n\"], [64]], \"why\": \"vectors are whole\"}]},\n"
    " {\"name\": \"relu.never\", \"operator\": \"relu\", \"summary\": \"no size\", \"rules\": [{\"multiple\": "
    "[[\"n\"], "
    "[8]], \"why\": \"vectors are whole\"}, {\"at_most\": [\"n\", 7], \"why\": \"room for seven\"}]},\n"
    " {\"name\": \"matmul.square\", \"operator\": \"matmul\", \"summary\": \"k is m\", \"bindings\": [\"a\", \"b\", "
    "\"c\"], \"push\": [\"m\", \"n\", \"k\"], \"fold\": false, \"grid\": [{\"over\": [\"m\", \"n\"], \"by\": "
    "[\"WG_X\"]}], \"rules\": [{\"equal\": [[\"k\"], [\"m\"]], \"why\": \"k is m\"}]}]}\n";

static struct plan sampled_with_rules(struct fixture *f, uint64_t seed) {
    static struct device_info device;
    device = fixture_device();
    fixture_write(f, "ruled.json", ruled_manifest);
    return sampled_on(
        f, "{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"}", &device, seed, 3, 5);
}

// Returns how many sizes of the first dim, from `least` on, the kernel's points of a workgroup size have.
static size_t sizes_of(const struct plan *plan, const char *kernel, int64_t wg, int64_t least) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        bool is_new =
            strcmp(point->kernel->name, kernel) == 0 && point->shape.value[0] == wg && point->dims[0] >= least;
        for (size_t j = 0; is_new && j < i; j++) {
            const struct point *other = &plan->points[j];
            is_new = other->kernel != point->kernel || other->shape.value[0] != wg || other->dims[0] != point->dims[0];
        }
        count += is_new;
    }
    return count;
}

static void points_of_every_origin_keep_the_rules(void **state) {
    struct fixture *f = *state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct plan plan = sampled_with_rules(f, seed);
        assert_true(count_of(&plan, "relu.vectors", 0) > 1 && count_of(&plan, "matmul.square", 0) > 1);
        for (size_t i = 0; i < plan.count; i++) {
            const struct point *point = &plan.points[i];
            const char *name = point->kernel->name;
            if (strcmp(name, "relu.vectors") == 0) assert_int_equal(point->dims[0] % 64, 0);
            if (strcmp(name, "matmul.square") == 0) assert_int_equal(point->dims[0], point->dims[2]);
            assert_int_equal(point->refused != NULL, strcmp(name, "relu.never") == 0);
        }
        assert_int_equal(count_of(&plan, "relu.never", 0), 1); // skipped, with the rule as the reason
    }
}

// A rule does not make the tier blind: sizes between the allowed ones become allowed ones.
static void refused_sizes_become_allowed_ones(void **state) {
    struct fixture *f = *state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct plan plan = sampled_with_rules(f, seed);
        assert_true(sizes_of(&plan, "relu.vectors", 64, 1) >= 9); // as many as for a kernel without rules
        assert_true(sizes_of(&plan, "relu.vectors", 64, 1000) >= 3);
        assert_true(sizes_of(&plan, "matmul.square", 64, 1) >= 9);
        assert_true(sizes_of(&plan, "matmul.square", 64, 100) >= 1);
    }
}

// The suite's case has k=16, and half of the shapes need a multiple of 32.
static void the_common_case_moves_with_the_shape(void **state) {
    struct fixture *f = *state;
    struct plan plan = sampled(f, 1, 8, 0);
    size_t moved = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const struct point *point = &plan.points[i];
        if (strcmp(point->kernel->name, "matmul.tiled") != 0 ||
            shape_value(point->kernel, &point->shape, "TILE_K", 0) < 32)
            continue;
        assert_int_equal(point->dims[2] % 32, 0);
        moved += point->dims[0] == 2 && point->dims[1] == 2 && point->dims[2] == 32;
    }
    assert_true(moved >= 2);
}

// A kernel's errors with rows far from zero, or with stretches of infinities, must show for a single row, too.
static void one_line_alone_has_each_pattern(void **state) {
    struct fixture *f = *state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct plan plan = sampled(f, seed, 3, 0);
        uint32_t seen = 0;
        for (size_t i = 0; i < plan.count; i++) {
            const struct point *point = &plan.points[i];
            const struct op *op = point->kernel->op;
            if (strcmp(point->kernel->name, "rmsnorm.workgroup") != 0 || point->dtype != DTYPE_F16) continue;
            uint64_t key = operand_key(problem_key(point, seed), 0);
            struct line_set lines = lines_of(op, &op->operands[0], point->dims, key);
            if (lines.count == 1 && lines.length >= 8) seen |= 1u << lines_pattern(&lines, 0);
        }
        assert_int_equal(seen, (1u << 25) - 1);
    }
}

// Returns how many of a product's points have zeros in an operand, and infinities in the other one.
static int meetings(const struct plan *plan, uint64_t seed, int zeros, int infinite) {
    int count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        const struct op *op = point->kernel->op;
        if (strcmp(point->kernel->name, "matmul.tiled") != 0) continue;
        const uint64_t key = problem_key(point, seed);
        const struct line_set a = lines_of(op, &op->operands[zeros], point->dims, operand_key(key, zeros)),
                              b = lines_of(op, &op->operands[infinite], point->dims, operand_key(key, infinite));
        count += lines_zeros(&a) != ZEROS_NONE && lines_infinities(&b) > 0;
    }
    return count;
}

static void zeros_of_each_factor_meet_infinities_of_the_other(void **state) {
    struct fixture *f = *state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct plan plan = sampled(f, seed, 3, 0);
        assert_true(meetings(&plan, seed, 0, 1) >= 3);
        assert_true(meetings(&plan, seed, 1, 0) >= 3);
    }
}

static void every_name_replays(void **state) {
    struct fixture *f = *state;
    struct plan plan = sampled(f, 3, 4, 4);
    for (size_t i = 0; i < plan.count; i++) {
        struct point point;
        if (!point_parse(&f->arena, &f->kernels, plan.points[i].name, &point, &f->err)) fail_msg("%s", f->err.text);
        assert_string_equal(point.name, plan.points[i].name);
    }
}

static void shapes_are_the_default_and_every_value(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    int64_t dims[OPERATOR_DIMS * 2] = {100};
    struct shape_sample shapes;
    fixture_kernels(f);
    const struct kernel *kernel = kernel_named(&f->kernels, "relu.scalar");
    struct trial trial = {
        .kernel = kernel, .dtype = DTYPE_F32, .dims = dims, .device = &device, .memory_share = 1, .arena = &f->arena};
    struct shape standard = kernel_default_shape(kernel, NULL);
    shapes = sample_shapes(&trial, 5, 4);
    assert_int_equal(shapes.legal, 8); // WG_X 512 and 1024 are too large, so there are 4 sizes, each with ITEMS 1 and 4
    assert_int_equal(shapes.count, 4);
    assert_true(shape_equal(kernel, &shapes.items[0], &standard));
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(shapes.items[i].value[0], shapes.items[j].value[0]); // four workgroup sizes
    assert_int_not_equal(shapes.items[0].value[1], shapes.items[1].value[1]);         // the second has the other ITEMS
    shapes = sample_shapes(&trial, 5, 100);
    assert_int_equal(shapes.count, 8);
}

static bool pair_is_held(const struct param_sample *sample, int a, double value_a, int b, double value_b) {
    for (size_t i = 0; i < sample->count; i++)
        if (sample->items[i].value[a] == value_a && sample->items[i].value[b] == value_b) return true;
    return false;
}

static void every_pair_of_telling_parameters_is_met(void **state) {
    struct fixture *f = *state;
    static const struct op op = {.params = {{"a", .standard = 1, TELLING(0, -2, 8)}, {"fixed", .standard = 3},
                                     {"b", .standard = 10, .integer = true, TELLING(1, 70001)}}};
    static const double as[] = {1, 0, -2, 8}, bs[] = {10, 1, 70001};
    struct param_sample sample = sample_params(&f->arena, &op, 5), other = sample_params(&f->arena, &op, 6);
    bool differ = false;
    for (int i = 0; i < 3; i++) assert_true(sample.items[0].value[i] == op.params[i].standard);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++) assert_true(pair_is_held(&sample, 0, as[a], 2, bs[b]));
    assert_true(sample.count < 30); // each has one more value, a drawn one: 20 combinations of two
    assert_int_equal(sample.pairs.covered, sample.pairs.pairs);
    for (size_t i = 0; i < sample.count; i++) {
        assert_true(sample.items[i].value[0] >= -2 && sample.items[i].value[0] <= 8);
        assert_true(sample.items[i].value[1] == 3);
        for (size_t j = 0; i < other.count && j < 3; j++) differ |= sample.items[i].value[j] != other.items[i].value[j];
    }
    assert_true(differ);
}

static void settings_that_tell_together_come_last(void **state) {
    struct fixture *f = *state;
    static const struct op op = {
        .params = {{"seed", .standard = 1, TELLING(0, 5)}, {"p", .standard = 0.5, TELLING(0, 1)}},
        TOGETHER({42, 0}, {42, 1})};
    struct param_sample sample = sample_params(&f->arena, &op, 5);
    for (int i = 0; i < 2; i++) {
        const double *value = sample.items[sample.count - 2 + (size_t)i].value;
        assert_true(value[0] == 42 && value[1] == i);
    }
}

static void sampled_points_differ_in_their_parameters(void **state) {
    struct fixture *f = *state;
    struct plan plan = sampled(f, 1, 3, 0);
    size_t telling = 0;
    for (size_t i = 0; i < plan.count; i++)
        telling += strcmp(plan.points[i].kernel->op->name, "rmsnorm") == 0 && plan.points[i].params[0] == 1;
    assert_true(telling > 0);
}

static void shapes_meet_every_pair_of_values(void **state) {
    struct fixture *f = *state;
    struct covering_row rows[4 * 3 * 2];
    struct covering_counts counts;
    size_t *order, count = 0;
    bool held[3][4][4] = {{{false}}};
    for (uint8_t a = 0; a < 4; a++)
        for (uint8_t b = 0; b < 3; b++)
            for (uint8_t c = 0; c < 2; c++) rows[count++] = (struct covering_row){{a, b, c}};
    size_t chosen = covering_choose(&f->arena, rows, count, 3, NULL, 7, count, &order, &counts);
    assert_true(chosen >= 12 && chosen < 20);
    assert_int_equal(counts.pairs, 4 * 3 + 4 * 2 + 3 * 2);
    assert_int_equal(counts.covered, counts.pairs);
    assert_int_equal(order[0], 0);
    for (size_t i = 0; i < chosen; i++) {
        const uint8_t *level = rows[order[i]].level;
        held[0][level[0]][level[1]] = held[1][level[0]][level[2]] = held[2][level[1]][level[2]] = true;
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++) assert_true(held[0][a][b]);
    for (int a = 0; a < 4; a++)
        for (int c = 0; c < 2; c++) assert_true(held[1][a][c]);
    for (int b = 0; b < 3; b++)
        for (int c = 0; c < 2; c++) assert_true(held[2][b][c]);
    chosen = covering_choose(&f->arena, rows, count, 3, NULL, 7, 4, &order, &counts);
    assert_int_equal(chosen, 4); // these have every level
    assert_true(counts.covered < counts.pairs);
}

// Plans a check of one kernel; with `deepen` it gets more shapes and sizes. `kernel` NULL: there is no selection, and
// the folder has only one kernel.
static struct plan sampled_by(
    struct fixture *f, const char *kernel, bool deepen, enum device_kind kind, uint64_t seed) {
    struct suite suite;
    struct sample_counts counts;
    struct plan plan;
    struct device_info device = fixture_device();
    device.kind = kind;
    fixture_kernels(f);
    struct kernels kernels = f->kernels;
    while (!kernel && strcmp(kernels.items[0]->name, "relu.scalar") != 0) kernels.items++;
    if (!kernel) kernels.count = 1;
    static const char text[] = "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"entries\": ["
                               "{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"}]}";
    if (!suite_load(&f->arena, fixture_write(f, "suite.txt", text), &suite, &f->err)) fail_msg("%s", f->err.text);
    struct sample_request request = {.suite = &suite,
        .kernels = &kernels,
        .device = &device,
        .seed = seed,
        .shapes = 2,
        .sizes = 3,
        .deepen = deepen,
        .select = &kernel,
        .select_count = kernel != NULL};
    if (!sample_plan(&f->arena, &request, &plan, &counts, &f->err)) fail_msg("%s", f->err.text);
    return plan;
}

static struct plan sampled_of(struct fixture *f, const char *kernel, bool deepen, enum device_kind kind) {
    return sampled_by(f, kernel, deepen, kind, 1);
}

// The seed decides which dim is enlarged first, and no dim is left out for it.
static void a_dim_goes_beyond_16_bits_at_any_seed(void **state) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct plan plan = sampled_by(*state, "rmsnorm.workgroup", false, DEVICE_DISCRETE, seed);
        int cols = 0;
        for (size_t i = 0; i < plan.count; i++) cols += plan.points[i].dims[1] > 65536;
        assert_true(cols >= 1);
    }
}

// Errors of sums are judged over several draws, at dims grown for many terms. Other kernels have no such points.
static void kernels_with_sums_have_draws(void **state) {
    static const struct {
        const char *kernel;
        bool sums;
    } rows[] = {{"matmul.tiled", true}, {"sum.multipass", true}, {"relu.scalar", false}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct plan plan = sampled_of(*state, rows[r].kernel, false, DEVICE_DISCRETE);
        int drawn = 0;
        for (size_t i = 0; i < plan.count; i++) {
            const struct point *point = &plan.points[i];
            if (!point->draws) continue;
            const int terms = strcmp(rows[r].kernel, "matmul.tiled") == 0 ? 2 : 0; // k, or n
            assert_true(point->dims[terms] >= 20 && point->draws > 1 && point->draws <= ERROR_DRAWS);
            drawn++;
        }
        assert_int_equal(drawn > 0, rows[r].sums);
    }
}

// Some case reveals sizes cut to 16 bits, with a second row after the long one. Another reveals an index converted to
// float.
static void sizes_go_beyond_16_and_24_bits(void **state) {
    struct fixture *f = *state;
    const enum device_kind kinds[] = {DEVICE_DISCRETE, DEVICE_CPU};
    for (int k = 0; k < 2; k++) {
        struct plan plan = sampled_of(f, "rmsnorm.workgroup", true, kinds[k]);
        int rows = 0, cols = 0, large = 0;
        for (size_t i = 0; i < plan.count; i++) {
            const int64_t *dims = plan.points[i].dims;
            rows += dims[0] > 65536 && dims[1] > 1;
            cols += dims[1] > 65536 && dims[0] > 1;
            large += dims[0] > 1 && (dims[0] - 1) * dims[1] >= 1 << 24;
        }
        // in one type; 66601 groups need a folded grid, or do not run
        assert_true(rows == 0 && cols >= 1 && large == 1);
    }
    struct plan all = sampled_of(f, "relu.scalar", true, DEVICE_CPU);
    int64_t longest = 0;
    for (size_t i = 0; i < all.count; i++)
        if (all.points[i].dims[0] > longest) longest = all.points[i].dims[0];
    assert_true(longest > 1 << 24);
    struct plan plan = sampled_of(f, "rmsnorm.workgroup", false, DEVICE_DISCRETE);
    int beyond = 0;
    for (size_t i = 0; i < plan.count; i++) beyond += plan.points[i].dims[0] > 65536 || plan.points[i].dims[1] > 65536;
    assert_int_equal(beyond, 1);
}

static void one_kernel_is_checked_deeper(void **state) {
    struct fixture *f = *state;
    const enum device_kind kind = fixture_device().kind;
    const struct plan plan = sampled_of(f, "relu.scalar", true, kind);
    bool met[8] = {false};
    size_t shapes = 0, most = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const struct point *point = &plan.points[i];
        int64_t wg = point->shape.value[0], items = point->shape.value[1];
        size_t at = (size_t)(wg > 32) + (size_t)(wg > 64) + (size_t)(wg > 128) + (items > 1 ? 4 : 0);
        shapes += !met[at % 8];
        met[at % 8] = true;
        if ((size_t)point->dims[0] > most) most = (size_t)point->dims[0];
    }
    assert_int_equal(shapes, 8); // all shapes accepted by the device
    assert_true(most >= 66601);
    const struct plan less = sampled_of(f, "relu.scalar", false, kind), alone = sampled_of(f, NULL, true, kind);
    assert_true(less.count < plan.count);
    assert_int_equal(alone.count, plan.count); // a folder without other kernels
}

// Lists the shapes of one kernel and type, planned for a check of this kernel alone.
static size_t shapes_in(
    struct fixture *f, const struct device_info *device, const char *name, enum dtype dtype, struct shape *out) {
    struct suite suite = {.settings = settings_standard()};
    struct sample_counts counts;
    struct plan plan;
    struct sample_request request = {.suite = &suite,
        .kernels = &f->kernels,
        .device = device,
        .seed = 1,
        .shapes = 2,
        .sizes = 3,
        .deepen = true,
        .select = &name,
        .select_count = 1};
    size_t count = 0;
    if (!sample_plan(&f->arena, &request, &plan, &counts, &f->err)) fail_msg("%s", f->err.text);
    for (size_t i = 0; i < plan.count; i++) {
        const struct point *point = &plan.points[i];
        bool fresh = point->dtype == dtype && count < 64;
        for (size_t k = 0; fresh && k < count; k++) fresh = !shape_equal(point->kernel, &point->shape, &out[k]);
        if (fresh) out[count++] = point->shape;
    }
    return count;
}

// With many tunables, each type of a kernel has the default and a part of the shapes shared by all types. With few,
// each type has all.
static void types_share_the_shapes_of_many_tunables(void **state) {
    struct fixture *f = *state;
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F16, DTYPE_BF16};
    const char *folders[] = {"kernels"};
    struct device_info device = fixture_device();
    struct shape shapes[3][64], few[64];
    size_t counts[3], sum = 0, fresh = 0;
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    for (int t = 0; t < 3; t++) sum += counts[t] = shapes_in(f, &device, "matmul.blocked", types[t], shapes[t]);
    const struct kernel *kernel = kernel_named(&f->kernels, "matmul.blocked");
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < counts[t]; i++) {
            bool met = false;
            for (int other = 0; other < t; other++)
                for (size_t k = 0; k < counts[other]; k++)
                    met = met || shape_equal(kernel, &shapes[t][i], &shapes[other][k]);
            fresh += !met;
        }
    // Each type has the default and the finest shape, and one type the largest workgroup.
    assert_true(sum <= 3 * 2 + 6 + 1);
    assert_true(fresh >= 1 + 6);
    assert_true(shapes_in(f, &device, "relu.vec4", DTYPE_F16, few) >= 4);
}

// The device refuses the default shape, and no shape can run one of the suite's cases. The other cases are still
// planned.
static void a_kernel_is_sampled_in_the_shapes_that_run(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    device.max_invocations = device.max_size[0] = 128; // the default has 256
    device.storage_range = 1 << 16;
    struct plan plan = sampled_on(f,
        "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": [65536, 1025]}, \"shapes\": "
        "\"default\"}",
        &device, 1, 2, 0);
    size_t runs = 0;
    for (size_t i = 0; i < plan.count; i++)
        runs += !plan.points[i].refused && strcmp(plan.points[i].kernel->name, "relu.scalar") == 0 &&
                plan.points[i].dtype == DTYPE_F32;
    assert_true(runs > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_kernel_is_sampled_in_the_shapes_that_run, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_grid_names_the_first_width, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(sizes_stand_round_every_width, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_kernel_is_sampled_past_its_tile, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(kernels_that_are_not_selected_cost_nothing, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_plan_follows_from_the_seed, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(points_of_every_origin_keep_the_rules, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(refused_sizes_become_allowed_ones, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_common_case_moves_with_the_shape, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(one_line_alone_has_each_pattern, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(zeros_of_each_factor_meet_infinities_of_the_other, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_name_replays, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(shapes_are_the_default_and_every_value, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(settings_that_tell_together_come_last, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_pair_of_telling_parameters_is_met, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(sampled_points_differ_in_their_parameters, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(sizes_go_beyond_16_and_24_bits, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_dim_goes_beyond_16_bits_at_any_seed, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(kernels_with_sums_have_draws, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(one_kernel_is_checked_deeper, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(types_share_the_shapes_of_many_tunables, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(shapes_meet_every_pair_of_values, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
