// SPDX-License-Identifier: Apache-2.0
// The exhaustive tier: its cases, how they are cut, and that no input is left out or taken twice.
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../suite.h"

#include "../../../device/device_info.h"

static const char manifest[] =
    "{\"common\": {\"shader\": \"k.comp\", \"push\": [\"n\"], \"dtypes\": [\"f32\", \"f16\"], "
    "\"tunables\": {\"WG_X\": {\"values\": [64, 512], \"default\": 64}}, \"fold\": true, "
    "\"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], \"bindings\": [\"x\", \"y\"]},\n"
    " \"kernels\": [\n"
    "  {\"name\": \"exp.a\", \"operator\": \"exp\", \"summary\": \"s\"},\n"
    "  {\"name\": \"add.a\", \"operator\": \"add\", \"summary\": \"s\", \"bindings\": [\"a\", "
    "\"b\", \"y\"]},\n"
    "  {\"name\": \"cast.a\", \"operator\": \"cast\", \"summary\": \"s\", \"dtypes\": [\"f16\"]},\n"
    "  {\"name\": \"fma.a\", \"operator\": \"fma\", \"summary\": \"s\", \"bindings\": [\"a\", "
    "\"b\", \"c\", \"y\"]},\n"
    "  {\"name\": \"dropout.a\", \"operator\": \"dropout\", \"summary\": \"s\"},\n"
    "  {\"name\": \"sum.a\", \"operator\": \"sum\", \"summary\": \"s\"},\n"
    "  {\"name\": \"neg.big\", \"operator\": \"neg\", \"summary\": \"s\", \"dtypes\": [\"f32\"], "
    "\"tunables\": {\"WG_X\": {\"values\": [64, 512], \"default\": 512}}}]}\n";

static void load(struct fixture *f) {
    fixture_write(f, "sweep.json", manifest);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
}

static struct plan plan(struct fixture *f, struct exhaustive_request request) {
    struct plan plan;
    struct device_info device = fixture_device();
    request.memory_share = 0.5;
    if (!plan_exhaustive(&f->arena, &f->kernels, &device, &request, &plan, &f->err)) fail_msg("%s", f->err.text);
    return plan;
}

static void bits_of_inputs(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *kernel;
        enum dtype dtype;
        int bits;
    } expected[] = {
        {"exp.a", DTYPE_F32, 32},
        {"exp.a", DTYPE_F16, 16},
        {"exp.a", DTYPE_BF16, 16},
        {"add.a", DTYPE_F16, 32},
        {"add.a", DTYPE_F32, 0},   // 2^64 pairs
        {"cast.a", DTYPE_F16, 32}, // from f32
        {"fma.a", DTYPE_F16, 0},
        {"dropout.a", DTYPE_F16, 0},
        {"sum.a", DTYPE_F16, 0},
        {"neg.big", DTYPE_I32, 0},
    };
    load(f);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct kernel *kernel = kernel_named(&f->kernels, expected[i].kernel);
        int bits = exhaustive_bits(kernel, expected[i].dtype);
        if (bits != expected[i].bits) fail_msg("%s: %d bits, expected %d", expected[i].kernel, bits, expected[i].bits);
    }
}

// Checks that every input of the range is in exactly one point, in order, and no point is longer than a chunk.
static void assert_covers(const struct plan *plan, const char *begin, uint64_t first, uint64_t last) {
    uint64_t next = first;
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        if (strncmp(point->name, begin, strlen(begin)) != 0) continue;
        assert_true(point->inputs_first == next);
        assert_true(point->inputs_count > 0 && point->inputs_count <= EXHAUSTIVE_CHUNK);
        next += point->inputs_count;
    }
    assert_true(next == last + 1);
}

static void all_inputs_are_planned_once(void **state) {
    struct fixture *f = *state;
    load(f);
    struct plan whole = plan(f, (struct exhaustive_request){.last = UINT32_MAX});
    assert_covers(&whole, "exp.a/f32/", 0, UINT32_MAX);
    assert_covers(&whole, "exp.a/f16/", 0, UINT16_MAX);
    assert_covers(&whole, "cast.a/f16/", 0, UINT32_MAX);
    assert_int_equal(whole.count, 64 + 1 + 64 + 1); // and the kernel refused by the device
    for (size_t i = 0; i < whole.count; i++)
        assert_true((strcmp(whole.points[i].kernel->name, "neg.big") == 0) == (whole.points[i].refused != NULL));
}

static void pairs_are_planned_on_demand(void **state) {
    struct fixture *f = *state;
    const char *select[] = {"add.*"};
    load(f);
    struct plan pairs =
        plan(f, (struct exhaustive_request){.last = UINT32_MAX, .pairs = true, .select = select, .select_count = 1});
    assert_covers(&pairs, "add.a/f16/", 0, UINT32_MAX);
    assert_int_equal(pairs.count, 64);
}

// A part is cut at the same places as the whole. Types of 16 bits are always whole.
static void a_range_is_cut_as_the_whole(void **state) {
    struct fixture *f = *state;
    const char *select[] = {"exp.a"};
    load(f);
    struct plan part = plan(
        f, (struct exhaustive_request){.first = 0x3bfffff0, .last = 0x4000000f, .select = select, .select_count = 1});
    assert_int_equal(part.count, 4);
    assert_string_equal(part.points[0].name, "exp.a/f32/n=4194304/wg=64x1x1/bits=3bfffff0-3bffffff");
    assert_string_equal(part.points[1].name, "exp.a/f32/n=4194304/wg=64x1x1/bits=3c000000-3fffffff");
    assert_string_equal(part.points[2].name, "exp.a/f32/n=4194304/wg=64x1x1/bits=40000000-4000000f");
    assert_string_equal(part.points[3].name, "exp.a/f16/n=65536/wg=64x1x1/bits=0000-ffff");
    struct plan one = plan(
        f, (struct exhaustive_request){.first = 0x40490fdb, .last = 0x40490fdb, .select = select, .select_count = 1});
    assert_string_equal(one.points[0].name, "exp.a/f32/n=1/wg=64x1x1/bits=40490fdb-40490fdb");
}

static void names_are_read_back(void **state) {
    struct fixture *f = *state;
    static const char name[] = "exp.a/f32/n=4194304/wg=64x1x1/bits=3c000000-3fffffff";
    struct point point;
    load(f);
    if (!point_parse(&f->arena, &f->kernels, name, &point, &f->err)) fail_msg("%s", f->err.text);
    assert_string_equal(point.name, name);
    assert_true(point.inputs_first == 0x3c000000 && point.inputs_count == 0x4000000);
    assert_int_equal(point.case_length, strlen("exp.a/f32/n=4194304"));
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(bits_of_inputs),
        WITH_FIXTURE(all_inputs_are_planned_once),
        WITH_FIXTURE(pairs_are_planned_on_demand),
        WITH_FIXTURE(a_range_is_cut_as_the_whole),
        WITH_FIXTURE(names_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
