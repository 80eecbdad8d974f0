// SPDX-License-Identifier: Apache-2.0
// Words of a selection against the name of one point: by kernel, operator, family and leading parts.
#include "../suite.h"

#include "../../../../reference/tests/unit.h"

static const char point[] = "relu.scalar/f32/n=5/wg=64x1x1";

static void words_match_leading_parts(void **state) {
    static const struct {
        const char *word;
        bool matches;
    } rows[] = {{"relu.scalar", true}, {"relu.scalar/f32", true}, {"relu.scalar/f32/n=5", true}, {point, true},
        {"relu.*", true}, {"relu.?calar", true}, {"relu.*/*/n=5", true}, {"*", true}, {"relu", true},
        {"relu/f32", true}, {"relu/f32/n=5", true}, {"activation", true}, {"activation/f32", true},
        {"relu.scal", false}, {"relu.scalar/f16", false}, {"relu.scalar/f32/n=", false}, {"relu.vec?", false},
        {"rel", false}, {"relu/f16", false}, {"scalar", false}, {"matmul", false}, {"activation/f16", false},
        {"activatio", false}, {"activation.scalar", false}, {"relu.scalar/f32/n=5/wg=64x1x1/more", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (select_matches(rows[i].word, point) != rows[i].matches) fail_msg("%s", rows[i].word);
}

static void peaks_are_asked_for_by_name(void **state) {
    static const char *const words[] = {"matmul", "relu"};
    assert_true(select_asks(NULL, 0, point, NULL));
    assert_false(select_asks(NULL, 0, point, "copy_bytes_per_s"));
    assert_false(select_asks(words, 1, point, "copy_bytes_per_s"));
    assert_true(select_asks(words, 2, point, "copy_bytes_per_s"));
    assert_true(select_asks(words, 1, point, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_match_leading_parts),
        cmocka_unit_test(peaks_are_asked_for_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
