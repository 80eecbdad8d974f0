// SPDX-License-Identifier: Apache-2.0
// Prints a comparison as JSON (reports/schema/comparison.schema.json), one point at a time.
#include "comparison.h"

#include "../../base/fields.h"
#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../render/view.h"

ENUM_KIND(static, verdict, verdict_name, verdict, 0, VERDICT_COUNT, "a verdict")

// ---- a point

static struct json_object *record_ns_put(const void *member) {
    const struct record *record = *(const struct record *const *)member;
    return record ? json_double(compute_ns(record)) : NULL;
}
static const struct kind kind_record_ns = {.put = record_ns_put, .of = &kind_real};

#define AT(member) offsetof(struct compared_point, member)
static const struct field compared_fields[] = {
    {"name", &kind_text, AT(name), REQUIRED},
    {"family", &kind_text, AT(family), REQUIRED},
    {"verdict", &kind_verdict, AT(verdict), REQUIRED},
    {"undecided", KIND(kind_flag, .meaning = "Ambiguous, and its times leave room for a slow-down."), AT(undecided),
        REQUIRED},
    {"base_ns", &kind_record_ns, AT(base), NULLABLE},
    {"new_ns", &kind_record_ns, AT(new), NULLABLE},
    {"ratio", KIND(kind_real, .meaning = "New over base."), AT(ratio.value), NULLABLE},
    {"lo", KIND(kind_real, .meaning = "Ends of the 95 % interval of the ratio."), AT(ratio.lo), NULLABLE},
    {"hi", &kind_real, AT(ratio.hi), NULLABLE},
    {"cycles_ratio", KIND(kind_real, .meaning = "The ratio in cycles of the shader clock, if readable."), AT(cycles),
        NULLABLE},
    {"detects", KIND(kind_above_0, .meaning = "The smallest factor that would be called slower."), AT(detects),
        NULLABLE},
    {"p",
        KIND(kind_real, .meaning = "Rank test, corrected over all points.",
            .schema = SCHEMA({"minimum" : 0, "maximum" : 1})),
        AT(p), NULLABLE},
    {"note", &kind_text, AT(note), NULLABLE},
    {0},
};
#undef AT
static const struct kind kind_compared = {.fields = compared_fields};

#define AT(member) offsetof(struct compared_family, member)
static const struct field family_fields[] = {
    {"name", &kind_text, AT(name), REQUIRED},
    {"points", KIND(kind_size, .meaning = "Points that are right and timed in both."), AT(points), REQUIRED},
    {"ratio", KIND(kind_above_0, .meaning = "Geometric mean of new over base."), AT(ratio), NULLABLE},
    {"least", KIND(kind_above_0, .meaning = "The least ratio of a point."), AT(least), NULLABLE},
    {"most", KIND(kind_above_0, .meaning = "The largest ratio of a point."), AT(most), NULLABLE},
    {0},
};
#undef AT
static const struct kind kind_family = {.fields = family_fields};

// ---- what was compared

struct compared_source {
    const char *file, *suite, *seed, *started, *git, *device, *driver, *profile;
};
#define AT(member) offsetof(struct compared_source, member)
static const struct field source_fields[] = {
    {"file", &kind_text, AT(file), REQUIRED},
    {"suite", &kind_text, AT(suite), NULLABLE},
    {"seed", &kind_text, AT(seed), NULLABLE},
    {"started", &kind_text, AT(started), NULLABLE},
    {"git", &kind_text, AT(git), NULLABLE},
    {"device", &kind_text, AT(device), REQUIRED},
    {"driver", &kind_text, AT(driver), REQUIRED},
    {"profile", KIND(kind_text, .meaning = "The name of a profile of limits."), AT(profile), NULLABLE},
    {0},
};
#undef AT
static const struct kind kind_source_of_comparison = {.fields = source_fields, .name = "source"};

static struct compared_source source_of(const char *path, const struct result *result) {
    struct json_object *run = json_get(result->context, "run"), *tool = json_get(result->context, "tool");
    const char *profile = result->device->profile.name;
    return (struct compared_source){path, json_get_string(run, "suite", NULL), json_get_string(run, "seed", NULL),
        json_get_string(run, "started", NULL), json_get_string(tool, "git", NULL), result->device->name,
        result->device->driver_info, *profile ? profile : NULL};
}

// ---- the whole

struct head {
    struct comparison comparison;
    struct compared_source base, new;
    const char *verdict;
    int exit_status;
    bool strict;
};
#define AT(member) offsetof(struct head, member)
static const struct field rule_fields[] = {
    {"effect", KIND(kind_amount, .meaning = "The smallest difference of times that counts, as a share."),
        AT(comparison.rules.effect), REQUIRED},
    {"ulp_factor", KIND(kind_real, .least = 1, .meaning = "The largest growth of errors; null: up to the bound."),
        AT(comparison.rules.ulp_factor), NULLABLE},
    {"strict", &kind_flag, AT(strict), REQUIRED},
    {0},
};

static const struct kind kind_verdict_counts = {
    .each = sizeof(size_t), .values = &kind_size, .keys = &verdict_words, .required = VERDICT_COUNT};

static struct json_object *families_put(const void *member) {
    const struct comparison *c = member;
    return items_put(&kind_family, c->families, sizeof *c->families, c->family_count + 1);
}
static const struct kind kind_families = {.put = families_put,
    .list = &(const struct item_list){.kind = &kind_family, .least = 1},
    .meaning = "The last one, \"all\", is of all families together."};
static struct json_object *differences_put(const void *member) {
    const struct comparison *c = member;
    return items_put(&kind_text, c->differences, sizeof *c->differences, c->difference_count);
}
static const struct kind kind_differences = {.put = differences_put,
    .list = &(const struct item_list){.kind = &kind_text},
    .meaning = "Accepted differences of device, driver or seed, and of the profile of limits."};

static const struct field head_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"verdict", KIND(kind_text, .meaning = "Of the whole, in words."), AT(verdict), REQUIRED},
    {"exit_status", KIND(kind_int, .most = STATUS_PARTIAL), AT(exit_status), REQUIRED},
    {"base", &kind_source_of_comparison, AT(base), REQUIRED},
    {"new", &kind_source_of_comparison, AT(new), REQUIRED},
    {"rules", &(const struct kind){.fields = rule_fields}, 0, REQUIRED},
    {"differences", &kind_differences, AT(comparison), REQUIRED},
    {"without_samples", KIND(kind_size, .meaning = "Points judged by stored intervals, without a rank test."),
        AT(comparison.without_samples), REQUIRED},
    {"undecided", KIND(kind_size, .meaning = "Undecided points."), AT(comparison.undecided), REQUIRED},
    {"counts", &kind_verdict_counts, AT(comparison.verdicts), REQUIRED},
    {"families", &kind_families, AT(comparison), REQUIRED},
    {0},
};
static const struct field list_fields[] = {
    {"compared", &(const struct kind){.list = &(const struct item_list){.kind = &kind_compared}}, 0, REQUIRED}, {0}};
const struct kind kind_comparison_file = {.fields = head_fields,
    .also = list_fields,
    .meaning = "The verdict of each point of two results. Times are ns of one run."};

static void print_part(void *out, const char *bytes, size_t length) {
    fwrite(bytes, 1, length, out);
}

void render_comparison_json(const struct comparison_view *view, FILE *out) {
    const struct comparison *c = view->comparison;
    const struct head head = {*c, source_of(view->base_path, c->base), source_of(view->new_path, c->new),
        comparison_word(view), (int)comparison_status(c, view->strict), view->strict};
    struct text text = {.spill = print_part, .spill_user = out};
    size_t put = 0;
    json_begin_list(&text, fields_put(head_fields, &head), list_fields->key);
    for (size_t i = 0; i < c->count; i++) json_put_item(&text, fields_put(compared_fields, &c->points[i]), &put);
    json_end_list(&text, put);
    fputs(text_str(&text), out);
    text_free(&text);
}
