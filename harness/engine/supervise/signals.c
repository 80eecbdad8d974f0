// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include "../../base/clock.h"
#include "process.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

// timeout(1) signals its child and then the child's group, so one interrupt comes twice in a row. A batch system
// signals all processes of a job, and a script among them passes the signal on.
static const int64_t same_interrupt_ns = 250000000, same_termination_ns = 2000000000;

static _Atomic int64_t asked_ns, hurried_ns;

static void on_interrupt(int number) {
    int saved = errno;
    int64_t now = clock_ns(), first = 0, none = 0;
    const int64_t same_ns = number != SIGINT ? same_termination_ns : same_interrupt_ns;
    atomic_compare_exchange_strong(&asked_ns, &none, now);
    if (!atomic_compare_exchange_strong(&hurried_ns, &first, now) && now - first > same_ns) {
        signal(number, SIG_DFL);
        raise(number); // delivered when this handler returns
    }
    errno = saved;
}

static void on_request(int number) {
    int saved = errno;
    int64_t none = 0;
    (void)number;
    atomic_compare_exchange_strong(&asked_ns, &none, clock_ns());
    errno = saved;
}

struct taken {
    int number;
    bool interrupt;
    void (*handler)(int);
    struct sigaction saved;
};

static void give_back(const struct taken *taken, size_t count) {
    for (size_t i = 0; i < count; i++) sigaction(taken[i].number, &taken[i].saved, NULL);
}

static struct taken taken[] = {
    {.number = SIGPIPE, .handler = SIG_IGN},
    {.number = SIGCHLD, .handler = SIG_DFL}, // if inherited as ignored, it would leave no exit status to wait for
    {.number = SIGINT, .interrupt = true, .handler = on_interrupt},
    {.number = SIGTERM, .interrupt = true, .handler = on_interrupt},
    {.number = SIGHUP, .interrupt = true, .handler = on_interrupt}, // the terminal is gone
    {.number = SIGUSR1, .interrupt = true, .handler = on_request},
};
enum { TAKEN = sizeof taken / sizeof *taken };

// Sessions of several devices, each in a thread, share the handlers.
static pthread_mutex_t holding = PTHREAD_MUTEX_INITIALIZER;
static int holders;

static void take(bool interrupts) {
    atomic_store(&asked_ns, 0);
    atomic_store(&hurried_ns, 0);
    for (int i = 0; i < TAKEN; i++) {
        sigaction(taken[i].number, NULL, &taken[i].saved);
        // A process in a shell's background ignores interrupts, and should keep ignoring them.
        if (taken[i].interrupt && (!interrupts || taken[i].saved.sa_handler == SIG_IGN)) continue;
        struct sigaction action = {.sa_handler = taken[i].handler, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        sigaction(taken[i].number, &action, NULL);
    }
}

void signals_take(bool interrupts) {
    pthread_mutex_lock(&holding);
    if (!holders++) take(interrupts);
    pthread_mutex_unlock(&holding);
}

void signals_give_back(void) {
    pthread_mutex_lock(&holding);
    if (!--holders) {
        process_end_left_over();
        give_back(taken, TAKEN);
    }
    pthread_mutex_unlock(&holding);
}

bool signals_interrupted(void) {
    return atomic_load(&asked_ns) != 0;
}

int64_t signals_hurried(void) {
    return atomic_load(&hurried_ns);
}

// ---- last words

static _Thread_local size_t at = NOTHING;
static int descriptor;

static struct taken ends[] = {{.number = SIGSEGV}, {.number = SIGBUS}, {.number = SIGILL}, {.number = SIGFPE},
    {.number = SIGABRT}, {.number = SIGTRAP}, {.number = SIGSYS}};
enum { ENDS = sizeof ends / sizeof *ends };

void last_words_at(size_t index) {
    at = index;
}

// Writes the "died" message; runs in a signal handler, so it uses only async-signal-safe calls.
static void say(void) {
    char line[64], digits[24];
    size_t length = 0, count = 0, rest = at;
    static const char before[] = "{\"type\":\"died\",\"index\":", after[] = "}\n";
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    for (size_t i = 0; before[i]; i++) line[length++] = before[i];
    while (count) line[length++] = digits[--count];
    for (size_t i = 0; after[i]; i++) line[length++] = after[i];
    while (write(descriptor, line, length) < 0 && errno == EINTR) {
    }
}

static void on_end(int number) {
    if (at != NOTHING) say();
    for (int i = 0; i < ENDS; i++)
        if (ends[i].number == number) sigaction(number, &ends[i].saved, NULL);
    raise(number); // delivered when this handler returns
}

void last_words_take(int to) {
    struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    descriptor = to;
    for (int i = 0; i < ENDS; i++) sigaction(ends[i].number, &action, &ends[i].saved);
}

void last_words_give_back(void) {
    give_back(ends, ENDS);
}
