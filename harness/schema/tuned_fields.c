// SPDX-License-Identifier: Apache-2.0
// Members of tuned tables. Their writers put them one by one, so these tables only describe them.
#include "described.h"

#include "../device/profile.h"
#include "../record/result.h"
#include "../tune/joined.h"
#include "../device/device_json.h"

static const struct kind kind_integer = {.schema = SCHEMA({"type" : "integer"})};
static const struct kind kind_loss = {.schema = SCHEMA({"type" : "number"}),
    .meaning = "How much slower than the choice; 0.1 is a tenth. Below 0: faster, but within the noise."};
static const struct kind kind_workgroup = {
    .schema =
        SCHEMA({"type" : "array", "items" : {"type" : "integer", "minimum" : 1}, "minItems" : 3, "maxItems" : 3})};
static const struct field shape_fields[] = {{"wg", &kind_workgroup, NO_MEMBER, REQUIRED}, {0}};
static const struct kind kind_tuned_shape = {
    .fields = shape_fields, .values = &kind_int64, .name = "shape", .meaning = "wg, then the other tunables by name."};

static const struct field other_fields[] = {
    {"shape", &kind_tuned_shape, NO_MEMBER, REQUIRED}, {"loss", &kind_loss, NO_MEMBER, NULLABLE}, {0}};
static const struct kind kind_other = {.fields = other_fields, .name = "other"};

static const struct kind kind_tool_or_null = {.schema = SCHEMA({"type" : "object"})};
static const struct kind kind_tuned_source = {.meaning = "As in a result; empty: unknown.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^((tokens:)?[0-9a-f]{16})?$"})};
static const struct kind kind_kept_profile = {
    .of = &kind_profile, .meaning = "The profile of limits that all shapes keep to. Absent: the device's own limits."};

#define UNDECIDED_MEANS "Other shapes were timed, and none was told apart from the fastest."

// Members of every row.
#define ROW_FIELDS                                                                                                     \
    {"kernel", &kind_text, NO_MEMBER, REQUIRED}, {"operator", &kind_text, NO_MEMBER, REQUIRED},                        \
        {"source_hash", &kind_tuned_source, NO_MEMBER, REQUIRED}, {"dtype", &kind_text, NO_MEMBER, REQUIRED},          \
        {"bucket", KIND(kind_int, .meaning = "floor(log2 of the product of the dims, each at least 1)."), NO_MEMBER,   \
            REQUIRED},                                                                                                 \
        {"dims", &(const struct kind){.values = &kind_integer}, NO_MEMBER, REQUIRED}, {                                \
        "shape", &kind_tuned_shape, NO_MEMBER, REQUIRED                                                                \
    }

static const struct field tuned_row_fields[] = {
    ROW_FIELDS,
    {"median_ns", &kind_above_0, NO_MEMBER, REQUIRED},
    {"lo_ns", &kind_amount, NO_MEMBER, REQUIRED},
    {"hi_ns", &kind_above_0, NO_MEMBER, REQUIRED},
    {"ties", LIST(kind_other, "Other shapes not told apart from the fastest."), NO_MEMBER, REQUIRED},
    {"runner_up", KIND(kind_other, .meaning = "The best shape that is no tie."), NO_MEMBER, NULLABLE},
    {"default", KIND(kind_other, .meaning = "The manifest's default shape, if timed."), NO_MEMBER, NULLABLE},
    {"undecided", KIND(kind_flag, .meaning = UNDECIDED_MEANS), NO_MEMBER, SPARSE},
    {"shapes", KIND(kind_int64, .meaning = "Shapes that were timed or failed."), NO_MEMBER, REQUIRED},
    {"legal", KIND(kind_int64, .least = 1, .meaning = "Shapes that can run on the device. Absent: unknown."), NO_MEMBER,
        SPARSE},
    {"unfinished",
        KIND(kind_flag, .meaning = "The search was stopped: an untried shape may be faster. Absent: unknown."),
        NO_MEMBER, SPARSE},
    {"wrong", &kind_int64, NO_MEMBER, REQUIRED},
    {"samples", &kind_int64, NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_tuned_row = {.fields = tuned_row_fields};

static const struct field tuned_fields[] = {
    {"schema_version", &kind_version_1, NO_MEMBER, REQUIRED},
    {"tool", &kind_tool_or_null, NO_MEMBER, NULLABLE},
    {"historical", KIND(kind_flag, .meaning = "Sources of its kernels have changed since."), NO_MEMBER, SPARSE},
    {"device", &kind_device_identity, NO_MEMBER, REQUIRED},
    {"profile", &kind_kept_profile, NO_MEMBER, SPARSE},
    {"tuned", LIST(kind_tuned_row, NULL), NO_MEMBER, REQUIRED},
    {0},
};
const struct kind kind_tuned_file = {.fields = tuned_fields};

// ---- many devices

static const struct field joined_device_fields[] = {
    {"file", &kind_text, NO_MEMBER, REQUIRED},
    {"started", &kind_text, NO_MEMBER, REQUIRED},
    {"cases", &kind_int64, NO_MEMBER, REQUIRED},
    {"historical",
        KIND(kind_text, .meaning = "The revision of the program, if sources of its kernels have changed since."),
        NO_MEMBER, SPARSE},
    {0},
};
static const struct kind kind_joined_device = {.fields = device_identity_fields, .also = joined_device_fields};

static const struct field row_device_fields[] = {
    {"name", &kind_text, NO_MEMBER, REQUIRED},
    {"vendor_id", &kind_uint32, NO_MEMBER, SPARSE},
    {"device_id", &kind_uint32, NO_MEMBER, SPARSE},
    {"driver_version", &kind_uint32, NO_MEMBER, SPARSE},
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
    {"scope", &kind_joined_scope, NO_MEMBER, REQUIRED},
    {"device", &kind_row_device, NO_MEMBER, REQUIRED},
    {"members", KIND(kind_int64, .least = 1, .meaning = "Devices that chose it."), NO_MEMBER, REQUIRED},
    {"shapes", KIND(kind_int64, .meaning = "Shapes that were timed or failed on the device."), NO_MEMBER, SPARSE},
    {"legal", KIND(kind_int64, .least = 1, .meaning = "Shapes that can run on the device. Absent: unknown."), NO_MEMBER,
        SPARSE},
    {"unfinished", KIND(kind_flag, .meaning = "The search on a member was stopped: an untried shape may be faster."),
        NO_MEMBER, NEW},
    {"median_ns", &kind_above_0, NO_MEMBER, SPARSE},
    {"lo_ns", &kind_amount, NO_MEMBER, SPARSE},
    {"hi_ns", &kind_above_0, NO_MEMBER, SPARSE},
    {"undecided", KIND(kind_flag, .meaning = UNDECIDED_MEANS), NO_MEMBER, SPARSE},
    {"default", KIND(kind_other, .meaning = "The manifest's default shape, if timed."), NO_MEMBER, NEW_NULLABLE},
    {"worst_loss", KIND(kind_amount, .meaning = "On one of its members."), NO_MEMBER, SPARSE},
    {"unknown", KIND(kind_int64, .meaning = "Members without a measurement of it."), NO_MEMBER, SPARSE},
    {"losses", &kind_losses, NO_MEMBER, SPARSE},
    {"other_source", &kind_other_sources, NO_MEMBER, SPARSE},
    {0},
};
static const struct kind kind_joined_row = {.fields = joined_row_fields};

static const struct field joined_fields[] = {
    {"schema_version", &(const struct kind){.schema = SCHEMA({"const" : 2})}, NO_MEMBER, REQUIRED},
    {"tool", &kind_tool_or_null, NO_MEMBER, NULLABLE},
    {"profile", &kind_kept_profile, NO_MEMBER, SPARSE},
    {"devices", LIST(kind_joined_device, NULL), NO_MEMBER, REQUIRED},
    {"conflicts", LIST(kind_conflict, "Results of one device by different drivers; the newer one counts."), NO_MEMBER,
        REQUIRED},
    {"fallbacks",
        LIST(kind_fallback,
            "Each device left out in turn (at most 48): the loss there of the row chosen by the others."),
        NO_MEMBER, REQUIRED},
    {"tuned", LIST(kind_joined_row, NULL), NO_MEMBER, REQUIRED},
    {0},
};
const struct kind kind_joined_file = {.fields = joined_fields};
