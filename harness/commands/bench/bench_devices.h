// SPDX-License-Identifier: Apache-2.0
// The sessions of several devices at the same time, with one supervisor, one worker each and one progress line.
#ifndef VKASSAY_COMMANDS_BENCH_DEVICES_H
#define VKASSAY_COMMANDS_BENCH_DEVICES_H

#include "bench.h"
#include "progress.h"

// The session of one device, from its plan to its outcome. Zeroed before it is filled in.
struct device_run {
    struct arena arena; // of the session and its outcome; sessions run in separate threads
    const struct device_info *device;
    const char *label, *folder;
    struct session session;
    struct progress_line line;
    bool begun, ran; // ran: it reached its end; else err says why not
    struct outcome outcome;
    struct error err;
};

// Runs the sessions. If several devices are timed, each worker has its own core and all share the remaining cores. A
// device computing on the host's cores would get only a part of them, so it is timed by itself after the others. With
// fewer cores than devices, all are timed by themselves. Sessions without timing run all at once. After an interrupt no
// further session begins. Prints which devices are measured apart, unless `quiet`.
void bench_devices_run(struct device_run *runs, size_t count, const struct bench *bench, bool quiet);

// Labels each device (device_label).
void bench_devices_label(struct arena *arena, struct device_run *runs, size_t count);

#endif
