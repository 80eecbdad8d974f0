// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include "cases.h"
#include "record.h"
#include "result.h"
#include "../device/device_info.h"
#include "../device/profile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BIT(figure) (1U << FIGURE_##figure)
#define MEMBER(member) .amount = offsetof(struct record, member)
enum { MOVED = BIT(UPLOAD) | BIT(DOWNLOAD) };

// Returns the median of a time; NaN when not measured.
static double figure_ns(const struct record *record, enum figure figure) {
    const struct summary *summary = &record->time[figure];
    return summary->samples && measured(summary->median) ? summary->median : NAN;
}

static double build_share(const struct result *result, const struct record *record) {
    (void)result;
    const double built = (double)record->build_ns;
    return built > 0 ? built / (built + figure_ns(record, FIGURE_END_TO_END)) : NAN;
}

static double peak_share(const struct result *result, const struct record *record) {
    return rate_of(result, record).share;
}

const struct figure_info figure_table[FIGURES] = {
    [FIGURE_COMPUTE] = {"compute", "ns", .times = BIT(COMPUTE)},
    [FIGURE_UPLOAD] = {"upload", "ns", .times = BIT(UPLOAD)},
    [FIGURE_DOWNLOAD] = {"download", "ns", .times = BIT(DOWNLOAD)},
    [FIGURE_HOST_WRITE] = {"host_write", "ns", .times = BIT(HOST_WRITE)},
    [FIGURE_HOST_READ] = {"host_read", "ns", .times = BIT(HOST_READ)},
    [FIGURE_SUBMIT] = {"submit", "ns", .times = BIT(SUBMIT)},
    [FIGURE_END_TO_END] = {"end_to_end", "ns", .times = BIT(END_TO_END)},
    [FIGURE_MAPPED_WRITE] = {"mapped_write", "ns", .times = BIT(MAPPED_WRITE)},
    [FIGURE_MAPPED_READ] = {"mapped_read", "ns", .times = BIT(MAPPED_READ)},
    [FIGURE_LOW] = {"compute_low", "ns", .times = BIT(COMPUTE), MEMBER(time[FIGURE_COMPUTE].lo)},
    [FIGURE_HIGH] = {"compute_high", "ns", .times = BIT(COMPUTE), MEMBER(time[FIGURE_COMPUTE].hi)},
    [FIGURE_MOVED] = {"moved", "ns", .times = MOVED},
    [FIGURE_MOVED_BY_HOST] = {"moved_by_host", "ns", .times = BIT(HOST_WRITE) | BIT(HOST_READ)},
    [FIGURE_MOVED_MAPPED] = {"moved_mapped", "ns", .times = BIT(MAPPED_WRITE) | BIT(MAPPED_READ)},
    [FIGURE_MOVED_SHARE] = {"moved_share", "share", .times = MOVED, .over = MOVED | BIT(COMPUTE)},
    [FIGURE_RUNS_TO_HALF] = {"runs_to_half", "", .times = MOVED, .over = BIT(COMPUTE)},
    [FIGURE_BYTES_PER_S] = {"bytes_per_s", "B/s", .over = BIT(COMPUTE), MEMBER(bytes), .high = true},
    [FIGURE_FLOPS_PER_S] = {"flops_per_s", "FLOP/s", .over = BIT(COMPUTE), MEMBER(flops), .high = true},
    [FIGURE_BUILD_SHARE] = {"build_share", "share", .times = BIT(END_TO_END), .of = build_share, .high = true},
    [FIGURE_REFERENCE] = {"reference", "ns", MEMBER(reference.ns)},
    [FIGURE_PEAK_SHARE] = {"peak_share", "share", .over = BIT(COMPUTE), .of = peak_share, .high = true},
};

const char *figure_name(enum figure figure) {
    return figure_table[figure].name;
}

double compute_ns(const struct record *record) {
    return record_is_timed(record) ? record->time[FIGURE_COMPUTE].median : NAN;
}

// Returns true for a probe. Its compute figure covers the whole probe; its other figures are parts of that.
static bool is_probe(const struct record *record) {
    return strcmp(record->dtype, "probe") == 0;
}

// Returns the sum of those times that were measured. NaN if none was, or if compute is missing.
static double sum_of(const struct record *record, unsigned times) {
    double sum = NAN;
    for (int f = 0; f < FIGURE_COUNT; f++) {
        const double ns = times >> f & 1 ? figure_ns(record, (enum figure)f) : NAN;
        if (isnan(ns) && f == FIGURE_COMPUTE && times & BIT(COMPUTE)) return NAN;
        if (!isnan(ns)) sum = isnan(sum) ? ns : sum + ns;
    }
    return sum;
}

double figure_value(const struct result *result, const struct record *record, int figure) {
    const struct figure_info *info = &figure_table[figure];
    if (info->of) return info->of(result, record);
    const double amount = info->amount ? *(const double *)((const char *)record + info->amount) : NAN;
    const double top = info->amount ? amount : sum_of(record, info->times);
    if (!info->over) return top;
    const bool whole = info->over & MOVED && is_probe(record); // its compute time has the others in it
    const double under = sum_of(record, whole ? BIT(COMPUTE) : info->over);
    return top > 0 ? top / under * (info->amount ? 1e9 : 1) : NAN;
}

// ---- machine code

const char *const code_figure_titles[CODE_FIGURES] = {[CODE_REGISTERS] = "registers",
    [CODE_SPILLS] = "spills",
    [CODE_SCRATCH] = "scratch bytes",
    [CODE_SHARED] = "shared bytes",
    [CODE_BYTES] = "code bytes",
    [CODE_WAVES] = "waves",
    [CODE_CYCLES] = "static cycles"};

// Names of the statistics of Mesa 25 and 26 and of NVIDIA's driver 580. Statistics of one figure are added. NVIDIA's
// size of local memory has other data in its higher bits, so only 32 bits of each are read.
static const struct {
    const char *name;
    enum code_figure figure;
} code_names[] = {
    // RADV
    {"VGPRs", CODE_REGISTERS},
    {"Spilled VGPRs", CODE_SPILLS},
    {"Spilled SGPRs", CODE_SPILLS},
    {"Scratch size", CODE_SCRATCH},
    {"LDS size", CODE_SHARED},
    {"Code size", CODE_BYTES},
    {"Subgroups per SIMD", CODE_WAVES},
    {"Inverse Throughput", CODE_CYCLES},
    // ANV
    {"Max live registers", CODE_REGISTERS},
    {"GRF registers", CODE_REGISTERS},
    {"Spill Count", CODE_SPILLS},
    {"Scratch Memory Size", CODE_SCRATCH},
    {"Workgroup Memory Size", CODE_SHARED},
    {"Cycle Count", CODE_CYCLES},
    // Turnip
    {"Registers used", CODE_REGISTERS},
    {"STP Count", CODE_SPILLS},
    {"Max Waves Per Core", CODE_WAVES},
    // NVK
    {"Number of GPRs", CODE_REGISTERS},
    {"Spills to memory", CODE_SPILLS},
    {"SLM size", CODE_SCRATCH},
    {"Max warps/SM", CODE_WAVES},
    {"Static cycle count", CODE_CYCLES},
    // NVIDIA
    {"Register Count", CODE_REGISTERS},
    {"Local Memory Size", CODE_SPILLS},
    {"Stack Size", CODE_SCRATCH},
    {"Shared Memory Size", CODE_SHARED},
    {"Binary Size", CODE_BYTES},
};

double code_figure(const struct record *record, enum code_figure figure) {
    double sum = NAN;
    for (int i = 0; i < record->code_count; i++)
        for (size_t k = 0; k < sizeof code_names / sizeof *code_names; k++)
            if (code_names[k].figure == figure && strcmp(code_names[k].name, record->code[i].name) == 0)
                sum = (isnan(sum) ? 0 : sum) + fmod(record->code[i].value, 0x1p32);
    return sum;
}

const char *code_file_name(struct arena *arena, const struct record *record) {
    char *name =
        arena_format(arena, "%s-%s-%s.txt", record->kernel, record->dtype ? record->dtype : "", record_shape(record));
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(".,=-_", *c)) *c = '_';
    return name;
}

double occupancy_most(uint32_t vendor, double registers, uint64_t invocations) {
    enum { NVIDIA = 0x10de, REGISTERS = 65536, LANES = 32, WARPS = 64, GROUPS = 32 };
    if (vendor != NVIDIA || !(registers > 0) || !invocations || invocations > WARPS * LANES) return NAN;
    const double of_warp = ceil(registers / 8) * 8 * LANES, wanted = ceil((double)invocations / LANES);
    const double warps = fmin(floor(REGISTERS / of_warp), WARPS);
    return fmin(floor(warps / wanted), GROUPS) * wanted / WARPS;
}

// ---- peaks

// How to compute a peak from a record, by the end of its name; the first match counts. A rate is an amount over the
// median of a figure, and the largest is the best. Without an amount the peak is the median itself, and the smallest
// is the best.
#define AMOUNT(member) #member, offsetof(struct record, member)
static const struct peak_rule {
    const char *suffix, *unit;
    enum figure figure;
    const char *amount; // member of "cost"
    size_t at;          // its offset in a record
} peak_rules[] = {
    {"host_to_device_bytes_per_s", "B/s", FIGURE_UPLOAD, AMOUNT(upload_bytes)},
    {"device_to_host_bytes_per_s", "B/s", FIGURE_DOWNLOAD, AMOUNT(download_bytes)},
    {"_bytes_per_s", "B/s", FIGURE_COMPUTE, AMOUNT(bytes)},
    {"_flops_per_s", "FLOP/s", FIGURE_COMPUTE, AMOUNT(flops)},
    {"_ops_per_s", "OP/s", FIGURE_COMPUTE, AMOUNT(flops)}, // of whole numbers
    {"empty_dispatch_ns", "ns", FIGURE_COMPUTE, NULL, 0},
    {"submit_ns", "ns", FIGURE_SUBMIT, NULL, 0},
};

const struct kind kind_peaks = {.meaning = "The measured peaks of the device; null: planned, but not measured.",
    .values = &(const struct kind){.schema = SCHEMA({"type" : [ "number", "null" ], "exclusiveMinimum" : 0})},
    .schema = SCHEMA({"propertyNames" : {"pattern" : "(_bytes_per_s|_flops_per_s|_ops_per_s|_ns)$"}})};

static const struct peak_rule *rule_for(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof peak_rules / sizeof *peak_rules; i++) {
        size_t end = strlen(peak_rules[i].suffix);
        if (length >= end && strcmp(name + length - end, peak_rules[i].suffix) == 0) return &peak_rules[i];
    }
    return NULL;
}

const char *peak_unit(const char *name) {
    const struct peak_rule *rule = rule_for(name);
    return rule ? rule->unit : NULL;
}

// Returns the record's figure; NaN if it has none.
static double figure_of(const struct peak_rule *rule, struct json_object *record) {
    struct json_object *time = json_get(json_get(record, "time"), figure_name(rule->figure));
    double median = json_get_double(time, "median_ns", NAN);
    if (strcmp(json_get_string(record, "status", ""), record_status_name(RECORD_PASS)) != 0 || !(median > 0))
        return NAN;
    if (!rule->amount) return median;
    double amount = json_get_double(json_get(record, "cost"), rule->amount, NAN);
    return amount > 0 ? amount / (median * 1e-9) : NAN;
}

bool peak_figure(const struct record *record, struct peak_figure *out) {
    const struct peak_rule *rule = record->peak ? rule_for(record->peak) : NULL;
    if (!rule || record->status != RECORD_PASS || !(record->time[rule->figure].median > 0)) return false;
    const struct summary *time = &record->time[rule->figure];
    *out = (struct peak_figure){time->median, time->lo, time->hi};
    if (!rule->amount) return true;
    const double amount = *(const double *)((const char *)record + rule->at) * 1e9;
    *out = (struct peak_figure){amount / time->median, amount / time->hi, amount / time->lo};
    return amount > 0;
}

bool peak_is_better(const char *name, double value, double than) {
    const struct peak_rule *rule = rule_for(name);
    return rule && (isnan(than) || (rule->amount ? value > than : value < than));
}

struct json_object *peaks_make(struct json_object *const *records, size_t count) {
    struct json_object *peaks = json_object_new_object();
    for (size_t i = 0; i < count; i++) {
        const char *name = json_get_string(records[i], "peak", NULL);
        const struct peak_rule *rule = name ? rule_for(name) : NULL;
        if (!rule) continue;
        double best = json_get_double(peaks, name, NAN), here = figure_of(rule, records[i]);
        json_put_double(peaks, name, !isnan(here) && peak_is_better(name, here, best) ? here : best);
    }
    return peaks;
}

double result_peak(const struct result *result, const char *name) {
    return json_get_double(json_get(result->context, "peaks"), name, NAN);
}

// ---- rates

// Ridge in operations per byte for devices without measured peaks; above it, arithmetic is the bound. It is between
// the values for f32 of processors (4 to 10) and of discrete GPUs (10 to 40).
static const double usual_ridge = 10;

// ---- roofs

static const char *const memory_roofs[] = {"copy_bytes_per_s", "read_bytes_per_s", "write_bytes_per_s"};
static const char *const cache_roof = "cache_bytes_per_s";

// Returns the highest measured peak; NULL if none was measured.
static const char *memory_roof(const struct result *result) {
    const char *best = NULL;
    for (size_t i = 0; i < sizeof memory_roofs / sizeof *memory_roofs; i++) {
        const double here = result_peak(result, memory_roofs[i]);
        if (here > 0 && !(best && result_peak(result, best) >= here)) best = memory_roofs[i];
    }
    return best;
}

double peak_bytes(const struct result *result) {
    const char *roof = memory_roof(result);
    return roof ? result_peak(result, roof) : NAN;
}

// Peaks are the first records: a large result is not searched further on.
enum { LOOKED_AT = 1000 };

// Returns the traffic of the copy that set the roof, or 0 without its record.
static double copied_bytes(const struct result *result) {
    double most = 0;
    for (size_t i = 0; i < result->count && i < LOOKED_AT && (most == 0 || result->records[i].peak); i++)
        if (result->records[i].peak && strcmp(result->records[i].peak, memory_roofs[0]) == 0)
            most = fmax(most, result->records[i].bytes);
    return most;
}

static const char *bytes_roof(const struct result *result, const struct record *record, double rate) {
    const char *roof = memory_roof(result);
    if (!roof || rate <= result_peak(result, roof)) return roof;
    const double copied = copied_bytes(result), cache = result_peak(result, cache_roof);
    const bool fits = copied == 0 || record->bytes < copied / 2;
    if (!fits) return roof;
    return !(cache > 0) ? NULL : cache > result_peak(result, roof) ? cache_roof : roof;
}

// ---- what executes the operations

static const struct arithmetic_key {
    const char *name, *key, *words;
} keys[] = {
    {"fma_f32", "fma_f32_flops_per_s", "f32 multiply-add"},
    {"fma_f16", "fma_f16_flops_per_s", "f16 multiply-add"},
    {"fma_f64", "fma_f64_flops_per_s", "f64 multiply-add"},
    {"mad_i8", "mad_i8_ops_per_s", "i8 multiply-add"},
    {"mad_i16", "mad_i16_ops_per_s", "i16 multiply-add"},
    {"mad_i32", "mad_i32_ops_per_s", "i32 multiply-add"},
    {"dot_i8", "dot_i8_ops_per_s", "i8 dot products"},
    {"matrix_f16_f32", "matrix_f16_f32_flops_per_s", "f16 matrix units"},
    {"matrix_f16_f16", "matrix_f16_f16_flops_per_s", "f16 matrix units, sums in f16"},
    {"matrix_bf16_f32", "matrix_bf16_f32_flops_per_s", "bf16 matrix units"},
    {"matrix_e4m3_f32", "matrix_e4m3_f32_flops_per_s", "e4m3 matrix units"},
    {"matrix_e5m2_f32", "matrix_e5m2_f32_flops_per_s", "e5m2 matrix units"},
    {"matrix_f32_f32", "matrix_f32_f32_flops_per_s", "f32 matrix units"},
    {"matrix_i8_i32", "matrix_i8_i32_ops_per_s", "i8 matrix units"},
    {"matrix_u8_u32", "matrix_u8_u32_ops_per_s", "u8 matrix units"},
};

const char *roof_words(const char *key) {
    for (size_t i = 0; key && i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i].key) == 0) return keys[i].words;
    return key && strcmp(key, cache_roof) == 0 ? "cache" : "memory";
}

// Guesses the arithmetic of a record from older versions, by the features it needs: matrices, dot products or f16.
// Matrix sums are f32, or i32 for i8. If the needs are unknown, only f32 can be guessed. Returns NULL if nothing is
// known.
static const char *guessed_arithmetic(const struct record *record) {
    if (!record->needs) return strcmp(record->dtype, "f32") == 0 ? "fma_f32" : NULL;
    const bool *asks = record->needs->features;
    if (asks[FEATURE_COOPERATIVE_MATRIX])
        return strcmp(record->dtype, "bf16") == 0 ? "matrix_bf16_f32"
               : strcmp(record->dtype, "i8") == 0 ? "matrix_i8_i32"
                                                  : "matrix_f16_f32";
    return asks[FEATURE_INTEGER_DOT] ? "dot_i8" : asks[FEATURE_FLOAT16] ? "fma_f16" : "fma_f32";
}

// Returns the key of the record's arithmetic. If the record measures such a peak, returns the key of the peak.
static const struct arithmetic_key *key_of(const struct record *record) {
    const char *name = record->arithmetic ? record->arithmetic : guessed_arithmetic(record);
    const struct arithmetic_key *found = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (record->peak && strcmp(record->peak, keys[i].key) == 0) return &keys[i];
        if (name && strcmp(name, keys[i].name) == 0) found = &keys[i];
    }
    return found;
}

const char *arithmetic_roof(const struct result *result, const struct record *record) {
    const struct arithmetic_key *key = key_of(record);
    return key && result_peak(result, key->key) > 0 ? key->key : NULL;
}

// Takes a roof away that the rate exceeds on a processor: there, other work on the host slowed the peak down.
static void drop_low_roof(const struct result *result, struct rate *rate) {
    if (result->device->kind != DEVICE_CPU || !(rate->share > MOST_SHARE)) return;
    rate->roof = NULL;
    rate->share = NAN;
}

struct rate rate_of(const struct result *result, const struct record *record) {
    const struct arithmetic_key *key = key_of(record);
    const char *work_roof = arithmetic_roof(result, record);
    const double seconds = compute_ns(record) * 1e-9;
    double ridge = work_roof ? result_peak(result, work_roof) / peak_bytes(result) : NAN;
    if (!measured(ridge)) ridge = usual_ridge;
    const bool by_bytes = measured(record->bytes) && !(record->flops / record->bytes > ridge);
    struct rate rate = {.unit = by_bytes ? "B/s" : key ? peak_unit(key->key) : "FLOP/s", .share = NAN};
    rate.value = (by_bytes ? record->bytes : record->flops) / seconds;
    if (!measured(rate.value)) rate.value = NAN;
    rate.roof = by_bytes ? bytes_roof(result, record, rate.value) : work_roof;
    if (rate.roof) rate.share = rate.value / result_peak(result, rate.roof);
    drop_low_roof(result, &rate);
    return rate;
}

static int by_share(const void *a, const void *b) {
    const struct beyond *x = a, *y = b;
    if (x->rate.share != y->rate.share) return x->rate.share > y->rate.share ? -1 : 1;
    return strcmp(x->record->name, y->record->name);
}

// Returns by which factor the fastest sample of a roof exceeds the roof, which is a median.
static double roof_spread(const struct result *result, const char *roof) {
    double most = 1;
    for (size_t i = 0; i < result->count && i < LOOKED_AT; i++) {
        const struct record *r = &result->records[i];
        const struct summary *compute = &r->time[FIGURE_COMPUTE];
        if (r->peak && roof && strcmp(r->peak, roof) == 0 && compute->samples)
            most = fmax(most, compute->median / compute->min);
    }
    return most;
}

size_t beyond_roofs(const struct result *result, struct arena *arena, struct beyond **out) {
    size_t count = 0, room = 0;
    *out = NULL;
    for (size_t i = 0; i < result->count; i++) {
        const struct beyond here = {&result->records[i], rate_of(result, &result->records[i])};
        if (!record_is_timed(here.record) || !(here.rate.share > MOST_SHARE)) continue;
        if (here.record->recorded.count) continue; // a kernel may access a part of its ranges
        // Three of four samples exceed this share of a roof by its fastest sample: noise of a busy host is no error.
        const struct summary *compute = &here.record->time[FIGURE_COMPUTE];
        const double certain = here.rate.share * compute->median / compute->q3 / roof_spread(result, here.rate.roof);
        if (!(certain > MOST_SHARE)) continue;
        *out = arena_grow(arena, *out, count, &room, sizeof here);
        (*out)[count++] = here;
    }
    if (count) qsort(*out, count, sizeof **out, by_share);
    return count;
}
