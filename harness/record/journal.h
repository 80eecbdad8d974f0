// SPDX-License-Identifier: Apache-2.0
// A run on its way into a result: its context, its journal, its completeness, and its records in memory.
#ifndef VKASSAY_RECORD_JOURNAL_H
#define VKASSAY_RECORD_JOURNAL_H

#include "../base/arena.h"
#include "../base/error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

struct device_info;
struct text;

// The context of a run, before any record. argv[0] is written without its folder, and the user's home as "~"
// (home_path_to_json).
struct run_start {
    int argc;
    char **argv;
    const char *suite, *suite_file, *started; // ISO 8601, UTC
    uint64_t seed;
    bool cold;
    int shard_index, shard_count; // 0/0: not sharded
};
struct json_object *context_make(const struct device_info *device, const struct run_start *start);
// Describes this host, without its name, because results are made to be shared.
struct json_object *host_make(void);
// Returns this program's name as in contexts: "vkassay VERSION (GIT STATE)".
const char *context_tool(void);

// Converts a word of a command line for a context: the user's home becomes "~" at the start of a path. NULL gives
// null.
struct json_object *home_path_to_json(const char *word);
// Converts it back with the current home. Returns NULL with STATUS_BAD_INPUT if HOME is needed and names none.
char *home_path_read(struct arena *arena, const char *recorded, struct error *err);

// ---- the journal

// The journal is the result while it grows: line 1 is the context, then each line is a record. When an append
// returns, its line is on disk (fsync). Parts of an exhaustive check are within lines of their own, because the result
// has their join as a record.
#define JOURNAL_PART "part"
// In the run of a resumed journal's context: numbers of its lines whose bytes were changed. Their points are run again.
#define JOURNAL_BAD_LINES "bad_lines"
// The last line of a result: {"end": {"records": 12}}.
#define JOURNAL_END "end"
struct journal;
struct journal *journal_create(const char *path, struct json_object *context, struct error *err);
// Opens the journal of an earlier run: reads context and records, and gets ready to append. The first append removes
// the end of the run or a torn line. Lines with another checksum are left out. Records are evicted at once. The caller
// releases the context and each record.
struct journal *journal_resume(const char *path, struct arena *arena, struct json_object **context,
    struct json_object ***records, size_t *count, struct error *err);
bool journal_append(struct journal *journal, struct json_object *record, struct error *err);
// Goes back to the end of an evicted record, or of the context for NULL: the next append replaces what follows.
void journal_rewind(struct journal *journal, struct json_object *last);
// Notes the device of a resumed run, by its UUID. If it differs from the context's, it is written to the journal and
// to the context (run.devices).
bool journal_goes_on_with(
    struct journal *journal, struct json_object *context, const char *device_uuid, struct error *err);
// Adds the device of such a line to the context's run. Returns whether the line is one; all others are records.
bool journal_take_device(struct json_object *context, struct json_object *line);
// Sheds the record appended last, because the journal has it.
void journal_evict(struct journal *journal, struct json_object *record);
void journal_close(struct journal *journal);

// Joins the parts of exhaustive checks: replaces the records of each case's chunks by one, from the first input to
// the last, and moves the chunks to the array `parts`. Other records are unchanged. Updates *count; returns false, with
// nothing lost, if memory is out.
bool exhaustive_join(struct json_object **records, size_t *count, struct json_object *parts, struct error *err);

// ---- completeness of a run: `complete`, `why` and `left` in the context's "run". Older results without these count
// as whole.

enum { WHOLE_UNKNOWN = -1 }; // unknown number of points left

// Notes the completeness. `why` NULL: the run is whole, and nothing is left. `left`: points without a record; for a
// search, cases.
void whole_put(struct json_object *run, const char *why, int64_t left);

bool whole_is(struct json_object *run);

// Returns "cut short: interrupted; 20 left", in the arena; NULL for a whole run.
const char *whole_words(struct arena *arena, struct json_object *run);

// ---- evicted records: during a run most of a record in the journal is dropped from memory, and read again for the
// result

// The outputs of a record's check: judged, left out, all, and judged by a run with whole numbers; 0 without a check.
// `special` and `met`: the special values of its inputs, and those among them that met a judged output; a bit for each
// value (SPECIAL_VALUES) of each operand.
struct judged_outputs {
    int64_t checked, elements, excluded, exact;
    int placement;
    uint32_t special, met;
};
struct judged_outputs record_judged(struct json_object *record);
struct judged_outputs judged_of(struct json_object *check); // of a record's member, or NULL

// Appends a record's text, on one line. That of an evicted record is as in the journal; false if it cannot be read.
bool record_line(struct json_object *record, struct text *out, struct error *err);

#endif
