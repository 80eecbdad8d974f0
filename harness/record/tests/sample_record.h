// SPDX-License-Identifier: Apache-2.0
// Made-up records for the tests of this folder, with a distinct value in every member.
#ifndef VKASSAY_RECORD_SAMPLE_RECORD_H
#define VKASSAY_RECORD_SAMPLE_RECORD_H

#include "../result.h"
#include "../refusal.h"
#include "../record.h"
#include "../terms.h"
#include "../../truth/judge/judge.h"
#include "../../truth/stats/summary.h"

#include <math.h>

static double sample_values[FIGURE_COUNT][4];

static inline struct record sample_record(void) {
    static struct named_number dims[] = {{"n", 4096}, {"alpha", 0.1}, {"limit", INFINITY}},
                               tunables[] = {{"ITEMS", 4}, {"TILE_K", 16}};
    static const struct refusal refusal = {REFUSAL_GRID_AXIS, .pass = 2, .words = {"x"}, .figures = {65536, 65535}};
    struct record r = {
        .name = "add.vec4/f32/n=4096,alpha=0.1/wg=64x2x1,ITEMS=4",
        .case_length = sizeof "add.vec4/f32/n=4096,alpha=0.1" - 1,
        .part = true,
        .operator= "add",
        .kernel = "add.vec4",
        .dtype = "f32",
        .dims = dims,
        .dim_count = 3,
        .wg = {64, 2, 1},
        .tunables = tunables,
        .tunable_count = 2,
        .is_default = true,
        .systems = "torchless,candle",
        .peak = "copy_bytes_per_s",
        .status = RECORD_FAIL,
        .reason = "3 of 4096 elements are wrong: \"quoted\", a/b, \xc3\xa9",
        .refusal = &refusal,
        .failed = CHECK_ULP | CHECK_GUARD | CHECK_PROBE,
        .call = "vkQueueSubmit: VK_ERROR_DEVICE_LOST",
        .replay = "vkassay check 'add.vec4/f32/n=4096,alpha=0.1/wg=64x2x1,ITEMS=4' --seed 7",
        .expected = {"fail", "a known fault of the driver"},
        .attempts = {{RECORD_PASS, RECORD_FAIL}, 2, true},
        .check = {.max_ulp = 14.5,
            .worst_ulp = 13.5,
            .bound_ulp = 0.5,
            .worst_ratio = 25,
            .p99_ulp = 0.375,
            .mean_ulp = 1.0 / 3,
            .nmse = 1.2345678901234567e-15,
            .worst_index = 4095,
            .worst_operand = "c",
            .got = (double)0.1f,
            .want = -INFINITY,
            .inputs = {{"a", -0.0}, {"b", NAN}, {"d", 0x1p-149}},
            .input_count = 3,
            .checked = 4000,
            .elements = 4096,
            .excluded = 96,
            .failures = 3,
            .same_bits = true,
            .guards_intact = true,
            .inputs_intact = true,
            .spread = {8, 11.5, 25},
            .specials_in = {5, 2, {{"q", 0, SPECIAL_NAN, 3, 0}, {"v", 2, SPECIAL_MINUS_INFINITY, 40, 7}}},
            .packed = true,
            .rte = true,
            .specials = true,
            .denorms = true,
            .output_hash = 0xfedcba9876543210u},
        .recorded = {.count = 12,
            .number = 3,
            .signature = "0123",
            .module = "4567/main",
            .name = "softmax",
            .sizes = "400 400",
            .inputs = "89ab",
            .ns = 3400.5,
            .device = "a GPU (a driver 1.2)",
            .compared = 1024,
            .differing = 2,
            .operand = "y",
            .index = 41,
            .got = 4,
            .want = -INFINITY,
            .max_ulp = INFINITY},
        .exhaustive = {.bits = 32,
            .first = 0x3c000000,
            .last = 0x3fffffff,
            .inputs = 0x4000000,
            .argument = 0x3f800001,
            .ulp = 2.25,
            .inputs_per_s = 7.25e7},
        .repeats = 17,
        .stop = "precise",
        .cache = "hot",
        .clock = CLOCK_HOST,
        .clock_why = "no timestamps",
        .drift = 1.0625,
        .throttled = true,
        .reference = {1e6, 0.75, true, 12.5},
        .metrics = {{"hit_rate", 0.875}, {"waste", 1.33}},
        .metric_count = 2,
        .flops = 4096,
        .bytes = 49152,
        .upload_bytes = 32768,
        .download_bytes = 16384,
        .arithmetic = "matrix_f16_f32",
        .wall = {{0, 123456789012, 2, 3, 4, 5, 234, 345, 456}},
        .build_ns = 456,
        .remeasured = true,
        .clock_probes = {7, 0.75, 1.5, 0.0625, 6e8},
        .shader_clock_hz = 1.98e9,
        .host_load = 0.25,
        .host_steal = 0.125,
        .source_hash = 0x0123456789abcdefu,
        .validated = true,
        .validation_messages = 3,
        .bounds_unchecked = "killed by SIGSEGV",
        .subgroup_size = 32,
    };
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) r.check.histogram[i] = 1000 + i;
    for (int f = 0; f < FIGURE_COUNT; f++) {
        for (int i = 0; i < 4; i++) sample_values[f][i] = (double)(1000 * f + 10 * i) + 0.3;
        r.time[f] = summarize(sample_values[f], 4);
        r.samples[f] = sample_values[f];
    }
    return r;
}

#endif
