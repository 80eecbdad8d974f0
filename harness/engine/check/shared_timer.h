// SPDX-License-Identifier: Apache-2.0
// A phase timer (record/wall.h) for several threads on one point. Time is the device's while any thread uses it.
// Otherwise it is judging, reading back or placing inputs, in this order, if a thread does so.
#ifndef VKASSAY_CHECK_SHARED_TIMER_H
#define VKASSAY_CHECK_SHARED_TIMER_H

#include "../../record/wall.h"

#include <pthread.h>

struct shared_timer {
    pthread_mutex_t lock;
    struct phase_timer *phases; // used by nobody else meanwhile
    int at[WALL_COUNT];         // number of threads in each part
};
void shared_timer_open(struct shared_timer *shared, struct phase_timer *phases);
void shared_timer_close(struct shared_timer *shared);

// One thread's share. Threads start and end at WALL_IDLE.
struct timer_share {
    struct shared_timer *shared;
    enum wall_part part;
};
struct timer_share timer_share_start(struct shared_timer *shared);
void timer_share_switch(struct timer_share *share, enum wall_part part);

#endif
