// SPDX-License-Identifier: Apache-2.0
// The only way to take times. A target is recorded between two timestamps, its repeats are chosen, it is warmed up,
// and it then gives samples. Targets are kernels, copies, or nothing (for the cost of a submission). The device and
// the clock are an interface, so tests can make them up (tests/fake_timing.h).
#ifndef VKASSAY_TIMING_TIMING_H
#define VKASSAY_TIMING_TIMING_H

#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../record/terms.h"
#include "../../truth/stats/stop.h"

struct record;

struct buffer;
struct gpu;
struct work;

// The result of one run: ticks as written by the device, and the host's time from submission until the wait returned.
struct reading {
    bool written; // both timestamps
    uint64_t ticks[2];
    int64_t host_ns;
    int64_t call_ns; // the part of host_ns in the call of vkQueueSubmit
};

// The device of the timing engine, as in device/gpu.h. Each function gets `context`; bool functions return false if
// the device failed.
struct timing_device {
    void *context;
    uint32_t timestamp_bits; // 0: no timestamps
    double timestamp_period_ns;
    const char *why_host;          // why the host's clock decides; NULL: the timestamps do
    int64_t (*now)(void *context); // the host's clock
    struct work *(*open)(void *context, struct error *err);
    void (*close)(void *context, struct work *work); // accepts NULL
    bool (*begin)(void *context, struct work *work, struct error *err);
    void (*stamp)(void *context, struct work *work, int index);                   // 0 opens, 1 closes
    void (*flush)(void *context, struct work *work, const struct buffer *buffer); // fills it, and waits for the fill
    void (*barrier)(void *context, struct work *work);                            // between the commands around it
    void (*copy)(void *context, struct work *work, const struct buffer *from, uint64_t from_offset,
        const struct buffer *to, uint64_t to_offset, uint64_t bytes);
    bool (*end)(void *context, struct work *work, struct error *err);
    bool (*run)(void *context, struct work *work, double timeout_s, struct reading *out, struct error *err);
    // Makes the host's writes visible to the device (`in`), or the device's to the host.
    bool (*sync)(void *context, const struct buffer *buffer, bool in, struct error *err);
};

// Returns the real device; `gpu` must outlive it.
struct timing_device timing_gpu(struct gpu *gpu);

// Something to time. `record` adds it to `work` once, with a barrier after each part read by the next one.
struct target {
    bool (*record)(const struct timing_device *device, struct work *work, const void *what, struct error *err);
    const void *what;
    // Restores data both read and overwritten by `record`. It is recorded before every repeat, outside the timed
    // part, and limits repeats to one. NULL: not needed.
    bool (*restore)(const struct timing_device *device, struct work *work, const void *what, struct error *err);
};

// The deciding clock: the GPU's until its first impossible reading, then the host's for all later ones.
struct timer {
    const char *why_host; // NULL: the GPU's clock
    double submit_ns;     // cost of an empty submission, subtracted from host intervals
};

// The contents of a recording.
struct interval {
    int repeats; // of the target between the timestamps
    // Records the target once more before the first timestamp, to bring instructions and operands into place. It is
    // for several interleaved targets.
    bool warm_up;
    const struct buffer *flush; // filled before everything else, so caches hold nothing useful; NULL: not
    bool bare;                  // without timestamps, for times by the host
};

struct run_options;

// The interval that interleaved targets have in common. An interval costs time besides its dispatches: some 100 us on a
// busy CPU. With equal repeats, an equal share of it falls on each dispatch. So targets have the repeats of the
// fastest one. Slower targets have fewer only if theirs would be a several times longer interval; the share is then
// small.
struct shared_interval {
    double fastest_ns; // least time of one dispatch of any target so far; 0: none yet
    double slowest_ns; // at least this time bounds the repeats of each target; 0: its own alone
    bool restores;     // some target has `restore`, so all have one repeat
    int repeats;       // of the fastest; 0: not chosen yet. They grow if a target is found to be clearly faster
};

struct timing_settings {
    const struct timing_device *device;
    double timeout_s; // for one wait on the device
    // Clock and least interval of hot samples; NULL: as the device and its timer need. Cold samples have no host clock.
    const struct run_options *options;
    double submit_ns;               // cost of an empty submission, for devices without a usable clock
    const struct buffer *flush;     // larger than the last-level cache, for cold samples; NULL: hot
    struct shared_interval *shared; // of the targets that run between two samples; NULL: none does
    struct stop_rule rule;          // of each target; `seconds` counts only its own time
};

// A target kept ready. The caller sets `target` and zeroes the rest; timing_close releases the rest.
struct sampler {
    struct target target;
    struct interval interval;
    struct timer timer;
    double one_ns;    // least time of one dispatch in the probes
    int64_t spent_ns; // host time of its recordings and samples
    struct work *work;
};

// Returns nanoseconds of a reading by the device's clock: the difference of the ticks modulo 2^bits, times the
// period. Negative: nothing was written.
double timing_interval_ns(const struct timing_device *device, const struct reading *reading);

// Records an interval of a target into `work`, for use until its next recording.
bool timing_record(const struct timing_device *device, struct work *work, const struct target *target,
    const struct interval *interval, struct error *err);

// Runs it and sets *ns to the time of one repeat. ERROR_SKIP: a cold time would need the host's clock.
bool timing_run(const struct timing_device *device, struct work *work, const struct interval *interval,
    double timeout_s, struct timer *timer, double *ns, struct error *err);

// Returns how many dispatches of `one_ns` make an interval. The timer's grain is then below 0.1 %, and the cost of
// starting it is small. `most_ns` bounds the interval, but there is at least one dispatch.
int timing_repeats(const struct timing_device *device, double one_ns, double most_ns);

// Opens a target and takes the time of two single runs.
bool timing_open(const struct timing_settings *settings, struct sampler *sampler, struct error *err);
// Chooses repeats and the warm-up dispatch by settings->shared or its own time, and records if they change. Cold
// targets have no repeats, because the second would find the first one's data in caches.
bool timing_lengthen(const struct timing_settings *settings, struct sampler *sampler, struct error *err);
// Takes the time of one repeat. A single dispatch starts on an idle device. It takes 10 us instead of 3, so 1 ms of
// such times is 0.3 ms of repeats. On a busy CPU a disturbed one takes milliseconds. Long dispatches are not run again.
bool timing_probe(const struct timing_settings *settings, struct sampler *sampler, struct error *err);
// Does these four steps: opens, lengthens, probes, lengthens again.
bool timing_prepare(const struct timing_settings *settings, struct sampler *sampler, struct error *err);
// Warms up until the medians of two successive batches of samples agree, or a quarter of the sampling time is
// spent.
bool timing_warm_up(const struct timing_settings *settings, struct sampler *sampler, struct error *err);
// Takes one sample: nanoseconds of one repeat.
bool timing_take(const struct timing_settings *settings, struct sampler *sampler, double *ns, struct error *err);
void timing_close(const struct timing_device *device, struct sampler *sampler);

#endif
