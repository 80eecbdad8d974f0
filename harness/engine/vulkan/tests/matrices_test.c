// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices of made-up devices: this file stands in for the loader's function that finds the lists.
#include "../internal.h"
#include "../newer_vulkan.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

enum { F16 = 0, F32 = 1, I8 = 3, U64 = 10, LAST = 10, BF16 = 1000141000, E4M3 = 1000491002, E5M2 = 1000491003 };

static khr_cooperative_matrix_properties khr[8];
static nv_flexible_dimensions_properties flexible[2];
static uint32_t khr_count, flexible_count;
static VkResult result;
static bool has_khr, has_flexible;

static VkResult list_khr(VkPhysicalDevice physical, uint32_t *count, khr_cooperative_matrix_properties *items) {
    (void)physical;
    for (uint32_t i = 0; i < khr_count; i++) assert_true(items[i].sType == KHR_COOPERATIVE_MATRIX_PROPERTIES);
    assert_true(*count >= khr_count);
    *count = khr_count;
    memcpy(items, khr, khr_count * sizeof *khr);
    return result;
}

static VkResult list_flexible(VkPhysicalDevice physical, uint32_t *count, nv_flexible_dimensions_properties *items) {
    (void)physical;
    for (uint32_t i = 0; i < flexible_count; i++) assert_true(items[i].sType == NV_FLEXIBLE_DIMENSIONS_PROPERTIES);
    assert_true(*count >= flexible_count);
    *count = flexible_count;
    memcpy(items, flexible, flexible_count * sizeof *flexible);
    return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *name) {
    (void)instance;
    if (has_khr && strcmp(name, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR") == 0)
        return (PFN_vkVoidFunction)list_khr;
    if (has_flexible && strcmp(name, "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV") == 0)
        return (PFN_vkVoidFunction)list_flexible;
    return NULL;
}

static khr_cooperative_matrix_properties matrix(uint32_t scope, uint32_t type) {
    return (khr_cooperative_matrix_properties){.MSize = 16,
        .NSize = 8,
        .KSize = 4,
        .AType = type,
        .BType = F16,
        .CType = F32,
        .ResultType = I8,
        .saturatingAccumulation = VK_TRUE,
        .scope = scope};
}

static bool read_list(struct device_info *info, struct error *err) {
    *info = (struct device_info){0};
    info->features[FEATURE_COOPERATIVE_MATRIX_KHR] = true;
    info->features[FEATURE_MATRIX2_FLEXIBLE] = has_flexible;
    return cooperative_read(VK_NULL_HANDLE, VK_NULL_HANDLE, info, err);
}

// The numbers of VkScopeKHR: 1 a device, 2 a workgroup, 3 a subgroup, 5 a queue family.
static void each_scope_has_its_name(void **state) {
    static const struct {
        uint32_t number;
        int scope; // -1: it is left out
    } scopes[] = {{0, -1}, {1, SCOPE_DEVICE}, {2, SCOPE_WORKGROUP}, {3, SCOPE_SUBGROUP}, {4, -1},
        {5, SCOPE_QUEUE_FAMILY}, {6, -1}, {20, -1}, {UINT32_MAX, -1}};
    has_khr = true, has_flexible = false, result = VK_SUCCESS;
    for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++) {
        struct device_info info;
        struct error err;
        khr[0] = matrix(scopes[s].number, F16);
        khr_count = 1;
        assert_true(read_list(&info, &err));
        assert_true(info.features[FEATURE_COOPERATIVE_MATRIX]);
        assert_int_equal(info.cooperative_count, scopes[s].scope >= 0);
        if (info.cooperative_count) assert_int_equal(info.cooperative[0].scope, scopes[s].scope);
    }
}

static void each_member_is_in_its_place(void **state) {
    struct device_info info;
    struct error err;
    has_khr = true, has_flexible = false, result = VK_SUCCESS;
    khr[0] = matrix(3, 99); // a type without a name
    khr[1] = matrix(3, BF16);
    khr[2] = matrix(3, LAST);
    khr[3] = matrix(3, LAST + 1);
    khr[4] = matrix(3, E4M3);
    khr[5] = matrix(3, E5M2);
    khr_count = 6;
    assert_true(read_list(&info, &err));
    static const enum component types[] = {COMPONENT_BF16, COMPONENT_U64, COMPONENT_E4M3, COMPONENT_E5M2};
    assert_int_equal(info.cooperative_count, 4);
    for (int i = 0; i < 4; i++) {
        const struct cooperative *c = &info.cooperative[i];
        assert_true(c->m == 16 && c->n == 8 && c->k == 4 && c->saturating && !c->invocations);
        assert_int_equal(c->a, types[i]);
        assert_true(c->b == COMPONENT_F16 && c->c == COMPONENT_F32 && c->result == COMPONENT_I8);
    }
    assert_int_equal(info.flexible_count, 0);
}

static void flexible_sides_are_a_list_of_their_own(void **state) {
    struct device_info info;
    struct error err;
    has_khr = has_flexible = true, result = VK_SUCCESS;
    khr_count = 0;
    flexible_count = 1;
    flexible[0] = (nv_flexible_dimensions_properties){.MGranularity = 32,
        .NGranularity = 16,
        .KGranularity = 8,
        .AType = F16,
        .BType = F32,
        .CType = I8,
        .ResultType = U64,
        .scope = 2,
        .workgroupInvocations = 128};
    assert_true(read_list(&info, &err));
    assert_true(info.cooperative_count == 0 && info.flexible_count == 1);
    const struct cooperative *c = &info.flexible[0];
    assert_true(c->m == 32 && c->n == 16 && c->k == 8 && !c->saturating && c->invocations == 128);
    assert_true(c->a == COMPONENT_F16 && c->b == COMPONENT_F32 && c->c == COMPONENT_I8 && c->result == COMPONENT_U64);
    assert_int_equal(c->scope, SCOPE_WORKGROUP);
}

static void a_list_may_be_missing_or_fail(void **state) {
    struct device_info info;
    struct error err = {0};
    has_khr = false, has_flexible = false, result = VK_SUCCESS;
    assert_true(read_list(&info, &err));
    assert_false(info.features[FEATURE_COOPERATIVE_MATRIX] || info.features[FEATURE_COOPERATIVE_MATRIX_KHR]);
    has_khr = true, result = VK_ERROR_OUT_OF_HOST_MEMORY;
    khr_count = 0;
    assert_false(read_list(&info, &err));
    assert_non_null(strstr(err.text, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scope_has_its_name),
        cmocka_unit_test(each_member_is_in_its_place),
        cmocka_unit_test(flexible_sides_are_a_list_of_their_own),
        cmocka_unit_test(a_list_may_be_missing_or_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
