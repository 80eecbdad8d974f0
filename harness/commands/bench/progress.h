// SPDX-License-Identifier: Apache-2.0
// The progress of a run on standard error: one redrawn line on a terminal, otherwise a plain line now and then.
#ifndef VKASSAY_COMMANDS_PROGRESS_H
#define VKASSAY_COMMANDS_PROGRESS_H

#include "../../engine/supervise/supervise.h"

struct progress_line {
    bool drawn;       // a line is on the terminal, to be erased before anything else is printed
    bool brief;       // no failure is printed: one is shown at the end
    int64_t shown_ns; // when a plain line was last printed
    // Set for one of several devices at work at once; all zero for a single device.
    struct progress_board *board;
    const char *label; // the device's
    struct progress last;
};

// A line shared by several devices. Their sessions may run in different threads.
struct progress_board {
    struct progress_line line, *lines; // the line shown; the devices' lines
    size_t count;
};

// Shows progress. It is the callback of a session with a zeroed struct progress_line as `user`.
void progress_show(void *line, const struct progress *progress);

// Prints lost workers whose loss is blamed on no point to standard error. *status becomes STATUS_WRONG if one was lost
// at work.
void progress_say_losses(const struct outcome *outcome, enum status *status);

// Erases the line on the terminal.
void progress_end(struct progress_line *line);

#endif
