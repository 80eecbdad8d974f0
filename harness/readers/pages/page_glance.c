// SPDX-License-Identifier: Apache-2.0
// The first screen: correctness, speed relative to the roof, shapes to change, and the roofline.
#include "html.h"

#include "../render/format.h"
#include "../../record/figures.h"
#include "../render/highlights.h"
#include "../../record/result.h"
#include "../../record/record.h"
#include "../../record/journal.h"
#include "../../base/json.h"

#include <math.h>

enum { CAUSES = 5 };

static void put_link(struct text *out, const struct view_kernel *kernel) {
    put_anchor(out, "<a href=\"#op-", kernel->op->name);
    put_html_format(out, "\">%s %s</a>", kernel->name, kernel->dtype);
}

static void put_size(struct text *out, const struct record *record) {
    struct text size = {0};
    put_size_words(&size, record);
    put_html_format(out, " <span>%s</span>", text_str(&size));
    text_free(&size);
}

// ---- right or wrong

static void put_causes(struct text *out, const struct failures *failures) {
    text_append(out, "<ul>\n");
    for (size_t i = 0; i < failures->count && i < CAUSES; i++) {
        const struct failure *f = &failures->items[i];
        put_html_format(out, "<li><span class=status>%s</span> <a href=\"#failures\">%s %s</a>", f->outcome,
            f->record->kernel, f->record->dtype);
        put_size(out, f->record);
        put_alike(out, f);
        text_append(out, "</li>\n");
    }
    text_append(out, "</ul>\n");
    if (failures->count > CAUSES)
        text_format(out, "<p><a href=\"#failures\">%zu more causes</a></p>\n", failures->count - CAUSES);
}

static void put_right(struct text *out, struct page *page, const struct highlights *highlights) {
    (void)highlights;
    if (page->failures.count) put_causes(out, &page->failures);
    const char *covered = covered_line(page->view->result, page->arena);
    if (covered) put_html_format(out, "<p class=note>%s</p>\n", covered);
    const char *subgroups = subgroups_line(page->view->result, page->arena);
    if (subgroups) put_html_format(out, "<p class=note>%s</p>\n", subgroups);
}

// ---- how fast

static void put_rated(
    struct text *out, const struct page *page, const char *title, const struct highlight *list, size_t count) {
    text_format(out, "<h3>%s</h3>\n<ul>\n", title);
    for (size_t i = 0; i < count; i++) {
        text_append(out, "<li><strong>");
        put_share_html(out, list[i].figure);
        text_append(out, "</strong>");
        put_bar(out, list[i].figure);
        put_html_format(out, "<span>of %s:</span> ", roof_words(rate_of(page->view->result, list[i].record).roof));
        put_link(out, list[i].kernel);
        put_size(out, list[i].record);
        text_append(out, "</li>\n");
    }
    text_append(out, "</ul>\n");
}

static void put_speed(struct text *out, struct page *page, const struct highlights *highlights) {
    if (!highlights->rated) return;
    text_format(out,
        "<p class=note>The fastest kernel of each operator and type at its largest size (%zu in all), as a share of "
        "this device's measured peak: memory, or its compute unit.</p>\n",
        highlights->rated);
    text_append(out, "<div class=halves><div>\n");
    put_rated(out, page, "Furthest below the roof", highlights->far, highlights->far_count);
    text_append(out, "</div><div>\n");
    put_rated(out, page, "Nearest to it", highlights->near, highlights->near_count);
    text_append(out, "</div></div>\n");
}

// ---- what to change

static void put_gains(struct text *out, struct page *page, const struct highlights *highlights) {
    (void)page;
    if (!highlights->gain_count) return;
    text_append(out, "<ul>\n");
    for (size_t i = 0; i < highlights->gain_count; i++) {
        const struct highlight *gain = &highlights->gains[i];
        struct text advice = {0};
        put_advice(&advice, gain);
        text_append(out, "<li>");
        put_link(out, gain->kernel);
        put_size(out, gain->record);
        put_html_format(out, ": %s", text_str(&advice));
        if (gain->record->systems && *gain->record->systems)
            put_html_format(out, " <span>(%s)</span>", gain->record->systems);
        text_append(out, "</li>\n");
        text_free(&advice);
    }
    text_append(out, "</ul>\n");
}

// ---- other programs and the previous run

static void put_others_card(struct text *out, struct page *page, const struct highlights *highlights) {
    (void)highlights;
    put_others(out, page);
}

static void put_last_card(struct text *out, struct page *page, const struct highlights *highlights) {
    (void)highlights;
    put_last_run(out, page);
}

// ---- the cards

// A card of the first screen. An empty one is omitted with its title.
static const struct glance_answer {
    const char *title;
    void (*put)(struct text *out, struct page *page, const struct highlights *highlights);
} answers[] = {
    {"Failures and coverage", put_right},
    {"Against the roof", put_speed},
    {"Recommended changes", put_gains},
    {"Against others", put_others_card},
    {"Against last time", put_last_card},
};

// ---- the answers

static void put_answer(struct text *out, const char *question, const char *class, struct text *answer) {
    if (answer->length)
        put_html_format(out, "<dt>%s</dt><dd class=\"%s\">%s</dd>\n", question, class, text_str(answer));
    text_free(answer);
}

static void put_is_right(struct text *out, const struct page *page) {
    const bool whole = whole_is(json_get(page->view->result->context, "run")), wrong = page->failures.bad > 0;
    const size_t passed = page->view->statuses[RECORD_PASS];
    struct text answer = {0};
    text_append(&answer, wrong ? "No. " : !whole ? "Not all is known. " : passed ? "Yes. " : "Nothing was judged. ");
    put_summary(&answer, page->view, page->skip_count);
    put_answer(out, "Is it right?", wrong || !whole ? "bad" : passed ? "good" : "", &answer);
}

static void put_how_fast(struct text *out, const struct page *page, const struct highlights *highlights) {
    struct text answer = {0}, beyond = {0};
    put_speed_words(&answer, page->view, highlights);
    if (answer.length) answer.data[0] = 'H';
    put_beyond(&beyond, page->view->result);
    put_answer(out, "How fast is it?", "", &answer);
    put_answer(out, "Beyond a roof", "bad", &beyond);
}

static void put_noise(struct text *out, const struct page *page) {
    const struct wide wide = wide_of(page->view->result);
    struct text answer = {0};
    if (isfinite(wide.half)) text_format(&answer, "Half of the times are within ±%.1f %%; ", 100 * wide.half);
    if (wide.timed)
        text_format(&answer, "%zu of %zu times are not within ±%d %%", wide.points, wide.timed, WIDE_PERCENT);
    if (wide.busy) text_format(&answer, "; others took up to %.0f %% of the host's cores", 100 * wide.load);
    put_answer(out, "How noisy are the times?", wide.points * 2 > wide.timed ? "bad" : "", &answer);
}

static void put_what_to_change(struct text *out, const struct highlights *highlights) {
    struct text answer = {0};
    if (highlights->gain_count) {
        put_subject(&answer, &highlights->gains[0]);
        text_append(&answer, ": ");
        put_advice(&answer, &highlights->gains[0]);
    }
    if (highlights->gain_count > 1) text_format(&answer, "; %zu more below", highlights->gain_count - 1);
    put_answer(out, "What should change?", "", &answer);
}

void put_glance(struct text *out, struct page *page) {
    struct highlights highlights;
    highlights_make(page->view, &highlights);
    text_append(out, "<dl class=answers>\n");
    put_is_right(out, page);
    put_how_fast(out, page, &highlights);
    put_what_to_change(out, &highlights);
    put_noise(out, page);
    text_append(out, "</dl>\n");
    text_append(out, "<div class=cards>\n");
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct text body = {0};
        answers[i].put(&body, page, &highlights);
        if (body.length) text_format(out, "<div class=card><h2>%s</h2>\n%s</div>\n", answers[i].title, text_str(&body));
        text_free(&body);
    }
    text_append(out, "</div>\n");
    put_result_charts(out, page);
}
