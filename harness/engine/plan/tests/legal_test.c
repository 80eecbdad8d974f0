// SPDX-License-Identifier: Apache-2.0
// Legality on a made-up device: each limit at, below and above its value, with the reason.
#include "../../../../reference/table.h"
#include "../../../base/tests/within.h"
#include "../suite.h"

#include "../needs.h"
#include "../shapes.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"
#include "../../../device/profile.h"

struct row {
    const char *kernel;
    int64_t dims[3];
    int64_t shape[4]; // in the manifest's order
    const char *says; // NULL: legal
};

// relu: WG_X, ITEMS. matmul: WG_X, ITEMS, WG_Y, TILE_K.
// sum: WG_X, ITEMS. rmsnorm: WG_X, ITEMS, SUBGROUP.
static const struct row rows[] = {
    {"relu.scalar", {1}, {256, 1}, NULL},
    {"relu.scalar", {1}, {0, 1}, "WG_X is 0; the minimum is 1"},
    {"relu.scalar", {1}, {257, 1}, "WG_X is 257; the device allows 256"},
    {"relu.scalar", {1}, {64, 0}, "divides by zero or overflows"},
    {"matmul.tiled", {16, 16, 16}, {16, 1, 16, 16}, NULL},
    {"matmul.tiled", {16, 16, 16}, {32, 1, 32, 16}, "1024 invocations; the device allows 256"},
    {"matmul.tiled", {16, 16, 16}, {17, 1, 16, 16}, "272 invocations; the device allows 256"},
    {"matmul.tiled", {16, 16, 16}, {16, 1, 257, 16}, "WG_Y is 257; the device allows 256"},
    // 16*T*4 + T*16*I*4 bytes of shared memory
    {"matmul.tiled", {64, 64, 128}, {16, 1, 16, 128}, NULL},
    {"matmul.tiled", {64, 64, 129}, {16, 1, 16, 129}, "16512 bytes of shared memory; the device allows 16384"},
    {"matmul.tiled", {64, 64, 64}, {16, INT64_MAX / 8, 16, 64}, "the size of its shared memory overflows"},
    {"matmul.tiled", {16, 16, 16}, {8, 1, 16, 16}, "WG_X = 8 must equal WG_Y = 16: tiles are square"},
    {"matmul.tiled", {16, 16, 17}, {16, 1, 16, 16}, "k = 17 is not a multiple of TILE_K = 16: tiles are whole"},
    {"matmul.tiled", {16, 16 * 65535, 16}, {16, 1, 16, 16}, NULL},
    {"matmul.tiled", {16, 16 * 65535 + 1, 16}, {16, 1, 16, 16}, "65536 groups on x; the device allows 65535"},
    {"matmul.tiled", {16 * 65535 + 1, 16, 16}, {16, 1, 16, 16}, "65536 groups on y; the device allows 65535"},
    {"relu.plain", {64 * 65535}, {64, 1}, NULL},
    {"relu.plain", {64 * 65535 + 1}, {64, 1}, "65536 groups on x; the device allows 65535"},
    {"relu.scalar", {64 * 65535 + 1}, {64, 1}, NULL},
    // 128 MiB is 33554432 floats
    {"relu.scalar", {33554432}, {256, 1}, NULL},
    {"relu.scalar", {33554433}, {256, 1},
        "operand x takes 134217732 bytes; the device allows 134217728 (maxStorageBufferRange)"},
    {"sum.multipass", {64}, {64, 1}, NULL},
    {"sum.multipass", {64}, {1024, 1}, "WG_X is 1024"},
    {"rmsnorm.workgroup", {65535, 16}, {64, 1, 0}, NULL},
    {"rmsnorm.workgroup", {65536, 16}, {64, 1, 0}, "65536 groups on x"},
    {"rmsnorm.workgroup", {1, 16}, {64, 1, 32}, NULL},
    {"rmsnorm.workgroup", {1, 16}, {64, 1, 64}, "SUBGROUP is 64; the device allows powers of two from 8 to 32"},
    {"rmsnorm.workgroup", {1, 16}, {64, 1, 4}, "SUBGROUP is 4;"},
    {"rmsnorm.workgroup", {1, 16}, {64, 1, 24}, "SUBGROUP is 24;"},
    // a required size bounds how many subgroups a workgroup has
    {"rmsnorm.workgroup", {1, 16}, {128, 1, 8}, NULL},
    {"rmsnorm.workgroup", {1, 16}, {136, 1, 8},
        "136 invocations in subgroups of 8; the device allows 16 subgroups in a workgroup"},
    {"rmsnorm.workgroup", {1, 16}, {132, 1, 8}, "132 invocations in subgroups of 8"}, // the last one is half empty
    {"rmsnorm.workgroup", {1, 16}, {124, 1, 8}, NULL},
    {"rmsnorm.workgroup", {1, 16}, {136, 1, 16}, NULL},
    {"rmsnorm.workgroup", {1, 16}, {136, 1, 0}, NULL},
};

// Returns why a shape cannot run a case; NULL: it can.
static const char *why_not(struct fixture *f, const struct kernel *kernel, const struct shape *shape, enum dtype dtype,
    const int64_t *dims, const struct device_info *device) {
    const struct trial trial = {
        .kernel = kernel, .dtype = dtype, .dims = dims, .device = device, .memory_share = 1, .arena = &f->arena};
    const struct refusal *why = trial_both(&trial, shape);
    return why ? refusal_text(&f->arena, why) : NULL;
}

static void each_row(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_kernels(f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct kernel *kernel = kernel_named(&f->kernels, rows[i].kernel);
        int64_t dims[OPERATOR_DIMS * 2] = {0};
        struct shape shape = {0};
        memcpy(dims, rows[i].dims, sizeof rows[i].dims);
        memcpy(shape.value, rows[i].shape, sizeof rows[i].shape);
        assert_null(operator_derive(kernel->op, dims));
        const char *why = why_not(f, kernel, &shape, DTYPE_F32, dims, &device);
        if (!why != !rows[i].says) fail_msg("row %zu: %s", i, why ? why : "legal");
        if (why) assert_says(why, rows[i].says);
    }
}

// Cases of the fixture that need every limit. A new limit needs a case here.
static const struct row needing[] = {
    {"matmul.tiled", {64, 64, 64}, {16, 1, 16, 16}, NULL},
    {"rmsnorm.workgroup", {5, 16}, {64, 1, 16}, NULL},
    {"sum.multipass", {4096}, {64, 1}, NULL},
    {"matmul.w", {64, 64, 64}, {64}, NULL},
};
static const char workgroup_matrices[] =
    "{\"kernels\": [{\"name\": \"matmul.w\", \"operator\": \"matmul\", \"summary\": \"s\", \"shader\": \"k.comp\", "
    "\"dtypes\": [\"f32\"], \"bindings\": [\"a\", \"b\", \"c\"], \"tunables\": {\"WG_X\": {\"values\": [64], "
    "\"default\": 64}}, \"cooperative\": {\"m\": 16, \"n\": 16, \"k\": 16, \"a\": \"f16\", \"b\": \"f16\", "
    "\"c\": \"f32\", \"result\": \"f32\", \"scope\": \"workgroup\"}, \"grid\": [{\"over\": \"m\", \"by\": 16}]}]}";

struct largest {
    enum limit_index limit;
    int axis;
    int64_t amount;
};

static const struct refusal *find_largest(void *context, const struct need *need) {
    struct largest *largest = context;
    if (need->row && need->row->limit == largest->limit && need->axis == largest->axis && !need->folded &&
        need->amount > largest->amount)
        largest->amount = need->amount;
    return NULL;
}

static void set_device_limit(struct device_info *device, enum limit_index limit, int axis, int64_t number) {
    limit_set(&device_limits[limit], (char *)device + device_limits[limit].offset, axis, (uint64_t)number);
}

// Tries an amount at a limit and beyond it, of the device and of a profile. Returns whether the case has the need.
static bool refuses_beyond(struct fixture *f, const struct row *row, const struct limit_need *need, int axis) {
    const struct limit *limit = &device_limits[need->limit];
    struct device_info device = fixture_device();
    int64_t dims[OPERATOR_DIMS * 2] = {0};
    struct shape shape = {0};
    const struct trial trial = {.kernel = kernel_named(&f->kernels, row->kernel),
        .dims = dims,
        .device = &device,
        .memory_share = 1,
        .arena = &f->arena};
    memcpy(dims, row->dims, sizeof row->dims);
    memcpy(shape.value, row->shape, sizeof row->shape);
    assert_null(operator_derive(trial.kernel->op, dims));
    device_unlimited(&device);
    struct largest largest = {.limit = need->limit, .axis = axis};
    needs_visit(&trial, &shape, need->of, find_largest, &largest);
    if (largest.amount < 2) return false; // a limit of 0 is unknown
    const int64_t beyond = limit->sense == LIMIT_LEAST ? largest.amount + 1 : largest.amount - 1;
    set_device_limit(&device, need->limit, axis, largest.amount);
    if (trial_both(&trial, &shape)) fail_msg("%s: an amount at the limit is refused", limit->name);
    set_device_limit(&device, need->limit, axis, beyond);
    const struct refusal *why = trial_both(&trial, &shape);
    if (!why || why->kind != need->beyond) fail_msg("%s: an amount beyond the limit is not refused", limit->name);
    device_unlimited(&device);
    strcpy(device.profile.name, "narrow");
    limit_set(limit, (char *)&device.profile.limits + limit->value, axis, (uint64_t)beyond);
    why = trial_both(&trial, &shape);
    if (!why || why->kind != REFUSAL_PROFILE_LIMIT) fail_msg("%s: a profile does not refuse it", limit->name);
    assert_string_equal(why->words[0], limit->name);
    return true;
}

static void every_needed_limit_refuses_an_amount_beyond_it(void **state) {
    struct fixture *f = *state;
    bool has_row[LIMIT_COUNT] = {false};
    fixture_write(f, "matrices.json", workgroup_matrices);
    fixture_kernels(f);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        const struct limit_need *need = &limit_needs[i];
        bool tried = !need->amount;
        if (has_row[need->limit]) fail_msg("%s has two rows", device_limits[need->limit].name);
        has_row[need->limit] = true;
        for (size_t r = 0; need->amount && r < sizeof needing / sizeof *needing; r++)
            for (int axis = 0; axis < limit_parts(&device_limits[need->limit]); axis++)
                tried = refuses_beyond(f, &needing[r], need, axis) || tried;
        if (!tried) fail_msg("no case of `needing` needs %s", device_limits[need->limit].name);
    }
}

static const char *relu_refusal(struct fixture *f, const struct device_info *device, enum dtype dtype, int64_t n) {
    const struct kernel *kernel = kernel_named(&f->kernels, "relu.scalar");
    struct shape shape = kernel_default_shape(kernel, NULL);
    return why_not(f, kernel, &shape, dtype, &n, device);
}

static void sizes_of_memory(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_kernels(f);
    device.largest_allocation = 400;
    assert_null(relu_refusal(f, &device, DTYPE_F32, 100));
    assert_says(
        relu_refusal(f, &device, DTYPE_F32, 101), "takes 404 bytes; the device allows 400 (maxMemoryAllocationSize)");
    device.heaps[0].bytes = 799;
    assert_says(relu_refusal(f, &device, DTYPE_F32, 100), "its buffers need 800 bytes");
    device.heaps[0].bytes = 800;
    assert_null(relu_refusal(f, &device, DTYPE_F32, 100));
    // Two buffers take half of 1600 bytes. Scratch counts as well.
    const struct kernel *kernel = kernel_named(&f->kernels, "relu.scalar"),
                        *sum = kernel_named(&f->kernels, "sum.multipass");
    const int64_t n[OPERATOR_DIMS * 2] = {100};
    struct trial trial = {
        .kernel = kernel, .dtype = DTYPE_F32, .dims = n, .device = &device, .memory_share = 0.5, .arena = &f->arena};
    struct shape shape = kernel_default_shape(kernel, NULL), parts = {.value = {64, 1}};
    device.heaps[0].bytes = 1600;
    assert_null(trial_both(&trial, &shape));
    device.heaps[0].bytes = 1598;
    assert_string_equal(refusal_text(&f->arena, trial_both(&trial, &shape)),
        "its buffers need 800 bytes; memory_share is 0.5 of the device's 1598 bytes of memory, 799 bytes");
    device.heaps[0].bytes = 400 + 4 + 8; // x, y and two partial sums
    assert_null(why_not(f, sum, &parts, DTYPE_F32, n, &device));
    device.heaps[0].bytes--;
    assert_says(why_not(f, sum, &parts, DTYPE_F32, n, &device), "its buffers need 412 bytes");
}

// Buffers that no device can have are refused for what is wrong with them, whatever the memory.
static void buffers_are_refused_for_their_own_reason(void **state) {
    struct fixture *f = *state;
    const struct device_info device = fixture_device();
    fixture_kernels(f);
    static const struct {
        const char *operator;
        enum dtype dtype;
        int64_t dims[3];
        enum refusal_kind kind;
        const char *says;
    } buffers[] = {
        {"relu", DTYPE_F32, {1 << 30}, REFUSAL_BUFFER_RANGE,
            "operand x takes 4294967296 bytes; the device allows 134217728 (maxStorageBufferRange)"},
        {"relu", DTYPE_F32, {INT64_MAX}, REFUSAL_BUFFER_OVERFLOW, "operand x: its bytes overflow 64 bits"},
        {"relu", DTYPE_F32, {0}, REFUSAL_BUFFER_EMPTY, "operand x is empty"},
        {"matvec", DTYPE_Q8_0, {3, 11}, REFUSAL_BUFFER_BLOCKS,
            "operand w: 33 elements do not fill whole q8_0 blocks of 32"},
        {"matmul", DTYPE_F32, {INT64_MAX / 2, 16, 16}, REFUSAL_BUFFER_ELEMENTS,
            "operand a: its element count overflows 64 bits"},
    };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        struct kernel kernel = *kernel_named(&f->kernels, "relu.scalar");
        const struct shape shape = kernel_default_shape(&kernel, &device);
        kernel.op = operator_named(buffers[i].operator);
        struct trial trial = {.kernel = &kernel,
            .dtype = buffers[i].dtype,
            .dims = buffers[i].dims,
            .device = &device,
            .memory_share = 1,
            .arena = &f->arena};
        const struct refusal *why = trial_memory(&trial, &shape);
        if (!why) fail_msg("%s is not refused", buffers[i].says);
        assert_string_equal(refusal_text(&f->arena, why), buffers[i].says);
        assert_int_equal(why->kind, buffers[i].kind);
    }
}

// A rule just met and just broken, and a grid without groups.
static void rules_hold_at_their_edge(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_write(f, "m.json",
        "{\"kernels\": [{\"name\": \"softmax.r\", \"operator\": \"softmax\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"tunables\": {\"WG_X\": {\"values\": "
        "[64], \"default\": 64}}, \"rules\": [{\"at_most\": [[\"cols\"], [\"WG_X\"]], \"why\": \"a row a "
        "workgroup\"}], "
        "\"grid\": [{\"over\": [\"rows\"]}]}, {\"name\": \"max_pool1d.p\", \"operator\": \"max_pool1d\", "
        "\"summary\": \"s\", \"shader\": \"k.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], "
        "\"grid\": [{\"over\": [\"pad\"]}]}]}");
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    const struct kernel *kernel = kernel_named(&f->kernels, "softmax.r"),
                        *pool = kernel_named(&f->kernels, "max_pool1d.p");
    const struct shape shape = kernel_default_shape(kernel, NULL), none = kernel_default_shape(pool, NULL);
    int64_t dims[OPERATOR_DIMS * 2] = {3, 63}, windows[OPERATOR_DIMS * 2] = {1, 1, 6, 3, 2, 0, 1, 0};
    for (; dims[1] <= 64; dims[1]++) assert_null(why_not(f, kernel, &shape, DTYPE_F32, dims, &device));
    assert_says(why_not(f, kernel, &shape, DTYPE_F32, dims, &device), "cols = 65 exceeds WG_X = 64: a row a workgroup");
    assert_null(operator_derive(pool->op, windows));
    assert_says(why_not(f, pool, &none, DTYPE_F32, windows, &device), "the grid on x is empty");
    windows[5] = 1;
    assert_null(operator_derive(pool->op, windows));
    assert_null(why_not(f, pool, &none, DTYPE_F32, windows, &device));
}

static void no_more_buffers_than_a_shader_may_have(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_kernels(f);
    device.storage_buffers = 2; // 0 means unknown, as in older files
    assert_null(relu_refusal(f, &device, DTYPE_F32, 100));
    device.storage_buffers = 1;
    assert_says(relu_refusal(f, &device, DTYPE_F32, 100), "2 storage buffers; the device allows 1");
}

static void features_by_name(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_kernels(f);
    const struct kernel *norm = kernel_named(&f->kernels, "rmsnorm.workgroup");
    device.features[FEATURE_STORAGE16] = false;
    device.features[FEATURE_SUBGROUP_SIZE] = false;
    assert_null(relu_refusal(f, &device, DTYPE_F32, 100));
    assert_says(relu_refusal(f, &device, DTYPE_F16, 100), "the device lacks the feature storage16");
    int64_t dims[OPERATOR_DIMS * 2] = {1, 16};
    struct shape shape = {.value = {64, 1, 16}};
    assert_says(why_not(f, norm, &shape, DTYPE_F32, dims, &device), "lacks the feature subgroup_size");
    assert_says(why_not(f, norm, &shape, DTYPE_F16, dims, &device), "lacks the feature storage16");
}

static bool note_feature(void *context, enum feature feature) {
    ((bool *)context)[feature] = true;
    return false;
}

// Operands, arithmetic and scratch need the features of their types: here each type in the place of the scratch.
static void scratch_needs_the_feature_of_its_type(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const int64_t dims[OPERATOR_DIMS * 2] = {4096};
    for (enum dtype dtype = 0; dtype < DTYPE_COUNT; dtype++) {
        struct kernel kernel = *kernel_named(&f->kernels, "sum.multipass");
        const char *name = dtype_info(dtype)->storage_feature;
        struct device_info device = fixture_device();
        const struct shape shape = {.value = {64, 1}};
        bool needed[FEATURE_COUNT] = {false};
        const struct trial trial = {
            .kernel = &kernel, .dtype = DTYPE_F32, .dims = dims, .device = &device, .arena = &f->arena};
        kernel.scratch[0].dtype = dtype;
        features_visit(&trial, note_feature, needed);
        for (int i = 0; i < FEATURE_COUNT; i++) assert_int_equal(needed[i], name && feature_named(name) == i);
        if (!name) continue;
        memset(device.features, true, sizeof device.features);
        if (dtype_info(dtype)->elements == 1) assert_null(why_not(f, &kernel, &shape, DTYPE_F32, dims, &device));
        device.features[feature_named(name)] = false;
        assert_says(why_not(f, &kernel, &shape, DTYPE_F32, dims, &device), name);
    }
}

// Some drivers, such as NVK, have only subgroups of 32 and no control of their size.
static void the_only_subgroup_size_needs_no_feature(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_kernels(f);
    const struct kernel *norm = kernel_named(&f->kernels, "rmsnorm.workgroup");
    int64_t dims[OPERATOR_DIMS * 2] = {1, 16};
    struct shape shape = {.value = {64, 1, 32}};
    device.features[FEATURE_SUBGROUP_SIZE] = false;
    device.subgroup_size = device.min_subgroup_size = device.max_subgroup_size = 32;
    device.max_subgroups = 0; // unknown without the extension
    assert_null(why_not(f, norm, &shape, DTYPE_F32, dims, &device));
    shape.value[2] = 16;
    assert_says(why_not(f, norm, &shape, DTYPE_F32, dims, &device), "lacks the feature subgroup_size");
    shape.value[2] = 32;
    device.min_subgroup_size = 8; // subgroup sizes vary
    assert_says(why_not(f, norm, &shape, DTYPE_F32, dims, &device), "lacks the feature subgroup_size");
}

static void half_arithmetic_and_named_features(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_write(f, "m.json",
        "{\"kernels\": [{\"name\": \"relu.h\", \"operator\": \"relu\", \"summary\": \"s\", "
        "\"shader\": "
        "\"k.comp\", \"dtypes\": [\"f16\"], \"arithmetic\": \"f16\", \"features\": [\"int64\"], "
        "\"bindings\": [\"x\", \"y\"], "
        "\"grid\": [{\"over\": \"n\"}]}]}");
    assert_true(fixture_load(f));
    const struct kernel *kernel = f->kernels.items[0];
    const struct shape shape = kernel_default_shape(kernel, NULL);
    const int64_t n = 100;
    assert_null(why_not(f, kernel, &shape, DTYPE_F16, &n, &device));
    device.features[FEATURE_FLOAT16] = false;
    assert_says(why_not(f, kernel, &shape, DTYPE_F16, &n, &device), "lacks the feature float16");
    device.features[FEATURE_INT64] = false;
    assert_says(why_not(f, kernel, &shape, DTYPE_F16, &n, &device), "lacks the feature int64");
}

static void push_constants(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_kernels(f);
    device.push_bytes = 4;
    assert_null(relu_refusal(f, &device, DTYPE_F32, 100));
    device.push_bytes = 3;
    assert_says(relu_refusal(f, &device, DTYPE_F32, 100), "4 bytes of push constants; the device allows 3");
    device = fixture_device();
    assert_says(relu_refusal(f, &device, DTYPE_F32, 1ll << 32), "push constant n is 4294967296, too large for 32 bits");
}

static void matrices_are_those_of_the_device(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    const char *folders[] = {"kernels/matrix"};
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    const struct kernel *kernel = kernel_named(&f->kernels, "matmul.coop");
    const int64_t dims[3] = {64, 64, 64};
    struct shape shape = kernel_default_shape(kernel, NULL);
    assert_null(why_not(f, kernel, &shape, DTYPE_F16, dims, &device));
    device.cooperative[0].n = 8;
    assert_says(why_not(f, kernel, &shape, DTYPE_F16, dims, &device),
        "cooperative matrices of 16x16x16 f16 x f16 + f32 to f32; the device has 16x8x16");
    device.cooperative_count = 1;
    device.cooperative[0] = (struct cooperative){
        .m = 8, .n = 16, .k = 32, .a = COMPONENT_I8, .b = COMPONENT_U8, .c = COMPONENT_I32, .result = COMPONENT_F16};
    assert_says(why_not(f, kernel, &shape, DTYPE_F16, dims, &device), "the device has 8x16x32 i8 x u8 + i32 to f16");
    device.features[FEATURE_COOPERATIVE_MATRIX] = false;
    device.features[FEATURE_COOPERATIVE_MATRIX_KHR] = device.features[FEATURE_COOPERATIVE_MATRIX_NV] = false;
    assert_says(why_not(f, kernel, &shape, DTYPE_F16, dims, &device),
        "the kernel needs VK_KHR_cooperative_matrix or VK_NV_cooperative_matrix; the device lacks");
    device.features[FEATURE_COOPERATIVE_MATRIX_NV] = true; // the device has the extension and the compiler lacks it
    assert_says(
        why_not(f, kernel, &shape, DTYPE_F16, dims, &device), "need a shader compiler with GL_NV_cooperative_matrix");
}

static void matrices_of_a_workgroup_are_those_of_its_size(void **state) {
    struct fixture *f = *state;
    const char *folders[] = {"kernels/matrix"};
    struct device_info device = fixture_device();
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    const struct kernel *kernel = kernel_named(&f->kernels, "matmul.tensor");
    const int64_t dims[3] = {64, 64, 64};
    const struct shape shape = kernel_default_shape(kernel, NULL);
    const int64_t invocations = shape_value(kernel, &shape, "WG_X", 0);
    assert_null(why_not(f, kernel, &shape, DTYPE_F16, dims, &device));
    assert_null(why_not(f, kernel, &shape, DTYPE_BF16, dims, &device));
    for (int i = 0; i < device.flexible_count; i++) device.flexible[i].invocations = 2 * (uint32_t)invocations;
    assert_says(why_not(f, kernel, &shape, DTYPE_BF16, dims, &device), "bf16 x bf16 + f32 to f32 of a workgroup of");
    device.flexible_count = 0;
    assert_says(why_not(f, kernel, &shape, DTYPE_F16, dims, &device), "the device has none");
    device.features[FEATURE_MATRIX2_TENSOR] = false;
    assert_says(why_not(f, kernel, &shape, DTYPE_F16, dims, &device), "matrix2_tensor");
}

// Returns how many shapes of a kernel are legal on the device.
static int legal_count(struct fixture *f, const char *name, const int64_t *dims, const struct device_info *device) {
    const struct kernel *kernel = kernel_named(&f->kernels, name);
    struct shape shape = shape_first(kernel);
    int digit[KERNEL_TUNABLES] = {0}, count = 0;
    do count += !why_not(f, kernel, &shape, DTYPE_F16, dims, device);
    while (shape_next(kernel, digit, &shape));
    return count;
}

// Matrices of real devices: Mesa's lavapipe has 8x8x8 in subgroups of 8, Intel 8x16x16 in 16, AMD 16x16x16 in 64.
static void matrices_fit_every_subgroup(void **state) {
    struct fixture *f = *state;
    static const uint32_t devices[][4] = {
        {8, 8, 8, 8}, {16, 8, 16, 16}, {32, 16, 8, 8}, {32, 16, 16, 16}, {64, 16, 16, 16}};
    const char *folders[] = {"kernels/matrix", "kernels/attention"};
    if (!kernels_load(&f->arena, folders, 2, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct device_info device = fixture_device();
        device.min_subgroup_size = device.max_subgroup_size = device.subgroup_size = devices[i][0];
        device.cooperative[0].m = devices[i][1];
        device.cooperative[0].n = devices[i][2];
        device.cooperative[0].k = devices[i][3];
        assert_true(legal_count(f, "matmul.coop", (const int64_t[]){64, 64, 64}, &device) > 0);
        const int64_t heads[] = {1, 1, 1, 64, 64, 64, 0};
        assert_true(legal_count(f, "attention.flash_coop", heads, &device) > 0);
    }
}

static void folding_covers_every_group(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    fixture_kernels(f);
    const struct kernel *kernel = kernel_named(&f->kernels, "relu.scalar");
    struct shape shape = {.value = {32, 1}};
    uint32_t groups[3];
    static const uint32_t limits[][3] = {{7, 5, 3}, {65535, 65535, 65535}, {1, 1, 1000}, {3, 1000, 1}};
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        memcpy(device.max_groups, limits[l], sizeof limits[l]);
        int64_t room = (int64_t)limits[l][0] * limits[l][1] * limits[l][2];
        int64_t last = room < 3000 ? room : 3000;
        for (int64_t count = 1; count <= last; count++) {
            int64_t n = 32 * count - 5;
            assert_true(pass_groups(kernel, &kernel->passes[0], &n, &shape, &device, groups));
            int64_t covered = (int64_t)groups[0] * groups[1] * groups[2];
            for (int axis = 0; axis < 3; axis++) assert_within(groups[axis], 1, limits[l][axis]);
            assert_true(covered >= count);
            // The groups past the end are fewer than one row in each plane.
            assert_true(covered - count < (int64_t)groups[1] * groups[2] + groups[2]);
        }
        int64_t beyond = 32 * (room < UINT32_MAX ? room : UINT32_MAX) + 1;
        assert_false(pass_groups(kernel, &kernel->passes[0], &beyond, &shape, &device, groups));
    }
}

// A kernel with a dispatch for each row: the largest number of rows, one more, and a last dispatch whose grid is too
// wide.
static void turns_are_counted_and_each_has_its_grid(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct shape shape = {0};
    fixture_write(f, "turns.json",
        "{\"kernels\": [{\"name\": \"softmax.r\", \"operator\": \"softmax\", \"summary\": \"s\", \"shader\": "
        "\"k.comp\", "
        "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"passes\": [{\"repeat\": {\"row\": {\"below\": "
        "\"rows\"}, "
        "\"width\": {\"from\": 1, \"add\": \"cols\"}}, \"push\": [[\"width\", \"cols\"]], \"grid\": [{\"over\": "
        "\"width\"}]}]}]}");
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    const struct kernel *kernel = kernel_named(&f->kernels, "softmax.r");
    assert_null(why_not(f, kernel, &shape, DTYPE_F32, (const int64_t[]){4096, 1}, &device));
    assert_says(why_not(f, kernel, &shape, DTYPE_F32, (const int64_t[]){4097, 1}, &device),
        "its passes need more than 4096 dispatches");
    assert_null(why_not(f, kernel, &shape, DTYPE_F32, (const int64_t[]){3, 32767}, &device));
    assert_says(why_not(f, kernel, &shape, DTYPE_F32, (const int64_t[]){3, 32768}, &device),
        "65537 groups on x; the device allows 65535");
    assert_says(why_not(f, kernel, &shape, DTYPE_F32, (const int64_t[]){2, 65600}, &device), "65601 groups on x");
    device.max_groups[0] = UINT32_MAX;
    assert_says(why_not(f, kernel, &shape, DTYPE_F32, (const int64_t[]){2, 65600}, &device), "width * cols");
}

// A profile refuses with its own limit and name, before the device does. It does not limit peaks.
static void a_profile_refuses_by_its_limit_s_name(void **state) {
    struct fixture *f = *state;
    static const struct row beyond[] = {
        {"relu.scalar", {1}, {128, 1}, NULL},
        {"relu.scalar", {1}, {256, 1}, "max_invocations is 256; the profile vulkan-1.1-mobile allows 128"},
        {"matmul.tiled", {64, 64, 128}, {8, 1, 8, 128}, NULL},
        {"matmul.tiled", {64, 64, 512}, {8, 1, 8, 512}, "shared_bytes is 32768; the profile"},
        {"relu.scalar", {33554433}, {64, 1}, "storage_range is 134217732; the profile"},
        {"relu.plain", {64 * 65535 + 1}, {64, 1}, "max_groups is 65536; the profile"},
        {"rmsnorm.workgroup", {1, 16}, {64, 1, 16}, "it requires subgroup_size; the profile"},
    };
    struct device_info device = fixture_device();
    struct profile profile;
    assert_true(profile_find("vulkan-1.1-mobile", &profile, &f->err));
    device.storage_range = 1u << 30;
    device_hold(&device, &profile);
    fixture_kernels(f);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        struct trial trial = {.kernel = kernel_named(&f->kernels, beyond[i].kernel),
            .dtype = DTYPE_F32,
            .dims = beyond[i].dims,
            .device = &device,
            .memory_share = 1,
            .arena = &f->arena};
        int64_t dims[OPERATOR_DIMS * 2] = {0};
        struct shape shape = {0};
        memcpy(dims, beyond[i].dims, sizeof beyond[i].dims);
        memcpy(shape.value, beyond[i].shape, sizeof beyond[i].shape);
        assert_null(operator_derive(trial.kernel->op, dims));
        trial.dims = dims;
        const struct refusal *why = trial_both(&trial, &shape);
        if (!why != !beyond[i].says) fail_msg("row %zu: %s", i, why ? refusal_text(&f->arena, why) : "legal");
        if (why) assert_says(refusal_text(&f->arena, why), beyond[i].says);
        trial.peak = true;
        why = trial_both(&trial, &shape);
        if (why && strstr(refusal_text(&f->arena, why), "the profile")) fail_msg("row %zu: of a peak", i);
    }
}

// If a profile refuses all named shapes, a shape within the profile replaces them.
static void another_shape_stands_for_a_default_beyond_the_profile(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct profile profile;
    int64_t dims[OPERATOR_DIMS * 2] = {1000};
    size_t count;
    fixture_kernels(f);
    struct shape_request request = {.choice = SHAPES_DEFAULT,
        .trial = {.kernel = kernel_named(&f->kernels, "relu.scalar"),
            .dims = dims,
            .device = &device,
            .memory_share = 1,
            .arena = &f->arena}};
    shapes_of_case(&request, &count);
    assert_int_equal(count, 1);
    assert_true(profile_find("vulkan-1.1-mobile", &profile, &f->err));
    device_hold(&device, &profile);
    const struct shape_found *shapes = shapes_of_case(&request, &count);
    assert_int_equal(count, 2);
    assert_null(shapes[0].refused);
    assert_true(shapes[0].shape.value[0] <= 128);
    assert_non_null(shapes[1].refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(turns_are_counted_and_each_has_its_grid, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_profile_refuses_by_its_limit_s_name, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            another_shape_stands_for_a_default_beyond_the_profile, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(each_row, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_needed_limit_refuses_an_amount_beyond_it, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(sizes_of_memory, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(buffers_are_refused_for_their_own_reason, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(rules_hold_at_their_edge, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(no_more_buffers_than_a_shader_may_have, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(scratch_needs_the_feature_of_its_type, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(features_by_name, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_only_subgroup_size_needs_no_feature, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(half_arithmetic_and_named_features, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(push_constants, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(matrices_are_those_of_the_device, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(matrices_of_a_workgroup_are_those_of_its_size, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(matrices_fit_every_subgroup, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(folding_covers_every_group, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
