// SPDX-License-Identifier: Apache-2.0
// The members of a result around its records. Several places of the program write them one by one, so these tables only
// describe them.
#include "../base/fields.h"
#include "covered.h"
#include "parts.h"
#include "result.h"
#include "wall.h"
#include "../device/device_json.h"

#define TEXT(MEANING) KIND(kind_text, .meaning = MEANING)
#define LIST(KIND, MEANING)                                                                                            \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){.kind = &KIND}, .meaning = MEANING                                           \
    }

// ---- how `vkassay tune` searched

static const struct field pruned_fields[] = {
    {"shapes", KIND(kind_int64, .least = 1), NO_MEMBER, REQUIRED},
    {"reason", &kind_text, NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_pruned = {.fields = pruned_fields};

static const struct field search_fields[] = {
    {"case", &kind_text, NO_MEMBER, REQUIRED},
    {"strategy", &kind_text, NO_MEMBER, REQUIRED},
    {"shapes", KIND(kind_int64, .least = 1, .meaning = "Product of the numbers of the tunables' values."), NO_MEMBER,
        REQUIRED},
    {"legal", &kind_int64, NO_MEMBER, REQUIRED},
    {"pruned", LIST(kind_pruned, "Shapes that were not tried, by reason."), NO_MEMBER, REQUIRED},
    {"tried", &kind_int64, NO_MEMBER, REQUIRED},
    {"wrong", &kind_int64, NO_MEMBER, REQUIRED},
    {"samples", &kind_int64, NO_MEMBER, REQUIRED},
    {"neighbours", KIND(kind_int64, .meaning = "Other dims at which the choice was right."), NO_MEMBER, REQUIRED},
    {"seconds", &kind_amount, NO_MEMBER, REQUIRED},
    {"stopped", KIND(kind_flag, .meaning = "By the budget."), NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_search = {.fields = search_fields};

static const struct field tuning_fields[] = {
    {"budget_s", &kind_amount, NO_MEMBER, NULLABLE},
    {"cases", LIST(kind_search, NULL), NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_tuning = {.fields = tuning_fields, .meaning = "How `vkassay tune` searched each case."};

// ---- the run

static const struct field shard_fields[] = {
    {"index", KIND(kind_int, .least = 1), NO_MEMBER, REQUIRED},
    {"count", KIND(kind_int, .least = 1), NO_MEMBER, REQUIRED},
    {"points", KIND(kind_int64, .meaning = "Planned points of this shard, without peaks."), NO_MEMBER, SPARSE},
    {"of", KIND(kind_int64, .meaning = "Planned points of all shards."), NO_MEMBER, SPARSE},
    {"cut", KIND(kind_hex, .meaning = "Hash of the assignment of points to shards. Shards of one run have the same."),
        NO_MEMBER, SPARSE},
    {0},
};
static const struct kind kind_shard = {.fields = shard_fields};

static const struct kind kind_seed = {.meaning = "Decimal; a text, because JSON readers keep 53 bits of a number.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^[0-9]{1,20}$"})};
static const struct kind kind_time_of_day = {.schema = SCHEMA({"type" : "string", "pattern" : "^[0-9:TZ-]{20}$"})};

static const struct field run_fields[] = {
    {"suite", &kind_text, NO_MEMBER, NULLABLE},
    {"suite_file", &kind_text, NO_MEMBER, NULLABLE},
    {"seed", &kind_seed, NO_MEMBER, REQUIRED},
    {"argv", LIST(kind_text, "The command line; ~ is the user's home."), NO_MEMBER, REQUIRED},
    {"started", TEXT("ISO 8601, UTC."), NO_MEMBER, NULLABLE},
    {"cold", &kind_flag, NO_MEMBER, REQUIRED},
    {"shard", &kind_shard, NO_MEMBER, NULLABLE},
    {0},
};
const struct kind kind_run_start = {.fields = run_fields};

static const struct field run_end_fields[] = {
    {"devices_at_once",
        KIND(kind_int, .least = 2, .meaning = "Devices at work at the same time, in one call. Absent: one."), NO_MEMBER,
        SPARSE},
    {"cores",
        KIND(kind_int, .least = 1, .meaning = "Of several devices at once: hardware threads for this one's worker."),
        NO_MEMBER, SPARSE},
    {"own_cores",
        KIND(kind_int, .least = 1, .meaning = "Of these, threads reserved for this device's timed work. Absent: all."),
        NO_MEMBER, SPARSE},
    {"devices",
        LIST(kind_text, "Of `check --shard auto`: the devices that had points, by PCI id or UUID. Of a check that was "
                        "resumed on another device: its devices, by UUID."),
        NO_MEMBER, SPARSE},
    {"historical", KIND(kind_flag, .meaning = "Sources of its kernels have changed since, or are unknown."), NO_MEMBER,
        SPARSE},
    {"complete", KIND(kind_flag, .meaning = "The run did everything planned."), NO_MEMBER, NEW},
    {"why", TEXT("Why it did not."), NO_MEMBER, NEW_NULLABLE},
    {"left", KIND(kind_int64, .meaning = "Planned points without a record; of a search, cases. null: unknown."),
        NO_MEMBER, NEW_NULLABLE},
    {"peaks_from",
        KIND(kind_time_of_day, .meaning = "When the oldest of the peaks taken from an earlier run was measured."),
        NO_MEMBER, SPARSE},
    {"lost_workers", LIST(kind_text, "Losses of workers that cost no point."), NO_MEMBER, SPARSE},
    {"wall_s", &kind_amount, NO_MEMBER, NULLABLE},
    {"tuning", &kind_tuning, NO_MEMBER, SPARSE},
    {"jobs", KIND(kind_int, .least = 1, .meaning = "Workers at work at once, at most."), NO_MEMBER, NEW},
    {"covered",
        LIST(kind_covered, "The coverage of a check, a row for each kernel and dtype. Merged results have none."),
        NO_MEMBER, SPARSE},
    {"wall", &kind_wall_seconds, NO_MEMBER, NEW},
    {0},
};
static const struct kind kind_run = {.fields = run_fields, .also = run_end_fields};

// ---- the file

const struct kind kind_counts = {.each = sizeof(size_t),
    .values = &kind_size,
    .keys = &status_words,
    .required = RECORD_COMPILED,
    .meaning = "Records by status."};

static const struct field result_fields[] = {
    {"schema_version", &(const struct kind){.schema = SCHEMA({"const" : 2})}, NO_MEMBER, REQUIRED},
    {"tool", &kind_tool, NO_MEMBER, REQUIRED},
    {"host", &kind_host, NO_MEMBER, REQUIRED},
    {"device", &kind_device_info, NO_MEMBER, REQUIRED},
    {"run", &kind_run, NO_MEMBER, REQUIRED},
    {"peaks", &kind_peaks, NO_MEMBER, REQUIRED},
    {"counts", &kind_counts, NO_MEMBER, REQUIRED},
    {"records", LIST(kind_record, NULL), NO_MEMBER, REQUIRED},
    {0},
};
const struct kind kind_result = {.fields = result_fields, .meaning = "Records of one run and their context."};
_Static_assert(RESULT_SCHEMA_VERSION == 2, "the schema of the version");
