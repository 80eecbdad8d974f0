// SPDX-License-Identifier: Apache-2.0
// Tests the coverage table with two made-up results and the fixture's.
#include "../../../reference/table.h"
#include "../render/render.h"
#include "../render/format.h"
#include "../terminal/tally.h"

#include "render_fixture.h"
#include "../../record/refusal.h"
#include "../../../reference/operator.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "expect.h"

#include <stdlib.h>

static char *table_of(const struct kernels *kernels, const struct result *results, size_t count) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    render_coverage(kernels, results, count, out);
    fclose(out);
    return text;
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
    struct kernels kernels = {.items = items, .count = 3};
    struct result results[2] = {fixture_result(1), fixture_result(1)};
    snprintf(results[1].device->name, sizeof results[1].device->name, "a|b `c`");
    results[1].count = 0;
    char *text = table_of(&kernels, results, 2);
    has(text, "| Test \\<GPU\\> 3000 | testdrv 1.2.3 | quick | ");
    has(text, "## elementwise\n\n| operator | type | named by | kernels | error | beside others | "
              "Test \\<GPU\\> 3000 | a\\|b \\`c\\` |\n"
              "|---|---|---|---|---|---|---|---|\n"
              "| add | f32 | TL TS CF TF LT | scalar, vec4 | 100 % | as good | pass (30), skip (6): other | - |\n"
              "| add | f16 | TL TS CF TF LT | scalar (nowhere) | 100 % | - | pass (15), skip (3): other | - |\n"
              "| add | bf16 | TL TS CF TF LT | vec4 (nowhere) | - | - | - | - |\n");
    has(text, "| softmax | f32 | TL TS CF LT | online | 24 % | as good | **fail** (1 of 30), skip (6): other | - |\n");
    has(text, "| pow | - | TS CF TF | - | - | - | - | - |\n");
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
// A skip without a refusal is of another kind.
static const struct {
    enum record_status statuses[3];
    const char *reason, *verdict;
    const struct refusal *refusal;
} verdicts[] = {
    {{RECORD_PASS, RECORD_PASS, RECORD_SKIP}, "why", "pass (2), skip (1): no float16", &no_float16},
    {{RECORD_PASS, RECORD_FAIL, RECORD_TIMEOUT}, "y[0] is NaN", "**fail** (2 of 3)", NULL},
    {{RECORD_CRASH, RECORD_SKIP, RECORD_SKIP}, "a limit", "**fail** (1 of 1), skip (2): other", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, NULL, "skip (3): other", NULL},
    {{RECORD_SKIP, RECORD_SKIP, RECORD_SKIP}, "whose words do not count", "skip (3): no float16", &no_float16},
};

static void verdicts_of_statuses(void **state) {
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
        struct record records[3];
        for (int i = 0; i < 3; i++)
            records[i] = (struct record){
                .status = verdicts[v].statuses[i], .reason = verdicts[v].reason, .refusal = verdicts[v].refusal};
        struct text text = {0};
        struct point_tally tally = {0}, none = {0};
        for (int i = 0; i < 3; i++) tally_count(&tally, &records[i]);
        put_verdict(&text, &tally);
        assert_string_equal(text_str(&text), verdicts[v].verdict);
        assert_int_equal(holds(&tally), *verdicts[v].verdict == 'p');
        text_free(&text);
        put_verdict(&text, &none);
        assert_string_equal(text_str(&text), "-");
        text_free(&text);
    }
}

// Makes a point of the operator's kernel with this name. Its error is `ulp`, its bound 4.
static struct record point(const char *name, const char *dtype, enum record_status status, double ulp) {
    struct record r = {.name = name, .dtype = dtype, .status = status, .reason = status ? "a limit" : NULL};
    char *operator= strndup(name, strcspn(name, "./")), *kernel = strndup(name, strcspn(name, "/"));
    r.operator= operator;
    r.kernel = kernel;
    r.case_length = (size_t)(strstr(name, "/wg=") - name);
    if (status == RECORD_PASS)
        r.check.checked = 9, r.check.max_ulp = ulp, r.check.bound_ulp = 4, r.check.worst_ratio = ulp / 4;
    return r;
}

static void free_points(struct record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free((char *)(uintptr_t)records[i].operator);
        free((char *)(uintptr_t)records[i].kernel);
    }
}

static void is_said(const struct kernels *kernels, struct result *results, size_t count, const char *const *lines) {
    for (size_t i = 0; i < count; i++)
        if (!*results[i].device->name) snprintf(results[i].device->name, sizeof results[i].device->name, "dev");
    char *text = table_of(kernels, results, count);
    for (size_t i = 0; lines[i]; i++) has(text, lines[i]);
    free(text);
}

// An operator holds on a device if points passed and none failed. "In some type" and "in every type" are separate
// counts.
static void systems_count_their_operators(void **state) {
    struct kernel add = made_kernel("add.scalar", "add", DTYPE_F32, DTYPE_F16);
    const struct kernel *items[] = {&add};
    struct kernels kernels = {.items = items, .count = 1};
    struct record records[] = {point("add.scalar/f32/n=1/wg=1", "f32", RECORD_PASS, 1),
        point("add.scalar/f16/n=1/wg=1", "f16", RECORD_SKIP, 1), point("matvec.a/f32/n=1/wg=1", "f32", RECORD_PASS, 1),
        point("silu.a/f32/n=1/wg=1", "f32", RECORD_PASS, 1), point("silu.a/f32/n=2/wg=1", "f32", RECORD_FAIL, 1),
        point("no_such.a/f32/n=1/wg=1", "f32", RECORD_PASS, 1)};
    struct result result = {.records = records, .count = 6, .device = &(struct device_info){0}};
    size_t named[5] = {0}, every = 0;
    for (; operators[every]; every++)
        for (int s = 0; s < 5; s++) named[s] += system_is_among(&backend_systems[s], operators[every]->systems);
    char line[120];
    static const char *const held[] = {"2 / 1", "1 / 0", "1 / 0", "1 / 0", "1 / 0"}; // only torchless names matvec
    for (int s = 0; s < 5; s++) {
        assert_true(named[s] > 10 && named[s] < every);
        snprintf(line, sizeof line, "| %s (%s) | %zu | 1 | %s |\n", backend_systems[s].name, backend_systems[s].letters,
            named[s], held[s]);
        is_said(&kernels, &result, 1, (const char *const[]){line, NULL});
    }
    snprintf(line, sizeof line, "| every operator | %zu | 1 | 2 / 1 |\n", every);
    is_said(&kernels, &result, 1,
        (const char *const[]){"| system | named | with a kernel | dev |\n|---|---|---|---|\n| torchless (TL) | ", line,
            "\nOn every device here, 1 of 1 operators with an f32 kernel pass in f32, and 0 of 1 pairs of an operator "
            "and another type pass. On no device, 1 of 2 pairs of a kernel and a type passed.\n",
            NULL});
    free_points(records, 6);
}

// Results of one device share a column. A row has the worst error of all results.
static void results_of_one_device_are_one_column(void **state) {
    struct kernel add = made_kernel("add.scalar", "add", DTYPE_F32, DTYPE_F16);
    const struct kernel *items[] = {&add};
    struct kernels kernels = {.items = items, .count = 1};
    struct record first[] = {point("add.scalar/f32/n=1/wg=1", "f32", RECORD_PASS, 1),
        point("add.scalar/f16/n=1/wg=1", "f16", RECORD_PASS, 4)};
    struct record second[] = {point("add.scalar/f32/n=2/wg=1", "f32", RECORD_PASS, 2),
        point("add.scalar/f32/n=3/wg=1", "f32", RECORD_PASS, 0.5),
        point("silu.a/f32/n=1/wg=1", "f32", RECORD_PASS, 0.016)};
    struct result results[] = {{.records = first, .count = 2, .device = &(struct device_info){0}},
        {.records = second, .count = 3, .device = &(struct device_info){0}}};
    is_said(&kernels, results, 2,
        (const char *const[]){"| operator | type | named by | kernels | error | beside others | dev |\n",
            "| add | f32 | TL TS CF TF LT | scalar | 50 % | - | pass (3) |\n",
            "| add | f16 | TL TS CF TF LT | scalar | 100 % | - | pass (1) |\n", "| 0.40 % | - | pass (1) |\n", NULL});
    for (int i = 0; i < 2; i++) { // another driver, or driver version, is another column
        results[1].device->driver_info[0] = i ? '2' : '\0';
        results[1].device->driver_name[0] = i ? '\0' : '2';
        is_said(&kernels, results, 2,
            (const char *const[]){"| scalar | 50 % | - | pass (1) | pass (2) |\n",
                "| scalar | 100 % | - | pass (1) | - |\n", "0 of 1 pairs of an operator and another type pass.", NULL});
    }
    free_points(first, 2);
    free_points(second, 3);
}

// A kernel in one type is not covered by another kernel of the operator, nor by its own other types.
static void a_kernel_that_passed_nowhere_is_named(void **state) {
    struct kernel scalar = made_kernel("add.scalar", "add", DTYPE_F32, DTYPE_F16),
                  coop = made_kernel("add.coop", "add", DTYPE_F32, DTYPE_F16);
    const struct kernel *items[] = {&coop, &scalar};
    struct kernels kernels = {.items = items, .count = 2};
    struct record one[] = {point("add.scalar/f32/n=1/wg=1", "f32", RECORD_PASS, 1),
        point("add.coop/f32/n=1/wg=1", "f32", RECORD_PASS, 1), point("add.scalar/f16/n=1/wg=1", "f16", RECORD_PASS, 1),
        point("add.coop/f16/n=1/wg=1", "f16", RECORD_SKIP, 1)};
    struct record other[] = {point("add.coop/f16/n=1/wg=1", "f16", RECORD_SKIP, 1)};
    struct result results[] = {{.records = one, .count = 4, .device = &(struct device_info){0}},
        {.records = other, .count = 1, .device = &(struct device_info){0}}};
    snprintf(results[1].device->name, sizeof results[1].device->name, "second");
    is_said(&kernels, results, 2,
        (const char *const[]){"| f32 | TL TS CF TF LT | coop, scalar | 25 % | as good | pass (2) | - |\n",
            "| f16 | TL TS CF TF LT | coop (nowhere), scalar | 25 % | - | pass (1), skip (1): other | skip (1): other "
            "|",
            "\n## Kernels that passed nowhere\n\n| kernel | type | on all devices |\n|---|---|---|\n"
            "| add.coop | f16 | skip (2): other |\n\n",
            "On no device, 1 of 4 pairs of a kernel and a type passed.", NULL});
    free_points(one, 4);
    free_points(other, 1);
}

// Kernels are compared at one size of one result, by the worst shape of each, from half an ULP on.
static void kernels_stand_beside_others(void **state) {
    struct kernel a = made_kernel("exp.a", "exp", DTYPE_F32, DTYPE_F32),
                  b = made_kernel("exp.b", "exp", DTYPE_F32, DTYPE_F32);
    const struct kernel *items[] = {&a, &b};
    struct kernels kernels = {.items = items, .count = 2};
    static const struct {
        struct {
            const char *name;
            double ulp;
            int result;
        } points[4];
        const char *said;
    } cases[] = {
        {{{"exp.a/f32/n=1/wg=1", 3, 0}, {"exp.b/f32/n=1/wg=1", 0.75, 0}}, "a 4x"},
        {{{"exp.b/f32/n=1/wg=1", 3, 0}, {"exp.a/f32/n=1/wg=1", 0.75, 0}}, "b 4x"},
        {{{"exp.a/f32/n=1/wg=1", 3, 0}, {"exp.a/f32/n=1/wg=2", 1, 0}, {"exp.b/f32/n=1/wg=1", 1, 0}}, "a 3x"},
        {{{"exp.a/f32/n=1/wg=1", 3, 0}, {"exp.b/f32/n=1/wg=1", 0.01, 0}}, "a 6x"},
        {{{"exp.a/f32/n=1/wg=1", 0.4, 0}, {"exp.b/f32/n=1/wg=1", 0.01, 0}}, "as good"},
        {{{"exp.a/f32/n=1/wg=1", 3, 0}, {"exp.b/f32/n=1/wg=1", 1, 0}, {"exp.a/f32/n=2/wg=1", 1, 0},
             {"exp.b/f32/n=2/wg=1", 1, 0}},
            "a 3x"},
        {{{"exp.a/f32/n=1/wg=1", 3, 0}, {"exp.b/f32/n=2/wg=1", 1, 0}}, "-"},
        {{{"exp.a/f32/n=1/wg=1", 3, 0}, {"exp.b/f32/n=1/wg=1", 1, 1}}, "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record records[2][4];
        struct result results[2] = {{.records = records[0], .device = &(struct device_info){0}},
            {.records = records[1], .device = &(struct device_info){0}}};
        char line[60];
        for (int k = 0; k < 4 && cases[i].points[k].name; k++) {
            struct result *to = &results[cases[i].points[k].result];
            to->records[to->count++] = point(cases[i].points[k].name, "f32", RECORD_PASS, cases[i].points[k].ulp);
        }
        snprintf(line, sizeof line, " %% | %s | pass (", cases[i].said);
        is_said(&kernels, results, 2, (const char *const[]){line, NULL});
        for (int k = 0; k < 2; k++) free_points(results[k].records, results[k].count);
    }
}

static void letters_are_whole_words(void **state) {
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
        cmocka_unit_test(a_kernel_that_passed_nowhere_is_named),
        cmocka_unit_test(kernels_stand_beside_others),
        cmocka_unit_test(letters_are_whole_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
