// SPDX-License-Identifier: Apache-2.0
// What became of the points: counts, skips by reason, the one line that sums up. Private to
// harness/render.
#ifndef VKASSAY_RENDER_OUTCOMES_H
#define VKASSAY_RENDER_OUTCOMES_H

#include "../base/text.h"
#include "standouts.h"
#include "table/table.h"
#include "view.h"

// Records that were skipped for the same reason.
struct skip_group {
    const char *reason;
    size_t count;
    bool alike;          // reasons that differ from it in their figures are among them
    const char *kernels; // "matmul.tiled, softmax.cached and 3 more"
};

// The most frequent first, in the arena. Returns how many.
size_t skip_groups(const struct view *view, struct arena *arena, struct skip_group **groups);

extern const struct column skip_columns[]; // a row is a group

// Whether a report must tell of the record: it did not pass, or not in every attempt, or was not to pass. Of these, bad
// are those that came out otherwise than expected.
bool is_failure(const struct record *record);

// Whether it gave nothing to judge: an error, a crash, a point that took too long.
bool is_broken(const struct record *record);

// What is to be told of, in the order of the result: one for each kernel and cause. Wrong outputs of one type have one
// cause where the same checks failed, everything else where the reason is the same.
struct failure {
    const struct record *record;   // the least of those alike
    const char *standing, *reason; // as put_standing and reason_of say; neither is NULL
    size_t alike;                  // further points
};
struct failures {
    struct failure *items;
    size_t count, points, bad; // causes; points, and those that make the run bad
};
void failures_make(const struct result *result, struct arena *arena, struct failures *out);

// Of style.css and colour.h: "bad" where it makes the run bad, else NULL.
const char *failure_class(const struct failure *failure);

// ", and 12 more points for this cause"; nothing where there is one alone.
void put_alike(struct text *out, const struct failure *failure);

// On a terminal, the first `most`: each with its reason and the line that replays it.
void failures_print(const struct failures *failures, size_t most, FILE *out, int width); // 0: any

// "fail", "flaky fail (pass, fail)", "fail, as expected", "pass where crash is expected".
void put_standing(struct text *out, const struct record *record);
const char *reason_of(
    const struct record *record); // never NULL; the reason it was expected not to pass where it passed

// "412 points: 398 passed, 0 failed, 14 skipped (3 reasons)"
void put_summary(struct text *out, const struct view *view, size_t skip_reasons);

// What a check covered, in one line, in the arena; NULL where the result does not say.
const char *covered_line(const struct result *result, struct arena *arena);

// The answers of a first screen, each in one line: "Half of 222 problems reach 84 % of their roof or more; ...", and
// "use 256 instead of 64: 2.5x faster". Nothing where there is nothing to say.
void put_speed_words(struct text *out, const struct view *view, const struct standouts *standouts);
void put_advice(struct text *out, const struct standout *gain);
void put_subject(struct text *out, const struct standout *item); // "add.scalar f32 n=1048576"

// Names those whose share of a roof is beyond MOST_SHARE, and why that is an error; nothing where there is none.
void put_beyond(struct text *out, const struct result *result);

// The measured peaks in their own units, as the context lists them, in the arena. Returns how many.
struct peak_words {
    const char *key;           // "copy_bytes_per_s"
    const char *name, *figure; // "copy", "312 GB/s"
};
size_t peaks_list(const struct result *result, struct arena *arena, struct peak_words **out);

#endif
