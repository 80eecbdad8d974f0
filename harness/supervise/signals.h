// SPDX-License-Identifier: Apache-2.0
// What signals mean: to the supervisor while workers are about, and to a worker that one of them ends.
#ifndef VKASSAY_SUPERVISE_SIGNALS_H
#define VKASSAY_SUPERVISE_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A write to a worker that is gone fails rather than kills, and workers can be waited for. With
// `interrupts`, SIGINT, SIGTERM and SIGUSR1 are noted; a second one of the first two ends the process by its default
// action, unless it comes with the first. Several threads may hold them: the first takes them, as it asks for, and the
// last gives them back.
void signals_take(bool interrupts);
void signals_give_back(void);

// Whether the session is to end, by any of the three, since signals_take.
bool signals_interrupted(void);

// When (of clock_ns) it was first asked to by one that does not wait for the point at hand, SIGINT or SIGTERM; 0: it
// was not.
int64_t signals_hurried(void);

// ---- what a worker says when a signal ends it while it builds shaders on several threads: which of them this one was
// at. What the supervisor heard before leaves the choice among all that were begun.

// What the calling thread is at; NOTHING: nothing.
#define NOTHING ((size_t)-1)
void last_words_at(size_t index);

// Between the two a signal that ends the process, in a thread that is at something, says on descriptor `to` that it
// died (protocol.h) first. What handled the signal before handles it then. The calls may not be nested.
void last_words_take(int to);
void last_words_give_back(void);

#endif
