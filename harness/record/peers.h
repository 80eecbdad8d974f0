// SPDX-License-Identifier: Apache-2.0
// What other programs took for the work of a result's cases, as scripts/peers/ writes it
// (reports/schema/peers.schema.json). Nothing else depends on it.
#ifndef VKASSAY_RECORD_PEERS_H
#define VKASSAY_RECORD_PEERS_H

#include "record.h"

struct peer {
    const char *name, *version, *device, *method; // "PyTorch"; all but the name may be NULL
};

struct peer_time {
    const char *peer, *operator, * dtype;
    struct named_number *dims; // as a record has them, in any order
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

// False with the file and the path in err; `out` is empty then.
bool peers_read(const char *path, struct peers *out, struct error *err);
void peers_free(struct peers *peers);

// What a peer, by its number, took for the record's operator, type and dims; NaN where it is not told. `peers` may be
// NULL.
double peer_ns(const struct peers *peers, size_t peer, const struct record *record);

#endif
