// SPDX-License-Identifier: Apache-2.0
// Products as text, and what they are made of; their values are in kernel.h.
#ifndef VKASSAY_PLAN_PRODUCT_H
#define VKASSAY_PLAN_PRODUCT_H

#include "kernel.h"

bool product_has_dims(const struct kernel *kernel, const struct product *product);

// "cols * 4", "1" when empty; in the arena.
const char *product_text(struct arena *arena, const struct product *product);

#endif
