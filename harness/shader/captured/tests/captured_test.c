// SPDX-License-Identifier: Apache-2.0
// Kernels made of captured folders.
#include "../../../../reference/operator.h"
#include "../../manifest/kernel.h"
#include "written.h"

#define DEVICE "{\"name\":\"GPU\",\"driver_name\":\"D\"}"
#define HEAD "#version 450\nlayout(local_size_x = 64) in;\n"
#define X "layout(binding = 0) readonly buffer X { float x[]; };\n"
#define Y "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
#define I "gl_GlobalInvocationID.x"
#define COPY HEAD X Y "void main() { y[" I "] = x[" I "]; }\n"
#define TWICE HEAD X Y "void main() { y[" I "] = 2 * x[" I "]; }\n"

static const float bytes[96] = {1, 2, 3};
#define ALL                                                                                                            \
    { bytes, bytes, 256, 0, 0 }

static struct arena arena;
static struct kernels kernels;

// Reads the kernels of a program of these calls.
static bool load(const struct written_call *calls, size_t count, struct error *err) {
    const char *folders[] = {"", folder};
    written_program(&arena, DEVICE, calls, count);
    return kernels_load(&arena, folders, 2, &kernels, err);
}

static void load_all(const struct written_call *calls, size_t count) {
    struct error err;
    if (!load(calls, count, &err)) fail_msg("%s", err.text);
}

// Returns the only kernel of a program with one call.
static const struct kernel *kernel_of(struct written_call call) {
    load_all(&call, 1);
    if (kernels.notes.count) fail_msg("%s", kernels.notes.items[0]);
    assert_int_equal(kernels.count, 1);
    return kernels.items[0];
}

static void names_follow_the_program(void **state) {
    const struct written_call calls[] = {{COPY, "my kernel", NULL, NULL, 1, {ALL, ALL}},
        {COPY, "both", NULL, NULL, 1, {ALL, ALL}}, {TWICE, "both", NULL, NULL, 1, {ALL, ALL}},
        {TWICE, NULL, NULL, NULL, 1, {ALL, ALL}}};
    load_all(calls, 4);
    const char *const copy = written_module(&arena, COPY), *const twice = written_module(&arena, TWICE);
    assert_int_equal(kernels.count, 4);
    const char *const names[] = {"capture.my_kernel", arena_format(&arena, "capture.both_%.8s", copy),
        arena_format(&arena, "capture.both_%.8s", twice), arena_format(&arena, "capture.main_%.8s", twice)};
    for (size_t i = 0; i < 4; i++)
        if (!kernel_named(&kernels, names[i])) fail_msg("there is no %s", names[i]);
}

static void calls_alike_are_cases_of_one_kernel(void **state) {
    const struct written_call calls[] = {{COPY, "copy", NULL, NULL, 1, {ALL, ALL}},
        {COPY, "copy", NULL, NULL, 5, {{bytes, bytes, 384, 0, 0}, ALL}},
        {COPY, "copy", ",\"subgroup_size\":32", NULL, 1, {ALL, ALL}}};
    load_all(calls, 2);
    assert_int_equal(kernels.count, 1);
    const struct op *op = kernels.items[0]->op;
    assert_int_equal(op->case_count, 2);
    static const int64_t dims[2][5] = {{64, 64, 1, 1, 1}, {96, 64, 5, 1, 1}}; // elements, then the grid
    for (int call = 0; call < 2; call++) assert_memory_equal(op->cases[call], dims[call], sizeof dims[call]);
    assert_string_equal(kernels.items[0]->recorded->device, "GPU");
    load_all(calls, 3); // a subgroup size makes another pipeline
    assert_int_equal(kernels.count, 2);
}

static void access_makes_the_role(void **state) {
    static const struct {
        const char *shader;
        bool results;
        enum role role;
    } rows[] = {{COPY, true, ROLE_OUT}, {COPY, false, ROLE_INOUT}, // without results, what it leaves is not known
        {HEAD X "layout(binding = 1) buffer Y { float y[]; };\nvoid main() { y[" I "] += x[" I "]; }\n", true,
            ROLE_INOUT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct kernel *k = kernel_of((struct written_call){
            rows[i].shader, "k", .ranges = {ALL, {bytes, rows[i].results ? bytes : NULL, 256, 0, 0}}});
        assert_int_equal(k->op->operands[0].role, ROLE_IN);
        assert_int_equal(k->op->operands[1].role, rows[i].role);
        assert_string_equal(k->op->operands[1].name, "binding1"); // the module has no names
    }
}

static void elements_have_the_type_of_the_module(void **state) {
    static const struct {
        const char *of, *extension;
        enum dtype dtype;
    } rows[] = {{"float", "", DTYPE_F32}, {"uint", "", DTYPE_U32}, {"dvec2", "", DTYPE_U32},
        {"float16_t", "#extension GL_EXT_shader_16bit_storage : require\n", DTYPE_F16},
        {"uint8_t", "#extension GL_EXT_shader_8bit_storage : require\n", DTYPE_U8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *shader = arena_format(&arena,
            "#version 450\n%slayout(local_size_x = 64) in;\nlayout(binding = 0) buffer Y { %s y[]; };\n"
            "void main() { y[" I "] = y[" I " + 1]; }\n",
            rows[i].extension, rows[i].of);
        const struct kernel *k = kernel_of((struct written_call){shader, "k", .ranges = {ALL}});
        if (k->op->operands[0].dtype != rows[i].dtype) fail_msg("%s is not %d", rows[i].of, rows[i].dtype);
    }
}

static void ranges_with_bytes_in_common_are_one_operand(void **state) {
    const struct kernel *k = kernel_of(
        (struct written_call){COPY, "k", .ranges = {{bytes, bytes, 256, 9, 512}, {bytes, bytes, 256, 9, 640}}});
    assert_int_equal(k->op->cases[0][0], (640 + 256 - 512) / 4);
    assert_int_equal(k->op->operands[0].role, ROLE_INOUT);
    const struct recorded_range *ranges = k->recorded->items[0].ranges;
    assert_int_equal(ranges[1].operand, 0);
    assert_int_equal(ranges[0].offset, 0);
    assert_int_equal(ranges[1].offset, 128);
    k = kernel_of((struct written_call){// neighbours share nothing
        COPY, "k", .ranges = {{bytes, bytes, 256, 9, 0}, {bytes, bytes, 256, 9, 256}}});
    assert_int_equal(k->recorded->items[0].ranges[1].operand, 1);
}

static void constants_are_those_of_the_pipeline(void **state) {
    static const char shader[] =
        "#version 450\nlayout(local_size_x_id = 3) in;\nlayout(constant_id = 4) const uint STEP = 1;\n" X Y
        "layout(push_constant) uniform P { uint n; uint m; };\n"
        "void main() { if (" I " < n) y[" I " * STEP] = x[m]; }\n";
    const struct kernel *k = kernel_of((struct written_call){shader, "k",
        ",\"push_bytes\":8,\"constants\":[{\"id\":3,\"bytes\":\"20000000\"},{\"id\":4,\"bytes\":\"05000000\"},"
        "{\"id\":99,\"bytes\":\"01\"}]",
        ",\"push\":\"0700000009000000\"", 1, {ALL, ALL}});
    const struct shape shape = kernel_default_shape(k, NULL);
    uint32_t wg[3];
    shape_workgroup(k, &shape, wg);
    assert_int_equal(wg[0], 32);
    assert_int_equal(k->passes[0].constant_count, 1);
    assert_int_equal(k->passes[0].constants[0].value.integer, 5);
    assert_int_equal(k->recorded->items[0].words[0][0], 7);
    assert_int_equal(k->recorded->items[0].words[0][1], 9);
}

#define IMAGE                                                                                                          \
    HEAD X                                                                                                             \
        "layout(binding = 1, r32f) uniform image2D image;\nvoid main() { imageStore(image, ivec2(0), vec4(x[0])); }\n"
#define LOOKS HEAD X "void main() { if (x[0] > 1) return; }\n"
#define MANY HEAD "layout(binding = 0) buffer X { float x[]; } all[2];\nvoid main() { all[0].x[0] = all[1].x[0]; }\n"

static void what_cannot_be_replayed_has_a_reason(void **state) {
    static const struct {
        struct written_call call;
        const char *why;
    } rows[] = {
        {{IMAGE, .ranges = {ALL}}, "images and other resources that are no buffers"},
        {{MANY, .ranges = {ALL}}, "arrays of descriptors"},
        {{LOOKS, .ranges = {ALL}}, "no buffer that the module writes"},
        {{COPY, .ranges = {ALL}}, "a buffer that the module uses is missing in the recording"},
        {{COPY, .ranges = {{NULL, NULL, 256, 0, 0}, ALL}}, "contents that were not recorded"},
        {{COPY, .dispatch = ",\"base\":[0,1,0]", .ranges = {ALL, ALL}}, "a grid that does not begin at 0"},
        {{"#version 450\nlayout(local_size_x = 64) in;\nlayout(constant_id = 4) const double STEP = 1;\n" Y
          "void main() { y[0] = float(STEP); }\n",
             .pipeline = ",\"constants\":[{\"id\":4,\"bytes\":\"0000000000000000\"}]", .ranges = {ALL, ALL}},
            "a specialization constant that is not of 32 bits"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        load_all(&rows[i].call, 1);
        assert_int_equal(kernels.count, 0);
        assert_int_equal(kernels.notes.count, 1);
        if (!strstr(kernels.notes.items[0], rows[i].why) || !strstr(kernels.notes.items[0], "capture-1.jsonl:3"))
            fail_msg("expected %s, found %s", rows[i].why, kernels.notes.items[0]);
    }
}

static void a_changed_module_is_refused(void **state) {
    const struct written_call call = {COPY, "k", .ranges = {ALL, ALL}};
    struct error err;
    load_all(&call, 1);
    const char *folders[] = {"", folder},
               *path = arena_format(&arena, "%s/modules/%s.spv", folder, written_module(&arena, COPY));
    size_t length;
    const char *module = file_read(&arena, path, &length, &err);
    char *changed = arena_copy_n(&arena, module, length);
    changed[length - 1] ^= 1;
    assert_true(file_write(path, changed, length, &err));
    assert_false(kernels_load(&arena, folders, 2, &kernels, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "capture-1.jsonl:3: "));
    assert_non_null(strstr(err.text, "expected bytes with this hash"));
    assert_true(file_write(path, module, length, &err));
}

static int release(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_follow_the_program),
        cmocka_unit_test(calls_alike_are_cases_of_one_kernel),
        cmocka_unit_test(access_makes_the_role),
        cmocka_unit_test(elements_have_the_type_of_the_module),
        cmocka_unit_test(ranges_with_bytes_in_common_are_one_operand),
        cmocka_unit_test(constants_are_those_of_the_pipeline),
        cmocka_unit_test(what_cannot_be_replayed_has_a_reason),
        cmocka_unit_test(a_changed_module_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, release);
}
