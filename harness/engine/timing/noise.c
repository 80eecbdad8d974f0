// SPDX-License-Identifier: Apache-2.0
#include "noise.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static const double least_s = 0.2; // of all cores together: twenty steps of the counters

// proc(5): user nice system idle iowait irq softirq steal.
bool noise_parse(const char *line, double ticks, struct noise *out) {
    double t[8];
    if (sscanf(line, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) !=
            8 ||
        !(ticks > 0))
        return false;
    out->busy = (t[0] + t[1] + t[2] + t[5] + t[6]) / ticks;
    out->steal = t[7] / ticks;
    out->total = out->busy + out->steal + (t[3] + t[4]) / ticks;
    return true;
}

static double seconds(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

struct noise noise_read(void) {
    struct noise noise = {0};
    struct rusage usage;
    char line[400];
    FILE *file = fopen("/proc/stat", "re");
    if (!file) return noise;
    noise.known = fgets(line, sizeof line, file) && noise_parse(line, (double)sysconf(_SC_CLK_TCK), &noise);
    fclose(file);
    if (getrusage(RUSAGE_SELF, &usage) == 0) noise.own = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return noise;
}

void noise_between(const struct noise *before, const struct noise *after, double *load, double *steal) {
    double total = after->total - before->total;
    *load = *steal = NAN;
    if (!before->known || !after->known || !(total >= least_s)) return;
    *load = fmax(after->busy - before->busy - (after->own - before->own), 0) / total;
    *steal = fmax(after->steal - before->steal, 0) / total;
}
