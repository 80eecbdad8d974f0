// SPDX-License-Identifier: Apache-2.0
#include "json_layers.h"

#include <string.h>

static bool has(const struct json_at *object, const char *key) {
    return json_object_is_type(object->value, json_type_object) && json_object_object_get_ex(object->value, key, NULL);
}

bool layer_has(const struct layers *layers, int layer, const char *key) {
    return has(&layers->at[layer], key);
}

bool layers_find_any(const struct layers *layers, const char *const *keys, struct json_at *out) {
    struct error none;
    for (int i = 0; i < layers->count; i++)
        for (int k = 0; keys[k]; k++)
            if (has(&layers->at[i], keys[k])) return json_member(&layers->at[i], keys[k], false, out, &none);
    return false;
}

bool layers_find(const struct layers *layers, const char *key, struct json_at *out) {
    return layers_find_any(layers, (const char *const[]){key, NULL}, out);
}

bool layers_need(const struct layers *layers, const char *key, struct json_at *out, struct error *err) {
    return layers_find(layers, key, out) || json_member(&layers->at[0], key, false, out, err);
}

static struct member *place(struct member *out, int room, int *count, const char *name) {
    for (int i = 0; i < *count; i++)
        if (strcmp(out[i].name, name) == 0) return &out[i];
    if (*count == room) return NULL;
    out[*count].name = name;
    return &out[(*count)++];
}

bool layers_merge(
    const struct layers *layers, const char *key, struct member *out, int room, int *count, struct error *err) {
    *count = 0;
    for (int i = layers->count - 1; i >= 0; i--) {
        struct json_at object;
        if (!has(&layers->at[i], key)) continue;
        if (!json_member(&layers->at[i], key, false, &object, err)) return false;
        if (!json_expect(&object, json_type_object, err)) return false;
        json_object_object_foreach(object.value, name, value) {
            (void)value;
            struct member *member = place(out, room, count, name);
            if (!member) return json_fail(&object, err, "expected at most %d members", room);
            if (!json_member(&object, name, false, &member->at, err)) return false;
        }
    }
    return true;
}
