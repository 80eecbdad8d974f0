// SPDX-License-Identifier: Apache-2.0
// Footnotes: warnings for the reader of a figure, in one table of symbols. Tables, pages, charts and claims put a
// symbol beside the figure, and explain below the symbols used.
#ifndef VKASSAY_RECORD_FOOTNOTES_H
#define VKASSAY_RECORD_FOOTNOTES_H

#include "../base/text.h"
#include "compare.h"
#include "terms.h"

struct record;
struct result;

enum footnote {
    FOOTNOTE_SAMPLED,
    FOOTNOTE_SCALED,
    FOOTNOTE_FEW,
    FOOTNOTE_SHORT,
    FOOTNOTE_HOST,
    FOOTNOTE_THROTTLED,
    FOOTNOTE_UNSTEADY,
    FOOTNOTE_AMBIGUOUS,
    FOOTNOTE_COUNT
};

// Order statistics of this many samples or fewer cannot give a 95 % interval of the median. With five they cover only
// 1 - 2 / 2^5 = 93.75 %.
enum { FOOTNOTE_FEW_SAMPLES = 5 };
// A time below this many empty dispatches is in good part the start of a dispatch.
enum { FOOTNOTE_EMPTY_DISPATCHES = 3 };

// A figure shown to a reader. `result` has the device's peaks.
enum footnote_of { FOOTNOTE_OF_ERROR, FOOTNOTE_OF_REFERENCE, FOOTNOTE_OF_TIME };
struct shown_figure {
    const struct result *result;
    const struct record *record; // NULL: no figure, and no footnote
    enum footnote_of what;
    enum figure figure; // of FOOTNOTE_OF_TIME
};

struct footnote_info {
    const char *symbol, *key; // "°", "sampled"
    const char *words;        // the meaning
    // Returns how strongly a figure is affected: above 0, infinite if unknown, 0 without the footnote. NULL for a
    // footnote not on records: the verdict of a comparison.
    double (*depth)(const struct shown_figure *figure);
    void (*tell)(
        struct text *out, const struct shown_figure *figure); // for the most affected figure; NULL: no more words
};
extern const struct footnote_info footnote_table[FOOTNOTE_COUNT];

// The footnotes used in a table, a chart or a claim.
struct footnotes_seen {
    double depth[FOOTNOTE_COUNT]; // 0: not used
    struct shown_figure deepest[FOOTNOTE_COUNT];
};

// Notes the footnotes of a figure, which may have no record.
void footnotes_note(const struct shown_figure *figure, struct footnotes_seen *seen);
// Returns the footnotes of a figure, a bit each, to be kept without its record; footnotes_note_bits notes them. Their
// words then come without an extent.
unsigned footnotes_bits(const struct shown_figure *figure);
void footnotes_note_bits(unsigned bits, struct footnotes_seen *seen);
// Adds the footnotes noted by others.
void footnotes_join(const struct footnotes_seen *others, struct footnotes_seen *seen);
void put_symbols_seen(struct text *out, const struct footnotes_seen *seen);
// Appends the symbols of a figure, if it has any, and notes them in `seen` (unless NULL).
void put_symbols(struct text *out, const struct shown_figure *figure, struct footnotes_seen *seen);
// Does the same for a verdict.
void put_symbol_of_verdict(struct text *out, enum verdict verdict, struct footnotes_seen *seen);

// Append the symbol, words and extent of a footnote if it is used; put_footnotes does so for all of them, with `after`
// behind each.
void put_footnote(struct text *out, const struct footnotes_seen *seen, enum footnote footnote);
void put_footnotes(struct text *out, const struct footnotes_seen *seen, const char *after);

#endif
