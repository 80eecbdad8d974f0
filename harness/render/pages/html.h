// SPDX-License-Identifier: Apache-2.0
// The pieces that the page is made of. Private to harness/render.
#ifndef VKASSAY_RENDER_HTML_H
#define VKASSAY_RENDER_HTML_H

#include "../charts/chart.h"
#include "../table/case_columns.h"
#include "../outcomes.h"

// Text between tags or within a quoted attribute: nothing in it is markup. Control characters but
// line breaks go.
void put_html(struct text *out, const char *string);
// Markup, in which %s is such a text and %zu a count: "<h3>%s</h3>".
void put_html_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An identifier made of a name: "op-matmul".
void put_anchor(struct text *out, const char *prefix, const char *name);

// What a table or a list leaves out (view.h), in a paragraph; nothing where that is nothing.
void put_rest(struct text *out, size_t shown, size_t all, const char *what);

// What the signs of a table say that occur, in a paragraph; nothing where none does.
void put_marks_html(struct text *out, const struct marks_seen *seen);

// Paths as a page shows them, which may go anywhere: without the folder that all of them have in common, and of one
// that is absolute even so its last two parts. In the arena.
const char **shown_paths(struct arena *arena, const char *const *paths, size_t count);

void put_share_html(struct text *out, double share); // "62%"

// A bar of `part` of its full length, up to 1; what it shows stands beside it as text.
void put_bar(struct text *out, double part);

// A drawn SVG without its prologue, its identifiers made the page's own by `prefix`.
void put_svg(struct text *out, const char *svg, const char *prefix);

// A text for the script to unpack when it is asked for, under the id "pack-KIND": deflated, in base64.
void put_packed(struct text *out, const char *kind, const struct text *plain);

// Everything that the page tells.
struct page {
    const char *title;       // of the page and of a link to it
    const char *description; // what a shared link says below it: one sentence
    const struct view *view; // of one result
    const void *of;          // or what else the page is about: a history, several devices, claims
    const char *const *paths; // of several results
    struct arena *arena;
    const char *folder, *template_folder;
    const struct drawings *drawings;
    struct choice *choices; // a portable pick for each kernel, by its number
    struct skip_group *skips;
    size_t skip_count;
    struct failures failures;
    struct error *err;
    bool failed; // err says why
};

// A page in `folder`; its maker fills in what it tells.
struct page page_in(const char *folder, const char *template_folder, struct arena *arena, struct error *err);

// What a {{name}} of a template stands for; an array of them ends with a NULL name.
struct page_part {
    const char *name;
    void (*put)(struct text *out, struct page *page);
};

// FOLDER/`file`, made of the template `name` of reports/html/, whose head, title, style and script are seen to. A name
// that is not among the parts is an error that tells the template.
bool write_page(struct page *page, const char *name, const char *file, const struct page_part *parts);

void put_facts(struct text *out, struct page *page);  // device, driver, suite, date
void put_glance(struct text *out, struct page *page); // what to act on, and the roofline
// Of the first screen: other programs, and the run before, where the result knows them.
void put_others(struct text *out, struct page *page);
void put_last_run(struct text *out, struct page *page);
void put_choice_table(struct text *out, struct page *page);
void put_headline_table(struct text *out, struct page *page);
void put_operators(struct text *out, struct page *page);     // a section each
void put_contents(struct text *out, struct page *page);      // links to them
void put_result_charts(struct text *out, struct page *page); // charts of the whole result
void put_failures(struct text *out, struct page *page);
void put_skips(struct text *out, struct page *page);
void put_context(struct text *out, struct page *page);

// The charts of an operator, or of the whole result (NULL). Those of operators are places alone, which the script fills
// from the packed charts when the operator is opened; without it each links to its picture beside the page.
void put_charts(struct text *out, struct page *page, const struct view_operator *op);
void put_packed_charts(struct text *out, struct page *page); // of all operators, a pack for each kind

#endif
