// SPDX-License-Identifier: Apache-2.0
#include "interval.h"

#include <math.h>

enum { MOST_REPEATS = 2000 };
// 1000 ticks make the grain 0.1 %. An interval's first dispatch starts on an idle device: intervals of 100 us of
// kernels of 50 to 160 us came out 4 to 7 us longer on an NVIDIA H200 than its share of a long batch, so 1 ms makes
// that less than 1 %.
static const double ticks_an_interval = 1000, least_interval_ns = 1e6;

bool interval_record(struct gpu *gpu, struct work *work, const struct launch *launch, const struct interval *interval,
    struct error *err) {
    if (!work_begin(gpu, work, err)) return false;
    if (interval->lead && !launch_record(gpu, work, launch, err)) return false;
    if (interval->flush) {
        work_fill(work, interval->flush, 0, interval->flush->bytes, 0x5eed5eed);
        work_barrier(work);
    }
    work_timestamp(work, 0, true);
    for (int i = 0; i < interval->repeats; i++)
        if (!launch_record(gpu, work, launch, err)) return false;
    work_timestamp(work, 1, false);
    return work_end(gpu, work, err);
}

static const char *why_host(const struct gpu *gpu, double ns) {
    return gpu_info(gpu)->timestamp_bits == 0 ? "host: the queue has no timestamps"
           : ns < 0                           ? "host: the device wrote no timestamp"
           : ns == 0                          ? "host: timestamps did not advance"
                                              : "host: the device's interval is longer than the host's";
}

bool interval_run(struct gpu *gpu, struct work *work, const struct interval *interval, double timeout_s,
    struct timer *timer, double *ns, struct error *err) {
    int64_t host_ns = 0;
    if (!work_run(gpu, work, timeout_s, &host_ns, NULL, err)) return false;
    *ns = work_interval_ns(gpu, work, 0, 1);
    int repeats = interval->repeats > 0 ? interval->repeats : 1;
    bool by_gpu = timer->name[0] == 'g';
    if (by_gpu && *ns > 0 && *ns <= (double)host_ns * 1.001 + 1000) {
        *ns /= repeats;
        return true;
    }
    if (interval->flush) return error_of_kind(err, ERROR_SKIP, "cold times need timestamps; the device gave none");
    if (by_gpu) timer->name = why_host(gpu, *ns);
    *ns = fmax((double)host_ns - timer->submit_ns, 1) / (repeats + interval->lead);
    return true;
}

int interval_repeats(const struct device_info *device, double one_ns, double most_ns) {
    double one = fmax(one_ns, 1);
    double wanted = fmax(ticks_an_interval * device->timestamp_period_ns, least_interval_ns) / one;
    return (int)fmax(1, fmin(fmin(ceil(wanted), most_ns / one), MOST_REPEATS));
}
