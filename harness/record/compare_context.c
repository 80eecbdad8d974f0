// SPDX-License-Identifier: Apache-2.0
// Whether two results may be compared: the same device, driver and seed.
#include "compare.h"

#include <inttypes.h>
#include <string.h>

struct differences {
    struct arena *arena;
    const char **out;
    int count;
    bool failed;
};

static void differ(struct differences *d, const char *what, const char *base, const char *new) {
    if (strcmp(base, new) == 0 || d->count == COMPARE_DIFFERENCES) return;
    d->out[d->count] = arena_format(d->arena, "%s: %s, then %s", what, *base ? base : "none", *new ? new : "none");
    if (!d->out[d->count++]) d->failed = true;
}

static const char *driver(struct arena *arena, const struct device_info *info) {
    return arena_format(arena, "%s %s (%" PRIu32 ")", info->driver_name, info->driver_info, info->driver_version);
}

static const char *processor(struct arena *arena, const struct result *result) {
    struct json_object *host = json_get(result->context, "host");
    return arena_format(
        arena, "%s, %" PRId64 " cores", json_get_string(host, "cpu", "unknown"), json_get_int(host, "cores", 0));
}

static const char *model(struct arena *arena, const struct device_info *info) {
    return arena_format(arena, "%s (%04" PRIx32 ":%04" PRIx32 ")", info->name, info->vendor_id, info->device_id);
}

static const char *seed(const struct result *result) {
    return json_get_string(json_get(result->context, "run"), "seed", "unknown");
}

int context_differences(
    struct arena *arena, const struct result *base, const struct result *new, const char *out[COMPARE_DIFFERENCES]) {
    struct differences d = {.arena = arena, .out = out};
    const char *texts[] = {model(arena, &base->device), model(arena, &new->device), driver(arena, &base->device),
        driver(arena, &new->device), processor(arena, base), processor(arena, new)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!texts[i]) return -1;
    differ(&d, "device", texts[0], texts[1]);
    differ(&d, "driver", texts[2], texts[3]);
    if (base->device.kind == DEVICE_CPU && new->device.kind == DEVICE_CPU) differ(&d, "processor", texts[4], texts[5]);
    differ(&d, "seed", seed(base), seed(new));
    return d.failed ? -1 : d.count;
}
