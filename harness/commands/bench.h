// SPDX-License-Identifier: Apache-2.0
// A suite planned and run on each chosen device: for bench, check and what begins as they do.
#ifndef VKASSAY_COMMANDS_BENCH_H
#define VKASSAY_COMMANDS_BENCH_H

#include "../supervise/supervise.h"
#include "options.h"

// One device's run, as the hooks see it.
struct bench_run {
    const struct options *options;
    const struct device_info *device;
    const char *suite; // its name
    const char *path;  // of the result; NULL before the run
    bool interrupted;
    const char *cut_short; // words of record/whole.h: the result is partial; NULL: it is whole, or not there yet
    void *user;            // of the bench
};

struct bench {
    const char *verb;
    const char *suite; // where --suite names none
    bool time;
    bool all_shapes; // of every case of the suite, whatever its entries say; without points for peaks
    // How a session is run; NULL: supervise_run.
    bool (*supervise)(struct arena *arena, struct session *session, void *user, struct outcome *out, struct error *err);
    // NULL, or called before anything is measured on a device; false: err says why nothing is.
    bool (*before)(struct arena *arena, const struct bench_run *run, struct error *err);
    // NULL: the result is shown. Or called once it is written; *status, STATUS_OK before, receives how it came out.
    bool (*after)(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err);
    void *user; // of the three
};

// *status receives the exit status, of all devices together.
bool bench_suite(struct arena *arena, const struct options *options, const struct bench *bench, enum status *status,
    struct error *err);

#endif
