// SPDX-License-Identifier: Apache-2.0
#include "../controls.h"
#include "../../../../reference/tests/unit.h"

enum { DENORMS = 4459, SPECIALS = 4461, RTE = 4462, LOCAL_SIZE = 17 };
#define MODE(mode, bits) 4u << 16 | 16, 1, mode, bits
#define LOCAL 6u << 16 | 16, 1, LOCAL_SIZE, 1, 1, 1
#define FLOAT(id, bits) 3u << 16 | 22, id, bits
#define HEADER 0x07230203, 0x10300, 0, 9, 0
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void a_module_declares_by_width(void **state) {
    const uint32_t words[] = {HEADER, MODE(RTE, 32), LOCAL, MODE(SPECIALS, 16), FLOAT(2, 32)};
    struct policy f32 = controls_declared(words, COUNT(words), 32), f16 = controls_declared(words, COUNT(words), 16);
    assert_true(f32.rte && !f32.specials && !f32.denorms);
    assert_true(!f16.rte && f16.specials && !f16.denorms);
}

#define BFLOAT(id) 4u << 16 | 22, id, 16, 0
#define EXTENDED(number) 6u << 16 | 12, 1, 4, 3, number, 5

static void a_module_that_rounds_by_integers_has_no_other_way(void **state) {
    const uint32_t plain[] = {HEADER, LOCAL, FLOAT(2, 32)}, half[] = {HEADER, LOCAL, FLOAT(2, 32), FLOAT(3, 16)};
    const uint32_t packing[] = {HEADER, LOCAL, FLOAT(2, 32), EXTENDED(58)}; // PackHalf2x16
    const uint32_t quantizing[] = {HEADER, LOCAL, FLOAT(2, 32), 4u << 16 | 116, 2, 6, 5};
    const uint32_t other[] = {HEADER, LOCAL, FLOAT(2, 32), EXTENDED(31)}, bfloat[] = {HEADER, FLOAT(2, 32), BFLOAT(3)};
    assert_true(controls_narrows(plain, COUNT(plain), DTYPE_F16) && controls_narrows(plain, COUNT(plain), DTYPE_BF16));
    assert_false(controls_narrows(plain, COUNT(plain), DTYPE_F32));
    assert_false(controls_narrows(half, COUNT(half), DTYPE_F16));
    assert_true(controls_narrows(half, COUNT(half), DTYPE_BF16));
    assert_false(controls_narrows(packing, COUNT(packing), DTYPE_F16));
    assert_true(controls_narrows(packing, COUNT(packing), DTYPE_BF16));
    assert_false(controls_narrows(quantizing, COUNT(quantizing), DTYPE_F16));
    assert_true(controls_narrows(other, COUNT(other), DTYPE_F16));
    assert_false(controls_narrows(bfloat, COUNT(bfloat), DTYPE_BF16));
}

static void sixteen_bits_get_what_the_device_has_and_nothing_twice(void **state) {
    uint32_t words[] = {HEADER, LOCAL, MODE(RTE, 32), MODE(SPECIALS, 32), MODE(SPECIALS, 16), MODE(DENORMS, 32),
        FLOAT(2, 32), FLOAT(3, 16)};
    const uint32_t wanted[] = {HEADER, LOCAL, MODE(RTE, 32), MODE(RTE, 16), MODE(SPECIALS, 32), MODE(SPECIALS, 16),
        MODE(DENORMS, 32), FLOAT(2, 32), FLOAT(3, 16)};
    const bool features[FEATURE_COUNT] = {[FEATURE_RTE_F16] = true, [FEATURE_SPECIALS_F16] = true};
    struct arena arena = {0};
    struct spirv spirv = {.words = words, .count = COUNT(words)};
    controls_widen(&arena, features, &spirv);
    assert_int_equal(spirv.count, COUNT(wanted));
    assert_memory_equal(spirv.words, wanted, sizeof wanted);
    arena_free(&arena);
}

static void a_module_without_sixteen_bits_stays(void **state) {
    uint32_t words[] = {HEADER, MODE(RTE, 32), FLOAT(2, 32)};
    const bool features[FEATURE_COUNT] = {[FEATURE_RTE_F16] = true};
    struct arena arena = {0};
    struct spirv spirv = {.words = words, .count = COUNT(words)};
    controls_widen(&arena, features, &spirv);
    assert_ptr_equal(spirv.words, words);
    assert_int_equal(spirv.count, COUNT(words));
    arena_free(&arena);
}

static void a_damaged_module_declares_nothing_beyond_the_damage(void **state) {
    const uint32_t words[] = {HEADER, MODE(RTE, 32), 9u << 16 | 16, 1, RTE, 16};
    assert_true(controls_declared(words, COUNT(words), 32).rte);
    assert_false(controls_declared(words, COUNT(words), 16).rte);
    assert_false(controls_declared(words, 3, 32).rte);
}

// Each control of each width stays exactly if the device has its feature. Other modes stay.
static void controls_that_are_lacking_are_removed(void **state) {
    static const struct {
        uint32_t mode, bits;
        enum feature feature; // FEATURE_COUNT: none is needed
    } controls[] = {{RTE, 32, FEATURE_RTE_F32}, {RTE, 16, FEATURE_RTE_F16}, {SPECIALS, 32, FEATURE_SPECIALS_F32},
        {SPECIALS, 16, FEATURE_SPECIALS_F16}, {DENORMS, 32, FEATURE_DENORMS_F32}, {DENORMS, 16, FEATURE_DENORMS_F16},
        {RTE, 64, FEATURE_COUNT}, {LOCAL_SIZE, 16, FEATURE_COUNT}};
    struct arena arena = {0};
    for (size_t c = 0; c < COUNT(controls); c++)
        for (int f = 0; f <= FEATURE_COUNT; f++) {
            uint32_t words[] = {HEADER, LOCAL, MODE(controls[c].mode, controls[c].bits), FLOAT(2, 32), FLOAT(3, 16)};
            const uint32_t without[] = {HEADER, LOCAL, FLOAT(2, 32), FLOAT(3, 16)};
            bool features[FEATURE_COUNT + 1];
            for (int i = 0; i <= FEATURE_COUNT; i++) features[i] = i != f;
            struct spirv spirv = {.words = words, .count = COUNT(words)};
            controls_fit(&arena, features, &spirv);
            const bool stays = f == FEATURE_COUNT || f != (int)controls[c].feature;
            if (spirv.count != (stays ? COUNT(words) : COUNT(without))) fail_msg("control %zu, feature %d", c, f);
            assert_memory_equal(spirv.words, stays ? words : without, spirv.count * sizeof *words);
        }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module_declares_by_width),
        cmocka_unit_test(a_module_that_rounds_by_integers_has_no_other_way),
        cmocka_unit_test(sixteen_bits_get_what_the_device_has_and_nothing_twice),
        cmocka_unit_test(a_module_without_sixteen_bits_stays),
        cmocka_unit_test(controls_that_are_lacking_are_removed),
        cmocka_unit_test(a_damaged_module_declares_nothing_beyond_the_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
