// SPDX-License-Identifier: Apache-2.0
#include "../device/host_link.h"
#include "command.h"
#include "prepare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_version(const char *label, uint32_t version) {
    printf("%s%" PRIu32 ".%" PRIu32 ".%" PRIu32, label, version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff);
}

static void print_features(const struct device_info *d, bool present) {
    bool any = false;
    for (int f = 0; f < FEATURE_COUNT; f++) {
        if (d->features[f] != present) continue;
        printf("%s%s", any ? " " : "", feature_name((enum feature)f));
        any = true;
    }
    puts(any ? "" : "none");
}

// "f16 x f16 + f32 to f32, workgroup of 128".
static void print_matrix(const struct cooperative *c) {
    printf("%s x %s + %s to %s%s, %s", component_name(c->a), component_name(c->b), component_name(c->c),
        component_name(c->result), c->saturating ? " saturating" : "", matrix_scope_name(c->scope));
    if (c->invocations) printf(" of %" PRIu32, c->invocations);
    puts("");
}

static void print_matrices(const struct device_info *d) {
    for (int i = 0; i < d->cooperative_count; i++) {
        const struct cooperative *c = &d->cooperative[i];
        printf(
            "%s%" PRIu32 "x%" PRIu32 "x%" PRIu32 " ", i ? "                 " : "    matrices     ", c->m, c->n, c->k);
        print_matrix(c);
    }
    for (int i = 0; i < d->flexible_count; i++) {
        const struct cooperative *c = &d->flexible[i];
        printf("%smultiples of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " ", i ? "                 " : "    flexible     ",
            c->m, c->n, c->k);
        print_matrix(c);
    }
    if (d->flexible_count)
        printf("                 sides up to %" PRIu32 ", workgroups up to %" PRIu32 ", which keep %" PRIu32
               " bytes of shared memory\n",
            d->matrix2_side, d->matrix2_invocations, d->matrix2_shared_bytes);
}

static void print_limits(const struct device_info *d, const char *line) {
    struct text list = {0};
    for (size_t i = 0; i < device_limit_count; i++) {
        const struct limit *limit = &device_limits[i];
        if (!limit->line || strcmp(limit->line, line) != 0) continue;
        text_format(&list, "%s%s", list.length ? ", " : "", limit->before);
        limit_append(&list, limit, d, "x");
        text_append(&list, limit->after);
    }
    printf("    %-12s %s\n", line, text_str(&list));
    text_free(&list);
}

static void print_device(const struct device_info *d, bool best) {
    printf("[%d] %s (%s)%s\n", d->index, d->name, device_kind_name(d->kind), best ? ", the default" : "");
    printf("    driver       %s %s", *d->driver_name ? d->driver_name : "unnamed", d->driver_info);
    print_version("; Vulkan ", d->api_version);
    printf("\n    identity     vendor 0x%04" PRIx32 " device 0x%04" PRIx32 " uuid %s driver uuid %s%s%s\n",
        d->vendor_id, d->device_id, d->device_uuid, d->driver_uuid, *d->pci ? " pci " : "", d->pci);
    struct text link = {0};
    host_link_say(&link, d);
    printf("    host link    %s\n", text_str(&link));
    text_free(&link);
    print_limits(d, "workgroup");
    printf("    subgroup     %" PRIu32, d->subgroup_size);
    if (d->min_subgroup_size != d->max_subgroup_size)
        printf(" (can be required: %" PRIu32 " to %" PRIu32 ")", d->min_subgroup_size, d->max_subgroup_size);
    puts("");
    print_limits(d, "buffers");
    printf("    timestamps   ");
    if (d->timestamp_bits)
        printf("%" PRIu32 " bits, %g ns a tick", d->timestamp_bits, d->timestamp_period_ns);
    else
        printf("none: times come from the host's clock");
    printf("; queue family %" PRIu32 "\n    heaps        ", d->queue_family);
    for (int i = 0; i < d->heap_count; i++)
        printf("%s%" PRIu64 " MiB%s", i ? ", " : "", d->heaps[i].bytes >> 20,
            d->heaps[i].device_local ? " on the device" : "");
    puts("");
    print_matrices(d);
    printf("    has          ");
    print_features(d, true);
    printf("    lacks        ");
    print_features(d, false);
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
    puts(json_object_to_json_string_ext(list, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(list);
    return true;
}
