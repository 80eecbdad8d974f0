// SPDX-License-Identifier: Apache-2.0
// The columns of a CSV export that are members of a record. Private to harness/render.
#ifndef VKASSAY_RENDER_CSV_COLUMNS_H
#define VKASSAY_RENDER_CSV_COLUMNS_H

#include "../../record/fields.h"
#include "../../record/record.h"

// Tables end with a NULL key. What a point is comes first; of each group the cells are empty where it is not present.
extern const struct field csv_identity[];
struct csv_group {
    const struct field *fields;                   // NULL ends the groups
    bool (*present)(const struct record *record); // NULL: always
};
extern const struct csv_group csv_groups[];
extern const struct field csv_summary[]; // of struct summary, for each figure

bool csv_has_worst(const struct record *record);

#endif
