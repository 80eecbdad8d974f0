// SPDX-License-Identifier: Apache-2.0
// Compares two results of the same points, with a verdict for each. Pure: it measures and prints nothing.
#ifndef VKASSAY_RECORD_COMPARE_H
#define VKASSAY_RECORD_COMPARE_H

#include "../truth/stats/ratio.h"
#include "../base/names.h"
#include "terms.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct record;
struct result;

// Points whose times were interleaved, though the results were not.
struct compare_interleaved {
    struct names points;
    size_t left;     // points that were due, but were not measured
    const char *why; // no point was; NULL: the time or the number ran out, or the kernels have no such point
};

struct compare_rules {
    double effect;                   // smallest relative difference of times to count: 0.03
    double ulp_factor;               // limit on the growth of errors: 2; infinite: up to the bound
    bool allow_different;            // in device, driver or seed
    bool paired;                     // sample i of one result belongs to sample i of the other (run/pair.h)
    bool whole;                      // the new result must have every point of the base
    const struct names *interleaved; // interleaved points, though the results were not; NULL: none
};
enum { UNDECIDED_EFFECTS = 3 };
#define COMPARE_RULES                                                                                                  \
    { .effect = 0.03, .ulp_factor = 2 }

struct compared_point {
    const char *name, *family;       // of `new` if it has one; family of its operator, "other" if unknown
    const struct record *base, *new; // NULL if the result has no such point, or skipped it
    enum verdict verdict;
    bool undecided;     // ambiguous, and its times do not exclude a slow-down by three times the least effect
    struct ratio ratio; // new over base, of the compute medians; NaN unless both were timed
    double cycles;      // the ratio in cycles of the shader clock; NaN unless both clocks are known
    double p;           // of the rank test, corrected over all points; NaN without raw samples on both sides
    double detects;     // smallest slow-down of the kernel to be called slower, as a factor; NaN: not timed
    const char *paired; // of a captured dispatch: how it was paired, or why it was not; NULL: by its signature or name
    bool other_outputs; // of a captured dispatch with the same inputs in both
    const char *note;   // a remark besides the figures, or NULL
};

struct compared_family {
    const char *name;
    size_t points;      // right and timed in both
    double ratio;       // their geometric mean
    double least, most; // of their ratios
};

// Differences between the contexts of two results (device_key.h).
enum context_difference {
    DIFFERENT_DEVICE = 1 << 0,
    DIFFERENT_DRIVER = 1 << 1,
    DIFFERENT_PROCESSOR = 1 << 2,
    DIFFERENT_SEED = 1 << 3,
    DIFFERENT_PROFILE = 1 << 4, // of limits
    DIFFERENT_UNIT = 1 << 5,
    COMPARE_REMARKS = DIFFERENT_PROFILE | DIFFERENT_UNIT, // do not prevent a comparison
};
enum { COMPARE_DIFFERENCES = 6 };
struct comparison {
    struct arena arena; // owns the members below; records and context stay the results'
    const struct result *base, *new;
    struct compare_rules rules;
    struct compared_point *points; // by verdict, then by size of the difference
    size_t count;
    size_t verdicts[VERDICT_COUNT];
    size_t both;                      // points in both results
    size_t undecided;                 // points
    size_t without_samples;           // timed in both, but judged only by stored intervals: no raw samples
    struct compared_family *families; // in the order of the table of operators; the last one is all together
    size_t family_count;              // without the last
    unsigned differ;                  // the differences found, as bits of enum context_difference
    const char *differences[COMPARE_DIFFERENCES]; // a clause for each: "driver: A, then B"
    size_t difference_count;
    struct names unsteady; // kernels with different bits in two runs, in either result
};

// Compares two results. Points are paired by name, and dispatches of two captures by their work (paired/paired.h). The
// verdict of a point is the first of these that applies; points run in neither result are
// left out.
//
//   "flaky"      In `new`, right in only one of two attempts. Or so in `base`, if both belong to one run
//                (rules.paired).
//   "wrong"      In `new`, wrong, crashed, hung or not built. Or right, but its error grew by more than
//                rules.ulp_factor (error_grew, compare.c). Errors are compared only for the same seed, because then
//                inputs are equal.
//   "new"        Only in `new`.
//   "removed"    Only in `base`.
//   "fixed"      Not right in any attempt in `base`, right in `new`.
//   of pipelines that were only compiled: "slower" or "faster" if more or fewer registers spill, "ambiguous" if fewer
//                waves fit, else "same".
//   "ambiguous"  Late in one of two attempts and right in the other; it is undecided, too.
//                Flaky in `base`, of another run. Or timed in only one result, with other caches or by another clock.
//                Or slower (or faster) with another explanation, see below.
//   "slower"     More registers spill than in `base`, and the times do not show it to be faster.
//   else         The verdict of verdict_of_times on the compute medians.
//
// An ambiguous point is undecided if its times could not be compared, or if their interval reaches above 1 +
// UNDECIDED_EFFECTS * rules.effect. Otherwise a slow-down worth the name is excluded, and the point may pass.
//
// A failure or skip in `new` just as the run's expectations say is "same".
//
// Measurements beside the slower times may explain them. A cause is the reference kernel's slow-down if the point is
// marked as throttled, or the shader clock if both are known. On a CPU it is the share of its cores taken by other
// work. Each explains ratios up to its own. If the whole interval is beyond that by more than the least effect, the
// point is slower (or faster) nevertheless.
//
// The base's longer times may also hide that a kernel with other sources became slower. If they leave room for it, and
// the point was not interleaved, it is ambiguous and undecided.
//
// Returns STATUS_BAD_INPUT if device, driver or seed differ without rules.allow_different, or if a name occurs twice.
// The results must outlive the comparison; release it with comparison_free.
bool compare_results(const struct result *base, const struct result *new, const struct compare_rules *rules,
    struct comparison *out, struct error *err);
void comparison_free(struct comparison *comparison);

// Returns whether the times of this point were interleaved.
bool compare_is_interleaved(const struct compare_rules *rules, const char *name);

// Returns the exit status. STATUS_WRONG: a point is wrong or flaky. STATUS_SLOWER: a point is slower, or with
// `strict` ambiguous. STATUS_NOTHING: no point is in both results. STATUS_PARTIAL: the run of `new` was cut short, or
// under rules.whole a point was removed, or a point is undecided. Otherwise STATUS_OK.
enum status comparison_status(const struct comparison *comparison, bool strict);

#endif
