// SPDX-License-Identifier: Apache-2.0
// A result: records and their context; and the journal that keeps them safe while a run goes on.
#ifndef VKASSAY_RECORD_RESULT_H
#define VKASSAY_RECORD_RESULT_H

#include "../device/limits.h"
#include "peers.h"
#include "record.h"
#include "../base/arena.h"
#include "../base/json.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define RESULT_SCHEMA_VERSION 2 // what is written; files of version 1 are read too (version1.h)

struct result {
    struct arena arena;          // owns everything below but the context and the array of records
    struct json_object *context; // tool, host, device, run, peaks: as in the file, without records
    struct device_info device;
    struct record *records;
    size_t count, capacity;        // capacity: of the records that result_read made; 0: someone else's
    const struct peers *peers;     // times of other programs to show beside it (peers.h), someone else's; NULL: none
    const struct comparison *last; // with the run before it (compare.h), to show beside it, someone else's; NULL: none
};

// Peaks by name ("copy_bytes_per_s"); NaN when not measured.
double result_peak(const struct result *result, const char *name);
// "B/s", "FLOP/s", "OP/s" (of whole numbers), "ns"; NULL when the name tells no way to compute a peak (result.c lists
// the endings it may have).
const char *peak_unit(const char *name);

// What a record gives of the peak that it serves, in that unit, with the ends of its 95 % interval; false: nothing, as
// it serves none, is not right or was not measured.
struct peak_figure {
    double value, lo, hi;
};
bool peak_figure(const struct record *record, struct peak_figure *out);
bool peak_is_better(const char *name, double value, double than); // NaN is worse than any

// The peaks of records, an object by name: the best of those that name it and pass; null when none does. Results hold
// them, the supervisor estimates by them.
struct json_object *peaks_make(struct json_object *const *records, size_t count);

// Checks schema_version and every record. Of raw samples those of the compute figure are kept. A file may be of any
// size: what is held of it is what `out` holds.
bool result_read(const char *path, struct result *out, struct error *err);
// The same with the compute figure alone of the times, in half the time.
bool result_read_compute(const char *path, struct result *out, struct error *err);
void result_free(struct result *result);

// What a record asks of limits and features; of one from before that was recorded what its workgroup tells.
struct needs record_needs(const struct record *record);
// Whether it keeps to all of a profile's limits and features.
bool record_keeps_to(const struct record *record, const struct profile *profile);

// Holds a result to a profile: what was run beyond it becomes skipped, but for the device's peaks, and the device is
// narrowed. NULL, or one without a name, changes nothing.
void result_narrow(struct result *result, const struct profile *profile);

// The revision that measured a result which is marked (`run.historical`), since sources of its kernels have changed
// since. NULL: it is not marked.
const char *result_historical(const struct result *result);

// Returns the suite, and the profile that it was held to: "quick", "quick within webgpu". Runs are grouped by it.
// `otherwise` stands for a suite that is not said; of none (NULL) nothing is said.
const char *result_suite(struct arena *arena, const struct result *result, const char *otherwise);
// Returns the same for a reader, with the revision of a historical result: "quick, historical (804d5df)".
const char *result_suite_told(struct arena *arena, const struct result *result, const char *otherwise);
const char *suite_within(struct arena *arena, const char *suite, const struct profile *profile);

// The context of a run, before any record. The folder of argv[0] is left out, and "~" stands for
// the user's home (home_path_to_json).
struct run_facts {
    int argc;
    char **argv;
    const char *suite, *suite_file, *started; // ISO 8601, UTC
    uint64_t seed;
    bool cold;
    int shard_index, shard_count; // 0/0: not sharded
};
struct json_object *context_make(const struct device_info *device, const struct run_facts *facts);
// This program: "vkassay VERSION (GIT STATE)", as contexts have them.
const char *context_tool(void);

// A word of a command line as a context has it, "~" for the user's home where a path begins; NULL gives null.
struct json_object *home_path_to_json(const char *word);
// And back, with the home that there is now. NULL with STATUS_BAD_INPUT where HOME names none and one is needed.
char *home_path_read(struct arena *arena, const char *recorded, struct error *err);

// The journal: a JSON-lines file. Line 1 is the context; then one record a line; each append is on
// disk (fsync) when the call returns.
struct journal;
struct journal *journal_create(const char *path, struct json_object *context, struct error *err);
// The context alone, which nothing else is read for. The caller releases it; NULL where it cannot be
// read.
struct json_object *journal_context(const char *path, struct error *err);
// Opens an interrupted one: reads context and records (a torn last line is dropped), ready to append. Of a record what
// a run still asks of it is kept (record_shed). The caller releases the context and each record.
struct journal *journal_resume(const char *path, struct arena *arena, struct json_object **context,
    struct json_object ***records, size_t *count, struct error *err);
bool journal_append(struct journal *journal, struct json_object *record, struct error *err);
// Says of a run that is resumed with which device, by its UUID: where that is another than the context's it is noted in
// the journal and in the context (run.devices).
bool journal_goes_on_with(
    struct journal *journal, struct json_object *context, const char *device_uuid, struct error *err);
// Lets go of most of the record that was appended last (record_shed): the journal has it.
void journal_shed(struct journal *journal, struct json_object *record);
void journal_close(struct journal *journal);

// Of exhaustive checks, whose points are the chunks of a case: puts one record in the place of those of each
// case, over the inputs from the first of them to the last. Others stay as they are. *count is
// updated; false, with nothing lost, when memory is out.
bool exhaustive_join(struct json_object **records, size_t *count, struct error *err);

// Folds a journal into a result file: the peaks are the best of the records that serve them,
// records in plan order. `trimmed`: without raw samples. Adds run.wall_s, peaks, counts and records
// to the context, which itself stays as it is.
bool result_write(const char *path, struct json_object *context, struct json_object **records, size_t count,
    double wall_seconds, bool trimmed, struct error *err);

// ---- whether a run did all that it was to do: complete, why and left of the context's "run". Results from before
// these were written count as whole.

enum { WHOLE_UNKNOWN = -1 }; // how many are left

// `why` NULL: the run is whole, and nothing is left. `left`: points without a record; of a search, cases.
void whole_put(struct json_object *run, const char *why, int64_t left);

bool whole_is(struct json_object *run);

// "cut short: interrupted; 20 left", in the arena; NULL of a whole run.
const char *whole_words(struct arena *arena, struct json_object *run);

// ---- records of a run that goes on, which are in its journal: most of one is let go, and read again when it is
// written

// A journal as it is read again, as long as its journal or a record that was shed into it is there.
struct shed_lines;
struct shed_lines *shed_lines_open(const char *path);
void shed_lines_release(struct shed_lines *lines);

// Lets go of what stands in the line at `offset`. What a run asks of a record that is done stays: its name, status and
// reason, what was expected, whether it was timed ("time": {}), and what record_judged gives. Peaks and parts of a
// sweep stay whole.
void record_shed(struct json_object *record, struct shed_lines *lines, off_t offset, size_t length);

// How many outputs a record's check judged, left out and had, and a run with whole numbers judged; 0 without a check.
struct judged_outputs {
    int64_t checked, elements, excluded, exact;
};
struct judged_outputs record_judged(struct json_object *record);

// All of a record again, with what was changed since; one that was never shed as it is. The caller releases it. NULL
// when the journal cannot be read.
struct json_object *record_whole(struct json_object *record, struct error *err);

#endif
