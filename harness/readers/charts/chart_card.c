// SPDX-License-Identifier: Apache-2.0
// The picture for shared links to a page: a few bars.
#include "chart.h"

#include <math.h>
#include <string.h>

void card_bar(struct card *card, const char *label, const char *figure, double part, bool bad) {
    if (card->count == CARD_BARS) return;
    card->bars[card->count++] = (struct card_bar){label, figure, isfinite(part) ? fmin(fmax(part, 0), 1) : 0, bad};
}

static void plot_card(struct plot *plot, const struct card *card) {
    for (size_t i = 0; i < card->count; i++) {
        const struct card_bar *bar = &card->bars[i];
        text_format(&plot->data, "%zu %.6g %d", i, bar->part, bar->bad);
        put_cell(&plot->data, bar->label);
        put_cell(&plot->data, bar->figure);
        text_append(&plot->data, "\n");
        const int letters = (int)strlen(bar->label);
        if (plot->label_letters < letters) plot->label_letters = letters;
    }
    if (!card->count) text_append(&plot->data, "0 0 0 \"\" \"\"\n");
    set_title(plot, "%s", card->title);
    text_append(&plot->subtitle, card->subtitle);
    set_number(plot, "rows", (double)(card->count ? card->count : 1));
}

bool batch_add_card(struct chart_batch *batch, const struct card *card, const char *file) {
    struct plot plot = {.template = "card.gp"};
    struct drawing drawing = {.kind = "card", .title = card->title, .file = file, .caption = "", .apart = true};
    plot_card(&plot, card);
    return batch_add(batch, &plot, &drawing);
}

bool card_draw(const struct card *card, const char *file, struct arena *arena, const char *folder,
    const char *template_folder, struct error *err) {
    struct drawings drawings;
    struct chart_batch batch = {.arena = arena, .folder = folder, .out = &drawings, .err = err};
    bool ok = batch_open(&batch) && batch_add_card(&batch, card, file);
    return batch_draw(&batch, arena_format(arena, "%s/gnuplot", template_folder), ok);
}
