// SPDX-License-Identifier: Apache-2.0
// Parts of a result's first screen: times of other programs, and changes since the previous run.
#include "html.h"

#include "../../record/compare.h"
#include "../render/format.h"
#include "../../base/json.h"
#include "../../record/record.h"
#include "../../record/peers.h"
#include "../../record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 5 };

// A problem also timed by the peer, with the fastest kernel here.
struct against {
    const struct record *best;
    double factor; // the peer's time over this kernel's
};

static int by_factor(const void *a, const void *b) {
    const struct against *x = a, *y = b;
    return (x->factor > y->factor) - (x->factor < y->factor);
}

// Returns true if another kernel of the operator is faster at the same problem.
static bool is_beaten(const struct view_operator *op, const struct record *best) {
    for (size_t k = 0; k < op->count; k++) {
        if (strcmp(op->kernels[k].dtype, best->dtype) != 0) continue;
        for (size_t c = 0; c < op->kernels[k].count; c++) {
            const struct record *other = op->kernels[k].cases[c].best;
            if (!other || other == best || !same_dims(other, best)) continue;
            if (compute_ns(other) < compute_ns(best) || (compute_ns(other) <= compute_ns(best) && other < best))
                return true;
        }
    }
    return false;
}

// Lists the problems shared with a peer, the peer's best ones first. `out` must have room for one per case of the
// view.
static size_t against_peer(const struct page *page, size_t peer, struct against *out) {
    const struct view *view = page->view;
    size_t count = 0;
    for (size_t c = 0; c < view->case_count; c++) {
        const struct record *best = view->cases[c]->best;
        if (!best) continue;
        const double factor = peer_ns(view->result->peers, peer, best) / compute_ns(best);
        if (!isnan(factor) && !is_beaten(view->cases[c]->kernel->op, best))
            out[count++] = (struct against){best, factor};
    }
    qsort(out, count, sizeof *out, by_factor);
    return count;
}

static void put_record_link(struct text *out, const struct record *record) {
    put_anchor(out, "<a href=\"#op-", record->operator);
    struct text size = {0};
    put_size_words(&size, record);
    put_html_format(out, "\">%s %s</a> <span>%s</span>", record->kernel, record->dtype, text_str(&size));
    text_free(&size);
}

static void put_peer(struct text *out, struct page *page, size_t peer, struct against *found) {
    const struct peer *of = &page->view->result->peers->items[peer];
    const size_t count = against_peer(page, peer, found);
    double sum = 0;
    size_t faster = 0;
    if (!count) return;
    for (size_t i = 0; i < count; i++) {
        sum += log(found[i].factor);
        faster += found[i].factor < 1;
    }
    struct text mean = {0};
    put_factor(&mean, exp(sum / (double)count));
    put_html_format(out,
        "<p class=note>%s%s%s: faster in %zu of %zu problems. Its time / time of the best kernel here: %s (geometric "
        "mean).</p>\n<ul>\n",
        of->name, of->version ? " " : "", of->version ? of->version : "", faster, count, text_str(&mean));
    text_free(&mean);
    for (size_t i = 0; i < count && i < LISTED; i++) {
        struct text factor = {0};
        put_factor(&factor, found[i].factor);
        text_format(out, "<li><strong>%s</strong> ", text_str(&factor));
        put_record_link(out, found[i].best);
        text_append(out, "</li>\n");
        text_free(&factor);
    }
    text_append(out, "</ul>\n");
}

void put_others(struct text *out, struct page *page) {
    const struct peers *peers = page->view->result->peers;
    if (!peers) return;
    struct against *found = arena_alloc(page->arena, page->view->case_count, sizeof *found);
    for (size_t p = 0; p < peers->count; p++) put_peer(out, page, p, found);
}

// ---- the previous run

void put_last_run(struct text *out, struct page *page) {
    const struct comparison *last = page->view->result->last;
    if (!last) return;
    struct text words = {0};
    size_t shown = 0;
    put_last_words(&words, last);
    put_html_format(out, "<p class=note>%s</p>\n", text_str(&words));
    text_free(&words);
    for (size_t i = 0; i < last->count && shown < LISTED; i++) {
        const struct compared_point *point = &last->points[i];
        const enum verdict v = point->verdict; // others are only counted
        if (v != VERDICT_WRONG && v != VERDICT_FLAKY && v != VERDICT_SLOWER && v != VERDICT_FASTER &&
            v != VERDICT_FIXED)
            continue;
        text_append(out, shown++ ? "<li>" : "<ul>\n<li>");
        put_html_format(
            out, "<span%s>%s</span> %s", v <= VERDICT_SLOWER ? " class=status" : "", verdict_name(v), point->name);
        if (!isnan(point->ratio.value)) text_format(out, " %.3fx", point->ratio.value);
        text_append(out, "</li>\n");
    }
    if (shown) text_append(out, "</ul>\n");
}
