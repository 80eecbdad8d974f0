// SPDX-License-Identifier: Apache-2.0
// Cells that compare rules for choosing a shape: at one size, and over all. Private to harness/render.
#ifndef VKASSAY_RENDER_CHOICE_CELLS_H
#define VKASSAY_RENDER_CHOICE_CELLS_H

#include "case_columns.h"

// Of a case: what the best shape gains over each.
void put_bucket(struct text *out, const void *of, struct cell *cell);
void put_over_64(struct text *out, const void *of, struct cell *cell);
void put_over_256(struct text *out, const void *of, struct cell *cell);
void put_over_largest(struct text *out, const void *of, struct cell *cell);
void put_over_pick(struct text *out, const void *of, struct cell *cell);

// Of a kernel: the pick, and what each rule costs where it costs most.
void put_pick(struct text *out, const void *of, struct cell *cell);
void put_pick_regret(struct text *out, const void *of, struct cell *cell);
void put_pick_at(struct text *out, const void *of, struct cell *cell);
void put_pick_sizes(struct text *out, const void *of, struct cell *cell);
void put_pick_shapes(struct text *out, const void *of, struct cell *cell);
void put_regret_default(struct text *out, const void *of, struct cell *cell);
void put_regret_systems(struct text *out, const void *of, struct cell *cell);
void put_regret_64(struct text *out, const void *of, struct cell *cell);
void put_regret_256(struct text *out, const void *of, struct cell *cell);
void put_regret_largest(struct text *out, const void *of, struct cell *cell);

#endif
