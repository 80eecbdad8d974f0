// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include "../../device/device_info.h"
#include "../../record/record.h"

#include <math.h>

// Rates of a mid-range GPU, of a CPU as the device, and of the host. Only the ratios between costs matter.
struct rates {
    double bytes_per_s, flops_per_s;
};
static const struct rates gpu_rates = {1e12, 1e13}, cpu_rates = {1e10, 5e10};
static const double least_s = 0.03, host_bytes_per_s = 1e9, reference_per_s = 5e8, runs = 5;

// A CPU changes from one invocation to the next at each barrier. Medians of suite quick on lavapipe: 0.16 s without
// shared memory, 0.39 s with; means 0.28 s and 0.94 s.
static const double cpu_sharing = 4;

double runner_cost(const struct point *point, const struct run_options *run, const struct device_info *device) {
    struct arena scratch = {0};
    struct record record;
    runner_describe(point, run, &scratch, &record);
    arena_free(&scratch);
    const struct settings *settings = &run->settings;
    const bool cpu = device && device->kind == DEVICE_CPU;
    const bool shares = cpu && kernel_shared_bytes(point->kernel, point->dims, &point->shape) > 0;
    const struct rates *rates = cpu ? &cpu_rates : &gpu_rates;
    const double bytes = fmax(record.bytes, 0), flops = fmax(record.flops, 0);
    const double once = bytes / rates->bytes_per_s + flops / rates->flops_per_s;
    const double judged = fmin(fmax(flops, bytes / 4), settings->check_operations) / reference_per_s;
    const double timed = run->time ? settings->point_seconds + settings->reference_seconds : 0;
    const double seconds = least_s + bytes / host_bytes_per_s + runs * once + judged + timed;
    return point->refused || !isfinite(seconds) ? least_s / 10 : seconds * (shares ? cpu_sharing : 1);
}
