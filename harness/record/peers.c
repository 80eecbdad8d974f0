// SPDX-License-Identifier: Apache-2.0
#include "peers.h"

#include "../base/fields.h"
#include "../base/kind.h"
#include "parts.h"

#include <math.h>
#include <string.h>

static const struct field peer_fields[] = {{"name", KIND(kind_text, .least = 1), offsetof(struct peer, name), REQUIRED},
    {"version", &kind_text, offsetof(struct peer, version), SPARSE},
    {"device", &kind_text, offsetof(struct peer, device), SPARSE},
    {"method", KIND(kind_text, .meaning = "How it was timed."), offsetof(struct peer, method), SPARSE}, {0}};

// Reads dims as in a record.
static bool dims_get(struct arena *arena, const struct json_at *at, void *time, struct error *err) {
    struct peer_time *out = time;
    struct record of = {0};
    if (!kind_get(&kind_dims, arena, at, &of, err)) return false;
    out->dims = of.dims;
    out->dim_count = of.dim_count;
    return true;
}
static const struct kind kind_dims_of_time = {.get = dims_get,
    .name = "dims",
    .meaning = "Dims as in a record, then parameters that differ from their default.",
    .values = &kind_special};

static const struct field time_fields[] = {
    {"peer", KIND(kind_text, .meaning = "The name of one of the peers."), offsetof(struct peer_time, peer), REQUIRED},
    {"operator", &kind_text, offsetof(struct peer_time, operator), REQUIRED},
    {"dtype", &kind_text, offsetof(struct peer_time, dtype), REQUIRED},
    {"median_ns", &kind_above_0, offsetof(struct peer_time, ns), REQUIRED}, {"dims", &kind_dims_of_time, 0, REQUIRED},
    {0}};

// Members for people, which the program does not read.
static const struct field way_fields[] = {
    {"way", &kind_text, 0, REQUIRED},
    {"median_ns", &kind_above_0, 0, SPARSE},
    {"reason", KIND(kind_text, .meaning = "Why there is no time."), 0, SPARSE},
    {0},
};
static const struct kind kind_way = {.fields = way_fields};
static const struct kind kind_ways = {.list = &(const struct item_list){.kind = &kind_way},
    .meaning = "All ways that were tried to do the work; the time is of the fastest."};
static const struct field unread_fields[] = {
    {"lo_ns", KIND(kind_real, .meaning = "Ends of the 95 % interval of the median."), 0, SPARSE},
    {"hi_ns", &kind_real, 0, SPARSE},
    {"samples", KIND(kind_int, .least = 1), 0, SPARSE},
    {"call", KIND(kind_text, .meaning = "The call, or the printed line."), 0, SPARSE},
    {"ways", &kind_ways, 0, SPARSE},
    {0},
};
static const struct kind kind_peer = {.fields = peer_fields},
                         kind_peer_time = {.fields = time_fields, .also = unread_fields};
static const struct field file_fields[] = {{"schema_version", &kind_version_1, 0, REQUIRED},
    {"peers", ARENA_LIST(struct peers, items, count, &kind_peer, 0), 0, REQUIRED},
    {"times", ARENA_LIST(struct peers, times, time_count, &kind_peer_time, 0), 0, REQUIRED}, {0}};

static const struct field left_fields[] = {
    {"peer", &kind_text, 0, REQUIRED},
    {"operator", &kind_text, 0, REQUIRED},
    {"dtype", &kind_text, 0, REQUIRED},
    {"dims", &kind_dims_of_time, 0, REQUIRED},
    {"reason", &kind_text, 0, REQUIRED},
    {0},
};
static const struct kind kind_left_out = {.fields = left_fields};
static const struct field unread_lists[] = {
    {"left_out", &(const struct kind){.list = &(const struct item_list){.kind = &kind_left_out}}, 0, REQUIRED}, {0}};
const struct kind kind_peers_file = {.fields = file_fields, .also = unread_lists};

bool peers_read(const char *path, struct peers *out, struct error *err) {
    struct json_object *value = kind_read(path, KIND_PEERS, err);
    const struct json_at root = json_root(value, path);
    *out = (struct peers){0};
    bool ok = value && fields_get(&out->arena, &root, file_fields, out, err);
    json_object_put(value);
    if (!ok) peers_free(out);
    return ok;
}

void peers_free(struct peers *peers) {
    arena_free(&peers->arena);
    *peers = (struct peers){0};
}

static bool is_of(const struct peer_time *time, const char *peer, const struct record *record) {
    if (strcmp(time->operator, record->operator) != 0 || strcmp(time->dtype, record->dtype) != 0 ||
        strcmp(time->peer, peer) != 0 || time->dim_count != record->dim_count)
        return false;
    for (int i = 0; i < time->dim_count; i++) {
        int at = 0;
        while (at < record->dim_count && strcmp(record->dims[at].name, time->dims[i].name) != 0) at++;
        if (at == record->dim_count || record->dims[at].value != time->dims[i].value) return false;
    }
    return true;
}

double peer_ns(const struct peers *peers, size_t peer, const struct record *record) {
    for (size_t i = 0; peers && i < peers->time_count; i++)
        if (is_of(&peers->times[i], peers->items[peer].name, record)) return peers->times[i].ns;
    return NAN;
}
