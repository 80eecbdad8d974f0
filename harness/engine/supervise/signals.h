// SPDX-License-Identifier: Apache-2.0
// Signals: for the supervisor while workers run, and for a worker killed by one.
#ifndef VKASSAY_SUPERVISE_SIGNALS_H
#define VKASSAY_SUPERVISE_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Installs the handlers. A write to a dead worker then fails instead of killing the process, and workers can be
// waited for. With `interrupts`, SIGINT, SIGTERM, SIGHUP and SIGUSR1 are noted. A second one of the first three ends
// the process by its default action, unless it arrives together with the first. Several threads may hold the handlers:
// the first call installs them with its `interrupts`. The last signals_give_back ends what workers left behind, and
// restores the old ones.
void signals_take(bool interrupts);
void signals_give_back(void);

// Returns whether one of these signals asked the session to end since signals_take.
bool signals_interrupted(void);

// Returns the time (of clock_ns) of the first SIGINT, SIGTERM or SIGHUP, which do not wait for the current point; 0:
// none.
int64_t signals_hurried(void);

// ---- last words: a worker killed by a signal while several threads build shaders names the point of the culprit
// thread. Otherwise the supervisor could only suspect all points already begun.

// The point of the calling thread; NOTHING: none.
#define NOTHING ((size_t)-1)
void last_words_at(size_t index);

// Installs and removes handlers of fatal signals. If the thread is at a point, the handler first writes a "died"
// message (protocol.h) to descriptor `to`. Then the previous handler handles the signal. The calls must not be
// nested.
void last_words_take(int to);
void last_words_give_back(void);

#endif
