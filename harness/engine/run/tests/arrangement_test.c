// SPDX-License-Identifier: Apache-2.0
// Kernels with operands unlike the operator's: computed in place, without some, or in types of their own. They have the
// usual guards. Run from the top of the repository.
#include "own_kernels.h"
#include "../../../record/record.h"
#include "../../../record/terms.h"
#include "../../../device/device_info.h"

#define HEAD                                                                                                           \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(push_constant) uniform P { uint n; };\n"
#define IN_PLACE HEAD "layout(binding = 0) buffer X { float x[]; };\n"
#define MAIN(BODY) "void main() { uint i = gl_GlobalInvocationID.x; " BODY " }\n"

static const struct own_shader shaders[] = {
    {"relu.comp", IN_PLACE MAIN("if (i < n) x[i] = max(x[i], 0.0);")},
    {"negate.comp", IN_PLACE MAIN("if (i < n) x[i] = -x[i];")},
    {"half.comp", IN_PLACE MAIN("if (i < n / 2) x[i] = -x[i];")},
    {"beyond.comp", IN_PLACE MAIN("if (i <= n) x[i] = i < n ? -x[i] : 3.0;")},
    {"before.comp", IN_PLACE MAIN("if (i < n) x[i] = -x[i]; if (i == 0) x[n + 7] = 1.0;")},
    {"add.comp", IN_PLACE "layout(binding = 1) readonly buffer B { float b[]; };\n" MAIN("if (i < n) x[i] += b[i];")},
    {"writes_b.comp",
        IN_PLACE "layout(binding = 1) buffer B { float b[]; };\n" MAIN("if (i < n) { x[i] += b[i]; b[i] = 0.0; }")},
    // Bits that depend on an earlier run's output: one ULP more, or twice as much. A checked run finds poison there.
    {"again.comp", HEAD "layout(binding = 0) readonly buffer X { float x[]; };\n"
                        "layout(binding = 1) buffer Y { float y[]; };\n" MAIN(
                            "if (i >= n) return; float once = exp(x[i]), more = AGAIN(once); y[i] = y[i] == once || "
                            "y[i] == more ? more : once;")},
    {"copy.comp", HEAD "layout(binding = 0) readonly buffer X { float x[]; };\n"
                       "layout(binding = 1) writeonly buffer Y { float y[]; };\n" MAIN("if (i < n) y[i] = x[i];")},
    {"mixed.comp", HEAD "#extension GL_EXT_shader_16bit_storage : require\n"
                        "layout(binding = 0) readonly buffer A { A_TYPE a[]; };\n"
                        "layout(binding = 1) readonly buffer B { float16_t b[]; };\n"
                        "layout(binding = 2) writeonly buffer Y { Y_TYPE y[]; };\n" MAIN(
                            "if (i < n) y[i] = Y_TYPE(float(a[i]) * MORE + float(b[i]));")},
    {"norm.comp", "#version 450\n"
                  "layout(local_size_x = 1) in;\n"
                  "layout(push_constant) uniform P { uint cols; float eps; };\n"
                  "layout(binding = 0) readonly buffer X { float x[]; };\n"
                  "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
                  "void main() {\n"
                  "    uint row = gl_WorkGroupID.x * cols;\n"
                  "    float sum = 0;\n"
                  "    for (uint i = 0; i < cols; i++) sum += x[row + i] * x[row + i];\n"
                  "    for (uint i = 0; i < cols; i++) y[row + i] = x[row + i] * (1 / sqrt(sum / cols + eps));\n"
                  "}\n"},
};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], \"push\": [\"n\"], \"grid\": [{\"over\": \"n\", \"by\": "  \
    "\"WG_X\"}], "
#define ONE "\"bindings\": [\"x\"], \"in_place\": {\"y\": \"x\"}"
#define P "f32/n=1025/wg=64x1x1"
#define MIXED(A, Y, MORE)                                                                                              \
    K("mixed")                                                                                                         \
    "\"bindings\": [\"a\", \"b\", \"y\"], \"defines\": {\"A_TYPE\": \"" A "\", \"Y_TYPE\": \"" Y                       \
    "\", \"MORE\": \"" MORE "\"}"
#define F16_B MIXED("float", "float", "1.0") ", \"types\": {\"b\": \"f16\"}"
#define F16_BOTH(MORE) MIXED("float16_t", "float", MORE) ", \"types\": {\"a\": \"f16\", \"b\": \"f16\"}"
#define NORM                                                                                                           \
    "\"shader\": \"norm.comp\", \"local_size\": [1], \"push\": [\"cols\", \"eps\"], \"grid\": [{\"over\": "            \
    "\"rows\"}], "
#define ROWS "f32/rows=33,cols=65/wg=1x1x1"
static const struct own_kernel kernels[] = {
    {"relu", K("relu") ONE, P, NULL},
    {"neg", K("negate") ONE, P, NULL},
    {"neg", K("negate") "\"bindings\": [\"y\"], \"in_place\": {\"y\": \"x\"}", P, NULL},
    {"neg", K("negate") "\"bindings\": [\"x\", \"y\"], \"in_place\": {\"y\": \"x\"}", P,
        "binding 1: missing: the manifest has y there"},
    {"neg", K("half") ONE, P, "checked elements of y are wrong"},
    {"neg", K("beyond") ONE, P, "wrote past the end of operand y, 0 bytes behind it"},
    {"neg", K("before") ONE, P, "wrote past the end of operand y, 28 bytes behind it"},
    {"add", K("add") "\"bindings\": [\"a\", \"b\"], \"in_place\": {\"y\": \"a\"}", P, NULL},
    {"add", K("add") "\"bindings\": [\"b\", \"a\"], \"in_place\": {\"y\": \"b\"}", P, NULL},
    {"add", K("writes_b") "\"bindings\": [\"a\", \"b\"], \"in_place\": {\"y\": \"a\"}", P, "changed its input b"},
    {"add", K("copy") "\"bindings\": [\"a\", \"y\"], \"fixed\": {\"b\": 0}", P, NULL},
    {"mul", K("copy") "\"bindings\": [\"b\", \"y\"], \"fixed\": {\"a\": 1}", P, NULL},
    {"mul", K("copy") "\"bindings\": [\"a\", \"y\"], \"fixed\": {\"b\": 2}", P, "checked elements of y are wrong"},
    {"add", K("relu") "\"bindings\": [\"a\"], \"in_place\": {\"y\": \"a\"}, \"fixed\": {\"b\": 0}", P,
        "checked elements of y are wrong"},
    {"rmsnorm", NORM "\"bindings\": [\"x\", \"y\"], \"fixed\": {\"w\": 1}", ROWS, NULL},
    {"rmsnorm", NORM "\"bindings\": [\"x\", \"y\"], \"fixed\": {\"w\": 1.5}", ROWS, "checked elements of y are wrong"},
    {"rmsnorm", NORM "\"bindings\": [\"x\", \"y\"]", ROWS, "operand \"w\" of rmsnorm has no binding"},
};

static void each_is_judged_as_others_are(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static void operands_of_other_types_are_judged_in_theirs(void **state) {
    static const struct own_kernel mixed[] = {
        {"add", F16_B, P, NULL},
        {"add", F16_BOTH("1.0"), P, NULL},
        {"add", F16_BOTH("1.0001"), P, "checked elements of y are wrong"},
        {"add", MIXED("float", "float16_t", "1.0") ", \"types\": {\"b\": \"f16\", \"y\": \"f16\"}", P, NULL},
        {"add", MIXED("float", "float", "1.0"), P, "wrong type: b is f32"},
    };
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    if (!device->info->features[FEATURE_STORAGE16]) not_run("driver: it lacks storage16");
    own_check(device, mixed, sizeof mixed / sizeof *mixed);
}

// If a repeat started from its own output, the last timed run would have other bits than the checked one.
static void what_is_overwritten_is_put_back_before_each_timed_run(void **state) {
    const struct own_device *device = *state;
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    static const struct own_kernel timed = {"neg", K("negate") ONE, P, NULL};
    const struct record record = own_run(&arena, device, &timed, true, &err);
    if (*err.text || record.status != RECORD_PASS) fail_msg("%s%s", err.text, record.reason ? record.reason : "");
    assert_int_equal(record.repeats, 1);
    assert_true(record.time[FIGURE_COMPUTE].samples > 0 && record.time[FIGURE_END_TO_END].samples > 0);
    arena_free(&arena);
}

#define AGAIN(MORE) K("again") "\"bindings\": [\"x\", \"y\"], \"defines\": {\"AGAIN(a)\": \"" MORE "\"}"
#define ULP_MORE AGAIN("(a>3?uintBitsToFloat(floatBitsToUint(a)+1):a)")
#define VARIES ", \"nondeterministic\": \"a test\""

// A run over its own result has other bits.
static void other_bits_of_a_later_run_are_a_fault_only_where_the_manifest_forbids_them(void **state) {
    static const struct own_kernel timed[] = {
        {"exp", ULP_MORE, P, "a second run gave other bits in y"},
        {"exp", ULP_MORE VARIES, P, NULL},
        {"exp", AGAIN("a*2") VARIES, P, " checked elements of y are wrong"},
    };
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++) {
        struct arena arena = {0};
        struct error err;
        const struct record record = own_run(&arena, device, &timed[i], true, &err);
        if (*err.text) fail_msg("%s", err.text);
        if ((record.status == RECORD_PASS) == !!timed[i].says)
            fail_msg("%zu: %s", i, record.reason ? record.reason : "pass");
        if (timed[i].says && !strstr(record.reason, timed[i].says)) fail_msg("%zu: %s", i, record.reason);
        assert_false(record.check.same_bits);
        arena_free(&arena);
    }
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_judged_as_others_are),
        cmocka_unit_test(operands_of_other_types_are_judged_in_theirs),
        cmocka_unit_test(what_is_overwritten_is_put_back_before_each_timed_run),
        cmocka_unit_test(other_bits_of_a_later_run_are_a_fault_only_where_the_manifest_forbids_them),
    };
    return cmocka_run_group_tests(tests, open_all, own_close);
}
