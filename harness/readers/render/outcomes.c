// SPDX-License-Identifier: Apache-2.0
#include "outcomes.h"

#include "../../base/json.h"
#include "../../base/names.h"
#include "../../device/host_link.h"
#include "../../record/covered.h"
#include "../../record/terms.h"
#include "format.h"
#include "../../record/figures.h"
#include "render.h"
#include "../../record/journal.h"
#include "../../record/refusal.h"
#include "../../record/result.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_NAMED = 3 };

bool is_failure(const struct record *record) {
    return record_outcome(record) != OUTCOME_GOOD;
}

bool is_broken(const struct record *record) {
    return is_failure(record) && record->status != RECORD_FAIL && record->status != RECORD_PASS;
}

void put_record_outcome(struct text *out, const struct record *record) {
    enum expectation_outcome outcome = record_outcome(record);
    text_format(out, "%s%s", record->attempts.flaky ? "flaky " : "", record_status_name(record->status));
    for (int i = 0; record->attempts.flaky && i < record->attempts.count; i++)
        text_format(out, "%s%s%s", i ? ", " : " (", record_status_name(record->attempts.statuses[i]),
            i + 1 == record->attempts.count ? ")" : "");
    if (outcome == OUTCOME_EXPECTED_FAILURE)
        text_append(out, ", as expected");
    else if (outcome == OUTCOME_KNOWN_FLAKE)
        text_append(out, ", a known flake");
    else if (outcome_is_bad(outcome) && record->expected.status) // text from the file; all callers escape it
        text_format(out, " where %.20s is expected", record->expected.status);
}

const char *reason_of(const struct record *record) {
    if (record->status == RECORD_PASS && record->expected.reason) return record->expected.reason;
    return record->reason && *record->reason ? record->reason : "no reason was recorded";
}

static void add_failure(struct failures *out, size_t index, const struct record *record, const char *outcome) {
    struct failure *item = &out->items[index];
    if (index == out->count) {
        *item = (struct failure){record, outcome, reason_of(record), 0};
        out->count++;
        return;
    }
    item->alike++;
    if (!(record->bytes < item->record->bytes)) return;
    item->record = record;
    item->reason = reason_of(record);
}

void failures_make(const struct result *result, struct arena *arena, struct failures *out) {
    struct names causes = {0};
    *out = (struct failures){0};
    for (size_t i = 0; i < result->count; i++) out->points += is_failure(&result->records[i]);
    out->items = arena_alloc(arena, out->points, sizeof *out->items);
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        struct text text = {0};
        if (!is_failure(record)) continue;
        put_record_outcome(&text, record);
        const char *outcome = arena_take(arena, &text), *cause; // equal for failures of one kernel with one cause
        if (record->status == RECORD_FAIL && record->failed)
            cause = arena_format(arena, "%s/%s %s %x", record->kernel, record->dtype, outcome, record->failed);
        else
            cause = arena_format(arena, "%s %s %s", record->kernel, outcome, reason_of(record));
        add_failure(out, names_put(&causes, cause, strlen(cause), out->count), record, outcome);
        out->bad += outcome_is_bad(record_outcome(record));
    }
    names_free(&causes);
}

void put_alike(struct text *out, const struct failure *failure) {
    if (failure->alike)
        text_format(out, ", and %zu more point%s with this cause", failure->alike, failure->alike == 1 ? "" : "s");
}

const char *failure_class(const struct failure *failure) {
    return outcome_is_bad(record_outcome(failure->record)) ? "bad" : NULL;
}

enum { ANY_WIDTH = 1 << 20 };

// Prints each line separately, because a reason may be the output of a compiler.
static void print_reason(const char *reason, FILE *out, int width) {
    struct text plain = {0};
    put_plain(&plain, reason, 0);
    for (char *line = plain.data, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end) *end++ = '\0';
        print_hanging(out, "    ", line, 6, width ? width : ANY_WIDTH);
    }
    text_free(&plain);
}

void failures_print(const struct failures *failures, size_t most, FILE *out, int width) {
    for (size_t i = 0; i < failures->count && i < most; i++) {
        const struct failure *f = &failures->items[i];
        struct text text = {0};
        text_append(&text, "  ");
        const char *class = failure_class(f);
        text_append(&text, colour_begin(class));
        put_plain(&text, f->outcome, 0);
        text_append(&text, colour_end(class));
        text_append(&text, "  ");
        put_plain(&text, f->record->name, 0);
        put_alike(&text, f);
        fprintf(out, "%s\n", text_str(&text));
        text_free(&text);
        print_reason(f->reason, out, width);
        if (!f->record->replay) continue;
        put_plain(&text, f->record->replay, 0);
        fprintf(out, "    %s\n", text_str(&text));
        text_free(&text);
    }
}

size_t render_failures(const struct result *result, FILE *out) {
    struct arena arena = {0};
    struct failures failures;
    failures_make(result, &arena, &failures);
    if (failures.count) fputs("\nFailures\n", out);
    failures_print(&failures, SIZE_MAX, out, 0);
    arena_free(&arena);
    return failures.bad;
}

static int by_count(const void *a, const void *b) {
    const struct skip_group *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return strcmp(x->reason, y->reason);
}

// Groups of skipped points by reason, while they are collected.
struct skips {
    struct arena *arena;
    struct names names;
    struct skip_group *groups;
    struct text *kernels;            // of each group; the first KERNELS_NAMED by name
    const struct view_kernel **last; // the last kernel counted for each group
    size_t *kernel_count, count;
};

static void add_skip(struct skips *s, const struct view_kernel *kernel, const struct record *record) {
    const char *reason = reason_of(record);
    const char *pattern = record->refusal ? refusal_pattern(s->arena, record->refusal) : reason;
    size_t i = names_put(&s->names, pattern, strlen(pattern), s->count);
    if (i == s->count) s->groups[s->count++] = (struct skip_group){reason, 0, false, ""};
    s->groups[i].count++;
    s->groups[i].alike |= strcmp(s->groups[i].reason, reason) != 0;
    if (s->last[i] == kernel) return;
    s->last[i] = kernel;
    if (s->kernel_count[i]++ < KERNELS_NAMED)
        text_format(&s->kernels[i], "%s%s %s", s->kernel_count[i] > 1 ? ", " : "", kernel->name, kernel->dtype);
}

static void add_skips(struct skips *s, const struct view_kernel *kernel) {
    for (size_t c = 0; c < kernel->count; c++)
        for (size_t i = 0; i < kernel->cases[c].count; i++)
            if (kernel->cases[c].records[i]->status == RECORD_SKIP) add_skip(s, kernel, kernel->cases[c].records[i]);
}

static void name_kernels(struct skips *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->groups[i].alike)
            s->groups[i].reason = arena_format(s->arena, "%s, and similar cases", s->groups[i].reason);
        if (s->kernel_count[i] > KERNELS_NAMED)
            text_format(&s->kernels[i], " and %zu more", s->kernel_count[i] - KERNELS_NAMED);
        s->groups[i].kernels = arena_take(s->arena, &s->kernels[i]);
    }
}

size_t skip_groups(const struct view *view, struct arena *arena, struct skip_group **groups) {
    size_t room = view->statuses[RECORD_SKIP] + 1;
    struct skips s = {.arena = arena, .groups = arena_alloc(arena, room, sizeof *s.groups)};
    struct arena scratch = {0};
    s.kernels = arena_alloc(&scratch, room, sizeof *s.kernels);
    s.last = arena_alloc(&scratch, room, sizeof *s.last);
    s.kernel_count = arena_alloc(&scratch, room, sizeof *s.kernel_count);
    for (size_t k = 0; k < view->kernel_count; k++) add_skips(&s, view->kernels[k]);
    name_kernels(&s);
    names_free(&s.names);
    arena_free(&scratch);
    qsort(s.groups, s.count, sizeof *s.groups, by_count);
    *groups = s.groups;
    return s.count;
}

const struct column skip_columns[] = {
    {"points", .right = true, COUNT_OF(struct skip_group, count)},
    {"reason", .prose = true, TEXT_OF(struct skip_group, reason)},
    {"kernels", .prose = true, TEXT_OF(struct skip_group, kernels)},
    {0},
};

// Statuses in the order of the summary. `always`: named even if there are none.
static const struct {
    enum record_status status;
    const char *one, *many;
    bool always;
} words[] = {
    {RECORD_PASS, "passed", "passed", true},
    {RECORD_FAIL, "failed", "failed", true},
    {RECORD_ERROR, "error", "errors", false},
    {RECORD_TIMEOUT, "timeout", "timeouts", false},
    {RECORD_CRASH, "crash", "crashes", false},
    {RECORD_DEVICE_LOST, "lost device", "lost devices", false},
    {RECORD_COMPILED, "compiled", "compiled", false},
    {RECORD_SKIP, "skipped", "skipped", true},
};

void put_summary(struct text *out, const struct view *view, size_t skip_reasons) {
    text_format(out, "%zu point%s: ", view->result->count, view->result->count == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t count = view->statuses[words[i].status];
        if (!count && !words[i].always) continue;
        text_format(out, "%s%zu %s", i ? ", " : "", count, count == 1 ? words[i].one : words[i].many);
    }
    if (skip_reasons) text_format(out, " (%zu reason%s)", skip_reasons, skip_reasons == 1 ? "" : "s");
    size_t expected = 0, flaky = 0, unexpected = 0;
    for (size_t i = 0; i < view->result->count; i++) {
        enum expectation_outcome outcome = record_outcome(&view->result->records[i]);
        expected += outcome == OUTCOME_EXPECTED_FAILURE || outcome == OUTCOME_KNOWN_FLAKE;
        unexpected += outcome == OUTCOME_UNEXPECTED_PASS && !view->result->records[i].attempts.flaky;
        flaky += view->result->records[i].attempts.flaky;
    }
    if (expected) text_format(out, "; %zu expected failure%s", expected, expected == 1 ? "" : "s");
    if (unexpected) text_format(out, "; %zu passed unexpectedly", unexpected);
    if (flaky) text_format(out, "; %zu flaky", flaky);
    struct arena arena = {0};
    const char *cut_short = whole_words(&arena, json_get(view->result->context, "run"));
    if (cut_short) text_format(out, "; %s", cut_short);
    arena_free(&arena);
}

const char *covered_line(const struct result *result, struct arena *arena) {
    struct covered *rows;
    size_t count;
    struct error ignored;
    if (!covered_from_json(arena, json_get(result->context, "run"), &rows, &count, &ignored)) return NULL;
    return covered_words(arena, rows, count);
}

const char *subgroups_line(const struct result *result, struct arena *arena) {
    int64_t width = 0;
    size_t points = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const int64_t own = record->status == RECORD_PASS ? record->check.subgroup_width : 0;
        if (own && width && own != width) return NULL;
        if (own) width = own;
        points += own != 0;
    }
    if (!points) return NULL;
    return arena_format(arena, "subgroup operations met only width %lld (%zu point%s)", (long long)width, points,
        points == 1 ? "" : "s");
}

void put_subject(struct text *out, const struct highlight *item) {
    text_format(out, "%s %s ", item->kernel->name, item->kernel->dtype);
    put_size_words(out, item->record);
}

void put_speed_words(struct text *out, const struct view *view, const struct highlights *highlights) {
    if (!highlights->rated) return;
    text_format(out, "half of %zu problems reach ", highlights->rated);
    put_share(out, highlights->half);
    text_append(out, " of their roof or more");
    if (!highlights->most.c) return;
    const struct rate rate = rate_of(view->result, highlights->most.record);
    text_append(out, "; ");
    put_subject(out, &highlights->most);
    text_append(out, " reaches ");
    put_rate(out, rate.value, rate.unit);
    text_append(out, ", ");
    put_share(out, rate.share);
    text_format(out, " of %s", roof_words(rate.roof));
}

void put_advice(struct text *out, const struct highlight *gain) {
    text_append(out, "use ");
    put_shape(out, gain->c->best);
    text_append(out, " instead of ");
    put_shape(out, gain->record);
    text_append(out, ": ");
    put_factor(out, gain->figure);
    text_append(out, " faster");
}

void put_beyond(struct text *out, const struct result *result) {
    enum { NAMED = 3 };
    struct arena arena = {0};
    struct beyond *found;
    const size_t count = beyond_roofs(result, &arena, &found);
    if (count) text_format(out, "Error: %s a measured peak: ", count > 1 ? "points exceed" : "a point exceeds");
    for (size_t i = 0; i < count && i < NAMED; i++) {
        if (i) text_append(out, ", ");
        text_format(out, "%s %s ", found[i].record->kernel, found[i].record->dtype);
        put_size_words(out, found[i].record);
        text_format(out, " reaches %.0f %% of %s", 100 * found[i].rate.share, roof_words(found[i].rate.roof));
    }
    if (count > NAMED) text_format(out, ", and %zu more", count - NAMED);
    if (count)
        text_append(out, ". The peak was measured too low, or the work is counted too high. Measure the peaks again on "
                         "an idle device.");
    arena_free(&arena);
}

void put_last_words(struct text *out, const struct comparison *last) {
    struct json_object *run = json_get(last->base->context, "run");
    const char *before = "";
    text_format(out,
        "Compared with the run of %s (%zu common points): ", json_get_string(run, "started", "an unknown date"),
        last->both);
    for (enum verdict v = 0; v < VERDICT_COUNT; v++) {
        if (!last->verdicts[v]) continue;
        text_format(out, "%s%zu %s", before, last->verdicts[v], verdict_name(v));
        before = ", ";
    }
    text_append(out, ".");
}

// Turns "host_to_device_bytes_per_s" into "host to device"; the figure shows the unit.
static void put_peak_name(struct text *out, const char *key) {
    static const char *const endings[] = {"_bytes_per_s", "_flops_per_s", "_ops_per_s", "_ns"};
    size_t length = strlen(key);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        if (length <= end || strcmp(key + length - end, endings[i]) != 0) continue;
        length -= end;
        break;
    }
    for (size_t i = 0; i < length; i++) text_append_n(out, key[i] == '_' ? " " : key + i, 1);
}

// Appends a transfer's share of the host link's rate, if the link is known.
static void put_link_share(struct text *out, const struct result *result, const char *key) {
    const double link = host_link_bytes_per_s(&result->device->link), share = result_peak(result, key) / link;
    const bool goes = strcmp(key, "host_to_device_bytes_per_s") == 0 || strcmp(key, "device_to_host_bytes_per_s") == 0;
    if (!goes || !(link > 0) || !isfinite(share)) return;
    text_format(out, ", %.0f %% of the host link (", 100 * share);
    host_link_append(out, &result->device->link);
    text_append(out, ")");
}

size_t peaks_list(const struct result *result, struct arena *arena, struct peak_words **out) {
    struct json_object *peaks = json_get(result->context, "peaks");
    size_t count = 0;
    if (!json_object_is_type(peaks, json_type_object)) return 0;
    *out = arena_alloc(arena, (size_t)json_object_object_length(peaks), sizeof **out);
    json_object_object_foreach(peaks, key, value) {
        (void)value;
        const char *unit = peak_unit(key);
        struct text name = {0}, figure = {0};
        if (!unit || !(result_peak(result, key) > 0)) continue; // the device lacks the unit, or it was left out
        put_peak_name(&name, key);
        put_peak(&figure, result_peak(result, key), unit);
        put_link_share(&figure, result, key);
        (*out)[count++] =
            (struct peak_words){arena_copy(arena, key), arena_take(arena, &name), arena_take(arena, &figure)};
    }
    return count;
}
