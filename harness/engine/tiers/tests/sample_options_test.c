// SPDX-License-Identifier: Apache-2.0
// The options of the repository's kernels in the sampled tier, on a made-up CPU. Runs from the top of the repository.
#include "../../../../reference/table.h"
#include "../../plan/suite.h"
#include "../sampled_tier.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"
#include "../../../../reference/operator.h"

static struct plan sampled(struct fixture *f, const char *kernel) {
    const char *folders[] = {"kernels"};
    struct device_info device = fixture_device();
    struct suite smoke;
    struct sample_counts counts;
    struct plan plan;
    device.kind = DEVICE_CPU;
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err) ||
        !suite_load(&f->arena, "suites/smoke.json", &smoke, &f->err))
        fail_msg("%s", f->err.text);
    struct sample_request request = {
        .suite = &smoke, .kernels = &f->kernels, .device = &device, .seed = 1, .select = &kernel, .select_count = 1};
    sample_standard(&device, &request);
    request.deepen = false;
    if (!sample_plan(&f->arena, &request, &plan, &counts, &f->err)) fail_msg("%s", f->err.text);
    return plan;
}

static bool meets(const struct plan *plan, int a, int64_t of_a, int b, int64_t of_b) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].dims[a] == of_a && plan->points[i].dims[b] == of_b) return true;
    return false;
}

// Counts the pairs of values of two options without a point.
static int missing(const struct plan *plan, const struct op *op) {
    int count = 0;
    for (const struct option *a = op->options; a->dim; a++)
        for (const struct option *b = a + 1; b < op->options + OPERATOR_OPTIONS && b->dim; b++)
            for (int i = 0; i < a->count; i++)
                for (int j = 0; j < b->count; j++)
                    count += !meets(plan, operator_dim_index(op, a->dim), a->values[i], operator_dim_index(op, b->dim),
                        b->values[j]);
    return count;
}

// An axis can be at one place only, so each of the six pairs of places has four impossible pairs of axes.
static void permutations_meet_all_pairs_of_places(void **state) {
    struct fixture *f = *state;
    struct plan plan = sampled(f, "permute.gather/f32");
    assert_true(plan.count > 12 && plan.count < 60);
    assert_int_equal(missing(&plan, plan.points[0].kernel->op), 6 * 4);
}

static void windows_and_broadcasts_meet_all_pairs(void **state) {
    struct fixture *f = *state;
    static const char *const kernels[] = {
        "conv2d.direct/f32", "im2col.columns/f32", "broadcast_add.rows/f32", "pad.rows/f32"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct plan plan = sampled(f, kernels[i]);
        int left = missing(&plan, plan.points[0].kernel->op);
        if (left) print_error("%s lacks %d pairs\n", kernels[i], left);
        assert_true(plan.count < 100);
        assert_int_equal(left, 0);
    }
}

static void options_name_dims(void **state) {
    int with = 0;
    for (int i = 0; operators[i]; i++)
        for (const struct option *o = operators[i]->options; o < operators[i]->options + OPERATOR_OPTIONS && o->dim;
             o++) {
            const int dim = operator_dim_index(operators[i], o->dim);
            assert_true(dim >= 0 && dim < operator_dims(operators[i]) && o->count >= 2);
            with++;
        }
    assert_true(with > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(permutations_meet_all_pairs_of_places, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(windows_and_broadcasts_meet_all_pairs, fixture_open, fixture_close),
        cmocka_unit_test(options_name_dims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
