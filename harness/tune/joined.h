// SPDX-License-Identifier: Apache-2.0
// One tuned table of many devices: the best shape of each case on each device, and for devices that are not known the
// one of a family, of a vendor and of all, with what each loses on every device that is known.
#ifndef VKASSAY_TUNE_JOINED_H
#define VKASSAY_TUNE_JOINED_H

#include "../base/names.h"
#include "../record/result.h"

// Whom a row is for. A family has the PCI vendor and the upper byte of the device id in common (vkassay_tuned.h).
enum joined_scope { JOINED_DEVICE, JOINED_FAMILY, JOINED_VENDOR, JOINED_PORTABLE, JOINED_COUNT };
const char *scope_name(enum joined_scope scope); // "device", "family", "vendor", "portable"

struct joined_device {
    struct device_info info;
    const char *path, *started;
    const char *historical; // the revision that measured it (result_historical), or NULL
    size_t cases;           // that are taken from it
};

// The time of a shape of a case on a device.
struct joined_time {
    uint32_t device, shape, at; // numbers; `at`: of the case, in which shapes are numbered
    bool right;                 // else it is wrong there, or could not be built
    bool standard;              // the kernel's default
    bool unfinished;            // with the best shape: the case's search on the device was not finished
    uint32_t samples;           // of the whole case on the device, with its best shape
    uint64_t source;            // source_hash of the record
    uint32_t tried, legal;      // shapes of the whole case, with its best one; legal 0: not known
    double ns, lo, hi, loss;    // loss: over the best there, 0.1 for a tenth; NaN where it has no time
};

struct joined_case {
    const char *name, *kernel, *operator, * dtype;
    struct named_number *dims;
    int dim_count, bucket;
    const struct joined_time *times; // by device, then as they came
    size_t count;
    struct joined_shape *shapes; // that were seen anywhere
    size_t shape_count, shape_capacity;
};

struct joined_shape {
    const char *text; // "wg=64x1x1,ITEMS=4"
    uint32_t wg[3];
    struct named_number *tunables;
    int tunable_count;
};

// Two results of one device by different drivers, of which the older is left out.
struct joined_conflict {
    const char *device, *kept, *left; // its name; drivers
    const char *kept_path, *left_path;
    size_t cases, same; // that both have; of which the best shape is the same
};

// What a fallback would have cost a device that is not known: it is left out, and its cases are served by the row that
// the others would give it.
struct joined_fallback {
    size_t device;
    const char *name; // the device's
    enum joined_scope scope;
    size_t cases, wrong, unknown; // that a row of others serves; of which its shape is wrong there, or was not measured
    size_t other;                 // cases of which this device measured another source of the kernel than the row's
    double median, worst;         // loss over the others; NaN: none
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
    struct joined_fallback *fallbacks; // by device, then scope, made by joined_finish; those that serve some case
    size_t fallback_count;
    struct profile profile; // that all results are held to; without a name: none
    size_t twice;           // results of a device and driver that there was one of already
    struct json_object *tool;
};

// Adds a result, the newest of a device first: what one of the same device and driver has already is left out, and all
// of one of another driver. Nothing of it is needed afterwards.
void joined_add(struct joined *joined, const struct result *result, const char *path);

// Sorts what was added, and leaves each device out in turn. Before anything below.
void joined_finish(struct joined *joined);

void joined_free(struct joined *joined);

// ---- rows

// What a shape loses where: NaN not measured there, infinite where it is wrong.
double joined_loss(const struct joined_case *c, size_t device, size_t shape);

// The source that a shape was measured with on the device; false: the shape was not measured there.
bool joined_source(const struct joined_case *c, size_t device, size_t shape, uint64_t *source);

// Whether the device measured a shape with another source than `source`. Sources that are not known (0) differ from all
// that are.
bool joined_other_source(const struct joined_case *c, size_t device, size_t shape, uint64_t source);

// Whether the case is known of the device at all; its best time there, or NULL.
const struct joined_time *joined_best(const struct joined_case *c, size_t device);

struct joined_row {
    enum joined_scope scope;
    size_t device;         // that it is of, or the first of those
    size_t members;        // devices that know the case and that it is chosen by
    size_t shape, unknown; // devices among them where the shape was not measured
    size_t other;          // devices among them that measured the shape with another source
    uint64_t source;       // of the shape on `device`, or on the first of its members that measured it
    double worst;          // loss on one of them
    bool unfinished;       // a search on one of them was not finished
};

// All rows of a case, in the arena: of each device; of each family and vendor of two devices or more that know the
// case; and the portable one, where two do.
size_t joined_rows(
    const struct joined *joined, const struct joined_case *c, struct arena *arena, struct joined_row **out);

// Fills the fallbacks: of all devices, or of more than 48 of so many of them.
void joined_leave_out(struct joined *joined);

// Cases that two devices or more know.
struct joined_shared {
    size_t cases;
    size_t served; // of which one shape loses at most a given part on each of these devices
    size_t mixed;  // of which that shape was measured with different sources of the kernel
};
struct joined_shared joined_shared(const struct joined *joined, double most);

// ---- out

bool joined_write(const char *path, const struct joined *joined, struct error *err);
// table.html in `folder`.
bool joined_page(const struct joined *joined, const char *folder, const char *template_folder, struct error *err);

#endif
