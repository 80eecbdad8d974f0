// SPDX-License-Identifier: Apache-2.0
// The characters of an operand's lines (enum lines of operator.h): which of them a line has follows from the
// operand's key, so that one line alone meets each of them at some seed or size, and some lines together meet all.
// Inputs are filled by it, and the sampled tier chooses sizes by it.
#ifndef VKASSAY_PLAN_LINES_H
#define VKASSAY_PLAN_LINES_H

#include "../../reference/operator.h"

// How far lines that lie far above or below zero are moved there.
enum { LINES_MOVED = 200 };

// Whether numbers are drawn evenly from a range, so that lines may have characters; and that range, of which 0 and 0
// stand for [-1, 1).
static inline bool is_drawn_evenly(const struct operand *operand) {
    return operand->fill == FILL_UNIFORM || operand->fill == FILL_STEPS;
}

struct drawn_range {
    double low, high;
};

static inline struct drawn_range drawn_range(const struct operand *operand) {
    if (operand->low == 0 && operand->high == 0) return (struct drawn_range){-1, 1};
    return (struct drawn_range){operand->low, operand->high};
}

// What becomes of a line's values as they are drawn.
enum line_values {
    VALUES_DRAWN,
    VALUES_BELOW,  // LINES_MOVED less
    VALUES_ABOVE,  // LINES_MOVED more
    VALUES_WIDE,   // times 64
    VALUES_FAR,    // times 8192, or what every type holds
    VALUES_EQUAL,  // three quarters of `high`
    VALUES_PAIRED, // each second one is the one before it, negated
    VALUES_ASCENDING,
    VALUES_DESCENDING,
    VALUES_HALVES, // the first half LINES_MOVED less
    VALUES_SPARSE, // zeros of both signs but for one in eight
    VALUES_ZEROS   // of both signs
};

// A line, the elements [first, end) of which, or all but which, are `special` instead.
struct line {
    enum line_values values;
    double special, start; // `start`: of the line's first element where that is special, too
    int64_t first, end;
    bool outside;
};

// The lines of one operand of a problem.
struct line_set {
    const struct operand *operand;
    int64_t length, count; // elements of a line; lines
    uint64_t key;
    enum lines kind;
    bool large; // measured rather than checked: an only line keeps to numbers, whose error tells something
};

// Whether a case as a whole has a character (TAME, SOME, BROKEN).
bool lines_by_case(enum lines kind);

// `key` is the operand's (operand_key). Dims include the derived ones. The kind is LINES_ALIKE where lines do not
// differ; of a case that has a character, that.
struct line_set lines_of(const struct op *op, const struct operand *operand, const int64_t *dims, uint64_t key);

// Characters that one line alone can have, of a problem that is not large; 0: lines are alike.
int lines_characters(const struct line_set *lines);
// Which of them a line has, below lines_characters() where it is the only one.
int lines_character(const struct line_set *lines, int64_t line);
// How far the operand's numbers lie from each other, at least, as a share of their size (spread in operator.h); 1 for
// what is not drawn evenly. Lines of one number alone are left out: that one has few digits, and sums of it are exact.
double lines_spread(const struct line_set *lines);
struct line lines_line(const struct line_set *lines, int64_t line);

// The characters that the first `most` lines have: a bit of seen[KIND] for each, by the table it is from.
enum { LINE_KINDS = LINES_BROKEN + 1 };
void lines_mark(const struct line_set *lines, int64_t most, uint32_t seen[LINE_KINDS]);
// How many characters lines have that are declared so, over all cases.
int lines_declared(enum lines declared);

static inline bool line_is_special(const struct line *line, int64_t at) {
    return (at >= line->first && at < line->end) != line->outside;
}

#endif
