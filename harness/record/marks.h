// SPDX-License-Identifier: Apache-2.0
// Marks: warnings for the reader of a figure, in one table of signs. Tables, pages, charts and claims put a sign
// beside a marked figure, and explain below the signs used.
#ifndef VKASSAY_RECORD_MARKS_H
#define VKASSAY_RECORD_MARKS_H

#include "../base/text.h"
#include "compare.h"
#include "terms.h"

struct record;
struct result;

enum mark {
    MARK_SAMPLED,
    MARK_SCALED,
    MARK_FEW,
    MARK_SHORT,
    MARK_HOST,
    MARK_THROTTLED,
    MARK_UNSTEADY,
    MARK_AMBIGUOUS,
    MARK_COUNT
};

// Order statistics of this many samples or fewer cannot give a 95 % interval of the median. With five they cover only
// 1 - 2 / 2^5 = 93.75 %.
enum { MARK_FEW_SAMPLES = 5 };
// A time below this many empty dispatches is in good part the start of a dispatch.
enum { MARK_EMPTY_DISPATCHES = 3 };

// A figure shown to a reader. `result` has the device's peaks.
enum mark_of { MARK_OF_ERROR, MARK_OF_REFERENCE, MARK_OF_TIME };
struct marked {
    const struct result *result;
    const struct record *record; // NULL: no figure, and no mark
    enum mark_of what;
    enum figure figure; // of MARK_OF_TIME
};

struct mark_info {
    const char *sign, *key; // "°", "sampled"
    const char *words;      // the meaning
    // Returns how strongly a figure is affected: above 0, infinite if unknown, 0 without the mark. NULL for a mark
    // not on records: the verdict of a comparison.
    double (*depth)(const struct marked *figure);
    void (*tell)(struct text *out, const struct marked *figure); // for the most affected figure; NULL: no more words
};
extern const struct mark_info mark_table[MARK_COUNT];

// The marks used in a table, a chart or a claim.
struct marks_seen {
    double depth[MARK_COUNT]; // 0: not used
    struct marked deepest[MARK_COUNT];
};

// Notes the marks of a figure, which may have no record.
void marks_note(const struct marked *figure, struct marks_seen *seen);
// Returns the marks of a figure, a bit each, to be kept without its record; marks_note_bits notes them. Their words
// then come without an extent.
unsigned marks_bits(const struct marked *figure);
void marks_note_bits(unsigned bits, struct marks_seen *seen);
// Adds the marks noted by others.
void marks_join(const struct marks_seen *others, struct marks_seen *seen);
void put_signs_seen(struct text *out, const struct marks_seen *seen);
// Appends the signs of a figure, if it has any, and notes them in `seen` (unless NULL).
void put_signs(struct text *out, const struct marked *figure, struct marks_seen *seen);
// Does the same for a verdict.
void put_sign_of_verdict(struct text *out, enum verdict verdict, struct marks_seen *seen);

// Append the sign, words and extent of a mark if it is used; put_marks does so for all marks, with `after` behind
// each.
void put_mark(struct text *out, const struct marks_seen *seen, enum mark mark);
void put_marks(struct text *out, const struct marks_seen *seen, const char *after);

#endif
