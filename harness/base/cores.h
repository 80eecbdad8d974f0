// SPDX-License-Identifier: Apache-2.0
// The host's cores that this process may use, 1 at least: fewer than there are under taskset or in a container that
// was given some of them.
#ifndef VKASSAY_BASE_CORES_H
#define VKASSAY_BASE_CORES_H

#include <stdbool.h>

int cores_usable(void);

// Whole cores among them: the hardware threads of one core count once.
int cores_whole(void);

// Keeps the calling thread, and what it starts, on the index-th (from 0) of `count` shares of whole cores, none of
// which are in two shares. False, and nothing is changed: there are fewer whole cores than shares, or the system says
// no.
bool cores_take_share(int index, int count);

// Which share each hardware thread is in: of_core[i] names the core that thread i is of, the same for those of one
// core; share[i] receives 0 to count - 1. Returns the number of cores; where that is less than `count`, nothing is
// shared out.
int cores_share_out(const int *of_core, int threads, int count, int *share);

#endif
