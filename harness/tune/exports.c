// SPDX-License-Identifier: Apache-2.0
// The table of formats, and the one that needs few words.
#include "exports.h"

#include "tuned_table.h"

const struct export_format *const every_format[] = {
    RESULT_FORMATS(ADDRESS_OF_FORMAT) TUNED_FORMATS(ADDRESS_OF_FORMAT) NULL};

static bool put_tuned(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)count;
    (void)err;
    tuned_put(out, &tables[0]);
    return true;
}

const struct export_format format_tuned = {.name = "tuned",
    .summary = "the tuned table as JSON, of any result whose cases were timed in several shapes",
    .single = true,
    .also = KIND_TUNED,
    .put_tables = put_tuned};
