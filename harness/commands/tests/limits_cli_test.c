// SPDX-License-Identifier: Apache-2.0
// Tests `--limits`, `--max-buffer` and `--memory-share`. Runs, reports and exports refuse shapes beyond a profile by
// name, and a table carries its profile.
#include "../../base/file.h"
#include "vkassay_program.h"

static const char suite[] =
    "{\"schema_version\": 1, \"name\": \"small\", \"summary\": \"relu in every shape\","
    " \"settings\": {\"least_samples\": 2, \"most_samples\": 2, \"point_seconds\": 0.01}, \"entries\": ["
    "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1000}, \"shapes\": \"all\"}]}\n";

static int set_up(void **state) {
    struct error err;
    if (program_open(state) != 0) return -1;
    return !file_write(in_folder("small.json"), suite, sizeof suite - 1, &err);
}

static void points_beyond_a_profile_are_refused_by_its_limit(void **state) {
    assert_int_equal(run("list points --suite %s/small.json --limits webgpu", folder), STATUS_OK);
    assert_says("wg=512x1x1,ITEMS=1   max_invocations is 512; the profile webgpu allows 256");
    assert_int_equal(run("list points --suite %s/small.json --max-buffer 2K", folder), STATUS_OK);
    assert_says("storage_range is 4000; the profile max-buffer allows 2048");
    assert_int_equal(run("list points --suite %s/small.json --max-buffer 4K", folder), STATUS_OK);
    assert_null(strstr(content("output"), "max-buffer"));
    assert_int_equal(run("list points --max-buffer 0"), STATUS_USAGE);
    assert_int_equal(run("bench --memory-share 0 relu"), STATUS_USAGE);
    assert_int_equal(run("bench --limits sun relu"), STATUS_USAGE);
    assert_says("no profile \"sun\"; there are vulkan-1.1-mobile, webgpu, webgpu-max, or a file");
}

static void memory_s_share_is_the_command_line_s(void **state) {
    assert_int_equal(
        run("bench 'relu.scalar/f32/n=65536/wg=64x1x1,ITEMS=1' --quiet --memory-share 1e-9 --out %s/share", folder),
        STATUS_NOTHING);
    assert_says("memory_share is ");
}

static void a_result_is_reported_and_exported_within_a_profile(void **state) {
    assert_int_equal(run("bench --suite %s/small.json --quiet --out %s/all", folder, folder), STATUS_OK);
    shell("cp %s/all/*/*/result.json %s/result.json", folder, folder);
    assert_int_equal(run("report %s/result.json --limits vulkan-1.1-mobile --out %s/page", folder, folder), STATUS_OK);
    assert_says("max_invocations is 256; the profile vulkan-1.1-mobile allows 128");
    assert_holds("page/report.html", "in vulkan-1.1-mobile");
    assert_int_equal(
        run("export %s/result.json --format tuned --limits vulkan-1.1-mobile --out %s/tuned.json", folder, folder),
        STATUS_OK);
    assert_holds("tuned.json", "\"name\": \"vulkan-1.1-mobile\"");
    assert_int_equal(run("export %s/tuned.json --format header --out %s/tuned.h", folder, folder), STATUS_OK);
    assert_holds("tuned.h", "#define VKASSAY_TUNED_PROFILE \"vulkan-1.1-mobile\"");
    assert_null(strstr(content("output"), "go beyond"));
    assert_of_schema("result.json tuned.json");
}

// Reduces the result to one shape, allowed only by the widest profile.
static void an_export_warns_of_shapes_that_do_not_run_everywhere(void **state) {
    shell("%s - %s/result.json >%s/wide.json <<'END'\n"
          "import json, sys\n"
          "result = json.load(open(sys.argv[1]))\n"
          "wide = [r for r in result['records'] if r['shape']['wg'][0] == 512]\n"
          "assert wide[0]['needs']['limits']['max_invocations'] == 512\n"
          "result['records'] = wide\n"
          "json.dump(result, sys.stdout)\n"
          "END\n",
        needs_python("json"), folder, folder);
    assert_int_equal(run("export %s/wide.json --format wgsl --out %s/wide.wgsl", folder, folder), STATUS_OK);
    assert_says("1 of 1 shapes exceed the profile webgpu (relu.scalar/f32/n=1000/wg=512x1x1");
    assert_says("max_invocations: 512, at most 256); use --limits webgpu to choose others");
    assert_null(strstr(content("output"), "profile webgpu-max"));
    assert_int_equal(
        run("export %s/wide.json --format header --limits webgpu --out %s/none.h", folder, folder), STATUS_BAD_INPUT);
}

static void what_is_run_within_a_profile_says_so(void **state) {
    assert_int_equal(
        run("check relu.scalar/f32 --suite %s/small.json --limits webgpu+f16 --quiet --out %s/web", folder, folder),
        STATUS_OK);
    assert_holds("web/*/*/result.json", "\"name\": \"webgpu+f16\"");
    assert_says("max_invocations is 512; the profile webgpu+f16 allows 256");
    assert_of_schema("web/*/*/result.json");
}

// The best shapes of two profiles differ, so their results are not mixed, and output names its profile.
static void results_of_two_profiles_are_told_apart(void **state) {
    assert_int_equal(
        run("bench --suite %s/small.json --limits webgpu --quiet --out %s/narrow", folder, folder), STATUS_OK);
    shell("cp %s/narrow/*/*/result.json %s/web.json", folder, folder);
    shell("sed 's/\"max_invocations\": 256,/\"max_invocations\": 200,/' %s/web.json >%s/namesake.json", folder, folder);
    run("compare %s/result.json %s/web.json", folder, folder);
    assert_says("differ in profile of limits: none, then webgpu");
    assert_says("suite small within webgpu");
    run("compare %s/web.json %s/namesake.json", folder, folder);
    assert_says("differ in profile of limits: webgpu, then another of that name");
    run("compare %s/web.json %s/web.json", folder, folder);
    assert_null(strstr(content("output"), "differ in"));
    assert_int_equal(run("merge %s/result.json %s/web.json --out %s/m.json", folder, folder, folder), STATUS_BAD_INPUT);
    assert_says("$.device.profile: expected 'none' as in the first result, found 'webgpu'");
    assert_int_equal(
        run("merge %s/web.json %s/namesake.json --out %s/m.json", folder, folder, folder), STATUS_BAD_INPUT);
    assert_says("expected 'webgpu' as in the first result, found another one named 'webgpu'");
    assert_int_equal(run("baseline %s/web.json --baselines %s/kept", folder, folder), STATUS_OK);
    assert_says("/small-within-webgpu.json");
    assert_int_equal(run("gate --limits webgpu --baselines %s/kept", folder), STATUS_BAD_INPUT);
    assert_says("/gate-within-webgpu.json is missing; create it with `vkassay baseline --limits webgpu`");
    assert_int_equal(run("export %s/web.json --format csv --out %s/web.csv", folder, folder), STATUS_OK);
    assert_holds("web.csv", ",small within webgpu,");
    assert_int_equal(run("store add %s/store %s/result.json %s/web.json", folder, folder, folder), STATUS_OK);
    assert_int_equal(run("store list %s/store", folder), STATUS_OK);
    assert_says("small within webgpu ");
}

static void a_joined_table_is_for_one_profile(void **state) {
    assert_int_equal(
        run("table %s/result.json %s/web.json --out %s/joined/tuned.json", folder, folder, folder), STATUS_BAD_INPUT);
    assert_says("a table is for one profile");
    assert_int_equal(
        run("table %s/web.json --limits webgpu-max --out %s/joined/tuned.json", folder, folder), STATUS_BAD_INPUT);
    assert_says("made within the profile webgpu");
    assert_int_equal(
        run("table %s/result.json %s/web.json --limits webgpu --out %s/joined/tuned.json", folder, folder, folder),
        STATUS_OK);
    assert_says("Every shape keeps to the profile webgpu");
    assert_holds("joined/tuned.json", "\"name\": \"webgpu\"");
    assert_of_schema("joined/tuned.json");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_beyond_a_profile_are_refused_by_its_limit),
        cmocka_unit_test(memory_s_share_is_the_command_line_s),
        cmocka_unit_test(a_result_is_reported_and_exported_within_a_profile),
        cmocka_unit_test(an_export_warns_of_shapes_that_do_not_run_everywhere),
        cmocka_unit_test(what_is_run_within_a_profile_says_so),
        cmocka_unit_test(results_of_two_profiles_are_told_apart),
        cmocka_unit_test(a_joined_table_is_for_one_profile),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
