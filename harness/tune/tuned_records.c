// SPDX-License-Identifier: Apache-2.0
#include "tuned_records.h"

#include "../truth/stats/stop.h"
#include "../truth/stats/summary.h"
#include "../base/fields.h"
#include "../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct json_object *tuned_record(
    struct json_object *record, const struct summary *time, const double *samples, bool wrong) {
    struct arena scratch = {0};
    struct record copy;
    struct error ignored;
    if (record_from_json(&scratch, record, &copy, &ignored)) { // the record as the worker sent it
        copy.time[FIGURE_COMPUTE] = wrong ? summarize(NULL, 0) : *time;
        copy.samples[FIGURE_COMPUTE] = arena_alloc(&scratch, time->samples, sizeof(double));
        memcpy(copy.samples[FIGURE_COMPUTE], samples, time->samples * sizeof *samples);
        copy.stop = stop_reason_name(STOP_COUNT);
        json_object_put(record);
        record = record_to_json(&copy, true);
    }
    arena_free(&scratch);
    return record;
}

void tuned_record_fail(struct json_object *record, struct json_object *near) {
    struct arena scratch = {0};
    const char *reason =
        arena_format(&scratch, "right at these dims, but %s at %s: %s", json_get_string(near, "status", "wrong"),
            json_get_string(near, "name", ""), json_get_string(near, "reason", "no reason was given"));
    json_put_string(record, "status", record_status_name(RECORD_FAIL));
    json_put_string(record, "reason", reason);
    json_put_string(record, "replay", json_get_string(near, "replay", NULL));
    arena_free(&scratch);
}

// ---- a case

enum { REASONS = 32 };
struct reason {
    const char *pattern, *text; // of the first point
    size_t shapes;
};
static const struct field reason_fields[] = {
    {"shapes", KIND(kind_size, .least = 1), offsetof(struct reason, shapes), REQUIRED},
    {"reason", &kind_text, offsetof(struct reason, text), REQUIRED},
    {0},
};
static const struct kind kind_reason = {.fields = reason_fields};

size_t shapes_in_all(const struct kernel *kernel) {
    size_t product = 1;
    for (int i = 0; i < kernel->tunable_count; i++)
        if (__builtin_mul_overflow(product, (size_t)kernel->tunables[i].value_count, &product)) return SIZE_MAX;
    return product;
}

static void count_reason(struct reason *reasons, size_t *count, const char *pattern, const char *text, size_t shapes) {
    size_t at = 0;
    while (at < *count && strcmp(reasons[at].pattern, pattern) != 0) at++;
    if (at == REASONS) at--; // the rest are counted together
    if (at == *count) reasons[(*count)++] = (struct reason){pattern, text, 0};
    reasons[at].shapes += shapes;
}

static int most_first(const void *a, const void *b) {
    const struct reason *x = a, *y = b;
    return (x->shapes < y->shapes) - (x->shapes > y->shapes);
}

// Lists the reasons of pruned shapes, most common first: [{"shapes": 12, "reason": "1024 invocations; the device
// allows 256"}]. Reasons that differ only in their figures are counted together, under the first. Shapes without a
// point were refused by rules on these dims.
static struct json_object *pruned_make(const struct point *points, size_t count) {
    static const char of_dims[] = "a rule of the manifest about these dims";
    struct arena scratch = {0};
    struct reason reasons[REASONS];
    size_t reason_count = 0, all = shapes_in_all(points[0].kernel);
    for (size_t i = 0; i < count; i++) {
        const struct refusal *why = points[i].refused;
        if (why) count_reason(reasons, &reason_count, refusal_pattern(&scratch, why), refusal_text(&scratch, why), 1);
    }
    if (all > count) count_reason(reasons, &reason_count, of_dims, of_dims, all - count);
    qsort(reasons, reason_count, sizeof *reasons, most_first);
    struct json_object *list = items_put(&kind_reason, reasons, sizeof *reasons, reason_count);
    arena_free(&scratch);
    return list;
}

#define AT(member) offsetof(struct tuned_case, member)
static const struct field search_fields[] = {
    {"case", &kind_text, AT(name), REQUIRED},
    {"strategy", &kind_text, AT(strategy), REQUIRED},
    {"shapes", KIND(kind_size, .least = 1, .meaning = "Product of the numbers of the tunables' values."), AT(product),
        REQUIRED},
    {"legal", &kind_size, AT(legal), REQUIRED},
    {"tried", &kind_size, AT(tried), REQUIRED},
    {"wrong", &kind_size, AT(wrong), REQUIRED},
    {"samples", &kind_size, AT(samples), REQUIRED},
    {"neighbours", KIND(kind_size, .meaning = "Other dims at which the choice was right."), AT(neighbours), REQUIRED},
    {"seconds", &kind_amount, AT(seconds), REQUIRED},
    {"stopped", KIND(kind_flag, .meaning = "By the budget."), AT(stopped), REQUIRED},
    {0},
};
static const struct kind kind_pruned = {
    .list = &(const struct item_list){.kind = &kind_reason}, .meaning = "Shapes that were not tried, by reason."};
static const struct field pruned_fields[] = {{"pruned", &kind_pruned, 0, REQUIRED}, {0}};
static const struct kind kind_search = {.fields = search_fields, .also = pruned_fields};

struct json_object *tuned_about(const struct tuned_case *one, const struct point *points, size_t count) {
    struct json_object *about = fields_put(search_fields, one);
    json_put(about, pruned_fields->key, pruned_make(points, count));
    return about;
}

struct tuned_searches_written {
    double budget_s;
    struct json_object *cases;
};
static const struct kind kind_searches = {.put = given_put, .list = &(const struct item_list){.kind = &kind_search}};
static const struct field tuning_fields[] = {
    {"budget_s", &kind_amount, offsetof(struct tuned_searches_written, budget_s), NULLABLE},
    {"cases", &kind_searches, offsetof(struct tuned_searches_written, cases), REQUIRED},
    {0},
};
const struct kind kind_tuning = {.fields = tuning_fields, .meaning = "How `vkassay tune` searched each case."};

struct json_object *tuned_tuning(double budget_s, struct json_object *cases) {
    return fields_put(tuning_fields, &(struct tuned_searches_written){budget_s > 0 ? budget_s : NAN, cases});
}
