// SPDX-License-Identifier: Apache-2.0
// The members of a result around its records. Several places of the program write them one by one, so these tables only
// describe them.
#include "described.h"

#include "../../device/device_info.h"
#include "../../record/covered.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/wall.h"
#include "../../tune/tune_session.h"

#define TEXT(MEANING) KIND(kind_text, .meaning = MEANING)

// ---- the run

static const struct kind kind_time_of_day = {.schema = SCHEMA({"type" : "string", "pattern" : "^[0-9:TZ-]{20}$"})};

static const struct field run_end_fields[] = {
    {"devices_at_once",
        KIND(kind_int, .least = 2, .meaning = "Devices at work at the same time, in one call. Absent: one."), 0,
        SPARSE},
    {"cores",
        KIND(kind_int, .least = 1, .meaning = "Of several devices at once: hardware threads for this one's worker."), 0,
        SPARSE},
    {"own_cores",
        KIND(kind_int, .least = 1, .meaning = "Of these, threads reserved for this device's timed work. Absent: all."),
        0, SPARSE},
    {"devices",
        LIST(kind_text, "Of `check --shard auto`: the devices that had points, by PCI id or UUID. Of a check that was "
                        "resumed on another device: its devices, by UUID."),
        0, SPARSE},
    {"historical", KIND(kind_flag, .meaning = "Sources of its kernels have changed since, or are unknown."), 0, SPARSE},
    {"complete", KIND(kind_flag, .meaning = "The run did everything planned."), 0, NEW},
    {"why", TEXT("Why it did not."), 0, NEW_NULLABLE},
    {"left", KIND(kind_int64, .meaning = "Planned points without a record; of a search, cases. null: unknown."), 0,
        NEW_NULLABLE},
    {"peaks_from",
        KIND(kind_time_of_day, .meaning = "When the oldest of the peaks taken from an earlier run was measured."), 0,
        SPARSE},
    {"bad_lines",
        LIST(kind_int64, "Lines of the resumed result whose bytes were changed: their points were run again."), 0,
        SPARSE},
    {"lost_workers", LIST(kind_text, "Losses of workers that cost no point."), 0, SPARSE},
    {"wall_s", &kind_amount, 0, NULLABLE},
    {"tuning", &kind_tuning, 0, SPARSE},
    {"jobs", KIND(kind_int, .least = 1, .meaning = "Workers at work at once, at most."), 0, NEW},
    {"covered",
        LIST(kind_covered, "The coverage of a check, a row for each kernel and dtype. Merged results have none."), 0,
        SPARSE},
    {"wall", &kind_wall_seconds, 0, NEW},
    {0},
};
static const struct kind kind_run = {.fields = run_start_fields, .also = run_end_fields};

// ---- the file

static const struct field result_fields[] = {
    {"schema_version", &(const struct kind){.schema = SCHEMA({"const" : 2})}, 0, REQUIRED},
    {"tool", &kind_tool, 0, REQUIRED},
    {"host", &kind_host, 0, REQUIRED},
    {"device", &kind_device_info, 0, REQUIRED},
    {"run", &kind_run, 0, REQUIRED},
    {"peaks", &kind_peaks, 0, REQUIRED},
    {"counts", &kind_counts, 0, REQUIRED},
    {"records", LIST(kind_record, NULL), 0, REQUIRED},
    {LINE_SUM, &kind_line_sum, 0, SPARSE},
    {0},
};
const struct kind kind_result = {.fields = result_fields, .meaning = "Records of one run and their context."};
_Static_assert(RESULT_SCHEMA_VERSION == 2, "the schema of the version");
