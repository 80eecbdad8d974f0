// SPDX-License-Identifier: Apache-2.0
// Correct manifests: every member is read into its place.
#include "plan_fixture.h"
#include "../../../device/device_info.h"
#include "../../../../reference/table.h"

static const char *define_value(const struct pass *pass, const char *name) {
    for (int i = 0; i < pass->define_count; i++)
        if (strcmp(pass->defines[i].name, name) == 0) return pass->defines[i].value;
    return NULL;
}

static void sorted_and_found_by_name(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    assert_int_equal(f->kernels.count, 5);
    for (size_t i = 1; i < f->kernels.count; i++)
        assert_true(strcmp(f->kernels.items[i - 1]->name, f->kernels.items[i]->name) < 0);
    for (size_t i = 0; i < f->kernels.count; i++)
        assert_ptr_equal(kernel_named(&f->kernels, f->kernels.items[i]->name), f->kernels.items[i]);
    assert_null(kernel_named(&f->kernels, "relu"));
}

static void common_is_what_is_left_out(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *k = kernel_named(&f->kernels, "relu.scalar");
    assert_string_equal(operator_name(k->op), "relu");
    assert_true(k->dtypes[DTYPE_F32] && k->dtypes[DTYPE_F16] && !k->dtypes[DTYPE_BF16]);
    assert_int_equal(k->arithmetic, DTYPE_F32);
    assert_int_equal(k->tunable_count, 2);
    assert_string_equal(k->tunables[0].name, "WG_X");
    assert_int_equal(k->tunables[0].id, 0);
    assert_int_equal(k->tunables[0].value_count, 6);
    assert_int_equal(k->tunables[0].standard, 256);
    assert_int_equal(k->tunables[1].id, 3);
    assert_int_equal(k->pass_count, 1);
    assert_true(k->passes[0].fold);
    assert_string_equal(k->passes[0].blocks[0].words[0].text, "n");
    assert_int_equal(k->system_count, 3);
    assert_int_equal(k->systems[0].value[0], 64);
    assert_int_equal(k->systems[0].value[1], 1); // left out, so the default
    assert_null(k->nondeterministic);
    assert_true(file_exists(k->passes[0].shader));
}

static void each_variant_is_a_kernel_with_members_of_its_own(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "a.json",
        "{\"common\": {\"operator\": \"relu\", \"summary\": \"\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": "
        "1}]}, \"kernels\": [{\"name\": \"relu.a\", \"shader\": \"k.comp\", \"dtypes\": [\"f32\"], \"includes\": "
        "[\"i\", "
        "\"/j\"], \"defines\": {\"T\": \"float\", \"N\": \"4\"}, \"variants\": [{\"name\": \"plain\"}, {\"name\": "
        "\"half\", "
        "\"dtypes\": [\"f16\"], \"defines\": {\"T\": \"float16_t\"}}]}]}");
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    const struct kernel *plain = kernel_named(&f->kernels, "relu.a_plain"),
                        *half = kernel_named(&f->kernels, "relu.a_half");
    assert_true(plain && half && !kernel_named(&f->kernels, "relu.a"));
    assert_true(plain->dtypes[DTYPE_F32] && !half->dtypes[DTYPE_F32] && half->dtypes[DTYPE_F16]);
    assert_string_equal(define_value(&plain->passes[0], "T"), "float");
    assert_string_equal(define_value(&half->passes[0], "T"), "float16_t");
    assert_string_equal(define_value(&half->passes[0], "N"), "4");
    assert_int_equal(half->passes[0].include_count, 2);
    assert_string_equal(half->passes[0].includes[1], "/j");
    assert_true(plain->manifest_hash != half->manifest_hash);
}

static void devices_have_the_first_default_for_their_subgroups(void **state) {
    struct fixture *f = *state;
    static const char manifest[] =
        "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"k.comp\", "
        "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": {\"values\": "
        "[64, 128], \"default\": 128}, \"ITEMS\": {\"values\": [1, 2, 4], \"default\": 4}}, \"grid\": [{\"over\": "
        "[\"n\"]}], \"defaults\": [{\"subgroup_sizes\": [16, 32], \"shape\": {\"ITEMS\": 2}}, "
        "{\"subgroup_sizes\": [64], \"shape\": {\"WG_X\": 64}}, {\"subgroup_sizes\": [64], \"shape\": {}}]}]}";
    static const struct {
        uint32_t least, most;
        int64_t wg, items;
    } devices[] = {{8, 32, 128, 2}, {16, 32, 128, 2}, {32, 32, 128, 4}, {32, 64, 64, 4}, {64, 64, 64, 4},
        {16, 16, 128, 4}, {4, 8, 128, 4}, {64, 128, 128, 4}, {0, 0, 128, 4}, {1, UINT32_MAX, 128, 4}};
    fixture_write(f, "a.json", manifest);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    const struct kernel *k = kernel_named(&f->kernels, "relu.a");
    assert_int_equal(k->default_count, 3);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct device_info device = fixture_device();
        device.min_subgroup_size = devices[i].least;
        device.max_subgroup_size = devices[i].most;
        const struct shape shape = kernel_default_shape(k, &device);
        assert_int_equal(shape.value[0], devices[i].wg);
        assert_int_equal(shape.value[1], devices[i].items);
    }
    assert_int_equal(kernel_default_shape(k, NULL).value[1], 4);
    char other[sizeof manifest];
    memcpy(other, manifest, sizeof manifest);
    memcpy(strstr(other, "[16, 32]"), "[8,  32]", 8);
    const uint64_t hash = k->manifest_hash;
    fixture_write(f, "a.json", other);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    assert_int_equal(kernel_named(&f->kernels, "relu.a")->defaults[0].least_subgroup, 8);
    assert_true(kernel_named(&f->kernels, "relu.a")->manifest_hash == hash); // the code is the same
}

static void cases_have_the_first_default_for_their_dims(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "a.json",
        "{\"kernels\": [{\"name\": \"softmax.a\", \"operator\": \"softmax\", \"summary\": \"\", \"shader\": "
        "\"k.comp\", "
        "\"dtypes\": [\"f32\", \"f16\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"rows\", \"cols\"], \"tunables\": "
        "{\"WG_X\": {\"values\": [64, 256, 1024], \"default\": 64}, \"ROOM\": {\"values\": [8, 4, 16, 12], "
        "\"default\": "
        "12}}, \"grid\": [{\"over\": [\"rows\"]}], \"defaults\": [{\"subgroup_sizes\": [64], \"shape\": {}}, "
        "{\"dtypes\": [\"f16\"], \"when\": {\"rows\": [null, 7], \"cols\": [16384, null]}, \"shape\": {\"WG_X\": "
        "1024}}, "
        "{\"when\": {\"cols\": [100, 200]}, \"shape\": {\"WG_X\": 256}}, {\"shape\": {\"ROOM\": \"cols\"}}]}]}");
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    const struct kernel *k = kernel_named(&f->kernels, "softmax.a");
    static const struct {
        enum dtype dtype;
        int64_t rows, cols, wg, room;
    } cases[] = {{DTYPE_F16, 7, 16384, 1024, 12}, {DTYPE_F32, 7, 16384, 64, 16}, {DTYPE_F16, 8, 16384, 64, 16},
        {DTYPE_F16, 1, 16383, 64, 16}, {DTYPE_F32, 1, 100, 256, 12}, {DTYPE_F32, 1, 200, 256, 12},
        {DTYPE_F32, 1, 99, 64, 16}, {DTYPE_F32, 1, 3, 64, 4}, {DTYPE_F32, 1, 4, 64, 4}, {DTYPE_F32, 1, 5, 64, 8},
        {DTYPE_F32, 1, 9, 64, 12}, {DTYPE_F32, 1, 13, 64, 16}};
    struct device_info device = fixture_device();
    device.min_subgroup_size = device.max_subgroup_size = 32;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t dims[] = {cases[i].rows, cases[i].cols};
        const struct shape shape = kernel_case_shape(k, &device, cases[i].dtype, dims);
        assert_int_equal(shape.value[0], cases[i].wg);
        assert_int_equal(shape.value[1], cases[i].room);
    }
    assert_int_equal(kernel_default_shape(k, &device).value[1], 12); // no case
    device.min_subgroup_size = device.max_subgroup_size = 64;
    assert_int_equal(kernel_case_shape(k, &device, DTYPE_F32, (int64_t[]){1, 3}).value[1], 12);
}

static void objects_merge_and_the_rest_is_replaced(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *k = kernel_named(&f->kernels, "relu.plain");
    assert_false(k->passes[0].fold);
    assert_false(k->dtypes[DTYPE_F16]);
    assert_int_equal(k->tunable_count, 2); // common's order, the kernel's value
    assert_string_equal(k->tunables[1].name, "ITEMS");
    assert_int_equal(k->tunables[1].id, -1);
    assert_int_equal(k->tunables[1].standard, 2);
    assert_string_equal(define_value(&k->passes[0], "A"), "1");
    assert_string_equal(define_value(&k->passes[0], "B"), "3");
    assert_string_equal(define_value(&k->passes[0], "C"), "4");
}

static void passes_start_from_the_kernel(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *k = kernel_named(&f->kernels, "sum.multipass");
    assert_int_equal(k->pass_count, 2);
    assert_int_equal(k->scratch_count, 1);
    assert_string_equal(k->scratch[0].name, "partial");
    assert_true(k->passes[0].fold);
    assert_false(k->passes[1].fold);
    assert_string_equal(k->passes[0].bindings[1], "partial");
    assert_string_equal(k->passes[1].bindings[0], "partial");
    assert_null(define_value(&k->passes[0], "LAST"));
    assert_string_equal(define_value(&k->passes[1], "LAST"), "");
    assert_string_equal(define_value(&k->passes[1], "A"), "1");
}

static void the_hash_is_of_one_kernel(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    uint64_t relu = kernel_named(&f->kernels, "relu.scalar")->manifest_hash;
    uint64_t matmul = kernel_named(&f->kernels, "matmul.tiled")->manifest_hash;
    char *edited = arena_copy(&f->arena, fixture_manifest);
    memcpy(strstr(edited, "tiles are square"), "tiles are SQUARE", 16);
    fixture_write(f, "fixture.json", edited);
    assert_true(fixture_load(f));
    assert_int_equal(kernel_named(&f->kernels, "relu.scalar")->manifest_hash, relu);
    assert_int_not_equal(kernel_named(&f->kernels, "matmul.tiled")->manifest_hash, matmul);
}

static void a_name_given_twice_names_both_files(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "a.json", fixture_manifest);
    fixture_write(f, "b.json", fixture_manifest);
    assert_false(fixture_load(f));
    assert_int_equal(f->err.status, STATUS_BAD_INPUT);
    assert_says(f->err.text, "a.json");
    assert_says(f->err.text, "b.json");
    assert_says(f->err.text, "\"matmul.tiled\"");
}

static void a_folder_without_manifests(void **state) {
    struct fixture *f = *state;
    assert_false(fixture_load(f));
    assert_int_equal(f->err.status, STATUS_BAD_INPUT);
    assert_says(f->err.text, f->folder);
    const char *folders[] = {"/nonexistent"};
    assert_false(kernels_load(&f->arena, folders, 1, &f->kernels, &f->err));
    assert_says(f->err.text, "/nonexistent");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sorted_and_found_by_name, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(common_is_what_is_left_out, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(each_variant_is_a_kernel_with_members_of_its_own, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            devices_have_the_first_default_for_their_subgroups, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(cases_have_the_first_default_for_their_dims, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(objects_merge_and_the_rest_is_replaced, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(passes_start_from_the_kernel, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_hash_is_of_one_kernel, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_name_given_twice_names_both_files, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_folder_without_manifests, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
