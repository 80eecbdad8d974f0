// SPDX-License-Identifier: Apache-2.0
// Marks: what a reader must know before trusting a figure. One table of signs; tables, pages, charts and claims put a
// sign beside the figure that bears it, and say below what the signs that occur mean.
#ifndef VKASSAY_RECORD_MARKS_H
#define VKASSAY_RECORD_MARKS_H

#include "../base/text.h"
#include "compare.h"
#include "result.h"

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

// A median's 95 % interval lies between order statistics: those of so many samples hold it less often than that (of
// five: 1 - 2 / 2^5 = 93.75 %).
enum { MARK_FEW_SAMPLES = 5 };
// A time below so many empty dispatches is for a good part that of starting a dispatch.
enum { MARK_EMPTY_DISPATCHES = 3 };

// A figure as a reader meets it: of which record, and which. `result` has the device's peaks.
enum mark_of { MARK_OF_ERROR, MARK_OF_REFERENCE, MARK_OF_TIME };
struct marked {
    const struct result *result;
    const struct record *record; // NULL: there is no figure, and no mark
    enum mark_of what;
    enum figure figure; // of MARK_OF_TIME
};

struct mark_info {
    const char *sign, *key; // "°", "sampled"
    const char *words;      // what it says
    // How far a figure goes into it, above 0, infinite where that is not known; 0: it does not bear the mark. NULL of
    // one that is not a record's: the verdict of a comparison.
    double (*depth)(const struct marked *figure);
    void (*tell)(struct text *out, const struct marked *figure); // of the one that goes deepest; NULL: nothing more
};
extern const struct mark_info mark_table[MARK_COUNT];

// The marks that occur in a table, a chart or a claim.
struct marks_seen {
    double depth[MARK_COUNT]; // 0: it does not occur
    struct marked deepest[MARK_COUNT];
};

// Notes the marks of a figure (that may be of no record); appends the signs of all that were noted.
void marks_note(const struct marked *figure, struct marks_seen *seen);
// Notes what others have noted too.
void marks_join(const struct marks_seen *others, struct marks_seen *seen);
void put_signs_seen(struct text *out, const struct marks_seen *seen);
// Appends the signs of a figure, nothing where it bears none; and notes them (`seen`, unless NULL).
void put_signs(struct text *out, const struct marked *figure, struct marks_seen *seen);
// The same of a verdict.
void put_sign_of_verdict(struct text *out, enum verdict verdict, struct marks_seen *seen);

// Appends sign, words and how far it goes of a mark, nothing where it does not occur; of all of them, with `after`
// behind each.
void put_mark(struct text *out, const struct marks_seen *seen, enum mark mark);
void put_marks(struct text *out, const struct marks_seen *seen, const char *after);

#endif
