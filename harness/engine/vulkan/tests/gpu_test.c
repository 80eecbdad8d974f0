// SPDX-License-Identifier: Apache-2.0
// Tests the Vulkan layer with known answers on the best device: buffers, programs, work, time. If
// VKASSAY_TEST_VALIDATE is set in the environment, the validation layer is on and must stay silent.
#include "../../../shader/compile/shader.h"
#include "../internal.h"

#include "../../../base/file.h"
#include "../../../base/tests/needs.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 1000 };

struct fixture {
    struct arena arena;
    struct device_info device;
    struct gpu *gpu;
    char folder[64];
};

static bool validating(void) {
    return getenv("VKASSAY_TEST_VALIDATE") != NULL;
}

static int set_up(void **state) {
    struct error err;
    struct device_info *devices;
    size_t count, best, chosen;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    strcpy(f->folder, "/tmp/vkassay-gpu-test-XXXXXX");
    if (!f || !mkdtemp(f->folder) || !gpu_enumerate(&f->arena, &devices, &count, &err)) return -1;
    if (count == 0 || !device_choose(devices, count, NULL, &best, &chosen, &err)) return 0; // each test skips
    f->device = devices[best];
    f->gpu = gpu_open(&f->device, &(struct gpu_options){.validate = validating()}, &err);
    if (!f->gpu) fprintf(stderr, "%s\n", err.text);
    return f->gpu ? 0 : -1;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    char command[128];
    gpu_close(f->gpu);
    snprintf(command, sizeof command, "rm -r %s", f->folder);
    int rc = system(command);
    arena_free(&f->arena);
    free(f);
    return rc;
}

static struct fixture *need_device(void **state) {
    struct fixture *f = *state;
    needs_hardware(f->gpu, "Vulkan device");
    return f;
}

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if (!(call)) fail_msg("%s: %s", #call, err.text);                                                              \
    } while (0)

static const char affine[] = "#version 450\n"
                             "layout(local_size_x_id = 0) in;\n"
                             "layout(constant_id = 3) const float FACTOR = 2.0;\n"
                             "layout(binding = 0) readonly buffer X { float x[]; };\n"
                             "layout(binding = 1) buffer Y { float y[]; };\n"
                             "layout(push_constant) uniform P { uint n; float bias; };\n"
                             "void main() {\n"
                             "    uint i = gl_GlobalInvocationID.x;\n"
                             "    if (i < n) y[i] = x[i] * FACTOR + bias;\n"
                             "}\n";

static struct spirv compile(struct fixture *f, const char *source) {
    struct error err;
    struct spirv spirv;
    char path[128];
    snprintf(path, sizeof path, "%s/test.comp", f->folder);
    OK(file_write(path, source, strlen(source), &err));
    OK(shader_make(&f->arena, &(struct shader_request){.path = path}, &spirv, &err));
    return spirv;
}

static struct program *make_affine(struct fixture *f, float factor) {
    struct error err;
    struct spirv spirv = compile(f, affine);
    struct program_desc desc = {.label = "affine",
        .spirv = spirv.words,
        .words = spirv.count,
        .bindings = 2,
        .push_bytes = 8,
        .constants = {{0, 64}, {3, 0}},
        .constant_count = 2};
    memcpy(&desc.constants[1].value, &factor, sizeof factor);
    int64_t ns;
    struct program *program;
    OK(program = program_create(f->gpu, &desc, &ns, &err));
    assert_true(ns > 0);
    return program;
}

struct push {
    uint32_t n;
    float bias;
};

// Sends x[i] = i through staging, computes y = FACTOR x + bias, and reads y back through staging.
static void affine_gives_known_answers(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct buffer up, x, y, down;
    uint64_t bytes = COUNT * sizeof(float);
    OK(buffer_create(f->gpu, BUFFER_UPLOAD, bytes, &up, &err));
    OK(buffer_create(f->gpu, BUFFER_DEVICE, bytes, &x, &err));
    OK(buffer_create(f->gpu, BUFFER_DEVICE, bytes, &y, &err));
    OK(buffer_create(f->gpu, BUFFER_READBACK, bytes, &down, &err));
    assert_true(gpu_memory_used(f->gpu) >= 2 * bytes && gpu_memory_used(f->gpu) < 3 * bytes);
    assert_null(x.host);
    struct program *twice = make_affine(f, 2), *thrice = make_affine(f, 3);
    struct work *work;
    OK(work = work_create(f->gpu, 4, &err));
    for (int i = 0; i < COUNT; i++) ((float *)up.host)[i] = (float)i;
    OK(buffer_flush(f->gpu, &up, &err));

    struct binding forth[] = {{&x, 0, bytes}, {&y, 0, bytes}}, back[] = {{&y, 0, bytes}, {&x, 0, bytes}};
    struct push push = {COUNT, 1};
    const uint32_t groups[3] = {(COUNT + 63) / 64, 1, 1};
    OK(work_begin(f->gpu, work, &err));
    work_copy(work, &up, 0, &x, 0, bytes);
    work_timestamp(work, 0, true);
    OK(work_dispatch(f->gpu, work, twice, forth, &push, groups, &err)); // y = 2 x + 1
    work_barrier(work);
    OK(work_dispatch(f->gpu, work, thrice, back, &push, groups, &err)); // x = 3 y + 1 = 6 x + 4
    work_timestamp(work, 1, false);
    work_copy(work, &x, 0, &down, 0, bytes);
    OK(work_end(f->gpu, work, &err));
    int64_t host, submit;
    for (int run = 0; run < 3; run++) {
        memset(down.host, 0xff, bytes);
        OK(buffer_flush(f->gpu, &down, &err));
        OK(work_run(f->gpu, work, 30, &host, &submit, &err));
        OK(buffer_invalidate(f->gpu, &down, &err));
        for (int i = 0; i < COUNT; i++) assert_true(((float *)down.host)[i] == (float)(6 * i + 4));
        assert_true(host > 0 && submit >= 0 && submit < host); // submitting is not waiting
        uint64_t from = 0, to = 0;
        bool written = work_ticks(work, 0, &from) && work_ticks(work, 1, &to);
        double gpu = timestamp_difference_ns(from, to, f->device.timestamp_bits, f->device.timestamp_period_ns);
        assert_int_equal(written, f->device.timestamp_bits > 0);
        assert_true(!written || (gpu > 0 && gpu <= (double)host));
        assert_false(work_ticks(work, 2, &to)); // never written
        assert_false(work_ticks(work, 9, &to)); // no such timestamp
        assert_false(work_ticks(work, -1, &to));
    }
    work_destroy(f->gpu, work);
    program_destroy(f->gpu, twice);
    program_destroy(f->gpu, thrice);
    buffer_destroy(f->gpu, &up);
    buffer_destroy(f->gpu, &x);
    buffer_destroy(f->gpu, &y);
    buffer_destroy(f->gpu, &down);
    assert_int_equal(gpu_memory_used(f->gpu), 0);
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
    assert_string_equal(gpu_validation_text(f->gpu), "");
}

static void a_buffer_of_one(struct fixture *f, enum buffer_kind kind, struct buffer *out) {
    struct error err;
    OK(buffer_create(f->gpu, kind, 4 * COUNT, out, &err));
}

static void copies_and_fills_reach_their_bytes_alone(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct buffer up, device, down;
    a_buffer_of_one(f, BUFFER_UPLOAD, &up);
    a_buffer_of_one(f, BUFFER_DEVICE, &device);
    a_buffer_of_one(f, BUFFER_READBACK, &down);
    for (uint32_t i = 0; i < COUNT; i++) ((uint32_t *)up.host)[i] = i;
    OK(buffer_flush(f->gpu, &up, &err));
    struct work *work;
    OK(work = work_create(f->gpu, 0, &err));
    OK(work_begin(f->gpu, work, &err));
    work_fill(work, &device, 0, 4 * COUNT, 0xdeadbeef);
    work_barrier(work);
    work_copy(work, &up, 400, &device, 40, 80); // words 100..119 to 10..29
    work_copy(work, &up, 0, &device, 0, 0);     // nothing
    work_barrier(work);
    work_fill(work, &device, 48, 8, 7); // words 12 and 13
    work_barrier(work);
    work_copy(work, &device, 0, &down, 0, 4 * COUNT);
    OK(work_end(f->gpu, work, &err));
    OK(work_run(f->gpu, work, 30, NULL, NULL, &err));
    OK(buffer_invalidate(f->gpu, &down, &err));
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t expected = i == 12 || i == 13 ? 7 : i >= 10 && i < 30 ? i + 90 : 0xdeadbeef;
        assert_int_equal(((uint32_t *)down.host)[i], expected);
    }
    uint64_t ticks;
    assert_false(work_ticks(work, 0, &ticks));
    work_destroy(f->gpu, work);
    buffer_destroy(f->gpu, &up);
    buffer_destroy(f->gpu, &device);
    buffer_destroy(f->gpu, &down);
    buffer_destroy(f->gpu, &down); // zeroed by the first call
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
}

// Records more dispatches, each with its own bindings, than one descriptor pool holds. The recording is made twice.
static void many_dispatches_find_their_own_buffers(void **state) {
    enum { STEPS = 200 };
    struct fixture *f = need_device(state);
    struct error err;
    uint64_t align = f->device.storage_alignment < 4 ? 4 : f->device.storage_alignment, bytes = (STEPS + 1) * align;
    struct buffer cells, down;
    struct program *program = make_affine(f, 2);
    struct work *work;
    OK(buffer_create(f->gpu, BUFFER_DEVICE, bytes, &cells, &err));
    OK(buffer_create(f->gpu, BUFFER_READBACK, bytes, &down, &err));
    OK(work = work_create(f->gpu, 0, &err));
    for (int round = 0; round < 2; round++) {
        OK(work_begin(f->gpu, work, &err));
        work_fill(work, &cells, 0, bytes, 0);
        work_barrier(work);
        for (uint64_t i = 0; i < STEPS; i++) { // cell i+1 = 2 * cell i + (i odd)
            struct buffer local = cells;       // the buffer is bound, not this struct
            struct binding bindings[] = {{&local, i * align, 4}, {&local, (i + 1) * align, 4}};
            OK(work_dispatch(
                f->gpu, work, program, bindings, &(struct push){1, (float)(i % 2)}, (const uint32_t[]){1, 1, 1}, &err));
            work_barrier(work);
        }
        work_copy(work, &cells, 0, &down, 0, bytes);
        OK(work_end(f->gpu, work, &err));
        OK(work_run(f->gpu, work, 30, NULL, NULL, &err));
        OK(buffer_invalidate(f->gpu, &down, &err));
        float expected = 0;
        for (uint64_t i = 0; i < STEPS; i++) {
            expected = expected * 2 + (float)(i % 2);
            assert_true(*(float *)((char *)down.host + (i + 1) * align) == expected);
        }
    }
    work_destroy(f->gpu, work);
    program_destroy(f->gpu, program);
    buffer_destroy(f->gpu, &cells);
    buffer_destroy(f->gpu, &down);
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
}

static void too_much_memory_is_refused_with_both_figures(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct buffer buffer;
    static const uint64_t sizes[] = {UINT64_MAX, (uint64_t)1 << 62, (uint64_t)1 << 50};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (enum buffer_kind kind = BUFFER_DEVICE; kind <= BUFFER_READBACK; kind++) {
            assert_false(buffer_create(f->gpu, kind, sizes[i], &buffer, &err));
            assert_int_equal(err.kind, ERROR_OUT_OF_MEMORY);
            assert_true(err.requested == sizes[i]);
            assert_true(err.available > 0 && err.available < sizes[i]);
            assert_null(buffer.handle);
        }
    assert_false(buffer_create(f->gpu, BUFFER_DEVICE, 0, &buffer, &err));
    assert_int_equal(gpu_memory_used(f->gpu), 0);
    affine_gives_known_answers(state); // the device still works
}

// Without a driver's memory budget, our own allocations are subtracted, and are available again after destruction.
static void a_heap_is_full_of_what_is_ours(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct buffer first, second;
    const uint64_t bytes = 3 << 20;
    f->gpu->memory_budget = false;
    for (uint32_t i = 0; i < f->gpu->memory.memoryHeapCount; i++) f->gpu->memory.memoryHeaps[i].size = 4 << 20;
    for (int round = 0; round < 2; round++) {
        OK(buffer_create(f->gpu, BUFFER_DEVICE, bytes, &first, &err));
        assert_false(buffer_create(f->gpu, BUFFER_DEVICE, bytes, &second, &err));
        assert_int_equal(err.kind, ERROR_OUT_OF_MEMORY);
        assert_true(err.available < bytes);
        buffer_destroy(f->gpu, &first);
    }
}

static VkDeviceMemory memory_of(struct fixture *f, enum buffer_kind kind, uint64_t bytes, bool recycled) {
    struct error err;
    struct buffer buffer;
    OK((recycled ? buffer_recycle : buffer_create)(f->gpu, kind, bytes, &buffer, &err));
    assert_int_equal(buffer.host != NULL, kind == BUFFER_UPLOAD);
    if (buffer.host) memset(buffer.host, 1, bytes);
    VkDeviceMemory memory = buffer.handle->piece.memory;
    buffer_destroy(f->gpu, &buffer);
    assert_int_equal(gpu_memory_used(f->gpu), 0);
    return memory;
}

static void what_a_small_buffer_leaves_serves_the_next_of_its_kind(void **state) {
    struct fixture *f = need_device(state);
    VkDeviceMemory left = memory_of(f, BUFFER_DEVICE, 70 << 10, true);
    assert_int_equal(f->gpu->kept.count, 1);
    memory_of(f, BUFFER_DEVICE, 70 << 10, false); // is allocated and freed
    assert_int_equal(f->gpu->kept.count, 1);
    assert_ptr_equal(memory_of(f, BUFFER_DEVICE, 100 << 10, true), left); // both need 128 KiB
    assert_int_equal(f->gpu->kept.count, 1);
    assert_ptr_not_equal(memory_of(f, BUFFER_DEVICE, 10 << 10, true), left);
    assert_ptr_not_equal(memory_of(f, BUFFER_UPLOAD, 100 << 10, true), left); // it is mapped
    assert_int_equal(f->gpu->kept.count, 3);
    memory_of(f, BUFFER_DEVICE, 5 << 20, true); // is too large to keep
    assert_int_equal(f->gpu->kept.count, 3);
}

static void kept_memory_is_bounded_and_goes_where_memory_is_short(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct buffer many[32], buffer;
    for (int i = 0; i < 32; i++) OK(buffer_recycle(f->gpu, BUFFER_DEVICE, 4 << 20, &many[i], &err));
    for (int i = 0; i < 32; i++) buffer_destroy(f->gpu, &many[i]);
    assert_int_equal(f->gpu->kept.bytes, 64 << 20);
    f->gpu->memory_budget = false;
    for (uint32_t i = 0; i < f->gpu->memory.memoryHeapCount; i++) f->gpu->memory.memoryHeaps[i].size = 64 << 20;
    OK(buffer_create(f->gpu, BUFFER_DEVICE, 3 << 20, &buffer, &err));
    assert_int_equal(f->gpu->kept.count, 0);
    buffer_destroy(f->gpu, &buffer);
}

// Memory types of a discrete GPU (the window into its memory last), of a GPU with AMD's uncached types, of two
// integrated GPUs, and of made-up ones. No buffer may get an uncached type.
static void each_buffer_lies_where_it_is_used(void **state) {
    enum {
        LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
        SEEN = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
        UNCACHED = VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD
    };
    static const struct {
        VkMemoryPropertyFlags types[6];
        uint32_t count, device, upload, readback, mapped;
    } gpus[] = {
        {{0, LOCAL, SEEN, SEEN | CACHED, LOCAL | SEEN}, 5, 1, 2, 3, 4},
        {{LOCAL | SEEN | UNCACHED, SEEN | CACHED, SEEN, LOCAL | SEEN, LOCAL | UNCACHED, LOCAL}, 6, 5, 2, 1, 3},
        {{LOCAL | SEEN | CACHED, LOCAL | SEEN}, 2, 0, 0, 0, 1},
        {{LOCAL | SEEN | CACHED}, 1, 0, 0, 0, 0},
        // not all memory is coherent, cached or local
        {{VISIBLE, LOCAL | SEEN}, 2, 1, 1, 0, 1},
        {{LOCAL, VISIBLE}, 2, 0, 1, 1, UINT32_MAX},
        {{VISIBLE | CACHED, LOCAL | VISIBLE}, 2, 1, 0, 0, 1},
        {{LOCAL | VISIBLE | CACHED, VISIBLE}, 2, 0, 0, 0, 0},
        {{SEEN | CACHED, LOCAL | SEEN}, 2, 1, 0, 0, 1},
        {{SEEN}, 1, 0, 0, 0, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
        struct gpu gpu = {.memory.memoryTypeCount = gpus[i].count};
        for (uint32_t t = 0; t < gpus[i].count; t++) gpu.memory.memoryTypes[t].propertyFlags = gpus[i].types[t];
        assert_int_equal(buffer_memory_type(&gpu, BUFFER_DEVICE, UINT32_MAX), gpus[i].device);
        assert_int_equal(buffer_memory_type(&gpu, BUFFER_UNIFORM, UINT32_MAX), gpus[i].device);
        assert_int_equal(buffer_memory_type(&gpu, BUFFER_UPLOAD, UINT32_MAX), gpus[i].upload);
        assert_int_equal(buffer_memory_type(&gpu, BUFFER_READBACK, UINT32_MAX), gpus[i].readback);
        assert_int_equal(buffer_memory_type(&gpu, BUFFER_MAPPED, UINT32_MAX), gpus[i].mapped);
        assert_true(buffer_memory_type(&gpu, BUFFER_DEVICE, 0) == UINT32_MAX); // no type is allowed
    }
}

static void what_the_device_cannot_do_is_a_skip(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct spirv spirv = compile(f, affine);
    struct program_desc desc = {
        .label = "odd", .spirv = spirv.words, .words = spirv.count, .bindings = 2, .push_bytes = 8, .subgroup_size = 3};
    assert_null(program_create(f->gpu, &desc, NULL, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_non_null(strstr(err.text, "odd"));
    assert_non_null(strstr(err.text, "subgroup"));
    desc.subgroup_size = 0;
    desc.bindings = PROGRAM_BINDINGS + 1;
    assert_null(program_create(f->gpu, &desc, NULL, &err));

    const uint32_t push_bytes = f->gpu->info.push_bytes, storage_buffers = f->gpu->info.storage_buffers;
    desc.bindings = 2;
    f->gpu->info.push_bytes = 4;
    assert_null(program_create(f->gpu, &desc, NULL, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_non_null(strstr(err.text, "8 bytes of push constants; the device allows 4"));
    f->gpu->info.push_bytes = push_bytes;
    f->gpu->info.storage_buffers = 1;
    assert_null(program_create(f->gpu, &desc, NULL, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_non_null(strstr(err.text, "2 storage buffers; the device allows 1"));
    f->gpu->info.storage_buffers = storage_buffers;

    struct program *program = make_affine(f, 2);
    struct buffer x;
    struct work *work;
    a_buffer_of_one(f, BUFFER_DEVICE, &x);
    OK(work = work_create(f->gpu, 0, &err));
    OK(work_begin(f->gpu, work, &err));
    struct binding good[] = {{&x, 0, 4}, {&x, 0, 4}}, beyond[] = {{&x, 0, 4}, {&x, 0, 4 * COUNT + 4}};
    struct push push = {1, 0};
    if (f->device.max_groups[1] < UINT32_MAX) {
        assert_false(work_dispatch(
            f->gpu, work, program, good, &push, (const uint32_t[]){1, f->device.max_groups[1] + 1, 1}, &err));
        assert_int_equal(err.kind, ERROR_SKIP);
    }
    assert_false(work_dispatch(f->gpu, work, program, beyond, &push, (const uint32_t[]){1, 1, 1}, &err));
    assert_non_null(strstr(err.text, "binding 1"));
    f->gpu->info.storage_alignment = 64; // limits of some devices
    struct binding crooked[] = {{&x, 0, 4}, {&x, 32, 4}}, long_one[] = {{&x, 0, 4}, {&x, 0, 128}};
    assert_false(work_dispatch(f->gpu, work, program, crooked, &push, (const uint32_t[]){1, 1, 1}, &err));
    assert_non_null(strstr(err.text, "binding 1"));
    f->gpu->info.storage_range = 124;
    assert_false(work_dispatch(f->gpu, work, program, long_one, &push, (const uint32_t[]){1, 1, 1}, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_non_null(strstr(err.text, "binding 1 is 128 bytes; the device allows 124"));
    OK(work_end(f->gpu, work, &err));
    work_destroy(f->gpu, work);
    program_destroy(f->gpu, program);
    buffer_destroy(f->gpu, &x);
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
}

static void a_required_subgroup_size_is_the_one_that_runs(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    needs_hardware(f->device.features[FEATURE_SUBGROUP_SIZE] && f->device.features[FEATURE_SUBGROUP_BASIC],
        "control of the subgroup size");
    struct spirv spirv = compile(f, "#version 450\n"
                                    "#extension GL_KHR_shader_subgroup_basic : require\n"
                                    "layout(local_size_x = 64) in;\n"
                                    "layout(binding = 0) buffer X { uint x[]; };\n"
                                    "void main() { if (gl_LocalInvocationIndex == 0) x[0] = gl_SubgroupSize; }\n");
    struct buffer down;
    struct work *work;
    a_buffer_of_one(f, BUFFER_READBACK, &down);
    OK(work = work_create(f->gpu, 0, &err));
    for (uint32_t size = f->device.min_subgroup_size; size <= f->device.max_subgroup_size; size *= 2) {
        struct program_desc desc = {.spirv = spirv.words, .words = spirv.count, .bindings = 1, .subgroup_size = size};
        struct program *program;
        OK(program = program_create(f->gpu, &desc, NULL, &err));
        OK(work_begin(f->gpu, work, &err));
        OK(work_dispatch(
            f->gpu, work, program, &(struct binding){&down, 0, 4}, NULL, (const uint32_t[]){1, 1, 1}, &err));
        OK(work_end(f->gpu, work, &err));
        OK(work_run(f->gpu, work, 30, NULL, NULL, &err));
        OK(buffer_invalidate(f->gpu, &down, &err));
        assert_int_equal(*(uint32_t *)down.host, size);
        program_destroy(f->gpu, program);
    }
    work_destroy(f->gpu, work);
    buffer_destroy(f->gpu, &down);
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
}

// The device is made to lack the control and to have one size. Pipelines of this size are built without a requirement.
static void the_only_subgroup_size_needs_no_control(void **state) {
    struct fixture *f = need_device(state);
    struct device_info *info = &f->gpu->info;
    const struct device_info kept = *info;
    const uint32_t size = info->subgroup_size;
    struct spirv spirv = compile(f, affine);
    struct program_desc desc = {
        .spirv = spirv.words, .words = spirv.count, .bindings = 2, .push_bytes = 8, .subgroup_size = size};
    struct error err;
    info->features[FEATURE_SUBGROUP_SIZE] = false;
    info->min_subgroup_size = info->max_subgroup_size = size;
    struct program *program = program_create(f->gpu, &desc, NULL, &err);
    desc.subgroup_size = 2 * size;
    struct program *other = program_create(f->gpu, &desc, NULL, &err);
    *info = kept;
    assert_non_null(program);
    assert_null(other);
    assert_int_equal(err.kind, ERROR_SKIP);
    program_destroy(f->gpu, program);
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
}

static char *the_cache_file(struct fixture *f) {
    struct error err;
    char **files;
    size_t count;
    OK(file_list(&f->arena, f->folder, ".cache", &files, &count, &err));
    assert_int_equal(count, 1);
    return files[0];
}

static void open_make_close(struct fixture *f) {
    struct error err;
    struct gpu_options options = {.cache_folder = f->folder, .validate = validating()};
    gpu_close(f->gpu);
    OK(f->gpu = gpu_open(&f->device, &options, &err));
    program_destroy(f->gpu, make_affine(f, 2));
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
    gpu_close(f->gpu);
    f->gpu = NULL;
}

static void the_pipeline_cache_is_kept_and_a_damaged_one_replaced(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    size_t length, again;
    open_make_close(f);
    char *path = the_cache_file(f), *first = file_read(&f->arena, path, &length, &err);
    assert_true(length > 40);
    open_make_close(f); // reads it
    OK(file_read(&f->arena, path, &again, &err));
    assert_true(again >= length);
    for (int way = 0; way < 3; way++) {
        char *bad = file_read(&f->arena, path, &length, &err);
        bad[way == 0 ? 0 : length - 1] ^= 1;
        OK(file_write(path, bad, way == 2 ? length / 2 : length, &err));
        open_make_close(f); // one line on stderr, and then it works
        char *now = file_read(&f->arena, path, &again, &err);
        assert_true(again > 40 && memcmp(now, first, 8) == 0);
    }
}

static void enumeration_describes_a_plausible_device(void **state) {
    struct fixture *f = need_device(state);
    const struct device_info *info = gpu_info(f->gpu);
    assert_string_equal(info->device_uuid, f->device.device_uuid);
    assert_true(strlen(info->device_uuid) == 32 && strlen(info->name) > 0);
    assert_true(info->api_version >= (1u << 22 | 1u << 12));
    // guaranteed by the specification for every implementation
    assert_true(info->max_invocations >= 128 && info->max_size[0] >= 128 && info->max_groups[0] >= 65535);
    assert_true(info->shared_bytes >= 16384 && info->storage_range >= 1u << 27 && info->push_bytes >= 128);
    assert_true(info->subgroup_size >= 1 && info->min_subgroup_size <= info->max_subgroup_size);
    assert_true(info->queue_flags & VK_QUEUE_COMPUTE_BIT);
    assert_true(info->timestamp_bits == 0 || (info->timestamp_bits >= 36 && info->timestamp_bits <= 64));
    assert_true(info->heap_count >= 1 && device_memory(info) > 0);
    assert_true(info->features[FEATURE_SUBGROUP_BASIC]);
}

static void a_device_that_is_gone_is_not_opened(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct device_info gone = f->device;
    memset(gone.device_uuid, 'f', 32);
    assert_null(gpu_open(&gone, &(struct gpu_options){0}, &err));
    assert_int_equal(err.status, STATUS_NO_DEVICE);
}

#define ON_A_DEVICE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_DEVICE(enumeration_describes_a_plausible_device),
        ON_A_DEVICE(a_device_that_is_gone_is_not_opened),
        ON_A_DEVICE(affine_gives_known_answers),
        ON_A_DEVICE(copies_and_fills_reach_their_bytes_alone),
        ON_A_DEVICE(many_dispatches_find_their_own_buffers),
        ON_A_DEVICE(too_much_memory_is_refused_with_both_figures),
        ON_A_DEVICE(what_a_small_buffer_leaves_serves_the_next_of_its_kind),
        ON_A_DEVICE(kept_memory_is_bounded_and_goes_where_memory_is_short),
        ON_A_DEVICE(a_heap_is_full_of_what_is_ours),
        cmocka_unit_test(each_buffer_lies_where_it_is_used),
        ON_A_DEVICE(what_the_device_cannot_do_is_a_skip),
        ON_A_DEVICE(a_required_subgroup_size_is_the_one_that_runs),
        ON_A_DEVICE(the_only_subgroup_size_needs_no_control),
        ON_A_DEVICE(the_pipeline_cache_is_kept_and_a_damaged_one_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
