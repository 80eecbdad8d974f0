// SPDX-License-Identifier: Apache-2.0
// Each side reads what the other writes: every run option, the device, points, devices and errors.
#include "../protocol.h"
#include "../../../device/device_info.h"
#include "../request.h"
#include "../../../../reference/tests/unit.h"

#include <stdlib.h>
#include <string.h>

// Returns the line of a message, which the call takes over.
static char *line_of(struct json_object *message) {
    char *line = strdup(json_object_to_json_string_ext(message, JSON_C_TO_STRING_PLAIN));
    json_object_put(message);
    assert_non_null(line);
    assert_null(strchr(line, '\n'));
    return line;
}

static void a_configuration_arrives_whole(void **state) {
    static const struct device_info device = {.index = 2,
        .name = "A \"device\"\n",
        .device_uuid = "00ff",
        .kind = DEVICE_CPU,
        .storage_range = (uint64_t)1 << 40};
    static const char *const folders[] = {"kernels", "my kernels/\xc3\xa9"}, *const includes[] = {"include"};
    const struct session session = {.device = &device,
        .kernel_folders = folders,
        .kernel_folder_count = 2,
        .options = {.settings = {.point_seconds = 0.1,
                        .precision = 0.02,
                        .least_samples = 3,
                        .most_samples = 4,
                        .longest_dispatch_s = 0.5,
                        .check_operations = 6e7,
                        .reference_seconds = 0.7,
                        .memory_share = 0.8,
                        .cold = true,
                        .some_shapes = 9},
            .seed = 0xfedcba9876543210u,
            .time = true,
            .validate = true,
            .gpu_assisted = true,
            .sanitize = true,
            .cache_folder = "/cache",
            .wgsl_compiler = "naga",
            .rewritten = "spirv-opt -O",
            .own_cores = "3,19",
            .build_from = 0.5,
            .interval_s = 0.25,
            .host_clock = true,
            .include_folders = includes,
            .include_count = 1,
            .timeout_s = 1.0 / 3},
        .versions = {{folders, 1}, {folders, 2}},
        .effect = 0.03};
    struct arena arena = {0};
    struct error err = {0};
    struct request got;
    char *line = line_of(message_open(&session, NULL));
    assert_true(request_read(line, strlen(line), &arena, &got, &err));
    assert_int_equal(got.type, MESSAGE_OPEN);
    assert_int_equal(got.device.index, 2);
    assert_string_equal(got.device.name, device.name);
    assert_string_equal(got.device.device_uuid, "00ff");
    assert_true(got.device.storage_range == device.storage_range);
    assert_int_equal(got.kernel_folder_count, 2);
    assert_string_equal(got.kernel_folders[1], folders[1]);
    const struct settings *a = &session.options.settings, *b = &got.options.settings;
    assert_true(a->point_seconds == b->point_seconds && a->precision == b->precision);
    assert_true(a->least_samples == b->least_samples && a->most_samples == b->most_samples);
    assert_true(a->longest_dispatch_s == b->longest_dispatch_s && a->check_operations == b->check_operations);
    assert_true(a->reference_seconds == b->reference_seconds && a->memory_share == b->memory_share);
    assert_true(b->cold && b->some_shapes == 9);
    assert_true(got.options.seed == session.options.seed && got.options.time && got.options.validate &&
                got.options.gpu_assisted && got.options.sanitize);
    assert_string_equal(got.options.cache_folder, "/cache");
    assert_string_equal(got.options.own_cores, "3,19");
    assert_true(got.options.build_from == 0.5);
    assert_string_equal(got.options.wgsl_compiler, "naga");
    assert_string_equal(got.options.rewritten, "spirv-opt -O");
    assert_true(got.options.interval_s == 0.25 && got.options.host_clock);
    assert_int_equal(got.options.include_count, 1);
    assert_string_equal(got.options.include_folders[0], "include");
    assert_true(got.options.timeout_s == 1.0 / 3);
    assert_true(got.effect == 0.03 && got.versions[0].count == 1 && got.versions[1].count == 2);
    assert_string_equal(got.versions[1].folders[1], folders[1]);
    free(line);
    arena_free(&arena);
}

static void points_arrive(void **state) {
    static const struct {
        enum message_type type;
        size_t most;
    } cases[] = {{MESSAGE_RUN, RUNNER_GROUP}, {MESSAGE_CHECK, 1}, {MESSAGE_SAMPLE, 1}, {MESSAGE_BUILD, RUNNER_PREFILL},
        {MESSAGE_PAIR, 2}, {MESSAGE_BASE, 1}, {MESSAGE_HEAD, 1}};
    static const struct point one = {.name = "a"}, peak = {.name = "b", .peak = "copy_bytes_per_s"};
    const struct point *points[RUNNER_PREFILL + 1];
    for (size_t i = 0; i <= RUNNER_PREFILL; i++) points[i] = i % 2 ? &one : &peak;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct error err = {0};
        struct request got;
        char *line = line_of(message_points(cases[i].type, points, cases[i].most, &one));
        assert_true(request_read(line, strlen(line), &arena, &got, &err));
        assert_int_equal(got.type, cases[i].type);
        assert_int_equal(got.count, cases[i].most);
        assert_string_equal(got.points[0].name, "b");
        assert_string_equal(got.points[0].peak, "copy_bytes_per_s");
        if (cases[i].type == MESSAGE_RUN)
            assert_string_equal(got.next, "a");
        else
            assert_null(got.next);
        for (size_t k = 1; k < got.count; k += 2) {
            assert_string_equal(got.points[k].name, "a");
            assert_null(got.points[k].peak);
        }
        free(line);
        line = line_of(message_points(cases[i].type, points, cases[i].most + 1, NULL));
        assert_false(request_read(line, strlen(line), &arena, &got, &err));
        assert_non_null(strstr(err.text, "request: $: expected at most"));
        free(line);
        arena_free(&arena);
    }
}

static void a_mutant_arrives_with_its_points(void **state) {
    static const struct point points[] = {{.name = "a"}, {.name = "b"}};
    struct arena arena = {0};
    struct error err = {0};
    struct request got;
    static const char *const names[] = {"constant.zero@x.comp:3#1", "constant.one@x.comp:3#1"};
    const struct mutant_set set = {points, 2, names, 2};
    char *line = line_of(message_mutant(&(struct mutant_of){names[0], &set}));
    assert_true(request_read(line, strlen(line), &arena, &got, &err));
    assert_int_equal(got.type, MESSAGE_MUTANT);
    assert_string_equal(got.mutant, names[0]);
    assert_int_equal(got.mutant_count, 2);
    assert_string_equal(got.mutants[1], names[1]);
    assert_int_equal(got.count, 2);
    assert_string_equal(got.points[1].name, "b");
    free(line);
    arena_free(&arena);
}

static void notes_arrive(void **state) {
    static const enum message_type notes[] = {MESSAGE_AT, MESSAGE_BUILT, MESSAGE_DIED};
    static const char *const others[] = {"{\"type\":\"at\"}", "{\"type\":\"at\",\"index\":-1}",
        "{\"type\":\"ready\",\"index\":1}", "{\"index\":1}", "{\"type\":\"to\",\"index\":1}", "[1]", "at"};
    struct message message;
    size_t index = 9;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        char *line = line_of(message_note(notes[i], 2));
        message = message_read(line, strlen(line));
        assert_int_equal(message.type, notes[i]);
        assert_true(message_get_note(&message, 2, &index));
        assert_int_equal(index, 2);
        assert_false(message_get_note(&message, 1, &index));
        message_release(&message);
        free(line);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        message = message_read(others[i], strlen(others[i]));
        assert_false(message_get_note(&message, 2, &index));
        message_release(&message);
    }
}

static void what_is_no_message_is_refused(void **state) {
    static const char *const lines[] = {"", "17", "[]", "{}", "{\"type\": 1}", "{\"type\": \"round\"}",
        "{\"type\": \"check\"}", "{\"type\": \"check\", \"points\": []}", "{\"type\": \"open\"} {}",
        "{\"type\": \"check\", \"points\": [{\"name\": 1}]}",
        "{\"type\": \"check\", \"points\": [{\"name\": \"\xff\"}]}", "{\"type\": \"open\", \"device\": {}}",
        "{\"type\": \"record\", \"record\": {}}"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct arena arena = {0};
        struct error err = {0};
        struct request request;
        assert_false(request_read(lines[i], strlen(lines[i]), &arena, &request, &err));
        assert_true(*err.text != '\0');
        struct message message = message_read(lines[i], strlen(lines[i]));
        assert_false(message_expect(&message, MESSAGE_READY, &err));
        assert_null(message_get_record(&message, "x", &err));
        message_release(&message);
        arena_free(&arena);
    }
}

static void an_error_keeps_its_words_and_its_status(void **state) {
    struct error sent = {.status = STATUS_NO_DEVICE, .text = "no \"driver\"\nis left \xff"}, got = {0};
    char *line = line_of(message_error(&sent));
    struct message message = message_read(line, strlen(line));
    assert_false(message_expect(&message, MESSAGE_READY, &got));
    assert_int_equal(got.status, STATUS_NO_DEVICE);
    assert_string_equal(got.text, "no \"driver\"\nis left \xef\xbf\xbd");
    message_release(&message);
    free(line);
}

static void devices_arrive(void **state) {
    static const struct device_info two[] = {
        {.index = 0, .name = "one"}, {.index = 1, .name = "two", .kind = DEVICE_DISCRETE}};
    struct arena arena = {0};
    struct error err = {0};
    struct device_info *got;
    size_t count;
    char *line = line_of(message_devices(two, 2, true));
    struct message message = message_read(line, strlen(line));
    assert_true(message_get_devices(&message, &arena, &got, &count, &err));
    assert_true(message_get_validates(&message));
    assert_int_equal(count, 2);
    assert_string_equal(got[1].name, "two");
    assert_int_equal(got[1].kind, DEVICE_DISCRETE);
    message_release(&message);
    free(line);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_configuration_arrives_whole),
        cmocka_unit_test(points_arrive),
        cmocka_unit_test(a_mutant_arrives_with_its_points),
        cmocka_unit_test(notes_arrive),
        cmocka_unit_test(what_is_no_message_is_refused),
        cmocka_unit_test(an_error_keeps_its_words_and_its_status),
        cmocka_unit_test(devices_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
