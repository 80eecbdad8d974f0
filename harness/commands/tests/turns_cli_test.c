// SPDX-License-Identifier: Apache-2.0
// Tests a gate from outside whose baseline has times of another hour. They are made up by scaling the stored ones.
#include "../../base/hash.h"
#include "../bench/kernel_archive.h"
#include "vkassay_program.h"

#include <inttypes.h>

#define MANIFEST UNARY_KERNEL("relu.mine", "relu", "relu")
#define BODY(turns, result)                                                                                            \
    "    uint v = i + 1;\n    for (uint k = 0; k < " #turns                                                            \
    "; k++) { v ^= v << 13; v ^= v >> 17; v ^= v << 5; }\n    if (i < n) y[i] = v == 0 ? 7.0 : " result ";\n"

static int go(const char *verb, const char *kernels, const char *more) {
    return run("%s --suite %s/one.json --baselines %s/kept --quiet --out %s/out --kernels %s/%s %s", verb, folder,
        folder, folder, folder, kernels, more);
}

// In the kernels v is never 0, because xorshift maps only 0 to 0.
static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder("base", "relu", MANIFEST, BODY(500, "max(x[i], 0.0)"));
    write_kernel_folder("slow", "relu", MANIFEST, BODY(5000, "max(x[i], 0.0)"));
    write_suite("one", "{\"kernel\": \"relu.mine\", \"dims\": {\"n\": 4099}}");
    if (go("baseline", "base", "") != STATUS_OK) return -1;
    return shell("cp -r %s/kept %s/first", folder, folder);
}

static void scale_times(struct json_object *compute, double factor) {
    static const char *const names[] = {"median_ns", "lo_ns", "hi_ns", "q1_ns", "q3_ns", "min_ns", "max_ns"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_object_add(
            compute, names[i], json_object_new_double(factor * json_object_get_double(json_get(compute, names[i]))));
    struct json_object *raw = json_get(compute, "raw_ns");
    for (size_t i = 0; i < json_object_array_length(raw); i++)
        json_object_array_put_idx(
            raw, i, json_object_new_double(factor * json_object_get_double(json_object_array_get_idx(raw, i))));
}

// Puts the baseline back with times of `factor`, measured on a quiet host, so that load explains no difference.
static void baseline_of(double factor) {
    assert_int_equal(shell("rm -r %s/kept && cp -r %s/first %s/kept", folder, folder, folder), 0);
    struct json_object *whole = parsed("kept/*/one.json");
    struct json_object *record = json_object_array_get_idx(json_get(whole, "records"), 0);
    scale_times(json_get(json_get(record, "time"), "compute"), factor);
    write_text("edited.json", json_object_to_json_string(whole));
    json_object_put(whole);
    assert_int_equal(shell("mv %s/edited.json %s/kept/*/one.json", folder, folder), 0);
}

// The old times say 1000 times slower, beyond any load. A large --effect keeps a busy host out of the verdict.
static void unchanged_kernels_hold_after_turns(void **state) {
    baseline_of(0.001);
    assert_int_equal(go("gate", "base", "--effect 100%"), STATUS_OK);
    assert_says("1 point measured again, in turns with the baseline's kernels");
    assert_says("gate: held: 0 wrong, 0 slower, ");
    baseline_of(1000); // faster is no failure
    assert_int_equal(go("gate", "base", "--effect 100%"), STATUS_OK);
}

static void a_slower_kernel_is_slower_in_turns(void **state) {
    baseline_of(0.001);
    assert_int_equal(go("gate", "slow", "--effect 100%"), STATUS_SLOWER);
    assert_says("1 point measured again, in turns with the baseline's kernels");
    assert_says("gate: slower: 0 wrong, 1 slower, ");
}

// The recorded times are of a host so busy that the slower kernel looks faster.
static void a_slow_baseline_hides_no_slower_kernel(void **state) {
    baseline_of(1000);
    assert_int_equal(go("gate", "slow", "--effect 100%"), STATUS_SLOWER);
    assert_says("1 point measured again, in turns with the baseline's kernels");
    assert_says("gate: slower: 0 wrong, 1 slower, ");
    baseline_of(10); // or as fast as before
    assert_int_equal(go("gate", "slow", "--effect 100%"), STATUS_SLOWER);
}

// Without kernels the recorded times are all there is.
static void a_baseline_without_kernels_says_so(void **state) {
    baseline_of(0.001);
    assert_int_equal(shell("rm %s/kept/*/one.kernels", folder), 0);
    assert_int_equal(go("gate", "base", "--effect 100%"), STATUS_SLOWER);
    assert_says("1 slower, undecided or changed point not measured in turns: the baseline has no kernels to measure");
}

// Each shell command makes the archive another one.
static void other_kernels_are_refused(void **state) {
    static const struct {
        const char *command, *says;
    } rows[] = {{"sed -i 's/k < 500;/k < 600;/' %s", "damaged"}, {"truncate -s 100 %s", "damaged"},
        {"echo >%s", "damaged"}, {"sed -i '1s/ 1 ./ 1 x/' %s", "the kernels of another run than this baseline's"},
        {"cd $(dirname %s); mv one.kernels ../away; ln -s ../away one.kernels", "expected a file, no link"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[400], command[900];
        baseline_of(0.001);
        snprintf(path, sizeof path, "%s/kept/*/one.kernels", folder);
        snprintf(command, sizeof command, "f=$(echo %s); ", path);
        const size_t begun = strlen(command);
        // The command has one %s, for the path.
        const char *at = strstr(rows[i].command, "%s");
        snprintf(
            command + begun, sizeof command - begun, "%.*s$f%s", (int)(at - rows[i].command), rows[i].command, at + 2);
        assert_int_equal(shell("%s", command), 0);
        assert_int_equal(go("gate", "base", ""), STATUS_BAD_INPUT);
        assert_says(rows[i].says);
    }
}

// Each archive is whole, but names a file outside of its folder or has a wrong length.
static void names_and_lengths_stay_inside(void **state) {
    static const char *const bodies[] = {"1 ../left\nx", "1 0/../../left\nx", "1 /tmp/left\nx", "1 0/..\nx",
        "2 left\nx", "99999999999999999999 left\nx", "-1 left\nx", "left", "1 \nx"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct arena arena = {0};
        struct version_files files;
        struct kernels kernels;
        struct error err = {0};
        char text[300];
        snprintf(text, sizeof text, "vkassay kernels 1 0 %016" PRIx64 "\n%s",
            hash_bytes(HASH_START, bodies[i], strlen(bodies[i])), bodies[i]);
        write_text("crafted", text);
        const char *to = arena_format(&arena, "%s/below/unpacked", folder);
        assert_false(archive_unpack(&arena, in_folder("crafted"), "0", to, &files, &kernels, &err));
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        assert_non_null(strstr(err.text, "crafted: damaged"));
        arena_free(&arena);
    }
    assert_int_equal(shell("test ! -e %s/below", folder), 0);
}

// A manifest of the archive names a shader outside of it.
static void kernels_with_files_outside_are_left_out(void **state) {
    struct arena arena = {0};
    struct version_files files;
    struct kernels kernels;
    struct error err = {0};
    char manifest[2000], body[2400], text[2600];
    snprintf(manifest, sizeof manifest, "{\"kernels\": [%s, %s]}", UNARY_KERNEL("relu.out", "relu", "../../base/relu"),
        UNARY_KERNEL("relu.in", "relu", "in"));
    snprintf(body, sizeof body, "%zu 0/k.json\n%s1 0/in.comp\n ", strlen(manifest), manifest);
    snprintf(
        text, sizeof text, "vkassay kernels 1 0 %016" PRIx64 "\n%s", hash_bytes(HASH_START, body, strlen(body)), body);
    write_text("crafted", text);
    const char *to = arena_format(&arena, "%s/unpacked", folder);
    assert_true(archive_unpack(&arena, in_folder("crafted"), "0", to, &files, &kernels, &err));
    assert_int_equal(kernels.count, 1);
    assert_string_equal(kernels.items[0]->name, "relu.in");
    arena_free(&arena);
}

// A result made elsewhere may be of other kernels, so the earlier ones go.
static void a_stored_result_has_no_kernels(void **state) {
    baseline_of(1);
    assert_int_equal(run("baseline --baselines %s/kept $(ls %s/out/*/*/result.json | head -1)", folder, folder), 0);
    assert_says("baseline: kernels not stored: those of a result made elsewhere are unknown");
    assert_int_equal(shell("ls %s/kept/*/one.kernels 2>/dev/null", folder) != 0, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_kernels_hold_after_turns),
        cmocka_unit_test(a_slower_kernel_is_slower_in_turns),
        cmocka_unit_test(a_slow_baseline_hides_no_slower_kernel),
        cmocka_unit_test(a_baseline_without_kernels_says_so),
        cmocka_unit_test(other_kernels_are_refused),
        cmocka_unit_test(names_and_lengths_stay_inside),
        cmocka_unit_test(kernels_with_files_outside_are_left_out),
        cmocka_unit_test(a_stored_result_has_no_kernels),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
