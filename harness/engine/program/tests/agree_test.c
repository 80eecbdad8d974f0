// SPDX-License-Identifier: Apache-2.0
// Compares manifests with shaders: every mistake is named. Run from the top of the repository.
#include "../../../device/limits.h"
#include "agreeing.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../../../shader/spirv/tests/assemble.h"

#include <stdlib.h>
#include <string.h>

// ---- mistakes: a correct shader with wrong manifests

static const char scale_rows[] = "#version 450\n"
                                 "#extension GL_EXT_shader_16bit_storage : require\n"
                                 "layout(local_size_x_id = 0) in;\n"
                                 "layout(set = 1, binding = 5) readonly buffer X { ELEMENT x[]; };\n"
                                 "layout(set = 1, binding = 2) readonly buffer W { float w[]; };\n"
                                 "layout(set = 0, binding = 7) buffer Y { float y[]; };\n"
                                 "#ifdef UNIFORM\n"
                                 "layout(set = 0, binding = 3, std140) uniform Push { uint rows, cols; float eps; };\n"
                                 "#else\n"
                                 "layout(push_constant) uniform Push { uint rows, cols; float eps; };\n"
                                 "#endif\n"
                                 "void main() {\n"
                                 "    uint i = gl_GlobalInvocationID.x;\n"
                                 "    if (i < rows * cols) y[i] = float(x[i]) * w[i % cols] + eps;\n"
                                 "}\n";

static const char literal[] = "#version 450\n"
                              "layout(local_size_x = 32) in;\n"
                              "layout(binding = 0) readonly buffer X { float x[]; };\n"
                              "layout(binding = 1) readonly buffer W { float w[]; };\n"
                              "layout(binding = 2) buffer Y { float y[]; };\n"
                              "void main() { y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] * w[0]; }\n";

// Elements addressed by number, because only their types then distinguish the operands.
static const char pick[] = "#version 450\n"
                           "layout(local_size_x_id = 0) in;\n"
                           "layout(binding = 0) readonly buffer I { int picked[]; };\n"
                           "layout(binding = 1) readonly buffer X { float x[]; };\n"
                           "layout(binding = 2) buffer Y { float y[]; };\n"
                           "void main() { y[gl_GlobalInvocationID.x] = x[picked[gl_GlobalInvocationID.x]]; }\n";

#define X "{\"name\": \"x\", \"set\": 1, \"binding\": 5}"
#define W "{\"name\": \"w\", \"set\": 1, \"binding\": 2}"
#define Y "{\"name\": \"y\", \"binding\": 7}"
#define ROWS "\"shader\": \"rows.comp\", \"operator\": \"rmsnorm\", \"name\": \"rmsnorm.own\", "
#define FLOATS "\"defines\": {\"ELEMENT\": \"float\"}, "
#define WG "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, "
#define PUSH "\"push\": [\"rows\", \"cols\", \"eps\"]"
#define GOOD ROWS FLOATS WG "\"bindings\": [" X ", " W ", " Y "], " PUSH
#define LITERAL                                                                                                        \
    "\"shader\": \"literal.comp\", \"operator\": \"rmsnorm\", \"name\": \"rmsnorm.own\", \"bindings\": [\"x\", "       \
    "\"w\", \"y\"]"
#define PICK                                                                                                           \
    "\"shader\": \"pick.comp\", \"operator\": \"index_select\", \"name\": \"index_select.own\", " WG "\"bindings\": "

static const struct mistake {
    const char *manifest, *says; // says NULL: they agree
} mistakes[] = {
    {GOOD, NULL},
    {ROWS WG "\"defines\": {\"ELEMENT\": \"float\", \"UNIFORM\": \"\"}, \"bindings\": [" Y ", " W ", " X
             "], \"uniform\": "
             "{\"binding\": 3, \"members\": [\"rows\", \"cols\", \"eps\"]}",
        NULL},
    {LITERAL ", \"local_size\": [32]", NULL},
    {PICK "[\"index\", \"x\", \"y\"]", NULL},
    // swapped
    {ROWS FLOATS WG "\"bindings\": [{\"name\": \"y\", \"set\": 1, \"binding\": 5}, " W
                    ", {\"name\": \"x\", \"binding\": 7}], " PUSH,
        "rows.comp: binding 5 of set 1 and binding 7 look swapped: y is an output, and the shader only reads it (in "
        "the manifest, "
        "y is at the first and x at the second)"},
    {PICK "[\"x\", \"index\", \"y\"]", "pick.comp: binding 1 and binding 0 look swapped: wrong type: index is i32, and "
                                       "the shader's elements are 32-bit floats"},
    // missing, extra
    {ROWS FLOATS WG "\"bindings\": [" X ", {\"name\": \"w\", \"set\": 1, \"binding\": 3}, " Y "], " PUSH,
        "binding 2 of set 1: the shader uses a storage buffer there; the manifest binds nothing"},
    {LITERAL ", \"local_size\": [32], \"scratch\": {\"s\": {\"dtype\": \"f32\", \"over\": [1]}}, \"passes\": "
             "[{\"bindings\": "
             "[\"x\", \"w\", \"s\", {\"name\": \"y\", \"binding\": 9}]}]",
        "binding 9: missing: the manifest has y there, but the shader has nothing"},
    // types
    {ROWS WG "\"defines\": {\"ELEMENT\": \"float16_t\"}, \"bindings\": [" X ", " W ", " Y "], " PUSH,
        "rows.comp: binding 5 of set 1: wrong type: x is f32, and the shader's elements are 16-bit floats"},
    {ROWS WG "\"defines\": {\"ELEMENT\": \"double\"}, \"bindings\": [" X ", " W ", " Y "], " PUSH,
        "wrong type: x is f32, and the shader's elements are 64-bit floats"},
    {ROWS WG "\"defines\": {\"ELEMENT\": \"vec3\", \"float(v)\": \"(v).x\"}, \"bindings\": [" X ", " W ", " Y
             "], " PUSH,
        "binding 5 of set 1: the shader's elements of 12 bytes are 16 bytes apart"},
    // parameters
    {ROWS FLOATS WG "\"bindings\": [" X ", " W ", " Y "], \"push\": [\"rows\", \"cols\"]",
        "push constants: the shader takes 12 bytes, the manifest gives 8 (rows, cols)"},
    {ROWS FLOATS WG "\"bindings\": [" X ", " W ", " Y "], \"push\": [\"rows\", \"cols\", \"eps\", \"WG_X\"]",
        "push constants: the shader takes 12 bytes, the manifest gives 16 (rows, cols, eps, WG_X)"},
    {ROWS FLOATS WG "\"bindings\": [" X ", " W ", " Y "], \"push\": [\"rows\", \"eps\", \"cols\"]",
        "push constants: bytes 4 to 7 are eps, a float; the shader has an integer there: in another order?"},
    {LITERAL ", \"local_size\": [32], \"push\": [\"rows\"]",
        "push constants: the shader takes 0 bytes, the manifest gives 4 (rows)"},
    {ROWS FLOATS WG "\"bindings\": [" X ", " W ", " Y "], \"uniform\": {\"binding\": 3, \"members\": [\"rows\"]}",
        "the shader takes 12 bytes of push constants; the manifest gives its parameters in a uniform buffer"},
    {ROWS WG "\"defines\": {\"ELEMENT\": \"float\", \"UNIFORM\": \"\"}, \"bindings\": [" X ", " W ", " Y
             "], \"uniform\": "
             "{\"binding\": 3, \"members\": [\"rows\", \"cols\"]}",
        "uniform parameters: the shader takes 12 bytes, the manifest gives 8 (rows, cols)"},
    {ROWS WG "\"defines\": {\"ELEMENT\": \"float\", \"UNIFORM\": \"\"}, \"bindings\": [" X ", " W ", " Y "], " PUSH,
        "binding 3: the shader uses a uniform buffer there"},
    {ROWS FLOATS WG "\"bindings\": [" X ", " Y "], \"passes\": [{\"bindings\": [" X ", " Y
                    ", {\"name\": \"w\", \"binding\": 1}], "
                    "\"uniform\": {\"set\": 1, \"binding\": 2, \"members\": [\"rows\"]}}]",
        "binding 2 of set 1: the manifest has the uniform parameters there, the shader a storage buffer"},
    // workgroup size, entry point, constants
    {LITERAL ", " WG "\"push\": []",
        "workgroup size: 32 x 1 x 1 is fixed in the shader, but the manifest has 64 x 1 x 1"},
    {GOOD ", \"entry\": \"other\"", "no compute entry point \"other\"; it has main"},
    {ROWS FLOATS "\"tunables\": {\"TILE\": {\"id\": 4, \"values\": [8], \"default\": 8}}, \"bindings\": [" X ", " W
                 ", " Y "], " PUSH,
        "tunable TILE is specialization constant 4, which the shader does not have"},
    {GOOD ", \"constants\": {\"STEP\": 4}", "the shader declares no constant \"STEP\"; it has none by name"},
};

static void write_text(const char *name, const char *text) {
    struct error err;
    if (!file_write(in_folder(name), text, strlen(text), &err)) fail_msg("%s", err.text);
}

static bool try_manifest(const char *members, const struct device_info *device, struct error *err) {
    struct arena arena = {0};
    struct kernels kernels;
    const char *folders[] = {folder};
    char *text = arena_format(&arena,
        "{\"common\": {\"summary\": \"s\", \"dtypes\": [\"f32\"], \"grid\": [{\"over\": [1]}]}, \"kernels\": [{%s}]}",
        members);
    write_text("m.json", text);
    struct reads_back back;
    bool ok = kernels_load(&arena, folders, 1, &kernels, err) && try(kernels.items[0], DTYPE_F32, device, &back, err);
    arena_free(&arena);
    return ok;
}

static void each_mistake_is_named(void **state) {
    struct device_info device = rich_device();
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct error err = {0};
        bool agreed = try_manifest(mistakes[i].manifest, &device, &err);
        if (agreed != !mistakes[i].says || (mistakes[i].says && !strstr(err.text, mistakes[i].says)))
            fail_msg("%s:\n    expected: %s\n    found:    %s", mistakes[i].manifest, mistakes[i].says,
                agreed ? "agreement" : err.text);
        if (!agreed) assert_int_equal(err.kind, ERROR_PLAIN); // an error, not a skip
    }
}

static void a_missing_capability_is_a_skip(void **state) {
    struct device_info device = rich_device();
    struct error err = {0};
    device.features[FEATURE_FLOAT64] = false;
    const char *doubles = ROWS WG "\"defines\": {\"ELEMENT\": \"double\"}, \"bindings\": [" X ", " W ", " Y "], " PUSH;
    assert_false(try_manifest(doubles, &device, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_string_equal(
        err.text, "rows.comp: the shader declares the capability Float64; the device lacks the feature float64");
}

// Reports a capability by name even if vkassay never enables it. A number without a name is reported as a number.
static void a_capability_that_is_not_asked_for_is_named(void **state) {
    struct device_info device = rich_device();
    static const struct {
        uint32_t number;
        const char *says;
    } rows[] = {{5302, "the shader declares the capability RuntimeDescriptorArray, but vkassay never enables it"},
        {4999, "the shader declares the capability 4999 of SPIR-V, but"}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        size_t bytes;
        const char *whole = file_read(&arena, "reports/examples/custom/kernels/double.spv", &bytes, &err);
        uint32_t *words = arena_alloc(&arena, bytes / 4 + 2, 4);
        assert_non_null(whole);
        memcpy(words, whole, 20);
        words[5] = 2u << 16 | 17; // OpCapability
        words[6] = rows[i].number;
        memcpy(words + 7, whole + 20, bytes - 20);
        assert_true(file_write(in_folder("capable.spv"), (const char *)words, bytes + 8, &err));
        assert_false(try_manifest("\"shader\": \"capable.spv\", \"operator\": \"relu\", \"name\": \"relu.own\", "
                                  "\"bindings\": [\"x\", \"y\"], \"local_size\": [64]",
            &device, &err));
        assert_int_equal(err.kind, ERROR_SKIP);
        if (!strstr(err.text, rows[i].says)) fail_msg("expected '%s' in: %s", rows[i].says, err.text);
    }
    arena_free(&arena);
}

// Other entry points of a module do not matter, neither their bindings nor their capabilities.
static void a_module_of_many_kernels_is_held_by_its_entry_point(void **state) {
    struct device_info rich = rich_device(), poor = {.max_invocations = 256, .push_bytes = 128};
    struct error err = {0};
    struct arena arena = {0};
    const char *text = file_read(&arena, "harness/shader/spirv/tests/many.spvasm", NULL, &err);
    struct spirv module = assemble(&arena, text ? text : "");
    assert_true(file_write(in_folder("many.spv"), (const char *)module.words, module.count * 4, &err));
    arena_free(&arena);
#define MANY "\"shader\": \"many.spv\", \"operator\": \"relu\", \"name\": \"relu.own\", \"bindings\": [\"x\", \"y\"], "
#define RELU MANY "\"entry\": \"relu\", \"push\": [\"n\"], "
    if (!try_manifest(RELU "\"local_size\": [64]", &poor, &err)) fail_msg("%s", err.text);
        // Bindings that only other entry points use are accepted, because all share the declarations.
#define ADD(B)                                                                                                         \
    "\"shader\": \"many.spv\", \"operator\": \"add\", \"name\": \"add.own\", \"entry\": \"relu\", \"push\": [\"n\"], " \
    "\"local_size\": [64], \"bindings\": [\"a\", {\"name\": \"b\", \"binding\": " B                                    \
    "}, {\"name\": \"y\", \"binding\": 1}]"
    static const char *const shared[] = {
        MANY "\"entry\": \"total\", \"push\": [\"n\"], \"local_size\": [16]", ADD("2")};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (!try_manifest(shared[i], &rich, &err)) fail_msg("%s", err.text);
    static const struct {
        const char *manifest, *says;
        enum error_kind kind;
    } others[] = {
        {RELU "\"local_size\": [32, 2]", "64 x 1 x 1 is fixed in the shader", ERROR_PLAIN},
        {RELU "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}, \"TILE\": {\"id\": 8, \"values\": [8], "
              "\"default\": 8}}",
            "TILE is specialization constant 8, which the shader does not have", ERROR_PLAIN},
        {MANY "\"entry\": \"total\", \"push\": [\"n\", \"n\"], \"local_size\": [16]", "the shader takes 0 bytes",
            ERROR_PLAIN},
        {ADD("4"), "binding 4: missing: the manifest has b there", ERROR_PLAIN},
        {MANY "\"entry\": \"halve\", \"local_size\": [32, 2]", "y is a storage buffer; the shader has a uniform buffer",
            ERROR_PLAIN},
        {MANY "\"entry\": \"none\", \"local_size\": [16]", "it has relu, halve, total", ERROR_PLAIN},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(try_manifest(others[i].manifest, &rich, &err));
        if (!strstr(err.text, others[i].says)) fail_msg("expected '%s' in: %s", others[i].says, err.text);
        assert_int_equal(err.kind, others[i].kind);
    }
    assert_false(try_manifest(MANY "\"entry\": \"halve\", \"local_size\": [32, 2]", &poor, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_non_null(strstr(err.text, "the capability Float64"));
}

// GLSL enables float controls by the device's features; a SPIR-V file cannot.
static void a_float_control_that_is_lacking_is_a_skip(void **state) {
    struct device_info device = rich_device();
    struct error err = {0};
    const char *manifest =
        "\"shader\": \"controls.comp\", \"operator\": \"relu\", \"name\": \"relu.own\", \"bindings\": [\"x\", "
        "\"y\"], \"local_size\": [64]";
    write_text("controls.comp",
        "#version 450\n"
        "#extension GL_EXT_spirv_intrinsics : require\n"
        "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4464], 4459, 32);\n"
        "layout(local_size_x = 64) in;\n"
        "layout(binding = 0) readonly buffer X { float x[]; };\n"
        "layout(binding = 1) buffer Y { float y[]; };\n"
        "void main() { y[gl_GlobalInvocationID.x] = max(x[gl_GlobalInvocationID.x], 0); }\n");
    if (!try_manifest(manifest, &device, &err)) fail_msg("%s", err.text);
    device.features[FEATURE_DENORMS_F32] = false;
    assert_false(try_manifest(manifest, &device, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_non_null(strstr(err.text, "declares a float control; the device lacks the feature denorms_f32"));
}

// Each control of each width has its own feature.
static void each_float_control_has_its_feature(void **state) {
    static const struct {
        const char *capability, *mode;
        int bits;
        enum feature feature;
    } controls[] = {
        {"RoundingModeRTE", "RoundingModeRTE", 32, FEATURE_RTE_F32},
        {"RoundingModeRTE", "RoundingModeRTE", 16, FEATURE_RTE_F16},
        {"SignedZeroInfNanPreserve", "SignedZeroInfNanPreserve", 32, FEATURE_SPECIALS_F32},
        {"SignedZeroInfNanPreserve", "SignedZeroInfNanPreserve", 16, FEATURE_SPECIALS_F16},
        {"DenormPreserve", "DenormPreserve", 32, FEATURE_DENORMS_F32},
        {"DenormPreserve", "DenormPreserve", 16, FEATURE_DENORMS_F16},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof controls / sizeof *controls; c++) {
        struct error err = {0};
        const char *text = arena_format(&arena,
            "OpCapability Shader\nOpCapability %s\nOpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %%main \"main\" %%x %%y\nOpExecutionMode %%main LocalSize 64 1 1\n"
            "OpExecutionMode %%main %s %d\nOpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\n"
            "OpDecorate %%array ArrayStride 4\nOpDecorate %%x Binding 0\nOpDecorate %%y Binding 1\n"
            "%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%float = OpTypeFloat 32\n"
            "%%array = OpTypeRuntimeArray %%float\n%%block = OpTypeStruct %%array\n"
            "%%to = OpTypePointer StorageBuffer %%block\n%%of = OpTypePointer StorageBuffer %%float\n"
            "%%zero = OpConstant %%uint 0\n%%x = OpVariable %%to StorageBuffer\n%%y = OpVariable %%to StorageBuffer\n"
            "%%main = OpFunction %%void None %%proc\n%%m0 = OpLabel\n%%from = OpAccessChain %%of %%x %%zero %%zero\n"
            "%%at = OpAccessChain %%of %%y %%zero %%zero\n%%number = OpLoad %%float %%from\nOpStore %%at %%number\n"
            "OpReturn\nOpFunctionEnd\n",
            controls[c].capability, controls[c].mode, controls[c].bits);
        struct spirv module = assemble(&arena, text);
        assert_true(file_write(in_folder("control.spv"), (const char *)module.words, module.count * 4, &err));
        for (int f = 0; f < FEATURE_COUNT; f++) {
            struct device_info device = rich_device();
            device.features[f] = false;
            const bool agreed = try_manifest("\"shader\": \"control.spv\", \"operator\": \"relu\", \"name\": "
                                             "\"relu.own\", \"bindings\": [\"x\", \"y\"], \"local_size\": [64]",
                &device, &err);
            if (agreed != (f != (int)controls[c].feature)) fail_msg("case %zu, feature %d: %s", c, f, err.text);
            if (!agreed) assert_non_null(strstr(err.text, feature_name(controls[c].feature)));
        }
    }
    arena_free(&arena);
}

// ---- what a shader is compiled with

static void features_are_defined_as_one(void **state) {
    struct device_info device = rich_device();
    struct error err = {0};
    write_text("defined.comp", "#version 450\n#if FEATURE_INT64 != 1\n#error wrong\n#endif\n#ifdef FEATURE_FLOAT64\n"
                               "#error not there\n#endif\nlayout(local_size_x = 64) in;\n"
                               "layout(binding = 0) readonly buffer X { float x[]; };\n"
                               "layout(binding = 1) buffer Y { float y[]; };\n"
                               "void main() { y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x]; }\n");
    device.features[FEATURE_FLOAT64] = false;
    if (!try_manifest("\"shader\": \"defined.comp\", \"operator\": \"relu\", \"name\": \"relu.own\", "
                      "\"bindings\": [\"x\", \"y\"], \"local_size\": [64]",
            &device, &err))
        fail_msg("%s", err.text);
}

// Truncated or invalid SPIR-V files, and a file in the other byte order.
static void damaged_spirv_is_named(void **state) {
    struct device_info device = rich_device();
    struct error err = {0};
    struct arena arena = {0};
    size_t bytes;
    char *whole = file_read(&arena, "reports/examples/custom/kernels/double.spv", &bytes, &err);
    const char *manifest =
        "\"shader\": \"own.spv\", \"operator\": \"relu\", \"name\": \"relu.own\", \"bindings\": [\"x\", "
        "\"y\"], \"local_size\": [64]";
    assert_non_null(whole);
    assert_true(file_write(in_folder("own.spv"), whole, bytes, &err) && try_manifest(manifest, &device, &err));
    for (size_t at = 0; at < bytes; at += 4)
        for (size_t low = at, high = at + 3; low < high; low++, high--) {
            char kept = whole[low];
            whole[low] = whole[high];
            whole[high] = kept;
        }
    assert_true(file_write(in_folder("own.spv"), whole, bytes, &err) && try_manifest(manifest, &device, &err));
    static const struct {
        size_t bytes;
        const char *says;
    } cuts[] = {{0, "this is no SPIR-V"}, {17, "this is no SPIR-V"}, {400, "the SPIR-V is damaged"}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        assert_true(file_write(in_folder("own.spv"), whole, cuts[i].bytes, &err));
        assert_false(try_manifest(manifest, &device, &err));
        if (!strstr(err.text, cuts[i].says)) fail_msg("expected '%s' in: %s", cuts[i].says, err.text);
    }
    arena_free(&arena);
}

static int make_shaders(void **state) {
    if (folder_make(state) != 0) return -1;
    write_text("rows.comp", scale_rows);
    write_text("literal.comp", literal);
    write_text("pick.comp", pick);
    return 0;
}

int main(void) {
    options.cache_folder = getenv("VKASSAY_CACHE"); // shared with the other tests; NULL without scripts/test.sh
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_named),
        cmocka_unit_test(a_missing_capability_is_a_skip),
        cmocka_unit_test(a_capability_that_is_not_asked_for_is_named),
        cmocka_unit_test(a_module_of_many_kernels_is_held_by_its_entry_point),
        cmocka_unit_test(a_float_control_that_is_lacking_is_a_skip),
        cmocka_unit_test(each_float_control_has_its_feature),
        cmocka_unit_test(features_are_defined_as_one),
        cmocka_unit_test(damaged_spirv_is_named),
    };
    return cmocka_run_group_tests(tests, make_shaders, folder_remove);
}
