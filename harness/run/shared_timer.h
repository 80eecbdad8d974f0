// SPDX-License-Identifier: Apache-2.0
// One watch (record/wall.h) for threads that work on one point at once. Time is the device's while a thread is at it;
// else it is judging, reading back, or placing inputs, the first of these that a thread is at.
#ifndef VKASSAY_RUN_SHARED_WATCH_H
#define VKASSAY_RUN_SHARED_WATCH_H

#include "../record/wall.h"

#include <pthread.h>

struct shared_watch {
    pthread_mutex_t lock;
    struct watch *watch; // nobody else's meanwhile
    int at[WALL_COUNT];  // threads
};
void shared_watch_open(struct shared_watch *shared, struct watch *watch);
void shared_watch_close(struct shared_watch *shared);

// A thread's part of it; all start and end at WALL_IDLE.
struct watch_share {
    struct shared_watch *shared;
    enum wall_part part;
};
struct watch_share watch_share_start(struct shared_watch *shared);
void watch_share_turn(struct watch_share *share, enum wall_part part);

#endif
