// SPDX-License-Identifier: Apache-2.0
// The page of `check --tier compile`: spills and waves of each pipeline on each device, as colours.
#include "../render/format.h"
#include "../render/render.h"
#include "../table/pipelines.h"
#include "html.h"

#include "../../base/file.h"
#include "../../record/figures.h"
#include "../../record/result.h"
#include "../../record/record.h"
#include "../../device/device_info.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct compiled {
    struct pipelines pipelines;
    const char *code; // the folder of disassembly, as seen from the page; NULL: none
};

static const struct pipelines *pipelines_of(const struct page *page) {
    return &((const struct compiled *)page->of)->pipelines;
}

// Puts the kernel's name, with a link to its machine code if there is a file of it.
static void put_kernel(struct text *out, const struct page *page, const struct pipeline *row) {
    const struct compiled *of = page->of;
    const char *file = of->code && of->pipelines.device_count == 1 ? code_file_name(page->arena, row->any) : NULL;
    if (!file || !file_exists(arena_format(page->arena, "%s/%s/%s", page->folder, of->code, file))) {
        put_html_format(out, "<tr><td>%s", row->any->kernel);
        return;
    }
    put_html_format(out, "<tr><td><a href=\"%s/%s\" title=\"machine code\">%s</a>", of->code, file, row->any->kernel);
}

// ---- cells

static void put_heat(struct text *out, const char *class, double sort, const char *hint) {
    text_append(out, "<td");
    if (*class) put_html_format(out, " class=\"heat %s\"", class);
    if (isfinite(sort)) text_format(out, " data-sort=%.7g", sort);
    if (hint) put_html_format(out, " title=\"%s\"", hint);
    text_append(out, ">");
}

// Puts the spills if there are any, else the waves.
static void put_device(struct text *out, const struct pipelines *p, const struct pipeline *row, size_t device) {
    const struct record *record = row->of[device];
    const double grew = pipeline_growth(row, device);
    if (!record || record->status != RECORD_COMPILED) {
        put_heat(out, "none", NAN, record ? record->reason : NULL);
        text_append(out, !record ? "" : record->status == RECORD_SKIP ? "skip" : record_status_name(record->status));
    } else {
        const double spills = code_figure(record, CODE_SPILLS), waves = code_figure(record, CODE_WAVES);
        const bool spilled = spills > 0;
        const double most = p->devices[device].most_waves;
        const char *class = spills >= 100 ? "spill3" : spills >= 10 ? "spill2" : "spill1";
        if (!spilled) class = isnan(waves) || waves > most / 2 ? "" : waves > most / 4 ? "few1" : "few2";
        put_heat(out, class, spilled ? spills + 1e6 : -waves, spilled ? record->reason : NULL);
        if (spilled || !isnan(waves)) put_thousands(out, spilled ? spills : waves);
        if (grew != 0) text_format(out, " <b class=%s>(%+.0f)</b>", grew > 0 ? "bad" : "good", grew);
    }
    text_append(out, "</td>");
}

static void put_row(struct text *out, const struct page *page, const struct pipeline *row, bool all) {
    const struct pipelines *p = pipelines_of(page);
    put_kernel(out, page, row);
    put_html_format(out, "<td>%s<td class=wraps>", row->any->dtype ? row->any->dtype : "");
    for (const char *at = record_shape(row->any); *at;) {
        const size_t length = strcspn(at, ",") + (at[strcspn(at, ",")] == ',');
        struct text part = {0};
        text_append_n(&part, at, length);
        put_html_format(out, "%s", text_str(&part));
        text_append(out, "<wbr>");
        text_free(&part);
        at += length;
    }
    for (size_t d = 0; d < p->device_count; d++)
        if (all || p->devices[d].most_spills > 0) put_device(out, p, row, d);
    text_append(out, "</tr>\n");
}

// Puts all pipelines, or those that spill with the devices on which some do.
static void put_rows(struct text *out, const struct page *page, bool all) {
    const struct pipelines *p = pipelines_of(page);
    put_html_format(out, "<div class=wide role=region tabindex=0 aria-label=\"%s\"><table class=sorts>",
        all ? "all pipelines" : "pipelines that spill");
    text_append(out, "<thead><tr><th>kernel<th>type<th>shape");
    for (size_t d = 0; d < p->device_count; d++) {
        const struct device_info *device = p->devices[d].result->device;
        if (!all && p->devices[d].most_spills <= 0) continue;
        const char *name = device->name, *open = strrchr(name, '('), *end = name + strlen(name);
        while (end > name && isspace((unsigned char)end[-1])) end--;
        const bool ends_in_brackets = open && end[-1] == ')' && end - open > 2;
        // A short name: the words in brackets at the end, or the whole name.
        const char *from = ends_in_brackets ? open + 1 : name, *to = ends_in_brackets ? end - 1 : end;
        put_html_format(out, "<th title=\"%s (%s)\">%s", name, device->driver_info,
            arena_copy_n(page->arena, from, (size_t)(to - from)));
    }
    text_append(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < (all ? p->count : p->spilling); i++) put_row(out, page, &p->items[i], all);
    text_append(out, "</tbody></table></div>\n");
}

// ---- parts

static void put_devices(struct text *out, struct page *page) {
    const struct pipelines *p = pipelines_of(page);
    text_append(out,
        "<div class=wide role=region tabindex=0 aria-label=\"devices\"><table class=sorts><thead><tr><th>device"
        "<th>driver<th>compiled<th>spill<th>skipped</tr></thead><tbody>\n");
    for (size_t d = 0; d < p->device_count; d++) {
        const struct result *result = p->devices[d].result;
        const struct pipeline_counts n = pipelines_count(result);
        put_html_format(
            out, "<tr><td>%s<td>%s %s", result->device->name, result->device->driver_name, result->device->driver_info);
        text_format(out, "<td data-sort=%zu>%zu<td data-sort=%zu>%zu<td data-sort=%zu>%zu</tr>\n", n.compiled,
            n.compiled, n.spill, n.spill, n.skipped, n.skipped);
    }
    text_append(out, "</tbody></table></div>\n");
}

static void put_spilling(struct text *out, struct page *page) {
    const struct pipelines *p = pipelines_of(page);
    if (p->spilling)
        put_rows(out, page, false);
    else
        text_append(out, "<p>No pipeline spills.</p>\n");
}

static const struct record *explained(const struct pipelines *p, const struct pipeline *row) {
    for (size_t d = 0; d < p->device_count; d++)
        if (row->of[d] && row->of[d]->reason && code_figure(row->of[d], CODE_SPILLS) > 0) return row->of[d];
    return NULL;
}

// Lists the manifests' reasons, each kernel once.
static void put_reasons(struct text *out, struct page *page) {
    const struct pipelines *p = pipelines_of(page);
    text_append(out, "<ul>\n");
    for (size_t i = 0; i < p->spilling; i++) {
        const struct record *record = explained(p, &p->items[i]);
        bool listed = !record;
        for (size_t k = 0; k < i && !listed; k++) {
            const struct record *other = explained(p, &p->items[k]);
            listed = other && strcmp(other->kernel, record->kernel) == 0;
        }
        if (!listed) put_html_format(out, "<li>%s: %s</li>\n", record->kernel, record->reason);
    }
    text_append(out, "</ul>\n");
}

static void put_all(struct text *out, struct page *page) {
    put_rows(out, page, true);
}

static const struct page_part parts[] = {{"headline", put_description}, {"devices", put_devices},
    {"spills", put_spilling}, {"reasons", put_reasons}, {"all", put_all}, {0}};

bool render_compiled_page(const struct result *results, size_t count, const char *code, const char *folder,
    const char *template_folder, struct error *err) {
    struct arena arena = {0};
    struct compiled of = {.code = code};
    struct page page = page_in(folder, template_folder, &arena, err);
    pipelines_make(&of.pipelines, results, count);
    const struct pipelines *p = &of.pipelines;
    page.of = &of;
    page.title = "Machine code of each pipeline";
    page.description = arena_format(&arena, "%zu pipelines on %zu %s; %zu spill registers on some device", p->count,
        p->device_count, p->device_count == 1 ? "device" : "devices", p->spilling);
    const bool ok = file_make_folder(folder, err) && write_page(&page, "compiled.html", "compiled.html", parts);
    pipelines_free(&of.pipelines);
    arena_free(&arena);
    return ok;
}
