// SPDX-License-Identifier: Apache-2.0
#include "html.h"

#include "../render/format.h"
#include "../../base/file.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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
    va_list args;
    va_start(args, format);
    put_escaped(out, put_html, format, args);
    va_end(args);
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

void put_footnotes_html(struct text *out, const struct footnotes_seen *seen) {
    struct text plain = {0};
    put_footnotes(&plain, seen, ".\n");
    if (plain.length) put_html_format(out, "<p class=\"note marks\">%s</p>\n", text_str(&plain));
    text_free(&plain);
}

// Returns the length in bytes of the folder common to all paths, with its slash.
static size_t common_folder(const char *const *paths, size_t count) {
    size_t folder = 0;
    for (size_t at = 0; count && paths[0][at]; at++) {
        for (size_t i = 1; i < count; i++)
            if (paths[i][at] != paths[0][at]) return folder;
        if (paths[0][at] == '/') folder = at + 1;
    }
    return folder;
}

const char **shown_paths(struct arena *arena, const char *const *paths, size_t count) {
    const size_t folder = common_folder(paths, count);
    const char **shown = arena_alloc(arena, count, sizeof *shown);
    for (size_t i = 0; i < count; i++) {
        shown[i] = paths[i] + folder;
        if (*shown[i] == '/') shown[i] = file_last_parts(shown[i]);
    }
    return shown;
}

void put_share_html(struct text *out, double share) {
    struct text words = {0};
    put_share(&words, share);
    put_html(out, text_str(&words));
    text_free(&words);
}

void put_bar(struct text *out, double part) {
    text_format(out, "<i class=bar style=\"--part:%.0f%%\"></i>", isfinite(part) ? 100 * fmin(fmax(part, 0), 1) : 0);
}

// Returns the length of the mark at `at` if an identifier, or a reference to one, follows it; else 0.
static size_t identifier_mark(const char *at) {
    static const char *const marks[] = {" id=\"", " id='", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(at, marks[i], strlen(marks[i])) == 0) return strlen(marks[i]);
    return 0;
}

// Returns the length of an element that draws nothing, if it begins at `at`; else 0. These are a group without members,
// the title (a tooltip over the whole chart), and a filter (for boxes behind texts; no chart has one).
static size_t idle_length(const char *at) {
    static const char title[] = "<title>Gnuplot</title>", group[] = "<g ", filter[] = "<filter ", end[] = "</filter>";
    if (strncmp(at, title, sizeof title - 1) == 0) return sizeof title - 1;
    if (strncmp(at, filter, sizeof filter - 1) == 0) {
        const char *closed = strstr(at, end);
        return closed ? (size_t)(closed - at) + sizeof end - 1 : 0;
    }
    if (strncmp(at, group, sizeof group - 1) != 0) return 0;
    const char *inside = strchr(at, '>');
    if (!inside) return 0;
    inside += 1 + strspn(inside + 1, " \t\n");
    return strncmp(inside, "</g>", 4) == 0 ? (size_t)(inside - at) + 4 : 0;
}

void put_svg(struct text *out, const char *svg, const char *prefix) {
    const char *at = strstr(svg, "<svg");
    while (at && *at) {
        size_t idle = idle_length(at);
        if (idle) {
            at += idle + strspn(at + idle, " \t\n");
            continue;
        }
        size_t mark = identifier_mark(at), length = mark ? mark : 1 + strcspn(at + 1, " hu<");
        text_append_n(out, at, length);
        if (mark) text_append(out, prefix);
        at += length;
    }
}

// ---- a page made of a template and its parts

struct page page_in(const char *folder, const char *template_folder, struct arena *arena, struct error *err) {
    return (struct page){.arena = arena, .folder = folder, .template_folder = template_folder, .err = err};
}

static bool put_file(struct text *out, struct page *page, const char *file) {
    char *bytes =
        file_read(page->arena, arena_format(page->arena, "%s/html/%s", page->template_folder, file), NULL, page->err);
    if (bytes) text_append(out, bytes);
    return bytes != NULL;
}

static void put_meta(struct text *out, const char *key, const char *name, const char *value) {
    if (value) put_html_format(out, "<meta %s=\"%s\" content=\"%s\">\n", key, name, value);
}

// Appends the title and the metadata for shared links (Open Graph). There is no picture among them: its address must
// be absolute, but a page does not know where it will be served. The card is a file beside the page.
static void put_page_head(struct text *out, const struct page *page) {
    put_meta(out, "name", "description", page->description);
    put_meta(out, "property", "og:title", page->title);
    put_meta(out, "property", "og:description", page->description);
    put_meta(out, "property", "og:type", "website");
    put_html_format(out, "<title>%s</title>", page->title);
}

// Appends one part. style.css and script.js are copied unchanged.
static bool put_part(
    struct text *out, struct page *page, const struct page_part *parts, const char *template, const char *name) {
    if (strcmp(name, "style") == 0) return put_file(out, page, "style.css");
    if (strcmp(name, "script") == 0) return put_file(out, page, "script.js");
    if (strcmp(name, "head") == 0 || strcmp(name, "title") == 0) {
        strcmp(name, "head") == 0 ? put_page_head(out, page) : put_html(out, page->title);
        return true;
    }
    while (parts->name && strcmp(parts->name, name) != 0) parts++;
    if (!parts->name)
        return error_set(page->err, STATUS_BAD_INPUT, "%s: {{%s}} is no part of the page", template, name);
    parts->put(out, page);
    return !page->failed;
}

static bool fill(
    struct text *out, struct page *page, const struct page_part *parts, const char *path, const char *template) {
    for (const char *at = template;;) {
        const char *open = strstr(at, "{{"), *close = open ? strstr(open, "}}") : NULL;
        if (!close) {
            text_append(out, at);
            return true;
        }
        text_append_n(out, at, (size_t)(open - at));
        if (!put_part(out, page, parts, path, arena_copy_n(page->arena, open + 2, (size_t)(close - open - 2))))
            return false;
        at = close + 2;
    }
}

void put_description(struct text *out, struct page *page) {
    put_html_format(out, "<p class=summary>%s</p>\n", page->description);
}

bool write_page(struct page *page, const char *name, const char *file, const struct page_part *parts) {
    const char *from = arena_format(page->arena, "%s/html/%s", page->template_folder, name);
    char *template = file_read(page->arena, from, NULL, page->err);
    struct text text = {0};
    bool ok =
        template && fill(&text, page, parts, from, template) &&
        file_write(arena_format(page->arena, "%s/%s", page->folder, file), text_str(&text), text.length, page->err);
    text_free(&text);
    return ok;
}
