// SPDX-License-Identifier: Apache-2.0
// The pieces of a page. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_HTML_H
#define VKASSAY_RENDER_HTML_H

#include "../charts/chart.h"
#include "../table/case_columns.h"
#include "../render/outcomes.h"

// Appends a text for use between tags or within a quoted attribute, with all markup escaped. Control characters other
// than line breaks become spaces.
void put_html(struct text *out, const char *string);
// Appends markup. %s is an escaped text and %zu a count: "<h3>%s</h3>".
void put_html_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Appends an identifier made from a name: "op-matmul".
void put_anchor(struct text *out, const char *prefix, const char *name);

// Appends a paragraph about rows or entries not shown (view.h); nothing if all are shown.
void put_rest(struct text *out, size_t shown, size_t all, const char *what);

// Appends a paragraph that explains the footnotes in a table; nothing if there are none.
void put_footnotes_html(struct text *out, const struct footnotes_seen *seen);

// Returns paths in a form fit for a page that may be published, in the arena. The folder common to all is removed. A
// path that is still absolute is cut to its last two parts.
const char **shown_paths(struct arena *arena, const char *const *paths, size_t count);

void put_share_html(struct text *out, double share); // "62%"

// Appends a bar filled up to `part` of its length, at most 1. Its figure appears beside it as text.
void put_bar(struct text *out, double part);

// Appends a drawn SVG without its prologue. `prefix` makes its identifiers unique on the page.
void put_svg(struct text *out, const char *svg, const char *prefix);

// Appends a text for the script to unpack on demand, deflated, in base64, under the id "pack-KIND".
void put_packed(struct text *out, const char *kind, const struct text *plain);

// The contents of a page.
enum { PAGE_SECTIONS = 4 };
struct page {
    const char *title;       // of the page, and of a shared link to it
    const char *description; // one sentence, shown below the title of a shared link
    const struct view *view; // of one result
    const void *of;          // or the page's other subject: a history, several devices, claims
    struct arena *arena;
    const char *folder, *template_folder;
    const struct drawings *drawings;
    struct choice *choices; // a portable pick for each kernel, by its number
    struct skip_group *skips;
    size_t skip_count;
    const char *bodies[PAGE_SECTIONS]; // of the sections below the operators; "" omits one
    struct failures failures;
    struct error *err;
    bool failed; // `err` holds the reason
};

// Returns a page in `folder`; the caller fills in its contents.
struct page page_in(const char *folder, const char *template_folder, struct arena *arena, struct error *err);

// A {{name}} in a template and the function that fills it. An array of parts ends with a NULL name.
struct page_part {
    const char *name;
    void (*put)(struct text *out, struct page *page);
};

void put_description(struct text *out, struct page *page);

// Writes FOLDER/`file` from the template `name` of reports/html/. Head, title, style and script are filled in for all
// pages. A name without a part is an error with the template's path.
bool write_page(struct page *page, const char *name, const char *file, const struct page_part *parts);

void put_facts(struct text *out, struct page *page);  // device, driver, suite, date
void put_glance(struct text *out, struct page *page); // what to act on, and the roofline
// For the first screen: other programs and the previous run, if the result has them.
void put_others(struct text *out, struct page *page);
void put_last_run(struct text *out, struct page *page);
void put_choice_table(struct text *out, struct page *page);
void put_headline_table(struct text *out, struct page *page);
void put_operators(struct text *out, struct page *page);     // one section each
void put_contents(struct text *out, struct page *page);      // links to the sections
void put_result_charts(struct text *out, struct page *page); // charts of the whole result
void put_failures(struct text *out, struct page *page);
void put_skips(struct text *out, struct page *page);
void put_context(struct text *out, struct page *page);

// Appends the charts of an operator, or of the whole result (NULL). An operator's charts are placeholders; the script
// fills them from the packed charts when the operator is opened. Without the script, each links to its picture beside
// the page.
void put_charts(struct text *out, struct page *page, const struct view_operator *op);
void put_packed_charts(struct text *out, struct page *page); // of all operators, one pack for each kind

#endif
