// SPDX-License-Identifier: Apache-2.0
// Prints a comparison for people and for programs.
#ifndef VKASSAY_RENDER_COMPARISON_H
#define VKASSAY_RENDER_COMPARISON_H

#include "../../base/text.h"
#include "../../record/compare.h"

#include <stdio.h>

struct comparison_view {
    const struct comparison *comparison;
    const char *verb; // the first word of the last line: "compare", "gate"
    const char *base_path, *new_path;
    bool strict;                                   // as passed to comparison_status
    const struct compare_interleaved *interleaved; // NULL: none
};

// Prints the compared results, a table of all points with a verdict other than `same`, the families, and one line of
// counts.
void render_comparison(const struct comparison_view *view, FILE *out);

// Prints the same as markdown for GitHub and GitLab comments, with at most 60 rows to stay below their size limits.
void render_comparison_markdown(const struct comparison_view *view, FILE *out);

// Prints all points as JSON, including those with verdict `same`; see reports/schema/comparison.schema.json.
void render_comparison_json(const struct comparison_view *view, FILE *out);
extern const struct kind kind_comparison_file;

// Returns the overall verdict: "held", "a result is wrong", "slower", "nothing to compare".
const char *comparison_word(const struct comparison_view *view);

// Appends the last line: "gate: held: 0 wrong, 0 slower, 3 ambiguous of 120 points against reports/baselines/...".
void put_conclusion(struct text *out, const struct comparison_view *view);

#endif
