// SPDX-License-Identifier: Apache-2.0
// Charts and the page.
#include "../render.h"

#include "../../base/file.h"
#include "html.h"
#include "../terminal/exhaustive_table.h"
#include "../systems.h"

#include <string.h>

static void put_title(struct text *out, struct page *page) {
    struct json_object *run = json_get(page->view->result->context, "run");
    put_html_format(out, "%s: %s", page->view->result->device.name, json_get_string(run, "suite", "result"));
}

static void put_systems(struct text *out, struct page *page) {
    (void)page;
    put_system_legend(out);
}

static void put_exhaustive(struct text *out, struct page *page) {
    if (!inputs_count(page->view->result)) return;
    text_append(out, "<section id=\"exhaustive\"><h2>Every input</h2>\n<p class=note>The argument is "
                     "the one whose error takes up most of its bound, by its bits; worst ULP and "
                     "bound are there.</p>\n");
    put_exhaustive_table(out, page->view->result, EXHAUSTIVE_HTML);
    text_append(out, "</section>\n");
}

// What a {{name}} of page.html stands for.
static const struct part {
    const char *name;
    void (*put)(struct text *out, struct page *page);
} parts[] = {
    {"title", put_title},
    {"systems", put_systems},
    {"headline", put_headline},
    {"choice_table", put_choice_table},
    {"headline_table", put_headline_table},
    {"result_charts", put_result_charts},
    {"contents", put_contents},
    {"exhaustive", put_exhaustive},
    {"operators", put_operators},
    {"failures", put_failures},
    {"skips", put_skips},
    {"context", put_context},
};

// style.css and script.js go in as they are; everything else is made.
static void put_template_file(struct text *out, struct page *page, const char *file) {
    const char *path = arena_format(page->arena, "%s/html/%s", page->template_folder, file);
    char *bytes = path ? file_read(page->arena, path, NULL, page->err) : NULL;
    if (!bytes)
        page->failed = true;
    else
        text_append(out, bytes);
}

static bool fill(void *user, struct text *out, const char *name) {
    struct page *page = user;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].put(out, page);
            return true;
        }
    return false;
}

// What a page puts in a template's places, behind what every page has.
struct filling {
    struct page *page;
    bool (*filler)(void *user, struct text *out, const char *name);
    void *user;
};

static bool fill_place(void *user, struct text *out, const char *name) {
    const struct filling *filling = user;
    if (filling->page->failed) return true;
    if (strcmp(name, "style") != 0 && strcmp(name, "script") != 0) return filling->filler(filling->user, out, name);
    put_template_file(out, filling->page, strcmp(name, "style") == 0 ? "style.css" : "script.js");
    return true;
}

bool write_template(struct page *page, const char *name, const char *file,
    bool (*filler)(void *user, struct text *out, const char *name), void *user, struct error *err) {
    const char *template_path = arena_format(page->arena, "%s/html/%s", page->template_folder, name);
    const char *path = arena_format(page->arena, "%s/%s", page->folder, file);
    if (!template_path || !path) return error_set(err, STATUS_FAULT, "out of memory for the page");
    char *template = file_read(page->arena, template_path, NULL, err);
    if (!template) return false;
    struct text text = {0};
    struct filling filling = {page, filler, user};
    bool ok = put_template(&text, template_path, template, fill_place, &filling, err) && !page->failed;
    if (ok && text.failed) ok = error_set(err, STATUS_FAULT, "out of memory for the page");
    ok = ok && file_write(path, text_str(&text), text.length, err);
    text_free(&text);
    return ok;
}

static bool make_choices(struct page *page) {
    const struct view *view = page->view;
    size_t count = 0;
    for (size_t o = 0; o < view->count; o++) count += view->operators[o].count;
    struct choice *choices = arena_alloc(page->arena, count + 1, sizeof *choices);
    if (!choices) return error_set(page->err, STATUS_FAULT, "out of memory for the picks of %zu kernels", count);
    page->choices = choices;
    for (size_t o = 0; o < view->count; o++)
        for (size_t k = 0; k < view->operators[o].count; k++)
            if (!choice_of(&view->operators[o].kernels[k], &choices[page->kernel_count++]))
                return error_set(page->err, STATUS_FAULT, "out of memory for the picks of %zu kernels", count);
    return true;
}

bool render_report(
    const struct result *result, const char *folder, const char *template_folder, size_t *charts, struct error *err) {
    struct arena arena = {0};
    struct view view;
    struct drawings drawings;
    struct skip_group *skips;
    if (!view_make(result, &view, err)) return false;
    struct page page = {.view = &view,
        .arena = &arena,
        .folder = folder,
        .template_folder = template_folder,
        .drawings = &drawings,
        .err = err};
    const char *gnuplot_folder = arena_format(&arena, "%s/gnuplot", template_folder);
    bool ok = gnuplot_folder || error_set(err, STATUS_FAULT, "out of memory for the page");
    ok = ok && skip_groups(&view, &arena, &skips, &page.skip_count, err);
    if (ok) page.skips = skips;
    ok = ok && make_choices(&page);
    ok = ok && file_make_folder(folder, err) && charts_draw(&view, &arena, folder, gnuplot_folder, &drawings, err);
    ok = ok && write_template(&page, "page.html", "report.html", fill, &page, err);
    if (ok) *charts = drawings.drawn;
    arena_free(&arena);
    view_free(&view);
    return ok;
}
