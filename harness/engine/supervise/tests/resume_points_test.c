// SPDX-License-Identifier: Apache-2.0
// Runs cut short by signals, by the loss of the supervisor or within a line, and then resumed.
#include "../../../base/clock.h"
#include "../signals.h"
#include "session.h"
#include "../../../device/device_info.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>

// A clock for all processes of this program. The test sets the time, so delays after a signal do not depend on the
// load of the machine.
static struct {
    _Atomic int64_t stopped_ns; // 0: the clock runs
    _Atomic int calls;          // of the clock
    _Atomic bool signalled;     // the session in the other process has taken a signal
} * hands;

int clock_gettime(clockid_t id, struct timespec *now) {
    const int64_t ns = hands ? hands->stopped_ns : 0;
    if (!ns) return (int)syscall(SYS_clock_gettime, id, now);
    hands->signalled = signals_interrupted();
    hands->calls++;
    *now = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return 0;
}

static void stop_clock(void) {
    hands->signalled = false;
    hands->stopped_ns = clock_ns();
}

static void let_clock_run(void) {
    hands->stopped_ns = 0;
}

// Runs the session in a process of its own. The exit status tells its outcome.
enum { ENDED = 0, ENDED_INTERRUPTED = 10, ENDED_FAILED = 20 };
static pid_t run_aside(struct scene *scene) {
    pid_t pid = fork();
    if (pid) return pid;
    signal(SIGINT, SIG_DFL); // ignored if the tests run in a shell's background
    scene->session.context = scene_context("7");
    bool ok = supervise_run(&scene->arena, &scene->session, &scene->outcome, &scene->err);
    _exit(!ok ? ENDED_FAILED : scene->outcome.interrupted ? ENDED_INTERRUPTED + (int)scene->outcome.count : ENDED);
}

static void wait_until_logged(const struct scene *scene, const char *word) {
    for (int i = 0; i < 6000 && !logged(scene, word); i++) usleep(10000);
    assert_true(logged(scene, word) > 0);
}

// ---- a session in another process, with the clock stopped

static void wait_for_signal(void) {
    for (int i = 0; i < 6000 && !hands->signalled; i++) usleep(10000);
    assert_true(hands->signalled);
}

// Asserts that the session goes on. It handles a signal before it reads the time twice more.
static void assert_goes_on(pid_t pid) {
    const int calls = hands->calls;
    for (int i = 0; i < 6000 && hands->calls < calls + 3; i++) {
        assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
        usleep(10000);
    }
    assert_true(hands->calls >= calls + 3);
}

static void pass_time(double seconds) {
    hands->stopped_ns += (int64_t)(seconds * 1e9);
}

static int status_of_end(pid_t pid) {
    int status = -1;
    pid_t ended = 0;
    for (int i = 0; i < 6000 && (ended = waitpid(pid, &status, WNOHANG)) == 0; i++) usleep(10000);
    assert_int_equal(ended, pid);
    return status;
}

static void assert_interrupted(pid_t pid, int records) {
    const int status = status_of_end(pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), ENDED_INTERRUPTED + records);
}

// Returns the newest worker's process.
static pid_t last_worker(const struct scene *scene) {
    char line[400];
    int pid = 0;
    FILE *log = fopen(scene->log, "r");
    while (log && fgets(line, sizeof line, log)) sscanf(line, "%d", &pid);
    if (log) fclose(log);
    return pid;
}

// Returns whether the process is gone, or dead and not yet collected by its parent.
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

// Asserts one record for each point, with its expected status, and no more in the journal.
static void assert_whole(const struct scene *scene, const char *const *statuses) {
    assert_int_equal(scene->outcome.count, scene->session.plan.count);
    for (size_t i = 0; i < scene->outcome.count; i++) {
        assert_string_equal(json_get_string(scene->outcome.records[i], "name", ""), scene->session.plan.points[i].name);
        assert_string_equal(status_at(scene, i), statuses[i]);
    }
    assert_int_equal(journal_lines(scene), 1 + scene->session.plan.count);
}

static void an_interrupt_keeps_what_there_is(void **state) {
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        struct scene scene;
        scene_open(&scene, "pass segv hang_once pass2");
        stop_clock();
        pid_t pid = run_aside(&scene);
        wait_until_logged(&scene, "fake.hang_once");
        pid_t worker = last_worker(&scene);
        kill(pid, signals[i]);
        wait_for_signal();
        pass_time(1.4);
        assert_goes_on(pid);
        pass_time(0.2);
        assert_interrupted(pid, 2);
        assert_true(is_dead(worker));
        let_clock_run();
        // The interrupted point is no timeout: it is run again.
        resume(&scene);
        assert_whole(&scene, (const char *const[]){"pass", "crash", "pass", "pass"});
        assert_int_equal(logged(&scene, "fake.segv"), 1);
        scene_close(&scene);
    }
}

// The current point may finish, even after an interrupt, if it is quick.
static void a_point_may_finish(void **state) {
    static const int signals[] = {SIGINT, SIGTERM, SIGUSR1};
    for (size_t i = 0; i < 3; i++) {
        struct scene scene;
        scene_open(&scene, "pass slow pass");
        stop_clock();
        pid_t pid = run_aside(&scene);
        wait_until_logged(&scene, "fake.slow");
        kill(pid, signals[i]);
        assert_interrupted(pid, 2);
        let_clock_run();
        resume(&scene);
        assert_whole(&scene, (const char *const[]){"pass", "pass", "pass"});
        scene_close(&scene);
    }
}

// Sends the signals of a batch system: SIGUSR1 some time before the limit, then SIGTERM to all processes. The
// supervisor gets SIGTERM a second time, passed on.
static void a_request_to_end_waits_until_an_interrupt(void **state) {
    struct scene scene;
    scene_open(&scene, "pass hang_once pass");
    stop_clock();
    pid_t pid = run_aside(&scene);
    wait_until_logged(&scene, "fake.hang_once");
    pid_t worker = last_worker(&scene);
    kill(pid, SIGUSR1);
    wait_for_signal();
    pass_time(20);
    kill(pid, SIGUSR1);
    assert_goes_on(pid);
    kill(worker, SIGTERM);
    kill(pid, SIGTERM);
    assert_goes_on(pid);
    pass_time(1);
    kill(pid, SIGTERM);
    assert_goes_on(pid);
    pass_time(0.6);
    assert_interrupted(pid, 1);
    assert_true(is_dead(worker));
    let_clock_run();
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "pass", "pass"});
    scene_close(&scene);
}

// Otherwise the current point would seem to have crashed.
static void signals_to_all_processes_are_the_supervisor_s(void **state) {
    static const int signals[] = {SIGINT, SIGTERM, SIGUSR1};
    struct scene scene;
    scene_open(&scene, "pass hang_once pass");
    stop_clock();
    pid_t pid = run_aside(&scene);
    wait_until_logged(&scene, "fake.hang_once");
    for (size_t i = 0; i < 3; i++) kill(last_worker(&scene), signals[i]);
    assert_goes_on(pid);
    kill(pid, SIGINT);
    wait_for_signal();
    pass_time(1.6);
    assert_interrupted(pid, 1);
    let_clock_run();
    scene_close(&scene);
}

static void a_second_interrupt_ends_at_once(void **state) {
    struct scene scene;
    scene_open(&scene, "pass hang");
    stop_clock();
    pid_t pid = run_aside(&scene);
    wait_until_logged(&scene, "fake.hang");
    pid_t worker = last_worker(&scene);
    kill(pid, SIGINT);
    wait_for_signal();
    pass_time(0.2);
    kill(pid, SIGINT); // the same interrupt again, as timeout(1) sends it
    assert_goes_on(pid);
    pass_time(0.1);
    kill(pid, SIGINT);
    const int status = status_of_end(pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    let_clock_run();
    assert_true(dies_within(worker, 20));
    assert_int_equal(journal_lines(&scene), 2);
    scene_close(&scene);
}

// Kills a supervisor. Its worker dies too, and is then a child of this process, which has run sessions itself.
static void kill_supervisor(pid_t pid) {
    kill(pid, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0) continue;
}

static void a_killed_supervisor_takes_its_worker_along(void **state) {
    struct scene scene;
    scene_open(&scene, "pass fail hang_once exit3 pass");
    pid_t pid = run_aside(&scene);
    wait_until_logged(&scene, "fake.hang_once");
    pid_t worker = last_worker(&scene);
    kill_supervisor(pid);
    assert_true(dies_within(worker, 20));
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "fail", "pass", "crash", "pass"});
    assert_int_equal(logged(&scene, "fake.fail"), 1);
    assert_int_equal(logged(&scene, "fake.pass"), 2);
    scene_close(&scene);
}

// Wherever the supervisor is killed, the resumed run ends with the same records.
static void killed_anywhere(void **state) {
    for (useconds_t after = 5000; after < 60000; after += 9000) {
        struct scene scene;
        scene_open(&scene, "pass fail segv pass2 skip exit3 pass3 error pass4 fail pass");
        pid_t pid = run_aside(&scene);
        usleep(after);
        kill_supervisor(pid);
        scene.session.resume = journal_lines(&scene) > 0;
        if (!scene_run(&scene)) fail_msg("%s", scene.err.text);
        assert_whole(&scene, (const char *const[]){"pass", "fail", "crash", "pass", "skip", "crash", "pass", "error",
                                 "pass", "fail", "pass"});
        scene_close(&scene);
    }
}

static void a_torn_line_is_run_again(void **state) {
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
    struct scene scene;
    scene_open(&scene, "pass fail");
    assert_true(scene_run(&scene));
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "fail"});
    assert_int_equal(logged(&scene, "start"), 1);
    scene_close(&scene);
}

// Peaks of the interrupted run still rule out points expected to take too long.
static void peaks_are_remembered(void **state) {
    struct scene scene;
    scene_open(&scene, "peak slow pass");
    scene.session.plan.points[0].peak = "copy_bytes_per_s";
    scene.session.plan.points[2].dims[0] = 1000000000;
    scene.session.plan.count = 1;
    assert_true(scene_run(&scene));
    scene.session.plan.count = 3;
    resume(&scene);
    assert_whole(&scene, (const char *const[]){"pass", "pass", "skip"});
    scene_close(&scene);
}

static void another_run_is_not_resumed(void **state) {
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

static bool run_on(struct scene *scene, const char *uuid, uint32_t model) {
    scene_release(scene);
    snprintf(scene->device.device_uuid, sizeof scene->device.device_uuid, "%s", uuid);
    scene->device.device_id = model;
    scene->session.context = scene_context("7");
    json_put(scene->session.context, "device", device_to_json(&scene->device));
    return supervise_run(&scene->arena, &scene->session, &scene->outcome, &scene->err);
}

// Another device of the same model may finish a check; times are of one device.
static void a_run_goes_on_with_its_device_or_its_like(void **state) {
    struct scene scene;
    for (int time = 0; time < 2; time++) {
        scene_open(&scene, "pass");
        scene.session.options.time = time == 1;
        scene.session.jobs = 1;
        assert_true(run_on(&scene, "aa", 1));
        scene.session.resume = true;
        assert_true(run_on(&scene, "aa", 1));
        assert_null(json_get(json_get(scene.outcome.context, "run"), "devices"));
        assert_int_equal(run_on(&scene, "bb", 1), !time);
        if (time) {
            assert_non_null(strstr(scene.err.text, "with the device aa; it cannot be resumed with bb"));
        } else {
            struct json_object *devices = json_get(json_get(scene.outcome.context, "run"), "devices");
            assert_string_equal(json_object_to_json_string(devices), "[ \"aa\", \"bb\" ]");
        }
        assert_false(run_on(&scene, "cc", 2));
        scene_close(&scene);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return fake_worker();
    hands = mmap(NULL, sizeof *hands, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (hands == MAP_FAILED) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupt_keeps_what_there_is),
        cmocka_unit_test(a_point_may_finish),
        cmocka_unit_test(a_request_to_end_waits_until_an_interrupt),
        cmocka_unit_test(signals_to_all_processes_are_the_supervisor_s),
        cmocka_unit_test(a_second_interrupt_ends_at_once),
        cmocka_unit_test(a_killed_supervisor_takes_its_worker_along),
        cmocka_unit_test(killed_anywhere),
        cmocka_unit_test(a_torn_line_is_run_again),
        cmocka_unit_test(a_finished_run_starts_no_worker),
        cmocka_unit_test(peaks_are_remembered),
        cmocka_unit_test(another_run_is_not_resumed),
        cmocka_unit_test(a_run_goes_on_with_its_device_or_its_like),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
