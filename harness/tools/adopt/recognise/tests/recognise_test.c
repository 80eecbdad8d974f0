// SPDX-License-Identifier: Apache-2.0
// Recognition of recordings that are made here. No device is needed.
#include "../recognise.h"

#include "../../../../base/file.h"
#include "../../../../base/hash.h"
#include "../../../../base/json.h"
#include "../../../../base/tests/folder.h"
#include "../../../../../reference/table.h"

#include <math.h>
#include <string.h>

enum { MOST = 8, OPERANDS = 4 };

static struct arena arena;
static struct captured_pipeline pipeline;
static const struct reflection *reflection;
static struct captured_dispatch recorded[MOST];
static const struct captured_dispatch *all[MOST];
static size_t count;

static const char *put(const char *kind, const void *bytes, size_t length, const char *ending) {
    char name[CONTENT_HASH_DIGITS + 1];
    struct error err;
    content_hash_text(content_hash(bytes, length), name);
    const char *path = in_folder(arena_format(&arena, "%s/%s.%s", kind, name, ending));
    assert_true(file_make_folder(in_folder(kind), &err) && file_write(path, bytes, length, &err));
    return arena_copy(&arena, name);
}

// Starts the recordings of a module with this GLSL behind its version.
static void record_module(const char *code) {
    struct spirv spirv;
    struct reflection *found;
    struct error err;
    int entries;
    const char *text = arena_format(&arena, "#version 450\nlayout(local_size_x = 64) in;\n%s", code);
    const char *source = arena_copy(&arena, in_folder("module.comp"));
    assert_true(file_write(source, text, strlen(text), &err));
    if (!shader_make(&arena, &(struct shader_request){.path = source, .entry = "main"}, &spirv, &err))
        fail_msg("%s", err.text);
    pipeline = (struct captured_pipeline){
        .module = put("modules", spirv.words, spirv.count * 4, "spv"), .entry = "main", .push_bytes = 16};
    const struct shader_request request = {
        .path = capture_module_path(&arena, folder, pipeline.module), .entry = "main"};
    if (!reflection_read(&arena, &request, NULL, &found, &entries, &err)) fail_msg("%s", err.text);
    reflection = found;
    count = 0;
}

// Records a dispatch. Its operands have no bytes yet.
static struct captured_dispatch *record(uint32_t x, const void *push, size_t push_bytes) {
    struct captured_dispatch *out = &recorded[count];
    char *digits = arena_alloc(&arena, 2 * push_bytes + 1, 1);
    for (size_t i = 0; i < push_bytes; i++) sprintf(digits + 2 * i, "%02x", ((const unsigned char *)push)[i]);
    *out = (struct captured_dispatch){.pipeline = &pipeline,
        .grid = {x, 1, 1},
        .push = digits,
        .operands = arena_alloc(&arena, OPERANDS, sizeof *out->operands)};
    all[count++] = out;
    return out;
}

static void operand(struct captured_dispatch *of, const void *before, const void *after, size_t bytes) {
    struct captured_operand *out = &of->operands[of->operand_count];
    *out = (struct captured_operand){.binding = (uint32_t)of->operand_count++, .type = "storage", .bytes = bytes};
    out->before = put("operands", before, bytes, "bin");
    out->after = put("operands", after, bytes, "bin");
}

static struct recognition *recognised(void) {
    struct recognition *out = arena_alloc(&arena, 1, sizeof *out);
    recognise(&arena, folder, all, count, reflection, out);
    return out;
}

static void assert_named(const struct recognition *got, const char *name, const char *dims) {
    if (got->why || got->doubt) fail_msg("%s", got->why ? got->why : got->doubt);
    assert_string_equal(operator_name(got->recordings[0].fit.op), name);
    assert_string_equal(fit_dims(&arena, &got->recordings[0].fit), dims);
}

static void assert_refused(const struct recognition *got, const char *why) {
    const struct fit *fit = &got->recordings[0].fit;
    const char *found = got->why ? got->why : got->doubt;
    if (!found) fail_msg("expected \"%s\", found %s, %s", why, operator_name(fit->op), fit_dims(&arena, fit));
    if (!strstr(found, why)) fail_msg("expected \"%s\", found \"%s\"", why, found);
}

#define X_Y "layout(binding = 0) readonly buffer X { float x[]; };\nlayout(binding = 1) buffer Y { float y[]; };\n"
#define PUSH "layout(push_constant) uniform P { uint a; uint b; float c; };\n"
#define I "uint i = gl_GlobalInvocationID.x;\n"

static float *numbers(size_t length, float low, float high) {
    float *out = arena_alloc(&arena, length, sizeof *out);
    for (size_t i = 0; i < length; i++) out[i] = low + (high - low) * (float)((i * 7919 + 13) % 1009) / 1009;
    return out;
}

static float at_least_0(float x) {
    return x > 0 ? x : 0;
}

// Records y = f(x) with these numbers in x; the buffer of y has some more.
static void record_map(float (*f)(float), uint32_t n, float low, float high) {
    float *x = numbers(n, low, high), *y = numbers(n + 32, 5, 6), *after = numbers(n + 32, 5, 6);
    struct captured_dispatch *d = record((n + 63) / 64, &n, sizeof n);
    for (uint32_t i = 0; i < n; i++) after[i] = f(x[i]);
    operand(d, x, x, n * sizeof *x);
    operand(d, y, after, (n + 32) * sizeof *y);
}

static void a_relu_of_both_signs_is_named(void **state) {
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = max(x[i], 0.0); }");
    record_map(at_least_0, 1000, -1, 1);
    assert_named(recognised(), "relu", "n=1000");
}

static void a_relu_of_positive_numbers_is_also_a_copy(void **state) {
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = max(x[i], 0.0); }");
    record_map(at_least_0, 1000, 0.5f, 1);
    const struct recognition *got = recognised();
    bool relu = false;
    assert_refused(got, "both fit; with inputs drawn again, output");
    for (const struct recognition *name = got->other; name; name = name->other)
        relu |= strcmp(operator_name(name->recordings[0].fit.op), "relu") == 0;
    assert_true(relu);                  // a trial may still decide for it
    record_map(at_least_0, 999, -1, 1); // a second recording decides
    assert_named(recognised(), "relu", "n=1000");
}

static float nearly(float x) {
    return nextafterf(x, 2);
}

static void an_output_beyond_its_bound_is_no_copy(void **state) {
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = x[i]; }");
    record_map(nearly, 1000, -1, 1);
    assert_refused(recognised(), "no operator fits");
}

static void data_without_variety_decides_nothing(void **state) {
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = max(x[i], 0.0); }");
    record_map(at_least_0, 1000, 0, 0);
    assert_refused(recognised(), "both fit");
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = max(x[i], 0.0); }");
    record_map(at_least_0, 5, -1, 1);
    assert_refused(recognised(), "outputs differ from the most frequent one by more than its bound, and 8 are needed");
}

// Small integers read as floats would be within every bound of 0.
static void integers_are_not_read_as_floats(void **state) {
    int32_t x[256], y[256] = {0}, after[256];
    const uint32_t n = 256;
    record_module("layout(binding = 0) buffer X { int x[]; };\nlayout(binding = 1) buffer Y { int y[]; };\n" PUSH
                  "void main() { " I " if (i < a) y[i] = x[i] + 3; }");
    struct captured_dispatch *d = record(4, &n, sizeof n);
    for (int i = 0; i < 256; i++) x[i] = i * 37 % 256, after[i] = x[i] + 3;
    operand(d, x, x, sizeof x);
    operand(d, y, after, sizeof y);
    assert_refused(recognised(), "no operator fits");
}

// Kernels that move bits declare them as words. The words of floats have exponents, and integers have none.
static void floats_in_words_are_named(void **state) {
    enum { ROWS = 12, COLS = 33, N = ROWS * COLS };
    const uint32_t push[] = {ROWS, COLS};
    float *x = numbers(N, -1, 1), *y = numbers(N, 0, 0), *after = numbers(N, 0, 0);
    record_module(
        "layout(binding = 0) readonly buffer X { uint x[]; };\nlayout(binding = 1) buffer Y { uint y[]; };\n" PUSH
        "void main() { " I " if (i < a * b) y[i] = x[i / b * b + b - 1 - i % b]; }");
    for (int i = 0; i < N; i++) after[i] = x[i / COLS * COLS + COLS - 1 - i % COLS];
    struct captured_dispatch *d = record((N + 63) / 64, push, sizeof push);
    operand(d, x, x, N * sizeof *x);
    operand(d, y, after, N * sizeof *y);
    assert_named(recognised(), "flip", "outer=12,size=33,inner=1");
}

static void a_trial_at_the_recorded_size_alone_decides_nothing(void **state) {
    const char *why = NULL;
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = max(x[i], 0.0); }");
    record_map(at_least_0, 1, 0.5f, 1);
    const struct recognition *got = recognised();
    assert_refused(got, "outputs differ");
    assert_null(recognised_kernel(&arena, got, &pipeline, folder, &why));
    assert_string_equal(why, "a trial would have the recorded size only");
}

static float never(float x) {
    return NAN + x;
}

// Any operator that keeps NaN would explain the largest recording.
static void the_first_recording_has_many_outputs(void **state) {
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = max(x[i], 0.0); }");
    record_map(never, 2000, NAN, NAN);
    record_map(at_least_0, 1000, -1, 1);
    assert_named(recognised(), "relu", "n=1000");
}

// Two values are enough, if there are many of both; four bytes are in a word.
static void a_comparison_in_bytes_is_named(void **state) {
    enum { N = 512 };
    const uint32_t n = N;
    float *a = numbers(N, -1, 1), *b = numbers(N, -0.5f, 0.25f);
    unsigned char y[N], after[N];
    record_module("layout(binding = 0) readonly buffer A { float a[]; } p;\n"
                  "layout(binding = 1) readonly buffer B { float b[]; } q;\n"
                  "layout(binding = 2) writeonly buffer Y { uint y[]; };\n" PUSH "void main() { " I
                  " if (i < a) y[i] = uint(p.a[i] < q.b[i]); }");
    struct captured_dispatch *d = record(2, &n, sizeof n);
    memset(y, 7, sizeof y);
    for (int i = 0; i < N; i += 7) b[i] = a[i];
    for (int i = 0; i < N; i++) after[i] = a[i] < b[i];
    operand(d, a, a, N * sizeof *a);
    operand(d, b, b, N * sizeof *b);
    operand(d, y, after, sizeof y);
    assert_named(recognised(), "lt", "n=512");
}

// A comparison of a column with a row: both are repeated, and truth values have words.
static void a_repeated_operand_and_truth_in_words_are_named(void **state) {
    enum { ROWS = 24, COLS = 40, N = ROWS * COLS };
    const uint32_t push[] = {ROWS, COLS, COLS};
    uint32_t *words = arena_alloc(&arena, N, sizeof *words), *after = arena_alloc(&arena, N, sizeof *after);
    float *a = numbers(N, -1, 1), *b = numbers(N, -0.5f, 0.25f), *sums = numbers(N, 5, 6);
    record_module("layout(binding = 0) readonly buffer A { float a[]; } p;\n"
                  "layout(binding = 1) readonly buffer B { float b[]; } q;\n"
                  "layout(binding = 2) writeonly buffer Y { uint y[]; };\n" PUSH "void main() { " I
                  " if (i < a) y[i] = uint(p.a[i] < q.b[i]); }");
    struct captured_dispatch *d = record(15, push, sizeof push);
    for (int i = 0; i < N; i += 7) b[i] = a[i];
    for (int i = 0; i < N; i++) words[i] = 9, after[i] = a[i] < b[i];
    operand(d, a, a, N * sizeof *a);
    operand(d, b, b, N * sizeof *b);
    operand(d, words, after, N * sizeof *after);
    assert_named(recognised(), "lt", "n=960");
    record_module("layout(binding = 0) readonly buffer A { float a[]; } p;\n"
                  "layout(binding = 1) readonly buffer B { float b[]; } q;\n"
                  "layout(binding = 2) writeonly buffer Y { float y[]; };\n" PUSH "void main() { " I
                  " if (i < a * b) y[i] = p.a[i] + q.b[i / b]; }");
    d = record(15, push, sizeof push);
    for (int i = 0; i < N; i++) sums[i] = a[i] + b[i / COLS];
    operand(d, a, a, N * sizeof *a);
    operand(d, b, b, ROWS * sizeof *b);
    operand(d, a, sums, N * sizeof *sums);
    assert_named(recognised(), "broadcast_add", "a0=24,a1=40,a2=1,a3=1,b0=24,b1=1,b2=1,b3=1");
}

// Words of 0 and 1 are no rounded copies of each other.
static void a_negation_in_words_is_named(void **state) {
    enum { N = 1000 };
    const uint32_t n = N;
    uint32_t x[N], y[N], after[N];
    for (int i = 0; i < N; i++) x[i] = i * 7919 % 5 < 2, y[i] = 9, after[i] = !x[i];
    record_module("layout(binding = 0) readonly buffer X { uint x[]; };\n"
                  "layout(binding = 1) writeonly buffer Y { uint y[]; };\n" PUSH "void main() { " I
                  " if (i < a) y[i] = uint(x[i] == 0); }");
    struct captured_dispatch *d = record(16, &n, sizeof n);
    operand(d, x, x, sizeof x);
    operand(d, y, after, sizeof y);
    assert_named(recognised(), "logical_not", "n=1000");
}

static float leaky(float x) {
    return x > 0 ? x : x * 0.3f;
}

// Compilers of WGSL declare a block as vectors of uint, and cast.
static void a_float_in_a_block_of_uint_vectors_is_found(void **state) {
    const float slope = 0.3f;
    uint32_t push[4] = {1000};
    memcpy(&push[2], &slope, sizeof slope);
    record_module(X_Y "layout(push_constant) uniform P { uvec4 p[1]; };\nvoid main() { " I
                      " if (i < p[0].x) y[i] = x[i] > 0 ? x[i] : x[i] * uintBitsToFloat(p[0].z); }");
    record_map(leaky, 1000, -1, 1);
    char *digits = arena_alloc(&arena, 2 * sizeof push + 1, 1);
    for (size_t i = 0; i < sizeof push; i++) sprintf(digits + 2 * i, "%02x", ((const unsigned char *)push)[i]);
    recorded[0].push = digits;
    assert_named(recognised(), "leaky_relu", "n=1000");
}

static void dims_are_looked_for_in_the_order_of_words(void **state) {
    enum { COUNT = 8 };
    const uint32_t push[] = {3, 5, 7, COUNT};
    float *x = numbers(3 * 5 * 7, -1, 1), *y = numbers(3 * COUNT * 7, 5, 6), *after = numbers(3 * COUNT * 7, 5, 6);
    int32_t at[COUNT] = {4, 0, 2, 2, 1, 3, 0, 4};
    for (int i = 0; i < 3 * COUNT * 7; i++) after[i] = x[(i / (COUNT * 7) * 5 + at[i / 7 % COUNT]) * 7 + i % 7];
    record_module("layout(binding = 0) readonly buffer X { float x[]; };\n"
                  "layout(binding = 1) readonly buffer T { int t[]; };\n"
                  "layout(binding = 2) writeonly buffer Y { float y[]; };\n"
                  "layout(push_constant) uniform P { uint a; uint b; uint c; uint d; };\n"
                  "void main() { " I " if (i < a * c * d) y[i] = x[t[i] + b]; }");
    struct captured_dispatch *d = record(3, push, sizeof push);
    operand(d, x, x, 3 * 5 * 7 * sizeof *x);
    operand(d, at, at, sizeof at);
    operand(d, y, after, 3 * COUNT * 7 * sizeof *y);
    assert_named(recognised(), "index_select", "outer=3,size=5,inner=7,count=8");
}

// ---- manifests

static void record_scaled(uint32_t n, float c) {
    const struct {
        uint32_t a, b;
        float c;
    } push = {7, n, c};
    float *x = numbers(n, -1, 1), *y = numbers(n, 5, 6), *after = numbers(n, -1, 1);
    struct captured_dispatch *d = record((n + 255) / 256, &push, sizeof push);
    for (uint32_t i = 0; i < n; i++) after[i] *= c;
    operand(d, x, x, n * sizeof *x);
    operand(d, y, after, n * sizeof *y);
}

static void words_and_the_grid_follow_from_several_recordings(void **state) {
    const char *why = NULL;
    record_module(X_Y PUSH "void main() { " I " if (i < b) y[i] = c * x[i] + float(a) * 0.0; }");
    record_scaled(1000, 2.5f);
    record_scaled(2500, 0.75f);
    const struct recognition *got = recognised();
    assert_named(got, "scale", "n=2500");
    struct json_object *kernel = recognised_kernel(&arena, got, &pipeline, folder, &why);
    if (!kernel) fail_msg("%s", why);
    assert_string_equal(json_object_to_json_string(json_get(kernel, "parameters")),
        "[ { \"in\": \"push\", \"members\": [ 7, \"n\", \"scale\" ] } ]");
    assert_string_equal(
        json_object_to_json_string(json_get(kernel, "grid")), "[ { \"over\": [ \"n\" ], \"by\": [ 256 ] } ]");
    assert_string_equal(json_object_to_json_string(json_get(kernel, "local_size")), "[ 64, 1, 1 ]");
    json_object_put(kernel);
}

static void a_word_that_follows_from_nothing_is_told(void **state) {
    const char *why = NULL;
    record_module(X_Y PUSH "void main() { " I " if (i < b) y[i] = c * x[i] + float(a) * 0.0; }");
    record_scaled(1000, 2.5f);
    record_scaled(2500, 0.75f);
    recorded[0].push = arena_format(&arena, "%s%s", "11000000", recorded[0].push + 8);
    assert_null(recognised_kernel(&arena, recognised(), &pipeline, folder, &why));
    assert_string_equal(why, "word 0 of its push constants does not follow from the dims");
}

// A product whose sizes are in no word: its sides follow from the sizes of the buffers.
static void a_product_without_words_is_named(void **state) {
    enum { M = 24, N = 40, K = 56 };
    float *a = numbers(M * K, -0.25f, 1), *b = numbers(K * N, -0.5f, 1), *c = numbers(M * N, 5, 6);
    float *after = numbers(M * N, 0, 0);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int l = 0; l < K; l++) after[i * N + j] += a[i * K + l] * b[l * N + j];
    record_module(
        "layout(binding = 0) readonly buffer A { float a[]; };\n"
        "layout(binding = 1) readonly buffer B { float b[]; };\nlayout(binding = 2) buffer C { float c[]; };\n"
        "void main() { " I " c[i] = a[i] * b[i]; }");
    struct captured_dispatch *d = record(15, NULL, 0);
    operand(d, a, a, M * K * sizeof *a);
    operand(d, b, b, K * N * sizeof *b);
    operand(d, c, after, M * N * sizeof *c);
    assert_named(recognised(), "matmul", "m=24,n=40,k=56");
}

static void a_damaged_operand_is_told(void **state) {
    struct error err;
    record_module(X_Y PUSH "void main() { " I " if (i < a) y[i] = max(x[i], 0.0); }");
    record_map(at_least_0, 1000, -1, 1);
    const char *path = in_folder(arena_format(&arena, "operands/%s.bin", recorded[0].operands[0].before));
    assert_true(file_write(path, "", 0, &err));
    assert_refused(recognised(), "damaged or missing");
}

static int release(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_relu_of_both_signs_is_named),
        cmocka_unit_test(a_relu_of_positive_numbers_is_also_a_copy),
        cmocka_unit_test(an_output_beyond_its_bound_is_no_copy),
        cmocka_unit_test(data_without_variety_decides_nothing),
        cmocka_unit_test(the_first_recording_has_many_outputs),
        cmocka_unit_test(a_comparison_in_bytes_is_named),
        cmocka_unit_test(a_repeated_operand_and_truth_in_words_are_named),
        cmocka_unit_test(a_negation_in_words_is_named),
        cmocka_unit_test(a_float_in_a_block_of_uint_vectors_is_found),
        cmocka_unit_test(dims_are_looked_for_in_the_order_of_words),
        cmocka_unit_test(integers_are_not_read_as_floats),
        cmocka_unit_test(floats_in_words_are_named),
        cmocka_unit_test(a_trial_at_the_recorded_size_alone_decides_nothing),
        cmocka_unit_test(words_and_the_grid_follow_from_several_recordings),
        cmocka_unit_test(a_word_that_follows_from_nothing_is_told),
        cmocka_unit_test(a_product_without_words_is_named),
        cmocka_unit_test(a_damaged_operand_is_told),
    };
    return cmocka_run_group_tests(tests, folder_make, release);
}
