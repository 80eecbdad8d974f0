// SPDX-License-Identifier: Apache-2.0
// Mutations that few kernels show are killed in one that does. The others are in reports/examples/kernel-mutants.md.
#include "vkassay_program.h"

#define MANIFEST(name, op, push) /* bindings x and y, elementwise */                                                   \
    "{\"name\": \"" name "\", \"operator\": \"" op "\", \"summary\": \"a test\", \"shader\": \"s.comp\", "             \
    "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [" push "], "                                      \
    "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": "           \
    "[\"WG_X\"]}], \"fold\": true}"
#define HEAD(more)                                                                                                     \
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n" more "#include \"grid.glsl\"\n"                 \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
#define BODY(code) "void main() {\n    uint i = linear_invocation();\n    float v = i < n ? x[i] : 0.0;\n" code "}\n"
#define PUSH "layout(push_constant) uniform Push { uint n; };\n"

static const struct example {
    const char *mutation, *operator_name, *manifest, *shader;
    const char *suite; // whose points come first; NULL: those of the check alone
} examples[] = {
    {"precision.contraction", "relu", MANIFEST("relu.k", "relu", "\"n\""),
        HEAD("") PUSH BODY("    precise float p = clamp(v, -1e4, 1e4), q = p * p, left = q - p * p;\n"
                           "    if (i < n) y[i] = max(v, 0.0) + left;\n"),
        NULL},
    // an index beyond 2^24
    {"memory.index_float", "copy", MANIFEST("copy.k", "copy", "\"n\""),
        HEAD("") PUSH BODY("    if (i < n) y[i] = v;\n"), "{\"kernel\": \"copy.k\", \"dims\": {\"n\": 20000001}}"},
    {"input.subnormal_zero", "copy", MANIFEST("copy.k", "copy", "\"n\""),
        HEAD("") PUSH BODY("    if (i < n) y[i] = v;\n"), NULL},
    {"extended.clamp", "clamp", MANIFEST("clamp.k", "clamp", "\"n\", \"low\", \"high\""),
        HEAD("") "layout(push_constant) uniform Push { uint n; float low, high; };\n" BODY(
            "    if (i < n) y[i] = isnan(v) ? v : clamp(v, low, high);\n"),
        NULL},
    {"extended.rounding", "floor", MANIFEST("floor.k", "floor", "\"n\""),
        HEAD("") PUSH BODY("    if (i < n) y[i] = floor(v);\n"), NULL},
    {"extended.absolute", "abs", MANIFEST("abs.k", "abs", "\"n\""),
        HEAD("") PUSH BODY("    if (i < n) y[i] = abs(v);\n"), NULL},
    {"arithmetic.conversion_sign", "floor", MANIFEST("floor.k", "floor", "\"n\""),
        HEAD("") PUSH BODY("    float whole = abs(v) < 1e6 ? float(int(floor(v))) : floor(v);\n"
                           "    if (i < n) y[i] = whole == 0.0 ? floor(v) : whole;\n"),
        NULL},
    {"constant.finite", "max_rows",
        "{\"name\": \"max_rows.k\", \"operator\": \"max_rows\", \"summary\": \"a test\", \"shader\": \"s.comp\", "
        "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"rows\", \"cols\"], \"tunables\": {\"WG_X\": "
        "{\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [\"rows\"], \"by\": [\"WG_X\"]}], \"fold\": true}",
        HEAD("#include \"controls.glsl\"\n") "layout(push_constant) uniform Push { uint rows, cols; };\n"
                                             "void main() {\n    uint i = linear_invocation();\n    if (i >= rows) "
                                             "return;\n"
                                             "    float best = -1.0 / 0.0;\n"
                                             "    for (uint j = 0u; j < cols; j++) {\n        float v = x[i * cols + "
                                             "j];\n"
                                             "        best = isnan(best) ? best : isnan(v) || v > best ? v : best;\n   "
                                             " }\n    y[i] = best;\n}\n",
        NULL},
    {"order.subgroup_own", "copy", MANIFEST("copy.k", "copy", "\"n\""),
        HEAD("#extension GL_KHR_shader_subgroup_shuffle : require\n")
            PUSH BODY("    uint w = subgroupShuffleXor(subgroupShuffleXor(floatBitsToUint(v), 1u), 1u);\n"
                      "    if (i < n) y[i] = uintBitsToFloat(w);\n"),
        NULL},
    {"order.conditional_barrier", "copy", MANIFEST("copy.k", "copy", "\"n\""),
        HEAD("") PUSH "shared float t[64];\n" BODY("    t[gl_LocalInvocationIndex] = v;\n    barrier();\n"
                                                   "    if (i < n) y[i] = t[gl_LocalInvocationIndex];\n"),
        NULL},
    {"memory.atomic_apart", "copy", MANIFEST("copy.k", "copy", "\"n\""),
        HEAD("") PUSH "shared uint count;\n" BODY("    if (gl_LocalInvocationIndex == 0u) count = 0u;\n    barrier();\n"
                                                  "    atomicAdd(count, 1u);\n    barrier();\n"
                                                  "    if (i < n) y[i] = count == 64u ? v : 7.0;\n"),
        NULL},
};

static void place(const struct example *e) {
    char text[2000];
    assert_int_equal(shell("rm -rf %s/k && mkdir %s/k", folder, folder), 0);
    snprintf(text, sizeof text, "{\"kernels\": [%s]}", e->manifest);
    write_text("k/k.json", text);
    write_text("k/s.comp", e->shader);
    write_suite("suite", e->suite ? e->suite : "");
}

static void the_mutations_that_few_kernels_show_are_killed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *e = &examples[i];
        place(e);
        int status = run("mutate --only %s/k %s.k --all --operators-of-mutation %s --jobs 1 --out %s/out %s %s", folder,
            e->operator_name, e->mutation, folder, e->suite ? "--suite" : "", e->suite ? in_folder("suite.json") : "");
        if (status != STATUS_OK) fail_msg("%s: status %d\n%s", e->mutation, status, content("output"));
        if (shell("python3 -c 'import glob, json, os; "
                  "d = json.load(open(max(glob.glob(\"%s/out/*/*/mutants.json\"), key=os.path.getmtime)));"
                  "m = [m for k in d[\"mutated\"] for m in k[\"mutants\"]];"
                  "assert [x for x in m if x[\"verdict\"] == \"killed\" and x[\"check\"] not in (\"timeout\", "
                  "\"error\")], d[\"mutated\"]'",
                folder))
            fail_msg("%s: none was killed\n%s", e->mutation, content("output"));
    }
}

// Coarse sums of lanes, which average out among many: behind a root, behind a mean and a root, and by themselves.
static void coarse_sums_of_lanes_are_killed(void **state) {
    (void)state;
    static const char *const kernels[] = {"rmsnorm.workgroup", "layernorm.workgroup", "cumsum.multipass"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const int status = run("mutate '%s/f32/*draws*' --all --operators-of-mutation precision.sums_coarse --jobs 1 "
                               "--least-score 1 --out %s/lanes",
            kernels[i], folder);
        if (status != STATUS_OK || !strstr(content("output"), "killed, 0 survived"))
            fail_msg("%s: status %d\n%s", kernels[i], status, content("output"));
        assert_null(strstr(content("output"), " 0 killed"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_mutations_that_few_kernels_show_are_killed),
        cmocka_unit_test(coarse_sums_of_lanes_are_killed)};
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}
