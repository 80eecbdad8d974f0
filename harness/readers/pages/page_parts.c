// SPDX-License-Identifier: Apache-2.0
// The parts of the page before and after the operators: facts of the run, failures, skips, device and host.
#include "html.h"

#include "../../device/host_link.h"
#include "../render/format.h"
#include "../../record/record.h"
#include "../../record/wall.h"
#include "../../record/result.h"

#include <inttypes.h>

static void put_fact(struct text *out, const char *name, const char *value) {
    if (value && *value) put_html_format(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

static void put_fact_number(struct text *out, const char *name, double value) {
    struct text number = {0};
    text_number(&number, value);
    if (measured(value)) put_fact(out, name, text_str(&number));
    text_free(&number);
}

void put_facts(struct text *out, struct page *page) {
    const struct result *result = page->view->result;
    const struct device_info *device = result->device;
    struct json_object *run = json_get(result->context, "run"), *tool = json_get(result->context, "tool");
    struct text driver = {0};
    put_driver(&driver, device);
    text_append(out, "<dl class=facts>\n");
    put_fact(out, "device", device->name);
    put_fact(out, "driver", text_str(&driver));
    put_fact(out, "suite", result_suite_label(page->arena, result, NULL));
    put_fact(out, "started", json_get_string(run, "started", NULL));
    put_fact(out, "seed", json_get_string(run, "seed", NULL));
    put_fact(out, "cache", json_get_bool(run, "cold", false) ? "cold" : "hot");
    put_fact(out, "vkassay", json_get_string(tool, "version", NULL));
    text_append(out, "</dl>\n");
    text_free(&driver);
}

// Appends failed points, each with reason and replay line.
void put_failures(struct text *out, struct page *page) {
    const struct failures *failures = &page->failures;
    size_t most = shown_most(page->view, SHOWN_ENTRIES);
    if (!failures->count) return;
    text_append(out, "<section id=failures><h2>Not right</h2>\n");
    for (size_t i = 0; i < failures->count && i < most; i++) {
        const struct failure *f = &failures->items[i];
        put_html_format(
            out, "<div class=\"failure filtered\"><h3><span class=status>%s</span> %s", f->outcome, f->record->name);
        put_alike(out, f);
        put_html_format(out, "</h3><pre>%s</pre>", f->reason);
        if (f->record->replay) put_html_format(out, "<pre class=replay>%s</pre>", f->record->replay);
        text_append(out, "</div>\n");
    }
    put_rest(out, failures->count < most ? failures->count : most, failures->count, "causes of failures");
    text_append(out, "</section>\n");
}

void put_skips(struct text *out, struct page *page) {
    if (!page->skip_count) return;
    size_t most = shown_most(page->view, SHOWN_ENTRIES), shown = page->skip_count < most ? page->skip_count : most;
    struct table table;
    table_make(&table, page->arena, skip_columns, 0, page->skips, sizeof *page->skips, shown);
    put_table_html(out, &table, "skipped");
    put_rest(out, shown, page->skip_count, "reasons");
}

static void put_limits(struct text *out, const struct device_info *device) {
    for (int i = 0; i < LIMIT_COUNT; i++) {
        const struct limit *limit = &device_limits[i];
        struct text value = {0};
        limit_append(&value, limit, device, " x ");
        if (limit->page && *text_str(&value) != '0') put_fact(out, limit->page, text_str(&value));
        text_free(&value);
    }
}

static void put_device(struct text *out, const struct device_info *device) {
    struct text queue = {0}, memory = {0}, link = {0};
    if (device->heap_count > 0) put_bytes(&memory, (double)device_memory(device));
    put_fact(out, "kind", device_kind_name(device->kind));
    put_fact(out, "device UUID", device->device_uuid);
    put_fact(out, "driver UUID", device->driver_uuid);
    put_fact(out, "PCI", device->pci);
    host_link_say(&link, device);
    put_fact(out, "host link", text_str(&link));
    put_fact(out, "memory", text_str(&memory));
    put_limits(out, device);
    queue_append(&queue, device);
    put_fact(out, "queue", text_str(&queue));
    text_free(&queue);
    put_fact_number(out, "timestamp period (ns)", device->timestamp_period_ns);
    put_fact_number(out, "timestamp bits", device->timestamp_bits);
    text_free(&link);
    text_free(&memory);
}

static void put_arguments(struct text *out, struct json_object *run) {
    struct json_object *argv = json_get(run, "argv");
    struct text line = {0};
    size_t count = json_object_is_type(argv, json_type_array) ? json_object_array_length(argv) : 0;
    for (size_t i = 0; i < count; i++)
        text_format(&line, "%s%s", i ? " " : "", json_object_get_string(json_object_array_get_idx(argv, i)));
    put_fact(out, "command", text_str(&line));
    text_free(&line);
}

void put_context(struct text *out, struct page *page) {
    struct json_object *context = page->view->result->context;
    struct json_object *run = json_get(context, "run"), *host = json_get(context, "host");
    struct peak_words *peaks;
    size_t count = peaks_list(page->view->result, page->arena, &peaks);
    text_append(out, "<h3>Measured peaks</h3>\n<dl class=facts>\n");
    for (size_t i = 0; i < count; i++) put_fact(out, peaks[i].name, peaks[i].figure);
    if (!count) text_append(out, "<div><dd>none in this result</dd></div>");
    text_append(out, "</dl>\n<h3>Device</h3>\n<dl class=facts>\n");
    put_device(out, page->view->result->device);
    text_append(out, "</dl>\n<h3>Host and run</h3>\n<dl class=facts>\n");
    put_fact(out, "processor", json_get_string(host, "cpu", NULL));
    put_fact_number(out, "cores", json_get_double(host, "cores", 0));
    put_fact(out, "system", json_get_string(host, "os", NULL));
    put_fact(out, "kernel", json_get_string(host, "kernel", NULL));
    const char *words = wall_words(page->arena, run);
    if (words)
        put_fact(out, "time", words);
    else
        put_fact_number(out, "seconds", json_get_double(run, "wall_s", 0));
    struct json_object *losses = json_get(run, "lost_workers"); // that cost no point
    const size_t lost = json_object_is_type(losses, json_type_array) ? json_object_array_length(losses) : 0;
    for (size_t i = 0; i < lost; i++)
        put_fact(out, "lost worker", json_object_get_string(json_object_array_get_idx(losses, i)));
    put_fact(out, "revision", json_get_string(json_get(context, "tool"), "git", NULL));
    put_arguments(out, run);
    text_append(out, "</dl>\n");
}
