// SPDX-License-Identifier: Apache-2.0
// Rounds: several prepared kernels measured in turn, sample by sample, on one device. Any drift (clocks, temperature,
// neighbours) then affects them alike.
//
// In `bench` the candidates are the shapes and kernels of one problem. Each continues until its own interval is
// narrow.
// In `ab` they are two versions of one kernel, `paired`: sample i of one belongs to sample i of the other.
//
// Candidates may share operands, and even the target. The target must outlive the call.
#ifndef VKASSAY_TIMING_ROUNDS_H
#define VKASSAY_TIMING_ROUNDS_H

#include "timing.h"

struct round_candidate {
    struct sampler sampler; // its target is given; everything below is filled in
    double *samples;        // nanoseconds of one dispatch, in the order taken; owned (rounds_release)
    size_t count;
    enum stop_reason stop; // STOP_NOT_YET while it takes part, or if it was dropped
    bool dropped;          // set by `between`: takes no more samples, but keeps its old ones
    bool failed;           // rounds_measure returned false because of it
    size_t room;
};

struct round_settings {
    struct timing_settings timing; // rounds_measure sets `shared`
    // A candidate's place is drawn anew for every two rounds. The second round goes backwards (ABBA), so a drift
    // linear over both cancels.
    uint64_t seed;
    // All stop together, so counts stay equal. Only for few candidates.
    bool paired;
    // Called after each whole round; it may set `dropped`. Returning false ends the measurement without an error. May
    // be NULL.
    bool (*between)(void *user, struct round_candidate *list, size_t count, size_t round);
    void *user;
};

// Chooses repeats for all candidates and warms each up, until the medians of two successive batches of samples agree.
// Then it goes round until each has stopped or was dropped. Returns false if the device failed at the candidate
// marked `failed`; err has the reason. Release in either case.
bool rounds_measure(
    struct round_candidate *list, size_t count, const struct round_settings *settings, struct error *err);
void rounds_release(const struct timing_device *device, struct round_candidate *list, size_t count);

#endif
