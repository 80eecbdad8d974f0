// SPDX-License-Identifier: Apache-2.0
// Runs that are cut short, by signals, by the loss of the supervisor or in the middle of a line,
// and go on.
#include "../../base/clock.h"
#include "../../base/tests/within.h"
#include "session.h"

// Runs the session in a process of its own: the exit status is what became of it.
enum { ENDED = 0, ENDED_INTERRUPTED = 10, ENDED_FAILED = 20 };
static pid_t run_aside(struct scene *scene) {
    pid_t pid = fork();
    if (pid) return pid;
    signal(SIGINT, SIG_DFL); // ignored where the tests run in a shell's background
    scene->session.context = scene_context("7");
    bool ok = supervise_run(&scene->arena, &scene->session, &scene->outcome, &scene->err);
    _exit(!ok ? ENDED_FAILED : scene->outcome.interrupted ? ENDED_INTERRUPTED + (int)scene->outcome.count : ENDED);
}

static void wait_until_logged(const struct scene *scene, const char *word) {
    for (int i = 0; i < 500 && !logged(scene, word); i++) usleep(10000);
    assert_true(logged(scene, word) > 0);
}

// The newest worker's process.
static pid_t last_worker(const struct scene *scene) {
    char line[400];
    int pid = 0;
    FILE *log = fopen(scene->log, "r");
    while (log && fgets(line, sizeof line, log)) sscanf(line, "%d", &pid);
    if (log) fclose(log);
    return pid;
}

// Gone, or dead and not yet collected by whoever inherits it.
static bool is_dead(pid_t pid) {
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return true;
    if (fscanf(file, "%*d %*s %c", &state) != 1) state = 'Z';
    fclose(file);
    return state == 'Z' || state == 'X';
}

static bool dies_within(pid_t pid, double seconds) {
    int64_t until = clock_ns() + (int64_t)(seconds * 1e9);
    while (!is_dead(pid))
        if (clock_ns() > until)
            return false;
        else
            usleep(5000);
    return true;
}

static void resume(struct scene *scene) {
    scene->session.resume = true;
    assert_true(scene_run(scene));
}

// Every point once, each with its expected status; the journal has no more.
static void assert_whole(const struct scene *scene, const char *const *statuses) {
    assert_int_equal(scene->outcome.count, scene->session.plan.count);
    for (size_t i = 0; i < scene->outcome.count; i++) {
        assert_string_equal(json_get_string(scene->outcome.records[i], "name", ""), scene->session.plan.points[i].name);
        assert_string_equal(status_at(scene, i), statuses[i]);
    }
    assert_int_equal(journal_lines(scene), 1 + scene->session.plan.count);
}

static void an_interrupt_keeps_what_there_is(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        struct scene scene;
        int status;
        scene_open(&scene, "pass segv hang_once pass2");
        pid_t pid = run_aside(&scene);
        wait_until_logged(&scene, "fake.hang_once");
        pid_t worker = last_worker(&scene);
        int64_t start = clock_ns();
        kill(pid, signals[i]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(clock_ns() - start < 2000000000);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), ENDED_INTERRUPTED + 2);
        assert_true(is_dead(worker));
        // The point that was stopped is no timeout: it is run again.
        resume(&scene);
        assert_whole(&scene, (const char *const[]){"pass", "crash", "pass", "pass"});
        assert_int_equal(logged(&scene, "fake.segv"), 1);
        scene_close(&scene);
    }
}

// The point that runs may finish.
static void an_interrupt_lets_a_quick_point_finish(void **state) {
    (void)state;
    struct scene scene;
    int status;
    scene_open(&scene, "pass slow pass");
    pid_t pid = run_aside(&scene);
    wait_until_logged(&scene, "fake.slow");
    kill(pid, SIGINT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), ENDED_INTERRUPTED + 2);
    scene_close(&scene);
}

static void a_second_interrupt_ends_at_once(void **state) {
    (void)state;
    struct scene scene;
    int status;
    scene_open(&scene, "pass hang");
    pid_t pid = run_aside(&scene);
    wait_until_logged(&scene, "fake.hang");
    pid_t worker = last_worker(&scene);
    kill(pid, SIGINT);
    usleep(50000);
    kill(pid, SIGINT); // the same one, as timeout(1) sends it
    usleep(300000);
    assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
    int64_t start = clock_ns();
    kill(pid, SIGINT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(clock_ns() - start < 1000000000);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    assert_true(dies_within(worker, 1));
    assert_int_equal(journal_lines(&scene), 2);
    scene_close(&scene);
}

static void a_killed_supervisor_takes_its_worker_along(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "pass fail hang_once exit3 pass");
    pid_t pid = run_aside(&scene);
    wait_until_logged(&scene, "fake.hang_once");
    pid_t worker = last_worker(&scene);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(dies_within(worker, 1));
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "fail", "pass", "crash", "pass"});
    assert_int_equal(logged(&scene, "fake.fail"), 1);
    assert_int_equal(logged(&scene, "fake.pass"), 2);
    scene_close(&scene);
}

// Wherever the supervisor is killed, what is resumed ends with the same records.
static void killed_anywhere(void **state) {
    (void)state;
    for (useconds_t after = 5000; after < 60000; after += 9000) {
        struct scene scene;
        scene_open(&scene, "pass fail segv pass2 skip exit3 pass3 error pass4 fail pass");
        pid_t pid = run_aside(&scene);
        usleep(after);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        scene.session.resume = journal_lines(&scene) > 0;
        if (!scene_run(&scene)) fail_msg("%s", scene.err.text);
        assert_whole(&scene, (const char *const[]){"pass", "fail", "crash", "pass", "skip", "crash", "pass", "error",
                                 "pass", "fail", "pass"});
        scene_close(&scene);
    }
}

static void a_torn_line_is_run_again(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "pass fail pass");
    assert_true(scene_run(&scene));
    FILE *file = fopen(scene.journal, "r+");
    assert_non_null(file);
    fseek(file, -20, SEEK_END);
    assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
    fclose(file);
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "fail", "pass"});
    assert_int_equal(logged(&scene, "fake.fail"), 1);
    assert_int_equal(logged(&scene, "fake.pass"), 3);
    scene_close(&scene);
}

static void a_finished_run_starts_no_worker(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "pass fail");
    assert_true(scene_run(&scene));
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "fail"});
    assert_int_equal(logged(&scene, "start"), 1);
    scene_close(&scene);
}

// Peaks that were measured before go on to rule out what would take too long.
static void peaks_are_remembered(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "peak slow pass");
    scene.session.plan.points[0].peak = "copy_bytes_per_s";
    scene.session.plan.points[2].dims[0] = 1000000000;
    scene.session.budget_s = 0.05;
    assert_true(scene_run(&scene));
    assert_within(scene.outcome.count, 1, 2);
    scene.session.budget_s = 0;
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "pass", "skip"});
    scene_close(&scene);
}

static void another_run_is_not_resumed(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "pass");
    assert_true(scene_run(&scene));
    scene_release(&scene);
    scene.session.resume = true;
    scene.session.context = scene_context("8");
    assert_false(supervise_run(&scene.arena, &scene.session, &scene.outcome, &scene.err));
    assert_int_equal(scene.err.status, STATUS_USAGE);
    assert_non_null(strstr(scene.err.text, "seed 7"));
    assert_int_equal(journal_lines(&scene), 2);
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupt_keeps_what_there_is),
        cmocka_unit_test(an_interrupt_lets_a_quick_point_finish),
        cmocka_unit_test(a_second_interrupt_ends_at_once),
        cmocka_unit_test(a_killed_supervisor_takes_its_worker_along),
        cmocka_unit_test(killed_anywhere),
        cmocka_unit_test(a_torn_line_is_run_again),
        cmocka_unit_test(a_finished_run_starts_no_worker),
        cmocka_unit_test(peaks_are_remembered),
        cmocka_unit_test(another_run_is_not_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
