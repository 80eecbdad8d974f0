// SPDX-License-Identifier: Apache-2.0
// Rounds: several prepared kernels measured in turn, sample by sample, on one device, so that whatever drifts (clocks,
// temperature, neighbours) hits them alike.
//
//     bench   the shapes and kernels of one problem, each until its own interval is narrow
//     tune    the same, with a `between` that drops those that cannot win any more
//     ab      two versions of one kernel: `paired`, so that sample i of one belongs to sample i of the other
//
// Contenders may share operands and may even be the same launch; a contender's launch and buffers must outlive the
// call.
#ifndef VKASSAY_RUN_ROUNDS_H
#define VKASSAY_RUN_ROUNDS_H

#include "../stats/summary.h"
#include "interval.h"

struct contender {
    const struct launch *launch; // given; everything below is filled in
    int repeats;                 // dispatches in one interval
    struct timer timer;          // which clock its samples are of
    double *samples;             // nanoseconds of one dispatch, in the order taken; owned (rounds_release)
    size_t count;
    enum stop_reason stop; // STOP_NOT_YET while it takes part, or when it was dropped
    bool dropped;          // set by `between`: takes no more samples; what it has stays
    bool failed;           // rounds_measure returned false because of this one
    int64_t spent_ns;      // host time of its samples
    struct work *work;     // its recording
    struct interval interval;
    size_t room;
};

struct round_settings {
    struct gpu *gpu;
    double timeout_s;           // for one wait on the GPU
    bool host_clock;            // samples by the host's clock in any case; not with `flush`
    double interval_ns;         // least length of an interval that is not cold; 0: what the timer needs
    double submit_ns;           // what an empty submission costs, for devices whose own clock is of no use
    struct stop_rule rule;      // of each contender; `seconds` is its own time, whatever the others take
    const struct buffer *flush; // larger than the last-level cache, for cold samples; NULL: hot
    uint64_t seed;              // a contender's place in a round is drawn anew for every two rounds, the second of
                                // which goes backwards (ABBA): a drift that is linear over both cancels
    bool paired;                // nobody stops before all may, so that counts stay equal. Only for few contenders
    // Called after each round that is whole; may set `dropped`. False ends the measurement, which is no error. NULL:
    // none.
    bool (*between)(void *user, struct contender *list, size_t count, size_t round);
    void *user;
};

// Warms each contender up (until the medians of two successive stretches of samples agree), chooses its repeats, then
// goes round until each has stopped or was dropped. False: the device failed at the one that says so, err says how.
// Release in either case.
bool rounds_measure(struct contender *list, size_t count, const struct round_settings *settings, struct error *err);
void rounds_release(struct gpu *gpu, struct contender *list, size_t count);

#endif
