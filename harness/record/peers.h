// SPDX-License-Identifier: Apache-2.0
// Times of other programs for a result's cases, as written by scripts/peers/ (reports/schema/peers.schema.json).
// Nothing else depends on it.
#ifndef VKASSAY_RECORD_PEERS_H
#define VKASSAY_RECORD_PEERS_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct named_number; // terms.h
struct record;

struct peer {
    const char *name, *version, *device, *method; // "PyTorch"; all but the name may be NULL
};

struct peer_time {
    const char *peer, *operator, * dtype;
    struct named_number *dims; // as in a record, in any order
    int dim_count;
    double ns; // median, above 0
};

struct peers {
    struct arena arena; // owns the rest
    struct peer *items;
    size_t count;
    struct peer_time *times;
    size_t time_count;
};

// Reads the file. Returns false with file and path in err; `out` is then empty.
bool peers_read(const char *path, struct peers *out, struct error *err);
void peers_free(struct peers *peers);

// Returns the time of a peer, by its number, for the record's operator, dtype and dims; NaN if unknown. `peers` may
// be NULL.
double peer_ns(const struct peers *peers, size_t peer, const struct record *record);

extern const struct kind kind_peers_file; // struct peers

#endif
