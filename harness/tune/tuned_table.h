// SPDX-License-Identifier: Apache-2.0
// The tuned table: for each case of a result its best shape, what ties with it, what comes next and
// what the default loses. Any result will do whose cases were timed in several shapes.
#ifndef VKASSAY_TUNE_TUNED_TABLE_H
#define VKASSAY_TUNE_TUNED_TABLE_H

#include "../base/names.h"
#include "../base/text.h"
#include "../record/cases.h"
#include "../record/result.h"
#include "search.h"

// How much of a case's space was searched.
struct tuned_search {
    size_t legal;    // shapes that can run on the device; 0: not known
    bool unfinished; // the search or the run was stopped before its end: a shape that was not tried may be faster
};

struct tuned_entry {
    const struct record *best, *runner_up, *standard; // the last two may be NULL
    const struct record *ties[FINDING_TIES];
    int tie_count;
    const char *case_name;
    int dims;                      // leading dims of the record that are the operator's, without parameters
    int bucket;                    // of size (harness/record/cases.h)
    size_t shapes, wrong, samples; // shapes that were timed or failed; samples of all of them
    struct tuned_search search;
};

struct tuned {
    const struct result *result; // must outlive it
    struct tuned_entry *items;
    size_t count;
};

// The searches of a result, found by their cases. Borrows the result; released by tuned_searches_free.
struct tuned_searches {
    struct names names;
    struct json_object *cases; // of $.run.tuning; NULL: no search made the result
    bool cut;                  // the run was cut short
};
void tuned_searches_open(const struct result *result, struct tuned_searches *out);
struct tuned_search tuned_search_of(const struct tuned_searches *searches, const char *case_name);
void tuned_searches_free(struct tuned_searches *searches);

// The same of a table's entries, as the context of a result that the table stands for.
void tuned_note_searches(const struct tuned *tuned, struct json_object *context);

// How many entries are of searches that were not finished.
size_t tuned_unfinished(const struct tuned *tuned);

// The records that a table is made of, by their cases: peaks are no cases to tune, and what was skipped is no shape.
void tuned_cases(const struct result *result, struct arena *arena, struct cases *out);

// Cases without a shape that is right and timed are left out.
void tuned_make(const struct result *result, struct arena *arena, struct tuned *out);

// Reads such a table from its file. The records of its entries hold what it says of them: names, shapes, times and the
// hash of the sources. `head` becomes its device and tool alone, as the result of `out`; the caller releases it.
bool tuned_read(const char *path, struct arena *arena, struct result *head, struct tuned *out, struct error *err);

// Holds a table to a profile: entries whose best shape goes beyond it are dropped, ties and runners-up too. Returns how
// many entries that are.
size_t tuned_narrow(struct tuned *tuned, const struct profile *profile);

// How much slower a record is than the best, 0.1 for a tenth; NaN without a time.
double tuned_loss(const struct tuned_entry *entry, const struct record *record);

// reports/schema/tuned.schema.json
void tuned_put(struct text *out, const struct tuned *tuned);
// Parts of its entries: {"rows": 16}, {"wg": [64, 1, 1], "ITEMS": 4}.
struct json_object *tuned_dims(const struct named_number *dims, int count);
struct json_object *tuned_shape(const uint32_t *wg, const struct named_number *tunables, int count);
bool tuned_write(const char *path, const struct tuned *tuned, struct error *err);

// ---- whether two tables say the same

enum agreement { AGREE_SAME, AGREE_TIE, AGREE_NOT };

// The same best shape; or the best of one is among the ties of the other; or neither.
enum agreement tuned_agree(const struct tuned_entry *a, const struct tuned_entry *b);

// For each entry of `a` that of the same case in `b`, or NULL.
void tuned_pair(const struct tuned *a, const struct tuned *b, struct arena *arena, const struct tuned_entry ***others);

#endif
