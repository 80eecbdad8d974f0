// SPDX-License-Identifier: Apache-2.0
#include "html.h"

#include "../format.h"
#include "../shown.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *entity(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void put_html(struct text *out, const char *string) {
    struct text plain = {0};
    put_plain(&plain, string, 0);
    for (const char *c = text_str(&plain); *c; c++) {
        const char *name = entity(*c);
        if (name)
            text_append(out, name);
        else
            text_append_n(out, c, 1);
    }
    out->failed = out->failed || plain.failed;
    text_free(&plain);
}

void put_html_format(struct text *out, const char *format, ...) {
    char *string = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&string, format, args);
    va_end(args);
    if (length < 0) {
        out->failed = true;
        return;
    }
    put_html(out, string);
    free(string);
}

void put_anchor(struct text *out, const char *prefix, const char *name) {
    text_append(out, prefix);
    for (const char *c = name; *c; c++) text_append_n(out, isalnum((unsigned char)*c) ? c : "-", 1);
}

// A long list may go on in the next line after each comma.
static void put_html_wrapped(struct text *out, const char *string) {
    struct text html = {0};
    put_html(&html, string);
    for (const char *at = text_str(&html); *at;) {
        size_t length = strcspn(at, ",");
        text_append_n(out, at, length);
        if (at[length] == ',') text_append(out, ",<wbr>");
        at += length + (at[length] == ',');
    }
    out->failed = out->failed || html.failed;
    text_free(&html);
}

static void put_head(struct text *out, const struct grid *grid) {
    text_append(out, "<thead><tr>");
    for (int c = 0; c < grid->column_count; c++) {
        text_format(out, "<th scope=col%s title=\"", grid->columns[c]->right ? " class=right" : "");
        put_html(out, grid->columns[c]->hint);
        text_append(out, "\">");
        put_html(out, grid->columns[c]->title);
        text_append(out, "</th>");
    }
    text_append(out, "</tr></thead>");
}

void put_wide(struct text *out, const char *name) {
    text_append(out, "<div class=wide role=region tabindex=0 aria-label=\"");
    put_html(out, name);
    text_append(out, "\"><table class=sorts>");
}

void put_html_grid(struct text *out, const struct grid *grid, const char *name) {
    put_wide(out, name);
    put_head(out, grid);
    text_append(out, "<tbody>\n");
    for (size_t i = 0; i < grid->row_count; i++) {
        text_append(out, "<tr>");
        for (int c = 0; c < grid->column_count; c++) {
            const struct cell *cell = &grid->cells[i][c];
            text_append(out, grid->columns[c]->right   ? "<td class=right"
                             : grid->columns[c]->wraps ? "<td class=wraps"
                                                       : "<td");
            if (isfinite(cell->sort)) text_format(out, " data-sort=%.9g", cell->sort);
            text_append(out, ">");
            if (grid->columns[c]->wraps)
                put_html_wrapped(out, cell->text);
            else
                put_html(out, cell->text);
            text_append(out, "</td>");
        }
        text_append(out, "</tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

void put_rest(struct text *out, size_t shown, size_t all, const char *what) {
    if (shown == all) return;
    text_append(out, "<p class=note>");
    put_left_out(out, shown, all, what);
    text_append(out, "</p>\n");
}

void put_legend(struct text *out, const struct grid *grid) {
    text_append(out, "<details><summary>What the columns say</summary><dl class=legend>\n");
    for (int c = 0; c < grid->column_count; c++) {
        text_append(out, "<dt>");
        put_html(out, grid->columns[c]->title);
        text_append(out, "</dt><dd>");
        put_html(out, grid->columns[c]->hint);
        text_append(out, "</dd>\n");
    }
    text_append(out, "</dl></details>\n");
}

// Whether an identifier, or a reference to one, begins right after these bytes.
static size_t identifier_mark(const char *at) {
    static const char *const marks[] = {" id=\"", " id='", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(at, marks[i], strlen(marks[i])) == 0) return strlen(marks[i]);
    return 0;
}

void put_svg(struct text *out, const char *svg, const char *prefix) {
    static const char title[] = "<title>Gnuplot</title>"; // a tooltip over the whole chart
    const char *at = strstr(svg, "<svg");
    while (at && *at) {
        if (strncmp(at, title, sizeof title - 1) == 0) at += sizeof title - 1;
        size_t mark = identifier_mark(at), length = mark ? mark : 1 + strcspn(at + 1, " hu<");
        text_append_n(out, at, length);
        if (mark) text_append(out, prefix);
        at += length;
    }
}

bool put_template(struct text *out, const char *file, const char *template,
    bool (*fill)(void *user, struct text *out, const char *name), void *user, struct error *err) {
    char name[40];
    for (const char *at = template;;) {
        const char *open = strstr(at, "{{"), *close = open ? strstr(open, "}}") : NULL;
        if (!close) {
            text_append(out, at);
            return true;
        }
        text_append_n(out, at, (size_t)(open - at));
        int length = (int)(close - open - 2);
        snprintf(name, sizeof name, "%.*s", length, open + 2);
        if (!fill(user, out, name))
            return error_set(err, STATUS_BAD_INPUT, "%s: {{%.*s}} is no part of the page", file, length, open + 2);
        at = close + 2;
    }
}
