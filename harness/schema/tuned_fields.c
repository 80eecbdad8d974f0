// SPDX-License-Identifier: Apache-2.0
// Members of tuned tables. Their writers put them one by one, so these tables only describe them.
#include "described.h"

#include "../device/profile.h"
#include "../record/result.h"
#include "../tune/joined.h"
#include "../device/device_json.h"

static const struct kind kind_integer = {.schema = SCHEMA({"type" : "integer"})};
static const struct kind kind_loss = {
    .schema = SCHEMA({"type" : "number"}), .meaning = "How much slower than the best; 0.1 is a tenth."};
static const struct kind kind_workgroup = {
    .schema =
        SCHEMA({"type" : "array", "items" : {"type" : "integer", "minimum" : 1}, "minItems" : 3, "maxItems" : 3})};
static const struct field shape_fields[] = {{"wg", &kind_workgroup, 0, REQUIRED}, {0}};
static const struct kind kind_tuned_shape = {
    .fields = shape_fields, .values = &kind_int64, .name = "shape", .meaning = "wg, then the other tunables by name."};

static const struct field other_fields[] = {
    {"shape", &kind_tuned_shape, 0, REQUIRED}, {"loss", &kind_loss, 0, NULLABLE}, {0}};
static const struct kind kind_other = {.fields = other_fields, .name = "other"};

static const struct kind kind_tool_or_null = {.schema = SCHEMA({"type" : "object"})};
static const struct kind kind_tuned_source = {.meaning = "As in a result; empty: unknown.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^((tokens:)?[0-9a-f]{16})?$"})};
static const struct kind kind_kept_profile = {
    .of = &kind_profile, .meaning = "The profile of limits that all shapes keep to. Absent: the device's own limits."};

// Members of every row.
#define ROW_FIELDS                                                                                                     \
    {"kernel", &kind_text, 0, REQUIRED}, {"operator", &kind_text, 0, REQUIRED},                                        \
        {"source_hash", &kind_tuned_source, 0, REQUIRED}, {"dtype", &kind_text, 0, REQUIRED},                          \
        {"bucket", KIND(kind_int, .meaning = "floor(log2 of the product of the dims, each at least 1)."), 0,           \
            REQUIRED},                                                                                                 \
        {"dims", &(const struct kind){.values = &kind_integer}, 0, REQUIRED}, {                                        \
        "shape", &kind_tuned_shape, 0, REQUIRED                                                                        \
    }

static const struct field tuned_row_fields[] = {
    ROW_FIELDS,
    {"median_ns", &kind_above_0, 0, REQUIRED},
    {"lo_ns", &kind_above_0, 0, REQUIRED},
    {"hi_ns", &kind_above_0, 0, REQUIRED},
    {"ties", LIST(kind_other, "Shapes with an interval that reaches that of the best."), 0, REQUIRED},
    {"runner_up", KIND(kind_other, .meaning = "The best shape that is no tie."), 0, NULLABLE},
    {"default", KIND(kind_other, .meaning = "The manifest's default shape, if timed."), 0, NULLABLE},
    {"shapes", KIND(kind_int64, .meaning = "Shapes that were timed or failed."), 0, REQUIRED},
    {"legal", KIND(kind_int64, .least = 1, .meaning = "Shapes that can run on the device. Absent: unknown."), 0,
        SPARSE},
    {"unfinished",
        KIND(kind_flag, .meaning = "The search was stopped: an untried shape may be faster. Absent: unknown."), 0,
        SPARSE},
    {"wrong", &kind_int64, 0, REQUIRED},
    {"samples", &kind_int64, 0, REQUIRED},
    {0},
};
static const struct kind kind_tuned_row = {.fields = tuned_row_fields};

static const struct field tuned_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"tool", &kind_tool_or_null, 0, NULLABLE},
    {"historical", KIND(kind_flag, .meaning = "Sources of its kernels have changed since."), 0, SPARSE},
    {"device", &kind_device_identity, 0, REQUIRED},
    {"profile", &kind_kept_profile, 0, SPARSE},
    {"tuned", LIST(kind_tuned_row, NULL), 0, REQUIRED},
    {0},
};
const struct kind kind_tuned_file = {.fields = tuned_fields};

// ---- many devices

static const struct field joined_device_fields[] = {
    {"file", &kind_text, 0, REQUIRED},
    {"started", &kind_text, 0, REQUIRED},
    {"cases", &kind_int64, 0, REQUIRED},
    {"historical",
        KIND(kind_text, .meaning = "The revision of the program, if sources of its kernels have changed since."), 0,
        SPARSE},
    {0},
};
static const struct kind kind_joined_device = {.fields = device_identity_fields, .also = joined_device_fields};

static const struct field row_device_fields[] = {
    {"name", &kind_text, 0, REQUIRED},
    {"vendor_id", &kind_uint32, 0, SPARSE},
    {"device_id", &kind_uint32, 0, SPARSE},
    {"driver_version", &kind_uint32, 0, SPARSE},
    {0},
};
static const struct kind kind_row_device = {.fields = row_device_fields,
    .meaning = "The device, or the facts common to a group: the vendor, the upper byte of the device id."};

static const struct kind kind_losses = {.meaning =
                                            "The loss on each device; null: not measured there. A row of one device "
                                            "has them only with 64 devices or fewer.",
    .schema = SCHEMA({
        "type" : "array",
        "items" : {"anyOf" : [ {"type" : "number", "minimum" : 0}, {"const" : "wrong"}, {"type" : "null"} ]}
    })};
static const struct kind kind_other_sources = {
    .meaning = "Devices whose loss is of another source of the kernel than source_hash. It comes with losses.",
    .schema = SCHEMA({"type" : "array", "items" : {"type" : "integer", "minimum" : 0}, "uniqueItems" : true})};

static const struct field joined_row_fields[] = {
    ROW_FIELDS,
    {"scope", &kind_joined_scope, 0, REQUIRED},
    {"device", &kind_row_device, 0, REQUIRED},
    {"members", KIND(kind_int64, .least = 1, .meaning = "Devices that chose it."), 0, REQUIRED},
    {"shapes", KIND(kind_int64, .meaning = "Shapes that were timed or failed on the device."), 0, SPARSE},
    {"legal", KIND(kind_int64, .least = 1, .meaning = "Shapes that can run on the device. Absent: unknown."), 0,
        SPARSE},
    {"unfinished", KIND(kind_flag, .meaning = "The search on a member was stopped: an untried shape may be faster."), 0,
        NEW},
    {"median_ns", &kind_above_0, 0, SPARSE},
    {"lo_ns", &kind_above_0, 0, SPARSE},
    {"hi_ns", &kind_above_0, 0, SPARSE},
    {"default", KIND(kind_other, .meaning = "The manifest's default shape, if timed."), 0, NEW_NULLABLE},
    {"worst_loss", KIND(kind_amount, .meaning = "On one of its members."), 0, SPARSE},
    {"unknown", KIND(kind_int64, .meaning = "Members without a measurement of it."), 0, SPARSE},
    {"losses", &kind_losses, 0, SPARSE},
    {"other_source", &kind_other_sources, 0, SPARSE},
    {0},
};
static const struct kind kind_joined_row = {.fields = joined_row_fields};

static const struct field joined_fields[] = {
    {"schema_version", &(const struct kind){.schema = SCHEMA({"const" : 2})}, 0, REQUIRED},
    {"tool", &kind_tool_or_null, 0, NULLABLE},
    {"profile", &kind_kept_profile, 0, SPARSE},
    {"devices", LIST(kind_joined_device, NULL), 0, REQUIRED},
    {"conflicts", LIST(kind_conflict, "Results of one device by different drivers; the newer one counts."), 0,
        REQUIRED},
    {"fallbacks",
        LIST(kind_fallback,
            "Each device left out in turn (at most 48): the loss there of the row chosen by the others."),
        0, REQUIRED},
    {"tuned", LIST(kind_joined_row, NULL), 0, REQUIRED},
    {0},
};
const struct kind kind_joined_file = {.fields = joined_fields};
