// SPDX-License-Identifier: Apache-2.0
// Tests the progress line on a terminal and in a file.
#include "../bench/progress.h"

#include "../../base/tests/needs.h"
#include "../../base/json.h"
#include "../../../reference/tests/unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int real_stderr;

static void divert(int fd) {
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    assert_true(dup2(fd, STDERR_FILENO) == STDERR_FILENO);
    close(fd);
}

static void restore(void) {
    fflush(stderr);
    assert_true(dup2(real_stderr, STDERR_FILENO) == STDERR_FILENO);
    close(real_stderr);
}

// Returns everything read from a pipe or terminal whose other end is closed.
static const char *seen(int fd) {
    static char bytes[8192];
    size_t length = 0;
    ssize_t n;
    while ((n = read(fd, bytes + length, sizeof bytes - 1 - length)) > 0) length += (size_t)n;
    bytes[length] = '\0';
    return bytes;
}

static struct progress some_progress(void) {
    return (struct progress){.done = 12,
        .total = 340,
        .current = "matmul.tiled/f32/m=512,n=512,k=512/wg=16x16x1,TILE_K=16",
        .left_s = 65.2,
        .counts = {[RECORD_PASS] = 11, [RECORD_SKIP] = 1}};
}

static struct json_object *a_record(const char *status) {
    struct json_object *record = json_object_new_object();
    json_put_string(record, "name", "NAME");
    json_put_string(record, "status", status);
    json_put_string(record, "reason", "REASON");
    json_put_string(record, "replay", "vkassay check 'NAME' --seed 7");
    return record;
}

static void plain_lines_are_few(void **state) {
    struct progress_line line = {0};
    struct progress progress = some_progress();
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    divert(ends[1]);
    for (int i = 0; i < 100; i++) progress_show(&line, &progress);
    progress_end(&line);
    restore();
    assert_string_equal(seen(ends[0]), "[12/340] 1:05 left, 11 pass, 1 skip  "
                                       "matmul.tiled/f32/m=512,n=512,k=512/wg=16x16x1,TILE_K=16\n");
    close(ends[0]);
}

static void every_failure_is_a_line(void **state) {
    static const struct {
        const char *status;
        bool shown;
    } cases[] = {{"pass", false}, {"skip", false}, {"fail", true}, {"error", true}, {"timeout", true}, {"crash", true},
        {"device-lost", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct progress_line line = {0};
        struct progress progress = some_progress();
        char expected[200];
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        divert(ends[1]);
        progress_show(&line, &progress); // prints the plain line; another would follow only later
        progress.record = a_record(cases[i].status);
        progress_show(&line, &progress);
        progress_show(&line, &progress);
        restore();
        const char *failure = "%s NAME: REASON\n    vkassay check 'NAME' --seed 7\n";
        size_t length = (size_t)snprintf(expected, sizeof expected, failure, cases[i].status);
        const char *got = strchr(seen(ends[0]), '\n') + 1;
        assert_int_equal(strncmp(got, expected, length) == 0, cases[i].shown);
        assert_int_equal(strlen(got), cases[i].shown ? 2 * length : 0);
        json_object_put(progress.record);
        close(ends[0]);
    }
}

// Opens a terminal of this width, diverts standard error to it and returns the terminal's other end.
static int open_terminal(unsigned short columns) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0) not_run("missing: pseudo-terminals (/dev/pts)");
    assert_true(grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    struct termios modes;
    assert_true(slave >= 0 && ioctl(slave, TIOCSWINSZ, &size) == 0);
    assert_int_equal(tcgetattr(slave, &modes), 0);
    cfmakeraw(&modes);
    assert_int_equal(tcsetattr(slave, TCSANOW, &modes), 0);
    divert(slave);
    return master;
}

static void a_terminal_is_redrawn_within_its_width(void **state) {
    for (unsigned short columns = 2; columns < 120; columns += 3) {
        struct progress_line line = {0};
        struct progress progress = some_progress();
        int master = open_terminal(columns);
        progress_show(&line, &progress);
        progress_show(&line, &progress);
        restore();
        const char *got = seen(master);
        assert_int_equal(strncmp(got, "\r\x1b[K[", columns > 2 ? 5 : 4), 0);
        const char *second = strstr(got + 1, "\r\x1b[K");
        assert_non_null(second);
        assert_true(strlen(second) <= 4 + (size_t)columns - 1);
        assert_null(strchr(got, '\n'));
        if (columns > 100) assert_non_null(strstr(second, progress.current));
        close(master);
    }
}

// A terminal that cannot erase lines gets the same output as a file.
static void a_dumb_terminal_gets_plain_lines(void **state) {
    struct progress_line line = {0};
    struct progress progress = some_progress();
    int master = open_terminal(80);
    setenv("TERM", "dumb", 1);
    for (int i = 0; i < 3; i++) progress_show(&line, &progress);
    progress_end(&line);
    setenv("TERM", "xterm", 1);
    restore();
    const char *got = seen(master);
    assert_null(strchr(got, '\x1b'));
    assert_true(strchr(got, '\n') && strchr(got, '\n') == strrchr(got, '\n'));
    close(master);
}

static void a_terminal_is_left_clean(void **state) {
    struct progress_line line = {0};
    struct progress progress = some_progress();
    int master = open_terminal(80);
    progress_show(&line, &progress);
    restore();
    seen(master);
    divert(open(ptsname(master), O_RDWR | O_NOCTTY));
    progress_end(&line);
    progress_end(&line);
    restore();
    assert_string_equal(seen(master), "\r\x1b[K");
    close(master);
}

static void time_left_is_reported_when_it_is_known(void **state) {
    static const struct {
        double seconds;
        const char *expected;
    } cases[] = {{NAN, "[0/1]\n"}, {-1, "[0/1]\n"}, {INFINITY, "[0/1]\n"}, {0, "[0/1] 0:00 left\n"},
        {59.6, "[0/1] 1:00 left\n"}, {3599.4, "[0/1] 59:59 left\n"}, {7384, "[0/1] 2:03:04 left\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct progress_line line = {0};
        struct progress progress = {.total = 1, .left_s = cases[i].seconds};
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        divert(ends[1]);
        progress_show(&line, &progress);
        restore();
        assert_string_equal(seen(ends[0]), cases[i].expected);
        close(ends[0]);
    }
}

// A worker that was lost at work, with no culprit, makes the run wrong. One lost while it ended does not.
static void lost_workers_are_lines_and_one_without_a_culprit_is_wrong(void **state) {
    for (int i = 0; i < 2; i++) {
        struct outcome outcome = {.no_culprit = i,
            .context = json_tokener_parse(
                "{\"run\": {\"lost_workers\": [\"while it ended: exit status 1\", \"at work: killed by SIGSEGV\"]}}")};
        enum status status = STATUS_OK;
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        divert(ends[1]);
        progress_say_losses(&outcome, &status);
        restore();
        assert_string_equal(seen(ends[0]), "A worker was lost while it ended: exit status 1\n"
                                           "A worker was lost at work: killed by SIGSEGV\n");
        assert_int_equal(status, i ? STATUS_WRONG : STATUS_OK);
        close(ends[0]);
        json_object_put(outcome.context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_lines_are_few),
        cmocka_unit_test(every_failure_is_a_line),
        cmocka_unit_test(a_terminal_is_redrawn_within_its_width),
        cmocka_unit_test(a_dumb_terminal_gets_plain_lines),
        cmocka_unit_test(a_terminal_is_left_clean),
        cmocka_unit_test(time_left_is_reported_when_it_is_known),
        cmocka_unit_test(lost_workers_are_lines_and_one_without_a_culprit_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
