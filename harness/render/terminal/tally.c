// SPDX-License-Identifier: Apache-2.0
#include "tally.h"

#include "../format.h"
#include "../table/table.h"

#include <string.h>

struct tally tally_of(const struct result *result, const char *operator) {
    struct tally tally = {0};
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (operator&& strcmp(record->operator, operator) != 0) continue;
        if (record->status == RECORD_PASS) {
            tally.pass++;
        } else if (record->status == RECORD_SKIP) {
            if (!tally.skip++) tally.reason = record->reason;
        } else {
            tally.fail++;
        }
    }
    return tally;
}

void tally_add(struct tally *sum, struct tally more) {
    if (!sum->reason) sum->reason = more.reason;
    sum->pass += more.pass;
    sum->skip += more.skip;
    sum->fail += more.fail;
}

// Reasons name sizes and shapes; a table has room for their kind alone. Phrases are those of
// plan/legal.c, plan/memory.c and supervise/estimate.c; the first that occurs counts.
static const struct {
    const char *phrase, *kind;
} reason_kinds[] = {{"memory", "memory"}, {" takes ", "memory"}, {"estimated ", "too long here"},
    {"the device allows", "a limit"}, {"cooperative", "no such matrices"}, {"validation", "validation"}, {"", "other"}};

static void put_reason_kind(struct text *out, const char *reason) {
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

void put_verdict(struct text *out, const struct tally *tally) {
    size_t ran = tally->pass + tally->fail;
    if (tally->fail) {
        text_format(out, "**fail** (%zu of %zu)", tally->fail, ran);
    } else if (tally->pass) {
        text_format(out, "pass (%zu)", tally->pass);
    } else if (tally->skip) {
        text_append(out, "skip: ");
        put_reason_kind(out, tally->reason);
    } else {
        text_append(out, NOT_MEASURED);
    }
}

bool holds(const struct tally *tally) {
    return tally->pass && !tally->fail;
}
