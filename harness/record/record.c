// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include "../device/profile.h"
#include "../truth/stats/stop.h"
#include "parts.h"
#include "result.h"
#include "cases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
static const struct kind kind_case = {.put = case_put,
    .get = case_get,
    .meaning = "The first parts of the name, which all shapes of a case share: kernel, dtype and dims.",
    .schema = SCHEMA({"type" : "string"})};

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
const struct kind kind_failed = {.put = failed_put,
    .get = failed_get,
    .set = &check_words,
    .meaning = "The failed checks.",
    .schema = SCHEMA({"minItems" : 1})};

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
const struct kind kind_source = {.put = source_put,
    .get = source_get,
    .meaning =
        "Hash of the manifest and the tokens of the shaders, independent of the shader compiler. Older files have "
        "digits only; these are not comparable.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^(tokens:)?[0-9a-f]{16}$"})};

const struct field reference_fields[] = {
    {"ns", &kind_amount, AT(reference.ns), REQUIRED},
    {"max_ulp", &kind_amount, AT(reference.max_ulp), NULLABLE},
    {"extrapolated", KIND(kind_flag, .meaning = "Timed over a part of the outputs, and scaled up by `scale`."),
        AT(reference.extrapolated), REQUIRED},
    {"scale", KIND(kind_real, .least = 1), AT(reference.scale), SPARSE},
    {0},
};
GROUP_KIND(static, reference, reference_fields, record->reference.ns > 0)

const struct field exhaustive_fields[] = {
    {"bits",
        KIND(kind_int, .meaning = "Of all operands of one output together.", .schema = SCHEMA({"enum" : [ 16, 32 ]})),
        AT(exhaustive.bits), REQUIRED},
    {"first", &kind_hex, AT(exhaustive.first), REQUIRED},
    {"last", &kind_hex, AT(exhaustive.last), REQUIRED},
    {"inputs", KIND(kind_int64, .least = 1), AT(exhaustive.inputs), REQUIRED},
    {"argument", KIND(kind_hex, .meaning = "The input whose error uses most of its bound."), AT(exhaustive.argument),
        REQUIRED},
    {"ulp", KIND(kind_amount, .meaning = "Its error; null: a mismatch of class."), AT(exhaustive.ulp), NULLABLE},
    {"inputs_per_s", KIND(kind_amount, .meaning = "Over all wall time."), AT(exhaustive.inputs_per_s), NULLABLE},
    {0},
};
GROUP_KIND(static, exhaustive, exhaustive_fields, record->exhaustive.bits > 0)

static const struct field recorded_fields[] = {
    {"count", KIND(kind_int64, .least = 1, .meaning = "Dispatches of the program that were alike."), AT(recorded.count),
        REQUIRED},
    {"ns", KIND(kind_amount, .meaning = "Of all of them in the program."), AT(recorded.ns), NULLABLE},
    {"number", KIND(kind_int64, .meaning = "Of the first, in the order of the program."), AT(recorded.number), NEW},
    {"signature", KIND(kind_text, .meaning = "Equal in two captures: the same work, but for contents of storage."),
        AT(recorded.signature), SPARSE},
    {"module", KIND(kind_text, .meaning = "Hash of the module, and the entry point."), AT(recorded.module), SPARSE},
    {"name", KIND(kind_text, .meaning = "Of the pipeline as the program named it, or the entry point."),
        AT(recorded.name), SPARSE},
    {"sizes", KIND(kind_text, .meaning = "Bytes of each storage range, by binding."), AT(recorded.sizes), SPARSE},
    {"inputs", KIND(kind_text, .meaning = "Hash of all that it reads: contents and parameters."), AT(recorded.inputs),
        SPARSE},
    {"device", KIND(kind_text, .meaning = "Of the recording; null: the device and driver of this run."),
        AT(recorded.device), NULLABLE},
    {"compared", KIND(kind_int64, .meaning = "Elements of outputs with recorded results."), AT(recorded.compared),
        REQUIRED},
    {"differing", KIND(kind_int64, .meaning = "Those with other bits. The other members are of the worst one."),
        AT(recorded.differing), REQUIRED},
    {"operand", &kind_text, AT(recorded.operand), SPARSE},
    {"index", &kind_int64, AT(recorded.index), REQUIRED},
    {"got", &kind_special, AT(recorded.got), REQUIRED},
    {"want", &kind_special, AT(recorded.want), REQUIRED},
    {"max_ulp", KIND(kind_special, .meaning = "Of integers, their difference."), AT(recorded.max_ulp), REQUIRED},
    {0},
};
GROUP_KIND(static, recorded, recorded_fields, record->recorded.count > 0)

const struct field cost_fields[] = {
    {"flops", &kind_amount, AT(flops), NULLABLE},
    {"bytes", &kind_amount, AT(bytes), NULLABLE},
    {"upload_bytes", &kind_amount, AT(upload_bytes), NULLABLE},
    {"download_bytes", &kind_amount, AT(download_bytes), NULLABLE},
    {"arithmetic",
        KIND(kind_text,
            .meaning = "The unit for this work, as in the name of its peak: matrix_f16_f32, fma_f32, dot_i8."),
        AT(arithmetic), SPARSE},
    {0},
};
GROUP_KIND(static, cost, cost_fields, true)

static const struct field wall_fields[] = {
    {"compile_ns", &kind_int64, AT(wall.ns[WALL_COMPILE]), REQUIRED},
    {"upload_ns", &kind_int64, AT(wall.ns[WALL_UPLOAD]), NEW},
    {"compute_ns", &kind_int64, AT(wall.ns[WALL_COMPUTE]), NEW},
    {"download_ns", &kind_int64, AT(wall.ns[WALL_DOWNLOAD]), NEW},
    {"reference_ns", &kind_int64, AT(wall.ns[WALL_REFERENCE]), NEW},
    {"judge_ns", &kind_int64, AT(wall.ns[WALL_JUDGE]), REQUIRED},
    {"wait_ns", &kind_int64, AT(wall.ns[WALL_WAIT]), NEW},
    {"idle_ns", &kind_int64, AT(wall.ns[WALL_IDLE]), NEW},
    {0},
};
GROUP_KIND(static, wall, wall_fields, true)

static const struct field clock_probe_fields[] = {
    {"count", KIND(kind_int, .least = 1), AT(clock_probes.count), REQUIRED},
    {"least", KIND(kind_positive, .meaning = "Smallest of its times, over its median so far."), AT(clock_probes.least),
        REQUIRED},
    {"most", &kind_positive, AT(clock_probes.most), REQUIRED},
    {"noise", KIND(kind_amount, .meaning = "Standard deviation of its times, as a share of the median."),
        AT(clock_probes.noise), REQUIRED},
    {"least_clock_hz", KIND(kind_positive, .meaning = "Shader clock while that kernel was slow, if readable."),
        AT(clock_probes.least_clock_hz), NULLABLE},
    {0},
};
GROUP_KIND(static, clock_probes, clock_probe_fields, record->clock_probes.count > 0)

static const struct field energy_fields[] = {
    {"joules", &kind_positive, AT(energy.joules), NULLABLE},
    {"watts", &kind_positive, AT(energy.watts), NULLABLE},
    {"source", KIND(kind_text, .schema = SCHEMA({"enum" : [ "nvml", "rapl" ]})), AT(energy.source), NULLABLE},
    {"why", KIND(kind_text, .meaning = "Why it cannot be measured."), AT(energy.why), SPARSE},
    {0},
};
GROUP_KIND(static, energy, energy_fields, record->energy.source || record->energy.why)

static const struct field memory_fields[] = {
    {"used_bytes", &kind_int64, AT(memory_used), REQUIRED},
    {"peak_bytes", KIND(kind_int64, .least = 1), AT(memory_peak), REQUIRED},
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
static const struct kind kind_validation = {.put = validated_put,
    .get = validated_get,
    .meaning = "Messages of the validation layer. Absent: it ran without the layer.",
    .schema = SCHEMA({"type" : "integer", "minimum" : 0})};

// ---- the outcome of a mutant

static const char *mutant_verdict_name(enum mutant_verdict verdict) {
    static const char *const verdicts[MUTANT_VERDICTS] = {[MUTANT_KILLED] = "killed",
        [MUTANT_SURVIVED] = "survived",
        [MUTANT_UNSEEN] = "unseen",
        [MUTANT_EQUIVALENT] = "equivalent",
        [MUTANT_INVALID] = "invalid",
        [MUTANT_NOT_RUN] = "not-run"};
    return verdicts[verdict];
}
ENUM_WORDS(, mutant_verdict, mutant_verdict_name, mutant_verdict, 0, MUTANT_VERDICTS, "a verdict")
static const struct kind kind_verdict = {.words = &mutant_verdict_words};
const struct kind kind_rule = {.of = &kind_text,
    .meaning = "The rule by which a mutant that was not killed is right.",
    .name = "rule",
    .schema = SCHEMA({"pattern" : "^[a-z0-9-]+$"})};

#define OF(member) offsetof(struct mutant_outcome, member)
const struct field mutant_outcome_fields[] = {
    {"verdict", &kind_verdict, OF(verdict), REQUIRED},
    {"check",
        KIND(kind_text, .meaning =
                            "The check that killed it (`failed` of a record), or interface, build, timeout, crash, "
                            "device-lost, driver, error."),
        OF(check), SPARSE},
    {"point", KIND(kind_text, .meaning = "The point that killed it, or the first with other bits."), OF(point), SPARSE},
    {"rule", &kind_rule, OF(rule), SPARSE},
    {"reason", &kind_text, OF(reason), SPARSE},
    {"points", KIND(kind_int64, .meaning = "Points where it ran, up to the one that killed it."), OF(points), REQUIRED},
    {"seconds", &kind_amount, OF(seconds), REQUIRED},
    {0},
};
#undef OF
static struct json_object *mutant_put(const void *member) {
    const struct mutant_outcome *mutant = *(const struct mutant_outcome *const *)member;
    return mutant ? fields_put(mutant_outcome_fields, mutant) : NULL;
}
static bool mutant_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    struct mutant_outcome *mutant = arena_alloc(arena, 1, sizeof *mutant);
    *(const struct mutant_outcome **)member = mutant;
    return fields_get(arena, at, mutant_outcome_fields, mutant, err);
}
static const struct kind kind_mutant = {.put = mutant_put,
    .get = mutant_get,
    .fields = mutant_outcome_fields,
    .meaning = "Of a kernel broken on purpose (`vkassay mutate`): what became of the change behind `!` in the name."};

ENUM_WORDS(static, stop, stop_reason_name, stop_reason, STOP_PRECISE, STOP_COUNT + 1, "precise, time or count")

#define TEXT(MEANING) KIND(kind_text, .meaning = MEANING)
static const struct field record_fields[] = {
    {"name",
        TEXT("The same everywhere: kernel/dtype/dims/shape, and /bits=FIRST-LAST for a part; kernel!change of a "
             "mutant."),
        AT(name), REQUIRED},
    {"case", &kind_case, WHOLE, REQUIRED}, // after the name
    {"part", KIND(kind_mark, .meaning = "One of the points of an exhaustive run of its case."), AT(part), SPARSE},
    {"operator", &kind_text, AT(operator), REQUIRED},
    {"kernel", &kind_text, AT(kernel), REQUIRED},
    {"dtype", &kind_text, AT(dtype), REQUIRED},
    {"dims", KIND(kind_dims, .meaning = "Dims, then parameters that differ from their default."), WHOLE, REQUIRED},
    {"shape", KIND(kind_shape, .meaning = "The workgroup size and the other tunables."), WHOLE, REQUIRED},
    {"default", KIND(kind_flag, .meaning = "This is the default shape of the manifest."), AT(is_default), REQUIRED},
    {"systems", TEXT("Systems that hard-code this shape, separated by commas."), AT(systems), NULLABLE},
    {"leaves", TEXT("Conventions that the kernel leaves open. Inputs that show them were not drawn."), AT(leaves),
        SPARSE},
    {"reads_back",
        TEXT("Outputs and scratch buffers that the kernel reads as well as writes, without a word in its manifest. "
             "What an earlier run left there may stand in for its work."),
        AT(reads_back), SPARSE},
    {"peak", TEXT("The measured peak that this point serves."), AT(peak), NULLABLE},
    {"status", &kind_status, AT(status), REQUIRED},
    {"reason", &kind_text, AT(reason), NULLABLE},
    {"refusal", &kind_refusal, AT(refusal), SPARSE},
    {"failed", &kind_failed, AT(failed), SPARSE},
    {"call", TEXT("The failed Vulkan call and its code: vkQueueSubmit: VK_ERROR_DEVICE_LOST."), AT(call), SPARSE},
    {"replay", TEXT("A command that repeats the check bit for bit."), AT(replay), NULLABLE},
    {"expected", KIND(kind_expected, .meaning = "The expectation of the run for this point."), WHOLE, SPARSE},
    {"attempts",
        KIND(kind_attempts,
            .meaning = "If the first attempt was unexpected, the point ran again, and the record is of the worse one."),
        WHOLE, SPARSE},
    {"check", &kind_check, WHOLE, SPARSE},
    {"exhaustive",
        KIND(kind_exhaustive, .meaning =
                                  "All inputs from first to last were run, as bits; `check` is over all of them. The "
                                  "first of two operands has the lower bits."),
        WHOLE, SPARSE},
    {"recorded", KIND(kind_recorded, .meaning = "A dispatch of another program (harness/capture)."), WHOLE, SPARSE},
    {"time", &kind_time, WHOLE, SPARSE},
    {"repeats", KIND(kind_int, .meaning = "Dispatches in one interval of the compute figure."), AT(repeats), WRITTEN},
    {"stop", KIND(kind_text, .words = &stop_words), AT(stop), NULLABLE},
    {"cache", KIND(kind_text, .schema = SCHEMA({"enum" : [ "hot", "cold" ]})), AT(cache), NULLABLE},
    {"clock", KIND(kind_clock, .meaning = "The clock of the times; null: nothing was timed."), AT(clock), NULLABLE},
    {"clock_why", TEXT("Why it is the host's clock."), AT(clock_why), SPARSE},
    {"drift", KIND(kind_positive, .meaning = "Time of the reference kernel beside this point, over its median so far."),
        AT(drift), NULLABLE},
    {"throttled",
        KIND(kind_flag, .meaning =
                            "A GPU was slow beside this point: the drift is above 1.1, or above 1.05 without time to "
                            "wait, and beyond the noise of the reference kernel."),
        AT(throttled), WRITTEN},
    {"remeasured", KIND(kind_flag, .meaning = "Throttled at first: the samples are of a second try."), AT(remeasured),
        NEW},
    {"looks",
        KIND(kind_clock_probes,
            .meaning = "Clock probes: runs of the reference kernel before, during and after the timing, on a GPU."),
        WHOLE, SPARSE},
    {"shader_clock_hz", KIND(kind_positive, .meaning = "Shader clock beside this point, if readable."),
        AT(shader_clock_hz), NEW_NULLABLE},
    {"host_load", KIND(kind_amount, .meaning = "Other work on the host during timing, as a share of its cores."),
        AT(host_load), NEW_NULLABLE},
    {"host_steal", KIND(kind_amount, .meaning = "Share of the host's cores taken by a hypervisor."), AT(host_steal),
        NEW_NULLABLE},
    {"reference", KIND(kind_reference, .meaning = "The scalar baseline on the host."), WHOLE, SPARSE},
    {"facts", KIND(kind_metrics, .meaning = "Findings of a probe besides times: shares, counts, bytes."), WHOLE,
        SPARSE},
    {"code",
        KIND(kind_code,
            .meaning = "The driver's figures on the machine code, under its names; of several passes the largest."),
        WHOLE, SPARSE},
    {"cost",
        KIND(kind_cost,
            .meaning = "Useful work and least traffic of one run; bytes of the upload and download figures."),
        WHOLE, WRITTEN},
    {"wall", KIND(kind_wall, .meaning = "Wall time of this point by part."), WHOLE, WRITTEN},
    {"build_ns", KIND(kind_int64, .meaning = "Core time to build its shaders."), AT(build_ns), NEW},
    {"source_hash", &kind_source, AT(source_hash), NULLABLE},
    {"validation_messages", &kind_validation, WHOLE, SPARSE},
    {"bounds_unchecked",
        TEXT(
            "How the driver failed under the layer's checks of accesses (--gpu-assisted): the point ran without them."),
        AT(bounds_unchecked), SPARSE},
    {"unsanitized",
        TEXT("How the device was lost in a small run with instrumented shaders: the point ran without one."),
        AT(unsanitized), SPARSE},
    {"subgroup_size", KIND(kind_uint32, .meaning = "Required subgroup size; 0: the driver's choice."),
        AT(subgroup_size), WRITTEN},
    {"mutant", &kind_mutant, AT(mutant), SPARSE},
    {"needs", &kind_needs, AT(needs), SPARSE},
    {"memory", KIND(kind_memory, .meaning = "Device memory when the point was judged, and the most until then."), WHOLE,
        SPARSE},
    {"energy", KIND(kind_energy, .meaning = "Energy and power of one run, for the whole device (--timing energy=on)."),
        WHOLE, SPARSE},
    {0},
};
static const struct field search_fields[] = {
    {LINE_SUM, &kind_line_sum, 0, SPARSE},
    {"tuned_case",
        &(const struct kind){
            .meaning = "Of a case's last record: as in $.run.tuning.cases.", .schema = SCHEMA({"type" : "object"})},
        0, SPARSE},
    {0},
};
const struct kind kind_record = {.fields = record_fields,
    .also = search_fields,
    .name = "record",
    .meaning = "The outcome of one point. A figure that was not measured is null or absent, never 0.",
    .schema = SCHEMA({
        "if" : {"properties" : {"status" : {"const" : "pass"}}},
        "then" : {"properties" : {"reason" : {"type" : "null"}}},
        "else" : {"properties" : {"reason" : {"type" : "string"}}}
    })};

struct json_object *record_to_json(const struct record *record, bool with_samples) {
    if (with_samples) return fields_put(record_fields, record);
    struct record trimmed = *record;
    memset(trimmed.samples, 0, sizeof trimmed.samples);
    return fields_put(record_fields, &trimmed);
}

// Refuses figures that contradict each other, as no run writes them.
static bool record_agrees(const struct json_at *at, const struct record *r, struct error *err) {
    for (int f = 0; f < FIGURE_COUNT; f++) {
        const struct summary *time = &r->time[f];
        if (time->lo > time->hi || time->median < time->lo || time->median > time->hi)
            return json_fail(at, err, "expected a median of %s from lo %g to hi %g, found %g",
                figure_name((enum figure)f), time->lo, time->hi, time->median);
    }
    const int64_t judged = r->check.checked, all = r->check.elements;
    if (judged < 0 || judged > all || r->check.failures > all || r->check.exact > all)
        return json_fail(at, err, "expected at most %lld outputs, checked, wrong or exact: found %lld, %lld and %lld",
            (long long)all, (long long)judged, (long long)r->check.failures, (long long)r->check.exact);
    return true;
}

bool record_read(struct arena *arena, const struct json_at *at, struct record *out, struct error *err) {
    *out = (struct record){.check.worst_index = -1};
    if (!fields_get(arena, at, record_fields, out, err)) return false;
    if (!out->systems) out->systems = "";
    if (out->status != RECORD_PASS && out->status != RECORD_COMPILED && !out->reason)
        return json_fail(at, err, "expected a \"reason\" for status \"%s\"", record_status_name(out->status));
    return record_agrees(at, out, err);
}

bool record_from_json(struct arena *arena, struct json_object *object, struct record *out, struct error *err) {
    struct json_at at = json_root(object, "record");
    return record_read(arena, &at, out, err);
}
