// SPDX-License-Identifier: Apache-2.0
// Whether two results may be compared: the same device, driver and seed.
#include "compare.h"

#include <inttypes.h>
#include <string.h>

static void differ(
    struct comparison *c, enum context_difference what, const char *word, const char *base, const char *new) {
    if (strcmp(base, new) == 0) return;
    c->differ |= what;
    c->differences[c->difference_count++] =
        arena_format(&c->arena, "%s: %s, then %s", word, *base ? base : "none", *new ? new : "none");
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

void context_compare(struct comparison *c) {
    const struct device_info *base = &c->base->device, *new = &c->new->device;
    differ(c, DIFFERENT_DEVICE, "device", model(&c->arena, base), model(&c->arena, new));
    differ(c, DIFFERENT_DRIVER, "driver", driver(&c->arena, base), driver(&c->arena, new));
    if (base->kind == DEVICE_CPU && new->kind == DEVICE_CPU)
        differ(c, DIFFERENT_PROCESSOR, "processor", processor(&c->arena, c->base), processor(&c->arena, c->new));
    differ(c, DIFFERENT_SEED, "seed", seed(c->base), seed(c->new));
}
