// SPDX-License-Identifier: Apache-2.0
#include "html.h"

#include "../format.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *entity(char c) {
    static const struct {
        char c;
        const char *name;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (entities[i].c == c) return entities[i].name;
    return NULL;
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
    text_free(&plain);
}

void put_html_format(struct text *out, const char *format, ...) {
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_format_list(&text, format, args);
    va_end(args);
    put_html(out, text_str(&text));
    text_free(&text);
}

void put_anchor(struct text *out, const char *prefix, const char *name) {
    text_append(out, prefix);
    for (const char *c = name; *c; c++) text_append_n(out, isalnum((unsigned char)*c) ? c : "-", 1);
}

void put_rest(struct text *out, size_t shown, size_t all, const char *what) {
    if (shown == all) return;
    text_append(out, "<p class=note>");
    put_left_out(out, shown, all, what);
    text_append(out, "</p>\n");
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
