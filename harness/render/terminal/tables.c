// SPDX-License-Identifier: Apache-2.0
// The report of a run on a terminal.
#include "../render.h"

#include "checked.h"
#include "../format.h"
#include "../table/case_columns.h"
#include "../outcomes.h"
#include "../shown.h"
#include "exhaustive_table.h"
#include "../systems.h"

#include <string.h>

enum { USUAL_WIDTH = 100 };

struct printer {
    const struct view *view;
    struct arena arena;
    FILE *out;
    int width;
};

static void print_heading(struct printer *p) {
    const struct device_info *device = &p->view->result->device;
    struct peak_words *peaks;
    size_t count = peaks_list(p->view->result, &p->arena, &peaks);
    fputs("Device  ", p->out);
    print_plain(p->out, device->name, 0);
    if (*device->driver_name) {
        fputs(", ", p->out);
        print_plain(p->out, device->driver_name, 0);
        fputs(" ", p->out);
        print_plain(p->out, device->driver_info, 0);
    }
    fputs("\nMeasured peaks\n", p->out);
    for (size_t i = 0; i < count; i++) {
        fputs("  ", p->out);
        print_plain(p->out, peaks[i].name, 0);
        fprintf(p->out, " %s\n", peaks[i].figure);
    }
    if (!count) fputs("  none in this result\n", p->out);
}

// "softmax (rows x cols)"
static void print_operator_name(struct printer *p, const struct view_operator *op) {
    const struct record *first = op->kernels[0].cases[0].records[0];
    fputs("\n", p->out);
    print_plain(p->out, op->name, 0);
    for (int i = 0; i < op->common_dims; i++) {
        fputs(i ? " x " : "  size: ", p->out);
        print_plain(p->out, first->dims[i].name, 0);
    }
    fputs("\n", p->out);
}

static void print_left_out(struct printer *p, size_t shown, size_t all, const char *what) {
    struct text text = {0};
    put_left_out(&text, shown, all, what);
    if (text.length) fprintf(p->out, "  %s\n", text_str(&text));
    text_free(&text);
}

// A table of the operator's cases that ran; where all were skipped, the reasons below say why.
static void print_operator(struct printer *p, const struct view_operator *op) {
    const struct case_rows which = {.only = op, .most = shown_cases(p->view, op->count)};
    struct table table;
    size_t all = case_table(&table, &p->arena, p->view, &which, ON_TERMINAL);
    if (!table.row_count) return;
    print_operator_name(p, op);
    table_print(&table, p->out, p->width);
    print_left_out(p, table.row_count, all, "sizes, the largest,");
}

static void print_exhaustive(struct printer *p) {
    struct table table;
    exhaustive_table(p->view->result, &p->arena, ON_TERMINAL, &table);
    if (!table.row_count) return;
    fputs("\nEvery input\n", p->out);
    table_print(&table, p->out, TABLE_ANY_WIDTH);
    fputs("\nworst ULP and bound: at the argument whose error takes up most of its bound; left out: inputs for\n"
          "which the specification, or what the device declares, leaves the result open.\n",
        p->out);
}

static void print_legend(struct printer *p) {
    struct text systems = {0};
    put_system_legend(&systems);
    fprintf(p->out,
        "\nbest shape: (=...) are not shown to differ from it; seed shape: the slowest of those "
        "that a system\n"
        "hard-codes (%s);\n"
        "peak: share of the measured peak; move: share of upload and download beside compute;\n"
        "error: in ULP, the one nearest to its bound, over that bound.\n",
        text_str(&systems));
    text_free(&systems);
}

static void print_failures(struct printer *p) {
    struct failures failures;
    size_t most = shown_most(p->view, SHOWN_ENTRIES);
    failures_make(p->view->result, &p->arena, &failures);
    if (failures.count) fputs("\nNot right\n", p->out);
    failures_print(&failures, most, p->out);
    print_left_out(p, failures.count < most ? failures.count : most, failures.count, "points that are not right");
}

// Returns how many reasons there are.
static size_t print_skips(struct printer *p) {
    struct skip_group *groups;
    size_t count = skip_groups(p->view, &p->arena, &groups);
    if (count) fputs("\nSkipped\n", p->out);
    size_t most = shown_most(p->view, SHOWN_ENTRIES), shown = count < most ? count : most;
    for (size_t i = 0; i < shown; i++) {
        fprintf(p->out, "  %5zu  ", groups[i].count);
        print_plain(p->out, groups[i].reason, 9);
        fputs("\n         ", p->out);
        print_plain(p->out, groups[i].kernels, 9);
        fputs("\n", p->out);
    }
    print_left_out(p, shown, count, "reasons");
    return count;
}

static void print_summary(struct printer *p, size_t skip_reasons) {
    struct text text = {0};
    put_summary(&text, p->view, skip_reasons);
    fprintf(p->out, "\n%s\n", text_str(&text));
    text_free(&text);
}

void render_tables(const struct result *result, FILE *out, int width) {
    struct view view;
    view_make(result, &view);
    struct printer p = {.view = &view, .out = out, .width = width > 0 ? width : USUAL_WIDTH};
    print_heading(&p);
    if (!view.timed && view.count) print_checked(&view, &p.arena, out, p.width);
    for (size_t i = 0; view.timed && i < view.count; i++) print_operator(&p, &view.operators[i]);
    if (view.timed) print_legend(&p);
    print_exhaustive(&p);
    print_failures(&p);
    print_summary(&p, print_skips(&p));
    arena_free(&p.arena);
    view_free(&view);
}
