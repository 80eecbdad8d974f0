// SPDX-License-Identifier: Apache-2.0
#include "../device/host_link.h"
#include "../readers/render/format.h"
#include "command.h"
#include "prepare.h"
#include "../device/device_info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 17, ANY_WIDTH = 1 << 20 }; // columns

// Prints one labelled line, wrapped between words on a terminal. Releases the text.
static void print_line(const char *label, struct text *words) {
    const int width = terminal_width();
    char lead[LABEL + 8];
    snprintf(lead, sizeof lead, "    %-12s ", label);
    print_hanging(stdout, lead, text_str(words), LABEL, width ? width : ANY_WIDTH);
    text_free(words);
}

static void print_features(const char *label, const struct device_info *d, bool present) {
    struct text names = {0};
    for (int f = 0; f < FEATURE_COUNT; f++)
        if (d->features[f] == present)
            text_format(&names, "%s%s", names.length ? " " : "", feature_name((enum feature)f));
    if (!names.length) text_append(&names, "none");
    print_line(label, &names);
}

// Prints "16x16x16 f16 x f16 + f32 to f32, workgroup of 128".
static void print_matrix(const char *label, const char *before, const struct cooperative *c) {
    struct text words = {0};
    text_format(&words, "%s%" PRIu32 "x%" PRIu32 "x%" PRIu32 " %s x %s + %s to %s%s, %s", before, c->m, c->n, c->k,
        component_name(c->a), component_name(c->b), component_name(c->c), component_name(c->result),
        c->saturating ? " saturating" : "", matrix_scope_name(c->scope));
    if (c->invocations) text_format(&words, " of %" PRIu32, c->invocations);
    print_line(label, &words);
}

static void print_matrices(const struct device_info *d) {
    struct text words = {0};
    for (int i = 0; i < d->cooperative_count; i++) print_matrix(i ? "" : "matrices", "", &d->cooperative[i]);
    for (int i = 0; i < d->flexible_count; i++) print_matrix(i ? "" : "flexible", "multiples of ", &d->flexible[i]);
    if (!d->flexible_count) return;
    text_format(&words,
        "sides up to %" PRIu32 ", workgroups up to %" PRIu32 ", which keep %" PRIu32 " bytes of shared memory",
        d->matrix2_side, d->matrix2_invocations, d->matrix2_shared_bytes);
    print_line("", &words);
}

static void print_limits(const struct device_info *d, const char *line) {
    struct text list = {0};
    for (int i = 0; i < LIMIT_COUNT; i++) {
        const struct limit *limit = &device_limits[i];
        if (!limit->line || strcmp(limit->line, line) != 0) continue;
        text_format(&list, "%s%s", list.length ? ", " : "", limit->before);
        limit_append(&list, limit, d, "x");
        text_append(&list, limit->after);
    }
    print_line(line, &list);
}

static void print_identity(const struct device_info *d) {
    struct text words = {0};
    const uint32_t version = d->api_version;
    text_format(&words, "%s %s; Vulkan %" PRIu32 ".%" PRIu32 ".%" PRIu32, *d->driver_name ? d->driver_name : "unnamed",
        d->driver_info, version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff);
    print_line("driver", &words);
    text_format(&words, "vendor 0x%04" PRIx32 " device 0x%04" PRIx32 " uuid %s driver uuid %s%s%s", d->vendor_id,
        d->device_id, d->device_uuid, d->driver_uuid, *d->pci ? " pci " : "", d->pci);
    print_line("identity", &words);
    host_link_say(&words, d);
    print_line("host link", &words);
}

static void print_device(const struct device_info *d, bool best) {
    struct text words = {0};
    printf("[%d] %s (%s)%s\n", d->index, d->name, device_kind_name(d->kind), best ? ", the default" : "");
    print_identity(d);
    print_limits(d, "workgroup");
    text_format(&words, "%" PRIu32, d->subgroup_size);
    if (d->min_subgroup_size != d->max_subgroup_size)
        text_format(&words, " (%s: %" PRIu32 " to %" PRIu32 ")",
            d->features[FEATURE_SUBGROUP_SIZE] ? "can be required" : "varies", d->min_subgroup_size,
            d->max_subgroup_size);
    print_line("subgroup", &words);
    print_limits(d, "buffers");
    if (d->timestamp_bits)
        text_format(&words, "%" PRIu32 " bits, %g ns a tick", d->timestamp_bits, d->timestamp_period_ns);
    else
        text_append(&words, "none: times come from the host's clock");
    print_line("timestamps", &words);
    queue_append(&words, d);
    print_line("queue", &words);
    for (int i = 0; i < d->heap_count; i++)
        text_format(&words, "%s%" PRIu64 " MiB%s", i ? ", " : "", d->heaps[i].bytes >> 20,
            d->heaps[i].device_local ? " on the device" : "");
    print_line("heaps", &words);
    print_matrices(d);
    print_features("has", d, true);
    print_features("lacks", d, false);
}

bool command_devices(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct prepared prepared = {0};
    (void)status;
    struct options all = *options;
    all.device = "all";
    if (!prepare_devices(arena, &all, &prepared, err)) return false;
    if (!options->json) {
        for (size_t i = 0; i < prepared.device_count; i++) print_device(&prepared.devices[i], i == 0);
        return true;
    }
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < prepared.device_count; i++)
        json_object_array_add(list, device_to_json(&prepared.devices[i]));
    json_print(list, stdout);
    return true;
}
