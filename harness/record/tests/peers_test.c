// SPDX-License-Identifier: Apache-2.0
// Times of other programs, and their records.
#include "../peers.h"
#include "../../base/file.h"
#include "../terms.h"
#include "../record.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Reads a text through a file of this process, removed afterwards.
static bool read_text(const char *text, struct peers *out, struct error *err) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/vkassay-peers-%ld.json", (long)getpid());
    assert_true(file_write(path, text, strlen(text), err));
    *err = (struct error){0};
    bool ok = peers_read(path, out, err);
    unlink(path);
    return ok;
}

#define FILE_OF(times)                                                                                                 \
    "{\"schema_version\": 1, \"peers\": [{\"name\": \"A\"}, {\"name\": \"B\"}], \"times\": [" times "]}"
#define TIME_OF(peer, dims) "{\"peer\": \"" peer "\", \"operator\": \"matmul\", \"dtype\": \"f32\", \"dims\": " dims
#define M3N5 "{\"m\": 3, \"n\": 5}"

static void a_time_is_of_the_record_with_all_its_dims(void **state) {
    struct error err = {0};
    struct peers peers;
    struct named_number dims[] = {{"n", 5}, {"m", 3}, {"eps", 0.5}};
    struct record record = {.operator= "matmul", .dtype = "f32", .dims = dims, .dim_count = 2};
    assert_true(read_text(FILE_OF(TIME_OF("B", M3N5) ", \"median_ns\": 7.5}"), &peers, &err));
    assert_int_equal(peers.count, 2);
    assert_true(isnan(peer_ns(&peers, 0, &record)));
    assert_true(peer_ns(&peers, 1, &record) == 7.5);
    record.dim_count = 3; // a parameter not at its default
    assert_true(isnan(peer_ns(&peers, 1, &record)));
    record.dim_count = 2;
    dims[0].value = 6;
    assert_true(isnan(peer_ns(&peers, 1, &record)));
    dims[0].value = 5;
    record.dtype = "f16";
    assert_true(isnan(peer_ns(&peers, 1, &record)));
    assert_true(isnan(peer_ns(NULL, 0, &record)));
    peers_free(&peers);
}

static void what_is_no_time_is_named_by_its_path(void **state) {
    static const char *const wrong[][2] = {{FILE_OF(TIME_OF("A", M3N5) ", \"median_ns\": 0}"), "$.times[0].median_ns"},
        {FILE_OF(TIME_OF("A", M3N5) "}"), "median_ns"},
        {FILE_OF(TIME_OF("A", "3") ", \"median_ns\": 1}"), "$.times[0].dims"}, {FILE_OF("7"), "$.times[0]"},
        {"{\"schema_version\": 2, \"peers\": [], \"times\": []}", "$.schema_version"},
        {"{\"peers\": []}", "schema_version"}, {"{\"schema_version\": 1, \"peers\": [3], \"times\": []}", "$.peers[0]"},
        {"{\"records\": []}", "a result"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error err = {0};
        struct peers peers;
        assert_false(read_text(wrong[i][0], &peers, &err));
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        if (!strstr(err.text, wrong[i][1])) fail_msg("\"%s\" is not in: %s", wrong[i][1], err.text);
        assert_null(peers.times);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_time_is_of_the_record_with_all_its_dims),
        cmocka_unit_test(what_is_no_time_is_named_by_its_path)};
    return cmocka_run_group_tests_name("peers", tests, NULL, NULL);
}
