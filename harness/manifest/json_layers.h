// SPDX-License-Identifier: Apache-2.0
// Layers of JSON objects: what a kernel leaves out comes from the
// file's "common", what a pass leaves out from its kernel. Nothing is
// copied, so that an error names the place where the value stands.
#ifndef VKASSAY_PLAN_JSON_LAYERS_H
#define VKASSAY_PLAN_JSON_LAYERS_H

#include "../base/json.h"

struct layers {
    struct json_at at[3]; // objects, the most specific first
    int count;
};

struct member {
    const char *name; // borrowed from the JSON
    struct json_at at;
};

// The member in the most specific layer that has it (a null is had, too); false when none has.
bool layers_find(const struct layers *layers, const char *key, struct json_at *out);

// The same of a member with several names, NULL-terminated; and whether one layer has a member.
bool layers_find_any(const struct layers *layers, const char *const *keys, struct json_at *out);
bool layer_has(const struct layers *layers, int layer, const char *key);

// As layers_find; an error at the most specific layer when none has it.
bool layers_need(const struct layers *layers, const char *key, struct json_at *out, struct error *err);

// Members of the objects that stand under `key`, merged by name: the least specific layer gives the
// order, the most specific the value. At most `room`.
bool layers_merge(
    const struct layers *layers, const char *key, struct member *out, int room, int *count, struct error *err);

#endif
