// SPDX-License-Identifier: Apache-2.0
// Two results of the same points compared: a verdict of each. Pure: nothing is measured or printed here.
#ifndef VKASSAY_RECORD_COMPARE_H
#define VKASSAY_RECORD_COMPARE_H

#include "../stats/ratio.h"
#include "../base/names.h"
#include "result.h"

struct compare_rules {
    double effect;        // the least share by which a time must differ to count: 0.03
    double ulp_factor;    // errors may grow up to this factor: 2; infinite: as far as the bound
    bool allow_different; // device, driver or seed
    bool paired;          // sample i of one belongs to sample i of the other (run/pair.h)
    bool whole;           // every point of the base must be in the new result
};
#define COMPARE_RULES                                                                                                  \
    { .effect = 0.03, .ulp_factor = 2 }

struct compared_point {
    const char *name, *family;       // family of its operator, "other" where that is not known
    const struct record *base, *new; // NULL where the result has no such point, or skipped it
    enum verdict verdict;
    struct ratio ratio; // new over base, of the compute medians; NaN where either was not timed
    double cycles;      // the ratio in cycles of the shader clock; NaN where either clock is not known
    double p;           // of the rank test, corrected over all points; NaN: no raw samples on one side
    double detects;     // a kernel that became slower by more than this factor would be called slower; NaN: not timed
    const char *note;   // what the figures do not say, or NULL
};

struct compared_family {
    const char *name;
    size_t points; // right and timed in both
    double ratio;  // their geometric mean
};

// What may differ between the contexts of two results. Two devices are the same when model and driver are, and for a
// CPU the processor.
enum context_difference {
    DIFFERENT_DEVICE = 1 << 0,
    DIFFERENT_DRIVER = 1 << 1,
    DIFFERENT_PROCESSOR = 1 << 2,
    DIFFERENT_SEED = 1 << 3,
    DIFFERENT_PROFILE = 1 << 4, // of limits: compared all the same
};
enum { COMPARE_DIFFERENCES = 5 };
struct comparison {
    struct arena arena; // owns what follows; records and context stay the results'
    const struct result *base, *new;
    struct compare_rules rules;
    struct compared_point *points; // by verdict, then by how much
    size_t count;
    size_t verdicts[VERDICT_COUNT];
    size_t both;                      // points that both results have
    size_t without_samples;           // timed in both, and judged by stored intervals alone: raw samples were trimmed
    struct compared_family *families; // in the order of the table of operators; the last is all of them together
    size_t family_count;              // without the last
    unsigned differ;                  // bits of enum context_difference that are allowed
    const char *differences[COMPARE_DIFFERENCES]; // a clause for each: "driver: A, then B"
    size_t difference_count;
    struct names unsteady; // kernels whose bits are not the same twice, in either
};

// A verdict follows from the first of these that holds; points that neither result ran are left out.
//   wrong      wrong, crashed, hung or not built in `new`, and not just as the run's expectations say (that is `same`);
//              or right, and its error grew (error_grew, compare.c) by more than rules.ulp_factor: only with the same
//              seed, which makes inputs the same
//   flaky      in `new` right in one of two attempts only (else wrong, above); or in `base`, where both are of one run
//              (rules.paired)
//   new, removed   in one result alone (skipped just as the run's expectations say, it is `same`)
//   fixed      not right in `base`, in none of its attempts; right in `new`
//   ambiguous  flaky in `base`, of another run; timed in one only, with other caches or by another clock; or something
//              measured beside the slower times explains them: the reference kernel's slow-down where the point is
//              marked as throttled, the shader clock where both are known, and on a CPU the share of its cores that
//              other work took. It explains ratios up to its own; a point whose whole interval passes that by more than
//              the least effect is slower (or faster)
//   else       as verdict_of_times says of the compute medians
// STATUS_BAD_INPUT when device, driver or seed differ (and that is not allowed) or a name occurs twice. The results
// must outlive the comparison, which is released with comparison_free.
bool compare_results(const struct result *base, const struct result *new, const struct compare_rules *rules,
    struct comparison *out, struct error *err);
void comparison_free(struct comparison *comparison);

// STATUS_WRONG (also by a flaky point), STATUS_SLOWER, STATUS_NOTHING (no point is in both), STATUS_PARTIAL (the run of `new` was cut short, or
// under rules.whole a point was removed) or STATUS_OK. `strict`: an ambiguous point counts as slower.
enum status comparison_status(const struct comparison *comparison, bool strict);

#endif
