// SPDX-License-Identifier: Apache-2.0
// The picture for shared links to a page: a few bars.
#include "chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void card_bar(struct card *card, const char *label, const char *figure, double part, bool bad) {
    if (card->count == CARD_BARS) return;
    card->bars[card->count++] = (struct card_bar){label, figure, isfinite(part) ? fmin(fmax(part, 0), 1) : 0, bad};
}

enum { LINES = 3, LINE_BYTES = 88, LABEL_LETTERS = 34 }; // the picture is 720 wide

// Returns the bytes of the next line, up to its last blank.
static size_t line_length(const char *string) {
    const size_t all = strlen(string);
    size_t length = 0;
    for (size_t at = 0; at < LINE_BYTES && at < all; at++)
        if (string[at] == ' ') length = at + 1;
    return all <= LINE_BYTES || !length ? all : length;
}

// Sets line_1 to line_3.
static void set_lines(struct plot *plot, const char *string) {
    for (int line = 1; line <= LINES; line++) {
        char name[20];
        const size_t length = line_length(string);
        snprintf(name, sizeof name, "line_%d", line);
        set_text(plot, name, "%.*s", (int)length, string);
        string += length;
    }
}

static void plot_card(struct plot *plot, const struct card *card) {
    for (size_t i = 0; i < card->count; i++) {
        const struct card_bar *bar = &card->bars[i];
        struct text label = {0};
        text_format(&plot->data, "%zu %.6g %d", i, bar->part, bar->bad);
        put_cut(&label, bar->label, LABEL_LETTERS);
        put_cell(&plot->data, text_str(&label));
        text_free(&label);
        put_cell(&plot->data, bar->figure);
        text_append(&plot->data, "\n");
    }
    if (!card->count) text_append(&plot->data, "0 0 0 \"\" \"\"\n");
    set_title(plot, "%s", card->title);
    set_lines(plot, card->subtitle);
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
