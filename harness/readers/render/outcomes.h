// SPDX-License-Identifier: Apache-2.0
// The outcomes of all points: counts, failures, skips by reason, and the one-line summary. Private to
// harness/readers/render.
#ifndef VKASSAY_RENDER_OUTCOMES_H
#define VKASSAY_RENDER_OUTCOMES_H

#include "../../base/text.h"
#include "../../record/compare.h"
#include "highlights.h"
#include "../table/table.h"
#include "view.h"

// Records skipped for the same reason.
struct skip_group {
    const char *reason;
    size_t count;
    bool alike;          // includes reasons that differ only in their figures
    const char *kernels; // "matmul.tiled, softmax.cached and 3 more"
};

// Groups the skipped records in the arena, most frequent first. Returns the number of groups.
size_t skip_groups(const struct view *view, struct arena *arena, struct skip_group **groups);

extern const struct column skip_columns[]; // each row is a struct skip_group

// Returns true if a report must list the record: it failed, failed in some attempt, or passed against expectation.
// Only unexpected outcomes are bad.
bool is_failure(const struct record *record);

// Returns true if the point produced nothing to judge: an error, a crash, a timeout or a lost device.
bool is_broken(const struct record *record);

// The failures of a report, in the order of the result: one for each kernel and cause. Wrong outputs of one type
// share a cause if the same checks failed. Everything else shares a cause if the reason is the same.
struct failure {
    const struct record *record;  // the one with the least traffic for this cause
    const char *outcome, *reason; // from put_record_outcome and reason_of; never NULL
    size_t alike;                 // number of further points
};
struct failures {
    struct failure *items;
    size_t count, points, bad; // causes; points; points that make the run bad
};
void failures_make(const struct result *result, struct arena *arena, struct failures *out);

// Returns the class for style.css and format.h: "bad" if it makes the run bad, else NULL.
const char *failure_class(const struct failure *failure);

// Appends ", and 12 more points for this cause"; nothing if there are none.
void put_alike(struct text *out, const struct failure *failure);

// Prints the first `most` failures, each with its reason and replay line.
void failures_print(const struct failures *failures, size_t most, FILE *out, int width); // width 0: unlimited

// Appends "fail", "flaky fail (pass, fail)", "fail, as expected" or "pass where crash is expected".
void put_record_outcome(struct text *out, const struct record *record);
const char *reason_of(
    const struct record *record); // never NULL; for an unexpected pass, the reason for expecting a failure

// Appends "412 points: 398 passed, 0 failed, 14 skipped (3 reasons)".
void put_summary(struct text *out, const struct view *view, size_t skip_reasons);

// Returns one line about what a check covered, in the arena; NULL if the result does not record it.
const char *covered_line(const struct result *result, struct arena *arena);

// Returns one line about the only width of subgroups that the kernels met, in the arena; NULL if there are several or
// none.
const char *subgroups_line(const struct result *result, struct arena *arena);

// Append the first screen's answers, each in one line: "half of 222 problems reach 84% of their roof or more; ..."
// and "use 256 instead of 64: 2.5x faster". put_speed_words appends nothing if nothing is rated.
void put_speed_words(struct text *out, const struct view *view, const struct highlights *highlights);
void put_advice(struct text *out, const struct highlight *gain);
void put_subject(struct text *out, const struct highlight *item); // "add.scalar f32 n=1048576"

// Names the records with a share above MOST_SHARE and explains the error; appends nothing if there are none.
void put_beyond(struct text *out, const struct result *result);

// Appends "Compared with the run of 2026-01-31T12:00:00Z (499 common points): 3 slower, 1 faster, 495 same.".
void put_last_words(struct text *out, const struct comparison *last);

// Lists the measured peaks in their own units and in the context's order, in the arena. Returns their number.
struct peak_words {
    const char *key;           // "copy_bytes_per_s"
    const char *name, *figure; // "copy", "312 GB/s"
};
size_t peaks_list(const struct result *result, struct arena *arena, struct peak_words **out);

#endif
