// SPDX-License-Identifier: Apache-2.0
// The sessions of several devices at the same time: one supervisor, a worker of its own for each, one progress line.
#ifndef VKASSAY_COMMANDS_BENCH_DEVICES_H
#define VKASSAY_COMMANDS_BENCH_DEVICES_H

#include "bench.h"
#include "progress.h"

// One device's session, from its plan to what came of it. Zeroed before it is filled in.
struct device_run {
    struct arena arena; // of the session and its outcome: sessions are in threads of their own
    const struct device_info *device;
    const char *label, *folder;
    struct session session;
    struct progress_line line;
    bool begun, ran; // ran: it came to its end; else err says why not
    struct outcome outcome;
    struct error err;
};

// Runs sessions. Where several devices are timed each has a core of its own for its worker, and what is left of the
// cores is for all. One that computes on the host's cores itself would be timed on a part of them: it has its turn by
// itself when the others are done, unless `together`, when each device has its share. Where there are fewer cores than
// devices all have their turns by themselves. What is not timed runs all at once. An interrupt begins no further
// session. Says on standard output what is measured apart, unless `quiet`.
void bench_devices_run(struct device_run *runs, size_t count, const struct bench *bench, bool together, bool quiet);

// The name of each device, with what tells it from others of that name.
void bench_devices_label(struct arena *arena, struct device_run *runs, size_t count);

#endif
