// SPDX-License-Identifier: Apache-2.0
// Tests shards of a run and merge: matching, missing and duplicate shards.
#include "vkassay_program.h"

// Makes shards 1 to 3 of a check, at S1, S2 and S3 in the folder, as if of a GPU.
static int make_shards(void **state) {
    if (program_open(state) != 0) return -1;
    write_suite("some", "{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": [5, 6, 7, 8, 1000003]}, "
                        "\"shapes\": \"default\"}");
    for (int i = 1; i <= 3; i++) {
        int status = run("check --suite %s/some.json --shard %d/3 --quiet --out %s/shard%d", folder, i, folder, i);
        if (status != STATUS_OK ||
            shell("sed 's/\"kind\": \"cpu\"/\"kind\": \"discrete\"/' %s/shard%d/*/*/result.json >%s/S%d", folder, i,
                folder, i))
            return -1;
    }
    return 0;
}

// Writes another result: FROM with its JSON changed by a statement on `r`.
static void change(const char *from, const char *to, const char *statement) {
    int status = shell("%s -c \"import json; r = json.load(open('%s/%s')); %s; json.dump(r, open('%s/%s', 'w'))\"",
        python_with("json"), folder, from, statement, folder, to);
    assert_int_equal(status, 0);
}

static int merged(const char *shards) {
    return run("merge $(cd %s && for s in %s; do echo $PWD/$s; done) --out %s/merged", folder, shards, folder);
}

static void all_of_them_are_the_whole(void **state) {
    assert_int_equal(merged("S3 S1 S2"), STATUS_OK);
    assert_says("10 records of 3 results");
    assert_holds("merged", "\"complete\": true");
    assert_int_equal(run("check --suite %s/some.json --quiet --out %s/whole", folder, folder), STATUS_OK);
    assert_int_equal(
        shell("%s -c \"import json, glob\nnames = lambda p: sorted(r['name'] for r in json.load(open(p))"
              "['records'])\nassert names('%s/merged') == names(glob.glob('%s/whole/*/*/result.json')[0])\"",
            python_with("json"), folder, folder),
        0);
}

// The two cases of a million elements cost more than all others, so they are in different shards.
static void they_cost_alike(void **state) {
    int with = 0;
    for (int i = 1; i <= 3; i++) {
        char name[10];
        snprintf(name, sizeof name, "S%d", i);
        with += strstr(content(name), "n=1000003") != NULL;
    }
    assert_int_equal(with, 2);
}

static void an_earlier_result_says_what_points_cost(void **state) {
    change("merged", "dear",
        "[r['records'][i].__setitem__('wall', {'compile_ns': 10**12 if 'relu.scalar/f32/n=5/' in "
        "r['records'][i]['name'] else 1000, 'judge_ns': 0}) for i in range(10)]");
    assert_int_equal(
        run("check --suite %s/some.json --shard 1/2 --costs %s/dear --quiet --out %s/by", folder, folder, folder),
        STATUS_OK);
    assert_holds("by/*/*/result.json", "\"points\": 1,");
    assert_holds("by/*/*/result.json", "relu.scalar/f32/n=5/");
    assert_int_equal(
        run("check --suite %s/some.json --shard 1/2 --costs %s/some.json --out %s/no", folder, folder, folder),
        STATUS_BAD_INPUT);
    assert_says("--costs: ");
}

static void what_is_missing_is_said(void **state) {
    assert_int_equal(merged("S1 S3"), STATUS_PARTIAL);
    assert_says("without shard 2 of 3, ");
    assert_says(" of 10 points; ");
    assert_says(" left");
    assert_holds("merged", "\"complete\": false");
}

static void what_is_there_twice_is_said(void **state) {
    assert_int_equal(merged("S1 S2 S1"), STATUS_BAD_INPUT);
    assert_says("shard 1 of 3 is both ");
    change("S1", "again", "r['run'].__setitem__('shard', None)");
    assert_int_equal(merged("again S1"), STATUS_BAD_INPUT);
    assert_says("is in two of the results, in ");
    assert_says(" points occur twice");
    change("S1", "again", "r['records'].append(r['records'][-1])");
    assert_int_equal(merged("again S2 S3"), STATUS_BAD_INPUT);
    assert_says("; 1 point occurs twice");
}

static void odd_files_are_told(void **state) {
    assert_int_equal(shell("mkfifo %s/pipe", folder), 0);
    assert_int_equal(merged("S1 pipe"), STATUS_BAD_INPUT); // at once, although nobody writes to it
    assert_says("pipe: expected a regular file");
    assert_int_equal(run("merge %s/S1 %s/S2 %s/S3 --out %s/pipe", folder, folder, folder, folder), STATUS_FAULT);
    assert_says("pipe: cannot be written: it exists and is not a regular file");
    assert_int_equal(shell("[ -p %s/pipe ]", folder), 0);
    assert_int_equal(run("merge %s/S1 %s/S2 %s/S3 --out %s/new/folder/all", folder, folder, folder, folder), STATUS_OK);
}

static void what_does_not_belong_together_is_refused(void **state) {
    static const struct {
        const char *change, *said;
    } cases[] = {
        {"r['run']['seed'] = '9'", "$.run.seed: expected '1' as in the first result, found '9'"},
        {"r['run']['suite'] = 'x'", "$.run.suite: expected 'some'"},
        {"r['device']['device_uuid'] = 'f' * 32", "$.device.device_uuid: expected '"},
        {"r['device']['driver_uuid'] = 'f' * 32", "$.device.driver_uuid: expected '"},
        {"r['tool']['git'] = 'x'", "$.tool.git: expected '"},
        {"r['tool']['version'] = '9'", "$.tool.version: expected '"},
        {"r['run']['shard']['count'] = 4", "this is shard 2 of 4, but the first result is one of 3"},
        {"r['run']['shard']['count'] = 10 ** 12", "this is shard 2 of 1000000000000, but the first result is one of 3"},
        {"r['run']['shard']['index'] = 4",
            "$.run.shard: expected an index from 1 to the count of shards, found 4 of 3"},
        {"r['run']['shard']['cut'] = '0' * 16", "the points were split differently"},
        {"r['records'][0].pop('dtype')", "$.records[0]"},
        {"r['records'][1]['status'] = 'x'", "$.records[1].status"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        change("S2", "other", cases[i].change);
        assert_int_equal(merged("S1 other S3"), STATUS_BAD_INPUT);
        assert_says(cases[i].said);
    }
    change("S2", "other", "r['tool']['git'] = 'x'");
    assert_int_equal(
        run("merge %s/S1 %s/other %s/S3 --allow-different --out %s/merged", folder, folder, folder, folder), STATUS_OK);
}

// Each host has its own device.
static void checks_of_devices_that_are_alike_may_be_merged(void **state) {
    static const struct {
        const char *change, *said;
    } cases[] = {
        {"r['device']['name'] = 'x'", "$.device.name: expected '"},
        {"r['device']['device_id'] += 1", "$.device.device_id: expected '"},
        {"r['device']['driver_version'] += 1", "$.device.driver_version: expected '"},
        {"r['device']['driver_uuid'] = 'f' * 32", "$.device.driver_uuid: expected '"},
        {"r['tool']['git'] = 'x'", "$.tool.git: expected '"},
        {"r['device']['device_uuid'] = 'f' * 32; r['records'][0]['time'] = {}", "and points are timed"},
    };
    char words[300];
    change("S2", "other", "r['device']['device_uuid'] = 'f' * 32");
    assert_int_equal(merged("S1 other S3"), STATUS_BAD_INPUT);
    assert_says("--alike merges checks of devices");
    snprintf(words, sizeof words, "%s/S1 %s/other %s/S3 --out %s/merged", folder, folder, folder, folder);
    assert_int_equal(run("merge --alike %s", words), STATUS_OK);
    assert_says("10 records of 3 results");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        change("S2", "other", cases[i].change);
        assert_int_equal(run("merge --alike %s", words), STATUS_BAD_INPUT);
        assert_says(cases[i].said);
    }
    assert_int_equal(run("merge --allow-different %s", words), STATUS_OK);
}

// A CPU device is its host's processor where times count.
static void checks_by_cpus_of_many_hosts_may_be_merged(void **state) {
    static const char cpu[] = "r['device']['kind'] = 'cpu'; r['host']['cpu'] = 'another'";
    char timed[200];
    snprintf(timed, sizeof timed, "%s; r['records'][0]['time'] = {}", cpu);
    change("S1", "one", "r['device']['kind'] = 'cpu'");
    change("S2", "other", cpu);
    assert_int_equal(merged("one other"), STATUS_PARTIAL);
    assert_says("without shard 3 of 3, ");
    change("S2", "other", timed);
    assert_int_equal(merged("one other"), STATUS_BAD_INPUT);
    assert_says("$.host.cpu: expected '");
    assert_says("and points are timed");
}

// Unread parts of a record must still be valid JSON.
static void a_record_that_is_broken_inside_is_refused(void **state) {
    assert_int_equal(shell("sed 's/\"judge_ns\": /\"judge_ns\": x/' %s/S2 >%s/other", folder, folder), 0);
    assert_int_equal(merged("S1 other S3"), STATUS_BAD_INPUT);
    assert_says("not JSON");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_them_are_the_whole),
        cmocka_unit_test(they_cost_alike),
        cmocka_unit_test(an_earlier_result_says_what_points_cost),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(what_is_there_twice_is_said),
        cmocka_unit_test(odd_files_are_told),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(checks_of_devices_that_are_alike_may_be_merged),
        cmocka_unit_test(checks_by_cpus_of_many_hosts_may_be_merged),
        cmocka_unit_test(a_record_that_is_broken_inside_is_refused),
    };
    return run_group_with_python(tests, make_shards, folder_remove);
}
