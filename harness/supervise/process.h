// SPDX-License-Identifier: Apache-2.0
// A child process that is talked to in lines over two pipes: its standard input and its
// descriptor 3.
#ifndef VKASSAY_SUPERVISE_PROCESS_H
#define VKASSAY_SUPERVISE_PROCESS_H

#include "../base/error.h"
#include "../base/text.h"

#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_ANSWERS = 3 }; // the descriptor a child answers on

struct process {
    pid_t pid; // 0: there is none
    int to, from;
    struct text heard; // what came and was not yet taken, behind the first `taken` bytes
    size_t taken;
};

// Runs "PROGRAM worker" in a process group of its own, so that a signal from the terminal goes to
// the supervisor alone. What it prints on its standard output comes out on the standard error. It
// is killed when we die.
bool process_start(const char *program, struct process *out, struct error *err);

// Sends bytes; false when the child does not take them before `deadline_ns` (of clock_ns) or is
// gone.
bool process_send(struct process *process, const char *bytes, size_t length, int64_t deadline_ns);

enum heard {
    HEARD_LINE,
    HEARD_END,     // it closed its end: it is dying or dead
    HEARD_LATE,    // no whole line until the deadline
    HEARD_FLOOD,   // a line without end
    HEARD_STOPPED, // the tick said so
};

// Waits for one line; *line (no newline, NUL-terminated) stands until the next call. `tick` (may be
// NULL) is called about four times a second, and ends the wait by returning false.
enum heard process_hear(struct process *process, int64_t deadline_ns, bool (*tick)(void *user), void *user,
    const char **line, size_t *length);

// Whether it lives and has said nothing that was not yet taken.
bool process_quiet(const struct process *process);

enum { PROCESS_HOW = 80 };
// Closes both pipes, lets it end by itself for `patience_s`, then kills it. `how` says how it
// ended: "exit status 3", "killed by SIGSEGV". Leaves *process without a child; accepts one
// without.
void process_end(struct process *process, double patience_s, char how[PROCESS_HOW]);

#endif
