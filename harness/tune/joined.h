// SPDX-License-Identifier: Apache-2.0
// A tuned table of many devices: the best shape of each case on each device. Unknown devices are served by the shape
// for a family, a vendor or all devices. Each row has its losses on every known device.
#ifndef VKASSAY_TUNE_JOINED_H
#define VKASSAY_TUNE_JOINED_H

#include "../base/names.h"
#include "../device/device_info.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct result;
struct named_number;

// The devices served by a row. A family shares the PCI vendor and the upper byte of the device id (vkassay_tuned.h).
enum joined_scope { JOINED_DEVICE, JOINED_FAMILY, JOINED_VENDOR, JOINED_PORTABLE, JOINED_COUNT };
const char *scope_name(enum joined_scope scope); // "device", "family", "vendor", "portable"

struct joined_device {
    struct device_info info;
    const char *path, *started;
    const char *historical; // the revision behind the measurements (result_historical), or NULL
    const char *processor;  // of the host, as in struct device_key
    int64_t cores;
    size_t model; // the first device of its model
    size_t cases; // number of cases taken from it
};

// The time of a case's shape on a device.
struct joined_time {
    uint32_t device, shape, at; // indices of the device, of the shape in its case, and of the case
    bool right;                 // false: the shape is wrong there, or could not be built
    bool standard;              // the kernel's default
    bool unfinished;            // of the best shape: the case's search on the device was not finished
    bool undecided;             // of the best shape: no other was told apart from the fastest
    uint32_t samples;           // of the best shape: samples of the whole case on the device
    uint64_t source;            // source_hash of the record
    uint32_t tried, legal;      // of the best shape: shapes of the whole case; legal 0: unknown
    double ns, lo, hi, loss;    // loss: over the fastest shape there, 0.1 for a tenth; NaN without a time
};

struct joined_case {
    const char *name, *kernel, *operator, * dtype;
    struct named_number *dims;
    int dim_count, bucket;
    const struct joined_time *times; // by device, then shape
    size_t count;
    struct joined_shape *shapes; // seen on any device
    size_t shape_count, shape_capacity;
};

struct joined_shape {
    const char *text; // "wg=64x1x1,ITEMS=4"
    uint32_t wg[3];
    struct named_number *tunables;
    int tunable_count;
};

// Two results of one model by different drivers; the older is left out.
struct joined_conflict {
    const char *device, *kept, *left; // name of the device; drivers
    const char *kept_path, *left_path;
    size_t cases, same; // cases in both; of these, with the same best shape
};

// The cost of a fallback for an unknown device. It is estimated with a known model left out: the row of the other
// models' devices serves its cases.
struct joined_fallback {
    size_t device;
    const char *name; // the device's
    enum joined_scope scope;
    size_t cases, wrong, unknown; // served by the others' row; of these, its shape is wrong here, or not measured
                                  // here
    size_t other;                 // cases measured here with another source of the kernel than the row's
    double median, worst;         // loss over the other cases; NaN: none
    const char *worst_case;
};

struct joined {
    struct arena arena;
    struct joined_device *devices;
    size_t device_count, device_capacity;
    struct joined_case *cases;
    size_t case_count, case_capacity;
    struct names case_names;
    struct joined_time *times; // of all cases, sorted by joined_finish
    size_t time_count, time_capacity;
    struct joined_conflict *conflicts;
    size_t conflict_count, conflict_capacity;
    struct joined_fallback *fallbacks; // by device, then scope, made by joined_finish; only if any case is served
    size_t fallback_count;
    struct profile profile; // the profile of all results; without a name: none
    size_t twice;           // results of a device and driver already known
    struct json_object *tool;
};

// Adds a result; add the newest of each device first. For a known device (DEVICE_UNIT), only new cases are added. If
// a device of its model has another driver, the result is left out as a conflict. The result may be released
// afterwards.
void joined_add(struct joined *joined, const struct result *result, const char *path);

// Sorts the added results, and leaves each device out in turn. Call it before anything below.
void joined_finish(struct joined *joined);

void joined_free(struct joined *joined);

// ---- rows

// Returns a shape's loss on a device: NaN if not measured there, infinite if wrong.
double joined_loss(const struct joined_case *c, size_t device, size_t shape);

// Returns whether the device measured a shape with another source than `source`. An unknown source (0) differs from
// all known ones.
bool joined_other_source(const struct joined_case *c, size_t device, size_t shape, uint64_t source);

// Returns the best time of the case on the device; NULL if the device does not know the case.
const struct joined_time *joined_best(const struct joined_case *c, size_t device);

struct joined_row {
    enum joined_scope scope;
    size_t device;                  // the row's device, or the first of its group
    size_t members;                 // devices with this case, the basis of the choice
    size_t models;                  // the number of their models
    size_t shape, unknown;          // unknown: devices among them without a measurement of the shape
    const struct joined_time *time; // of the shape, on the first of them where it is right
    size_t other;                   // devices among them with another source in their measurement of the shape
    uint64_t source;                // of the shape on `device`, or on the first member with a measurement
    double worst;                   // the greatest loss on one of them
    bool unfinished;                // a search on one of them was not finished
};

// Makes all rows of a case, in the arena. Each model gets a row, for all devices of that model. Each family, each
// vendor and all devices together get one if at least two models know the case.
size_t joined_rows(
    const struct joined *joined, const struct joined_case *c, struct arena *arena, struct joined_row **out);

// Fills the fallbacks. Beyond 48 devices only that many of them, evenly spaced, are left out.
void joined_leave_out(struct joined *joined);

// Cases known to at least two models.
struct joined_shared {
    size_t cases;
    size_t served; // of these, cases with one shape losing at most a given part on each device
    size_t mixed;  // of these, cases whose shape was measured with different sources of the kernel
};
struct joined_shared joined_shared(const struct joined *joined, double most);

// ---- output

bool joined_write(const char *path, const struct joined *joined, struct error *err);

extern const struct kind kind_joined_file;

#endif
