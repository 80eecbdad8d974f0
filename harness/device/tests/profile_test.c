// SPDX-License-Identifier: Apache-2.0
// Profiles of limits: found by name and in files, excesses over them, devices held to them.
#include "../profile.h"

#include "../../base/fields.h"
#include "../../base/file.h"
#include "../../base/tests/folder.h"
#include "../device_info.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>

static struct profile found(const char *asked) {
    struct profile profile;
    struct error err;
    if (!profile_find(asked, &profile, &err)) fail_msg("%s", err.text);
    return profile;
}

static void refused(const char *asked, enum status status, const char *says) {
    struct profile profile;
    struct error err = {0};
    assert_false(profile_find(asked, &profile, &err));
    assert_int_equal(err.status, status);
    if (!strstr(err.text, says)) fail_msg("expected \"%s\" in \"%s\"", says, err.text);
}

static const char *written(const char *json) {
    static char path[200];
    struct error err;
    snprintf(path, sizeof path, "%s/own.json", folder);
    assert_true(file_write(path, json, strlen(json), &err));
    return path;
}

static void the_program_s_own_have_the_limits_of_their_specifications(void **state) {
    struct profile web = found("webgpu"), mobile = found("vulkan-1.1-mobile"), most = found("webgpu-max");
    assert_int_equal(web.limits.max_invocations, 256);
    assert_int_equal(web.limits.max_size[2], 64);
    assert_int_equal(web.limits.shared_bytes, 16384);
    assert_int_equal(web.limits.storage_range, 134217728);
    assert_int_equal(web.limits.max_groups[1], 65535);
    assert_int_equal(web.limits.storage_buffers, 8);
    assert_true(web.without[FEATURE_SUBGROUP_BASIC] && web.without[FEATURE_SUBGROUP_ARITHMETIC]);
    assert_int_equal(mobile.limits.max_invocations, 128);
    assert_int_equal(mobile.limits.storage_buffers, 4);
    assert_int_equal(most.limits.max_invocations, 1024);
    assert_false(most.without[FEATURE_SUBGROUP_ARITHMETIC]);
    assert_true(most.without[FEATURE_COOPERATIVE_MATRIX]);
}

static void features_are_asked_for_beside_a_profile(void **state) {
    struct profile web = found("webgpu+subgroups+storage16");
    assert_string_equal(web.name, "webgpu+subgroups+storage16");
    assert_false(web.without[FEATURE_SUBGROUP_BASIC] || web.without[FEATURE_SUBGROUP_SHUFFLE]);
    assert_false(web.without[FEATURE_STORAGE16]);
    assert_true(web.without[FEATURE_FLOAT16]);
    refused("webgpu+subgroup", STATUS_USAGE, "unknown feature \"subgroup\"; a profile takes subgroups, f16");
    refused("webgpuu", STATUS_USAGE, "no profile \"webgpuu\"; did you mean \"webgpu\"?");
    refused("quake", STATUS_USAGE, "there are vulkan-1.1-mobile, webgpu, webgpu-max, or a file");
}

static void a_file_says_what_is_allowed(void **state) {
    static const struct {
        const char *json, *says;
    } bad[] = {{"{\"schema_version\": 1, \"allows\": {}}", "name"},
        {"{\"schema_version\": 1, \"name\": \"\", \"allows\": {}}", "expected a name"},
        {"{\"schema_version\": 1, \"name\": \"a\", \"allows\": {\"max_invocation\": 3}}", "max_invocation"},
        {"{\"schema_version\": 1, \"name\": \"a\", \"allows\": {\"max_size\": 3}}", "$.allows.max_size"},
        {"{\"schema_version\": 1, \"name\": \"a\", \"allows\": {}, \"without\": [\"sugar\"]}", "found \"sugar\""},
        {"{\"schema_version\": 1, \"name\": \"a\", \"allows\": {}, \"limits\": 1}", "limits"},
        {"{\"schema_version\": 1, \"name\": \"a\", \"allows\": {\"max_invocations\": 0}}",
            "$.allows.max_invocations: expected at least 1, found 0"},
        {"{\"schema_version\": 1, \"name\": \"a\", \"allows\": {\"max_size\": [64, 0, 1]}}",
            "$.allows.max_size: expected at least 1"},
        {"{\"records\": []}", "a result"}, {"[", "own.json"}};
    struct profile own =
        found(written("{\"schema_version\": 1, \"name\": \"kiosk\", \"allows\": {\"max_invocations\": 96,"
                      " \"max_size\": [96, 8, 1]}, \"without\": [\"float16\"]}"));
    assert_string_equal(own.name, "kiosk");
    assert_int_equal(own.limits.max_size[1], 8);
    assert_int_equal(own.limits.shared_bytes, 0);
    assert_true(own.without[FEATURE_FLOAT16]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refused(written(bad[i].json), STATUS_BAD_INPUT, bad[i].says);
}

static void what_goes_beyond_is_named(void **state) {
    struct profile web = found("webgpu");
    struct needs needs = {.limits = {.max_invocations = 256, .max_size = {16, 16, 1}}};
    struct excess excess;
    struct text text = {0};
    assert_true(profile_fits(&web, &needs, &excess));
    needs.limits.storage_range = (1 << 27) + 4;
    assert_false(profile_fits(&web, &needs, &excess));
    assert_true(profile_fits_shape(&web, &needs)); // the tensors are beyond it, the shape is not
    excess_append(&text, &excess);
    assert_string_equal(text_str(&text), "storage_range: 134217732, at most 134217728");
    needs.limits.max_invocations = 257;
    assert_false(profile_fits_shape(&web, &needs));
    needs = (struct needs){.limits = {.min_subgroup_size = 8}};
    web.limits.min_subgroup_size = 16; // the least size, which smaller ones are beyond
    text.length = 0;
    assert_false(profile_fits(&web, &needs, &excess));
    excess_append(&text, &excess);
    assert_string_equal(text_str(&text), "min_subgroup_size: 8, at least 16");
    needs.limits.min_subgroup_size = 16;
    assert_true(profile_fits(&web, &needs, &excess));
    needs.features[FEATURE_SUBGROUP_ARITHMETIC] = true;
    text.length = 0;
    assert_false(profile_fits(&web, &needs, &excess));
    excess_append(&text, &excess);
    assert_string_equal(text_str(&text), "without subgroup_arithmetic");
    text_free(&text);
}

static struct device_info large(void) {
    struct device_info info = {.max_invocations = 1024,
        .max_size = {1024, 128, 64},
        .max_groups = {1u << 31, 65535, 65535},
        .shared_bytes = 49152,
        .storage_alignment = 16,
        .storage_range = 1u << 30,
        .cooperative_count = 1};
    for (int f = 0; f < FEATURE_COUNT; f++) info.features[f] = true;
    return info;
}

static void a_device_is_clamped_or_held_to_a_profile(void **state) {
    struct profile web = found("webgpu"), none = {0};
    struct device_info clamped = large(), held = large(), same = large(), first = large();
    device_clamp(&clamped, &web);
    assert_int_equal(clamped.max_invocations, 256);
    assert_int_equal(clamped.max_size[0], 256);
    assert_int_equal(clamped.max_size[1], 128); // the device's limit is lower
    assert_int_equal(clamped.storage_alignment, 256);
    assert_int_equal(clamped.cooperative_count, 0);
    device_hold(&held, &web); // keeps limits, because peaks are the device's
    assert_int_equal(held.max_invocations, 1024);
    assert_int_equal(held.storage_range, 1u << 30);
    assert_int_equal(held.max_groups[0], 65535);
    assert_false(held.features[FEATURE_SUBGROUP_BASIC]);
    assert_true(held.features[FEATURE_RTE_F32]);
    assert_string_equal(held.profile.name, "webgpu");
    device_clamp(&same, &none);
    assert_memory_equal(&same, &first, sizeof same);
}

static void a_device_keeps_its_profile_in_json(void **state) {
    struct device_info info = large(), back;
    struct profile web = found("webgpu+f16");
    struct error err;
    device_hold(&info, &web);
    struct json_object *json = device_to_json(&info);
    if (!device_from_json(json, &back, &err)) fail_msg("%s", err.text);
    assert_memory_equal(&back.profile, &web, sizeof web);
    json_object_put(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_s_own_have_the_limits_of_their_specifications),
        cmocka_unit_test(features_are_asked_for_beside_a_profile),
        cmocka_unit_test(a_file_says_what_is_allowed),
        cmocka_unit_test(what_goes_beyond_is_named),
        cmocka_unit_test(a_device_is_clamped_or_held_to_a_profile),
        cmocka_unit_test(a_device_keeps_its_profile_in_json),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
