// SPDX-License-Identifier: Apache-2.0
// The entries of suites/claims.json plan each point that its claims name.
#include "../../device/device_info.h"
#include "../../engine/plan/suite.h"
#include "../../readers/claims/claims.h"
#include "../../shader/select_name.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

static bool planned(const struct plan *plan, const char *glob) {
    for (size_t i = 0; i < plan->count; i++)
        if (select_matches(glob, plan->points[i].name)) return true;
    return false;
}

static void assert_planned(const struct plan *plan, const struct claim *claim, const struct quantity *quantity) {
    for (int i = 0; i < quantity->count; i++)
        if (!quantity_number(quantity->points[i], &(double){0}) && !planned(plan, quantity->points[i]))
            fail_msg("%s: no entry of the file gives \"%s\"", claim->id, quantity->points[i]);
}

static struct device_info some_gpu(void) {
    struct device_info device = {.name = "made up",
        .kind = DEVICE_DISCRETE,
        .max_invocations = 1024,
        .max_size = {1024, 1024, 64},
        .max_groups = {65535, 65535, 65535},
        .shared_bytes = 49152,
        .storage_range = UINT32_MAX,
        .push_bytes = 128,
        .largest_allocation = 4ull << 30,
        .subgroup_size = 32,
        .min_subgroup_size = 32,
        .max_subgroup_size = 32,
        .max_subgroups = 32,
        .heap_count = 1};
    device.heaps[0].bytes = 64ull << 30;
    return device;
}

// On a GPU, the file's entries plan all points of its claims and charts; on a CPU those of parts about CPUs.
static void the_repository_s_claims(void **state) {
    (void)state;
    struct arena arena = {0};
    struct error err = {0};
    struct claims claims;
    struct suite suite;
    struct kernels kernels;
    struct plan plan, of_cpu;
    static const char *const folders[] = {"kernels"};
    const struct device_info device = some_gpu();
    struct device_info cpu = device;
    cpu.kind = DEVICE_CPU;
    if (!claims_load(&arena, "suites/claims.json", &claims, &err) ||
        !kernels_load(&arena, folders, 1, &kernels, &err) || !suite_load(&arena, "suites/claims.json", &suite, &err) ||
        !plan_build(&arena, &suite, &kernels, &device, NULL, 0, &plan, &err) ||
        !plan_build(&arena, &suite, &kernels, &cpu, NULL, 0, &of_cpu, &err))
        fail_msg("%s", err.text);
    assert_true(claims.count >= 48);
    for (size_t c = 0; c < claims.count; c++) {
        const struct claim *claim = &claims.items[c];
        for (size_t i = 0; i < claim->part_count; i++) {
            const struct claim_part *part = &claim->parts[i];
            const struct plan *on = part->kind && strcmp(part->kind, "cpu") == 0 ? &of_cpu : &plan;
            assert_planned(on, claim, &part->of);
            assert_planned(on, claim, &part->over);
            assert_planned(on, claim, &part->rival);
        }
        for (int i = 0; i < claim->chart_count; i++)
            for (int s = 0; s < claim->charts[i].series_count; s++)
                assert_planned(&plan, claim, &claim->charts[i].series[s].of);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_repository_s_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
