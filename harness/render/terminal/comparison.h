// SPDX-License-Identifier: Apache-2.0
// A comparison as a person or a program reads it.
#ifndef VKASSAY_RENDER_COMPARISON_H
#define VKASSAY_RENDER_COMPARISON_H

#include "../../base/text.h"
#include "../../record/compare.h"

#include <stdio.h>

struct comparison_view {
    const struct comparison *comparison;
    const char *verb; // what the last line begins with: "compare", "gate"
    const char *base_path, *new_path;
    bool strict;  // as given to comparison_status
    size_t again; // points of the new result that were measured again
};

// What was compared, a table of every point whose verdict is not `same`, the families, and one line of counts.
void render_comparison(const struct comparison_view *view, FILE *out);

// The same for a comment: GitHub's and GitLab's markdown, at most 60 rows, so that it stays below their limits.
void render_comparison_markdown(const struct comparison_view *view, FILE *out);

// Prints every point, also those that are the same, as JSON; reports/schema/comparison.schema.json.
void render_comparison_json(const struct comparison_view *view, FILE *out);

// "1 wrong, 0 slower, 3 ambiguous of 120 points"; others only where there are any.
void put_verdict_counts(struct text *out, const struct comparison *comparison);

// The verdict of the whole: "held", "a result is wrong", "slower", "nothing to compare".
const char *comparison_word(const struct comparison_view *view);

// The last line: "gate: held: 0 wrong, 0 slower, 3 ambiguous of 120 points against reports/baselines/...".
void put_conclusion(struct text *out, const struct comparison_view *view);

#endif
