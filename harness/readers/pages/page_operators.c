// SPDX-License-Identifier: Apache-2.0
// The parts of the page about operators: the tables over all of them, and a section for each.
#include "html.h"

#include "../../base/file.h"
#include "../render/format.h"
#include "../../record/figures.h"
#include "../../record/result.h"
#include "../../record/record.h"
#include "../render/choice.h"

#include <math.h>
#include <string.h>

// Makes a table of cases that ran, of one operator or of all (NULL). Returns the number of rows including omitted
// ones.
static size_t make_table(struct page *page, const struct view_operator *only, enum shown_place place,
    struct table *table, struct footnotes_seen *seen) {
    size_t most = shown_cases(page->view, only ? only->count : page->view->kernel_count);
    const struct case_rows which = {only, most, true, page->choices, seen};
    return case_table(table, page->arena, page->view, &which, place);
}

void put_choice_table(struct text *out, struct page *page) {
    const struct view *view = page->view;
    struct table table; // a row for each kernel with a choice at some size
    size_t count = 0;
    struct row *rows = arena_alloc(page->arena, view->kernel_count, sizeof *rows);
    for (size_t k = 0; k < view->kernel_count; k++) {
        const struct view_kernel *of = view->kernels[k];
        bool any = false;
        for (size_t i = 0; i < of->count; i++) any = any || has_choice(&of->cases[i]);
        if (any) rows[count++] = (struct row){.result = view->result, .kernel = of, .choice = &page->choices[k]};
    }
    table_make(&table, page->arena, case_columns, ON_CHOICE, rows, sizeof *rows, count);
    if (!table.row_count) return;
    text_append(out, "<p class=note>A row is a kernel. A regret is what a choice loses against the best shape of a "
                     "size, at the size where it loses most; the portable pick is the one shape whose regret is "
                     "least, among those that are right wherever they ran. (=...) names shapes that were not shown to "
                     "do worse.</p>\n");
    put_table_html(out, &table, "portable picks");
    put_legend(out, &table);
}

void put_headline_table(struct text *out, struct page *page) {
    struct table table;
    struct footnotes_seen seen = {0};
    size_t all = make_table(page, NULL, ON_HEADLINE, &table, &seen);
    if (!table.row_count) return;
    text_append(out, "<p class=note>A row is a kernel at a size where its portable pick or a system shape is wrong, or "
                     "slower than the best shape. Gains are time over that of the best shape; = marks those not shown "
                     "to differ from it. A system shape is the slowest of those that a system hard-codes: ");
    put_system_legend(out);
    text_append(out, ".</p>\n");
    put_table_html(out, &table, "best shapes by size");
    put_footnotes_html(out, &seen);
    put_rest(out, table.row_count, all, "sizes, the largest of each kernel,");
    put_legend(out, &table);
}

void put_contents(struct text *out, struct page *page) {
    for (size_t o = 0; o < page->view->count; o++) {
        put_anchor(out, "<a href=\"#op-", page->view->operators[o].name);
        put_html_format(out, "\">%s</a>\n", page->view->operators[o].name);
    }
}

// Appends the picture with identifiers unique on the page.
static bool put_picture(struct text *out, struct page *page, const struct drawing *drawing, size_t index) {
    struct arena arena = {0};
    char prefix[32];
    const char *path = arena_format(&arena, "%s/%s.svg", page->folder, drawing->file);
    char *svg = file_read(&arena, path, NULL, page->err);
    snprintf(prefix, sizeof prefix, "c%zu-", index);
    if (svg)
        put_svg(out, svg, prefix);
    else
        page->failed = true;
    arena_free(&arena);
    return svg != NULL;
}

static void put_drawing(struct text *out, struct page *page, const struct drawing *drawing, size_t index) {
    const char *of = drawing->kernel ? drawing->kernel->name : drawing->op ? drawing->op->name : "result";
    put_html_format(out, "<figure aria-label=\"%s: %s\"", of, drawing->title);
    if (drawing->op) { // the script fills it when its operator is opened
        put_html_format(out, " data-pack=%s data-at=%zu><a href=\"%s.svg\">%s</a>", drawing->kind, index, drawing->file,
            drawing->title);
    } else {
        text_append(out, ">");
        put_picture(out, page, drawing, index);
    }
    put_html_format(out, "<figcaption>%s</figcaption></figure>\n", drawing->caption);
}

void put_charts(struct text *out, struct page *page, const struct view_operator *op) {
    const struct drawings *all = page->drawings;
    struct text missing = {0};
    text_append(out, "<div class=charts>\n");
    for (size_t i = 0; i < all->count && !page->failed; i++) {
        const struct drawing *drawing = &all->items[i];
        if (drawing->op != op || drawing->apart) continue;
        if (!drawing->missing) {
            put_drawing(out, page, drawing, i);
            continue;
        }
        put_html_format(&missing, "<li>%s", drawing->title);
        if (drawing->kernel) put_html_format(&missing, ", %s %s", drawing->kernel->name, drawing->kernel->dtype);
        put_html_format(&missing, ": %s</li>\n", drawing->missing);
    }
    text_append(out, "</div>\n");
    if (missing.length)
        text_format(out, "<details class=missing><summary>Charts left out</summary><ul>\n%s</ul></details>\n",
            text_str(&missing));
    text_free(&missing);
}

void put_result_charts(struct text *out, struct page *page) {
    put_charts(out, page, NULL);
    if (page->drawings->left_out)
        text_format(out,
            "<p class=note>The page has some charts of each kind, first those of the kernels named above; %zu are "
            "omitted. <code>vkassay report --chart all</code> draws all.</p>\n",
            page->drawings->left_out);
}

// Appends the packs. Charts of one kind are similar, so a pack of one kind compresses well. In a pack, each picture
// follows its number and a line break, and ends with a NUL.
void put_packed_charts(struct text *out, struct page *page) {
    const struct drawings *all = page->drawings;
    for (size_t i = 0; i < all->count;) {
        const char *kind = all->items[i].kind;
        struct text pack = {0};
        for (; i < all->count && strcmp(all->items[i].kind, kind) == 0; i++) {
            if (!all->items[i].op || all->items[i].missing) continue;
            text_format(&pack, "%zu\n", i);
            if (!put_picture(&pack, page, &all->items[i], i)) break;
            text_append_n(&pack, "", 1);
        }
        if (pack.length && !page->failed) put_packed(out, kind, &pack);
        text_free(&pack);
        if (page->failed) return;
    }
}

// ---- a section for each operator, folded

// Appends the summary of an operator: kernels, the best roof share at the largest size, failures.
static void put_outcome(struct text *out, struct page *page, const struct view_operator *op) {
    size_t wrong = 0, broken = 0, ran = 0;
    double share = NAN;
    for (size_t k = 0; k < op->count; k++) {
        const struct view_case *largest = largest_case(&op->kernels[k]);
        if (largest && !largest->best->peak) share = fmax(share, rate_of(page->view->result, largest->best).share);
        for (size_t c = 0; c < op->kernels[k].count; c++) {
            ran += op->kernels[k].cases[c].ran;
            for (size_t i = 0; i < op->kernels[k].cases[c].count; i++) {
                const struct record *record = op->kernels[k].cases[c].records[i];
                broken += is_broken(record);
                wrong += is_failure(record) && !is_broken(record);
            }
        }
    }
    text_append(out, "<span>");
    if (!ran) text_append(out, "skipped");
    if (ran) text_format(out, "%zu kernel%s", op->count, op->count == 1 ? "" : "s and types");
    if (!isnan(share)) {
        text_append(out, ", ");
        put_share(out, share);
        text_append(out, " of the roof");
    }
    if (wrong) text_format(out, ", <strong class=status>%zu of %zu points wrong</strong>", wrong, ran - broken);
    if (broken) text_format(out, ", <strong class=status>%zu error%s</strong>", broken, broken == 1 ? "" : "s");
    text_append(out, "</span>");
}

static void put_operator(struct text *out, struct page *page, const struct view_operator *op) {
    struct table table;
    struct footnotes_seen seen = {0};
    struct text dims = {0};
    size_t all = make_table(page, op, ON_PAGE, &table, &seen);
    put_anchor(out, "<details class=operator id=\"op-", op->name);
    put_html_format(out, "\"><summary><h3>%s</h3> ", op->name);
    put_outcome(out, page, op);
    put_size_heading(&dims, op);
    put_html_format(out, "</summary>\n<p class=note>size: %s</p>\n", text_str(&dims));
    text_free(&dims);
    if (table.row_count)
        put_table_alike(out, &table, op->name);
    else
        text_append(out, "<p>Every point was skipped; the reasons are below.</p>\n");
    put_footnotes_html(out, &seen);
    put_rest(out, table.row_count, all, "sizes, the largest of each kernel,");
    put_charts(out, page, op);
    text_append(out, "</details>\n");
}

void put_operators(struct text *out, struct page *page) {
    struct table all;
    struct footnotes_seen seen = {0};
    make_table(page, NULL, ON_PAGE, &all, &seen);
    if (all.row_count) put_legend(out, &all);
    for (size_t o = 0; o < page->view->count && !page->failed; o++) put_operator(out, page, &page->view->operators[o]);
}
