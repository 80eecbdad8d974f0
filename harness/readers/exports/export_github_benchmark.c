// SPDX-License-Identifier: Apache-2.0
// Writes JSON for github-action-benchmark, tool "customSmallerIsBetter", which tracks benchmarks by name from commit
// to commit. An entry is a case, so its name does not depend on the best shape. A case without a time has no entry;
// the run's exit status reports failures.
#include "export.h"

#include "../render/format.h"
#include "../render/view.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../truth/stats/summary.h"
#include "../../device/device_info.h"

// Appends "shape 16x16 TILE_K=16, the best of 7 timed\nNVIDIA H200, NVIDIA 570.86".
static void put_extra(struct text *out, const struct result *result, const struct view_case *c) {
    size_t timed = timed_shapes(c);
    text_append(out, "shape ");
    put_shape(out, c->best);
    if (timed > 1) text_format(out, ", the best of %zu timed", timed);
    text_format(out, "\n%s, %s %s", result->device->name, result->device->driver_name, result->device->driver_info);
}

static struct json_object *entry_of(const struct result *result, const struct view_case *c) {
    const struct summary *time = &c->best->time[FIGURE_COMPUTE];
    struct json_object *entry = json_object_new_object();
    struct text name = {0}, range = {0}, extra = {0};
    text_append_n(&name, c->best->name, c->best->case_length);
    text_format(&range, "± %.3g", (time->hi - time->lo) / 2);
    put_extra(&extra, result, c);
    json_put_string(entry, "name", text_str(&name));
    json_put_string(entry, "unit", "ns");
    json_put_double(entry, "value", time->median);
    if (time->samples > 1) json_put_string(entry, "range", text_str(&range));
    json_put_string(entry, "extra", text_str(&extra));
    text_free(&name);
    text_free(&range);
    text_free(&extra);
    return entry;
}

static bool put_github_benchmark(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct view view;
    (void)count, (void)err;
    struct json_object *list = json_object_new_array();
    view_make(&results[0], &view);
    for (size_t i = 0; i < view.case_count; i++)
        if (view.cases[i]->best) json_object_array_add(list, entry_of(&results[0], view.cases[i]));
    json_put_text(out, list, JSON_C_TO_STRING_PRETTY);
    text_append(out, "\n");
    view_free(&view);
    return true;
}

const struct export_format format_github_benchmark = {.name = "github-benchmark",
    .summary = "github-action-benchmark JSON (customSmallerIsBetter): cases by their best shape",
    .single = true,
    .put = put_github_benchmark};
