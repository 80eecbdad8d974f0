// SPDX-License-Identifier: Apache-2.0
// Prints the report of a run on a terminal.
#include "../render/render.h"
#include "../render/format.h"
#include "../table/case_columns.h"
#include "../render/outcomes.h"
#include "ending.h"
#include "differences_table.h"
#include "exhaustive_table.h"
#include "family_table.h"
#include "profile_table.h"
#include "../../base/names.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

// ---- results of a check without timing

// The outcome of a kernel in one type.
struct checked {
    const struct view_kernel *kernel;
    size_t points, shapes, sizes;
    size_t right, wrong, skipped;
    size_t broken;                // points without anything to judge: errors, crashes, timeouts
    const struct record *nearest; // the record with the error nearest to its bound, or NULL
    const struct record *drawn;   // the record with the error statistics nearest to their limits, or NULL
    // Sizes at which several shapes passed and gave the same bits in both of their runs. `differing` counts the sizes
    // with different bits between shapes.
    size_t compared, differing;
    const char *lines;          // the dim along which a line was run alone, or NULL
    bool line_differs;          // at some point, a line run alone gave other bits than among all lines
    struct footnotes_seen seen; // of the errors of all its points
};

static double share_of_errors(const struct record *r) {
    return fmax(
        r->check.errors.spread / r->check.errors.most_spread, fabs(r->check.errors.bias) / r->check.errors.most_bias);
}

static void compare_bits(const struct view_case *c, struct checked *out) {
    const struct record *first = NULL;
    size_t others = 0;
    bool differ = false;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        const bool has_bits = r->check.checked > 0 && r->check.same_bits && !r->check.errors.draws;
        if (r->status != RECORD_PASS || !has_bits) continue;
        others += first != NULL;
        if (!first) first = r;
        differ |= r->check.output_hash != first->check.output_hash;
    }
    out->compared += others > 0;
    out->differing += differ;
}

static void checked_sum(const struct view_kernel *kernel, struct checked *out) {
    struct names shapes = {0};
    *out = (struct checked){.kernel = kernel, .sizes = kernel->count};
    for (size_t i = 0; i < kernel->count; i++) {
        const struct view_case *c = &kernel->cases[i];
        out->points += c->count;
        for (size_t k = 0; k < c->count; k++) {
            const struct record *r = c->records[k];
            names_put(&shapes, record_shape(r), strlen(record_shape(r)), k);
            const struct shown_figure error = {.record = r, .what = FOOTNOTE_OF_ERROR};
            footnotes_note(&error, &out->seen);
            out->right += r->status == RECORD_PASS;
            out->broken += is_broken(r);
            out->wrong += is_failure(r) && !is_broken(r);
            out->skipped += r->status == RECORD_SKIP;
            if (r->check.errors.groups && (!out->drawn || share_of_errors(r) > share_of_errors(out->drawn)))
                out->drawn = r;
            if (r->check.lines.dim) out->lines = r->check.lines.dim;
            out->line_differs |= r->check.lines.dim && !r->check.lines.same_bits;
        }
        const struct record *worst = c->worst;
        if (worst && (!out->nearest || worst->check.worst_ratio > out->nearest->check.worst_ratio))
            out->nearest = worst;
        compare_bits(c, out);
    }
    out->shapes = shapes.count;
    names_free(&shapes);
}

static void say_error(struct text *out, const void *row) {
    const struct checked *c = row;
    if (!c->nearest) return;
    put_error_of_bound(out, c->nearest);
    put_symbols_seen(out, &c->seen);
}
static void say_broken(struct text *out, const void *row) {
    const struct checked *c = row;
    if (c->broken) text_format(out, "%zu", c->broken);
}
static void say_errors(struct text *out, const void *row) {
    const struct record *r = ((const struct checked *)row)->drawn;
    if (r)
        text_format(out, "%.2f/%.2f %+.2f/%.2f", r->check.errors.spread, r->check.errors.most_spread,
            r->check.errors.bias, r->check.errors.most_bias);
}

static void say_bits(struct text *out, const void *row) {
    const struct checked *c = row;
    if (!c->compared) return;
    if (!c->differing)
        text_append(out, "equal");
    else
        text_format(out, "differ in %zu of %zu", c->differing, c->compared);
}

static void say_lines(struct text *out, const void *row) {
    const struct checked *c = row;
    if (c->lines) text_format(out, "%s (%s)", c->line_differs ? "differ" : "equal", c->lines);
}

static const struct column checked_columns[] = {
    {"kernel", TEXT_THROUGH(struct checked, kernel, struct view_kernel, name)},
    {"type", TEXT_THROUGH(struct checked, kernel, struct view_kernel, dtype)},
    {"points", .right = true, COUNT_OF(struct checked, points)},
    {"shapes", .right = true, COUNT_OF(struct checked, shapes)},
    {"sizes", .right = true, COUNT_OF(struct checked, sizes)},
    {"right", .right = true, COUNT_OF(struct checked, right)},
    {"wrong", .right = true, COUNT_OF(struct checked, wrong)},
    {"errors", .right = true, .sparse = true, .say = say_broken},
    {"skipped", .right = true, COUNT_OF(struct checked, skipped)},
    {"error", .right = true, .dash = true, .say = say_error},
    {"spread, bias", .right = true, .sparse = true, .dash = true, .say = say_errors},
    {"bits across shapes", .dash = true, .say = say_bits},
    {"bits of one line", .sparse = true, .dash = true, .say = say_lines},
    {0},
};

static void print_validation(const struct view *view, FILE *out) {
    size_t points = 0, messages = 0, unchecked = 0;
    const char *why = NULL;
    for (size_t i = 0; i < view->result->count; i++) {
        const struct record *record = &view->result->records[i];
        points += record->validated;
        messages += record->validation_messages;
        unchecked += record->bounds_unchecked != NULL;
        if (!why) why = record->bounds_unchecked;
    }
    if (points) fprintf(out, "validation: %zu message%s over %zu points\n", messages, messages == 1 ? "" : "s", points);
    if (!unchecked) return;
    fprintf(out, "validation: %zu point%s ran without access checks, because the driver failed with them (", unchecked,
        unchecked == 1 ? "" : "s");
    print_plain(out, why, 0);
    fputs(")\n", out);
}

// Prints how much the sanitizer saw, and the first reason why it did not see all.
static void print_sanitized(const struct view *view, struct arena *arena, FILE *out, int width) {
    size_t points = 0, partly = 0, not = 0, addresses = 0;
    bool small = false;
    int64_t accesses = 0;
    const char *why = NULL;
    for (size_t i = 0; i < view->result->count; i++) {
        const struct record *record = &view->result->records[i];
        points += record->check.sanitized.accesses > 0 && !record->check.sanitized.why;
        partly += record->check.sanitized.dropped > 0;
        accesses += record->check.sanitized.accesses;
        not += record->check.sanitized.why != NULL;
        addresses += record->check.sanitized.uses_addresses;
        small |= record->check.sanitized.at != NULL;
        if (!why) why = record->check.sanitized.why;
    }
    if (!points && !not ) return;
    struct text text = {0};
    text_format(&text, "sanitized: %zu points", points);
    if (small)
        text_append(&text, ", at small sizes (--sanitize: at their own)");
    else
        text_format(&text, ", %lld logged accesses", (long long)accesses);
    if (partly)
        text_format(&text, "; %zu with more accesses than the log holds, so their barriers were not judged", partly);
    if (addresses) text_format(&text, "; %zu also use buffer addresses, not covered", addresses);
    if (not ) text_format(&text, "; not sanitized: %zu (%s)", not, why);
    print_wrapped(out, arena_take(arena, &text), width);
}

// Prints the meaning of each footnote that occurs, on separate lines.
static void print_marks(const struct footnotes_seen *seen, FILE *out, int width) {
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++) {
        struct text text = {0};
        put_footnote(&text, seen, m);
        print_words(out, "", &text, 2, width);
    }
}

// Prints a line for each kernel and type, then how many kernels give different bits by shape, then the validation
// messages.
static void print_checked(const struct view *view, struct arena *arena, FILE *out, int width) {
    size_t compared = 0, differing = 0, alone = 0, differing_alone = 0;
    struct table table;
    struct footnotes_seen seen = {0};
    if (inputs_count(view->result) == view->result->count) { // print_exhaustive shows them
        print_validation(view, out);
        return;
    }
    struct checked *rows = arena_alloc(arena, view->kernel_count, sizeof *rows);
    for (size_t k = 0; k < view->kernel_count; k++) {
        checked_sum(view->kernels[k], &rows[k]);
        footnotes_join(&rows[k].seen, &seen);
        compared += rows[k].compared > 0;
        differing += rows[k].differing > 0;
        alone += rows[k].lines != NULL;
        differing_alone += rows[k].line_differs;
    }
    fputc('\n', out);
    table_make(&table, arena, checked_columns, 0, rows, sizeof *rows, view->kernel_count);
    table_print(&table, out, width);
    fputc('\n', out);
    print_wrapped(out, "error: error / bound in ULP, at the element nearest to its bound.", width);
    print_wrapped(out,
        "spread, bias: statistics of many errors, relative to the effect of summation order, and their limits.", width);
    print_marks(&seen, out, width);
    if (compared)
        print_wrapped(out,
            arena_format(arena,
                "bits: %zu kernels and types have several shapes at one size, and %zu of them have different bits "
                "between shapes.",
                compared, differing),
            width);
    if (alone)
        print_wrapped(out,
            arena_format(arena,
                "bits of one line: a line computed alone compared with the same line in the batch (batch invariance). "
                "%zu kernels and types have such lines, and %zu of them differ.",
                alone, differing_alone),
            width);
    print_validation(view, out);
    print_sanitized(view, arena, out, width);
    const char *subgroups = subgroups_line(view->result, arena);
    if (subgroups) fprintf(out, "%s\n", subgroups);
}

enum { BRIEF_CASES = 60 }; // as many rows as fit on two screens
enum { USUAL_WIDTH = 80, SKIP_HANGING = 9, NAME_HANGING = 4 };

struct printer {
    const struct view *view;
    struct arena arena;
    FILE *out;
    int width;
    struct footnotes_seen seen;
};

static void print_heading(struct printer *p) {
    const struct device_info *device = p->view->result->device;
    struct peak_words *peaks;
    size_t count = peaks_list(p->view->result, &p->arena, &peaks);
    print_device_name(p->out, "Device  ", device, p->width);
    if (*device->profile.name) print_hanging(p->out, "Within  ", device->profile.name, NAME_HANGING, p->width);
    fputs("Measured peaks\n", p->out);
    for (size_t i = 0; i < count; i++) {
        fputs("  ", p->out);
        print_plain(p->out, peaks[i].name, 0);
        fprintf(p->out, " %s\n", peaks[i].figure);
    }
    if (!count) fputs("  none in this result\n", p->out);
}

static void print_left_out(struct printer *p, size_t shown, size_t all, const char *what) {
    struct text text = {0};
    put_left_out(&text, shown, all, what);
    print_words(p->out, "  ", &text, 2, p->width);
}

// Prints a table of the operator's cases that ran. If all were skipped, the list of skips gives the reasons.
static void print_operator(struct printer *p, const struct view_operator *op) {
    const struct case_rows which = {.only = op, .most = shown_cases(p->view, op->count), .seen = &p->seen};
    struct table table;
    size_t all = case_table(&table, &p->arena, p->view, &which, ON_TERMINAL);
    if (!table.row_count) return;
    struct text name = {0}, dims = {0}; // "softmax  size: rows x cols"
    put_plain(&name, op->name, 0);
    put_size_heading(&dims, op);
    fputc('\n', p->out);
    print_hanging(p->out, arena_format(&p->arena, op->common_dims ? "%s  size: " : "%s", text_str(&name)),
        text_str(&dims), NAME_HANGING, p->width);
    text_free(&name);
    text_free(&dims);
    table_print(&table, p->out, p->width);
    print_left_out(p, table.row_count, all, "sizes, the largest,");
}

static void print_exhaustive(struct printer *p) {
    struct table table;
    exhaustive_table(p->view->result, &p->arena, ON_TERMINAL, &table);
    if (!table.row_count) return;
    fputs("\nEvery input\n", p->out);
    table_print(&table, p->out, TABLE_ANY_WIDTH);
    fputs("\nworst ULP and bound: at the argument nearest to its bound; left out: inputs without a defined result\nby "
          "the specification or by the features of the device.\n",
        p->out);
}

static void print_profile(struct printer *p) {
    struct profile_row *rows;
    struct table table;
    const size_t count = profile_rows(p->view->result, &p->arena, &rows), most = shown_most(p->view, SHOWN_ENTRIES);
    if (!count) return;
    fputs("\nTime of the program\n", p->out);
    profile_table(rows, count < most ? count : most, &p->arena, &table);
    table_print(&table, p->out, p->width);
    print_left_out(p, table.row_count, count, "kernels");
    fputc('\n', p->out);
    print_wrapped(p->out,
        "each: the median of a dispatch as timed here; so far: of this kernel and those above; bytes: each bound range "
        "once, of which a kernel may access a part; roof: their share of the memory roof.",
        p->width);
}

static void print_differences(struct printer *p) {
    struct table table;
    const char *elsewhere = elsewhere_words(p->view->result, &p->arena);
    const size_t count = differences_table(p->view->result, shown_most(p->view, SHOWN_ENTRIES), &p->arena, &table);
    if (elsewhere) fputc('\n', p->out);
    if (elsewhere) print_wrapped(p->out, elsewhere, p->width);
    if (!count) return;
    fputs("\nOther bits than recorded\n", p->out);
    table_print(&table, p->out, p->width);
    print_left_out(p, table.row_count, count, "dispatches");
}

static void print_legend(struct printer *p) {
    struct text systems = {0};
    put_system_legend(&systems);
    const char *const lines[] = {"best shape: the fastest right one; (=...) lists ties, not measurably slower;",
        arena_format(&p->arena, "system shape: the slowest shape that a system hard-codes (%s);", text_str(&systems)),
        "peak: share of the measured peak; move: upload and download, as a share of the whole;",
        "error: error / bound in ULP, at the element nearest to its bound."};
    fputc('\n', p->out);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) print_wrapped(p->out, lines[i], p->width);
    text_free(&systems);
    if (p->view->result->peers)
        print_wrapped(p->out, "others: their time / time of the best shape; below 1x the other is faster.", p->width);
    print_marks(&p->seen, p->out, p->width);
}

static void print_failures(struct printer *p, const struct failures *failures) {
    size_t most = shown_most(p->view, SHOWN_ENTRIES);
    if (failures->count) fputs("\nFailures\n", p->out);
    failures_print(failures, most, p->out, p->width);
    print_left_out(p, failures->count < most ? failures->count : most, failures->count, "causes of failures");
}

// Prints the skips by reason. Returns the number of reasons.
static size_t print_skips(struct printer *p) {
    struct skip_group *groups;
    size_t count = skip_groups(p->view, &p->arena, &groups);
    if (count) fputs("\nSkipped\n", p->out);
    size_t most = shown_most(p->view, SHOWN_ENTRIES), shown = count < most ? count : most;
    for (size_t i = 0; i < shown; i++) {
        const char *lead = arena_format(&p->arena, "  %5zu  ", groups[i].count);
        print_hanging(p->out, lead, groups[i].reason, SKIP_HANGING, p->width);
        print_hanging(p->out, "         ", groups[i].kernels, SKIP_HANGING, p->width);
    }
    print_left_out(p, shown, count, "reasons");
    return count;
}

// Prints a line for each family.
static void print_families(struct printer *p) {
    struct table table;
    family_table(p->view, &p->arena, &table);
    fputc('\n', p->out);
    table_print(&table, p->out, p->width);
    print_wrapped(p->out,
        "of the roof: geometric mean of the fastest kernels' share of the measured peak. `vkassay report RESULT` lists "
        "every size.",
        p->width);
}

static void render(const struct result *result, bool brief, FILE *out, int width) {
    struct view view;
    view_make(result, &view);
    brief = brief && view.timed && view.case_count > BRIEF_CASES;
    struct printer p = {.view = &view, .out = out, .width = width > 0 ? width : USUAL_WIDTH};
    print_heading(&p);
    if (!view.timed && view.count) print_checked(&view, &p.arena, out, p.width);
    if (brief) print_families(&p);
    for (size_t i = 0; view.timed && !brief && i < view.count; i++) print_operator(&p, &view.operators[i]);
    if (view.timed && !brief) print_legend(&p);
    print_exhaustive(&p);
    print_profile(&p);
    print_differences(&p);
    struct failures failures;
    failures_make(result, &p.arena, &failures);
    const size_t skip_reasons = print_skips(&p);
    print_failures(&p, &failures);
    ending_print(&view, &failures, out, p.width);
    struct text summary = {0};
    put_summary(&summary, &view, skip_reasons);
    fputc('\n', out);
    print_words(out, "", &summary, 0, p.width);
    const char *covered = covered_line(result, &p.arena);
    if (covered) print_wrapped(out, covered, p.width);
    arena_free(&p.arena);
    view_free(&view);
}

void render_tables(const struct result *result, FILE *out, int width) {
    render(result, false, out, width);
}

void render_brief(const struct result *result, FILE *out, int width) {
    render(result, true, out, width);
}
