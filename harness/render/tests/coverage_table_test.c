// SPDX-License-Identifier: Apache-2.0
// The table of operators and results, from two made-up results and the fixture's.
#include "../../../reference/table.h"
#include "../render.h"
#include "../format.h"
#include "../terminal/tally.h"

#include "render_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static char *table_of(const struct kernels *kernels, const struct result *results, size_t count) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    render_coverage(kernels, results, count, out);
    fclose(out);
    return text;
}

static void has(const char *text, const char *fragment) {
    if (!strstr(text, fragment)) fail_msg("\"%s\" is not in:\n%s", fragment, text);
}

static struct kernel made_kernel(const char *name, const char *operator, enum dtype a, enum dtype b) {
    struct kernel kernel = {.name = name, .op = operator_named(operator)};
    assert_non_null(kernel.op);
    kernel.dtypes[a] = kernel.dtypes[b] = true;
    return kernel;
}

static void a_line_for_each_operator(void **state) {
    struct kernel scalar = made_kernel("add.scalar", "add", DTYPE_F32, DTYPE_F16),
                  vec4 = made_kernel("add.vec4", "add", DTYPE_F32, DTYPE_BF16),
                  softmax = made_kernel("softmax.online", "softmax", DTYPE_F32, DTYPE_F32);
    const struct kernel *items[] = {&scalar, &vec4, &softmax};
    struct kernels kernels = {items, 3};
    struct result results[2] = {fixture_result(1), fixture_result(1)};
    snprintf(results[1].device.name, sizeof results[1].device.name, "a|b `c`");
    results[1].count = 0;
    char *text = table_of(&kernels, results, 2);
    (void)state;
    has(text, "| Test \\<GPU\\> 3000 | testdrv 1.2.3 | quick | ");
    has(text, "## elementwise\n\n| operator | named by | kernels | types | error | Test \\<GPU\\> 3000 | "
              "a\\|b \\`c\\` |\n"
              "|---|---|---|---|---|---|---|\n"
              "| add | TL TS CF TF LT | scalar, vec4 | f32 f16 bf16 | 100 % | pass (45) | - |\n");
    has(text, "| softmax | TL TS CF LT | online | f32 | 24 % | **fail** (1 of 30) | - |\n");
    has(text, "| pow | TS CF TF | - | - | - | - | - |\n");
    for (size_t o = 0; operators[o]; o++) {
        char line[80];
        snprintf(line, sizeof line, "\n| %s | ", operators[o]->name);
        has(text, line);
    }
    free(text);
    result_free(&results[0]);
    result_free(&results[1]);
}

static const struct refusal no_float16 = {REFUSAL_FEATURE, .words = {"float16"}};
// Without a refusal: results from before it was kept.
static const struct {
    enum record_status statuses[3];
    const char *reason, *verdict;
    const struct refusal *refusal;
} verdicts[] = {
    {{RECORD_PASS, RECORD_PASS, RECORD_SKIP}, "the device lacks the feature float16", "pass (2)", NULL},
    {{RECORD_PASS, RECORD_FAIL, RECORD_TIMEOUT}, "y[0] is NaN", "**fail** (2 of 3)", NULL},
    {{RECORD_CRASH, RECORD_SKIP, RECORD_SKIP}, "a limit", "**fail** (1 of 1)", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, "the device lacks the feature float16", "skip: no float16", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, "operand x takes 9 bytes; the device allows 8 (maxStorageBufferRange)",
        "skip: memory", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, "1024 invocations; the device allows 256", "skip: a limit", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, "estimated 2 s a dispatch at a tenth of the measured 1 GB/s",
        "skip: too long here", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, NULL, "skip: other", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, "whose words do not count", "skip: no float16", &no_float16},
};

static void verdicts_of_statuses(void **state) {
    (void)state;
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
        struct record records[3];
        for (int i = 0; i < 3; i++)
            records[i] = (struct record){.operator= "add",
                .status = verdicts[v].statuses[i],
                .reason = verdicts[v].reason,
                .refusal = verdicts[v].refusal};
        struct result result = {.records = records, .count = 3};
        struct text text = {0};
        struct tally tally = tally_of(&result, "add"), none = tally_of(&result, "sub");
        put_verdict(&text, &tally);
        assert_string_equal(text_str(&text), verdicts[v].verdict);
        assert_int_equal(holds(&tally), *verdicts[v].verdict == 'p');
        text_free(&text);
        put_verdict(&text, &none);
        assert_string_equal(text_str(&text), "-");
        text_free(&text);
    }
}

// Passing on a device means that points passed and none failed.
static void systems_count_their_operators(void **state) {
    struct kernel add = made_kernel("add.scalar", "add", DTYPE_F32, DTYPE_F32);
    const struct kernel *items[] = {&add};
    struct kernels kernels = {items, 1};
    struct record records[] = {{.operator= "add" },
        {.operator= "matvec" },
            {.operator= "silu" },
                {.operator= "silu", .status = RECORD_FAIL, .reason = "wrong"},
                {.operator= "no_such" } };
    struct result result = {.records = records, .count = 5};
    snprintf(result.device.name, sizeof result.device.name, "dev");
    size_t named[5] = {0}, every = 0;
    for (; operators[every]; every++)
        for (int s = 0; s < 5; s++) named[s] += system_is_among(&backend_systems[s], operators[every]->systems);
    char *text = table_of(&kernels, &result, 1), line[120];
    static const int held[] = {2, 1, 1, 1, 1}; // matvec is torchless's alone
    (void)state;
    has(text, "| system | named | with a kernel | dev |\n|---|---|---|---|\n| torchless (TL) | ");
    for (int s = 0; s < 5; s++) {
        assert_true(named[s] > 10 && named[s] < every);
        snprintf(line, sizeof line, "| %s (%s) | %zu | 1 | %d |\n", backend_systems[s].name, backend_systems[s].letters,
            named[s], held[s]);
        has(text, line);
    }
    snprintf(line, sizeof line, "| every operator | %zu | 1 | 2 |\n", every);
    has(text, line);
    free(text);
}

static void results_of_one_device_are_one_column(void **state) {
    struct kernel add = made_kernel("add.scalar", "add", DTYPE_F32, DTYPE_F32);
    const struct kernel *items[] = {&add};
    struct kernels kernels = {items, 1};
    struct record first[] = {{.operator= "add", .check = {.checked = 9, .bound_ulp = 4, .worst_ratio = 0.25}}};
    struct record second[] = {{.operator= "add", .check = {.checked = 9, .bound_ulp = 4, .worst_ratio = 0.5}},
        {.operator= "silu", .check = {.checked = 9, .bound_ulp = 4, .worst_ratio = 0.004}},
        {.operator= "add", .check = {.checked = 9, .bound_ulp = 4, .worst_ratio = 0.125}}}; // the worst is not the last
    struct result results[] = {{.records = first, .count = 1}, {.records = second, .count = 3}};
    for (int i = 0; i < 2; i++) snprintf(results[i].device.name, sizeof results[i].device.name, "dev");
    char *text = table_of(&kernels, results, 2);
    (void)state;
    has(text, "| operator | named by | kernels | types | error | dev |\n|---|---|---|---|---|---|\n");
    has(text, "| f32 | 50 % | pass (3) |\n");
    has(text, "| 0.40 % | pass (1) |\n");
    free(text);
    results[1].device.driver_info[0] = '2'; // another driver is another column
    text = table_of(&kernels, results, 2);
    has(text, "| f32 | 50 % | pass (1) | pass (2) |\n");
    free(text);
    results[1].device.driver_info[0] = '\0';
    results[1].device.driver_name[0] = 'd';
    text = table_of(&kernels, results, 2);
    has(text, "| f32 | 50 % | pass (1) | pass (2) |\n");
    free(text);
}

static void letters_are_whole_words(void **state) {
    (void)state;
    assert_true(system_is_among(&backend_systems[0], "TS TL"));
    assert_true(system_is_among(&backend_systems[0], "TL"));
    assert_false(system_is_among(&backend_systems[0], "TLX"));
    assert_false(system_is_among(&backend_systems[0], "T L"));
    assert_false(system_is_among(&backend_systems[0], ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_for_each_operator),
        cmocka_unit_test(verdicts_of_statuses),
        cmocka_unit_test(systems_count_their_operators),
        cmocka_unit_test(results_of_one_device_are_one_column),
        cmocka_unit_test(letters_are_whole_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
