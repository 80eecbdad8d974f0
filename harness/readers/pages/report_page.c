// SPDX-License-Identifier: Apache-2.0
// The page of one result, with its charts.
#include "../render/render.h"

#include "../../base/file.h"
#include "html.h"

#include "../terminal/differences_table.h"
#include "../terminal/exhaustive_table.h"
#include "../terminal/profile_table.h"
#include "../render/families.h"
#include "../render/format.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../render/choice.h"

#include <math.h>
#include <string.h>

static void put_exhaustive(struct text *out, struct page *page) {
    if (!inputs_count(page->view->result)) return;
    text_append(out, "<section id=\"exhaustive\"><h2>Every input</h2>\n<p class=note>The argument is the input with "
                     "the largest error / bound, as bits. Worst ULP and bound are at this input.</p>\n");
    struct table table;
    exhaustive_table(page->view->result, page->arena, ON_PAGE, &table);
    put_table_html(out, &table, "every input");
    text_append(out, "</section>\n");
}

static void put_profile(struct text *out, struct page *page) {
    struct profile_row *rows;
    struct table table;
    const size_t count = profile_rows(page->view->result, page->arena, &rows);
    const char *elsewhere = elsewhere_words(page->view->result, page->arena);
    if (elsewhere) put_html_format(out, "<p class=note>%s</p>\n", elsewhere);
    if (differences_table(page->view->result, SHOWN_ENTRIES, page->arena, &table)) {
        text_append(out, "<section id=\"recorded\"><h2>Other bits than recorded</h2>\n");
        put_table_html(out, &table, "other bits than recorded");
        text_append(out, "</section>\n");
    }
    if (!count) return;
    text_append(out, "<section id=\"profile\"><h2>Time of the program</h2>\n<p class=note>Dispatches of the captured "
                     "program, each with the median of its case.</p>\n");
    profile_table(rows, count, page->arena, &table);
    put_table_html(out, &table, "time of the program");
    text_append(out, "</section>\n");
}

// Sections below the operators. An empty one is omitted with its title and its link.
static const struct section {
    const char *id, *title, *link;
    void (*put)(struct text *out, struct page *page);
} sections[PAGE_SECTIONS] = {
    {"pick", "One shape for every size", "One shape", put_choice_table},
    {"best", "Best shape by size", "Best shapes", put_headline_table},
    {"skips", "Skipped", "Skipped", put_skips},
    {"context", "Device and peaks", "Device and peaks", put_context},
};
static void make_sections(struct page *page) {
    for (size_t i = 0; i < PAGE_SECTIONS; i++) {
        struct text body = {0};
        sections[i].put(&body, page);
        page->bodies[i] = arena_take(page->arena, &body);
    }
}

static void put_links(struct text *out, struct page *page) {
    for (size_t i = 0; i < PAGE_SECTIONS; i++)
        if (*page->bodies[i]) put_html_format(out, "<a href=\"#%s\">%s</a>\n", sections[i].id, sections[i].link);
}

static void put_sections(struct text *out, struct page *page) {
    for (size_t i = 0; i < PAGE_SECTIONS; i++)
        if (*page->bodies[i])
            text_format(out, "<section id=\"%s\"><h2>%s</h2>\n%s</section>\n", sections[i].id, sections[i].title,
                page->bodies[i]);
}

static const struct page_part parts[] = {
    {"links", put_links},
    {"facts", put_facts},
    {"glance", put_glance},
    {"contents", put_contents},
    {"exhaustive", put_exhaustive},
    {"profile", put_profile},
    {"operators", put_operators},
    {"packed_charts", put_packed_charts},
    {"failures", put_failures},
    {"sections", put_sections},
    {0},
};

// ---- the picture for a shared link

// Makes the card with bars of the families' roof shares; if no roof is known, with bars of the outcomes.
static void make_card(const struct page *page, struct card *out) {
    const struct view *view = page->view;
    struct families families;
    *out = (struct card){.title = page->title, .subtitle = page->description};
    families_make(view, 1, page->arena, &families);
    for (size_t f = 0; f < families.count; f++) {
        const double roof = family_at(&families, 0, f)->roof;
        struct text figure = {0};
        if (isnan(roof)) continue;
        put_share(&figure, roof);
        text_append(&figure, " of the roof");
        card_bar(out, families.names[f], arena_take(page->arena, &figure), roof, false);
    }
    if (out->count) return;
    const struct {
        const char *label;
        size_t count;
        bool bad;
    } bars[] = {{"passed", view->statuses[RECORD_PASS], false}, {"not right", page->failures.points, true},
        {"skipped", view->statuses[RECORD_SKIP], false}};
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        card_bar(out, bars[i].label, arena_format(page->arena, "%zu", bars[i].count),
            (double)bars[i].count / (double)view->result->count, bars[i].bad);
}

enum { KERNELS_NAMED = 2 };

// Returns what the result is of: its kernels if they are few, else its suite or the number of kernels. Kernels that
// only measure a peak are not counted.
static const char *subject(const struct page *page) {
    const struct view *view = page->view;
    struct text names = {0};
    size_t count = 0;
    for (size_t k = 0; k < view->kernel_count; k++) {
        const struct view_kernel *kernel = view->kernels[k];
        if (kernel->cases[0].records[0]->peak) continue;
        if (k && strcmp(view->kernels[k - 1]->name, kernel->name) == 0) continue; // another type
        if (count++ < KERNELS_NAMED) text_format(&names, "%s%s", count > 1 ? " and " : "", kernel->name);
    }
    const char *few = arena_take(page->arena, &names), *suite = result_suite_label(page->arena, view->result, NULL);
    if (count && count <= KERNELS_NAMED) return few;
    return suite ? arena_format(page->arena, "Suite %s", suite) : arena_format(page->arena, "%zu kernels", count);
}

static void describe(struct page *page) {
    const struct result *result = page->view->result;
    struct text summary = {0};
    page->title = arena_format(page->arena, "%s on %s", subject(page), result->device->name);
    put_summary(&summary, page->view, page->skip_count);
    page->description = arena_take(page->arena, &summary);
}

bool render_report(const struct result *result, enum charts which, const char *folder, const char *template_folder,
    size_t *charts, struct error *err) {
    struct view view;
    struct drawings drawings;
    struct card card;
    struct page page = page_in(folder, template_folder, &view.arena, err);
    page.view = &view;
    page.drawings = &drawings;
    view_make(result, &view);
    page.skip_count = skip_groups(&view, page.arena, &page.skips);
    failures_make(result, page.arena, &page.failures);
    page.choices = arena_alloc(page.arena, view.kernel_count, sizeof *page.choices);
    for (size_t k = 0; k < view.kernel_count; k++) page.choices[k] = choice_of(view.kernels[k]);
    describe(&page);
    make_card(&page, &card);
    const char *gnuplot_folder = arena_format(page.arena, "%s/gnuplot", template_folder);
    bool ok = file_make_folder(folder, err) &&
              charts_draw(&view, which, &card, page.arena, folder, gnuplot_folder, &drawings, err);
    if (ok) make_sections(&page);
    ok = ok && write_page(&page, "page.html", "report.html", parts);
    if (ok) *charts = drawings.drawn;
    view_free(&view);
    return ok;
}
