// SPDX-License-Identifier: Apache-2.0
#include "../../base/file.h"
#include "../../base/tests/folder.h"
#include "../../base/tests/within.h"
#include "../../base/tests/needs.h"
#include "sample_record.h"
#include "../journal.h"
#include "../record.h"
#include "../terms.h"
#include "../../truth/stats/summary.h"
#include "../../device/device_info.h"
#include "../../../reference/tests/unit.h"
#include "../../device/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct device_info device = {.name = "made-up device",
    .device_uuid = "000102030405060708090a0b0c0d0e0f",
    .driver_uuid = "f0e0d0c0b0a090807060504030201000",
    .api_version = 1u << 22 | 3u << 12 | 230,
    .max_invocations = 1024,
    .timestamp_period_ns = 1.5,
    .timestamp_bits = 64,
    .heaps = {{1u << 30, true}},
    .heap_count = 1};

static struct json_object *context(void) {
    char *argv[] = {
        "/home/alice/vkassay/build/vkassay", "bench", "--out=/home/alice/results", "/home/alicent", "a\xff", NULL};
    const struct run_start start = {.argc = 5,
        .argv = argv,
        .suite = "quick",
        .suite_file = "/home/alice/quick.json",
        .started = "2026-01-02T03:04:05Z",
        .seed = 18446744073709551615u,
        .shard_index = 2,
        .shard_count = 3};
    setenv("HOME", "/home/alice/", 1);
    return context_make(&device, &start);
}

// Returns the first line that a command prints; an empty one if it prints nothing.
static const char *line_of(const char *command) {
    static char line[300];
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    if (!fgets(line, sizeof line, pipe)) *line = '\0';
    pclose(pipe);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static void the_host_is_as_other_programs_see_it(void **state) {
    struct json_object *all = context(), *host = json_get(all, "host");
    const char *cpu = line_of("sed -n 's/^model name[ \t]*:[ \t]*//p' /proc/cpuinfo");
    assert_string_equal(json_get_string(host, "cpu", ""), *cpu ? cpu : line_of("uname -m"));
    assert_string_equal(json_get_string(host, "os", ""), line_of("uname -s"));
    assert_string_equal(json_get_string(host, "kernel", ""), line_of("uname -r"));
    assert_string_equal(json_get_string(host, "machine", ""), line_of("uname -m"));
    assert_int_equal(json_get_int(host, "cores", 0), atol(line_of("getconf _NPROCESSORS_ONLN")));
    const int64_t page = atol(line_of("getconf PAGESIZE"));
    assert_int_equal(json_get_int(host, "memory_bytes", 0), page * atol(line_of("getconf _PHYS_PAGES")));
    json_object_put(all);
}

// Returns the JSON of a record under another name: no two of a result have one.
static struct json_object *renamed(const struct record *record, int number) {
    char name[400];
    struct record other = *record;
    snprintf(name, sizeof name, "%s,NUMBER=%d", record->name, number);
    other.name = name;
    return record_to_json(&other, true);
}

static struct json_object *serving(const char *peak, enum record_status status, double median, double amount) {
    static int number;
    struct record r = sample_record();
    r.peak = peak;
    r.status = status;
    for (int f = 0; f < FIGURE_COUNT; f++) {
        r.time[f].median = r.time[f].lo = r.time[f].hi = median * (f + 1); // compute 1, upload 2, download 3 times
        r.samples[f] = NULL;
    }
    r.flops = amount;
    r.bytes = 2 * amount;
    r.upload_bytes = 3 * amount;
    r.download_bytes = 4 * amount;
    return renamed(&r, ++number);
}

static void release(struct json_object **objects, size_t count) {
    for (size_t i = 0; i < count; i++) json_object_put(objects[i]);
}

static void assert_near(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-12 * fabs(expected))) print_error("%.17g, not %.17g\n", found, expected);
    assert_true(fabs(found - expected) <= 1e-12 * fabs(expected));
}

static void test_peaks(void **state) {
    struct json_object *records[] = {
        serving("copy_bytes_per_s", RECORD_PASS, 1000, 500), // 1000 bytes in 1 us
        serving("copy_bytes_per_s", RECORD_PASS, 500, 1000), // 2000 bytes in 0.5 us: the best
        serving("copy_bytes_per_s", RECORD_FAIL, 1, 1e9),    // wrong: cannot win
        serving("copy_bytes_per_s", RECORD_PASS, 1000, 600),
        serving("fma_f32_flops_per_s", RECORD_PASS, 100, 5e6),
        serving("host_to_device_bytes_per_s", RECORD_PASS, 1000, 1000), // 3000 bytes in 2 us
        serving("device_to_host_bytes_per_s", RECORD_PASS, 1000, 1000), // 4000 bytes in 3 us
        serving("empty_dispatch_ns", RECORD_PASS, 1500, 0),
        serving("empty_dispatch_ns", RECORD_PASS, 1250, 0),
        serving("submit_ns", RECORD_PASS, 100, 0), // submit is the sixth figure
        serving("read_bytes_per_s", RECORD_ERROR, 1000, 500),
        serving("a_peak_of_no_known_kind", RECORD_PASS, 1000, 500),
        serving(NULL, RECORD_PASS, 1, 1e9),
    };
    enum { COUNT = sizeof records / sizeof *records };
    struct json_object *about = context();
    struct result result;
    struct error err = {0};
    assert_true(result_write(in_folder("peaks.json"), about, records, COUNT, NULL, 1.5, false, &err));
    assert_true(result_read(in_folder("peaks.json"), &result, &err));
    assert_near(result_peak(&result, "copy_bytes_per_s"), 2000 / 0.5e-6);
    assert_near(result_peak(&result, "fma_f32_flops_per_s"), 5e6 / 100e-9);
    assert_near(result_peak(&result, "host_to_device_bytes_per_s"), 3000 / 2e-6);
    assert_near(result_peak(&result, "device_to_host_bytes_per_s"), 4000 / 3e-6);
    assert_near(result_peak(&result, "empty_dispatch_ns"), 1250);
    assert_near(result_peak(&result, "submit_ns"), 600);
    assert_true(isnan(result_peak(&result, "read_bytes_per_s"))); // planned, not measured
    assert_true(isnan(result_peak(&result, "a_peak_of_no_known_kind")));
    assert_true(isnan(result_peak(&result, "unheard_of")));
    assert_int_equal(json_get_int(json_get(result.context, "counts"), "pass", -1), COUNT - 2);
    assert_int_equal(json_get_int(json_get(result.context, "counts"), "fail", -1), 1);
    assert_int_equal(json_get_int(json_get(result.context, "counts"), "crash", -1), 0);
    result_free(&result);
    json_object_put(about);
    release(records, COUNT);
    assert_string_equal(peak_unit("copy_bytes_per_s"), "B/s");
    assert_string_equal(peak_unit("fma_f16_flops_per_s"), "FLOP/s");
    assert_string_equal(peak_unit("empty_dispatch_ns"), "ns");
    assert_null(peak_unit("copy"));
}

// A time keeps its ends, and a rate exchanges them: the longest time is the lowest rate.
static void test_ends_of_a_peak(void **state) {
    struct record r = sample_record();
    struct peak_figure figure = {0};
    r.status = RECORD_PASS, r.bytes = 6000, r.peak = "copy_bytes_per_s";
    r.time[FIGURE_COMPUTE] = (struct summary){.median = 100, .lo = 80, .hi = 150, .q1 = 90, .q3 = 120, .samples = 9};
    assert_true(peak_figure(&r, &figure));
    assert_near(figure.value, 6e10);
    assert_near(figure.lo, 4e10);
    assert_near(figure.hi, 7.5e10);
    r.peak = "empty_dispatch_ns";
    assert_true(peak_figure(&r, &figure));
    assert_true(figure.value == 100 && figure.lo == 80 && figure.hi == 150);
    r.status = RECORD_FAIL;
    assert_false(peak_figure(&r, &figure));
    r.status = RECORD_PASS, r.time[FIGURE_COMPUTE].median = 0;
    assert_false(peak_figure(&r, &figure));
    r.peak = "a_peak_of_no_known_kind", r.time[FIGURE_COMPUTE].median = 1;
    assert_false(peak_figure(&r, &figure));
}

// Reads a result with this change of its only record.
static void assert_hostile(const char *change, const char *to, const char *why) {
    struct arena arena = {0};
    struct record r = sample_record();
    struct json_object *records[] = {record_to_json(&r, true)}, *about = context();
    struct result result;
    struct error err = {0};
    assert_true(result_write(in_folder("hostile.json"), about, records, 1, NULL, 1, false, &err));
    char *text = file_read(&arena, in_folder("hostile.json"), NULL, &err), *at = strstr(text, change);
    assert_non_null(at);
    const char *changed = arena_format(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(change));
    assert_true(file_write(in_folder("hostile.json"), changed, strlen(changed), &err));
    assert_false(result_read(in_folder("hostile.json"), &result, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    if (!strstr(err.text, why)) fail_msg("%s: %s", change, err.text);
    json_object_put(about);
    release(records, 1);
    arena_free(&arena);
}

static void figures_that_contradict_each_other_are_refused(void **state) {
    assert_hostile("\"median_ns\":", "\"median_ns\":9", "expected a median of compute from lo ");
    assert_hostile("\"checked\":", "\"checked\":77777", "expected at most ");
    assert_hostile("\"checked\":", "\"checked\":1,\"checked\":", "an object has this member twice");
}

// Returns whether a byte belongs to the name of a checksum: another name is none, and what it protects is unchanged.
static bool is_in_sum_name(const char *text, size_t at) {
    const char *name = "\"" LINE_SUM "\"";
    const size_t from = at > strlen(name) ? at - strlen(name) : 0;
    const char *found = strstr(text + from, name);
    return found && found < text + at && text + at < found + strlen(name);
}

// Flips a bit of each byte in turn: of the head, of a record and of the end.
static void a_flipped_bit_of_a_line_is_noticed(void **state) {
    struct arena arena = {0};
    struct record r = sample_record();
    struct json_object *records[] = {record_to_json(&r, false), renamed(&r, 1)}, *about = context();
    struct result result;
    struct error err = {0};
    size_t length;
    assert_true(result_write(in_folder("flipped"), about, records, 2, NULL, 1, false, &err));
    char *text = file_read(&arena, in_folder("flipped"), &length, &err);
    for (size_t i = 0; i < length - 1; i += 7) { // a torn last line is an unfinished run
        if (is_in_sum_name(text, i)) continue;
        text[i] = (char)(text[i] ^ 1 << i % 7);
        assert_true(file_write(in_folder("flipped"), text, length, &err));
        if (result_read(in_folder("flipped"), &result, &err))
            fail_msg("byte %zu: %.40s", i, text + (i < 20 ? 0 : i - 20));
        text[i] = (char)(text[i] ^ 1 << i % 7);
    }
    json_object_put(about);
    release(records, 2);
    arena_free(&arena);
}

static void a_point_twice_is_refused(void **state) {
    struct record r = sample_record();
    struct json_object *records[] = {record_to_json(&r, true), record_to_json(&r, true)}, *about = context();
    struct result result;
    struct error err = {0};
    assert_true(result_write(in_folder("twice"), about, records, 2, NULL, 1, false, &err));
    assert_false(result_read(in_folder("twice"), &result, &err));
    if (!strstr(err.text, "occurs twice")) fail_msg("%s", err.text);
    json_object_put(about);
    release(records, 2);
}

static void test_write_and_read(void **state) {
    struct record r = sample_record();
    struct json_object *records[] = {record_to_json(&r, true), renamed(&r, 1)};
    for (int trimmed = 0; trimmed <= 1; trimmed++) {
        struct json_object *about = context();
        struct result result;
        struct error err = {0};
        assert_true(result_write(in_folder("result.json"), about, records, 2, NULL, 12.25, trimmed, &err));
        assert_null(json_get(about, "records"));
        assert_true(result_read(in_folder("result.json"), &result, &err));
        assert_int_equal(result.count, 2);
        assert_string_equal(result.records[0].name, r.name);
        assert_true((result.records[1].samples[0] == NULL) == trimmed);
        assert_int_equal(result.records[1].time[0].samples, 4);
        assert_string_equal(result.device->name, "made-up device");
        assert_true(json_get_double(json_get(result.context, "run"), "wall_s", 0) == 12.25);
        assert_null(json_get(result.context, "records"));
        result_free(&result);
        json_object_put(about);
    }
    assert_non_null(json_get(json_get(json_get(records[0], "time"), "compute"), "raw_ns")); // the records stay whole
    release(records, 2);
}

static void test_context(void **state) {
    struct json_object *about = context(), *run = json_get(about, "run"), *argv = json_get(run, "argv");
    static const char *const expected[] = {"vkassay", "bench", "--out=~/results", "/home/alicent", "a\xef\xbf\xbd"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(json_object_get_string(json_object_array_get_idx(argv, i)), expected[i]);
    assert_string_equal(json_get_string(run, "suite_file", ""), "~/quick.json");
    assert_string_equal(json_get_string(run, "seed", ""), "18446744073709551615");
    assert_int_equal(json_get_int(json_get(run, "shard"), "index", 0), 2);
    assert_true(json_get_int(json_get(about, "host"), "memory_bytes", 0) > 1 << 20);
    assert_true(json_get_int(json_get(about, "host"), "cores", 0) >= 1);
    char host[256];
    assert_int_equal(gethostname(host, sizeof host), 0);
    assert_null(json_get(json_get(about, "host"), "name"));
    assert_string_equal(json_get_string(json_get(about, "tool"), "name", ""), "vkassay");
    json_object_put(about);
}

// Only at the start of a path, and only the whole name of the folder.
static void homes_are_found_where_paths_begin(void **state) {
    static const struct {
        const char *home, *word, *recorded;
    } words[] = {
        {"/a", "/b/a/k", "/b/a/k"},
        {"/a", "/a/k", "~/k"},
        {"/a/", "/a/k", "~/k"},
        {"/a", "/a", "~"},
        {"/a", "k/a", "k/a"},
        {"/a", "/a/a/a", "~/a/a"},
        {"/a", "--out=/a/o", "--out=~/o"},
        {"/a", "/a/tint --format spirv -I/a/x -o %o %i", "~/tint --format spirv -I/a/x -o %o %i"},
        {"/a", "python3 /a/naga.py --config=/a/c", "python3 ~/naga.py --config=~/c"},
        {"/a", "matmul.*/f32/m=512,n=512", "matmul.*/f32/m=512,n=512"},
        {"/home/al", "/home/alice/k", "/home/alice/k"},
        {"/home/al", "/home/al", "~"},
        {"/home/al", "/home/al-2/k", "/home/al-2/k"},
        {"/a", "~/k", "~~/k"}, // a folder of this name
        {"/a", "~", "~~"},
        {"/a", "~a/b~/~", "~~a/b~/~"},
        {"/a", "--out=~/o ~~", "--out=~~/o ~~~"},
        {"/a=", "/a=/a=/k", "~/a=/k"},
        {"/", "/k", "/k"},
        {"", "/k", "/k"},
        {"k", "k/l", "k/l"},
        {"/a", "", ""},
    };
    struct arena arena = {0};
    struct error err;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        setenv("HOME", words[i].home, 1);
        struct json_object *recorded = home_path_to_json(words[i].word);
        assert_string_equal(json_object_get_string(recorded), words[i].recorded);
        assert_string_equal(home_path_read(&arena, words[i].recorded, &err), words[i].word);
        json_object_put(recorded);
    }
    setenv("HOME", "/elsewhere", 1);
    assert_string_equal(home_path_read(&arena, "~/k", &err), "/elsewhere/k");
    unsetenv("HOME");
    assert_string_equal(home_path_read(&arena, "~~/k b~/c", &err), "~/k b~/c");
    assert_null(home_path_read(&arena, "--suite=~/k", &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "'--suite=~/k'"));
    arena_free(&arena);
}

static void refused(const char *content, const char *why) {
    struct result result;
    struct error err = {0};
    FILE *file = fopen(in_folder("bad.json"), "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    assert_false(result_read(in_folder("bad.json"), &result, &err));
    if (!strstr(err.text, why)) print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, why));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
}

static void test_refused(void **state) {
    struct result result;
    struct error err;
    assert_false(result_read(in_folder("missing.json"), &result, &err));
    refused("", "end of the file");
    refused("{", "end of the file");
    refused("[]", "expected object, found array");
    refused("{}", "schema_version");
    refused("{\"schema_version\": 3}", "$.schema_version: expected an integer from 2 to 2, found 3");
    refused("{\"schema_version\": 1, \"records\": [{}]}", "$.schema_version: expected an integer from 2 to 2, found 1");
    refused("{\"schema_version\": 2}", "expected a member \"tool\"");
    // A good result with one bad record.
    struct record r = sample_record();
    struct json_object *records[] = {record_to_json(&r, true), renamed(&r, 1)}, *about = context();
    json_put_string(records[1], "repeats", "many");
    assert_true(result_write(in_folder("bad.json"), about, records, 2, NULL, 1, false, &err));
    assert_false(result_read(in_folder("bad.json"), &result, &err));
    assert_non_null(strstr(err.text, "bad.json: $.records[1].repeats: expected int, found string"));
    release(records, 2);
    json_object_put(about);
}

static int schema_check(const char *python, const char *name) {
    return python_run(python, "harness/record/tests/schema_check.py", in_folder(name));
}

// An independent validator reads the written file: a record of every status, with and without its parts.
static void test_schema(void **state) {
    struct json_object *records[RECORD_STATUS_COUNT + 2], *about = context();
    struct error err = {0};
    struct record r = sample_record();
    for (int status = 0; status < RECORD_STATUS_COUNT; status++) {
        r.status = (enum record_status)status;
        r.reason = status == RECORD_PASS ? NULL : "a reason";
        records[status] = record_to_json(&r, status % 2);
    }
    r.check.worst_ratio = r.check.p99_ulp = INFINITY;
    r.check.got = NAN;
    records[RECORD_STATUS_COUNT] = record_to_json(&r, false);
    const struct record bare = {.name = "n/f32/n=1/wg=1x1x1",
        .case_length = strlen("n/f32/n=1"),
        .operator= "o",
        .kernel = "k",
        .dtype = "f32",
        .wg = {1, 1, 1},
        .status = RECORD_CRASH,
        .reason = "signal 11",
        .drift = NAN,
        .reference = {.ns = NAN, .scale = NAN}};
    records[RECORD_STATUS_COUNT + 1] = record_to_json(&bare, true);
    assert_true(result_write(in_folder("schema.json"), about, records, RECORD_STATUS_COUNT + 2, NULL, 1, false, &err));
    release(records, RECORD_STATUS_COUNT + 2);
    json_object_put(about);
    const char *python = needs_python("jsonschema");
    assert_int_equal(schema_check(python, "schema.json"), 0);
    // The validator must find one wrong kind, one extra member and one missing member.
    struct json_object *result = json_read(in_folder("schema.json"), &err), *records_back = json_get(result, "records");
    struct json_object *first = json_object_array_get_idx(records_back, 0);
    json_put_string(first, "repeats", "many");
    assert_true(json_write(in_folder("kind.json"), result, true, &err));
    json_put_int(first, "repeats", 1);
    json_put_int(first, "repeat", 1);
    assert_true(json_write(in_folder("more.json"), result, true, &err));
    json_object_object_del(first, "repeat");
    json_object_object_del(first, "cost");
    assert_true(json_write(in_folder("less.json"), result, true, &err));
    json_object_put(result);
    assert_int_not_equal(schema_check(python, "kind.json 2>/dev/null"), 0);
    assert_int_not_equal(schema_check(python, "more.json 2>/dev/null"), 0);
    assert_int_not_equal(schema_check(python, "less.json 2>/dev/null"), 0);
}

static size_t occurrences(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) count++;
    return count;
}

// The head, each record and the end are lines of their own. A document has the same texts.
static void a_result_is_lines_or_a_document(void **state) {
    struct record r = sample_record();
    struct json_object *records[] = {record_to_json(&r, true), renamed(&r, 1)}, *about = context();
    struct json_object *parts = json_object_new_array();
    struct arena arena = {0};
    struct error err = {0};
    json_object_array_add(parts, record_to_json(&r, false));
    for (size_t count = 0; count <= 2; count += 2) {
        assert_true(result_write(in_folder("lines"), about, records, count, parts, 1, false, &err));
        assert_true(result_write(in_folder("whole.json"), about, records, count, parts, 1, false, &err));
        const char *lines = file_read(&arena, in_folder("lines"), NULL, &err);
        const char *whole = file_read(&arena, in_folder("whole.json"), NULL, &err);
        assert_int_equal(occurrences(lines, "\n"), count + 3);
        assert_int_equal(occurrences(lines, "\n{\"name\":"), count);
        assert_non_null(strstr(lines, "\n{\"part\":{\"name\":"));
        const char *end = arena_format(&arena, "}\n{\"end\":{\"records\":%zu}}\n", count);
        assert_string_equal(lines + strlen(lines) - strlen(end), end);
        assert_null(strchr(whole, '\n'));
        assert_null(strstr(whole, "{\"part\":{"));
        const size_t head = strcspn(lines, "\n") - strlen(",\"crc32\":\"01234567\"}");
        assert_memory_equal(whole, lines, head);
        assert_memory_equal(whole + head, ",\"records\":[", strlen(",\"records\":["));
        for (int document = 0; document <= 1; document++) {
            struct result result;
            assert_true(result_read(in_folder(document ? "whole.json" : "lines"), &result, &err));
            assert_int_equal(result.count, count);
            assert_true(whole_is(json_get(result.context, "run")));
            result_free(&result);
        }
    }
    release(records, 2);
    json_object_put(parts);
    json_object_put(about);
    arena_free(&arena);
}

// Older files had a line for each sample, and other programs use other layouts.
static void any_layout_is_read(void **state) {
    struct record r = sample_record();
    struct json_object *records[] = {record_to_json(&r, true)}, *about = context();
    struct error err = {0};
    assert_true(result_write(in_folder("now.json"), about, records, 1, NULL, 1, false, &err));
    struct json_object *whole = json_read(in_folder("now.json"), &err);
    for (int pretty = 0; pretty <= 1; pretty++) {
        struct result result;
        assert_true(json_write(in_folder("then.json"), whole, pretty, &err));
        assert_true(result_read(in_folder("then.json"), &result, &err));
        assert_int_equal(result.count, 1);
        assert_memory_equal(
            result.records[0].samples[FIGURE_COMPUTE], sample_values[FIGURE_COMPUTE], 4 * sizeof(double));
        assert_null(result.records[0].samples[FIGURE_UPLOAD]); // counted, not kept
        assert_int_equal(result.records[0].time[FIGURE_UPLOAD].samples, 4);
        result_free(&result);
    }
    // A figure that is not kept must still have the stated number of samples.
    struct json_object *record = json_object_array_get_idx(json_get(whole, "records"), 0);
    json_put_int(json_get(json_get(record, "time"), "upload"), "samples", 5);
    assert_true(json_write(in_folder("then.json"), whole, true, &err));
    struct result result;
    assert_false(result_read(in_folder("then.json"), &result, &err));
    assert_non_null(strstr(err.text, "then.json: $.records[0].time.upload.raw_ns: expected the count of"));
    json_object_put(whole);
    release(records, 1);
    json_object_put(about);
}

// Points beyond a profile are skipped by name, the peaks of the device stay, and so do points that were skipped.
static void a_result_is_held_to_a_profile(void **state) {
    struct needs needs = {.limits.max_invocations = 512};
    struct device_info large = {.max_invocations = 1024, .max_size = {1024, 1024, 64}};
    struct record records[4];
    for (int i = 0; i < 4; i++) {
        records[i] = sample_record();
        records[i].status = i == 2 ? RECORD_SKIP : RECORD_PASS;
        records[i].reason = i == 2 ? "before" : NULL;
        records[i].peak = i == 1 ? "copy_bytes_per_s" : NULL;
        records[i].refusal = NULL;
        records[i].needs = &needs;
    }
    static const struct needs few = {.limits.max_invocations = 256};
    records[3].needs = &few;
    struct profile web, none = {0};
    struct error err;
    assert_true(profile_find("webgpu", &web, &err));
    struct result result = {.records = records, .count = 4, .device = &large};
    result_clamp(&result, NULL);
    result_clamp(&result, &none);
    assert_int_equal(records[0].status, RECORD_PASS);
    assert_int_equal(large.max_invocations, 1024);
    assert_false(record_keeps_to(&records[0], &web));
    assert_true(record_keeps_to(&records[3], &web));
    result_clamp(&result, &web);
    assert_int_equal(large.max_invocations, 256);
    assert_int_equal(records[0].status, RECORD_SKIP);
    assert_int_equal(records[0].refusal->kind, REFUSAL_PROFILE_LIMIT);
    assert_string_equal(records[0].reason, "max_invocations is 512; the profile webgpu allows 256");
    assert_int_equal(records[1].status, RECORD_PASS);
    assert_string_equal(records[2].reason, "before");
    assert_int_equal(records[3].status, RECORD_PASS);
    arena_free(&result.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peaks),
        cmocka_unit_test(test_ends_of_a_peak),
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(figures_that_contradict_each_other_are_refused),
        cmocka_unit_test(a_point_twice_is_refused),
        cmocka_unit_test(a_flipped_bit_of_a_line_is_noticed),
        cmocka_unit_test(test_context),
        cmocka_unit_test(the_host_is_as_other_programs_see_it),
        cmocka_unit_test(homes_are_found_where_paths_begin),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_schema),
        cmocka_unit_test(a_result_is_lines_or_a_document),
        cmocka_unit_test(any_layout_is_read),
        cmocka_unit_test(a_result_is_held_to_a_profile),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
