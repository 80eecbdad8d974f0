// SPDX-License-Identifier: Apache-2.0
#include "lines.h"

#include "../../base/hash.h"
#include "../../../reference/philox.h"

#include <math.h>
#include <string.h>

// Problems above this many elements are for measuring, not for checking. The sampled tier seldom asks for so many.
static const int64_t most_checked = (int64_t)1 << 16;
static const int64_t most_hidden = 1024; // elements of which one infinity may hide the others
static const int64_t few = 2;            // elements that all have a pattern, if one of them does

// The extent of the special elements in a line.
enum extent {
    EXTENT_NONE,
    EXTENT_ONE,
    EXTENT_ALL,
    EXTENT_PREFIX,
    EXTENT_SUFFIX,
    EXTENT_WINDOW,
    EXTENT_BUT_ONE,
    EXTENT_FIRST_HALF,
    EXTENT_SECOND_HALF
};
// -inf; an infinity of either sign; NaN; -inf with NaN first
enum special { SPECIAL_LOW, SPECIAL_EITHER, SPECIAL_NAN, SPECIAL_NAN_FIRST };

struct pattern {
    enum line_values values;
    enum extent extent;
    enum special special;
};

// clang-format off
// Plain patterns come first: their numbers round like most numbers.
#define STRETCHES(...)                                                                                                 \
    {.extent = EXTENT_ONE, __VA_ARGS__}, {.extent = EXTENT_ALL, __VA_ARGS__},                                          \
    {.extent = EXTENT_PREFIX, __VA_ARGS__}, {.extent = EXTENT_SUFFIX, __VA_ARGS__},                                    \
    {.extent = EXTENT_WINDOW, __VA_ARGS__}, {.extent = EXTENT_BUT_ONE, __VA_ARGS__}
#define HALVES {.extent = EXTENT_FIRST_HALF}, {.extent = EXTENT_SECOND_HALF}
// They are the last ones of a table, so kinds whose sums would overflow leave them out.
#define ENDS {.values = VALUES_LEAST}, {.values = VALUES_GREATEST}
#define BROKEN_LINES                                                                                                   \
    STRETCHES(.special = SPECIAL_EITHER),                                                                              \
    {.extent = EXTENT_ONE, .special = SPECIAL_NAN}, {.extent = EXTENT_ALL, .special = SPECIAL_NAN},                    \
    {.extent = EXTENT_WINDOW, .special = SPECIAL_NAN}, {.extent = EXTENT_BUT_ONE, .special = SPECIAL_NAN}
static const struct pattern numbers[] = {
    {.values = VALUES_DRAWN},
    {.values = VALUES_BELOW},
    {.values = VALUES_ABOVE},
    {.values = VALUES_WIDE},
    {.values = VALUES_FAR},
    {.values = VALUES_EQUAL},
    {.values = VALUES_PAIRED},
    {.values = VALUES_ASCENDING},
    {.values = VALUES_HALVES},
    {.values = VALUES_SPARSE},
    {.values = VALUES_ZEROS},
    {.values = VALUES_VAST},
    {.values = VALUES_LATE},
};
static const struct pattern gaps[] = {
    {.values = VALUES_GAPS},
    {.values = VALUES_DRAWN},
    {.values = VALUES_GAPS},
};
static const struct pattern infinite[] = {
    {.values = VALUES_DRAWN},
    {.values = VALUES_BELOW},
    {.values = VALUES_ABOVE},
    {.values = VALUES_WIDE},
    {.values = VALUES_FAR},
    {.values = VALUES_EQUAL},
    {.values = VALUES_ASCENDING},
    {.values = VALUES_DESCENDING},
    {.values = VALUES_SPARSE},
    STRETCHES(.special = SPECIAL_LOW),
    HALVES,
    {.values = VALUES_LATE},
    ENDS,
};
static const struct pattern any[] = {
    {.values = VALUES_DRAWN},
    {.values = VALUES_BELOW},
    {.values = VALUES_ABOVE},
    {.values = VALUES_WIDE},
    {.values = VALUES_FAR},
    {.values = VALUES_EQUAL},
    {.values = VALUES_PAIRED},
    {.values = VALUES_ASCENDING},
    {.values = VALUES_HALVES},
    {.values = VALUES_SPARSE},
    {.values = VALUES_ZEROS},
    {.values = VALUES_DESCENDING},
    {.values = VALUES_VAST},
    {.values = VALUES_LATE},
    BROKEN_LINES,
    {.extent = EXTENT_ALL, .special = SPECIAL_NAN_FIRST},
    ENDS,
};
static const struct pattern broken[] = {
    BROKEN_LINES,
    {.values = VALUES_ZEROS},
};
static const struct pattern masked[] = {
    {.extent = EXTENT_NONE}, {.extent = EXTENT_NONE}, {.extent = EXTENT_NONE},
    STRETCHES(.special = SPECIAL_LOW), HALVES};
// clang-format on

// A step through a table has no common divisor with its count, so it meets all of it.
#define TABLE(ITEMS, PLAIN)                                                                                            \
    { ITEMS, sizeof ITEMS / sizeof *ITEMS, PLAIN }
#define TABLE_WITHOUT_ENDS(ITEMS, PLAIN)                                                                               \
    { ITEMS, sizeof ITEMS / sizeof *ITEMS - 2, PLAIN }
static const struct {
    const struct pattern *items;
    uint32_t count, plain;
} tables[LINE_KINDS] = {
    [LINES_FINITE] = TABLE(numbers, 4),
    [LINES_SCARCE] = TABLE_WITHOUT_ENDS(infinite, 4), // a loss may add up a line
    [LINES_MASKED] = TABLE(masked, 1),
    [LINES_INFINITE] = TABLE(infinite, 4),
    [LINES_ANY] = TABLE_WITHOUT_ENDS(any, 4),
    [LINES_ORDERED] = TABLE(any, 4),
    [LINES_SOME] = TABLE(broken, 11), // for the one line
    [LINES_TAME] = TABLE(gaps, 3),    // for a factor of a line that is not finite
};

// If a case as a whole has a pattern, its lines are of one of these kinds. Large cases use the first.
static const struct {
    enum lines kinds[4];
    uint32_t count;
} cases[] = {
    [LINES_TAME] = {{LINES_ALIKE, LINES_FINITE, LINES_ALIKE}, 3},
    [LINES_SOME] = {{LINES_ALIKE, LINES_FINITE, LINES_SOME, LINES_TAME}, 4},
    [LINES_BROKEN] = {{LINES_ALIKE, LINES_SOME, LINES_ALIKE}, 3},
};

bool lines_by_case(enum lines kind) {
    return kind == LINES_TAME || kind == LINES_SOME || kind == LINES_BROKEN;
}

// Returns whether an output sums over lines: its dims lack one that counts lines and is not 1.
static bool meets_lines(const struct op *op, const struct operand *operand, int axes, const int64_t *dims) {
    const int rank = operand_rank(operand->shape);
    for (int o = 0; o < operator_operands(op); o++)
        for (int i = 0; op->operands[o].role != ROLE_IN && i < rank - axes; i++) {
            bool found = dims[operator_dim_index(op, operand->shape[i])] == 1;
            for (int j = 0; !found && j < operand_rank(op->operands[o].shape); j++)
                found = strcmp(op->operands[o].shape[j], operand->shape[i]) == 0;
            if (!found) return true;
        }
    return false;
}

// Returns whether the lines keep finite numbers, so that a single wrong element among many shows. In a case, an
// infinity may be the only output of many elements, or the scale of all outputs. Every second long line by itself may
// have any pattern.
static bool stays_plain(const struct op *op, const int64_t *dims, const struct line_set *lines) {
    const int64_t elements = lines->length * lines->count;
    int64_t outputs = 0;
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_IN) outputs += operand_elements(op, &op->operands[i], dims);
    if (lines_by_case(lines->kind))
        return (outputs == 1 && elements > most_hidden) || (elements <= few && outputs > most_hidden);
    return elements > most_hidden && lines->count == 1 && (lines->key & 1);
}

// Counters of the random generator, beside those for values (fill.c).
enum { DRAW_PATTERN = 3, DRAW_EXTENT = 6, DRAW_LINE = 7, DRAW_CASE = 10 };

struct line_set lines_of(const struct op *op, const struct operand *operand, const int64_t *dims, uint64_t key) {
    struct line_set lines = {.operand = operand, .length = 1, .count = 1, .key = key, .kind = operand->lines};
    const int rank = operand_rank(operand->shape), axes = operand->line_axes > 1 ? operand->line_axes : 1;
    for (int i = 0; i < rank; i++)
        *(i < rank - axes ? &lines.count : &lines.length) *= dims[operator_dim_index(op, operand->shape[i])];
    if (lines.length < 1) lines.length = 1;
    if (lines.count < 1) lines.count = 1;
    lines.large = lines.length * lines.count > most_checked;
    lines.plain = stays_plain(op, dims, &lines);
    lines.met = meets_lines(op, operand, axes, dims);
    if (!lines_by_case(lines.kind)) return lines;
    uint32_t drawn = lines.large || lines.plain ? 0 : philox(key, 0, DRAW_CASE).v[0] % cases[lines.kind].count;
    lines.kind = cases[lines.kind].kinds[drawn];
    return lines;
}

void lines_rearrange(struct line_set *lines, int operand, int placement) {
    const int calm = placement < LINES_PLACES || placement == LINES_PLAIN ? 0 : placement - LINES_PLACES;
    if (placement == LINES_PLAIN) lines->kind = LINES_ALIKE;
    if (placement && !calm) lines->key = hash_bytes(lines->key, &placement, sizeof placement);
    if ((calm >> operand & 1) && lines_by_case(lines->operand->lines)) lines->kind = LINES_ALIKE;
}

// Returns the only line with a pattern of SOME or SCARCE.
static int64_t chosen_line(const struct line_set *lines) {
    return (int64_t)(philox(lines->key, 0, DRAW_LINE).v[0] % (uint64_t)lines->count);
}

// Returns the table for the pattern of a line.
static enum lines kind_of(const struct line_set *lines, int64_t line) {
    if (lines->kind == LINES_SOME) return line == chosen_line(lines) ? LINES_SOME : LINES_ALIKE;
    if (lines->kind != LINES_SCARCE || lines->count == 1) return lines->kind;
    return line == chosen_line(lines) && !lines->large ? LINES_SCARCE : LINES_FINITE;
}

// Returns the next number from `step` on that has no common divisor with `count`.
static uint64_t coprime(uint64_t step, uint64_t count) {
    for (;; step++) {
        uint64_t a = count, b = step;
        while (b) {
            const uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return step;
    }
}

int lines_pattern(const struct line_set *lines, int64_t line) {
    enum lines kind = kind_of(lines, line);
    uint64_t count = tables[kind].count, turn = (uint64_t)line / count, place = (uint64_t)line % count;
    if (!count) return 0;
    struct philox bits = philox(lines->key, turn, DRAW_PATTERN);
    if ((lines->large || lines->plain) && lines->count == 1) return (int)(bits.v[2] % tables[kind].plain);
    return (int)((bits.v[0] % count + place * coprime(1 + bits.v[1] % (count - 1), count)) % count);
}

void lines_mark(const struct line_set *lines, int64_t most, uint32_t seen[LINE_KINDS]) {
    for (int64_t i = 0; i < lines->count && i < most; i++) {
        enum lines kind = kind_of(lines, i);
        if (tables[kind].count) seen[kind] |= 1u << lines_pattern(lines, i);
    }
}

int lines_declared(enum lines declared) {
    uint32_t kinds = 1u << declared, sum = 0;
    if (lines_by_case(declared)) kinds = 0;
    for (uint32_t i = 0; lines_by_case(declared) && i < cases[declared].count; i++)
        kinds |= 1u << cases[declared].kinds[i];
    if (declared == LINES_SCARCE) kinds |= 1u << LINES_FINITE;
    for (int kind = 0; kind < LINE_KINDS; kind++)
        if (kinds >> kind & 1) sum += tables[kind].count;
    return (int)sum;
}

double lines_spread(const struct line_set *lines) {
    if (!is_drawn_evenly(lines->operand)) return 1;
    const struct drawn_range r = drawn_range(lines->operand);
    const double size = fmax(fabs(r.low), fabs(r.high));
    bool moved = false; // far from zero, in lines ABOVE as every table with LATE has
    for (uint32_t i = 0; i < tables[lines->kind].count; i++)
        moved |= tables[lines->kind].items[i].values == VALUES_ABOVE;
    if (!moved) return fmin(1, (r.high - r.low) / size);
    return fmin(1, (r.high - r.low) / (lines->met ? fmax(size, LINES_VAST) : size + LINES_MOVED));
}

static void set_extent(struct line *line, enum extent extent, int64_t length, const struct philox *bits) {
    int64_t at = bits->v[0] % length, part = length > 1 ? 1 + bits->v[1] % (length - 1) : 1;
    line->outside = extent == EXTENT_BUT_ONE;
    switch (extent) {
    case EXTENT_NONE:
        line->first = line->end = 0;
        return;
    case EXTENT_ONE:
    case EXTENT_BUT_ONE:
        line->first = at, line->end = at + 1;
        return;
    case EXTENT_ALL:
        line->first = 0, line->end = length;
        return;
    case EXTENT_PREFIX:
        line->first = 0, line->end = part;
        return;
    case EXTENT_SUFFIX:
        line->first = length - part, line->end = length;
        return;
    case EXTENT_WINDOW:
        line->first = at, line->end = at + 1 + bits->v[1] % (length - at);
        return;
    case EXTENT_FIRST_HALF:
        line->first = 0, line->end = (length + 1) / 2;
        return;
    case EXTENT_SECOND_HALF:
        line->first = length / 2, line->end = length;
        return;
    }
}

struct line lines_line(const struct line_set *lines, int64_t line) {
    struct line made = {0};
    enum lines kind = kind_of(lines, line);
    if (!tables[kind].count) return made;
    const struct pattern *pattern = &tables[kind].items[lines_pattern(lines, line)];
    struct philox bits = philox(lines->key, (uint64_t)line, DRAW_EXTENT);
    made.values = pattern->values;
    made.one_sign = bits.v[3] & 1 ? (bits.v[3] & 2 ? 1 : -1) : 0;
    const bool above = pattern->special == SPECIAL_EITHER && (bits.v[2] & 1);
    made.special = pattern->special == SPECIAL_NAN ? NAN : above ? INFINITY : -INFINITY;
    made.start = pattern->special == SPECIAL_NAN_FIRST ? NAN : made.special;
    set_extent(&made, pattern->extent, lines->length, &bits);
    return made;
}

// Returns a line with a pattern: the only one of SOME, else the first.
static struct line first_unusual(const struct line_set *lines) {
    return lines_line(lines, lines->kind == LINES_SOME ? chosen_line(lines) : 0);
}

enum line_zeros lines_zeros(const struct line_set *lines) {
    const struct line line = first_unusual(lines);
    if (line.values == VALUES_GAPS && line.one_sign) return ZEROS_AMONG_ONE_SIGN;
    return line.values == VALUES_SPARSE ? ZEROS_MOST : line.values == VALUES_ZEROS ? ZEROS_ALL : ZEROS_NONE;
}

int64_t lines_infinities(const struct line_set *lines) {
    const struct line line = first_unusual(lines);
    return !isinf(line.special) ? 0 : line.outside ? lines->length - 1 : line.end - line.first;
}
