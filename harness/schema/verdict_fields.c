// SPDX-License-Identifier: Apache-2.0
// Members of `vkassay try --json`. The writer puts them one by one, so these tables only describe them.
#include "described.h"

#include "../record/record.h"

const char *try_verdict_name(enum try_verdict verdict) {
    static const char *const names[TRY_VERDICTS] = {
        [TRY_RIGHT] = "right", [TRY_WRONG] = "wrong", [TRY_NOT_JUDGED] = "not judged", [TRY_ERROR] = "error"};
    return names[verdict];
}
static const char *verdict_word(int verdict) {
    return try_verdict_name((enum try_verdict)verdict);
}
static const struct enum_words verdict_words = {verdict_word, 0, TRY_VERDICTS, "a verdict"};

static const struct field failure_fields[] = {
    {"name", &kind_text, NO_MEMBER, REQUIRED},
    {"status", KIND(kind_status, .meaning = "Not pass or skip."), NO_MEMBER, REQUIRED},
    {"checks", &(const struct kind){.set = &check_words, .meaning = "The failed checks."}, NO_MEMBER, REQUIRED},
    {"reason", &kind_text, NO_MEMBER, NULLABLE},
    {"replay", KIND(kind_text, .meaning = "A command that repeats the check bit for bit."), NO_MEMBER, NULLABLE},
    {0},
};
static const struct kind kind_failure = {.fields = failure_fields};

static const struct field time_fields[] = {
    {"name", &kind_text, NO_MEMBER, REQUIRED},
    {"median_ns", &kind_above_0, NO_MEMBER, REQUIRED},
    {"lo_ns", KIND(kind_real, .meaning = "Ends of the 95 % interval of the median."), NO_MEMBER, NULLABLE},
    {"hi_ns", &kind_real, NO_MEMBER, NULLABLE},
    {"roof", KIND(kind_text, .meaning = "The measured peak that bounds it."), NO_MEMBER, NULLABLE},
    {"share", KIND(kind_real, .meaning = "Its speed as a share of that peak."), NO_MEMBER, NULLABLE},
    {0},
};
static const struct kind kind_time_of_try = {.fields = time_fields};

static const struct field verdict_fields[] = {
    {"schema_version", &kind_version_1, NO_MEMBER, REQUIRED},
    {"operator", &kind_text, NO_MEMBER, NULLABLE},
    {"shader", KIND(kind_text, .meaning = "As on the command line."), NO_MEMBER, NULLABLE},
    {"exit_status", KIND(kind_int, .most = 70), NO_MEMBER, REQUIRED},
    {"verdict",
        &(const struct kind){.words = &verdict_words,
            .meaning =
                "\"wrong\": a point fails, hangs or crashes. \"error\": nothing was run, or a point could not be "
                "built. \"not judged\": all points were skipped."},
        NO_MEMBER, REQUIRED},
    {"points", &kind_int64, NO_MEMBER, NEW},
    {"judged", KIND(kind_int64, .meaning = "Points that passed or failed."), NO_MEMBER, NEW},
    {"failed", &kind_int64, NO_MEMBER, NEW},
    {"skipped", &kind_int64, NO_MEMBER, NEW},
    {"errors", KIND(kind_int64, .meaning = "Points that could not be built or set up."), NO_MEMBER, NEW},
    {"failure", KIND(kind_failure, .meaning = "The first point that failed, else the first error."), NO_MEMBER,
        NEW_NULLABLE},
    {"times", LIST(kind_time_of_try, "Times of one run of each point that passed."), NO_MEMBER, NEW},
    {"remarks", LIST(kind_text, "Such as the buffers read back."), NO_MEMBER, NEW},
    {"seed", &kind_text, NO_MEMBER, NEW_NULLABLE},
    {"device", &kind_text, NO_MEMBER, NEW_NULLABLE},
    {"result", KIND(kind_text, .meaning = "Path of the result with all records."), NO_MEMBER, NEW},
    {"error", KIND(kind_text, .meaning = "Why nothing was run."), NO_MEMBER, NULLABLE},
    {0},
};
const struct kind kind_verdict_file = {.fields = verdict_fields,
    .closed = true,
    .meaning = "The verdict on one shader. Without a result, only the first members and the error are there."};
