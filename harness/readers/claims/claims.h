// SPDX-License-Identifier: Apache-2.0
// Claims: general statements of systems about GPU computing, checked against one device's result. A suite file may
// have a list of them beside its entries (suites/claims.json; suites/README.md documents the form). Each is decided
// by numbers in the file, in one of the ways below.
#ifndef VKASSAY_CLAIMS_CLAIMS_H
#define VKASSAY_CLAIMS_CLAIMS_H

#include "../../base/fields.h"
#include "../../record/footnotes.h"
#include "../../base/arena.h"
#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;
struct result;

enum { QUANTITY_POINTS = 16, PART_SIZES = 8, PART_VENDORS = 4, CLAIM_SYSTEMS = 6, CLAIM_CHARTS = 3, CHART_SERIES = 6 };

// A figure read from a result: the best one of the records with a matching name, summed over several globs. A number
// in place of a glob counts as itself.
struct quantity {
    const char *points[QUANTITY_POINTS];
    int count;
    const char *figure; // "compute"; see quantities.c
};

// Open: cannot be measured here. Elsewhere: about other devices. Told, only for a part: it has no band, so its figure
// counts neither for nor against. A claim as a whole is never informational.
enum verdict_of_claim { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_OPEN, CLAIM_ELSEWHERE, CLAIM_INFORMATIONAL };
// "holds", "does not hold", "cannot be measured here", "is about other devices", "measured"
const char *claim_verdict_name(enum verdict_of_claim verdict);

struct claim_part;

// The finding of a part or a claim. Strings live in the arena.
struct claim_finding {
    enum verdict_of_claim verdict;
    double value, low, high; // measured value, claimed band; NaN, ±infinity: none
    const char *unit;     // of the three: "ns", "x", "share", "B/s", "FLOP/s", "B", "ULP" or a dim; "" a plain number
    size_t cases, inside; // of a part decided case by case: cases, and cases as claimed; else 0
    const char *detail;   // more on the measurement; "" nothing
    const char *reason;   // why it is open or elsewhere; NULL otherwise
};

// A part to decide.
struct question {
    const struct claim_part *part;
    const struct result *result;
    struct arena *arena; // for the findings' strings
};

// A way of deciding; README.md describes how to add one.
struct way {
    const char *name;
    unsigned takes, needs; // members of a part, as bits of enum part_member
    void (*decide)(const struct question *q, struct claim_finding *out);
};
enum { CLAIM_WAYS = 6 };
extern const struct way claim_ways[CLAIM_WAYS + 1]; // end with a NULL name
const struct way *way_named(const char *name);      // NULL: no such way

enum part_member {
    PART_OF = 1 << 0,
    PART_OVER = 1 << 1,
    PART_RIVAL = 1 << 2,
    PART_DIM = 1 << 3,
    PART_LOW = 1 << 4,
    PART_HIGH = 1 << 5,
    PART_SHARE = 1 << 6,
    PART_SIZES_OF = 1 << 7,
    PART_LARGEST = 1 << 8,
    PART_WHY = 1 << 9
};

struct claim_part {
    const char *what; // a few words: "add, end to end"
    const struct way *way;
    struct quantity of, over, rival;
    const char *dim;
    double low, high; // the band, inclusive; absent: infinite
    double share;     // of the cases, at least; absent: all
    double sizes[PART_SIZES];
    int size_count;
    bool largest;
    const char *why; // why it cannot be measured anywhere
    // The devices concerned; empty: all.
    uint32_t vendors[PART_VENDORS];
    int vendor_count;
    const char *kind, *devices; // a kind by name; a glob over device names; NULL
    const char *where;          // JSON path
};

struct chart_series {
    const char *title;
    struct quantity of;
};
struct claim_chart {
    const char *title, *dim, *x_title; // the dim along the axis
    struct chart_series series[CHART_SERIES];
    int series_count;
};

struct claim {
    const char *id;
    const char *systems[CLAIM_SYSTEMS]; // the systems with this claim
    int system_count;
    const char *text, *check;
    const char *proxy; // the measured substitute for a thing named in the claim; NULL: none
    struct claim_part *parts;
    size_t part_count;
    struct claim_chart charts[CLAIM_CHARTS];
    int chart_count;
};

struct claims {
    struct claim *items;
    size_t count;
};

extern const struct field claims_fields[]; // of a suite file, for its schema

// Reads the claims of a suite file. A file without any is STATUS_BAD_INPUT; so is any other fault, with its JSON
// path.
bool claims_load(struct arena *arena, const char *path, struct claims *out, struct error *err);

// Decides a part. A part about other devices is elsewhere, and does not count for its claim.
struct claim_finding part_decide(
    const struct claim_part *part, const struct result *result, struct arena *arena, bool *applies);
// Decides a claim from its parts' findings (room for part_count). It fails if any part fails, and is elsewhere if no
// part applies. It holds if all parts that apply and have a band hold; otherwise it is open. Its own finding has only
// verdict and reason.
struct claim_finding claim_decide(const struct claim *claim, const struct result *result, struct arena *arena,
    struct claim_finding *parts, bool *applies);

// ---- quantities (quantities.c)

bool figure_known(const char *figure);
const char *figure_unit(const char *figure);
// Returns a figure of one record; NaN if it has none.
double figure_of(const struct result *result, const struct record *record, const char *figure);
// Returns whether the record passed and its name, or a leading part of it, matches the glob.
bool record_serves(const struct record *record, const char *glob);
// Returns whether a glob is a number, and sets *out to it.
bool quantity_number(const char *glob, double *out);
// Returns the quantity; NaN if a glob finds no passing record with this figure, with the reason in *why (may be
// NULL).
double quantity_value(
    const struct quantity *quantity, const struct result *result, struct arena *arena, const char **why);

// Notes the footnotes of the matching records: of the figure itself, of their scalar reference, or of their errors.
enum quantity_of { QUANTITY_ITSELF, QUANTITY_REFERENCE, QUANTITY_ERRORS };
void quantity_footnotes(
    const struct quantity *quantity, const struct result *result, enum quantity_of of, struct footnotes_seen *seen);

// Makes the curve of a figure over a dim, ascending. Each value has the lowest figure (highest for rates) of the
// records matching any glob. The points are in the arena; returns their number.
struct curve_point {
    double x, y, scalar; // the scalar reference's time there; NaN: none
};
int curve_point_by_x(const void *a, const void *b); // for qsort and bsearch
size_t curve_of(const struct quantity *quantity, const char *dim, const struct result *result, struct arena *arena,
    struct curve_point **out);

#endif
