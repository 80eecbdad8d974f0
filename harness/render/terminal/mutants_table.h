// SPDX-License-Identifier: Apache-2.0
// What became of mutants, counted by kernel, by family and by mutation. Private to harness/render.
#ifndef VKASSAY_RENDER_MUTANTS_TABLE_H
#define VKASSAY_RENDER_MUTANTS_TABLE_H

#include "../../base/arena.h"
#include "../../base/json.h"
#include "../table/table.h"

// Of some mutants; a result's are those of reports/schema/mutants.schema.json.
struct mutant_row {
    const char *name; // of the kernel, family or mutation; "all"
    const char *note; // why a kernel has none, or what is to be known of their verdicts; NULL: nothing
    int64_t killed, survived, unseen, equivalent, invalid, not_run;
    double seconds;
};
struct mutant_rows {
    struct mutant_row *items; // in the arena, as are their strings' owners: the result must outlive them
    size_t count, capacity;
};
struct mutant_tables {
    struct mutant_rows kernels, families, mutations;
    struct mutant_row all;
    struct mutant_met {
        struct json_object *kernel, *mutant;
    } * met; // every one, in the order of the result
    size_t met_count, met_capacity;
};
void mutant_tables_make(struct arena *arena, struct json_object *result, struct mutant_tables *out);

double mutant_row_score(const struct mutant_row *row); // NaN: none was killed and none survived
// "killed 350 of 361 that could be seen, score 0.970; 39 unseen, 2 invalid; 41 mutants a minute".
void put_mutant_summary(struct text *out, const struct mutant_tables *tables, struct json_object *result);

// As a table; `what` heads its first column.
enum mutant_table { MUTANTS_BY_KERNEL = 1, MUTANTS_BY_FAMILY = 2, MUTANTS_BY_MUTATION = 4 };
void mutant_table_make(
    struct arena *arena, const struct mutant_tables *tables, enum mutant_table which, struct table *out);

#endif
