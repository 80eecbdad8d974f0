// SPDX-License-Identifier: Apache-2.0
// Members of `vkassay compare --json`. The writer puts them one by one, so these tables only describe them.
#include "described.h"

#include "../base/error.h"
#include "../stats/ratio.h"

static const char *verdict_word(int verdict) {
    return verdict_name((enum verdict)verdict);
}
static const struct enum_words verdict_words = {verdict_word, 0, VERDICT_COUNT, "a verdict"};

static const struct field source_fields[] = {
    {"file", &kind_text, NO_MEMBER, REQUIRED},
    {"suite", &kind_text, NO_MEMBER, NULLABLE},
    {"seed", &kind_text, NO_MEMBER, NULLABLE},
    {"started", &kind_text, NO_MEMBER, NULLABLE},
    {"git", &kind_text, NO_MEMBER, NULLABLE},
    {"device", &kind_text, NO_MEMBER, REQUIRED},
    {"driver", &kind_text, NO_MEMBER, REQUIRED},
    {"profile", KIND(kind_text, .meaning = "The name of a profile of limits."), NO_MEMBER, NULLABLE},
    {0},
};
static const struct kind kind_source_of_comparison = {.fields = source_fields, .name = "source"};

static const struct field rule_fields[] = {
    {"effect", KIND(kind_amount, .meaning = "The smallest difference of times that counts, as a share."), NO_MEMBER,
        REQUIRED},
    {"ulp_factor", KIND(kind_real, .least = 1, .meaning = "The largest growth of errors; null: up to the bound."),
        NO_MEMBER, NULLABLE},
    {"strict", &kind_flag, NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_rules = {.fields = rule_fields};

static const struct field family_fields[] = {
    {"name", &kind_text, NO_MEMBER, REQUIRED},
    {"points", KIND(kind_int64, .meaning = "Points that are right and timed in both."), NO_MEMBER, REQUIRED},
    {"ratio", KIND(kind_above_0, .meaning = "Geometric mean of new over base."), NO_MEMBER, NULLABLE},
    {0},
};
static const struct kind kind_family = {.fields = family_fields};

static const struct field compared_fields[] = {
    {"name", &kind_text, NO_MEMBER, REQUIRED},
    {"family", &kind_text, NO_MEMBER, REQUIRED},
    {"verdict", &(const struct kind){.words = &verdict_words}, NO_MEMBER, REQUIRED},
    {"undecided", KIND(kind_flag, .meaning = "Ambiguous, and its times leave room for a slow-down."), NO_MEMBER,
        REQUIRED},
    {"base_ns", &kind_real, NO_MEMBER, NULLABLE},
    {"new_ns", &kind_real, NO_MEMBER, NULLABLE},
    {"ratio", KIND(kind_real, .meaning = "New over base."), NO_MEMBER, NULLABLE},
    {"lo", KIND(kind_real, .meaning = "Ends of the 95 % interval of the ratio."), NO_MEMBER, NULLABLE},
    {"hi", &kind_real, NO_MEMBER, NULLABLE},
    {"cycles_ratio", KIND(kind_real, .meaning = "The ratio in cycles of the shader clock, if readable."), NO_MEMBER,
        NULLABLE},
    {"detects", KIND(kind_above_0, .meaning = "The smallest factor that would be called slower."), NO_MEMBER, NULLABLE},
    {"p",
        &(const struct kind){.meaning = "Rank test, corrected over all points.",
            .schema = SCHEMA({"type" : "number", "minimum" : 0, "maximum" : 1})},
        NO_MEMBER, NULLABLE},
    {"note", &kind_text, NO_MEMBER, NULLABLE},
    {0},
};
static const struct kind kind_compared = {.fields = compared_fields};

static const struct kind kind_exit_status = {.schema = SCHEMA({"enum" : [ 0, 1, 2, 3, 4 ]})};
_Static_assert(STATUS_OK == 0 && STATUS_PARTIAL == 4, "the schema of the exit status");

static const struct field comparison_fields[] = {
    {"schema_version", &kind_version_1, NO_MEMBER, REQUIRED},
    {"verdict", KIND(kind_text, .meaning = "Of the whole, in words."), NO_MEMBER, REQUIRED},
    {"exit_status", &kind_exit_status, NO_MEMBER, REQUIRED},
    {"base", &kind_source_of_comparison, NO_MEMBER, REQUIRED},
    {"new", &kind_source_of_comparison, NO_MEMBER, REQUIRED},
    {"rules", &kind_rules, NO_MEMBER, REQUIRED},
    {"differences", LIST(kind_text, "Accepted differences of device, driver or seed, and of the profile of limits."),
        NO_MEMBER, REQUIRED},
    {"without_samples", KIND(kind_int64, .meaning = "Points judged by stored intervals, without a rank test."),
        NO_MEMBER, REQUIRED},
    {"undecided", KIND(kind_int64, .meaning = "Undecided points."), NO_MEMBER, REQUIRED},
    {"counts", &(const struct kind){.values = &kind_int64, .keys = &verdict_words, .required = VERDICT_COUNT},
        NO_MEMBER, REQUIRED},
    {"families",
        &(const struct kind){.list = &(const struct item_list){.kind = &kind_family, .least = 1},
            .meaning = "The last one, \"all\", is of all families together."},
        NO_MEMBER, REQUIRED},
    {"compared", LIST(kind_compared, NULL), NO_MEMBER, REQUIRED},
    {0},
};
const struct kind kind_comparison_file = {
    .fields = comparison_fields, .meaning = "The verdict of each point of two results. Times are ns of one run."};
