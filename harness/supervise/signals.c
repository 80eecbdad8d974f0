// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include "../base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

// timeout(1) signals its child and then the child's group, so that one interrupt comes twice in a
// row.
static const int64_t same_interrupt_ns = 250000000;

static _Atomic int64_t interrupted_ns;

static void on_interrupt(int number) {
    int saved = errno;
    int64_t now = clock_ns(), first = 0;
    if (!atomic_compare_exchange_strong(&interrupted_ns, &first, now) && now - first > same_interrupt_ns) {
        signal(number, SIG_DFL);
        raise(number); // delivered when this handler returns
    }
    errno = saved;
}

static struct {
    int number;
    bool interrupt;
    void (*handler)(int);
    struct sigaction saved;
} taken[] = {
    {.number = SIGPIPE, .handler = SIG_IGN},
    {.number = SIGCHLD, .handler = SIG_DFL}, // inherited as ignored, it would leave no exit status to wait for
    {.number = SIGINT, .interrupt = true, .handler = on_interrupt},
    {.number = SIGTERM, .interrupt = true, .handler = on_interrupt},
};
enum { TAKEN = sizeof taken / sizeof *taken };

void signals_take(bool interrupts) {
    atomic_store(&interrupted_ns, 0);
    for (int i = 0; i < TAKEN; i++) {
        sigaction(taken[i].number, NULL, &taken[i].saved);
        // What runs in a shell's background ignores interrupts, and should go on to.
        if (taken[i].interrupt && (!interrupts || taken[i].saved.sa_handler == SIG_IGN)) continue;
        struct sigaction action = {.sa_handler = taken[i].handler, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        sigaction(taken[i].number, &action, NULL);
    }
}

void signals_give_back(void) {
    for (int i = 0; i < TAKEN; i++) sigaction(taken[i].number, &taken[i].saved, NULL);
}

int64_t signals_interrupted(void) {
    return atomic_load(&interrupted_ns);
}
