// SPDX-License-Identifier: Apache-2.0
#include "shared_watch.h"

void shared_watch_open(struct shared_watch *shared, struct watch *watch) {
    *shared = (struct shared_watch){.watch = watch};
    pthread_mutex_init(&shared->lock, NULL);
}

void shared_watch_close(struct shared_watch *shared) {
    pthread_mutex_destroy(&shared->lock);
}

struct watch_share watch_share_start(struct shared_watch *shared) {
    return (struct watch_share){shared, WALL_IDLE};
}

static enum wall_part first_part(const struct shared_watch *shared) {
    static const enum wall_part order[] = {WALL_COMPUTE, WALL_JUDGE, WALL_DOWNLOAD, WALL_UPLOAD};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (shared->at[order[i]]) return order[i];
    return WALL_IDLE;
}

void watch_share_turn(struct watch_share *share, enum wall_part part) {
    struct shared_watch *shared = share->shared;
    pthread_mutex_lock(&shared->lock);
    shared->at[share->part]--;
    shared->at[part]++;
    share->part = part;
    watch_turn(shared->watch, first_part(shared));
    pthread_mutex_unlock(&shared->lock);
}
