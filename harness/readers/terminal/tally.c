// SPDX-License-Identifier: Apache-2.0
#include "tally.h"

#include "../render/format.h"
#include "../table/table.h"
#include "../../record/record.h"
#include "../../record/refusal.h"
#include "../../record/terms.h"

#include <string.h>

void tally_count(struct point_tally *tally, const struct record *record) {
    if (record->status == RECORD_PASS) {
        tally->pass++;
    } else if (record->status == RECORD_SKIP) {
        if (!tally->skip++) tally->skipped = record;
    } else {
        tally->fail++;
    }
}

void put_verdict(struct text *out, const struct point_tally *tally) {
    size_t ran = tally->pass + tally->fail;
    if (tally->fail)
        text_format(out, "**fail** (%zu of %zu)", tally->fail, ran);
    else if (tally->pass)
        text_format(out, "pass (%zu)", tally->pass);
    else if (!tally->skip)
        text_append(out, NOT_MEASURED);
    if (!tally->skip) return;
    text_format(out, "%sskip (%zu): ", ran ? ", " : "", tally->skip);
    struct arena arena = {0};
    const struct record *skipped = tally->skipped;
    // Only the kind of the reason: a table has no room for its sizes and shapes.
    put_markdown(out, skipped->refusal ? refusal_brief(&arena, skipped->refusal) : "other");
    arena_free(&arena);
}

bool holds(const struct point_tally *tally) {
    return tally->pass && !tally->fail;
}
