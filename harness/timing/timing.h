// SPDX-License-Identifier: Apache-2.0
// The one way in which times are taken: a target is recorded between two timestamps, its repeats are chosen, it is
// warmed up, and then gives samples. Kernels, copies and nothing at all (what a submission costs) are targets. The
// device and the clock are an interface, so that tests make them up (tests/fake_timing.h).
#ifndef VKASSAY_RUN_TIMING_H
#define VKASSAY_RUN_TIMING_H

#include "../record/record.h"
#include "../stats/stop.h"

struct buffer;
struct gpu;
struct work;

// What one run gives: ticks as the device wrote them, and the host's time from submission until the wait returned.
struct reading {
    bool written; // both timestamps
    uint64_t ticks[2];
    int64_t host_ns;
    int64_t call_ns; // of that, the call of vkQueueSubmit
};

// Each function gets `context`; those that return bool are false when the device failed. As in device/gpu.h.
struct timing_device {
    void *context;
    uint32_t timestamp_bits; // 0: no timestamps
    double timestamp_period_ns;
    int64_t (*now)(void *context); // the host's clock
    struct work *(*open)(void *context, struct error *err);
    void (*close)(void *context, struct work *work); // NULL does nothing
    bool (*begin)(void *context, struct work *work, struct error *err);
    void (*stamp)(void *context, struct work *work, int index);                   // 0 opens, 1 closes
    void (*flush)(void *context, struct work *work, const struct buffer *buffer); // fills it, and waits for that
    void (*barrier)(void *context, struct work *work);                            // between what stands around it
    void (*copy)(void *context, struct work *work, const struct buffer *from, uint64_t from_offset,
        const struct buffer *to, uint64_t to_offset, uint64_t bytes);
    bool (*end)(void *context, struct work *work, struct error *err);
    bool (*run)(void *context, struct work *work, double timeout_s, struct reading *out, struct error *err);
    // Makes what the host wrote visible to the device (`in`), or the other way round.
    bool (*sync)(void *context, const struct buffer *buffer, bool in, struct error *err);
};

// The real one; it uses `gpu` as long as it is used.
struct timing_device timing_gpu(struct gpu *gpu);

// What is timed: `record` adds it to `work` once, with a barrier after each part that the next one reads.
struct target {
    bool (*record)(const struct timing_device *device, struct work *work, const void *what, struct error *err);
    const void *what;
    // Brings back what `record` overwrites and reads: recorded before every repeat, of which there is then one, and
    // outside of what is timed. NULL: there is no such thing.
    bool (*restore)(const struct timing_device *device, struct work *work, const void *what, struct error *err);
};

// Which clock decides: the GPU's until its first reading that cannot be right, then the host's for all later ones.
struct timer {
    const char *why_host; // NULL: the GPU's
    double submit_ns;     // what an empty submission costs: taken off host intervals
};

// What a recording holds.
struct interval {
    int repeats;                // of the target between the timestamps
    bool lead;                  // once more before the first timestamp, so that instructions and operands are where
                                // they will be: for recordings of several targets that take turns
    const struct buffer *flush; // filled before everything else, so that caches hold nothing of use; NULL: not
    bool bare;                  // without timestamps: for what the host times
};

struct timing_settings {
    const struct timing_device *device;
    double timeout_s;           // for one wait on the device
    bool host_clock;            // samples by the host's clock in any case; not with `flush`
    double interval_ns;         // least length of an interval that is not cold; 0: what the timer needs
    double submit_ns;           // what an empty submission costs, for devices whose own clock is of no use
    const struct buffer *flush; // larger than the last-level cache, for cold samples; NULL: hot
    bool in_turns;              // other targets run between two samples of one
    struct stop_rule rule;      // of each target; `seconds` is its own time, whatever the others take
};

// A target kept ready. `target` is given, zeroed but for it; timing_close releases the rest.
struct sampler {
    struct target target;
    struct interval interval;
    struct timer timer;
    int64_t spent_ns; // host time of its recordings and samples
    struct work *work;
};

// Nanoseconds of a reading by the device's clock: the difference of the ticks modulo 2^bits, times the period. Negative
// where nothing was written.
double timing_interval_ns(const struct timing_device *device, const struct reading *reading);

// Records an interval of a target into `work`, which keeps it until its next recording.
bool timing_record(const struct timing_device *device, struct work *work, const struct target *target,
    const struct interval *interval, struct error *err);

// Runs it and gives nanoseconds of one repeat. ERROR_SKIP where a cold time would have to be the host's.
bool timing_run(const struct timing_device *device, struct work *work, const struct interval *interval,
    double timeout_s, struct timer *timer, double *ns, struct error *err);

// How many dispatches of `one_ns` each make an interval in which the timer's grain is below 0.1 % and the cost of
// starting it is small; `most_ns` bounds the interval (below that, 1).
int timing_repeats(const struct timing_device *device, double one_ns, double most_ns);

// Chooses repeats and lead from the faster of two single runs, and records. Cold targets stand alone, since the second
// of two would find what the first left.
bool timing_prepare(const struct timing_settings *settings, struct sampler *sampler, struct error *err);
// Until the medians of two successive stretches of samples agree, or a quarter of the time for samples is spent.
bool timing_warm_up(const struct timing_settings *settings, struct sampler *sampler, struct error *err);
// One sample: nanoseconds of one repeat.
bool timing_take(const struct timing_settings *settings, struct sampler *sampler, double *ns, struct error *err);
void timing_close(const struct timing_device *device, struct sampler *sampler);

#endif
