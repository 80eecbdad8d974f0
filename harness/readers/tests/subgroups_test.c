// SPDX-License-Identifier: Apache-2.0
// The line about the only width of subgroups that kernels met.
#include "../render/outcomes.h"

#include "../../base/arena.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../../reference/tests/unit.h"

static void one_width_is_named_and_several_are_not(void **state) {
    (void)state;
    struct arena arena = {0};
    struct record records[3] = {{.status = RECORD_PASS}, {.status = RECORD_PASS}, {.status = RECORD_FAIL}};
    const struct result result = {.records = records, .count = 3};
    assert_null(subgroups_line(&result, &arena));
    records[0].check.subgroup_width = 8;
    records[2].check.subgroup_width = 16; // it failed
    assert_string_equal(subgroups_line(&result, &arena), "subgroup operations met only width 8 (1 point)");
    records[1].check.subgroup_width = 16;
    assert_null(subgroups_line(&result, &arena));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_width_is_named_and_several_are_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
