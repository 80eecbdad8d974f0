// SPDX-License-Identifier: Apache-2.0
#include "shared_timer.h"

void shared_timer_open(struct shared_timer *shared, struct phase_timer *phases) {
    *shared = (struct shared_timer){.phases = phases};
    pthread_mutex_init(&shared->lock, NULL);
}

void shared_timer_close(struct shared_timer *shared) {
    pthread_mutex_destroy(&shared->lock);
}

struct timer_share timer_share_start(struct shared_timer *shared) {
    return (struct timer_share){shared, WALL_IDLE};
}

void timer_share_switch(struct timer_share *share, enum wall_part part) {
    static const enum wall_part order[] = {WALL_UPLOAD, WALL_DOWNLOAD, WALL_JUDGE, WALL_COMPUTE};
    struct shared_timer *shared = share->shared;
    enum wall_part last = WALL_IDLE;
    pthread_mutex_lock(&shared->lock);
    shared->at[share->part]--;
    shared->at[part]++;
    share->part = part;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (shared->at[order[i]]) last = order[i];
    phase_timer_switch(shared->phases, last);
    pthread_mutex_unlock(&shared->lock);
}
