// SPDX-License-Identifier: Apache-2.0
// The GPU against the scalar reference over size. Private to harness/render.
#ifndef VKASSAY_RENDER_CROSSOVER_WORDS_H
#define VKASSAY_RENDER_CROSSOVER_WORDS_H

#include "../base/text.h"
#include "../stats/crossover.h"
#include "view.h"

// "Compute alone: GPU faster from n = 12300 on"; `what` names the figure, `at` the size.
void put_crossover(struct text *out, const char *what, enum crossover found, const char *at);

// The scalar reference's time for the case, in nanoseconds; NaN when no record of it has one.
double reference_ns(const struct view_case *c);

#endif
