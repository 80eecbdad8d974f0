// SPDX-License-Identifier: Apache-2.0
#include "patience.h"

#include "../../base/clock.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

// A core in use for less than 90 % of a wait was not free for the process. A process that did nothing hangs.
static const double busy_load = 0.9, least_cpu = 0.01, longest_wait = 10;

bool patience_starved(double asked_s, double waited_s, double cpu_s, double load) {
    return load >= busy_load && cpu_s >= least_cpu * waited_s && cpu_s < busy_load * asked_s &&
           waited_s < longest_wait * asked_s;
}

// Returns the CPU seconds of a process, with its ended threads; NAN if unknown.
static double cpu_of(pid_t pid) {
    char path[40];
    unsigned long user, system;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return NAN;
    const bool read =
        fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2;
    fclose(file);
    return read ? (double)(user + system) / (double)sysconf(_SC_CLK_TCK) : NAN;
}

struct patience patience_start(pid_t pid, int64_t asked_ns) {
    return (struct patience){pid, clock_ns(), asked_ns, noise_read(), cpu_of(pid)};
}

int64_t patience_more(const struct patience *patience) {
    struct noise now = noise_read();
    const double asked_s = (double)patience->asked_ns * 1e-9, cpu_s = cpu_of(patience->pid) - patience->cpu_s;
    const double waited_s = (double)(clock_ns() - patience->start_ns) * 1e-9;
    double load, steal;
    now.own = patience->host.own; // a core in this process' own use is not free either
    noise_between(&patience->host, &now, &load, &steal);
    return patience_starved(asked_s, waited_s, cpu_s, load + steal) ? (int64_t)((asked_s - cpu_s) * 1e9) : 0;
}
