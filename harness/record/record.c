// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include "parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const statuses[RECORD_STATUS_COUNT] = {
    [RECORD_PASS] = "pass",
    [RECORD_FAIL] = "fail",
    [RECORD_SKIP] = "skip",
    [RECORD_ERROR] = "error",
    [RECORD_TIMEOUT] = "timeout",
    [RECORD_CRASH] = "crash",
    [RECORD_DEVICE_LOST] = "device-lost",
    [RECORD_COMPILED] = "compiled",
};
const char *record_status_name(enum record_status status) {
    return statuses[status];
}

static const char *const figures[FIGURE_COUNT] = {
    [FIGURE_COMPUTE] = "compute",
    [FIGURE_UPLOAD] = "upload",
    [FIGURE_DOWNLOAD] = "download",
    [FIGURE_HOST_WRITE] = "host_write",
    [FIGURE_HOST_READ] = "host_read",
    [FIGURE_SUBMIT] = "submit",
    [FIGURE_END_TO_END] = "end_to_end",
    [FIGURE_MAPPED_WRITE] = "mapped_write",
    [FIGURE_MAPPED_READ] = "mapped_read",
};
const char *figure_name(enum figure figure) {
    return figures[figure];
}

const char *clock_name(enum clock clock) {
    static const char *const names[] = {[CLOCK_GPU] = "gpu", [CLOCK_HOST] = "host"};
    return names[clock];
}

void record_timed_by(struct record *record, const char *why_host) {
    record->clock = why_host ? CLOCK_HOST : CLOCK_GPU;
    record->clock_why = why_host;
}

void record_refuse(struct arena *arena, struct record *record, const struct refusal *refusal) {
    record->status = RECORD_SKIP;
    record->refusal = refusal;
    record->reason = refusal_text(arena, refusal);
}

ENUM_KIND(static, clock, clock_name, clock, CLOCK_GPU, CLOCK_HOST + 1, "gpu or host")

const char *record_shape(const struct record *record) {
    const char *end = record->name + record->case_length;
    return *end == '/' ? end + 1 : end;
}

uint64_t record_invocations(const struct record *record) {
    return (uint64_t)record->wg[0] * record->wg[1] * record->wg[2];
}

const char *record_case(struct arena *arena, const struct record *record) {
    return arena_copy_n(arena, record->name, record->case_length);
}

// The case is a text in files, and the length of a prefix of the name in memory.
static struct json_object *case_put(const void *whole) {
    const struct record *record = whole;
    return json_object_new_string_len(record->name, (int)record->case_length);
}
static bool case_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    (void)arena;
    if (!json_expect(at, json_type_string, err)) return false;
    const char *text = json_object_get_string(at->value);
    size_t length = strlen(text);
    if (strncmp(record->name, text, length) != 0 || (record->name[length] && record->name[length] != '/'))
        return json_fail(at, err, "expected the first parts of the name, found \"%.200s\"", text);
    record->case_length = length;
    return true;
}
static const struct kind kind_case = {.put = case_put, .get = case_get};

ENUM_KIND(, status, record_status_name, record_status, 0, RECORD_STATUS_COUNT, "a status (pass, fail, skip, ...)")

static struct json_object *failed_put(const void *member) {
    uint32_t failed = *(const uint32_t *)member;
    if (!failed) return NULL;
    struct json_object *keys = json_object_new_array();
    for (const struct check_info *check = checks; check->key; check++)
        if (failed & check->bit) json_object_array_add(keys, json_object_new_string(check->key));
    return keys;
}
static bool failed_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    struct json_at item;
    (void)arena;
    if (!json_expect(at, json_type_array, err)) return false;
    for (size_t i = 0; i < json_count(at); i++) {
        if (!json_item(at, i, &item, err) || !json_expect(&item, json_type_string, err)) return false;
        const char *key = json_object_get_string(item.value);
        const struct check_info *check = checks;
        while (check->key && strcmp(check->key, key) != 0) check++;
        if (!check->key) return json_fail(&item, err, "expected a check (ulp, guard, ...), found \"%.40s\"", key);
        *(uint32_t *)member |= check->bit;
    }
    return true;
}
static const struct kind kind_failed = {.put = failed_put, .get = failed_get};

#define SOURCE_HASH_PREFIX "tokens:"
void source_hash_text(uint64_t hash, char out[SOURCE_HASH_TEXT]) {
    *out = '\0';
    if (hash) snprintf(out, SOURCE_HASH_TEXT, SOURCE_HASH_PREFIX "%016" PRIx64, hash);
}
static struct json_object *source_put(const void *member) {
    char text[SOURCE_HASH_TEXT];
    source_hash_text(*(const uint64_t *)member, text);
    return *text ? json_object_new_string(text) : NULL;
}
static bool source_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    if (!json_expect(at, json_type_string, err)) return false;
    const char *text = json_object_get_string(at->value);
    size_t prefix = strlen(SOURCE_HASH_PREFIX);
    if (strncmp(text, SOURCE_HASH_PREFIX, prefix) == 0) return json_hex(at, text + prefix, member, err);
    bool ok = json_hex(at, text, member, err);
    *(uint64_t *)member = 0;
    return ok;
}
const struct kind kind_source = {.put = source_put, .get = source_get};

const struct field reference_fields[] = {
    {"ns", &kind_real, AT(reference.ns), REQUIRED},
    {"max_ulp", &kind_real, AT(reference.max_ulp), NULLABLE},
    {"extrapolated", &kind_flag, AT(reference.extrapolated), REQUIRED},
    {"scale", &kind_real, AT(reference.scale), SPARSE},
    {0},
};
GROUP_KIND(static, reference, reference_fields, record->reference.ns > 0)

const struct field exhaustive_fields[] = {
    {"bits", &kind_int, AT(exhaustive.bits), REQUIRED},
    {"first", &kind_hex, AT(exhaustive.first), REQUIRED},
    {"last", &kind_hex, AT(exhaustive.last), REQUIRED},
    {"inputs", &kind_int64, AT(exhaustive.inputs), REQUIRED},
    {"argument", &kind_hex, AT(exhaustive.argument), REQUIRED},
    {"ulp", &kind_real, AT(exhaustive.ulp), NULLABLE},
    {"inputs_per_s", &kind_real, AT(exhaustive.inputs_per_s), NULLABLE},
    {0},
};
GROUP_KIND(static, exhaustive, exhaustive_fields, record->exhaustive.bits > 0)

const struct field cost_fields[] = {
    {"flops", &kind_real, AT(flops), NULLABLE},
    {"bytes", &kind_real, AT(bytes), NULLABLE},
    {"upload_bytes", &kind_real, AT(upload_bytes), NULLABLE},
    {"download_bytes", &kind_real, AT(download_bytes), NULLABLE},
    {"arithmetic", &kind_text, AT(arithmetic), SPARSE},
    {0},
};
GROUP_KIND(static, cost, cost_fields, true)

static const struct field wall_fields[] = {
    {"compile_ns", &kind_int64, AT(wall.ns[WALL_COMPILE]), REQUIRED},
    {"upload_ns", &kind_int64, AT(wall.ns[WALL_UPLOAD]), NULLABLE},
    {"compute_ns", &kind_int64, AT(wall.ns[WALL_COMPUTE]), NULLABLE},
    {"download_ns", &kind_int64, AT(wall.ns[WALL_DOWNLOAD]), NULLABLE},
    {"reference_ns", &kind_int64, AT(wall.ns[WALL_REFERENCE]), NULLABLE},
    {"judge_ns", &kind_int64, AT(wall.ns[WALL_JUDGE]), REQUIRED},
    {"wait_ns", &kind_int64, AT(wall.ns[WALL_WAIT]), NULLABLE},
    {"idle_ns", &kind_int64, AT(wall.ns[WALL_IDLE]), NULLABLE},
    {0},
};
GROUP_KIND(static, wall, wall_fields, true)

static const struct field looks_fields[] = {
    {"count", &kind_int, AT(looks.count), REQUIRED},
    {"least", &kind_positive, AT(looks.least), REQUIRED},
    {"most", &kind_positive, AT(looks.most), REQUIRED},
    {"noise", &kind_real, AT(looks.noise), REQUIRED},
    {"least_clock_hz", &kind_positive, AT(looks.least_clock_hz), NULLABLE},
    {0},
};
GROUP_KIND(static, looks, looks_fields, record->looks.count > 0)

static const struct field energy_fields[] = {
    {"joules", &kind_positive, AT(energy.joules), NULLABLE},
    {"watts", &kind_positive, AT(energy.watts), NULLABLE},
    {"source", &kind_text, AT(energy.source), NULLABLE},
    {"why", &kind_text, AT(energy.why), SPARSE},
    {0},
};
GROUP_KIND(static, energy, energy_fields, record->energy.source || record->energy.why)

static const struct field memory_fields[] = {
    {"used_bytes", &kind_int64, AT(memory_used), REQUIRED},
    {"peak_bytes", &kind_int64, AT(memory_peak), REQUIRED},
    {0},
};
GROUP_KIND(static, memory, memory_fields, record->memory_peak > 0)

static bool validated_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    record->validated = true;
    return kind_uint32.get(arena, at, &record->validation_messages, err);
}
static struct json_object *validated_put(const void *whole) {
    const struct record *record = whole;
    return record->validated ? kind_uint32.put(&record->validation_messages) : NULL;
}
static const struct kind kind_validation = {.put = validated_put, .get = validated_get};

static const struct field record_fields[] = {
    {"name", &kind_text, AT(name), REQUIRED},
    {"case", &kind_case, WHOLE, REQUIRED}, // after the name
    {"part", &kind_mark, AT(part), SPARSE},
    {"operator", &kind_text, AT(operator), REQUIRED},
    {"kernel", &kind_text, AT(kernel), REQUIRED},
    {"dtype", &kind_text, AT(dtype), REQUIRED},
    {"dims", &kind_dims, WHOLE, REQUIRED},
    {"shape", &kind_shape, WHOLE, REQUIRED},
    {"default", &kind_flag, AT(is_default), REQUIRED},
    {"systems", &kind_text, AT(systems), NULLABLE},
    {"peak", &kind_text, AT(peak), NULLABLE},
    {"status", &kind_status, AT(status), REQUIRED},
    {"reason", &kind_text, AT(reason), NULLABLE},
    {"refusal", &kind_refusal, AT(refusal), SPARSE},
    {"failed", &kind_failed, AT(failed), SPARSE},
    {"call", &kind_text, AT(call), SPARSE},
    {"replay", &kind_text, AT(replay), NULLABLE},
    {"expected", &kind_expected, WHOLE, SPARSE},
    {"attempts", &kind_attempts, WHOLE, SPARSE},
    {"check", &kind_check, WHOLE, SPARSE},
    {"exhaustive", &kind_exhaustive, WHOLE, SPARSE},
    {"time", &kind_time, WHOLE, SPARSE},
    {"repeats", &kind_int, AT(repeats), NULLABLE},
    {"stop", &kind_text, AT(stop), NULLABLE},
    {"cache", &kind_text, AT(cache), NULLABLE},
    {"clock", &kind_clock, AT(clock), NULLABLE},
    {"clock_why", &kind_text, AT(clock_why), SPARSE},
    {"drift", &kind_positive, AT(drift), NULLABLE},
    {"throttled", &kind_flag, AT(throttled), NULLABLE},
    {"remeasured", &kind_flag, AT(remeasured), NULLABLE},
    {"looks", &kind_looks, WHOLE, SPARSE},
    {"shader_clock_hz", &kind_positive, AT(shader_clock_hz), NULLABLE},
    {"host_load", &kind_real, AT(host_load), NULLABLE},
    {"host_steal", &kind_real, AT(host_steal), NULLABLE},
    {"reference", &kind_reference, WHOLE, SPARSE},
    {"facts", &kind_facts, WHOLE, SPARSE},
    {"code", &kind_code, WHOLE, SPARSE},
    {"cost", &kind_cost, WHOLE, SPARSE},
    {"wall", &kind_wall, WHOLE, SPARSE},
    {"build_ns", &kind_int64, AT(build_ns), NULLABLE},
    {"source_hash", &kind_source, AT(source_hash), NULLABLE},
    {"validation_messages", &kind_validation, WHOLE, SPARSE},
    {"bounds_unchecked", &kind_text, AT(bounds_unchecked), SPARSE},
    {"subgroup_size", &kind_uint32, AT(subgroup_size), NULLABLE},
    {"needs", &kind_needs, AT(needs), SPARSE},
    {"memory", &kind_memory, WHOLE, SPARSE},
    {"energy", &kind_energy, WHOLE, SPARSE},
    {0},
};

struct json_object *record_to_json(const struct record *record, bool with_samples) {
    if (with_samples) return fields_put(record_fields, record);
    struct record trimmed = *record;
    memset(trimmed.samples, 0, sizeof trimmed.samples);
    return fields_put(record_fields, &trimmed);
}

bool record_read(struct arena *arena, const struct json_at *at, struct record *out, struct error *err) {
    *out = (struct record){.check.worst_index = -1};
    if (!fields_get(arena, at, record_fields, out, err)) return false;
    if (!out->systems) out->systems = "";
    if (out->status != RECORD_PASS && out->status != RECORD_COMPILED && !out->reason)
        return json_fail(at, err, "expected a \"reason\" for status \"%s\"", statuses[out->status]);
    return true;
}

bool record_from_json(struct arena *arena, struct json_object *object, struct record *out, struct error *err) {
    struct json_at at = json_root(object, "record");
    return record_read(arena, &at, out, err);
}
