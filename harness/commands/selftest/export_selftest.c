// SPDX-License-Identifier: Apache-2.0
#include "export_selftest.h"

#include "../../../reference/operator.h"
#include "../../base/json.h"
#include "../../base/names.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "selftest_case.h"

#include <stdio.h>
#include <string.h>

enum {
    HEAD_BYTES = 2048,      // of the file, beside its cases
    CASE_HEAD_BYTES = 1536, // names, dims and types of a case
    LEAST_DATA = 512,       // a case with less shows little
};

// A passed record of each kernel and type, without peaks.
struct chosen {
    const struct record **records;
    const struct device_info **devices;
    size_t count;
};

static struct chosen choose(struct arena *arena, const struct result *results, size_t count) {
    struct chosen out = {0};
    struct names seen = {0};
    size_t most = 1;
    for (size_t r = 0; r < count; r++) most += results[r].count;
    out.records = arena_alloc(arena, most, sizeof *out.records);
    out.devices = arena_alloc(arena, most, sizeof *out.devices);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < results[r].count; i++) {
            const struct record *record = &results[r].records[i];
            const char *name = arena_format(arena, "%s/%s", record->kernel, record->dtype);
            if (record->status != RECORD_PASS || record->peak) continue;
            if (names_put(&seen, name, strlen(name), out.count) != out.count) continue;
            out.records[out.count] = record;
            out.devices[out.count++] = results[r].device;
        }
    names_free(&seen);
    return out;
}

// Returns the cases, for the caller to release.
static struct json_object *make_cases(
    const struct result *results, size_t count, const struct kernels *kernels, struct error *err) {
    struct arena arena = {0};
    struct json_object *cases = json_object_new_array();
    const struct chosen chosen = choose(&arena, results, count);
    const size_t each = chosen.count ? (SELFTEST_BYTES - HEAD_BYTES) / chosen.count : 0;
    bool ok = true;
    if (!chosen.count) ok = error_set(err, STATUS_USAGE, "selftest: no point of these results passed");
    if (chosen.count && each < CASE_HEAD_BYTES + LEAST_DATA)
        ok = error_set(err, STATUS_USAGE, "selftest: %zu kernels and types do not fit %d KiB; %d do", chosen.count,
            SELFTEST_BYTES >> 10, (SELFTEST_BYTES - HEAD_BYTES) / (CASE_HEAD_BYTES + LEAST_DATA));
    for (size_t i = 0; ok && i < chosen.count; i++) {
        const struct record *record = chosen.records[i];
        const struct selftest_request request = {.record = record,
            .kernel = kernel_named(kernels, record->kernel),
            .device = chosen.devices[i],
            .most_bytes = each - CASE_HEAD_BYTES};
        struct error why = {0};
        struct json_object *one = selftest_case(&arena, &request, &why);
        if (one)
            json_object_array_add(cases, one);
        else
            fprintf(stderr, "export: no self-test of %s/%s: %s\n", record->kernel, record->dtype, why.text);
    }
    if (ok && !json_object_array_length(cases)) ok = error_set(err, STATUS_USAGE, "selftest: no kernel has a case");
    arena_free(&arena);
    if (ok) return cases;
    json_object_put(cases);
    return NULL;
}

static bool put_json(
    struct text *out, const struct result *results, size_t count, const struct kernels *kernels, struct error *err) {
    struct json_object *cases = make_cases(results, count, kernels, err);
    if (!cases) return false;
    json_put_text(out, cases, JSON_C_TO_STRING_PLAIN);
    text_append(out, "\n");
    return true;
}

// ---- as C

// Appends a string, or 0 for none, in pieces that every compiler takes. Names and base64 need no escapes.
static void put_string(struct text *out, const char *string) {
    enum { PIECE = 100 };
    if (!string) {
        text_append(out, "0");
        return;
    }
    for (size_t left = strlen(string), n; left || !*string; left -= n, string += n) {
        n = left < PIECE ? left : PIECE;
        text_format(out, "\"%.*s\"%s", (int)n, string, left > PIECE ? "\n      " : "");
        if (left <= PIECE) break;
    }
}

static void put_numbers(struct text *out, struct json_object *numbers) {
    text_append(out, "{");
    json_object_object_foreach(numbers, name, value) {
        text_format(out, "{\"%s\", ", name);
        text_number(out, json_object_get_double(value));
        text_append(out, "}, ");
    }
    text_append(out, "{0, 0}}");
}

static void put_operand(struct text *out, struct json_object *operand) {
    text_format(out, "     {\"%s\", \"%s\", \"%s\", %lldu, %lldu,\n      ", json_get_string(operand, "name", ""),
        json_get_string(operand, "type", ""), json_get_string(operand, "role", ""),
        (long long)json_get_int(operand, "elements", 0), (long long)json_get_int(operand, "bytes", 0));
    put_string(out, json_get_string(operand, "data", NULL));
    text_append(out, ",\n      ");
    put_string(out, json_get_string(operand, "want", NULL));
    text_append(out, ",\n      ");
    put_string(out, json_get_string(operand, "allowed", NULL));
    text_append(out, "},\n");
}

static bool put_header(
    struct text *out, const struct result *results, size_t count, const struct kernels *kernels, struct error *err) {
    struct json_object *cases = make_cases(results, count, kernels, err);
    if (!cases) return false;
    text_append(out, "/* Self-tests made by vkassay export --format selftest, for vkassay_selftest.h. */\n"
                     "#ifndef VKASSAY_SELFTEST_CASES_H\n#define VKASSAY_SELFTEST_CASES_H\n\n"
                     "#include \"vkassay_selftest.h\"\n\n"
                     "static const struct vkassay_selftest_case vkassay_selftest_cases[] = {\n");
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *one = json_object_array_get_idx(cases, i), *operands = json_get(one, "operands");
        text_format(
            out, "  {\"%s\", \"%s\",\n   ", json_get_string(one, "kernel", ""), json_get_string(one, "type", ""));
        put_numbers(out, json_get(one, "dims"));
        text_append(out, ",\n   ");
        put_numbers(out, json_get(one, "params"));
        text_format(out, ",\n   %zu, {\n", json_object_array_length(operands));
        for (size_t o = 0; o < json_object_array_length(operands); o++)
            put_operand(out, json_object_array_get_idx(operands, o));
        text_append(out, "   }},\n");
    }
    text_format(out, "};\nenum { VKASSAY_SELFTEST_CASES = %zu };\n\n#endif\n", json_object_array_length(cases));
    json_object_put(cases);
    return true;
}

const struct export_format format_selftest = {.name = "selftest",
                               .summary = "a self-test of the kernels for your program, as data for vkassay_selftest.h",
                               .put_shaders = put_header},
                           format_selftest_json = {.name = "selftest-json",
                               .summary = "the same as JSON, for vkassay_selftest.mjs",
                               .put_shaders = put_json};
