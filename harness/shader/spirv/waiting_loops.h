// SPDX-License-Identifier: Apache-2.0
// Finds loops that wait for another invocation.
#ifndef VKASSAY_SPIRV_WAITING_LOOPS_H
#define VKASSAY_SPIRV_WAITING_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns whether a loop looks at memory until another invocation has changed it: by an atomic or volatile load, by an
// atomic operation that changes nothing, or by an attempt to take a lock. A loop that repeats its own failed exchange,
// such as an atomic addition of floats, does not wait.
bool waiting_loops_found(const uint32_t *words, size_t count);

#endif
