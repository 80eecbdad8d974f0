// SPDX-License-Identifier: Apache-2.0
// What signals mean while workers are about.
#ifndef VKASSAY_SUPERVISE_SIGNALS_H
#define VKASSAY_SUPERVISE_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

// A write to a worker that is gone fails rather than kills, and workers can be waited for. With
// `interrupts`, SIGINT and SIGTERM are noted; a second one ends the process by its default action.
// The calls may not be nested.
void signals_take(bool interrupts);
void signals_give_back(void);

// When the first interrupt came (of clock_ns); 0: none since signals_take.
int64_t signals_interrupted(void);

#endif
