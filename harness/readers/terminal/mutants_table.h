// SPDX-License-Identifier: Apache-2.0
// Mutants counted by verdict, per kernel, family and mutation. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_MUTANTS_TABLE_H
#define VKASSAY_RENDER_MUTANTS_TABLE_H

#include "../../base/arena.h"
#include "../../base/json.h"
#include "../table/table.h"

// Counts of mutants by verdict; reports/schema/mutants.schema.json defines the verdicts.
struct mutant_row {
    const char *name; // of the kernel, family or mutation; "all"
    const char *note; // the reason why a kernel has no mutants, or a caveat about their verdicts; NULL: none
    int64_t killed, survived, unseen, equivalent, invalid, not_run;
    double seconds;
};
struct mutant_rows {
    struct mutant_row *items; // in the arena; strings belong to the JSON result, so it must outlive them
    size_t count, capacity;
};
struct mutant_tables {
    struct mutant_rows kernels, families, mutations;
    struct mutant_row all;
    struct mutant_met {
        struct json_object *kernel, *mutant;
    } * met; // all mutants, in the order of the result
    size_t met_count, met_capacity;
};
void mutant_tables_make(struct arena *arena, struct json_object *result, struct mutant_tables *out);

double mutant_row_score(const struct mutant_row *row); // NaN: none was killed and none survived
// Appends "12 kernels, 400 mutants: 350 killed, 11 survived (score 0.970), 39 unseen, 0 equivalent; 41 mutants a
// minute".
void put_mutant_summary(struct text *out, const struct mutant_tables *tables, struct json_object *result);

// Makes the table of one kind of rows.
enum mutant_table { MUTANTS_BY_KERNEL = 1, MUTANTS_BY_FAMILY = 2, MUTANTS_BY_MUTATION = 4 };
void mutant_table_make(
    struct arena *arena, const struct mutant_tables *tables, enum mutant_table which, struct table *out);

#endif
