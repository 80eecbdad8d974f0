// SPDX-License-Identifier: Apache-2.0
// Tests that each mutation is killed in some kernel.
#include "../../base/tests/depth.h"
#include "../../engine/mutate/mutations/mutations.h"
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

#define CONTROLS "#include \"controls.glsl\"\n"
#define MANIFEST_OF_TWO(name, op)                                                                                      \
    "{\"name\": \"" name "\", \"operator\": \"" op "\", \"summary\": \"a test\", \"shader\": \"s.comp\", "             \
    "\"dtypes\": [\"f32\"], \"bindings\": [\"a\", \"y\", \"b\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": "         \
    "{\"values\": "                                                                                                    \
    "[64], \"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], \"fold\": true}"
#define HEAD_OF_TWO HEAD(CONTROLS) "layout(binding = 2) readonly buffer B { float b[]; };\n"
#define MANIFEST_OF_ROWS(name, op)                                                                                     \
    "{\"name\": \"" name "\", \"operator\": \"" op "\", \"summary\": \"a test\", \"shader\": \"s.comp\", "             \
    "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"rows\", \"cols\"], \"tunables\": {\"WG_X\": "   \
    "{\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [\"rows\"], \"by\": [\"WG_X\"]}], \"fold\": true}"
#define ROWS(code)                                                                                                     \
    "layout(push_constant) uniform Push { uint rows, cols; };\nvoid main() {\n    uint row = linear_invocation();\n"   \
    "    if (row >= rows) return;\n" code "}\n"

// A driver may make every barrier as strong as the strongest, and may drop a conversion of an index to float and
// back. Mesa 26 does both, so these mutants may be unseen. None may survive.
static const char undone_by_drivers[] = "order.weaker_barrier memory.index_float";

static const struct example {
    const char *mutations; // separated by blanks
    const char *operator_name, *manifest, *shader;
    const char *suite; // its points come first; NULL: only the points of the check
} examples[] = {
    {"arithmetic.drop_negation input.zero_sign input.nan_zero input.infinity_finite memory.drop_store "
     "memory.store_moved memory.load_neighbour comparison.negate comparison.or_equal comparison.bound "
     "parameter.low_bits control.early_return",
        "neg", MANIFEST("neg.k", "neg", "\"n\""), HEAD(CONTROLS) PUSH BODY("    if (i < n) y[i] = -v;\n"), NULL},
    {"arithmetic.exchange arithmetic.drop_operand precision.product_truncated input.zero_skipped", "mul",
        MANIFEST_OF_TWO("mul.k", "mul"), HEAD_OF_TWO PUSH BODY("    if (i < n) y[i] = v * b[i];\n"), NULL},
    {"arithmetic.swap_operands", "sub", MANIFEST_OF_TWO("sub.k", "sub"),
        HEAD_OF_TWO PUSH BODY("    if (i < n) y[i] = v - b[i];\n"), NULL},
    {"arithmetic.drop_addend constant.plus_one constant.minus_one constant.twice constant.zero constant.negative "
     "constant.part_6 constant.part_12 constant.part_20",
        "add", MANIFEST_OF_TWO("add.k", "add"), HEAD_OF_TWO PUSH BODY("    if (i < n) y[i] = fma(v, 1.0, b[i]);\n"),
        NULL},
    {"comparison.constant parameter.default", "leaky_relu", MANIFEST("leaky_relu.k", "leaky_relu", "\"n\", \"slope\""),
        HEAD(CONTROLS) "layout(push_constant) uniform Push { uint n; float slope; };\n" BODY(
            "    if (i < n) y[i] = v < 0.0 ? slope * v : v;\n"),
        NULL},
    {"extended.extreme", "relu", MANIFEST("relu.k", "relu", "\"n\""),
        HEAD("") PUSH BODY("    if (i < n) y[i] = isnan(v) ? v : max(v, 0.0);\n"), NULL},
    {"extended.exponential", "exp", MANIFEST("exp.k", "exp", "\"n\""),
        HEAD("") PUSH BODY("    if (i < n) y[i] = isnan(v) ? v : exp(v);\n"), NULL},
    {"extended.root", "sqrt", MANIFEST("sqrt.k", "sqrt", "\"n\""),
        HEAD("") PUSH BODY("    if (i < n) y[i] = sqrt(v);\n"), NULL},
    {"control.loop_once control.loop_early precision.sum_half precision.sums_truncated constant.one memory.index_16",
        "sum_rows", MANIFEST_OF_ROWS("sum_rows.k", "sum_rows"),
        HEAD(CONTROLS) ROWS("    float sum = 0.0;\n"
                            "    for (uint j = 0u; j < cols; j++) sum += x[row * cols + j];\n    y[row] = sum;\n"),
        NULL},
    {"order.drop_barrier order.weaker_barrier", "copy", MANIFEST("copy.k", "copy", "\"n\""),
        HEAD("") PUSH
        "shared float t[64];\nvoid main() {\n"
        "    uint l = gl_LocalInvocationIndex, i = linear_invocation(), from = i - l + (WG_SIZE - 1u - l);\n"
        "    t[WG_SIZE - 1u - l] = from < n ? x[from] : 0.0;\n    barrier();\n"
        "    if (i < n) y[i] = t[l];\n}\n",
        NULL},
    {"constant.tunable", "copy",
        "{\"name\": \"copy.k\", \"operator\": \"copy\", \"summary\": \"a test\", \"shader\": \"s.comp\", \"dtypes\": "
        "[\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": {\"values\": [64], "
        "\"default\": "
        "64}, \"ITEMS\": {\"values\": [1, 2], \"default\": 2, \"id\": 3}}, \"grid\": [{\"over\": [\"n\"], \"by\": "
        "[\"WG_X\", "
        "\"ITEMS\"]}], \"fold\": true}",
        HEAD("") PUSH "layout(constant_id = 3) const uint ITEMS = 2;\nvoid main() {\n"
                      "    for (uint item = 0u; item < ITEMS; item++) {\n        uint i = linear_item(WG_SIZE * ITEMS, "
                      "gl_LocalInvocationIndex + item * WG_SIZE);\n        if (i < n) y[i] = x[i];\n    }\n}\n",
        NULL},
    {"order.subgroup_kind order.subgroup_scan comparison.equality", "copy", MANIFEST("copy.k", "copy", "\"n\""),
        HEAD("#extension GL_KHR_shader_subgroup_arithmetic : require\n")
            PUSH BODY("    uint all = subgroupAdd(1u);\n    if (i < n) y[i] = all == gl_SubgroupSize ? v : 7.0;\n"),
        NULL},
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

// Returns them as options: "--operators-of-mutation a --operators-of-mutation b".
static const char *options_of(const char *mutations) {
    static char options[4000];
    size_t at = 0;
    for (const char *name = mutations; *name; name += strspn(name, " ")) {
        const size_t length = strcspn(name, " ");
        at += (size_t)snprintf(options + at, sizeof options - at, " --operators-of-mutation %.*s", (int)length, name);
        name += length;
    }
    return options;
}

static void each_is_killed_in_its_kernel(void **state) {
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i += is_presubmit() ? 6 : 1) {
        const struct example *e = &examples[i];
        place(e);
        int status = run("mutate --only %s/k %s.k --all %s --jobs 1 --out %s/out %s %s", folder, e->operator_name,
            options_of(e->mutations), folder, e->suite ? "--suite" : "", e->suite ? in_folder("suite.json") : "");
        if (status != STATUS_OK) fail_msg("%s: status %d\n%s", e->mutations, status, content("output"));
        if (shell("%s -c 'import glob, json, os, sys; "
                  "d = json.load(open(max(glob.glob(\"%s/out/*/*/mutants.json\"), key=os.path.getmtime)));"
                  "m = [m for k in d[\"mutated\"] for m in k[\"mutants\"]];"
                  "killed = {x[\"operation\"] for x in m if x[\"verdict\"] == \"killed\" and x[\"check\"] not in "
                  "(\"timeout\", \"error\")};"
                  "undone = {x for x in \"%s\".split() if {y[\"verdict\"] for y in m if y[\"operation\"] == x} == "
                  "{\"unseen\"}};"
                  "left = set(\"%s\".split()) - killed - undone; assert not left, left'",
                needs_python("json"), folder, undone_by_drivers, e->mutations))
            fail_msg("%s: none was killed of one of them\n%s", e->mutations, content("output"));
    }
}

static bool is_listed(const char *mutations, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = strstr(mutations, name); at; at = strstr(at + 1, name))
        if ((at == mutations || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static void each_mutation_has_such_a_kernel(void **state) {
    for (int family = 0; family < MUTATION_FAMILIES; family++)
        for (const struct mutation *m = mutation_families[family]; m->name; m++) {
            bool found = strcmp(m->name, "precision.sums_coarse") == 0; // tested below
            for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
                found |= is_listed(examples[i].mutations, m->name);
            if (!found) fail_msg("%s is killed in no kernel of the table", m->name);
        }
}

// Coarse sums of lanes average out among many. Tests them behind a root, behind a mean and a root, and directly.
static void coarse_sums_of_lanes_are_killed(void **state) {
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

// The draws of whole numbers include sums halfway between two numbers of a narrow output.
static void sums_halfway_between_numbers_are_rounded_to_even(void **state) {
    static const struct example products = {NULL, "matvec",
        "{\"name\": \"matvec.k\", \"operator\": \"matvec\", \"summary\": \"a test\", \"shader\": \"s.comp\", "
        "\"dtypes\": "
        "[\"bf16\"], \"bindings\": [\"w\", \"x\", \"y\"], \"push\": [\"rows\", \"cols\"], \"tunables\": {\"WG_X\": "
        "{\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [\"rows\"], \"by\": [\"WG_X\"]}], \"fold\": true}",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"types.glsl\"\n#include "
        "\"grid.glsl\"\n"
        "layout(binding = 0) readonly buffer W { T w[]; };\nlayout(binding = 1) readonly buffer X { T x[]; };\n"
        "layout(binding = 2) writeonly buffer Y { T y[]; };\n" ROWS(
            "    float sum = 0.0;\n    for (uint j = 0u; j < cols; j++) sum += LOAD(w[row * cols + j]) * LOAD(x[j]);\n"
            "    y[row] = STORE(sum);\n"),
        NULL};
    place(&products);
    const int status =
        run("mutate 'matvec.k/bf16/*draws*' --only %s/k --all --operators-of-mutation arithmetic.exchange "
            "--operators-of-mutation arithmetic.drop_operand --jobs 1 --out %s/ties",
            folder, folder);
    if (status != STATUS_OK) fail_msg("status %d\n%s", status, content("output"));
    // Changes of `|` are excluded, because it only applies to NaN.
    if (shell("%s -c 'import glob, json; d = json.load(open(glob.glob(\"%s/ties/*/*/mutants.json\")[0]));"
              "m = [m for k in d[\"mutated\"] for m in k[\"mutants\"] if \"types.glsl\" in m[\"file\"]];"
              "left = [x for x in m if x[\"verdict\"] != \"killed\" and x[\"change\"][1] != \"|\"];"
              "assert len(m) > 10 and not left, left'",
            needs_python("json"), folder))
        fail_msg("a rounding of ties was not killed\n%s", content("output"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_mutation_has_such_a_kernel),
        cmocka_unit_test(each_is_killed_in_its_kernel),
        cmocka_unit_test(sums_halfway_between_numbers_are_rounded_to_even),
        cmocka_unit_test(coarse_sums_of_lanes_are_killed)};
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}
