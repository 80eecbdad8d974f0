// SPDX-License-Identifier: Apache-2.0
// Charts and the page.
#include "../render.h"

#include "../../base/file.h"
#include "html.h"

#include "../terminal/exhaustive_table.h"
#include "../format.h"

static void put_title(struct text *out, struct page *page) {
    const struct result *result = page->view->result;
    put_html_format(out, "%s: %s", result->device.name, result_suite(page->arena, result, "result"));
}

static void put_systems(struct text *out, struct page *page) {
    (void)page;
    put_system_legend(out);
}

static void put_exhaustive(struct text *out, struct page *page) {
    if (!inputs_count(page->view->result)) return;
    text_append(out, "<section id=\"exhaustive\"><h2>Every input</h2>\n<p class=note>The argument is "
                     "the one whose error takes up most of its bound, by its bits; worst ULP and "
                     "bound are there.</p>\n");
    struct table table;
    exhaustive_table(page->view->result, page->arena, ON_PAGE, &table);
    put_table_html(out, &table, "every input");
    text_append(out, "</section>\n");
}

static const struct page_part parts[] = {
    {"title", put_title},
    {"systems", put_systems},
    {"facts", put_facts},
    {"glance", put_glance},
    {"choice_table", put_choice_table},
    {"headline_table", put_headline_table},
    {"contents", put_contents},
    {"exhaustive", put_exhaustive},
    {"operators", put_operators},
    {"packed_charts", put_packed_charts},
    {"failures", put_failures},
    {"skips", put_skips},
    {"context", put_context},
    {0},
};

static void make_choices(struct page *page) {
    page->choices = arena_alloc(page->arena, page->view->kernel_count, sizeof *page->choices);
    for (size_t k = 0; k < page->view->kernel_count; k++) page->choices[k] = choice_of(page->view->kernels[k]);
}

bool render_report(
    const struct result *result, const char *folder, const char *template_folder, size_t *charts, struct error *err) {
    struct view view;
    struct drawings drawings;
    struct page page = {.view = &view,
        .arena = &view.arena,
        .folder = folder,
        .template_folder = template_folder,
        .drawings = &drawings,
        .err = err};
    view_make(result, &view);
    page.skip_count = skip_groups(&view, page.arena, &page.skips);
    failures_make(result, page.arena, &page.failures);
    make_choices(&page);
    const char *gnuplot_folder = arena_format(page.arena, "%s/gnuplot", template_folder);
    bool ok = file_make_folder(folder, err) && charts_draw(&view, page.arena, folder, gnuplot_folder, &drawings, err) &&
              write_page(&page, "page.html", "report.html", parts);
    if (ok) *charts = drawings.drawn;
    view_free(&view);
    return ok;
}
