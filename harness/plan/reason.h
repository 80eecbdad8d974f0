// SPDX-License-Identifier: Apache-2.0
// Reasons: why something is not legal, as text in an arena. NULL
// stands for "it is"; so that memory that is out is not read as that,
// a fixed sentence takes the place of a text that could not be made.
#ifndef VKASSAY_PLAN_REASON_H
#define VKASSAY_PLAN_REASON_H

#include "../base/arena.h"

static inline const char *reason_text(const char *text) {
    return text ? text : "(out of memory for the explanation)";
}

// REASON(arena, format, ...)
#define REASON(...) reason_text(arena_format(__VA_ARGS__))

#endif
