// SPDX-License-Identifier: Apache-2.0
#include "crew.h"

#include "../base/cores.h"

#include <pthread.h>

struct crew_member {
    void (*work)(void *user, int job);
    void *user;
    int job;
    pthread_t thread;
};

static void *begin(void *argument) {
    struct crew_member *member = argument;
    member->work(member->user, member->job);
    return NULL;
}

void crew_run(int jobs, void (*work)(void *user, int job), void *user) {
    struct crew_member members[CREW_MOST];
    int started = 1;
    for (; started < jobs && started < CREW_MOST; started++) {
        members[started] = (struct crew_member){.work = work, .user = user, .job = started};
        if (pthread_create(&members[started].thread, NULL, begin, &members[started]) != 0) break;
    }
    work(user, 0);
    for (int i = 1; i < started; i++) pthread_join(members[i].thread, NULL);
}

int crew_threads(int jobs) {
    int share = cores_usable() / jobs;
    return share > 1 ? share : 1;
}
