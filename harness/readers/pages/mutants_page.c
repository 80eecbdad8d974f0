// SPDX-License-Identifier: Apache-2.0
// The page of mutants: tables, and kernel sources with the survivors beside their lines.
#include "html.h"

#include "../render/render.h"
#include "../terminal/mutants_table.h"

#include <string.h>

struct mutants_of {
    struct json_object *result;
    struct mutant_tables tables;
};

static const struct mutants_of *mutants_of(const struct page *page) {
    return page->of;
}

static void put_table(struct text *out, struct page *page, enum mutant_table which, const char *name) {
    struct table table;
    mutant_table_make(page->arena, &mutants_of(page)->tables, which, &table);
    put_table_html(out, &table, name);
}
static void put_kernels(struct text *out, struct page *page) {
    put_table(out, page, MUTANTS_BY_KERNEL, "kernels");
}
static void put_families(struct text *out, struct page *page) {
    put_table(out, page, MUTANTS_BY_FAMILY, "families");
}
static void put_mutations(struct text *out, struct page *page) {
    put_table(out, page, MUTANTS_BY_MUTATION, "mutations");
}

// ---- sources

static bool survived(struct json_object *mutant) {
    return strcmp(json_get_string(mutant, "verdict", ""), "survived") == 0;
}

static void put_mutant(struct text *out, struct json_object *m) {
    put_html_format(out, "<span class=mutant><b>%s</b> %s\n%s\n%s\n</span>", json_get_string(m, "change", ""),
        json_get_string(m, "operation", ""), json_get_string(m, "instruction", ""), json_get_string(m, "replay", ""));
}

static void put_source(struct text *out, struct json_object *mutants, const char *file, const char *source) {
    int64_t line = 1;
    put_html_format(out, "<details open><summary>%s</summary><pre class=source>", file);
    for (const char *at = source; *at; line++) {
        size_t length = strcspn(at, "\n");
        struct text copy = {0};
        text_append_n(&copy, at, length);
        text_format(out, "<i>%4lld</i> ", (long long)line);
        put_html_format(out, "%s\n", text_str(&copy));
        text_free(&copy);
        for (size_t i = 0; i < json_object_array_length(mutants); i++) {
            struct json_object *m = json_object_array_get_idx(mutants, i);
            if (survived(m) && json_get_int(m, "line", 0) == line && strcmp(json_get_string(m, "file", ""), file) == 0)
                put_mutant(out, m);
        }
        at += length + (at[length] == '\n');
    }
    text_append(out, "</pre></details>\n");
}

static void put_kernel(struct text *out, struct json_object *kernel) {
    struct json_object *mutants = json_get(kernel, "mutants"), *sources = json_get(kernel, "sources");
    bool any = false;
    for (size_t i = 0; i < json_object_array_length(mutants); i++)
        any |= survived(json_object_array_get_idx(mutants, i));
    if (!any) return;
    put_html_format(out, "<section class=operator><h3>%s</h3>\n", json_get_string(kernel, "name", ""));
    if (sources) {
        json_object_object_foreach(sources, file, source)
            put_source(out, mutants, file, json_object_get_string(source));
    }
    for (size_t i = 0; i < json_object_array_length(mutants); i++) {
        struct json_object *m = json_object_array_get_idx(mutants, i);
        if (!survived(m) || json_get(sources, json_get_string(m, "file", ""))) continue;
        text_append(out, "<pre class=source>");
        put_mutant(out, m);
        text_append(out, "</pre>\n");
    }
    text_append(out, "</section>\n");
}

static void put_sources(struct text *out, struct page *page) {
    struct json_object *kernels = json_get(mutants_of(page)->result, "mutated");
    if (!mutants_of(page)->tables.all.survived) text_append(out, "<p>Nothing survived.</p>\n");
    for (size_t i = 0; i < json_object_array_length(kernels); i++)
        put_kernel(out, json_object_array_get_idx(kernels, i));
}

static const struct page_part parts[] = {{"headline", put_description}, {"kernels", put_kernels},
    {"families", put_families}, {"mutations", put_mutations}, {"sources", put_sources}, {0}};

// Makes a bar for each family of kernels: the share of killed mutants.
static void make_card(const struct mutants_of *of, struct arena *arena, const struct page *page, struct card *out) {
    const struct mutant_rows *families = &of->tables.families;
    *out = (struct card){.title = page->title, .subtitle = page->description};
    for (size_t i = 0; i < families->count; i++) {
        const struct mutant_row *row = &families->items[i];
        card_bar(out, row->name,
            arena_format(arena, "%lld of %lld killed", (long long)row->killed,
                (long long)row->killed + (long long)row->survived),
            mutant_row_score(row), false);
    }
}

bool render_mutants_page(
    struct json_object *result, const char *folder, const char *template_folder, struct error *err) {
    struct arena arena = {0};
    struct mutants_of of = {.result = result};
    struct page page = page_in(folder, template_folder, &arena, err);
    page.of = &of;
    struct card card;
    struct text summary = {0};
    mutant_tables_make(&arena, result, &of.tables);
    put_mutant_summary(&summary, &of.tables, result);
    page.title = arena_format(&arena, "%s: mutants", json_get_string(json_get(result, "device"), "name", "a device"));
    page.description = arena_take(&arena, &summary);
    make_card(&of, &arena, &page, &card);
    bool ok = card_draw(&card, "card-mutants", &arena, folder, template_folder, err) &&
              write_page(&page, "mutants.html", "mutants.html", parts);
    arena_free(&arena);
    return ok;
}
