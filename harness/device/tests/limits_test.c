// SPDX-License-Identifier: Apache-2.0
// Ranking, choosing and JSON of devices, on made-up machines.
#include "../profile.h"

#include "../../base/json.h"
#include "../device_info.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

#define GIB ((uint64_t)1 << 30)

static struct device_info device(int index, enum device_kind kind, uint64_t memory, const char *name, char uuid) {
    struct device_info info = {.index = index, .kind = kind, .heap_count = 1};
    info.heaps[0].bytes = memory;
    info.heaps[0].device_local = true;
    strcpy(info.name, name);
    memset(info.device_uuid, uuid, 32);
    return info;
}

enum { MACHINE = 6 };
static void machine(struct device_info devices[MACHINE]) {
    devices[0] = device(0, DEVICE_CPU, 64 * GIB, "llvmpipe (LLVM 15.0.6, 256 bits)", 'a');
    devices[1] = device(1, DEVICE_INTEGRATED, 32 * GIB, "AMD Radeon 780M", 'b');
    devices[2] = device(2, DEVICE_DISCRETE, 8 * GIB, "NVIDIA GeForce RTX 4060", 'c');
    devices[3] = device(3, DEVICE_DISCRETE, 24 * GIB, "NVIDIA GeForce RTX 4090", 'd');
    devices[4] = device(4, DEVICE_DISCRETE, 24 * GIB, "NVIDIA GeForce RTX 4090", 'e');
    devices[5] = device(5, DEVICE_VIRTUAL, 16 * GIB, "Virtio", 'f');
    strcpy(devices[3].pci, "0000:01:00.0");
    strcpy(devices[4].pci, "0000:65:00.0");
}

static void ranking_is_kind_then_memory_then_index(void **state) {
    struct device_info devices[MACHINE];
    machine(devices);
    device_rank(devices, MACHINE);
    const int expected[MACHINE] = {3, 4, 2, 1, 5, 0};
    for (int i = 0; i < MACHINE; i++) assert_int_equal(devices[i].index, expected[i]);
    device_rank(devices, MACHINE); // already sorted: nothing moves
    for (int i = 0; i < MACHINE; i++) assert_int_equal(devices[i].index, expected[i]);
    struct device_info other[] = {device(0, DEVICE_OTHER, 99 * GIB, "x", '0'), device(1, DEVICE_CPU, 1, "y", '1')};
    device_rank(other, 2);
    assert_int_equal(other[0].index, 1);
}

static void ties_keep_their_order(void **state) {
    struct device_info devices[3];
    for (int i = 0; i < 3; i++) {
        devices[i] = device(7, DEVICE_DISCRETE, GIB, "twin", 'a');
        devices[i].vendor_id = (uint32_t)i;
    }
    device_rank(devices, 3);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(devices[i].vendor_id, i);
}

static void memory_is_the_largest_local_heap(void **state) {
    struct device_info info = device(0, DEVICE_DISCRETE, 8 * GIB, "x", 'a');
    info.heap_count = 3;
    info.heaps[1].bytes = 64 * GIB; // the host's
    info.heaps[2].bytes = GIB;
    info.heaps[2].device_local = true;
    assert_true(device_memory(&info) == 8 * GIB);
    info.heaps[2].bytes = 12 * GIB; // a later and larger one
    assert_true(device_memory(&info) == 12 * GIB);
    info.heaps[0].device_local = info.heaps[2].device_local = false;
    assert_true(device_memory(&info) == 64 * GIB);
}

static void every_selector_finds_its_device(void **state) {
    static const struct {
        const char *selector;
        size_t position;
    } cases[] = {
        {NULL, 3}, // the best
        {"0", 0},  // index
        {"5", 5},
        {"4060", 2},   // no such index: part of a name
        {"radeon", 1}, // in any case
        {"LLVM", 0},
        {"dddddddddddddddddddddddddddddddd", 3},     // UUID
        {"EEEEEEEE-EEEE-EEEE-EEEE-EEEEEEEEEEEE", 4}, // as other tools print it
        {"0000:65:00.0", 4},                         // PCI
        {"01:00.0", 3},                              // as lspci prints it
        {"virtio", 5},
    };
    struct device_info devices[MACHINE];
    size_t chosen[MACHINE], count;
    struct error err;
    machine(devices);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(device_choose(devices, MACHINE, cases[i].selector, chosen, &count, &err));
        assert_int_equal(count, 1);
        assert_int_equal(chosen[0], cases[i].position);
    }
    assert_true(device_choose(devices, MACHINE, "all", chosen, &count, &err));
    assert_int_equal(count, MACHINE);
    for (size_t i = 0; i < MACHINE; i++) assert_int_equal(chosen[i], i);
}

// Each part names another device; a name with a comma in it precedes a list.
static void a_list_chooses_each(void **state) {
    struct device_info devices[] = {device(0, DEVICE_CPU, GIB, "llvmpipe (LLVM 15.0.6, 256 bits)", 'a'),
        device(1, DEVICE_DISCRETE, GIB, "NVIDIA A100", 'b'), device(2, DEVICE_CPU, GIB, "SwiftShader", 'c')};
    size_t chosen[3], count;
    struct error err;
    assert_true(device_choose(devices, 3, "swift,0,nvidia a100", chosen, &count, &err));
    assert_int_equal(count, 3);
    assert_true(chosen[0] == 2 && chosen[1] == 0 && chosen[2] == 1);
    assert_true(device_choose(devices, 3, "llvmpipe (LLVM 15.0.6, 256 bits)", chosen, &count, &err));
    assert_true(count == 1 && chosen[0] == 0);
    static const char *const wrong[] = {"0,3", "0,swift,0", "0,llvm", "0,", "0,all"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(device_choose(devices, 3, wrong[i], chosen, &count, &err));
        assert_int_equal(err.status, STATUS_USAGE);
    }
}

// An index is the loader's, not the position in the list.
static void an_index_is_not_a_position(void **state) {
    struct device_info devices[MACHINE];
    size_t chosen[MACHINE], count;
    struct error err;
    machine(devices);
    device_rank(devices, MACHINE);
    assert_true(device_choose(devices, MACHINE, "0", chosen, &count, &err));
    assert_int_equal(chosen[0], MACHINE - 1);
}

static void a_whole_name_goes_before_a_part(void **state) {
    struct device_info devices[] = {
        device(0, DEVICE_DISCRETE, GIB, "NVIDIA A100 80GB", 'a'), device(1, DEVICE_DISCRETE, GIB, "NVIDIA A100", 'b')};
    size_t chosen[2], count;
    struct error err;
    assert_true(device_choose(devices, 2, "nvidia a100", chosen, &count, &err));
    assert_int_equal(chosen[0], 1);
}

static void what_fits_none_or_several_lists_those_there_are(void **state) {
    struct device_info devices[MACHINE];
    size_t chosen[MACHINE], count;
    struct error err;
    machine(devices);
    static const char *const selectors[] = {"voodoo", "6", "4090", "", "-1", "ddd", "99999999999999999999"};
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++) {
        assert_false(device_choose(devices, MACHINE, selectors[i], chosen, &count, &err));
        assert_int_equal(err.status, STATUS_USAGE);
        assert_int_equal(count, 0);
        for (int d = 0; d < MACHINE; d++) assert_non_null(strstr(err.text, devices[d].device_uuid));
        assert_non_null(strstr(err.text, "NVIDIA GeForce RTX 4060"));
        assert_non_null(strstr(err.text, "0000:65:00.0"));
    }
    assert_false(device_choose(devices, MACHINE, "4090", chosen, &count, &err));
    assert_non_null(strstr(err.text, "several"));
}

static void no_device_is_its_own_status(void **state) {
    struct error err;
    size_t chosen[1], count = 9;
    static const char *const selectors[] = {NULL, "all", "0"};
    for (size_t i = 0; i < 3; i++) {
        assert_false(device_choose(NULL, 0, selectors[i], chosen, &count, &err));
        assert_int_equal(err.status, STATUS_NO_DEVICE);
        assert_int_equal(count, 0);
    }
}

static void features_have_names_both_ways(void **state) {
    for (int i = 0; i < FEATURE_COUNT; i++) {
        assert_non_null(feature_name((enum feature)i));
        assert_int_equal(feature_named(feature_name((enum feature)i)), i);
    }
    assert_int_equal(feature_named("telepathy"), -1);
}

static struct device_info full(void) {
    struct device_info info = device(3, DEVICE_INTEGRATED, 7 * GIB + 1, "Name \"quoted\" \xc2\xb5", '9');
    info.vendor_id = 0xffffffff;
    info.device_id = 0x1234;
    info.api_version = 1u << 22 | 3u << 12 | 230;
    info.driver_version = 0x80000001;
    strcpy(info.driver_name, "driver");
    strcpy(info.driver_info, "Mesa 22.3.6");
    memset(info.driver_uuid, '8', 32);
    strcpy(info.pci, "0000:65:00.0");
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        const struct limit *limit = &device_limits[i];
        void *at = (char *)&info + limit->offset;
        if (limit->form == LIMIT_U64) *(uint64_t *)at = (uint64_t)INT64_MAX - i;
        for (uint32_t k = 0; k < (limit->form == LIMIT_U32_3 ? 3 : 1) && limit->form != LIMIT_U64; k++)
            ((uint32_t *)at)[k] = UINT32_MAX - (uint32_t)i * 3 - k;
    }
    for (int i = 0; i < FEATURE_COUNT; i += 3) info.features[i] = true;
    info.timestamp_period_ns = 83.333335876464844;
    info.timestamp_bits = 36;
    info.queue_family = 2;
    info.queue_flags = 0x56;
    info.heap_count = 2;
    info.heaps[1].bytes = 96 * GIB;
    info.cooperative_count = 2;
    info.cooperative[0] = (struct cooperative){
        16, 8, 32, COMPONENT_F16, COMPONENT_I8, COMPONENT_F32, COMPONENT_U64, SCOPE_SUBGROUP, false, 0};
    info.cooperative[1] = (struct cooperative){
        16, 16, 16, COMPONENT_F16, COMPONENT_F16, COMPONENT_F32, COMPONENT_F32, SCOPE_SUBGROUP, false, 0};
    info.flexible_count = 2;
    info.flexible[0] = (struct cooperative){
        32, 16, 16, COMPONENT_BF16, COMPONENT_BF16, COMPONENT_F32, COMPONENT_F32, SCOPE_WORKGROUP, false, 128};
    info.flexible[1] = (struct cooperative){
        8, 8, 8, COMPONENT_I8, COMPONENT_I8, COMPONENT_I32, COMPONENT_I32, SCOPE_SUBGROUP, true, 0};
    info.matrix2_side = 256;
    return info;
}

static void json_gives_back_the_same_device(void **state) {
    struct error err;
    struct device_info before = full(), after;
    struct json_object *json = device_to_json(&before);
    struct json_object *read = json_tokener_parse(json_object_to_json_string(json));
    assert_string_equal(json_get_string(json, "api_version", ""), "1.3.230");
    assert_string_equal(json_get_string(json, "kind", ""), "integrated");
    assert_true(device_from_json(read, &after, &err));
    struct json_object *again = device_to_json(&after);
    assert_string_equal(json_object_to_json_string(json), json_object_to_json_string(again));
    // compares members too, to notice any that are missing from the JSON
    struct device_info expected = {0};
    expected = before;
    assert_memory_equal(&after.features, &expected.features, sizeof after.features);
    assert_memory_equal(&after.max_groups, &expected.max_groups, sizeof after.max_groups);
    assert_memory_equal(&after, &expected, sizeof after);
    json_object_put(json);
    json_object_put(read);
    json_object_put(again);
}

static void a_device_multiplies_what_it_lists(void **state) {
    struct device_info info = full();
    struct cooperative wanted = info.cooperative[1];
    assert_true(device_multiplies(&info, &wanted));
    wanted.result = COMPONENT_F16;
    assert_false(device_multiplies(&info, &wanted));
    wanted = info.cooperative[0];
    wanted.n = 16;
    assert_false(device_multiplies(&info, &wanted));
    wanted = info.cooperative[0];
    wanted.k *= 2;
    assert_false(device_multiplies(&info, &wanted));
}

static void sides_of_a_workgroups_matrices_are_multiples(void **state) {
    const struct device_info info = full();
    struct cooperative wanted = info.flexible[0];
    wanted.m = 256;
    wanted.n = 48;
    assert_true(device_multiplies(&info, &wanted));
    wanted.n = 40;
    assert_false(device_multiplies(&info, &wanted));
    wanted.n = 272; // above the longest side
    assert_false(device_multiplies(&info, &wanted));
    wanted.n = 48;
    wanted.invocations = 256; // the device lists workgroups of 128
    assert_false(device_multiplies(&info, &wanted));
    wanted = info.flexible[0];
    wanted.scope = SCOPE_SUBGROUP;
    assert_false(device_multiplies(&info, &wanted));
    wanted = info.flexible[1]; // a subgroup's sides must be listed as such
    assert_false(device_multiplies(&info, &wanted));
}

static void a_queue_family_says_what_it_is_for(void **state) {
    static const struct {
        uint32_t flags;
        const char *words;
        bool graphics, draws;
    } rows[] = {{0, "family 2", false, false}, {2, "family 2 (compute)", false, false},
        {7, "family 2 (graphics, compute, transfer)", false, true},
        {0x80000206, "family 2 (compute, transfer)", false, false},
        {6, "family 2 (compute, transfer), and one for graphics", true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device_info info = full(), read;
        struct text text = {0};
        struct error err;
        info.queue_flags = rows[i].flags;
        info.graphics_queue = rows[i].graphics;
        assert_int_equal(queue_draws(&info), rows[i].draws);
        queue_append(&text, &info);
        assert_string_equal(text_str(&text), rows[i].words);
        text_free(&text);
        struct json_object *json = device_to_json(&info);
        assert_true(device_from_json(json, &read, &err));
        assert_int_equal(read.queue_flags, rows[i].flags & 0x57f);
        assert_int_equal(read.graphics_queue, rows[i].graphics);
        json_object_put(json);
    }
}

static void a_file_without_matrices_is_of_a_device_without(void **state) {
    struct error err;
    struct device_info before = full(), after;
    struct json_object *json = device_to_json(&before);
    json_object_object_del(json, "cooperative_matrices");
    assert_true(device_from_json(json, &after, &err));
    assert_int_equal(after.cooperative_count, 0);
    json_object_put(json);
}

static void a_limit_that_a_file_does_not_tell_is_not_known(void **state) {
    struct error err;
    struct device_info before = full(), after;
    struct json_object *json = device_to_json(&before);
    json_object_object_del(json_get(json, "limits"), "storage_buffers");
    assert_true(device_from_json(json, &after, &err));
    assert_int_equal(after.storage_buffers, 0);
    assert_int_equal(after.push_bytes, before.push_bytes);
    json_object_put(json);
}

static void bad_json_names_the_member(void **state) {
    static const struct {
        const char *group, *member, *value, *path;
    } cases[] = {
        {NULL, "name", "7", "$.name"},
        {NULL, "kind", "\"toaster\"", "$.kind"},
        {NULL, "api_version", "\"one\"", "$.api_version"},
        {NULL, "api_version", "\"1.3.99999\"", "$.api_version"},
        {NULL, "heaps", "[{}]", "$.heaps[0]"},
        {NULL, "heaps", "7", "$.heaps"},
        {NULL, "heaps", "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "$.heaps"},
        {NULL, "features", "[]", "$.features"},
        {NULL, "cooperative_matrices", "{}", "$.cooperative_matrices"},
        {NULL, "cooperative_matrices", "[{\"m\": 16}]", "$.cooperative_matrices[0]"},
        {NULL, "cooperative_matrices", "[{\"m\": 16, \"n\": 16, \"k\": 16, \"a\": \"f17\"}]",
            "$.cooperative_matrices[0].a"},
        {NULL, "limits", "null", "$.limits"},
        {NULL, "pci", "\"0000:00:00.0 and more\"", "$.pci"},
        {"features", "int8", "1", "$.features.int8"},
        {"limits", "max_size", "[1, 2]", "$.limits.max_size: expected 3 items, found 2"},
        {"limits", "max_invocations", "-1", "$.limits.max_invocations"},
        {"limits", "shared_bytes", "4294967296", "$.limits.shared_bytes"},
        {"timestamps", "period_ns", "\"fast\"", "$.timestamps.period_ns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err;
        struct device_info info = full();
        struct json_object *json = device_to_json(&info);
        struct json_object *into = cases[i].group ? json_get(json, cases[i].group) : json;
        json_put(into, cases[i].member, json_tokener_parse(cases[i].value));
        assert_false(device_from_json(json, &info, &err));
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].path)) fail_msg("expected %s in: %s", cases[i].path, err.text);
        json_object_put(json);
    }
}

// Counts the differences, in both directions, between written members and the schema's, with and without a value.
static int strangers(const char *what, struct json_object *written, struct json_object *schema) {
    struct json_object *properties = json_get(schema, "properties");
    struct json_object *closed = json_get(schema, "additionalProperties");
    int count = 0;
    if (!closed || json_object_get_boolean(closed)) print_error("%s takes any member\n", what), count++;
    json_object_object_foreach(written, name, value) {
        (void)value;
        if (!json_get(properties, name)) print_error("%s.%s is not in the schema\n", what, name), count++;
    }
    json_object_object_foreach(properties, named, type) {
        (void)type;
        if (!json_get(written, named)) print_error("%s.%s is not written\n", what, named), count++;
    }
    return count;
}

static void the_schema_names_what_is_written(void **state) {
    static const char *const groups[] = {"limits", "timestamps", "host_link"};
    struct device_info info = full();
    info.profile = profiles[0].profile;
    info.link = (struct host_link){16, 16};
    info.graphics_queue = true;
    struct json_object *file = json_object_from_file("reports/schema/result.schema.json"),
                       *json = device_to_json(&info);
    struct json_object *schema = json_get(json_get(file, "properties"), "device");
    assert_non_null(schema);
    int count = strangers("device", json, schema);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        count += strangers(groups[i], json_get(json, groups[i]), json_get(json_get(schema, "properties"), groups[i]));
    assert_int_equal(count, 0);
    json_object_put(file);
    json_object_put(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranking_is_kind_then_memory_then_index),
        cmocka_unit_test(ties_keep_their_order),
        cmocka_unit_test(memory_is_the_largest_local_heap),
        cmocka_unit_test(every_selector_finds_its_device),
        cmocka_unit_test(a_list_chooses_each),
        cmocka_unit_test(an_index_is_not_a_position),
        cmocka_unit_test(a_whole_name_goes_before_a_part),
        cmocka_unit_test(what_fits_none_or_several_lists_those_there_are),
        cmocka_unit_test(no_device_is_its_own_status),
        cmocka_unit_test(features_have_names_both_ways),
        cmocka_unit_test(json_gives_back_the_same_device),
        cmocka_unit_test(a_device_multiplies_what_it_lists),
        cmocka_unit_test(sides_of_a_workgroups_matrices_are_multiples),
        cmocka_unit_test(a_queue_family_says_what_it_is_for),
        cmocka_unit_test(a_file_without_matrices_is_of_a_device_without),
        cmocka_unit_test(a_limit_that_a_file_does_not_tell_is_not_known),
        cmocka_unit_test(bad_json_names_the_member),
        cmocka_unit_test(the_schema_names_what_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
