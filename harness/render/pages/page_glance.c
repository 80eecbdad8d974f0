// SPDX-License-Identifier: Apache-2.0
// What a reader sees first: is it right, how fast is it against the roof, which shapes to change; and the roofline.
#include "html.h"

#include "../format.h"
#include "../rate.h"
#include "../standouts.h"

#include <math.h>
#include <string.h>

enum { CAUSES = 5 };

static void put_link(struct text *out, const struct view_kernel *kernel) {
    put_anchor(out, "<a href=\"#op-", kernel->op->name);
    put_html_format(out, "\">%s %s</a>", kernel->name, kernel->dtype);
}

static void put_size(struct text *out, const struct record *record) {
    struct text size = {0};
    put_dims(&size, record, record_dims(record));
    put_html_format(out, " <span>%s</span>", text_str(&size));
    text_free(&size);
}

// ---- right or wrong

static void put_causes(struct text *out, const struct failures *failures) {
    text_append(out, "<ul>\n");
    for (size_t i = 0; i < failures->count && i < CAUSES; i++) {
        const struct failure *f = &failures->items[i];
        put_html_format(out, "<li><span class=status>%s</span> <a href=\"#failures\">%s %s</a>", f->standing,
            f->record->kernel, f->record->dtype);
        put_size(out, f->record);
        put_alike(out, f);
        text_append(out, "</li>\n");
    }
    text_append(out, "</ul>\n");
    if (failures->count > CAUSES)
        text_format(out, "<p><a href=\"#failures\">%zu more causes</a></p>\n", failures->count - CAUSES);
}

static void put_right(struct text *out, struct page *page, const struct standouts *standouts) {
    const struct failures *failures = &page->failures;
    struct text summary = {0};
    struct json_object *run = json_get(page->view->result->context, "run");
    (void)standouts;
    put_summary(&summary, page->view, page->skip_count);
    put_html_format(
        out, "<p class=\"summary %s\">%s</p>\n", failures->bad || !whole_is(run) ? "bad" : "good", text_str(&summary));
    text_free(&summary);
    if (failures->count) put_causes(out, failures);
    const char *covered = covered_line(page->view->result, page->arena);
    if (covered) put_html_format(out, "<p class=note>%s</p>\n", covered);
}

// ---- how fast

static void put_rated(
    struct text *out, const struct page *page, const char *title, const struct standout *list, size_t count) {
    text_format(out, "<h3>%s</h3>\n<ul>\n", title);
    for (size_t i = 0; i < count; i++) {
        text_append(out, "<li><strong>");
        put_share_html(out, list[i].figure);
        text_append(out, "</strong>");
        put_bar(out, list[i].figure);
        put_link(out, list[i].kernel);
        put_size(out, list[i].record);
        put_html_format(
            out, " <span>of %s</span></li>\n", roof_words(rate_of(page->view->result, list[i].record).roof));
    }
    text_append(out, "</ul>\n");
}

static void put_speed(struct text *out, struct page *page, const struct standouts *standouts) {
    struct text beyond = {0};
    put_beyond(&beyond, page->view->result);
    if (beyond.length) put_html_format(out, "<p class=\"summary bad\">%s</p>\n", text_str(&beyond));
    text_free(&beyond);
    if (!standouts->rated) return;
    text_format(out,
        "<p class=note>The fastest kernel of each operator and type at its largest size, %zu in all, as a share of "
        "this device's own measured peak of memory, or of the unit that computes it.</p>\n",
        standouts->rated);
    text_append(out, "<div class=halves><div>\n");
    put_rated(out, page, "Furthest below the roof", standouts->far, standouts->far_count);
    text_append(out, "</div><div>\n");
    put_rated(out, page, "Nearest to it", standouts->near, standouts->near_count);
    text_append(out, "</div></div>\n");
}

// ---- what to change

static void put_gains(struct text *out, struct page *page, const struct standouts *standouts) {
    (void)page;
    if (!standouts->gain_count) return;
    text_append(out, "<ul>\n");
    for (size_t i = 0; i < standouts->gain_count; i++) {
        const struct standout *gain = &standouts->gains[i];
        struct text used = {0}, best = {0}, factor = {0};
        put_shape(&used, gain->record);
        put_shape(&best, gain->c->best);
        put_factor(&factor, gain->figure);
        text_append(out, "<li>");
        put_link(out, gain->kernel);
        put_size(out, gain->record);
        put_html_format(out, ": %s takes %s of the time of %s", text_str(&used), text_str(&factor), text_str(&best));
        if (gain->record->systems && *gain->record->systems)
            put_html_format(out, " <span>(%s)</span>", gain->record->systems);
        text_append(out, "</li>\n");
        text_free(&used);
        text_free(&best);
        text_free(&factor);
    }
    text_append(out, "</ul>\n");
}

// ---- against others, and against last time

static void put_others_card(struct text *out, struct page *page, const struct standouts *standouts) {
    (void)standouts;
    put_others(out, page);
}

static void put_last_card(struct text *out, struct page *page, const struct standouts *standouts) {
    (void)standouts;
    put_last_run(out, page);
}

// ---- all of it

// A part of the first screen; one that has nothing to say is left out, with its title.
static const struct glance_answer {
    const char *title;
    void (*put)(struct text *out, struct page *page, const struct standouts *standouts);
} answers[] = {
    {"Is it right?", put_right},
    {"How fast is it?", put_speed},
    {"What to change: shapes that lose most", put_gains},
    {"Against others", put_others_card},
    {"Against last time", put_last_card},
};

void put_glance(struct text *out, struct page *page) {
    struct standouts standouts;
    standouts_make(page->view, &standouts);
    text_append(out, "<div class=cards>\n");
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct text body = {0};
        answers[i].put(&body, page, &standouts);
        if (body.length) text_format(out, "<div class=card><h2>%s</h2>\n%s</div>\n", answers[i].title, text_str(&body));
        text_free(&body);
    }
    text_append(out, "</div>\n");
    put_result_charts(out, page);
}
