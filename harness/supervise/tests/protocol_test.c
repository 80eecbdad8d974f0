// SPDX-License-Identifier: Apache-2.0
// What one side writes, the other reads: every run option, the device, points, devices, errors.
#include "../protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The line that a message makes, taken over by the caller.
static char *line_of(struct json_object *message) {
    char *line = strdup(json_object_to_json_string_ext(message, JSON_C_TO_STRING_PLAIN));
    json_object_put(message);
    assert_non_null(line);
    assert_null(strchr(line, '\n'));
    return line;
}

static void a_configuration_arrives_whole(void **state) {
    (void)state;
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
            .cache_folder = "/cache",
            .wgsl_compiler = "naga",
            .interval_s = 0.25,
            .host_clock = true,
            .include_folders = includes,
            .include_count = 1,
            .timeout_s = 1.0 / 3}};
    struct arena arena = {0};
    struct error err = {0};
    struct configuration got;
    char *line = line_of(message_configuration(&session));
    assert_true(configuration_read(line, strlen(line), &arena, &got, &err));
    assert_false(got.describe);
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
                got.options.gpu_assisted);
    assert_string_equal(got.options.cache_folder, "/cache");
    assert_string_equal(got.options.wgsl_compiler, "naga");
    assert_true(got.options.interval_s == 0.25 && got.options.host_clock);
    assert_int_equal(got.options.include_count, 1);
    assert_string_equal(got.options.include_folders[0], "include");
    assert_true(got.options.timeout_s == 1.0 / 3);
    free(line);
    arena_free(&arena);
}

static void points_arrive(void **state) {
    (void)state;
    static const char *const peaks[] = {NULL, "copy_bytes_per_s", NULL};
    static const enum way ways[] = {WAY_FULL, WAY_CHECK, WAY_SAMPLE};
    for (size_t i = 0; i < 3; i++) {
        struct arena arena = {0};
        struct error err = {0};
        const char *name, *peak;
        enum way way;
        const struct point point = {.name = "relu.vec4/f32/n=1025/wg=64x1x1", .peak = peaks[i]};
        char *line = line_of(message_point(&point, ways[i]));
        assert_true(point_read(line, strlen(line), &arena, &name, &peak, &way, &err));
        assert_string_equal(name, "relu.vec4/f32/n=1025/wg=64x1x1");
        assert_int_equal(way, ways[i]);
        if (peaks[i])
            assert_string_equal(peak, peaks[i]);
        else
            assert_null(peak);
        free(line);
        arena_free(&arena);
    }
}

static void groups_arrive(void **state) {
    (void)state;
    struct point points[] = {{.name = "a"}, {.name = "b"}, {.name = "c", .peak = "copy_bytes_per_s"}};
    const char *got_names[2], *got_peaks[2];
    const struct plan plan = {points, 3};
    struct arena arena = {0};
    size_t count, at = 9;
    enum note note;
    char *line = line_of(message_group(&plan, (size_t[]){0, 2}, 2));
    assert_true(group_read(line, strlen(line), &arena, 2, got_names, got_peaks, &count));
    assert_int_equal(count, 2);
    assert_string_equal(got_names[1], "c");
    assert_null(got_peaks[0]);
    assert_string_equal(got_peaks[1], "copy_bytes_per_s");
    assert_false(group_read(line, strlen(line), &arena, 1, got_names, got_peaks, &count));
    free(line);
    for (int i = 0; i < NOTES; i++) {
        line = line_of(message_note((enum note)i, 2));
        assert_true(answer_note(line, strlen(line), 2, &note, &at));
        assert_int_equal(at, 2);
        assert_int_equal(note, i);
        assert_false(answer_note(line, strlen(line), 1, &note, &at));
        free(line);
    }
    assert_false(answer_note("{\"at\":1,\"name\":\"a\"}", 19, 2, &note, &at));
    assert_false(answer_note("{\"to\":1}", 8, 2, &note, &at));
    arena_free(&arena);
}

static void shaders_to_come_arrive(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b"};
    struct arena arena = {0};
    const char *const *got;
    size_t count;
    char *line = line_of(message_prefill(names, 2));
    assert_true(prefill_read(line, strlen(line), &arena, &got, &count));
    assert_int_equal(count, 2);
    assert_string_equal(got[1], "b");
    assert_false(prefill_read("{\"name\":\"a\"}", 12, &arena, &got, &count));
    free(line);
    arena_free(&arena);
}

static void what_is_no_message_is_refused(void **state) {
    (void)state;
    static const char *const lines[] = {"", "17", "[]", "{}", "{\"name\": 1}", "{\"name\": \"x\"} {}",
        "{\"name\": \"x\", \"way\": \"round\"}", "{\"name\": \"\xff\"}"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct arena arena = {0};
        struct error err = {0};
        struct configuration configuration;
        const char *name, *peak;
        enum way way;
        assert_false(point_read(lines[i], strlen(lines[i]), &arena, &name, &peak, &way, &err));
        assert_true(*err.text != '\0');
        assert_false(configuration_read(lines[i], strlen(lines[i]), &arena, &configuration, &err));
        assert_false(answer_ready(lines[i], strlen(lines[i]), &err));
        assert_null(answer_record(lines[i], strlen(lines[i]), "x", &err));
        arena_free(&arena);
    }
}

static void an_error_keeps_its_words_and_its_status(void **state) {
    (void)state;
    struct error sent = {.status = STATUS_NO_DEVICE, .text = "no \"driver\"\nis left \xff"}, got = {0};
    char *line = line_of(message_error(&sent));
    assert_false(answer_ready(line, strlen(line), &got));
    assert_int_equal(got.status, STATUS_NO_DEVICE);
    assert_string_equal(got.text, "no \"driver\"\nis left \xef\xbf\xbd");
    free(line);
}

static void devices_arrive(void **state) {
    (void)state;
    static const struct device_info two[] = {
        {.index = 0, .name = "one"}, {.index = 1, .name = "two", .kind = DEVICE_DISCRETE}};
    struct arena arena = {0};
    struct error err = {0};
    struct device_info *got;
    size_t count;
    char *line = line_of(message_devices(two, 2));
    assert_true(answer_devices(line, strlen(line), &arena, &got, &count, &err));
    assert_int_equal(count, 2);
    assert_string_equal(got[1].name, "two");
    assert_int_equal(got[1].kind, DEVICE_DISCRETE);
    free(line);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_configuration_arrives_whole),
        cmocka_unit_test(points_arrive),
        cmocka_unit_test(groups_arrive),
        cmocka_unit_test(shaders_to_come_arrive),
        cmocka_unit_test(what_is_no_message_is_refused),
        cmocka_unit_test(an_error_keeps_its_words_and_its_status),
        cmocka_unit_test(devices_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
