// SPDX-License-Identifier: Apache-2.0
// A child process with two pipes of lines: its standard input and its descriptor 3.
#ifndef VKASSAY_SUPERVISE_PROCESS_H
#define VKASSAY_SUPERVISE_PROCESS_H

#include "../../base/error.h"
#include "../../base/text.h"

#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_ANSWERS = 3 }; // the descriptor for a child's answers

struct process {
    pid_t pid; // 0: no child
    int to, from;
    struct text received; // bytes received; the first `taken` of them are used up
    size_t taken;
};

// Runs "PROGRAM worker" in a process group of its own, so a signal from the terminal reaches only the supervisor. Its
// standard output goes to the standard error. It is killed when the calling thread ends.
bool process_start(const char *program, struct process *out, struct error *err);

// Sends bytes. Returns false if the child does not take them before `deadline_ns` (of clock_ns) or is gone.
bool process_send(struct process *process, const char *bytes, size_t length, int64_t deadline_ns);

enum reply {
    REPLY_LINE,
    REPLY_END,     // it closed its end: dying or dead
    REPLY_LATE,    // no whole line before the deadline
    REPLY_FLOOD,   // a line without end
    REPLY_STOPPED, // the tick returned false
};

// Waits for one line; *line (without newline, NUL-terminated) is valid until the next call. `tick` (may be NULL) is
// called about four times a second and ends the wait by returning false. On a busy host, the deadline is put off.
enum reply process_receive(struct process *process, int64_t deadline_ns, bool (*tick)(void *user), void *user,
    const char **line, size_t *length);

// Returns whether the child lives and has no unread output.
bool process_quiet(const struct process *process);

enum { PROCESS_HOW = 80 };
// Closes both pipes, lets the child end by itself for `patience_s`, then kills it. `how` receives how it ended, such
// as "exit status 3" or "killed by SIGSEGV". Leaves *process without a child; accepts one without a child.
// What is left of its process group is killed.
void process_end(struct process *process, double patience_s, char how[PROCESS_HOW]);

// Kills what workers left behind in groups of their own, as a driver's service would be. No worker may be alive.
void process_end_left_over(void);

#endif
