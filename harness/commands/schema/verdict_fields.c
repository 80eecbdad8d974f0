// SPDX-License-Identifier: Apache-2.0
// The verdict of `vkassay try --json`.
#include "described.h"

#include "../../record/record.h"

static const char *verdict_word(int verdict) {
    static const char *const words[TRY_VERDICTS] = {
        [TRY_RIGHT] = "right", [TRY_WRONG] = "wrong", [TRY_NOT_JUDGED] = "not judged", [TRY_ERROR] = "error"};
    return words[verdict];
}
static const struct enum_words verdict_words = {verdict_word, 0, TRY_VERDICTS, "a verdict"};

static struct json_object *checks_put(const void *member) {
    struct json_object *failed = kind_failed.put(member);
    return failed ? failed : json_object_new_array();
}

#define AT(member) offsetof(struct record, member)
static const struct field failure_fields[] = {
    {"name", &kind_text, AT(name), REQUIRED},
    {"status", KIND(kind_status, .meaning = "Not pass or skip."), AT(status), REQUIRED},
    {"checks", &(const struct kind){.put = checks_put, .set = &check_words, .meaning = "The failed checks."},
        AT(failed), REQUIRED},
    {"reason", &kind_text, AT(reason), NULLABLE},
    {"replay", KIND(kind_text, .meaning = "A command that repeats the check bit for bit."), AT(replay), NULLABLE},
    {0},
};
#undef AT
static struct json_object *failure_put(const void *member) {
    const struct record *record = *(const struct record *const *)member;
    return record ? fields_put(failure_fields, record) : NULL;
}
static const struct kind kind_failure = {
    .put = failure_put, .fields = failure_fields, .meaning = "The first point that failed, else the first error."};

#define AT(member) offsetof(struct time_of_try, member)
static const struct field time_fields[] = {
    {"name", &kind_text, AT(name), REQUIRED},
    {"median_ns", &kind_above_0, AT(median), REQUIRED},
    {"lo_ns", KIND(kind_real, .meaning = "Ends of the 95 % interval of the median."), AT(lo), NULLABLE},
    {"hi_ns", &kind_real, AT(hi), NULLABLE},
    {"roof", KIND(kind_text, .meaning = "The measured peak that bounds it."), AT(roof), NULLABLE},
    {"share", KIND(kind_real, .meaning = "Its speed as a share of that peak."), AT(share), NULLABLE},
    {0},
};
#undef AT
static const struct kind kind_time_of_try = {.fields = time_fields};

#define AT(member) offsetof(struct verdict_of_try, member)
#define MANY(member, count, KIND, MEANING)                                                                             \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){LIST_OF(struct verdict_of_try, member, count, KIND), .in_arena = true},      \
        .meaning = MEANING                                                                                             \
    }
static const struct field verdict_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"operator", &kind_text, AT(operator), NULLABLE},
    {"shader", KIND(kind_text, .meaning = "As on the command line."), AT(shader), NULLABLE},
    {"exit_status", KIND(kind_int, .most = 70), AT(exit_status), REQUIRED},
    {"verdict",
        &(const struct kind){.words = &verdict_words,
            .meaning =
                "\"wrong\": a point fails, hangs or crashes. \"error\": nothing was run, or a point could not be "
                "built. \"not judged\": all points were skipped."},
        AT(verdict), REQUIRED},
    {"error", KIND(kind_text, .meaning = "Why nothing was run."), AT(error), NULLABLE},
    {0},
};
static const struct field result_fields[] = {
    {"points", &kind_int64, AT(points), NEW},
    {"judged", KIND(kind_int64, .meaning = "Points that passed or failed."), AT(judged), NEW},
    {"failed", &kind_int64, AT(failed), NEW},
    {"skipped", &kind_int64, AT(skipped), NEW},
    {"errors", KIND(kind_int64, .meaning = "Points that could not be built or set up."), AT(errors), NEW},
    {"failure", &kind_failure, AT(failure), NEW_NULLABLE},
    {"times", MANY(times, time_count, &kind_time_of_try, "Times of one run of each point that passed."), 0, NEW},
    {"remarks", MANY(remarks, remark_count, &kind_text, "Such as the buffers read back."), 0, NEW},
    {"seed", &kind_text, AT(seed), NEW_NULLABLE},
    {"device", &kind_text, AT(device), NEW_NULLABLE},
    {"result", KIND(kind_text, .meaning = "Path of the result with all records."), AT(result), NEW},
    {0},
};
const struct kind kind_verdict_file = {.fields = verdict_fields,
    .also = result_fields,
    .closed = true,
    .meaning = "The verdict on one shader. Without a result, only the first members are there."};

struct json_object *verdict_of_try_put(const struct verdict_of_try *verdict) {
    struct json_object *out = fields_put(verdict_fields, verdict);
    if (verdict->result) fields_add(out, result_fields, verdict);
    return out;
}
