// SPDX-License-Identifier: Apache-2.0
// One phases (record/wall.h) for threads that work on one point at once. Time is the device's while a thread is at it;
// else it is judging, reading back, or placing inputs, the first of these that a thread is at.
#ifndef VKASSAY_RUN_SHARED_TIMER_H
#define VKASSAY_RUN_SHARED_TIMER_H

#include "../record/wall.h"

#include <pthread.h>

struct shared_timer {
    pthread_mutex_t lock;
    struct phase_timer *phases; // nobody else's meanwhile
    int at[WALL_COUNT];         // threads
};
void shared_timer_open(struct shared_timer *shared, struct phase_timer *phases);
void shared_timer_close(struct shared_timer *shared);

// A thread's part of it; all start and end at WALL_IDLE.
struct timer_share {
    struct shared_timer *shared;
    enum wall_part part;
};
struct timer_share timer_share_start(struct shared_timer *shared);
void timer_share_turn(struct timer_share *share, enum wall_part part);

#endif
