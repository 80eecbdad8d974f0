// SPDX-License-Identifier: Apache-2.0
// Layers of JSON objects. A member missing from a pass comes from its kernel, and one missing from a kernel comes
// from the file's "common". Nothing is copied, so an error names the place of the value in the file.
#ifndef VKASSAY_MANIFEST_JSON_LAYERS_H
#define VKASSAY_MANIFEST_JSON_LAYERS_H

#include "../../base/json.h"

struct layers {
    struct json_at at[4]; // objects, the most specific first
    int count;
};

struct member {
    const char *name; // borrowed from the JSON
    struct json_at at;
};

// Finds the member in the most specific layer with this key. A null counts as present. Returns false if no layer has
// the key.
bool layers_find(const struct layers *layers, const char *key, struct json_at *out);

// `layers_find_any` does the same for a member with several names (NULL-terminated). `layer_has` returns whether one
// layer has the member.
bool layers_find_any(const struct layers *layers, const char *const *keys, struct json_at *out);
bool layer_has(const struct layers *layers, int layer, const char *key);

// Like layers_find, but a missing member is an error at the most specific layer.
bool layers_need(const struct layers *layers, const char *key, struct json_at *out, struct error *err);

// Merges the members of the objects under `key` by name. The least specific layer gives the order, the most specific
// one the value. More than `room` members are an error.
bool layers_merge(
    const struct layers *layers, const char *key, struct member *out, int room, int *count, struct error *err);

#endif
