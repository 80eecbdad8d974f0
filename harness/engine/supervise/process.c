// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include "../../base/clock.h"
#include "../../base/memory.h"
#include "../timing/patience.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int64_t tick_ns = 250000000;
static const int64_t death_ns = 5000000000; // for a killed process to end, unless a driver holds it in the kernel
static const size_t longest_line = (size_t)64 << 20; // a record with all raw samples is below 1 MiB

// ---- processes that a driver starts

// In the environment of a worker and of all that it starts.
static const char mark[] = "VKASSAY_WORKER=1";

// Returns the environment with the mark, for the caller to free.
static char **marked_environment(void) {
    size_t count = 0;
    while (environ[count]) count++;
    char **out = memory_alloc(count + 2, sizeof *out);
    memcpy(out, environ, count * sizeof *out);
    out[count] = (char *)(uintptr_t)mark;
    return out;
}

// Reads the start of a file of /proc, and ends it with a NUL. Returns its length.
static size_t read_proc(const char *process, const char *name, char *out, size_t room) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/%s", process, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, out, room - 1) : 0;
    if (fd >= 0) close(fd);
    out[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

// Returns whether a process is a child of this one and has the mark. A worker has it too.
static bool is_left_over(const char *process) {
    enum { ENVIRONMENT = 1 << 20 };
    char stat[512], *behind;
    read_proc(process, "stat", stat, sizeof stat);
    behind = strrchr(stat, ')'); // then a blank, the state, a blank and the parent
    if (!behind || strlen(behind) < 5 || strtol(behind + 4, NULL, 10) != (long)getpid()) return false;
    char *bytes = memory_alloc(ENVIRONMENT, 1);
    const size_t length = read_proc(process, "environ", bytes, ENVIRONMENT);
    const bool marked = memmem(bytes, length, mark, sizeof mark) != NULL;
    free(bytes);
    return marked;
}

void process_end_left_over(void) {
    bool more = true;
    for (int turn = 0; more && turn < 8; turn++) { // children of those that ended are the next ones
        DIR *all = opendir("/proc");
        more = false;
        for (struct dirent *entry; all && (entry = readdir(all));) {
            if (!isdigit((unsigned char)entry->d_name[0]) || !is_left_over(entry->d_name)) continue;
            const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            more = true;
        }
        if (all) closedir(all);
    }
}

// ---- starting a process

// Runs in the child, between fork and exec: only calls that are safe there.
static void become_worker(const char *program, int in, int out, pid_t parent, char *const *environment) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); // the parent died before the request above
    setpgid(0, 0);
    // `in` was made before `out`, so `out` is never descriptor 0.
    if (dup2(in, STDIN_FILENO) < 0 || dup2(out, PROCESS_ANSWERS) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        _exit(127);
    // dup2 onto itself leaves close-on-exec as it was.
    fcntl(STDIN_FILENO, F_SETFD, 0);
    fcntl(PROCESS_ANSWERS, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTTOU, SIG_IGN); // the worker is outside the terminal's group, but drivers may print there
    // A batch system ends a job by a signal to all its processes. The supervisor alone decides when a worker ends;
    // else the current point would seem to have crashed.
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    execle(program, program, "worker", (char *)NULL, environment);
    _exit(127);
}

static bool make_pipes(int in[2], int out[2]) {
    if (pipe2(in, O_CLOEXEC) != 0) return false;
    if (pipe2(out, O_CLOEXEC) == 0) {
        if (fcntl(in[1], F_SETFL, O_NONBLOCK) == 0 && fcntl(out[0], F_SETFL, O_NONBLOCK) == 0) return true;
        close(out[0]);
        close(out[1]);
    }
    close(in[0]);
    close(in[1]);
    return false;
}

bool process_start(const char *program, struct process *out, struct error *err) {
    int in[2], answers[2];
    *out = (struct process){0};
    if (access(program, X_OK) != 0)
        return error_set(err, STATUS_FAULT, "%s: cannot be run: %s", program, strerror(errno));
    if (!make_pipes(in, answers)) return error_set(err, STATUS_FAULT, "no pipe to a worker: %s", strerror(errno));
    char **environment = marked_environment();
    prctl(PR_SET_CHILD_SUBREAPER, 1); // what a worker leaves behind becomes a child of this process
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) become_worker(program, in[0], answers[1], parent, environment);
    int why = errno;
    free(environment);
    close(in[0]);
    close(answers[1]);
    if (pid > 0) {
        *out = (struct process){.pid = pid, .to = in[1], .from = answers[0]};
        return true;
    }
    close(in[1]);
    close(answers[0]);
    return error_set(err, STATUS_FAULT, "no process for a worker: %s", strerror(why));
}

// Waits at most `ns` for one event. Returns false if none came, or a signal did.
static bool wait_for(int fd, short events, int64_t ns) {
    struct pollfd one = {.fd = fd, .events = events};
    int64_t ms = (ns + 999999) / 1000000;
    return poll(&one, 1, ms > INT_MAX ? INT_MAX : (int)ms) > 0;
}

bool process_send(struct process *process, const char *bytes, size_t length, int64_t deadline_ns) {
    while (length) {
        ssize_t n = write(process->to, bytes, length);
        if (n >= 0) {
            bytes += n;
            length -= (size_t)n;
            continue;
        }
        int64_t left = deadline_ns - clock_ns();
        if ((errno != EAGAIN && errno != EINTR) || left <= 0) return false;
        wait_for(process->to, POLLOUT, left);
    }
    return true;
}

// Drops the bytes already used, and takes the first whole line, if there is one.
static bool take_line(struct process *process, size_t *searched, const char **line, size_t *length) {
    struct text *received = &process->received;
    if (process->taken) {
        received->length -= process->taken;
        memmove(received->data, received->data + process->taken, received->length + 1);
        process->taken = 0;
    }
    char *end =
        received->length > *searched ? memchr(received->data + *searched, '\n', received->length - *searched) : NULL;
    *searched = received->length;
    if (!end) return false;
    *end = '\0';
    *line = received->data;
    *length = (size_t)(end - received->data);
    process->taken = *length + 1;
    return true;
}

// Returns whether a process has ended, without waiting for it. Its pipe may be open in a child of its own.
static bool is_over(pid_t pid) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

enum reply process_receive(struct process *process, int64_t deadline_ns, bool (*tick)(void *user), void *user,
    const char **line, size_t *length) {
    char bytes[65536];
    size_t searched = 0;
    struct patience patience = {0};
    while (!take_line(process, &searched, line, length)) {
        ssize_t n = read(process->from, bytes, sizeof bytes);
        if (n > 0) {
            text_append_n(&process->received, bytes, (size_t)n);
            if (process->received.length > longest_line) return REPLY_FLOOD;
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) return REPLY_END;
        if (tick && !tick(user)) return REPLY_STOPPED;
        if (!patience.start_ns) patience = patience_start(process->pid, deadline_ns - clock_ns());
        if (clock_ns() >= deadline_ns) deadline_ns = clock_ns() + patience_more(&patience);
        const int64_t left = deadline_ns - clock_ns();
        if (left <= 0) return REPLY_LATE;
        if (is_over(process->pid) && !wait_for(process->from, POLLIN, 0)) return REPLY_END;
        wait_for(process->from, POLLIN, left < tick_ns ? left : tick_ns);
    }
    return REPLY_LINE;
}

bool process_quiet(const struct process *process) {
    return process->received.length == process->taken && !wait_for(process->from, POLLIN, 0);
}

// ---- the end of a process

static void describe_end(int status, char how[PROCESS_HOW]) {
    const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;
    if (!WIFSIGNALED(status))
        snprintf(how, PROCESS_HOW, "exit status %d", WEXITSTATUS(status));
    else if (!name)
        snprintf(how, PROCESS_HOW, "killed by signal %d", WTERMSIG(status));
    else if (WTERMSIG(status) != SIGKILL)
        snprintf(how, PROCESS_HOW, "killed by SIG%s", name);
    else
        snprintf(how, PROCESS_HOW, "killed by SIGKILL, not by vkassay: the system may be out of memory");
}

// Returns true if there is nothing more to wait for. Then the rest of its group is ended too.
static bool reap(pid_t pid, int64_t until_ns, int *status) {
    *status = 0;
    while (!is_over(pid)) {
        if (clock_ns() >= until_ns) return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR) continue;
    return true;
}

void process_end(struct process *process, double patience_s, char how[PROCESS_HOW]) {
    int status;
    if (!process->pid) return;
    close(process->to);
    close(process->from);
    text_free(&process->received);
    if (patience_s > 0 && reap(process->pid, clock_ns() + (int64_t)(patience_s * 1e9), &status)) {
        describe_end(status, how);
    } else {
        kill(process->pid, SIGKILL);
        bool gone = reap(process->pid, clock_ns() + death_ns, &status);
        snprintf(how, PROCESS_HOW, gone ? "the worker was killed" : "the worker cannot be killed: a driver holds it");
    }
    *process = (struct process){0};
}
