// SPDX-License-Identifier: Apache-2.0
// Writes OpenMetrics text in base units, for a node exporter's textfile collector or a push gateway. These read the
// older Prometheus text format, so no type of metric is used that only OpenMetrics has, such as info.
#include "export.h"

#include "../view.h"
#include "../../record/figures.h"
#include "../../record/device_key.h"
#include "../../record/result.h"
#include "../../record/record.h"
#include "../../device/device_info.h"

#include <math.h>

// Appends a quoted label value with the format's three escapes; nothing in it can end the line.
static void put_label(struct text *out, const char *name, const char *value, size_t length) {
    text_format(out, "%s=\"", name);
    for (size_t i = 0; i < length && value[i]; i++) {
        if (value[i] == '\\' || value[i] == '"') text_append(out, "\\");
        if (value[i] == '\n')
            text_append(out, "\\n");
        else if ((unsigned char)value[i] >= ' ')
            text_append_n(out, &value[i], 1);
    }
    text_append(out, "\"");
}

// Appends the labels of a metric. `device` is the number in vkassay_device_info.
static void put_labels(struct text *out, size_t device, const struct record *record) {
    text_format(out, "{device=\"%zu\",", device);
    put_label(out, "case", record->name, record->case_length);
    text_append(out, ",");
    put_label(out, "operator", record->operator, SIZE_MAX);
    text_append(out, ",");
    put_label(out, "kernel", record->kernel, SIZE_MAX);
    text_append(out, ",");
    put_label(out, "dtype", record->dtype, SIZE_MAX);
    text_append(out, "} ");
}

static const struct gauge {
    const char *name, *unit, *help;
    int figure;
    double scale;
} gauges[] = {
    {"vkassay_compute_seconds", "seconds", "Median compute time of the best shape of a case.", FIGURE_COMPUTE, 1e-9},
    {"vkassay_compute_low_seconds", "seconds", "Lower end of the 95 % interval of that median.", FIGURE_LOW, 1e-9},
    {"vkassay_compute_high_seconds", "seconds", "Upper end of the 95 % interval of that median.", FIGURE_HIGH, 1e-9},
    {"vkassay_peak_ratio", "ratio", "Share of the device's measured peak.", FIGURE_PEAK_SHARE, 1},
};

static void put_gauge(struct text *out, const struct gauge *gauge, const struct view *views, size_t count) {
    text_format(out, "# TYPE %s gauge\n# UNIT %s %s\n# HELP %s %s\n", gauge->name, gauge->name, gauge->unit,
        gauge->name, gauge->help);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < views[r].case_count; i++) {
            const struct record *best = views[r].cases[i]->best;
            if (!best) continue;
            const double value = figure_value(views[r].result, best, gauge->figure) * gauge->scale;
            if (!isfinite(value)) continue;
            text_append(out, gauge->name);
            put_labels(out, r, best);
            text_number(out, value);
            text_append(out, "\n");
        }
}

static void put_devices(struct text *out, const struct result *results, size_t count) {
    const bool units = results_need_units(results, count);
    struct arena arena = {0};
    text_append(out, "# TYPE vkassay_device_info gauge\n# HELP vkassay_device_info Device and driver of a result.\n");
    for (size_t r = 0; r < count; r++) {
        text_format(out, "vkassay_device_info{device=\"%zu\",", r);
        put_label(out, "name", results[r].device->name, SIZE_MAX);
        text_append(out, ",");
        put_label(out, "driver", results[r].device->driver_name, SIZE_MAX);
        text_append(out, ",");
        put_label(out, "driver_version", results[r].device->driver_info, SIZE_MAX);
        if (units) text_append(out, ",");
        if (units)
            put_label(out, "unit", device_unit(&arena, device_key(results[r].device, results[r].context)), SIZE_MAX);
        if (*results[r].device->profile.name) text_append(out, ",");
        if (*results[r].device->profile.name) put_label(out, "profile", results[r].device->profile.name, SIZE_MAX);
        text_append(out, "} 1\n");
    }
    arena_free(&arena);
}

static void put_statuses(struct text *out, const struct view *views, size_t count) {
    text_append(out, "# TYPE vkassay_points gauge\n# HELP vkassay_points Points by outcome.\n");
    for (size_t r = 0; r < count; r++)
        for (int s = 0; s < RECORD_STATUS_COUNT; s++)
            text_format(out, "vkassay_points{device=\"%zu\",status=\"%s\"} %zu\n", r,
                record_status_name((enum record_status)s), views[r].statuses[s]);
}

static bool put_openmetrics(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct arena arena = {0};
    struct view *views = arena_alloc(&arena, count + 1, sizeof *views);
    (void)err;
    for (size_t r = 0; r < count; r++) view_make(&results[r], &views[r]);
    put_devices(out, results, count);
    put_statuses(out, views, count);
    for (size_t g = 0; g < sizeof gauges / sizeof *gauges; g++) put_gauge(out, &gauges[g], views, count);
    text_append(out, "# EOF\n");
    for (size_t r = 0; r < count; r++) view_free(&views[r]);
    arena_free(&arena);
    return true;
}

const struct export_format format_openmetrics = {.name = "openmetrics",
    .summary = "OpenMetrics (Prometheus) text: times and shares of the peak of cases, points by status",
    .put = put_openmetrics};
