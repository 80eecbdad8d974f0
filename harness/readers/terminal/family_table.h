// SPDX-License-Identifier: Apache-2.0
// A table with one row per family of operators, printed in place of tables too long to read. Private to
// harness/readers/render.
#ifndef VKASSAY_RENDER_FAMILY_TABLE_H
#define VKASSAY_RENDER_FAMILY_TABLE_H

#include "../table/table.h"
#include "../render/view.h"

// Makes the table in the arena: operators, points, passed points, and closeness to the roof for each family.
void family_table(const struct view *view, struct arena *arena, struct table *out);

#endif
