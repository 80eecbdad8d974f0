// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include "../../base/clock.h"
#include "../../base/text.h"
#include "../../record/journal.h"
#include "../../record/terms.h"
#include "../../readers/render/format.h"
#include "../../base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const int64_t plain_every_ns = 5000000000;
#define ERASE "\r\x1b[K"

// Returns the columns of the terminal; 0: standard error is no terminal, or cannot erase a line.
static int columns(void) {
    struct winsize size;
    const char *kind = getenv("TERM");
    if (!isatty(STDERR_FILENO) || (kind && strcmp(kind, "dumb") == 0)) return 0;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Appends "1:05 left" or "2:03:00 left"; nothing if the time is unknown.
static void add_left(struct text *out, double seconds) {
    if (!(seconds >= 0 && seconds < 3.6e6)) return;
    long whole = lround(seconds);
    text_append(out, ", ");
    if (whole >= 3600)
        text_format(out, "%ld:%02ld:%02ld left", whole / 3600, whole / 60 % 60, whole % 60);
    else
        text_format(out, "%ld:%02ld left", whole / 60, whole % 60);
}

// Appends "[12/340] 0:41 left, 11 pass, 1 skip  NAME". With a width, the name is cut to fit.
static void compose(struct text *out, const struct progress *p, int width) {
    text_format(out, "[%zu/%zu]", p->done, p->total);
    struct text tail = {0};
    add_left(&tail, p->left_s);
    for (int i = 0; i < RECORD_STATUS_COUNT; i++)
        if (p->counts[i]) text_format(&tail, ", %zu %s", p->counts[i], record_status_name((enum record_status)i));
    if (tail.length) text_append(out, text_str(&tail) + 1);
    text_free(&tail);
    if (!p->current) return;
    size_t length = strlen(p->current), room = length;
    if (width) room = out->length + 2 < (size_t)width ? (size_t)width - out->length - 2 : 0;
    if (length <= room)
        text_format(out, "  %s", p->current);
    else if (room > 8)
        text_format(out, "  %.*s..", (int)room - 2, p->current);
}

static void print_failure(struct json_object *record, const char *device) {
    struct json_object *expected = json_get(record, "expected");
    struct text words = {0};
    text_format(&words, "%s%s %s%s%s: %s", json_get_bool(json_get(record, "attempts"), "flaky", false) ? "flaky " : "",
        json_get_string(record, "status", ""), json_get_string(record, "name", ""), device ? " on " : "",
        device ? device : "", json_get_string(record, "reason", "it is right"));
    if (expected)
        text_format(&words, "; expected %s (%s)", json_get_string(expected, "status", ""),
            json_get_string(expected, "reason", ""));
    if (columns() > 0)
        print_hanging(stderr, "", text_str(&words), 2, columns());
    else
        fprintf(stderr, "%s\n", text_str(&words));
    fprintf(stderr, "    %s\n", json_get_string(record, "replay", ""));
    text_free(&words);
}

static void redraw(struct progress_line *line, const struct progress *p, int width) {
    struct text text = {0};
    // Some terminals wrap if the last column is written.
    compose(&text, p, width - 1);
    fputs(ERASE, stderr);
    print_cut(stderr, text_str(&text), width - 1);
    line->drawn = true;
    text_free(&text);
}

static void print_line(struct progress_line *line, const struct progress *p) {
    int64_t now = clock_ns();
    if (line->shown_ns && now - line->shown_ns < plain_every_ns && p->done < p->total) return;
    line->shown_ns = now;
    struct text text = {0};
    compose(&text, p, 0);
    fprintf(stderr, "%s\n", text_str(&text));
    text_free(&text);
}

static void show(struct progress_line *line, const struct progress *p) {
    int width = columns();
    if (width > 1)
        redraw(line, p, width);
    else if (!width)
        print_line(line, p);
}

// Shows sums over the devices, and "llvmpipe 12/340, SwiftShader 9/340". The time left is the slowest device's.
static void show_board(struct progress_board *board, struct json_object *record) {
    struct progress all = {.record = record, .left_s = NAN};
    struct text devices = {0};
    for (size_t i = 0; i < board->count; i++) {
        const struct progress *p = &board->lines[i].last;
        all.done += p->done;
        all.total += p->total;
        for (int k = 0; k < RECORD_STATUS_COUNT; k++) all.counts[k] += p->counts[k];
        if (p->total && p->done < p->total) all.left_s = fmax(all.left_s, p->left_s);
        text_format(&devices, "%s%s %zu/%zu", i ? ", " : "", board->lines[i].label, p->done, p->total);
    }
    all.current = text_str(&devices);
    show(&board->line, &all);
    text_free(&devices);
}

void progress_show(void *user, const struct progress *p) {
    struct progress_line *line = user;
    flockfile(stderr); // sessions of several devices print here
    const bool bad = p->record && outcome_is_bad(record_outcome_json(p->record));
    if (bad && !line->brief) { // printed at once, with a replay line
        progress_end(line);
        print_failure(p->record, line->label);
    }
    line->last = *p;
    line->last.record = NULL; // both are only valid during this call
    line->last.current = NULL;
    if (line->board)
        show_board(line->board, p->record);
    else
        show(line, p);
    fflush(stderr);
    funlockfile(stderr);
}

void progress_end(struct progress_line *line) {
    if (line->board) line = &line->board->line;
    if (!line->drawn) return;
    fputs(ERASE, stderr);
    fflush(stderr);
    line->drawn = false;
}

void progress_say_losses(const struct outcome *outcome, enum status *status) {
    struct json_object *losses = json_get(json_get(outcome->context, "run"), "lost_workers");
    size_t count = json_object_is_type(losses, json_type_array) ? json_object_array_length(losses) : 0;
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "A worker was lost %s\n", json_object_get_string(json_object_array_get_idx(losses, i)));
    struct json_object *bad = json_get(json_get(outcome->context, "run"), JOURNAL_BAD_LINES);
    count = json_object_is_type(bad, json_type_array) ? json_object_array_length(bad) : 0;
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "Line %s of the result was changed since it was written; its point was run again\n",
            json_object_get_string(json_object_array_get_idx(bad, i)));
    if (outcome->no_culprit) *status = STATUS_WRONG;
}
