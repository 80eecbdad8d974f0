// SPDX-License-Identifier: Apache-2.0
// Properties of made-up devices: this file stands in for the loader's functions that read them.
#include "../internal.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

enum {
    BASIC = VK_SUBGROUP_FEATURE_BASIC_BIT,
    ARITHMETIC = VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT,
    SHUFFLE = VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT,
    ALL = BASIC | ARITHMETIC | SHUFFLE,
    COMPUTE = VK_SHADER_STAGE_COMPUTE_BIT,
    VERTEX = VK_SHADER_STAGE_VERTEX_BIT
};

static VkPhysicalDeviceSubgroupProperties subgroup;
static VkPhysicalDeviceSubgroupSizeControlProperties control;
static VkPhysicalDeviceFloatControlsProperties floats;
static VkPhysicalDeviceProperties core;
static VkPhysicalDeviceIDProperties ids;
static VkPhysicalDeviceDriverProperties driver;
static VkPhysicalDevicePCIBusInfoPropertiesEXT pci;

// Copies a structure without its type and its link.
#define ANSWER(FROM)                                                                                                   \
    memcpy((char *)at + sizeof *at, (const char *)&(FROM) + sizeof *at, sizeof(FROM) - sizeof *at);                    \
    break

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties) {
    (void)device;
    properties->properties = core;
    for (VkBaseOutStructure *at = properties->pNext; at; at = at->pNext) switch (at->sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES:
            ANSWER(subgroup);
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES:
            ANSWER(control);
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES:
            ANSWER(floats);
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES:
            ANSWER(ids);
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES:
            ANSWER(driver);
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT:
            ANSWER(pci);
        default:
            break;
        }
}

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory) {
    (void)device;
    *memory = (VkPhysicalDeviceMemoryProperties){.memoryHeapCount = 2,
        .memoryHeaps = {{.size = 1 << 20}, {.size = UINT64_MAX, .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}};
}

// Reads the properties of a device of this version, after its features.
static struct device_info read_properties(uint32_t version, const struct device_info *before) {
    const struct extensions extensions = {.api_version = version};
    struct device_info info = *before;
    properties_read(VK_NULL_HANDLE, &extensions, &info);
    return info;
}

// A size can be required only with the feature, in compute. Otherwise the reported range remains, if there is one.
static void sizes_of_subgroups_are_a_range_or_one(void **state) {
    static const struct {
        uint32_t size, low, high, most, stages; // as reported
        bool feature;
        uint32_t min, max, subgroups; // as read
        bool required;
    } rows[] = {
        {32, 8, 64, 16, COMPUTE, true, 8, 64, 16, true},          // Intel: the size varies and can be required
        {32, 8, 64, 16, COMPUTE, false, 8, 64, 0, false},         // the size varies, and cannot be required
        {32, 8, 64, 16, VERTEX, true, 8, 64, 0, false},           // only in other stages
        {32, 8, 64, 16, COMPUTE | VERTEX, true, 8, 64, 16, true}, // in these, too
        {32, 32, 32, 16, 0, true, 32, 32, 0, false},              // one size
        {32, 32, 32, 16, COMPUTE, true, 32, 32, 16, true},        // one size, and the control
        {32, 0, 0, 0, 0, false, 32, 32, 0, false},                // nothing is reported
        {32, 64, 8, 0, 0, true, 32, 32, 0, false},                // nonsense is reported
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device_info before = {0};
        before.features[FEATURE_SUBGROUP_SIZE] = rows[i].feature;
        subgroup = (VkPhysicalDeviceSubgroupProperties){.subgroupSize = rows[i].size, .supportedStages = COMPUTE};
        control = (VkPhysicalDeviceSubgroupSizeControlProperties){.minSubgroupSize = rows[i].low,
            .maxSubgroupSize = rows[i].high,
            .maxComputeWorkgroupSubgroups = rows[i].most,
            .requiredSubgroupSizeStages = rows[i].stages};
        const struct device_info info = read_properties(VK_API_VERSION_1_3, &before);
        if (info.min_subgroup_size != rows[i].min || info.max_subgroup_size != rows[i].max)
            fail_msg("row %zu: %u to %u", i, info.min_subgroup_size, info.max_subgroup_size);
        assert_int_equal(info.subgroup_size, rows[i].size);
        assert_int_equal(info.max_subgroups, rows[i].subgroups);
        assert_int_equal(info.features[FEATURE_SUBGROUP_SIZE], rows[i].required);
    }
    // Before Vulkan 1.3 the structure belongs to an extension, which this device lacks.
    struct device_info before = {0};
    before.features[FEATURE_SUBGROUP_SIZE] = true;
    control = (VkPhysicalDeviceSubgroupSizeControlProperties){
        .minSubgroupSize = 8, .maxSubgroupSize = 64, .requiredSubgroupSizeStages = COMPUTE};
    const struct device_info old = read_properties(VK_API_VERSION_1_2, &before);
    assert_true(old.min_subgroup_size == 32 && old.max_subgroup_size == 32 && !old.features[FEATURE_SUBGROUP_SIZE]);
}

static void operations_of_subgroups_count_in_compute_and_whole(void **state) {
    static const struct {
        uint32_t stages, operations;
        bool basic, arithmetic, shuffle;
    } rows[] = {
        {COMPUTE, ALL, true, true, true},
        {COMPUTE | VERTEX, ALL, true, true, true},
        {VERTEX, ALL, false, false, false},
        {COMPUTE, BASIC, true, false, false},
        {COMPUTE, ARITHMETIC, false, true, false},
        {COMPUTE, SHUFFLE, false, false, true},
        {COMPUTE, BASIC | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT, true, false, false},
        {COMPUTE, BASIC | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, true, false,
            false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        subgroup = (VkPhysicalDeviceSubgroupProperties){
            .supportedStages = rows[i].stages, .supportedOperations = rows[i].operations};
        const struct device_info info = read_properties(VK_API_VERSION_1_3, &(struct device_info){0});
        assert_int_equal(info.features[FEATURE_SUBGROUP_BASIC], rows[i].basic);
        assert_int_equal(info.features[FEATURE_SUBGROUP_ARITHMETIC], rows[i].arithmetic);
        assert_int_equal(info.features[FEATURE_SUBGROUP_SHUFFLE], rows[i].shuffle);
    }
}

// A behaviour of one width is not used if a shader with both widths cannot declare it for that width only.
static void float_controls_agree_between_widths(void **state) {
    enum { NONE = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE, ANY = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL };
    static const struct {
        bool f16;          // the device has 16-bit numbers
        int independence;  // of roundings and of subnormals
        bool wide, narrow; // reported for f32 and f16
        bool wide_used, narrow_used;
    } rows[] = {
        {true, ANY, true, true, true, true},
        {true, ANY, true, false, true, false},
        {true, ANY, false, true, false, true},
        {true, NONE, true, true, true, true},
        {true, NONE, true, false, false, false},
        {true, NONE, false, true, false, false},
        {false, NONE, true, false, true, false},
        {false, NONE, true, true, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int subnormals = 0; subnormals < 2; subnormals++) {
            struct device_info before = {0};
            before.features[FEATURE_FLOAT16] = rows[i].f16;
            floats = (VkPhysicalDeviceFloatControlsProperties){
                .roundingModeIndependence = subnormals ? ANY : (VkShaderFloatControlsIndependence)rows[i].independence,
                .denormBehaviorIndependence =
                    subnormals ? (VkShaderFloatControlsIndependence)rows[i].independence : ANY};
            *(subnormals ? &floats.shaderDenormPreserveFloat32 : &floats.shaderRoundingModeRTEFloat32) = rows[i].wide;
            *(subnormals ? &floats.shaderDenormPreserveFloat16 : &floats.shaderRoundingModeRTEFloat16) = rows[i].narrow;
            const struct device_info info = read_properties(VK_API_VERSION_1_3, &before);
            assert_int_equal(info.features[subnormals ? FEATURE_DENORMS_F32 : FEATURE_RTE_F32], rows[i].wide_used);
            assert_int_equal(info.features[subnormals ? FEATURE_DENORMS_F16 : FEATURE_RTE_F16], rows[i].narrow_used);
            assert_false(info.features[subnormals ? FEATURE_RTE_F32 : FEATURE_DENORMS_F32]);
            assert_false(info.features[FEATURE_SPECIALS_F32] || info.features[FEATURE_SPECIALS_F16]);
        }
}

static void heaps_keep_their_order_and_saturate(void **state) {
    const struct device_info info = read_properties(VK_API_VERSION_1_3, &(struct device_info){0});
    assert_int_equal(info.heap_count, 2);
    assert_true(info.heaps[0].bytes == 1 << 20 && !info.heaps[0].device_local);
    assert_true(info.heaps[1].bytes == INT64_MAX && info.heaps[1].device_local);
}

static void identity_is_of_the_device(void **state) {
    static const struct {
        VkPhysicalDeviceType type;
        enum device_kind kind;
    } kinds[] = {{VK_PHYSICAL_DEVICE_TYPE_OTHER, DEVICE_OTHER},
        {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, DEVICE_INTEGRATED},
        {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, DEVICE_DISCRETE}, {VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, DEVICE_VIRTUAL},
        {VK_PHYSICAL_DEVICE_TYPE_CPU, DEVICE_CPU}};
    core = (VkPhysicalDeviceProperties){.apiVersion = 11,
        .driverVersion = 12,
        .vendorID = 13,
        .deviceID = 14,
        .deviceName = "a device",
        .limits.timestampPeriod = 2.5f};
    driver = (VkPhysicalDeviceDriverProperties){.driverName = "a driver", .driverInfo = "its version"};
    for (uint8_t i = 0; i < VK_UUID_SIZE; i++) ids.deviceUUID[i] = i, ids.driverUUID[i] = 0xf0 + i;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        core.deviceType = kinds[k].type;
        const struct device_info info = read_properties(VK_API_VERSION_1_3, &(struct device_info){0});
        assert_int_equal(info.kind, kinds[k].kind);
        assert_true(
            info.api_version == 11 && info.driver_version == 12 && info.vendor_id == 13 && info.device_id == 14);
        assert_string_equal(info.name, "a device");
        assert_string_equal(info.driver_name, "a driver");
        assert_string_equal(info.driver_info, "its version");
        assert_string_equal(info.device_uuid, "000102030405060708090a0b0c0d0e0f");
        assert_string_equal(info.driver_uuid, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
        assert_string_equal(info.pci, "");
        assert_true(info.timestamp_period_ns == 2.5);
    }
}

// The place on the bus is written as in the folders of Linux.
static void places_on_the_bus_are_hexadecimal(void **state) {
    VkExtensionProperties list[] = {{.extensionName = VK_EXT_PCI_BUS_INFO_EXTENSION_NAME}};
    const struct extensions extensions = {.list = list, .count = 1, .api_version = VK_API_VERSION_1_3};
    struct device_info info = {0};
    pci = (VkPhysicalDevicePCIBusInfoPropertiesEXT){
        .pciDomain = 0x1002, .pciBus = 0xab, .pciDevice = 0x1c, .pciFunction = 3};
    properties_read(VK_NULL_HANDLE, &extensions, &info);
    assert_string_equal(info.pci, "1002:ab:1c.3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_subgroups_are_a_range_or_one),
        cmocka_unit_test(operations_of_subgroups_count_in_compute_and_whole),
        cmocka_unit_test(float_controls_agree_between_widths),
        cmocka_unit_test(identity_is_of_the_device),
        cmocka_unit_test(places_on_the_bus_are_hexadecimal),
        cmocka_unit_test(heaps_keep_their_order_and_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
