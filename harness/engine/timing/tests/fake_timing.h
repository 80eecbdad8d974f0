// SPDX-License-Identifier: Apache-2.0
// A made-up device and clock for tests of the timing engine. Its 36-bit timestamps of 52.08 ns soon wrap. Targets
// depend on earlier work, and submissions have a cost. It can have slow spells, stamps never written or stuck, a
// jumping host clock, and a failure at a given run.
#ifndef VKASSAY_TIMING_FAKE_TIMING_H
#define VKASSAY_TIMING_FAKE_TIMING_H

#include "../timing.h"

#include "../../../../reference/philox.h"
#include "../../vulkan/gpu.h"

#include <math.h>
#include <stdlib.h>

enum { FAKE_COMMANDS = 30000, FAKE_RUNS = 4096, FAKE_BITS = 36 };
static const double fake_period_ns = 52.08;
enum fake_stamps { FAKE_STAMPS, FAKE_UNWRITTEN, FAKE_STILL, FAKE_BACKWARD };

// Other work: times follow an autoregression, time slices of others interrupt runs, and each recording has its place
// in memory. All zero: a quiet host.
struct fake_load {
    double noise, keep;      // deviation of a run's logarithm, and its correlation with the run before
    double slices, slice_ns; // chance of an interruption of a run, and its mean length
    double place;            // deviation of a recording's logarithm
    double state;
    uint64_t draws, seed;
};

struct fake {
    struct timing_device device;
    double now;                            // of the host, ns
    double submission_ns;                  // cost of a submission besides its work
    double first_ns;                       // extra time of the very first submission
    double idle_ns;                        // extra time of a submission's first dispatch on an idle device
    double stamp_ns;                       // device time of the opening timestamp: a fixed cost of each interval
    struct fake_load load;                 // other work on the host
    double ns_a_byte;                      // of copies on the device
    double slow_from, slow_until, slow_by; // a slow spell, in the host's time
    enum fake_stamps stamps;               // from run stamps_from on
    size_t stamps_from, fails_at;          // fails_at 0: never
    size_t jumps_at;                       // the host's clock jumps by jump_ns after this run; 0: never
    double jump_ns;
    // Events so far.
    size_t runs, opened, closed, flushes;
    double copied_bytes;            // of the latest run
    const void *order[FAKE_RUNS];   // the last target of each run
    const struct fake_kernel *last; // the kernel with its operands in caches; NULL: none
};

struct fake_kernel {
    double ns;        // of a dispatch with everything in place
    double cold_ns;   // extra time after another kernel or a flush
    double slow_runs; // this many first dispatches take twice as long
    double odd_ns;    // extra time of every fifth dispatch
    double wild_ns;   // extra time of every third
    size_t dispatches;
};

struct fake_command {
    enum fake_kind { FAKE_DISPATCH, FAKE_FLUSH, FAKE_STAMP, FAKE_COPY, FAKE_BARRIER } kind;
    struct fake_kernel *kernel;
    double bytes;
    int index;
};
struct fake_work {
    struct fake_command commands[FAKE_COMMANDS];
    size_t count;
    bool recorded;
    double place; // factor on its dispatches
};

static inline double fake_uniform(struct fake *f) {
    return philox_uniform(philox(f->load.seed, f->load.draws++, 0).v[0]);
}

// Returns a draw of the standard normal distribution (Box and Muller 1958).
static inline double fake_normal(struct fake *f) {
    const double radius = sqrt(-2 * log(1 - fake_uniform(f)));
    return radius * cos(6.283185307179586 * fake_uniform(f));
}

static inline struct fake_command *fake_add(struct work *work, enum fake_kind kind) {
    struct fake_work *w = (struct fake_work *)work;
    struct fake_command *c = &w->commands[w->count++];
    if (w->count == FAKE_COMMANDS) abort();
    *c = (struct fake_command){0};
    c->kind = kind;
    return c;
}

static inline int64_t fake_now(void *context) {
    return (int64_t)((struct fake *)context)->now;
}
static inline struct work *fake_open(void *context, struct error *err) {
    struct fake *f = context;
    (void)err;
    f->opened++;
    struct fake_work *work = calloc(1, sizeof *work);
    if (work) work->place = f->load.place > 0 ? exp(f->load.place * fake_normal(f)) : 1;
    return (struct work *)work;
}
static inline void fake_close(void *context, struct work *work) {
    struct fake *f = context;
    if (work) f->closed++;
    free(work);
}
static inline bool fake_begin(void *context, struct work *work, struct error *err) {
    struct fake_work *w = (struct fake_work *)work;
    (void)context;
    (void)err;
    w->count = 0;
    w->recorded = false;
    return true;
}
static inline void fake_stamp(void *context, struct work *work, int index) {
    (void)context;
    fake_add(work, FAKE_STAMP)->index = index;
}
static inline void fake_flush(void *context, struct work *work, const struct buffer *buffer) {
    (void)context;
    (void)buffer;
    fake_add(work, FAKE_FLUSH);
}
static inline void fake_barrier(void *context, struct work *work) {
    (void)context;
    fake_add(work, FAKE_BARRIER);
}
static inline void fake_copy(void *context, struct work *work, const struct buffer *from, uint64_t from_offset,
    const struct buffer *to, uint64_t to_offset, uint64_t bytes) {
    (void)context;
    (void)from;
    (void)from_offset;
    (void)to;
    (void)to_offset;
    fake_add(work, FAKE_COPY)->bytes = (double)bytes;
}
static inline bool fake_end(void *context, struct work *work, struct error *err) {
    (void)context;
    (void)err;
    ((struct fake_work *)work)->recorded = true;
    return true;
}

static inline double fake_dispatch_ns(struct fake *f, struct fake_kernel *k) {
    double ns = k->ns + (f->last == k ? 0 : k->cold_ns);
    if ((double)k->dispatches < k->slow_runs) ns *= 2;
    if (k->dispatches % 5 == 4) ns += k->odd_ns;
    if (k->dispatches % 3 == 2) ns += k->wild_ns;
    if (f->now >= f->slow_from && f->now < f->slow_until) ns *= f->slow_by;
    k->dispatches++;
    f->last = k;
    return ns;
}

// Returns a run's factor on times, and in *slice_ns the length of an interruption.
static inline double fake_disturb(struct fake *f, double *slice_ns) {
    struct fake_load *load = &f->load;
    *slice_ns = 0;
    if (load->slices > 0 && fake_uniform(f) < load->slices) *slice_ns = -load->slice_ns * log(1 - fake_uniform(f));
    if (!(load->noise > 0)) return 1;
    load->state = load->keep * load->state + sqrt(1 - load->keep * load->keep) * fake_normal(f);
    return exp(load->noise * load->state);
}

static inline void fake_execute(
    struct fake *f, const struct fake_command *c, double factor, double *device_ns, struct reading *out) {
    const uint64_t mask = ((uint64_t)1 << FAKE_BITS) - 1;
    switch (c->kind) {
    case FAKE_DISPATCH:
        *device_ns += factor * fake_dispatch_ns(f, c->kernel);
        break;
    case FAKE_FLUSH:
        f->last = NULL, f->flushes++, *device_ns += 5e4;
        break;
    case FAKE_COPY:
        f->copied_bytes += c->bytes, *device_ns += c->bytes * f->ns_a_byte;
        break;
    case FAKE_BARRIER:
        break;
    case FAKE_STAMP:
        out->ticks[c->index] = (uint64_t)round(*device_ns / fake_period_ns) & mask;
        if (c->index == 0) *device_ns += f->stamp_ns;
        break;
    }
}

static inline bool fake_run(
    void *context, struct work *work, double timeout_s, struct reading *out, struct error *err) {
    struct fake *f = context;
    const struct fake_work *w = (const struct fake_work *)work;
    int stamps = 0;
    (void)timeout_s;
    if (!w->recorded) abort();
    if (++f->runs == f->fails_at) return error_of_kind(err, ERROR_DEVICE_LOST, "lost at run %zu", f->runs);
    // The counter wraps within a few milliseconds of the start.
    double start = f->now + (((uint64_t)1 << FAKE_BITS) - 40000) * fake_period_ns, at = start;
    f->copied_bytes = 0;
    f->order[f->runs % FAKE_RUNS] = NULL;
    bool idle = true;
    double slice_ns;
    const double factor = w->place * fake_disturb(f, &slice_ns);
    for (size_t i = 0; i < w->count; i++) {
        if (idle && w->commands[i].kind == FAKE_DISPATCH) at += f->idle_ns, idle = false;
        if (i + 1 == w->count) at += slice_ns; // before the closing timestamp
        fake_execute(f, &w->commands[i], factor, &at, out);
        stamps += w->commands[i].kind == FAKE_STAMP;
        if (w->commands[i].kind == FAKE_DISPATCH) f->order[f->runs % FAKE_RUNS] = w->commands[i].kernel;
    }
    double host_ns = at - start + f->submission_ns + (f->runs == 1 ? f->first_ns : 0);
    out->host_ns = (int64_t)host_ns;
    f->now += host_ns + (f->jumps_at == f->runs ? f->jump_ns : 0);
    enum fake_stamps how = f->runs >= f->stamps_from ? f->stamps : FAKE_STAMPS;
    out->written = stamps == 2 && how != FAKE_UNWRITTEN && f->device.timestamp_bits > 0;
    if (how == FAKE_STILL) out->ticks[1] = out->ticks[0];
    if (how == FAKE_BACKWARD) out->ticks[1] = out->ticks[0] - 1000;
    return true;
}

static inline bool fake_sync(void *context, const struct buffer *buffer, bool in, struct error *err) {
    (void)buffer;
    (void)err;
    ((struct fake *)context)->now += in ? 3000 : 7000;
    return true;
}

// Records one kernel's dispatch as a target.
static inline bool fake_record(
    const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    (void)device;
    (void)err;
    fake_add(work, FAKE_DISPATCH)->kernel = (struct fake_kernel *)what;
    return true;
}
static inline struct target fake_target(const struct fake_kernel *kernel) {
    return (struct target){.record = fake_record, .what = kernel};
}

static inline void fake_start(struct fake *f) {
    *f = (struct fake){.submission_ns = 20e3, .ns_a_byte = 0.1, .slow_by = 1};
    f->device = (struct timing_device){.context = f,
        .timestamp_bits = FAKE_BITS,
        .timestamp_period_ns = fake_period_ns,
        .now = fake_now,
        .open = fake_open,
        .close = fake_close,
        .begin = fake_begin,
        .stamp = fake_stamp,
        .flush = fake_flush,
        .barrier = fake_barrier,
        .copy = fake_copy,
        .end = fake_end,
        .run = fake_run,
        .sync = fake_sync};
}

static inline struct timing_settings fake_settings(const struct fake *f) {
    return (struct timing_settings){
        .device = &f->device, .timeout_s = 20, .rule = {.least = 10, .most = 100, .precision = 0.01, .seconds = 1}};
}

#endif
