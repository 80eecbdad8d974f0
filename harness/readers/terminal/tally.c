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

// Older results have the refusal only as text. The first phrase found in it decides the kind.
static const struct {
    const char *phrase, *kind;
} reason_kinds[] = {{"memory", "memory"}, {" takes ", "memory"}, {"estimated ", "too long here"},
    {"the device allows", "a limit"}, {"cooperative", "no such matrices"}, {"validation", "validation"}, {"", "other"}};

static void put_old_reason(struct text *out, const char *reason) {
    static const char lacks[] = "lacks the feature ";
    const char *feature = reason ? strstr(reason, lacks) : NULL;
    if (feature) {
        text_append(out, "no ");
        put_markdown(out, feature + strlen(lacks));
        return;
    }
    size_t kind = 0;
    while (!strstr(reason ? reason : "", reason_kinds[kind].phrase)) kind++;
    text_append(out, reason_kinds[kind].kind);
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
    if (skipped->refusal)
        put_markdown(out, refusal_brief(&arena, skipped->refusal));
    else
        put_old_reason(out, skipped->reason);
    arena_free(&arena);
}

bool holds(const struct point_tally *tally) {
    return tally->pass && !tally->fail;
}
