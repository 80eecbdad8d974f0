// SPDX-License-Identifier: Apache-2.0
// Lists devices with a misbehaving driver, and runs the real worker on this machine's devices.
#include "../protocol.h"
#include "session.h"

static bool list(struct scene *scene, struct device_info **devices, size_t *count, const char *script) {
    if (script)
        setenv("FAKE_DEVICES", script, 1);
    else
        unsetenv("FAKE_DEVICES");
    int before = open_descriptors();
    bool ok = supervise_devices(&scene->arena, scene->program, devices, count, NULL, &scene->err);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    return ok;
}

static void a_driver_that_misbehaves_is_an_error(void **state) {
    static const struct {
        const char *script, *quoted;
    } cases[] = {
        {"segv", "no answer, killed by SIGSEGV"},
        {"", "no answer, exit status 0"},
        {"error", "the loader says no"},
        {"garbage", "\"[]\" where a list of devices was expected"},
        {"{}", "\"{}\" where a list of devices was expected"},
        {"{\"type\": \"devices\"}", "expected a member \"devices\""},
        {"{\"type\": \"devices\", \"devices\": [{}]}", "device: $"},
    };
    struct scene scene;
    struct device_info *devices;
    size_t count;
    scene_open(&scene, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(list(&scene, &devices, &count, cases[i].script));
        assert_non_null(strstr(scene.err.text, cases[i].quoted));
    }
    assert_true(list(&scene, &devices, &count, "none"));
    assert_int_equal(count, 0);
    scene_close(&scene);
}

// Runs a point of the project's own kernels on the first device. The tests run in the repository's root.
static void the_true_worker_runs_a_point(void **state) {
    static const char *const folders[] = {"kernels"}, *const includes[] = {"kernels/include"},
                             *const names[] = {"relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1"};
    struct scene scene;
    struct device_info *devices;
    struct kernels kernels;
    size_t count;
    scene_open(&scene, "");
    assert_true(list(&scene, &devices, &count, NULL));
    assert_true(count > 0);
    device_rank(devices, count);
    struct session *session = &scene.session;
    session->device = &devices[0];
    session->kernel_folders = folders;
    session->kernel_folder_count = 1;
    session->options.include_folders = includes;
    session->options.include_count = 1;
    session->options.time = false;
    assert_true(kernels_load(&scene.arena, folders, 1, &kernels, &scene.err));
    assert_true(plan_from_names(
        &scene.arena, &kernels, session->device, names, 1, &session->options.settings, &session->plan, &scene.err));
    assert_true(scene_run(&scene));
    assert_int_equal(scene.outcome.count, 1);
    assert_string_equal(reason_at(&scene, 0), "");
    assert_string_equal(status_at(&scene, 0), "pass");
    scene_close(&scene);
}

// Returns the worker's messages until it has answered for both points, one word each: "at 0, record".
static const char *pair_answers(struct scene *scene, const char *name) {
    static char said[400];
    struct process process;
    struct message message = {0};
    const struct point point = {.name = name}, *sides[] = {&point, &point};
    const char *line;
    size_t length;
    said[0] = '\0';
    assert_true(process_start(scene->program, &process, &scene->err));
    message_send(&process, message_open(&scene->session, NULL), INT64_MAX);
    message_send(&process, message_points(MESSAGE_PAIR, sides, 2, NULL), INT64_MAX);
    for (int records = 0; records < 2;) {
        assert_int_equal(process_receive(&process, INT64_MAX, NULL, NULL, &line, &length), REPLY_LINE);
        message = message_read(line, length);
        if (message.type == MESSAGE_ERROR) fail_msg("%s", line);
        records += message.type == MESSAGE_RECORD;
        snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s", *said ? ", " : "",
            json_get_string(message.value, "type", ""));
        if (message.type == MESSAGE_AT)
            snprintf(
                said + strlen(said), sizeof said - strlen(said), " %d", (int)json_get_int(message.value, "index", -1));
        message_release(&message);
    }
    char how[PROCESS_HOW];
    process_end(&process, 10, how);
    return said;
}

// The signs of life let each side, and each session of both, take the full time limit.
static void a_pair_gives_signs_of_life(void **state) {
    static const char *const version[] = {"kernels", "kernels/include"};
    struct scene scene;
    struct device_info *devices;
    size_t count;
    scene_open(&scene, "");
    assert_true(list(&scene, &devices, &count, NULL));
    device_rank(devices, count);
    struct session *session = &scene.session;
    session->device = &devices[0];
    session->kernel_folder_count = 0;
    session->effect = 0.05;
    session->options.include_folders = version + 1; // of the kernels that measure the device
    session->options.include_count = 1;
    session->options.settings.point_seconds = 0.01;
    for (int v = 0; v < 2; v++) session->versions[v] = (struct version_files){version, 2};
    assert_string_equal(pair_answers(&scene, "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1"),
        "ready, at 0, at 1, at 2, at 2, at 2, at 2, record, record");
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return getenv("FAKE_DEVICES") ? fake_worker() : (int)worker_main();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_that_misbehaves_is_an_error),
        cmocka_unit_test(the_true_worker_runs_a_point),
        cmocka_unit_test(a_pair_gives_signs_of_life),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
