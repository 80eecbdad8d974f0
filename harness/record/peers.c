// SPDX-License-Identifier: Apache-2.0
#include "peers.h"

#include "../base/fields.h"
#include "../base/kind.h"
#include "parts.h"

#include <math.h>
#include <string.h>

static const struct field peer_fields[] = {{"name", &kind_text, offsetof(struct peer, name), REQUIRED},
    {"version", &kind_text, offsetof(struct peer, version), SPARSE},
    {"device", &kind_text, offsetof(struct peer, device), SPARSE},
    {"method", &kind_text, offsetof(struct peer, method), SPARSE}, {0}};

static const struct field time_fields[] = {{"peer", &kind_text, offsetof(struct peer_time, peer), REQUIRED},
    {"operator", &kind_text, offsetof(struct peer_time, operator), REQUIRED},
    {"dtype", &kind_text, offsetof(struct peer_time, dtype), REQUIRED},
    {"median_ns", &kind_above_0, offsetof(struct peer_time, ns), REQUIRED}, {0}};

static bool read_list(const struct json_at *root, const char *key, struct json_at *list, struct error *err) {
    return json_member(root, key, false, list, err) && json_expect(list, json_type_array, err);
}

static bool read_peers(const struct json_at *root, struct peers *out, struct error *err) {
    struct json_at list, item;
    if (!read_list(root, "peers", &list, err)) return false;
    out->items = arena_alloc(&out->arena, json_count(&list), sizeof *out->items);
    for (size_t i = 0; i < json_count(&list); i++) {
        if (!json_item(&list, i, &item, err) || !json_expect(&item, json_type_object, err) ||
            !fields_get(&out->arena, &item, peer_fields, &out->items[out->count++], err))
            return false;
    }
    return true;
}

static bool read_time(struct arena *arena, const struct json_at *item, struct peer_time *out, struct error *err) {
    struct record of = {0};
    struct json_at dims;
    if (!json_expect(item, json_type_object, err) || !fields_get(arena, item, time_fields, out, err) ||
        !json_member(item, "dims", false, &dims, err) || !kind_get(&kind_dims, arena, &dims, &of, err))
        return false;
    out->dims = of.dims;
    out->dim_count = of.dim_count;
    return true;
}

static bool read_times(const struct json_at *root, struct peers *out, struct error *err) {
    struct json_at list, item;
    if (!read_list(root, "times", &list, err)) return false;
    out->times = arena_alloc(&out->arena, json_count(&list), sizeof *out->times);
    for (size_t i = 0; i < json_count(&list); i++)
        if (!json_item(&list, i, &item, err) || !read_time(&out->arena, &item, &out->times[out->time_count++], err))
            return false;
    return true;
}

bool peers_read(const char *path, struct peers *out, struct error *err) {
    struct json_object *value = kind_read(path, KIND_PEERS, err);
    struct json_at root = json_root(value, path), version;
    *out = (struct peers){0};
    int64_t number;
    bool ok = value && json_expect(&root, json_type_object, err) &&
              json_member(&root, "schema_version", false, &version, err) &&
              json_integer(&version, 1, 1, &number, err) && read_peers(&root, out, err) && read_times(&root, out, err);
    json_object_put(value);
    if (!ok) peers_free(out);
    return ok;
}

void peers_free(struct peers *peers) {
    arena_free(&peers->arena);
    *peers = (struct peers){0};
}

static bool has_dim(const struct record *record, const struct named_number *dim) {
    for (int i = 0; i < record->dim_count; i++)
        if (strcmp(record->dims[i].name, dim->name) == 0) return record->dims[i].value == dim->value;
    return false;
}

static bool is_of(const struct peer_time *time, const char *peer, const struct record *record) {
    if (strcmp(time->operator, record->operator) != 0 || strcmp(time->dtype, record->dtype) != 0 ||
        strcmp(time->peer, peer) != 0 || time->dim_count != record->dim_count)
        return false;
    for (int i = 0; i < time->dim_count; i++)
        if (!has_dim(record, &time->dims[i])) return false;
    return true;
}

double peer_ns(const struct peers *peers, size_t peer, const struct record *record) {
    for (size_t i = 0; peers && i < peers->time_count; i++)
        if (is_of(&peers->times[i], peers->items[peer].name, record)) return peers->times[i].ns;
    return NAN;
}
