// SPDX-License-Identifier: Apache-2.0
// A line for each family of operators, in the place of tables that nobody reads to their end. Private to
// harness/render.
#ifndef VKASSAY_RENDER_FAMILY_TABLE_H
#define VKASSAY_RENDER_FAMILY_TABLE_H

#include "../table/table.h"
#include "../view.h"

// How many operators and points each family has, how many were right, and how near to the roof they are, in the arena.
void family_table(const struct view *view, struct arena *arena, struct table *out);

#endif
