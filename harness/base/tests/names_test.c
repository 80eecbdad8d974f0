// SPDX-License-Identifier: Apache-2.0
#include "../names.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 20000 };

static void every_name_keeps_its_first_number(void **state) {
    static char texts[MANY][16];
    struct names names = {0};
    assert_true(names_get(&names, "0", 1) == NAMES_NONE);
    for (size_t i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "%zu", i);
        assert_int_equal(names_put(&names, texts[i], strlen(texts[i]), i), i);
        assert_int_equal(names_put(&names, texts[i / 2], strlen(texts[i / 2]), MANY), i / 2);
    }
    assert_int_equal(names.count, MANY);
    for (size_t i = 0; i < MANY; i++) assert_int_equal(names_get(&names, texts[i], strlen(texts[i])), i);
    assert_true(names_get(&names, "20000", 5) == NAMES_NONE);
    names_free(&names);
    assert_int_equal(names.count, 0);
}

static void a_name_is_as_long_as_it_is_said_to_be(void **state) {
    struct names names = {0};
    assert_int_equal(names_put(&names, "softmax/wg=1", 7, 3), 3);
    assert_int_equal(names_get(&names, "softmax", 7), 3);
    assert_true(names_get(&names, "softmax/wg=1", 12) == NAMES_NONE);
    assert_int_equal(names_put(&names, "a\0b", 3, 4), 4); // any bytes
    assert_true(names_get(&names, "a\0c", 3) == NAMES_NONE);
    assert_int_equal(names_get(&names, "a\0b", 3), 4);
    names_free(&names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_keeps_its_first_number),
        cmocka_unit_test(a_name_is_as_long_as_it_is_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
