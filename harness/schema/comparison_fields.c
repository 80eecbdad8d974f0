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
    {"file", &kind_text, 0, REQUIRED},
    {"suite", &kind_text, 0, NULLABLE},
    {"seed", &kind_text, 0, NULLABLE},
    {"started", &kind_text, 0, NULLABLE},
    {"git", &kind_text, 0, NULLABLE},
    {"device", &kind_text, 0, REQUIRED},
    {"driver", &kind_text, 0, REQUIRED},
    {"profile", KIND(kind_text, .meaning = "The name of a profile of limits."), 0, NULLABLE},
    {0},
};
static const struct kind kind_source_of_comparison = {.fields = source_fields, .name = "source"};

static const struct field rule_fields[] = {
    {"effect", KIND(kind_amount, .meaning = "The smallest difference of times that counts, as a share."), 0, REQUIRED},
    {"ulp_factor", KIND(kind_real, .least = 1, .meaning = "The largest growth of errors; null: up to the bound."), 0,
        NULLABLE},
    {"strict", &kind_flag, 0, REQUIRED},
    {0},
};
static const struct kind kind_rules = {.fields = rule_fields};

static const struct field family_fields[] = {
    {"name", &kind_text, 0, REQUIRED},
    {"points", KIND(kind_int64, .meaning = "Points that are right and timed in both."), 0, REQUIRED},
    {"ratio", KIND(kind_above_0, .meaning = "Geometric mean of new over base."), 0, NULLABLE},
    {0},
};
static const struct kind kind_family = {.fields = family_fields};

static const struct field compared_fields[] = {
    {"name", &kind_text, 0, REQUIRED},
    {"family", &kind_text, 0, REQUIRED},
    {"verdict", &(const struct kind){.words = &verdict_words}, 0, REQUIRED},
    {"base_ns", &kind_real, 0, NULLABLE},
    {"new_ns", &kind_real, 0, NULLABLE},
    {"ratio", KIND(kind_real, .meaning = "New over base."), 0, NULLABLE},
    {"lo", KIND(kind_real, .meaning = "Ends of the 95 % interval of the ratio."), 0, NULLABLE},
    {"hi", &kind_real, 0, NULLABLE},
    {"cycles_ratio", KIND(kind_real, .meaning = "The ratio in cycles of the shader clock, if readable."), 0, NULLABLE},
    {"detects", KIND(kind_above_0, .meaning = "The smallest factor that would be called slower."), 0, NULLABLE},
    {"p",
        &(const struct kind){.meaning = "Rank test, corrected over all points.",
            .schema = SCHEMA({"type" : "number", "minimum" : 0, "maximum" : 1})},
        0, NULLABLE},
    {"note", &kind_text, 0, NULLABLE},
    {0},
};
static const struct kind kind_compared = {.fields = compared_fields};

static const struct kind kind_exit_status = {.schema = SCHEMA({"enum" : [ 0, 1, 2, 3, 4 ]})};
_Static_assert(STATUS_OK == 0 && STATUS_PARTIAL == 4, "the schema of the exit status");

static const struct field comparison_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"verdict", KIND(kind_text, .meaning = "Of the whole, in words."), 0, REQUIRED},
    {"exit_status", &kind_exit_status, 0, REQUIRED},
    {"base", &kind_source_of_comparison, 0, REQUIRED},
    {"new", &kind_source_of_comparison, 0, REQUIRED},
    {"rules", &kind_rules, 0, REQUIRED},
    {"differences", LIST(kind_text, "Accepted differences of device, driver or seed, and of the profile of limits."), 0,
        REQUIRED},
    {"without_samples", KIND(kind_int64, .meaning = "Points judged by stored intervals, without a rank test."), 0,
        REQUIRED},
    {"counts", &(const struct kind){.values = &kind_int64, .keys = &verdict_words, .required = VERDICT_COUNT}, 0,
        REQUIRED},
    {"families",
        &(const struct kind){.list = &(const struct item_list){.kind = &kind_family, .least = 1},
            .meaning = "The last one, \"all\", is of all families together."},
        0, REQUIRED},
    {"compared", LIST(kind_compared, NULL), 0, REQUIRED},
    {0},
};
const struct kind kind_comparison_file = {
    .fields = comparison_fields, .meaning = "The verdict of each point of two results. Times are ns of one run."};
