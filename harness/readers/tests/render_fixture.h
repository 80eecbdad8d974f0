// SPDX-License-Identifier: Apache-2.0
// A result as from a run: kernels of several families at three sizes in several shapes. Most records passed; one is
// wrong, some are skipped, one has an error, one timed out. All figures follow from formulas, so tests can compute
// them.
#ifndef VKASSAY_RENDER_RENDER_FIXTURE_H
#define VKASSAY_RENDER_RENDER_FIXTURE_H

#include "../../record/result.h"
#include "../../record/tests/case_length.h"
#include "../../truth/stats/summary.h"
#include "../../record/wall.h"
#include "../../record/record.h"
#include "../../truth/judge/judge.h"
#include "../../record/terms.h"
#include "../../device/device_info.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXTURE_SIZES = 3 };
#define FIXTURE_COPY 20e9 // bytes per second
#define FIXTURE_FMA 80e9  // operations per second

struct fixture_kernel {
    const char *operator, * name, *dtype;
    const char *dims[12];
    double sizes[FIXTURE_SIZES][12];
    double flops_each, bytes_each; // for each element of the product of the `work` leading dims
    int work;
    bool flat;    // 2-D workgroups
    bool tile;    // has another tunable
    double speed; // share of the roof reached by its best shape
    double max_ulp, bound;
};

static const struct fixture_kernel fixture_kernels[] = {
    {"add", "add.scalar", "f32", {"n"}, {{1025}, {1048576}, {16777216}}, 1, 12, 1, false, false, 0.62, 0.5, 0.5},
    {"add", "add.vec4", "f32", {"n"}, {{1025}, {1048576}, {16777216}}, 1, 12, 1, false, false, 0.91, 0.5, 0.5},
    {"add", "add.vec4", "f16", {"n"}, {{1025}, {1048576}, {16777216}}, 1, 6, 1, false, false, 0.88, 0.5, 0.5},
    {"copy", "copy.vec4", "f32", {"n"}, {{1025}, {1048576}, {16777216}}, 0, 8, 1, false, false, 1.0, 0, 0},
    {"gelu_tanh", "gelu_tanh.scalar", "f32", {"n"}, {{1025}, {1048576}, {16777216}}, 14, 8, 1, false, false, 0.55, 3.4,
        7.3},
    {"softmax", "softmax.three_pass", "f32", {"rows", "cols"}, {{512, 33}, {512, 1024}, {4096, 4096}}, 5, 8, 2, false,
        false, 0.31, 2.1, 9.7},
    {"softmax", "softmax.online", "f32", {"rows", "cols"}, {{512, 33}, {512, 1024}, {4096, 4096}}, 5, 8, 2, false,
        false, 0.58, 2.3, 9.7},
    {"rmsnorm", "rmsnorm.workgroup", "f32", {"rows", "cols"}, {{7, 33}, {512, 1024}, {4096, 4096}}, 4, 8, 2, false,
        false, 0.66, 1.2, 6},
    {"matmul", "matmul.naive_row_y", "f32", {"m", "n", "k"}, {{64, 64, 64}, {256, 256, 256}, {1024, 1024, 1024}}, 2,
        0.05, 3, true, false, 0.11, 0.9, 4},
    {"matmul", "matmul.blocked", "f32", {"m", "n", "k"}, {{64, 64, 64}, {256, 256, 256}, {1024, 1024, 1024}}, 2, 0.05,
        3, true, true, 0.64, 0.8, 4},
    {"transpose", "transpose.padded", "f32", {"rows", "cols"}, {{33, 65}, {512, 1024}, {4096, 4096}}, 0, 8, 2, true,
        false, 0.71, 0, 0},
    {"conv2d", "conv2d.direct", "f32",
        {"n", "cin", "h", "w", "cout", "kh", "kw", "stride", "pad", "dilation", "groups"},
        {{1, 3, 32, 32, 16, 3, 3, 1, 1, 1, 1}, {1, 64, 56, 56, 64, 3, 3, 1, 1, 1, 1},
            {1, 256, 14, 14, 256, 3, 3, 1, 1, 1, 1}},
        18, 0.02, 5, true, false, 0.2, 1.7, 11},
    {"nothing", "nothing.empty", "f32", {"n"}, {{1}, {1}, {1}}, 0, 0, 1, false, false, 1, 0, 0},
};
enum { FIXTURE_KERNELS = sizeof fixture_kernels / sizeof *fixture_kernels };

static const struct fixture_shape {
    uint32_t x, y;
    double loss; // relative to the best
    const char *systems;
} fixture_line[] = {{32, 1, 1.9, ""}, {64, 1, 1.21, "tensor-frame"}, {128, 1, 1.004, ""},
    {256, 1, 1, "torchless,candle"}, {512, 1, 1.35, ""}, {1024, 1, 2.4, ""}},
  fixture_flat[] = {{8, 8, 1.31, "torsh"}, {16, 8, 1.08, ""}, {8, 16, 1.4, ""}, {16, 16, 1, "candle,libtorch-rust"},
      {32, 8, 1.06, ""}, {32, 16, 1.12, ""}, {16, 32, 1.5, ""}, {32, 32, 1.7, ""}};

static struct summary fixture_summary(double median, double half, size_t samples) {
    return (struct summary){.median = median,
        .lo = median * (1 - half),
        .hi = median * (1 + half),
        .q1 = median * (1 - half),
        .q3 = median * (1 + 2 * half),
        .min = median * (1 - 2 * half),
        .max = median * (1 + 9 * half),
        .samples = samples};
}

static void fixture_check(struct record *r, const struct fixture_kernel *kernel, double elements) {
    r->check.max_ulp = r->check.worst_ulp = kernel->max_ulp;
    r->check.bound_ulp = kernel->bound;
    r->check.worst_ratio = kernel->bound > 0 ? kernel->max_ulp / kernel->bound : 0;
    r->check.p99_ulp = kernel->max_ulp * 0.8;
    r->check.mean_ulp = kernel->max_ulp * 0.2;
    r->check.nmse = 1e-15;
    r->check.checked = r->check.elements = (int64_t)elements;
    r->check.same_bits = r->check.guards_intact = r->check.inputs_intact = true;
    r->check.histogram[0] = kernel->bound > 0 ? (int64_t)(elements * 0.4) : (int64_t)elements;
    for (int i = 1; i < JUDGE_HISTOGRAM && judge_edges[i - 1] <= kernel->max_ulp && kernel->bound > 0; i++)
        r->check.histogram[i] = (int64_t)(elements * 0.6 / (i * i) / 1.6) + 1;
}

// Sets times for compute, transfers and the scalar reference, computed from the work.
static void fixture_time(struct record *r, const struct fixture_kernel *kernel, double loss) {
    double roof = fmax(r->bytes / FIXTURE_COPY, r->flops / FIXTURE_FMA) * 1e9 / kernel->speed;
    double compute = (roof + 2000) * loss;
    r->time[FIGURE_COMPUTE] = fixture_summary(compute, 0.004, 60);
    r->time[FIGURE_SUBMIT] = fixture_summary(21000, 0.02, 30);
    if (r->bytes > 0) {
        r->upload_bytes = r->download_bytes = r->bytes / 2;
        r->time[FIGURE_UPLOAD] = fixture_summary(4000 + r->bytes * 0.09, 0.02, 20);
        r->time[FIGURE_DOWNLOAD] = fixture_summary(4000 + r->bytes * 0.07, 0.02, 20);
        r->time[FIGURE_HOST_WRITE] = fixture_summary(1000 + r->bytes * 0.05, 0.02, 20);
        r->time[FIGURE_HOST_READ] = fixture_summary(1000 + r->bytes * 0.05, 0.02, 20);
        r->reference.ns = 50 + (r->bytes + r->flops) * 0.35, r->reference.scale = 1;
    }
    double whole = 21000;
    for (int f = FIGURE_COMPUTE; f <= FIGURE_HOST_READ; f++)
        if (r->time[f].samples) whole += r->time[f].median;
    r->time[FIGURE_END_TO_END] = fixture_summary(whole, 0.03, 20);
}

static void fixture_name(struct arena *arena, struct record *r) {
    char dims[300] = "", shape[100] = "";
    for (int i = 0; i < r->dim_count; i++)
        snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%s%s=%.0f", i ? "," : "", r->dims[i].name,
            r->dims[i].value);
    for (int i = 0; i < r->tunable_count; i++)
        snprintf(
            shape + strlen(shape), sizeof shape - strlen(shape), ",%s=%.0f", r->tunables[i].name, r->tunables[i].value);
    r->name =
        arena_format(arena, "%s/%s/%s/wg=%ux%ux%u%s", r->kernel, r->dtype, dims, r->wg[0], r->wg[1], r->wg[2], shape);
    r->case_length = case_length(r->name);
    r->replay = arena_format(arena, "vkassay check '%s' --seed 42", r->name);
}

static void fixture_point(struct arena *arena, struct record *r, const struct fixture_kernel *kernel, int size,
    const struct fixture_shape *shape) {
    double work = 1;
    *r = (struct record){.operator= kernel->operator,
        .kernel = kernel->name,
        .dtype = kernel->dtype,
        .systems = shape->systems,
        .wg = {shape->x, shape->y, 1},
        .is_default = shape->x == 256 || (shape->x == 16 && shape->y == 16),
        .repeats = 8,
        .stop = "precise",
        .clock = CLOCK_GPU,
        .cache = "hot",
        .drift = 1,
        .reference.ns = NAN};
    r->dims = arena_alloc(arena, RECORD_NAMES, sizeof *r->dims);
    r->tunables = arena_alloc(arena, RECORD_NAMES, sizeof *r->tunables);
    for (; kernel->dims[r->dim_count]; r->dim_count++) {
        r->dims[r->dim_count] = (struct named_number){kernel->dims[r->dim_count], kernel->sizes[size][r->dim_count]};
        if (r->dim_count < kernel->work) work *= r->dims[r->dim_count].value;
    }
    if (kernel->tile) {
        r->tunables[r->tunable_count++] = (struct named_number){"TILE_K", 16};
        r->tunables[r->tunable_count++] = (struct named_number){"TM", 4};
    }
    r->flops = work * kernel->flops_each;
    r->bytes = work * kernel->bytes_each;
    fixture_name(arena, r);
    fixture_check(r, kernel, work);
    fixture_time(r, kernel, shape->loss);
}

static void fixture_becomes(struct record *r, enum record_status status, const char *reason) {
    r->status = status;
    r->reason = reason;
    for (int f = 0; f < FIGURE_COUNT; f++) r->time[f] = summarize(NULL, 0);
    if (status != RECORD_FAIL) memset(&r->check, 0, sizeof r->check);
}

static struct json_object *fixture_context(void) {
    return json_tokener_parse(
        "{\"schema_version\":2,\"tool\":{\"name\":\"vkassay\",\"version\":\"0.1.0\",\"git\":\"v0-"
        "12-gabc\"},"
        "\"host\":{\"cpu\":\"Some <CPU> & "
        "co\",\"cores\":8,\"os\":\"Linux\",\"kernel\":\"6.1\",\"memory_bytes\":16000000000},"
        "\"run\":{\"suite\":\"quick\",\"seed\":\"42\",\"argv\":[\"vkassay\",\"bench\"],\"started\":"
        "\"2026-01-02T03:04:05Z\","
        "\"cold\":false,\"wall_s\":81.5},"
        "\"peaks\":{\"copy_bytes_per_s\":2e10,\"fma_f32_flops_per_s\":8e10,\"host_to_device_bytes_"
        "per_s\":1.1e10,"
        "\"device_to_host_bytes_per_s\":9e9,\"empty_dispatch_ns\":2000,\"submit_ns\":21000}}");
}

// Makes the result; free it with result_free. `copies` repeats the kernels under new names, for a result of any size.
static inline struct result fixture_result(int copies) {
    struct result result = {.context = fixture_context()};
    result.device = arena_alloc(&result.arena, 1, sizeof *result.device);
    snprintf(result.device->name, sizeof result.device->name, "Test <GPU> 3000");
    snprintf(result.device->driver_name, sizeof result.device->driver_name, "testdrv");
    snprintf(result.device->driver_info, sizeof result.device->driver_info, "1.2.3");
    result.records =
        arena_alloc(&result.arena, (size_t)copies * FIXTURE_KERNELS * FIXTURE_SIZES * 8, sizeof *result.records);
    for (int copy = 0; copy < copies; copy++)
        for (int k = 0; k < FIXTURE_KERNELS; k++) {
            struct fixture_kernel kernel = fixture_kernels[k];
            if (copy) {
                kernel.operator= arena_format(&result.arena, "%s%d", kernel.operator, copy);
                kernel.name = arena_format(&result.arena, "%s.v%d", kernel.operator, k);
            }
            const struct fixture_shape *shapes = kernel.flat ? fixture_flat : fixture_line;
            int count = kernel.flat ? 8 : 6;
            for (int size = 0;
                 size < (kernel.sizes[0][0] == kernel.sizes[1][0] && kernel.bytes_each == 0 ? 1 : FIXTURE_SIZES);
                 size++)
                for (int s = 0; s < count; s++)
                    fixture_point(&result.arena, &result.records[result.count++], &kernel, size, &shapes[s]);
        }
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->dtype, "f32") == 0 && r->wg[0] == 1024)
            fixture_becomes(r, RECORD_SKIP, "1024 invocations; the device allows 512");
        if (strcmp(r->dtype, "f16") == 0 && r->wg[0] == 32)
            fixture_becomes(r, RECORD_SKIP, "the device lacks \"float16\"");
        if (strcmp(r->name, "softmax.online/f32/rows=512,cols=33/wg=128x1x1") == 0) {
            fixture_becomes(r, RECORD_FAIL, "3 of 16896 elements: y[17] is NaN, expected 0.25");
            r->check.failures = 3;
            r->check.max_ulp = 31;
            r->check.worst_ulp = r->check.worst_ratio = INFINITY;
            r->check.histogram[15] = 3;
        }
        if (strcmp(r->name, "transpose.padded/f32/rows=4096,cols=4096/wg=32x32x1") == 0)
            fixture_becomes(r, RECORD_TIMEOUT, "no answer within 60 s");
        if (strcmp(r->name, "conv2d.direct/f32/"
                            "n=1,cin=3,h=32,w=32,cout=16,kh=3,kw=3,stride=1,pad=1,dilation=1,"
                            "groups=1/wg=32x16x1") == 0)
            fixture_becomes(r, RECORD_ERROR,
                "conv2d.comp:12: 'foo' : undeclared identifier\nconv2d.comp:13: "
                "<script>alert(1)</script>\x1b[31m");
        if (strcmp(r->kernel, "rmsnorm.workgroup") == 0 && r->wg[0] == 256) {
            r->throttled = r->dims[0].value == 4096;
            if (r->dims[0].value == 7) record_timed_by(r, "no timestamps");
        }
    }
    return result;
}

// Multiplies the compute times by `factor`.
static inline void fixture_scale(struct record *r, double factor) {
    struct summary *time = &r->time[FIGURE_COMPUTE];
    time->median *= factor, time->lo *= factor, time->hi *= factor;
}

// Returns a number from 0 to 1, another one at each call.
static inline double fixture_random(uint32_t *state) {
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) * 0x1p-24;
}

static inline void fixture_distinct_time(struct summary *time, bool is_compute, uint32_t *random) {
    if (!time->samples) return;
    if (!is_compute) time->median *= 1 + 0.3 * fixture_random(random);
    const double m = time->median;
    time->lo = m * (1 - 0.003 - 0.001 * fixture_random(random));
    time->hi = m * (1 + 0.004 + 0.001 * fixture_random(random));
    time->q1 = m * (1 - 0.006 - 0.001 * fixture_random(random));
    time->q3 = m * (1 + 0.007 + 0.001 * fixture_random(random));
    time->min = m * (1 - 0.01 - 0.001 * fixture_random(random));
    time->max = m * (1 + 0.09 + 0.001 * fixture_random(random));
    time->samples = 20 + (size_t)(40 * fixture_random(random));
}

// Gives every figure of every record a value of its own, so no two can be exchanged unseen. The medians of compute
// stay. Two sizes of conv2d would move as many bytes.
static inline void fixture_distinct(struct result *result) {
    uint32_t random = 1;
    for (size_t i = 0; i < result->count; i++) {
        struct record *r = &result->records[i];
        if (strcmp(r->operator, "conv2d") == 0 && r->dims[2].value == 14) r->bytes *= 1.5;
        for (int f = 0; f < FIGURE_COUNT; f++)
            if (!r->samples[f]) fixture_distinct_time(&r->time[f], f == FIGURE_COMPUTE, &random);
        r->upload_bytes = floor(r->bytes * (0.5 + 0.1 * fixture_random(&random)));
        r->download_bytes = r->bytes - r->upload_bytes;
        r->repeats = 1 + (int)(i % 7), r->drift = 1 + 0.01 * fixture_random(&random), r->cache = i % 3 ? "hot" : "cold";
        r->stop = i % 2 ? "precise" : "time", r->subgroup_size = 8u << i % 3, r->source_hash = i * 77 + 5;
        r->build_ns = (int64_t)(i * 13 + 3), r->reference.max_ulp = 0.25 * fixture_random(&random);
        r->reference.extrapolated = i % 4 == 0, r->reference.scale = i % 4 == 0 ? 2 + (double)i : 1;
        for (int part = 0; part < WALL_COUNT; part++) r->wall.ns[part] = (int64_t)(1000000 * fixture_random(&random));
        if (!r->check.checked) continue;
        r->check.p99_ulp *= fixture_random(&random), r->check.mean_ulp *= fixture_random(&random);
        r->check.nmse *= fixture_random(&random), r->check.excluded = (int64_t)i, r->check.checked -= (int64_t)i % 5;
        r->check.worst_ulp *= 1 - 0.01 * fixture_random(&random), r->check.worst_index = (int64_t)(i * 3 + 1);
        if (r->check.bound_ulp > 0) r->check.worst_ratio = r->check.worst_ulp / r->check.bound_ulp;
        r->check.worst_operand = i % 2 ? "y" : "z", r->check.got = fixture_random(&random);
        r->check.want = fixture_random(&random), r->check.output_hash = i * 1234567891;
        if (i % 6 == 0)
            r->check.spread.runs = 8, r->check.spread.lo = 0.1 + (double)i, r->check.spread.hi = 2.0 * (double)i + 1;
        r->check.same_bits = i % 2 == 0, r->check.guards_intact = i % 3 == 0, r->check.inputs_intact = i % 5 == 0;
        r->check.rte = i % 2, r->check.specials = i % 3 == 1, r->check.denorms = i % 5 == 1;
    }
}

// Writes the result as a run does.
static inline void fixture_write(const char *path, const struct result *result) {
    struct json_object **records = calloc(result->count, sizeof *records);
    struct error err = {0};
    for (size_t i = 0; i < result->count; i++) records[i] = record_to_json(&result->records[i], true);
    json_put(result->context, "device", device_to_json(result->device));
    if (!result_write(path, result->context, records, result->count, NULL, 81.5, false, &err)) abort();
    for (size_t i = 0; i < result->count; i++) json_object_put(records[i]);
    free(records);
}

// Drops the records of all operators except two.
static inline void fixture_keep(struct result *result, const char *a, const char *b) {
    size_t kept = 0;
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->records[i].operator, a) == 0 || strcmp(result->records[i].operator, b) == 0)
            result->records[kept++] = result->records[i];
    result->count = kept;
}

#endif
