// SPDX-License-Identifier: Apache-2.0
// A page made of a template and its parts.
#include "html.h"

#include "../../base/file.h"

#include <string.h>

static bool put_file(struct text *out, struct page *page, const char *file) {
    char *bytes =
        file_read(page->arena, arena_format(page->arena, "%s/html/%s", page->template_folder, file), NULL, page->err);
    if (bytes) text_append(out, bytes);
    return bytes != NULL;
}

// style.css and script.js go in as they are; everything else is made.
static bool put_part(
    struct text *out, struct page *page, const struct page_part *parts, const char *template, const char *name) {
    if (strcmp(name, "style") == 0) return put_file(out, page, "style.css");
    if (strcmp(name, "script") == 0) return put_file(out, page, "script.js");
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
