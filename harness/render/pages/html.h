// SPDX-License-Identifier: Apache-2.0
// The pieces that the page is made of. Private to harness/render.
#ifndef VKASSAY_RENDER_HTML_H
#define VKASSAY_RENDER_HTML_H

#include "../charts/chart.h"
#include "../table/grid.h"
#include "../outcomes.h"

// Text between tags or within a quoted attribute: nothing in it is markup. Control characters but
// line breaks go.
void put_html(struct text *out, const char *string);
void put_html_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An identifier made of a name: "op-matmul".
void put_anchor(struct text *out, const char *prefix, const char *name);

// A table that sorts, with a name for those who do not see it; cells carry what they sort by.
void put_html_grid(struct text *out, const struct grid *grid, const char *name);
// Opens what a table stands in: it scrolls sideways by itself, with keys too.
void put_wide(struct text *out, const char *name);

// What a table or a list leaves out (shown.h), in a paragraph; nothing where that is nothing.
void put_rest(struct text *out, size_t shown, size_t all, const char *what);

// What each of its columns says, folded: a phone has no pointer to rest on a heading.
void put_legend(struct text *out, const struct grid *grid);

// A drawn SVG without its prologue, its identifiers made the page's own by `prefix`.
void put_svg(struct text *out, const char *svg, const char *prefix);

// Copies the template with each {{name}} replaced. `fill` appends what a name stands for and
// returns false for one that it does not know, which is an error that names the file.
bool put_template(struct text *out, const char *file, const char *template,
    bool (*fill)(void *user, struct text *out, const char *name), void *user, struct error *err);

// Everything that the page tells.
struct page {
    const struct view *view;
    struct arena *arena;
    const char *folder, *template_folder;
    const struct drawings *drawings;
    const struct choice *choices; // a portable pick for each kernel, in the view's order
    size_t kernel_count;
    const struct skip_group *skips;
    size_t skip_count;
    struct error *err;
    bool failed; // err says why
};

// A page made of a template of reports/html/ as put_template does; its style and script are seen to.
bool write_template(struct page *page, const char *name, const char *file,
    bool (*filler)(void *user, struct text *out, const char *name), void *user, struct error *err);

void put_headline(struct text *out, struct page *page); // device, driver, suite, date, counts
void put_choice_table(struct text *out, struct page *page);
void put_headline_table(struct text *out, struct page *page);
void put_operators(struct text *out, struct page *page);     // a section each
void put_contents(struct text *out, struct page *page);      // links to them
void put_result_charts(struct text *out, struct page *page); // charts of the whole result
void put_failures(struct text *out, struct page *page);
void put_skips(struct text *out, struct page *page);
void put_context(struct text *out, struct page *page);

// The charts of an operator, or of the whole result (NULL).
void put_charts(struct text *out, struct page *page, const struct view_operator *op);

#endif
