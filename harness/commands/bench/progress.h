// SPDX-License-Identifier: Apache-2.0
// The progress of a run on standard error: one line that redraws on a terminal, plain lines now
// and then elsewhere.
#ifndef VKASSAY_COMMANDS_PROGRESS_H
#define VKASSAY_COMMANDS_PROGRESS_H

#include "../../supervise/supervise.h"

struct progress_line {
    bool drawn;       // a line stands on the terminal and must be erased before anything else is printed
    int64_t shown_ns; // when a plain line was last printed
    // Of one device among several that are at work at once, each with a line of its own; all zero where there is one.
    struct progress_board *board;
    const char *label; // the device's
    struct progress last;
};

// What the lines of several devices are shown as: one line. Their sessions may be in different threads.
struct progress_board {
    struct progress_line line, *lines; // what is shown; the devices'
    size_t count;
};

// The callback of a session whose `user` is a zeroed struct progress_line.
void progress_show(void *line, const struct progress *progress);

// Says on standard error which workers were lost without a point to put that down to.
void progress_say_losses(const struct outcome *outcome);

// Erases what stands on the terminal.
void progress_end(struct progress_line *line);

#endif
