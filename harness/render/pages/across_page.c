// SPDX-License-Identifier: Apache-2.0
// The page of several devices: a matrix of what one's best shapes cost on another, and the cases behind each field.
#include "across.h"
#include "../format.h"
#include "html.h"
#include "../render.h"

#include "../../base/file.h"

#include <math.h>
#include <string.h>

struct across_page {
    struct page page; // what templates are filled by
    const struct result *results;
    const char *const *paths;
    struct view *views;
    const char **labels;
    struct crossing *crossings; // [from * count + on]
    size_t count;
};

static const struct crossing *crossing_of(const struct across_page *p, size_t from, size_t on) {
    return &p->crossings[from * p->count + on];
}

// "1.34x (12)", and what of it was wrong or is missing.
static void put_crossing(struct text *out, const struct crossing *crossing) {
    put_factor(out, crossing->mean);
    if (crossing->timed) text_format(out, " (%zu)", crossing->timed);
    if (crossing->wrong) text_format(out, ", %zu wrong", crossing->wrong);
    if (crossing->missing) text_format(out, ", %zu not measured", crossing->missing);
}

static void put_field(struct text *out, const struct crossing *crossing) {
    struct text cell = {0};
    put_crossing(&cell, crossing);
    text_append(out, "<td class=right");
    if (isfinite(crossing->mean)) text_format(out, " data-sort=%.9g", crossing->mean);
    text_append(out, ">");
    put_html(out, text_str(&cell));
    text_append(out, "</td>");
    text_free(&cell);
}

static void put_matrix(struct text *out, struct across_page *p) {
    put_wide(out, "what the best shapes of one device cost on another");
    text_append(out, "<thead><tr><th scope=col>best shapes of</th>");
    for (size_t on = 0; on < p->count; on++) {
        text_append(out, "<th scope=col class=right>");
        put_html_format(out, "on %s", p->labels[on]);
        text_append(out, "</th>");
    }
    text_append(out, "</tr></thead><tbody>\n");
    for (size_t from = 0; from < p->count; from++) {
        text_append(out, "<tr><td>");
        put_html(out, p->labels[from]);
        text_append(out, "</td>");
        for (size_t on = 0; on < p->count; on++) put_field(out, crossing_of(p, from, on));
        text_append(out, "</tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

static void put_text_cell(struct text *out, struct text *cell, const char *class, double sort) {
    text_format(out, "<td%s%s", *class ? " class=" : "", class);
    if (isfinite(sort)) text_format(out, " data-sort=%.9g", sort);
    text_append(out, ">");
    put_html(out, text_str(cell));
    text_append(out, "</td>");
    text_free(cell);
}

// What became of the shape there: "=1.00x", "1.21x", "fail", or a dash.
static void put_loss(struct text *out, const struct carried *item) {
    if (!isnan(item->loss) && (item->record == item->on->best || case_ties(item->on->best, item->record)))
        text_append(out, "=");
    if (isnan(item->loss) && item->record && item->record->status != RECORD_PASS)
        text_append(out, record_status_name(item->record->status));
    else
        put_factor(out, item->loss);
}

static void put_pair(struct text *out, struct across_page *p, const struct carried *item, size_t from, size_t on) {
    struct text cell = {0};
    text_append(out, "<tr>");
    text_append(&cell, item->kernel->name);
    put_text_cell(out, &cell, "", NAN);
    text_append(&cell, item->kernel->dtype);
    put_text_cell(out, &cell, "", NAN);
    put_dims_named(&cell, item->from->records[0]);
    put_text_cell(out, &cell, "wraps", NAN);
    text_append(&cell, p->labels[from]);
    put_text_cell(out, &cell, "", NAN);
    put_shape(&cell, item->from->best);
    put_text_cell(out, &cell, "wraps", NAN);
    text_append(&cell, p->labels[on]);
    put_text_cell(out, &cell, "", NAN);
    if (item->on->best) put_shape(&cell, item->on->best);
    put_text_cell(out, &cell, "wraps", NAN);
    put_loss(&cell, item);
    put_text_cell(out, &cell, "right", item->loss);
    text_append(out, "</tr>\n");
}

static void put_pairs(struct text *out, struct across_page *p) {
    static const char *const heads[] = {"kernel", "type", "size", "best of", "shape", "on", "best there"};
    put_wide(out, "cases");
    text_append(out, "<thead><tr>");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) text_format(out, "<th scope=col>%s</th>", heads[i]);
    text_append(out, "<th scope=col class=right>cost</th></tr></thead><tbody>\n");
    for (size_t from = 0; from < p->count; from++)
        for (size_t on = 0; on < p->count; on++)
            for (size_t i = 0; from != on && i < crossing_of(p, from, on)->count; i++)
                put_pair(out, p, &crossing_of(p, from, on)->items[i], from, on);
    text_append(out, "</tbody></table></div>\n");
}

static void put_results(struct text *out, struct across_page *p) {
    static const char *const heads[] = {"device", "driver", "suite", "started", "file"};
    put_wide(out, "results");
    text_append(out, "<thead><tr>");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) text_format(out, "<th scope=col>%s</th>", heads[i]);
    text_append(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < p->count; i++) {
        const struct device_info *device = &p->results[i].device;
        struct json_object *run = json_get(p->results[i].context, "run");
        text_append(out, "<tr><td>");
        put_html(out, p->labels[i]);
        text_append(out, "</td><td>");
        put_html_format(out, "%s %s", device->driver_name, device->driver_info);
        text_append(out, "</td><td>");
        put_html(out, json_get_string(run, "suite", NOT_MEASURED));
        text_append(out, "</td><td>");
        put_html(out, json_get_string(run, "started", NOT_MEASURED));
        text_append(out, "</td><td class=long>");
        put_html(out, p->paths[i]);
        text_append(out, "</td></tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

static const struct part {
    const char *name;
    void (*put)(struct text *out, struct across_page *p);
} parts[] = {{"matrix", put_matrix}, {"pairs", put_pairs}, {"results", put_results}};

static bool fill(void *user, struct text *out, const char *name) {
    struct across_page *p = user;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].put(out, p);
            return true;
        }
    return false;
}

// A device's name; where another result has the same, with its driver and its place in the list.
static const char *label_of(const struct across_page *p, size_t index) {
    const struct device_info *device = &p->results[index].device;
    for (size_t i = 0; i < p->count; i++)
        if (i != index && strcmp(p->results[i].device.name, device->name) == 0)
            return arena_format(p->page.arena, "%s, %s (%zu)", device->name, device->driver_info, index + 1);
    return device->name;
}

static bool make(struct across_page *p) {
    struct arena *arena = p->page.arena;
    bool ok = (p->labels = arena_alloc(arena, p->count, sizeof *p->labels)) &&
              (p->crossings = arena_alloc(arena, p->count * p->count, sizeof *p->crossings));
    for (size_t i = 0; ok && i < p->count; i++) ok = (p->labels[i] = label_of(p, i)) != NULL;
    for (size_t i = 0; ok && i < p->count * p->count; i++)
        ok = crossing_make(&p->views[i / p->count], &p->views[i % p->count], arena, &p->crossings[i]);
    return ok || error_set(p->page.err, STATUS_FAULT, "out of memory for %zu devices", p->count);
}

static void print(const struct across_page *p, FILE *out) {
    struct text text = {0}, plain = {0};
    text_append(&text, "Best shapes of one device on another: geometric mean of slowdown (cases)\n");
    for (size_t i = 0; i < p->count * p->count; i++) {
        if (i / p->count == i % p->count) continue;
        text_format(&text, "  %s on %s: ", p->labels[i / p->count], p->labels[i % p->count]);
        put_crossing(&text, &p->crossings[i]);
        text_append(&text, "\n");
    }
    put_plain(&plain, text_str(&text), 0);
    fprintf(out, "\n%s\n", text_str(&plain));
    text_free(&text);
    text_free(&plain);
}

bool render_across(const struct result *results, const char *const *paths, size_t count, const char *folder,
    const char *template_folder, FILE *out, struct error *err) {
    struct arena arena = {0};
    struct across_page p = {.results = results,
        .paths = paths,
        .count = count,
        .page = {.arena = &arena, .folder = folder, .template_folder = template_folder, .err = err}};
    size_t made = 0;
    p.views = arena_alloc(&arena, count, sizeof *p.views);
    bool ok = p.views || error_set(err, STATUS_FAULT, "out of memory for %zu devices", count);
    for (; ok && made < count; made += ok) ok = view_make(&results[made], &p.views[made], err);
    ok = ok && make(&p) && file_make_folder(folder, err) &&
         write_template(&p.page, "devices.html", "devices.html", fill, &p, err);
    if (ok && out) print(&p, out);
    for (size_t i = 0; i < made; i++) view_free(&p.views[i]);
    arena_free(&arena);
    return ok;
}
