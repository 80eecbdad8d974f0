// SPDX-License-Identifier: Apache-2.0
// The cases of a family compared with other programs: their times over that of the best kernel and shape.
#include "../../../reference/table.h"
#include "chart.h"
#include "../render/format.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/peers.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 40, MOST_PEERS = 8 };

// Adds a case to the rows, or replaces a slower kernel. A row is a problem, represented by its fastest kernel.
static size_t add_case(const struct record **rows, size_t count, const struct record *best) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i]->operator, best->operator) != 0 || strcmp(rows[i]->dtype, best->dtype) != 0) continue;
        if (!same_dims(rows[i], best)) continue;
        if (compute_ns(best) < compute_ns(rows[i])) rows[i] = best;
        return count;
    }
    if (count < MOST_ROWS) rows[count++] = best;
    return count;
}

static size_t find_rows(const struct plot *plot, const struct record **rows) {
    const struct view *view = plot->view;
    size_t count = 0;
    for (size_t k = 0; k < view->kernel_count; k++) {
        const struct view_kernel *kernel = view->kernels[k];
        if (strcmp(operator_family(kernel->op->name), plot->family) != 0) continue;
        for (size_t i = kernel->count; i-- > 0;) { // largest first
            const struct record *best = kernel->cases[i].best;
            const struct peers *peers = view->result->peers;
            bool has_peer = false;
            for (size_t p = 0; best && p < peers->count; p++) has_peer |= !isnan(peer_ns(peers, p, best));
            if (has_peer) count = add_case(rows, count, best);
        }
    }
    return count;
}

// Writes a row with the label "matmul f16 4096x4096x4096".
static void put_row(struct plot *plot, size_t at, const struct record *best, double *low, double *high) {
    const struct peers *peers = plot->view->result->peers;
    struct text label = {0};
    text_format(&label, "%s %s ", best->operator, best->dtype);
    put_dims(&label, best, best->dim_count);
    text_format(&plot->data, "%zu ", at);
    put_name(&plot->data, text_str(&label), ROW_LETTERS);
    for (size_t p = 0; p < peers->count && p < MOST_PEERS; p++) {
        double factor = peer_ns(peers, p, best) / compute_ns(best);
        if (isnan(factor)) {
            text_append(&plot->data, " NaN");
            continue;
        }
        text_format(&plot->data, " %.4g", factor);
        *low = fmin(*low, factor);
        *high = fmax(*high, factor);
    }
    text_append(&plot->data, "\n");
    note_time(plot, best, NULL);
    text_free(&label);
}

const char *plot_peers(struct plot *plot) {
    const struct record *rows[MOST_ROWS];
    const struct peers *peers = plot->view->result->peers;
    size_t count = find_rows(plot, rows), shown = peers->count < MOST_PEERS ? peers->count : MOST_PEERS;
    double low = 0.9, high = 1.1;
    if (!count) return "no other program was timed";
    for (size_t i = 0; i < count; i++) put_row(plot, i, rows[i], &low, &high);
    set_title(plot, "%s: against others", plot->family);
    set_number(plot, "rows", (double)count);
    set_number(plot, "peers", (double)shown);
    for (size_t p = 0; p < shown; p++) {
        char name[24];
        snprintf(name, sizeof name, "peer_%zu", p);
        set_text(plot, name, "%s %s", peers->items[p].name, peers->items[p].version ? peers->items[p].version : "");
    }
    set_log_axis(plot, "x", low, high, "x");
    text_append(&plot->caption,
        "The other program's time / time of the best kernel and shape, compute only. Right of 1 x it is slower.");
    for (size_t p = 0; p < shown; p++)
        if (peers->items[p].method)
            text_format(&plot->caption, " %s: %s.", peers->items[p].name, peers->items[p].method);
    return NULL;
}
