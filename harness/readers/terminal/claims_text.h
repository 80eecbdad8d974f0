// SPDX-License-Identifier: Apache-2.0
// Claims and their verdicts, in words. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_CLAIMS_TEXT_H
#define VKASSAY_RENDER_CLAIMS_TEXT_H

#include "../table/table.h"
#include "../claims/claims.h"

#include <stdio.h>

struct decided_claim {
    const struct claim *claim;
    struct claim_finding whole, *parts;
    bool *applies; // for each part: is it about this device?
};
struct decided_claims {
    const struct result *result;
    struct decided_claim *items;
    size_t count, counts[CLAIM_INFORMATIONAL]; // by verdict
};

void claims_tell(
    const struct claims *claims, const struct result *result, struct arena *arena, struct decided_claims *out);

// Makes a table with a row for each part. ALL_PARTS shows the claim beside its first part; PARTS_OF_ONE serves the
// claim's own section.
enum part_place { ALL_PARTS = 1, PARTS_OF_ONE = 2 };
void claim_parts(
    const struct decided_claim *claims, size_t count, enum part_place place, struct arena *arena, struct table *out);
const char *claim_class(enum verdict_of_claim verdict); // of style.css

// Appends "6 claims: 3 hold, 1 does not, 2 cannot be measured here, 0 are about other devices".
void put_claim_counts(struct text *out, const struct decided_claims *decided);
// Appends "holds" or "does not hold, by a proxy (scalar C in place of WebAssembly)".
void put_whole_verdict(struct text *out, const struct decided_claim *decided);
void put_claim_systems(struct text *out, const struct claim *claim);     // "torsh, candle"
void put_claimed(struct text *out, const struct claim_finding *finding); // "10x to 50x", "at most 50 us", or nothing
void put_found(
    struct text *out, const struct claim_finding *finding); // "12.3x; faster at every size from 64 on", or the reason

// Writes claims.md into `folder`.
bool claims_write(const struct decided_claims *decided, const char *folder, struct arena *arena, struct error *err);
void claims_print(const struct decided_claims *decided, FILE *out);

#endif
