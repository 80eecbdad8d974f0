// SPDX-License-Identifier: Apache-2.0
// A result: records and their context.
#ifndef VKASSAY_RECORD_RESULT_H
#define VKASSAY_RECORD_RESULT_H

#include "../base/arena.h"
#include "../base/fields.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

struct device_info;
struct needs;
struct profile;
struct record;

#define RESULT_SCHEMA_VERSION 2 // the version of results, written and read
#define LINE_SUM "crc32"        // the last member of a line: its checksum (parts.h)
extern const struct kind kind_line_sum;

struct result {
    struct arena arena;          // owns all members below except the context and the array of records
    struct json_object *context; // tool, host, device, run, peaks: as in the file, without records
    struct device_info *device;  // in the arena after result_read, else borrowed
    struct record *records;
    size_t count, capacity;        // capacity: of records made by result_read; 0: borrowed
    const struct peers *peers;     // times of other programs to show beside it (peers.h), borrowed; NULL: none
    const struct comparison *last; // comparison with the previous run to show beside it (compare.h), borrowed; NULL:
                                   // none
};

// What is read of a result in lines: its records, and whether its end was met.
struct result_lines {
    size_t records;
    bool ended;
};

// Returns a peak by name ("copy_bytes_per_s"); NaN if not measured.
double result_peak(const struct result *result, const char *name);
// Returns "B/s", "FLOP/s", "OP/s" (integer operations) or "ns"; NULL if the name's ending gives no way to compute a
// peak (figures.c lists the endings).
const char *peak_unit(const char *name);

// Computes a record's figure for its peak, in that unit, with the ends of its 95 % interval. Returns false if the
// record serves no peak, is not right or was not measured.
struct peak_figure {
    double value, lo, hi;
};
bool peak_figure(const struct record *record, struct peak_figure *out);
bool peak_is_better(const char *name, double value, double than); // any number is better than NaN

// Makes the object of peaks by name: the best of the passing records for each, null if none passed. Results contain
// it, and the supervisor's estimates use it.
struct json_object *peaks_make(struct json_object *const *records, size_t count);

// Reads a result; checks schema_version and every record. Keeps only the raw samples of the compute figure. A file
// may be of any size, because only the data of `out` is kept in memory. It may be compressed by gzip. A file of lines
// without an end is of a run that has not ended: its records are in the order of the run.
bool result_read(const char *path, struct result *out, struct error *err);
void result_free(struct result *result);

// Returns the limits and features needed by a record. If an older record lacks them, they follow from its workgroup.
struct needs record_needs(const struct record *record);
// Returns whether a record keeps to all of a profile's limits and features.
bool record_keeps_to(const struct record *record, const struct profile *profile);

// Clamps a result to a profile: records beyond it become skipped, except the device's peaks, and the limits of
// the device are clamped. NULL or a profile without a name changes nothing.
void result_clamp(struct result *result, const struct profile *profile);

// Returns the revision behind a result marked `run.historical`, because sources of its kernels have changed since.
// NULL: not marked.
const char *result_historical(const struct result *result);

// Returns the suite and its profile: "quick", "quick within webgpu". Runs are grouped by it. `otherwise` replaces an
// unknown suite; it may be NULL.
const char *result_suite(struct arena *arena, const struct result *result, const char *otherwise);
// Returns the same for a reader, with the revision of a historical result: "quick, historical (804d5df)".
const char *result_suite_label(struct arena *arena, const struct result *result, const char *otherwise);
const char *suite_within(struct arena *arena, const char *suite, const struct profile *profile);

// Parts of a result. A run's start is what its first line and mutants have of it.
extern const struct kind kind_tool, kind_host, kind_run_start, kind_peaks, kind_counts;
extern const struct field run_start_fields[];

// Writes a result file from a run's records, in plan order. A name ending in .json makes one JSON document, any other
// lines: the head, each record, the end. The head is the context with run.wall_s, peaks and counts; the peaks are the
// best of their records. `parts`: of exhaustive checks, for `--resume`; NULL: none. `trimmed`: without raw samples. The
// file may be the journal of the records itself.
bool result_write(const char *path, struct json_object *context, struct json_object **records, size_t count,
    struct json_object *parts, double wall_seconds, bool trimmed, struct error *err);

#endif
