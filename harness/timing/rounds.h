// SPDX-License-Identifier: Apache-2.0
// Rounds: several prepared kernels measured in turn, sample by sample, on one device, so that whatever drifts (clocks,
// temperature, neighbours) hits them alike.
//
//     bench   the shapes and kernels of one problem, each until its own interval is narrow
//     ab      two versions of one kernel: `paired`, so that sample i of one belongs to sample i of the other
//
// Contenders may share operands and may even have the same target, which must outlive the call.
#ifndef VKASSAY_RUN_ROUNDS_H
#define VKASSAY_RUN_ROUNDS_H

#include "timing.h"

struct contender {
    struct sampler sampler; // its target is given; everything below is filled in
    double *samples;        // nanoseconds of one dispatch, in the order taken; owned (rounds_release)
    size_t count;
    enum stop_reason stop; // STOP_NOT_YET while it takes part, or when it was dropped
    bool dropped;          // set by `between`: takes no more samples; what it has stays
    bool failed;           // rounds_measure returned false because of this one
    size_t room;
};

struct round_settings {
    struct timing_settings timing; // rounds_measure sets in_turns
    uint64_t seed;                 // a contender's place in a round is drawn anew for every two rounds, the second of
                                   // which goes backwards (ABBA): a drift that is linear over both cancels
    bool paired;                   // nobody stops before all may, so that counts stay equal. Only for few contenders
    // Called after each round that is whole; may set `dropped`. False ends the measurement, which is no error. NULL:
    // none.
    bool (*between)(void *user, struct contender *list, size_t count, size_t round);
    void *user;
};

// Warms each contender up (until the medians of two successive stretches of samples agree), chooses its repeats, then
// goes round until each has stopped or was dropped. False: the device failed at the one that says so, err says how.
// Release in either case.
bool rounds_measure(struct contender *list, size_t count, const struct round_settings *settings, struct error *err);
void rounds_release(const struct timing_device *device, struct contender *list, size_t count);

#endif
