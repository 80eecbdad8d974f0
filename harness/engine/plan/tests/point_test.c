// SPDX-License-Identifier: Apache-2.0
// Names of points: built, parsed, and refused with a hint.
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../suite.h"

static void names_round_trip(void **state) {
    struct fixture *f = *state;
    static const char *const names[] = {
        "relu.scalar/f32/n=1/wg=256x1x1,ITEMS=1",
        "relu.scalar/f16/n=4294967295/wg=32x1x1,ITEMS=4",
        "matmul.tiled/f32/m=512,n=1,k=33/wg=16x8x1,ITEMS=4,TILE_K=32",
        "rmsnorm.workgroup/f32/rows=7,cols=33/wg=64x1x1,ITEMS=1,SUBGROUP=0",
        "rmsnorm.workgroup/f32/rows=7,cols=33,eps=0/wg=64x1x1,ITEMS=1,SUBGROUP=32",
        "rmsnorm.workgroup/f32/rows=7,cols=33,eps=0.1/wg=64x1x1,ITEMS=1,SUBGROUP=32",
    };
    fixture_kernels(f);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct point point;
        if (!point_parse(&f->arena, &f->kernels, names[i], &point, &f->err)) fail_msg("%s", f->err.text);
        assert_string_equal(point.name, names[i]);
        assert_int_equal(point.case_length, strrchr(names[i], '/') - names[i]);
        assert_null(point.refused);
    }
}

static void draws_round_trip(void **state) {
    struct fixture *f = *state;
    static const char name[] = "rmsnorm.workgroup/f32/rows=7,cols=33/wg=64x1x1,ITEMS=1,SUBGROUP=0/draws=12";
    static const char *const wrong[] = {"draws=0", "draws=161", "draws=", "draws=4x", "draws=-3", "draw=4"};
    struct point point;
    fixture_kernels(f);
    if (!point_parse(&f->arena, &f->kernels, name, &point, &f->err)) fail_msg("%s", f->err.text);
    assert_string_equal(point.name, name);
    assert_int_equal(point.draws, 12);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *bad = arena_format(&f->arena, "%.*s/%s", (int)(strrchr(name, '/') - name), name, wrong[i]);
        assert_false(point_parse(&f->arena, &f->kernels, bad, &point, &f->err));
    }
}

static void parts_are_filled(void **state) {
    struct fixture *f = *state;
    struct point point;
    fixture_kernels(f);
    assert_true(point_parse(
        &f->arena, &f->kernels, "matmul.tiled/f32/k=3,m=1,n=2/wg=8x8x1,TILE_K=16,ITEMS=1", &point, &f->err));
    assert_string_equal(point.name, "matmul.tiled/f32/m=1,n=2,k=3/wg=8x8x1,ITEMS=1,TILE_K=16");
    assert_true(point.dims[0] == 1 && point.dims[1] == 2 && point.dims[2] == 3);
    assert_int_equal(shape_value(point.kernel, &point.shape, "WG_Y", 0), 8);
    assert_string_equal(point.systems, "candle");
    assert_false(point.is_default);
    assert_true(point_parse(&f->arena, &f->kernels,
        "rmsnorm.workgroup/f16/rows=1,cols=2,eps=1e-05/wg=256x1x1,ITEMS=1,SUBGROUP=0", &point, &f->err));
    assert_true(point.is_default);
    assert_string_equal(point.name, "rmsnorm.workgroup/f16/rows=1,cols=2/wg=256x1x1,ITEMS=1,SUBGROUP=0");
}

static void without_tunables(void **state) {
    struct fixture *f = *state;
    struct point point;
    fixture_write(f, "m.json",
        "{\"kernels\": [{\"name\": \"sum.one\", \"operator\": \"sum\", \"summary\": \"s\", "
        "\"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": "
        "1}]}]}");
    assert_true(fixture_load(f));
    assert_true(point_parse(&f->arena, &f->kernels, "sum.one/f32/n=9/wg=1x1x1", &point, &f->err));
    assert_string_equal(point.name, "sum.one/f32/n=9/wg=1x1x1");
    assert_true(point.is_default);
}

static void derived_dims_are_computed(void **state) {
    struct fixture *f = *state;
    struct point point;
    fixture_write(f, "m.json",
        "{\"kernels\": [{\"name\": \"rope_half.a\", \"operator\": \"rope_half\", \"summary\": "
        "\"s\", "
        "\"shader\": \"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"cos\", \"sin\", "
        "\"y\"], \"push\": [\"half\"], "
        "\"grid\": [{\"over\": [\"half\"]}]}]}");
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    assert_true(
        point_parse(&f->arena, &f->kernels, "rope_half.a/f32/seq=2,heads=3,head_dim=64/wg=1x1x1", &point, &f->err));
    assert_int_equal(point.dims[operator_dim_index(point.kernel->op, "half")], 32);
    assert_false(
        point_parse(&f->arena, &f->kernels, "rope_half.a/f32/seq=2,heads=3,head_dim=63/wg=1x1x1", &point, &f->err));
    assert_says(f->err.text, "operator rope_half refuses seq=2,heads=3,head_dim=63");
    assert_false(
        point_parse(&f->arena, &f->kernels, "rope_half.a/f32/seq=2,heads=3,half=32/wg=1x1x1", &point, &f->err));
    assert_says(f->err.text, "takes no dim or parameter \"half\"");
}

static const char *const errors[][2] = {
    {"", "KERNEL/DTYPE/DIMS/SHAPE"},
    {"relu.scalar", "KERNEL/DTYPE/DIMS/SHAPE"},
    {"relu.scalar/f32/n=1", "KERNEL/DTYPE/DIMS/SHAPE"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/x", "bits=FIRST-LAST"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/bits=0-1/x", "more parts"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/bits=", "two hexadecimal numbers"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/bits=1", "two hexadecimal numbers"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/bits=1-", "two hexadecimal numbers"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/bits=-1-2", "two hexadecimal numbers"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/bits=0-1ffffffff", "two hexadecimal numbers"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1/bits=2-1", "ascend"},
    {"relu.scalar/f16/n=1/wg=64x1x1,ITEMS=1/bits=0-10000", "fit 16 bits"},
    {"sum.multipass/f32/n=1/wg=64x1x1,ITEMS=1/bits=0-1", "cannot be checked exhaustively"},
    {"relu.scaler/f32/n=1/wg=64x1x1,ITEMS=1", "no kernel \"relu.scaler\"; did you mean \"relu.scalar\"?"},
    {"zzzzzzzzz/f32/n=1/wg=64x1x1,ITEMS=1", "expected one of matmul.tiled, relu.plain, relu.scalar"},
    {"relu.plain/f16/n=1/wg=64x1x1,ITEMS=1", "kernel relu.plain has no dtype \"f16\"; did you mean \"f32\"?"},
    {"relu.scalar/f64/n=1/wg=64x1x1,ITEMS=1", "kernel relu.scalar has no dtype \"f64\"; did you mean"},
    {"relu.scalar/case/n=1/wg=64x1x1,ITEMS=1", "no dtype"},
    {"relu.scalar/f32//wg=64x1x1,ITEMS=1", "expected dims as name=value"},
    {"relu.scalar/f32/n/wg=64x1x1,ITEMS=1", "expected dims as name=value,..., found \"n\""},
    {"relu.scalar/f32/=1/wg=64x1x1,ITEMS=1", "expected dims as name=value"},
    {"relu.scalar/f32/n=/wg=64x1x1,ITEMS=1", "expected a number for n, found \"\""},
    {"relu.scalar/f32/n=1e/wg=64x1x1,ITEMS=1", "expected a number for n"},
    {"relu.scalar/f32/n=nan/wg=64x1x1,ITEMS=1", "expected a number for n"},
    {"relu.scalar/f32/n=0x10/wg=64x1x1,ITEMS=1", "expected a number for n"},
    {"relu.scalar/f32/n=1.5/wg=64x1x1,ITEMS=1", "dim n must be a whole number from 0 to 4294967295, found 1.5"},
    {"relu.scalar/f32/n=-1/wg=64x1x1,ITEMS=1", "found -1"},
    {"relu.scalar/f32/n=4294967296/wg=64x1x1,ITEMS=1", "found 4294967296"},
    {"relu.scalar/f32/n=1e999/wg=64x1x1,ITEMS=1", "found inf"},
    {"relu.scalar/f32/n=0/wg=64x1x1,ITEMS=1", "operator relu refuses n=0"},
    {"relu.scalar/f32/n=1,n=1/wg=64x1x1,ITEMS=1", "n is given twice"},
    {"relu.scalar/f32/m=1/wg=64x1x1,ITEMS=1", "operator relu takes no dim or parameter \"m\""},
    {"matmul.tiled/f32/m=1,n=1/wg=8x8x1,ITEMS=1,TILE_K=16", "dim k is missing; operator matmul takes m, n, k"},
    {"rmsnorm.workgroup/f32/rows=1,cols=1,esp=1/wg=64x1x1,ITEMS=1,SUBGROUP=0", "did you mean \"eps\"?"},
    {"rmsnorm.workgroup/f32/rows=1,cols=1,eps=1e39/wg=64x1x1,ITEMS=1,SUBGROUP=0", "parameter eps must lie in"},
    {"relu.scalar/f32/n=1/", "expected the shape to begin with wg="},
    {"relu.scalar/f32/n=1/ITEMS=1", "expected the shape to begin with wg="},
    {"relu.scalar/f32/n=1/wg=64,ITEMS=1", "wg=XxYxZ, three whole numbers"},
    {"relu.scalar/f32/n=1/wg=64x1x1x1,ITEMS=1", "wg=XxYxZ, three whole numbers"},
    {"relu.scalar/f32/n=1/wg=64x1x,ITEMS=1", "wg=XxYxZ, three whole numbers"},
    {"relu.scalar/f32/n=1/wg=99999999999999999999x1x1,ITEMS=1", "wg=XxYxZ, three whole numbers"},
    {"relu.scalar/f32/n=1/wg=0x1x1,ITEMS=1", "WG_X of kernel relu.scalar cannot be 0; its manifest lists 32, 64"},
    {"relu.scalar/f32/n=1/wg=64x2x1,ITEMS=1", "kernel relu.scalar has no tunable \"WG_Y\""},
    {"relu.scalar/f32/n=1/wg=64x1x1", "the tunable ITEMS is missing"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=1,ITEMS=1", "ITEMS is given twice"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEM=1", "did you mean \"ITEMS\"?"},
    {"relu.scalar/f32/n=1/wg=64x1x1,WG_X=64,ITEMS=1", "WG_X stands in wg=XxYxZ"},
    {"relu.scalar/f32/n=1/wg=64x1x1,ITEMS=-1", "found \"ITEMS=-1\""},
    {"relu.scalar/f32/n=1/wg=64x1x1,", "expected a tunable as NAME=integer, found \"\""},
};

static void errors_say_what_is_near(void **state) {
    struct fixture *f = *state;
    struct point point;
    fixture_kernels(f);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (point_parse(&f->arena, &f->kernels, errors[i][0], &point, &f->err)) fail_msg("accepted: %s", errors[i][0]);
        assert_int_equal(f->err.status, STATUS_USAGE);
        assert_says(f->err.text, errors[i][0]);
        assert_says(f->err.text, errors[i][1]);
    }
}

// A shell judges the lines by splitting them into words.
static void replay_lines_are_for_a_shell(void **state) {
    struct fixture *f = *state;
    static const char *const folders[] = {
        "mine", "two words", "it's", "$(touch x)`;|&<>*", "/home/me/k", "/home/me/a b"};
    static const char *const lines[] = {"mine", "'two words'", "'it'\\''s'", "'$(touch x)`;|&<>*'", "~/k", "~/'a b'"};
    char *home = getenv("HOME"), *was = home ? strdup(home) : NULL;
    setenv("HOME", "/home/me", 1);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct kernel kernel = {.given = folders[i]};
        struct point point = {.kernel = &kernel, .name = "k.v/f32/n=1/wg=1x1x1"};
        char expected[300], command[600], words[300] = "";
        snprintf(expected, sizeof expected,
            "vkassay check 'k.v/f32/n=1/wg=1x1x1' --seed 18446744073709551615 --kernels %s", lines[i]);
        const char *line = point_replay(&f->arena, &point, UINT64_MAX);
        assert_string_equal(line, expected);
        snprintf(command, sizeof command, "set -- %s; printf '%%s' \"$7\"", line);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        assert_true(fread(words, 1, sizeof words - 1, pipe) > 0);
        pclose(pipe);
        assert_string_equal(words, folders[i]);
    }
    if (was) setenv("HOME", was, 1);
    free(was);
}

static void a_mutant_has_the_name_of_its_kernel_and_its_change(void **state) {
    struct fixture *f = *state;
    struct kernel kernel = {.name = "k.v", .given = "mine"};
    const struct point points[] = {{.kernel = &kernel, .draws = 4}};
    const struct mutant_set set = {.points = points, .point_count = 1};
    const struct mutant_of mutant = {"constant.zero@a b.comp:3#1", &set};
    const struct point point = point_of_mutant(&f->arena, &mutant);
    assert_string_equal(point.name, "k.v!constant.zero@a b.comp:3#1");
    assert_int_equal(point.case_length, strlen(point.name));
    assert_int_equal(point.draws, 0);
    assert_string_equal(point_replay(&f->arena, &point, 7),
        "vkassay mutate k.v --mutant 'constant.zero@a b.comp:3#1' --seed 7 --kernels mine");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_round_trip, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(draws_round_trip, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(parts_are_filled, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(without_tunables, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(derived_dims_are_computed, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(replay_lines_are_for_a_shell, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            a_mutant_has_the_name_of_its_kernel_and_its_change, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(errors_say_what_is_near, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
