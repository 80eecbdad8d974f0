// SPDX-License-Identifier: Apache-2.0
// Patterns of lines: values that follow a rule along the last axes of an operand (enum lines in operator.h). The
// operand's key decides the pattern of each line. A single line meets every pattern at some seed or size, and several
// lines together meet all. Inputs are filled by these patterns, and the sampled tier chooses sizes by them.
#ifndef VKASSAY_PLAN_LINES_H
#define VKASSAY_PLAN_LINES_H

#include "../../../reference/operator.h"

// The distance of lines moved far above or below zero, and the largest size in a vast line.
enum { LINES_MOVED = 200, LINES_VAST = 1 << 20 };

// `is_drawn_evenly` returns whether values are drawn evenly from a range, so lines may have patterns. `drawn_range`
// returns the range; 0 and 0 mean [-1, 1).
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

// The change to a line's values after they are drawn.
enum line_values {
    VALUES_DRAWN,
    VALUES_BELOW,  // minus LINES_MOVED
    VALUES_ABOVE,  // plus LINES_MOVED
    VALUES_WIDE,   // times 64
    VALUES_FAR,    // times 64 to 8192, as far as every type allows
    VALUES_VAST,   // up to 2^20, beyond f16's range, in half of the lines of one sign; in f16 as FAR
    VALUES_EQUAL,  // three quarters of `high`
    VALUES_PAIRED, // each second value is the negated value before it
    VALUES_ASCENDING,
    VALUES_DESCENDING,
    VALUES_HALVES, // the first half minus LINES_MOVED
    VALUES_LATE,   // the last sixteenth plus LINES_MOVED
    VALUES_LEAST,  // the type's least finite number, and the next ones
    VALUES_GREATEST,
    VALUES_GAPS,   // zeros of both signs in one of eight places, half of the lines of one sign
    VALUES_SPARSE, // zeros of both signs, except one value in eight
    VALUES_ZEROS   // only zeros, of both signs
};

// A line. Its elements in [first, end) are `special` instead of values; with `outside`, all others are.
struct line {
    enum line_values values;
    double special, start; // `start` replaces `special` in the line's first element
    int64_t first, end;
    bool outside;
    int one_sign; // of vast numbers and those beside gaps: 1 or -1, or 0 for either sign
};

// The lines of one operand of a problem.
struct line_set {
    const struct operand *operand;
    int64_t length, count; // elements of a line; number of lines
    uint64_t key;
    enum lines kind;
    bool large; // measured rather than checked; a single line keeps plain numbers, for a meaningful error
    bool plain; // like a large one, because an infinity would hide many elements
    bool met;   // an output meets several lines
};

// Returns whether the pattern belongs to a case as a whole (TAME, SOME, BROKEN).
bool lines_by_case(enum lines kind);

// Returns the lines of an operand. `key` is the operand's key (operand_key), and dims include the derived ones. The
// kind is LINES_ALIKE if lines do not differ. If a case has a pattern, the kind is the one drawn for this case.
struct line_set lines_of(const struct op *op, const struct operand *operand, const int64_t *dims, uint64_t key);

// Changes the lines of operand number `operand`. A `placement` from 1 to LINES_PLACES - 1 moves their patterns to
// other lines and places. From LINES_PLACES on, it adds a bit for each operand without the patterns of its case.
// LINES_PLAIN leaves no line with a pattern.
enum { LINES_PLACES = 4, LINES_CALM = LINES_PLACES + (1 << OPERATOR_OPERANDS) - 1, LINES_PLAIN };
void lines_rearrange(struct line_set *lines, int operand, int placement);

// Returns the pattern of a line, a row of the table of its kind.
int lines_pattern(const struct line_set *lines, int64_t line);
// Returns the least distance between the operand's numbers, as a share of their size (spread in operator.h). Operands
// not drawn evenly have 1. Lines of equal numbers are ignored: their number has few digits, so its sums are exact. If
// an output meets several lines, their numbers are added to sums of a vast line.
double lines_spread(const struct line_set *lines);
struct line lines_line(const struct line_set *lines, int64_t line);

// Return the zeros and the number of infinities in the only line with a pattern, or in the first line.
enum line_zeros { ZEROS_NONE, ZEROS_AMONG_ONE_SIGN, ZEROS_MOST, ZEROS_ALL };
enum line_zeros lines_zeros(const struct line_set *lines);
int64_t lines_infinities(const struct line_set *lines);

// Marks the patterns of the first `most` lines: one bit each in seen[KIND], by their table.
enum { LINE_KINDS = LINES_BROKEN + 1 };
void lines_mark(const struct line_set *lines, int64_t most, uint32_t seen[LINE_KINDS]);
// Returns how many patterns lines declared as this kind can have, over all cases.
int lines_declared(enum lines declared);

static inline bool line_is_special(const struct line *line, int64_t at) {
    return (at >= line->first && at < line->end) != line->outside;
}

#endif
