// SPDX-License-Identifier: Apache-2.0
// The tuned table of a result: for each case the best shape, its ties, the runner-up and the loss of the default. Any
// result will do if its cases were timed in several shapes.
#ifndef VKASSAY_TUNE_TUNED_TABLE_H
#define VKASSAY_TUNE_TUNED_TABLE_H

#include "../base/names.h"
#include "../base/text.h"
#include "../record/cases.h"
#include "search.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;
struct result;
struct profile;
struct named_number;

// How much of a case's space was searched.
struct tuned_search {
    size_t legal;    // shapes that can run on the device; 0: unknown
    size_t tried;    // shapes tried by a search; 0: unknown
    bool unfinished; // the search or run was stopped early: an untried shape may be faster
    // Of a result made from a tuned table: the table's choice and its `undecided`. NULL: none.
    const char *chosen;
    bool undecided;
};

struct tuned_entry {
    const struct record *best;                 // the choice: the fastest, or a tie of it (case_choose)
    const struct record *runner_up, *standard; // may be NULL
    const struct record *ties[FINDING_TIES];   // other shapes not told apart from the fastest
    int tie_count;
    const char *case_name;
    int dims;                      // number of leading dims in the record that belong to the operator, without
                                   // parameters
    int bucket;                    // of size (harness/record/cases.h)
    size_t shapes, wrong, samples; // shapes timed or failed; samples of all of them
    bool undecided;                // other shapes were timed, and none was told apart from the fastest
    struct tuned_search search;
};

struct tuned {
    const struct result *result; // must outlive the table
    struct tuned_entry *items;
    size_t count;
};

// The searches of a result by case. Borrows the result; release it by tuned_searches_free.
struct tuned_searches {
    struct names names;
    struct json_object *cases; // of $.run.tuning; NULL: the result is not of a search
    bool cut;                  // the run was cut short
};
void tuned_searches_open(const struct result *result, struct tuned_searches *out);
struct tuned_search tuned_search_of(const struct tuned_searches *searches, const char *case_name);
void tuned_searches_free(struct tuned_searches *searches);

// Puts the searches of a table's entries into the context of a result made from the table.
void tuned_note_searches(const struct tuned *tuned, struct json_object *context);

// Returns the number of entries with an unfinished search.
size_t tuned_unfinished(const struct tuned *tuned);

// Returns whether the interval of the choice is wider than +-20 % (time_is_noise), and counts such entries.
bool tuned_is_noise(const struct tuned_entry *entry);
size_t tuned_noisy(const struct tuned *tuned);

// Groups the records of a tuned table by case. Peaks and skipped points are left out.
void tuned_cases(const struct result *result, struct arena *arena, struct cases *out);

// Makes the table. Cases without a right and timed shape are left out.
void tuned_make(const struct result *result, struct arena *arena, struct tuned *out);

// Reads a table from its file. The records of its entries have only the data of the table: names, shapes, times and
// source hashes. `head`, the result of `out`, receives only device, profile and tool; the caller releases it.
bool tuned_read(const char *path, struct arena *arena, struct result *head, struct tuned *out, struct error *err);

// Holds a table to a profile. Entries are dropped if their best shape exceeds it; so are ties, runners-up and
// defaults. Returns the number of dropped entries.
size_t tuned_clamp(struct tuned *tuned, const struct profile *profile);

// Returns how much slower a record is than the best, 0.1 for a tenth; NaN without a time.
double tuned_loss(const struct tuned_entry *entry, const struct record *record);

// Appends the table as JSON (reports/schema/tuned.schema.json).
void tuned_put(struct text *out, const struct tuned *tuned);
extern const struct kind kind_tuned_file;
bool tuned_write(const char *path, const struct tuned *tuned, struct error *err);

// Append tables as text to paste: GLSL specialization constants, WGSL overrides, a C header for vkassay_tuned.h.
bool tuned_put_glsl(struct text *out, const struct tuned *tables, size_t count, struct error *err);
bool tuned_put_wgsl(struct text *out, const struct tuned *tables, size_t count, struct error *err);
bool tuned_put_header(struct text *out, const struct tuned *tables, size_t count, struct error *err);

#endif
