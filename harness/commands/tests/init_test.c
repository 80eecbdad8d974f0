// SPDX-License-Identifier: Apache-2.0
// Tests `init`: shaders of the kind found in backends become manifests that `check` accepts directly.
#include "vkassay_program.h"
#include "../../record/terms.h"
#include "../../record/record.h"

#include <sys/resource.h>

#define GLSL(size, buffers, block, body)                                                                               \
    "#version 450\nlayout(" size ") in;\n" buffers block "\nvoid main() {\n" body "\n}\n"
#define LINE "local_size_x = 64"
#define BUFFER(n, name) "layout(binding = " #n ") buffer B" #n " { float " name "[]; };\n"

static const struct {
    const char *file, *text, *name; // name NULL: it cannot be placed
    const char *says;
} shaders[] = {
    {"relu_forward.comp",
        GLSL(LINE, BUFFER(0, "input_data") BUFFER(1, "output_data"), "layout(push_constant) uniform P { uint size; };",
            "uint i = gl_GlobalInvocationID.x; if (i < size) output_data[i] = max(input_data[i], 0.0);"),
        "relu.relu_forward", NULL},
    {"silu_inplace.comp",
        GLSL(LINE, BUFFER(0, "data"), "layout(push_constant) uniform P { uint count; };",
            "uint i = gl_GlobalInvocationID.x; if (i < count) data[i] = data[i] / (1.0 + exp(-data[i]));"),
        "silu.silu_inplace", "y is taken to overwrite x"},
    {"gemm.comp",
        GLSL("local_size_x_id = 0, local_size_y_id = 1", BUFFER(2, "C") BUFFER(0, "A") BUFFER(1, "B"),
            "layout(push_constant) uniform P { uint K, M, N, pad0; };",
            "uint c = gl_GlobalInvocationID.x, r = gl_GlobalInvocationID.y; if (r >= M || c >= N) return;\n"
            "float s = 0.0; for (uint k = 0; k < K; k++) s += A[r * K + k] * B[k * N + c]; C[r * N + c] = s;"),
        "matmul.gemm", NULL},
    {"add_storage.comp",
        GLSL(LINE, BUFFER(0, "lhs") BUFFER(1, "rhs") BUFFER(2, "dst"),
            "layout(binding = 3) readonly buffer Info { uint n; uint unused[3]; };",
            "uint i = gl_GlobalInvocationID.x; if (i < n) dst[i] = lhs[i] + rhs[i];"),
        "add.add_storage", NULL},
    {"rms_norm_plain.comp",
        GLSL("local_size_x = 1", BUFFER(0, "x") BUFFER(1, "y"),
            "layout(binding = 2) uniform P { uint rows; uint hidden; float inv_hidden; float epsilon; };",
            "uint r = gl_GlobalInvocationID.x; if (r >= rows) return; float s = 0.0;\n"
            "for (uint j = 0; j < hidden; j++) s += x[r * hidden + j] * x[r * hidden + j];\n"
            "s = 1.0 / sqrt(s * inv_hidden + epsilon);\n"
            "for (uint j = 0; j < hidden; j++) y[r * hidden + j] = x[r * hidden + j] * s;"),
        "rmsnorm.rms_norm_plain", "the shader has no w: the reference takes 1 for it"},
    {"LeakyRelu.comp",
        GLSL(LINE, BUFFER(5, "src") BUFFER(7, "dst"),
            "layout(push_constant) uniform P { float negative_slope; uint total; };",
            "uint i = gl_GlobalInvocationID.x; if (i < total) dst[i] = src[i] > 0.0 ? src[i] : negative_slope * "
            "src[i];"),
        "leaky_relu.LeakyRelu", NULL},
    {"exp_vec4.comp",
        GLSL(LINE, "layout(binding = 0) buffer X { vec4 x[]; };\nlayout(binding = 1) buffer Y { vec4 y[]; };\n",
            "layout(push_constant) uniform P { uint n; };",
            "uint i = gl_GlobalInvocationID.x; if (4 * i + 3 < n) y[i] = exp(x[i]);"),
        "exp.exp_vec4", "only whole vectors occur"},
    {"frobnicate.comp", GLSL(LINE, BUFFER(0, "x"), "", "x[0] = 1.0;"), NULL,
        "frobnicate.comp, main: no operator has this name"},
    {"sub_broken.comp", "#version 450\nvoid main() { nothing }\n", NULL, "not placed: "},
    {"mul_three.comp",
        GLSL(LINE, BUFFER(0, "a") BUFFER(1, "b") BUFFER(2, "y") BUFFER(3, "partial_sums"), "",
            "y[0] = a[0] * b[0]; partial_sums[0] = 1.0;"),
        NULL, "\"B3\", is no operand of mul"},
    // passes of one kernel in two files
    {"dot_pass1.comp",
        GLSL("local_size_x = 256", BUFFER(0, "u") BUFFER(1, "v") BUFFER(2, "partial"),
            "layout(push_constant) uniform P { uint len; };\nshared float s[256];",
            "uint i = gl_GlobalInvocationID.x, t = gl_LocalInvocationID.x;\n"
            "s[t] = i < len ? u[i] * v[i] : 0.0; barrier();\n"
            "for (uint k = 128; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; barrier(); }\n"
            "if (t == 0) partial[gl_WorkGroupID.x] = s[0];"),
        "dot.dot", "dot_pass1.comp, main, dot_pass2.comp: dot.dot"},
    {"dot_pass2.comp",
        GLSL("local_size_x = 1", BUFFER(0, "Partial") BUFFER(1, "res"),
            "layout(push_constant) uniform P { uint blocks; };",
            "float a = 0.0; for (uint i = 0; i < blocks; i++) a += Partial[i]; res[0] = a;"),
        "dot.dot", "\"blocks\" is taken for how much the pass before has left"},
    // a name followed by digits; parameters in an array; an HLSL entry point other than main
    {"neg2d.comp",
        GLSL(LINE, BUFFER(0, "x") BUFFER(1, "y"), "layout(binding = 2) readonly buffer Cfg { uint cfg[]; };",
            "uint i = gl_GlobalInvocationID.x; if (i < cfg[0]) y[i] = -x[i];"),
        "neg.neg2d", "\"Cfg\" is taken for an array of parameters: n"},
    // a setting the shader does not take; a name for the workgroups of the pass before
    {"conv2d_plain.comp",
        GLSL("local_size_x = 8, local_size_y = 8", BUFFER(0, "x") BUFFER(1, "weights") BUFFER(2, "bias") BUFFER(3, "y"),
            "layout(push_constant) uniform P { int N, IC, IH, IW, OC, KH, KW, OH, OW, stride, pad; };",
            "int ow = int(gl_GlobalInvocationID.x), oh = int(gl_GlobalInvocationID.y), z = "
            "int(gl_GlobalInvocationID.z);\n"
            "int o = z % OC, n = z / OC; if (ow >= OW || oh >= OH || n >= N) return; float s = bias[o];\n"
            "for (int c = 0; c < IC; c++) for (int v = 0; v < KH; v++) for (int u = 0; u < KW; u++) {\n"
            "    int i = oh * stride + v - pad, j = ow * stride + u - pad;\n"
            "    if (i >= 0 && j >= 0 && i < IH && j < IW) s += x[((n * IC + c) * IH + i) * IW + j] * "
            "weights[((o * IC + c) * KH + v) * KW + u];\n}\ny[((n * OC + o) * OH + oh) * OW + ow] = s;"),
        "conv2d.conv2d_plain", "the shader takes no dilation: cases where it is 1 are checked"},
    {"Mean_partial.hlsl",
        "cbuffer C : register(b2) { uint elementCount; };\nStructuredBuffer<float> src : register(t0);\n"
        "RWStructuredBuffer<float> sums : register(u1);\n[numthreads(64, 1, 1)]\n"
        "void MeanPartial(uint3 l : SV_GroupThreadID, uint3 g : SV_GroupID) {\n    float s = 0;\n"
        "    if (l.x == 0) for (uint i = g.x * 64; i < min(g.x * 64 + 64, elementCount); i++) s += src[i];\n"
        "    if (l.x == 0) sums[g.x] = s;\n}\n",
        "mean.mean_mean", "Mean_partial.hlsl, MeanPartial, MeanFinal: mean.mean_mean"},
    {"Mean_final.hlsl",
        "cbuffer C : register(b2) { uint numGroups; uint elementCount; };\nStructuredBuffer<float> sums : "
        "register(t0);\n"
        "RWStructuredBuffer<float> dst : register(u1);\n[numthreads(1, 1, 1)]\n"
        "void MeanFinal(uint3 g : SV_GroupID) {\n    float s = 0;\n"
        "    for (uint i = 0; i < numGroups; i++) s += sums[i];\n    dst[0] = s / elementCount;\n}\n",
        "mean.mean_mean", "\"numGroups\" is taken for how much the pass before has left"},
    {"row_sum_view.comp",
        GLSL("local_size_x = 1", BUFFER(0, "src") BUFFER(1, "dst"),
            "layout(push_constant) uniform P { uint offset_src, stride, ne0, ne1; };",
            "uint r = gl_WorkGroupID.x; float s = 0.0;\n"
            "for (uint c = 0; c < ne0; c++) s += src[offset_src + r * stride + c]; if (r < ne1) dst[r] = s;"),
        "sum_rows.row_sum_view", "\"stride\" is taken for the length of a line, cols"},
    // constants other than whole numbers keep their defaults
    {"abs_constants.comp",
        GLSL(LINE, BUFFER(0, "x") BUFFER(1, "y"),
            "layout(constant_id = 5) const float SCALE = 1.0;\nlayout(constant_id = 6) const bool WHOLE = true;\n"
            "layout(constant_id = 7) const uint EACH = 2;\nlayout(push_constant) uniform P { uint n; };",
            "for (uint k = 0; k < EACH; k++) { uint i = gl_GlobalInvocationID.x * EACH + k;\n"
            "    if (WHOLE && i < n) y[i] = SCALE * abs(x[i]); }"),
        "abs.abs_constants", NULL},
    {"argmaxRow.comp",
        GLSL("local_size_x = 1", BUFFER(0, "logits"),
            "layout(binding = 1) buffer Best { int best[]; };\n"
            "layout(push_constant) uniform P { uint cols; };",
            "uint r = gl_WorkGroupID.x * cols, at = 0;\n"
            "for (uint j = 1; j < cols && !isnan(logits[r + at]); j++)\n"
            "    if (logits[r + j] > logits[r + at] || isnan(logits[r + j])) at = j;\n"
            "best[gl_WorkGroupID.x] = int(at);"),
        "argmax_rows.argmaxRow", NULL},
    {"LayerNorm.hlsl",
        "cbuffer Args : register(b4) { uint C; float epsilon; };\nStructuredBuffer<float> In : register(t0);\n"
        "StructuredBuffer<float> Scale : register(t1);\nStructuredBuffer<float> Shift : register(t2);\n"
        "RWStructuredBuffer<float> Out : register(u3);\n[numthreads(1, 1, 1)]\n"
        "void CSMain(uint3 g : SV_GroupID) {\n    uint base = g.x * C; float mean = 0, v = 0;\n"
        "    for (uint i = 0; i < C; i++) mean += In[base + i];\n    mean /= C;\n"
        "    for (uint j = 0; j < C; j++) { float d = In[base + j] - mean; v += d * d; }\n"
        "    for (uint k = 0; k < C; k++) Out[base + k] = (In[base + k] - mean) * rsqrt(v / C + epsilon) * Scale[k] + "
        "Shift[k];\n}\n",
        "layernorm.LayerNorm_CSMain", NULL},
};
enum { SHADERS = sizeof shaders / sizeof *shaders };

static const char backend[] =
    "override WG: u32 = 64u;\noverride UNROLL: u32 = 2;\n"
    "struct Dims { rows: u32, cols: u32 }\n"
    "struct Params { dims: Dims, eps: f32, @size(4) pad0: u32, tail: vec2<u32> }\n"
    "/* x: @binding(9) */ @group(0) @binding(1) var<storage, read_write> result: array<f32>;\n"
    "@binding(0) @group(0) var<storage, read> input: array<f32>;\n"
    "@group(1) @binding(0) var<uniform> params: Params;\n"
    "@compute @workgroup_size(WG) fn softmax_main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
    "    let r = g.x; let n = params.dims.cols; if (r >= params.dims.rows) { return; }\n"
    "    var m = input[r * n]; for (var j = 0u; j < n; j++) { m = max(m, input[r * n + j]); }\n"
    "    var s = 0.0; for (var j = 0u; j < n; j++) { s += exp(input[r * n + j] - m); }\n"
    "    for (var j = 0u; j < n; j++) { result[r * n + j] = exp(input[r * n + j] - m) / s; }\n}\n"
    "@compute @workgroup_size(32) fn tanh_kernel(@builtin(global_invocation_id) g: vec3<u32>) {\n"
    "    if (g.x < params.dims.rows) { result[g.x] = tanh(clamp(input[g.x], -10.0, 10.0)); }\n}\n";

static int set_up(void **state) {
    if (program_open(state) != 0 || mkdir(in_folder("shaders"), 0777) != 0 || mkdir(in_folder("wgsl"), 0777) != 0)
        return -1;
    for (int i = 0; i < SHADERS; i++) {
        char name[100];
        snprintf(name, sizeof name, "shaders/%s", shaders[i].file);
        write_text(name, shaders[i].text);
    }
    write_text("wgsl/backend.wgsl", backend);
    write_suite("ours",
        "{\"operators\": [\"relu\", \"silu\", \"add\", \"leaky_relu\", \"exp\", \"neg\", \"dot\", \"mean\", \"abs\"], "
        "\"dims\": "
        "{\"n\": "
        "[64, 1023]}}, "
        "{\"operator\": \"matmul\", \"dims\": {\"m\": 33, \"n\": 17, \"k\": 9}, \"shapes\": \"all\"}, "
        "{\"operators\": [\"sum_rows\", \"argmax_rows\"], \"dims\": {\"rows\": 5, \"cols\": 77}}, {\"operator\": "
        "\"conv2d\", \"dims\": "
        "{\"n\": 2, "
        "\"cin\": 3, \"h\": 9, \"w\": 7, \"cout\": 5, \"kh\": 3, \"kw\": 2, \"stride\": 2, \"pad\": 1, \"dilation\": "
        "1, \"groups\": 1}}, "
        "{\"operators\": [\"rmsnorm\", \"layernorm\"], \"dims\": {\"rows\": 5, \"cols\": 77, \"eps\": 0.25}}");
    return 0;
}

static void a_folder_becomes_a_manifest_that_says_what_is_guessed(void **state) {
    assert_int_equal(run("init %s/shaders --out %s/shaders/mine.json", folder, folder), STATUS_PARTIAL);
    assert_says("15 kernels, 3 not placed");
    for (int i = 0; i < SHADERS; i++) {
        if (shaders[i].says) assert_says(shaders[i].says);
        if (!shaders[i].name) continue;
        char member[200];
        snprintf(member, sizeof member, "\"name\": \"%s\"", shaders[i].name);
        assert_holds("shaders/mine.json", member);
    }
    assert_holds("shaders/mine.json", "\"members\": [ \"rows\", \"cols\", { \"inverse\": \"cols\" }, \"eps\" ]");
    assert_holds("shaders/mine.json", "\"push\": [ \"k\", \"m\", \"n\", \"pad\" ]");
    assert_holds("shaders/mine.json", "\"in\": \"storage\"");
    assert_holds("shaders/mine.json", "{ \"name\": \"x\", \"binding\": 5 }");
    assert_holds("shaders/mine.json", "\"GUESS: the shader has no w");
    assert_int_equal(run("init %s/shaders --out %s/shaders/mine.json", folder, folder), STATUS_BAD_INPUT);
    assert_says("exists already; choose another --out");
}

// The vec4 kernel skips sizes that are not whole vectors.
static void check_takes_it_at_once(void **state) {
    assert_int_equal(
        run("check --only %s/shaders --suite %s/ours.json --quiet --out %s/out", folder, folder, folder), STATUS_OK);
    struct result result;
    read_result("out", &result);
    for (int i = 0; i < SHADERS; i++)
        if (shaders[i].name) assert_non_null(record_of(&result, shaders[i].name));
    for (size_t i = 0; i < result.count; i++) {
        const struct record *r = &result.records[i];
        const bool whole = strcmp(r->kernel, "exp.exp_vec4") == 0 && r->status == RECORD_SKIP;
        if (!whole && r->status != RECORD_PASS) fail_msg("%s: %s", r->name, r->reason);
    }
    result_free(&result);
}

static double seconds_of_children(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// 125 manifests are to be checked in a minute on two cores: 0.96 s of a core for each. Other programs do not count.
static void the_check_of_its_kernels_is_short(void **state) {
    const double before = seconds_of_children();
    run("check --only %s/shaders --quiet --trim --out %s/sampled", folder, folder);
    const double seconds = seconds_of_children() - before;
    struct result result;
    int kernels = 0;
    read_result("sampled", &result);
    for (int i = 0; i < SHADERS; i++) kernels += shaders[i].name && record_of(&result, shaders[i].name);
    result_free(&result);
    print_message("%d kernels: %.1f s of a core\n", kernels, seconds);
    assert_true(kernels >= 15);
    assert_true(seconds < 0.96 * kernels);
}

static void of_a_shader_it_goes_to_standard_output(void **state) {
    assert_int_equal(run("init abs %s/shaders/relu_forward.comp", folder), STATUS_OK);
    assert_says("\"name\": \"abs.relu_forward\"");
    assert_says("\"shader\": \"relu_forward.comp\"");
    assert_int_equal(run("init reluu %s/shaders/relu_forward.comp", folder), STATUS_USAGE);
    assert_int_equal(run("init"), STATUS_USAGE);
    assert_int_equal(run("init relu"), STATUS_USAGE);
    assert_int_equal(run("init relu /no/such.comp"), STATUS_BAD_INPUT);
    assert_int_equal(run("init %s/shaders/sub_broken.comp", folder), STATUS_NOTHING);
    assert_int_equal(run("init double reports/examples/custom/kernels/double.spv"), STATUS_USAGE);
    assert_int_equal(
        run("init scale reports/examples/custom/kernels/double.spv --out %s/scale.json", folder), STATUS_OK);
    assert_holds("scale.json", "/reports/examples/custom/kernels/double.spv\"");
}

static void wgsl_keeps_its_names(void **state) {
    needs_wgsl();
    assert_int_equal(run("init %s/wgsl --out %s/wgsl/m.json", folder, folder), STATUS_OK);
    assert_holds("wgsl/m.json", "\"entry\": \"softmax_main\"");
    assert_holds("wgsl/m.json", "\"tunables\": { \"WG_X\": { \"values\": [ 128, 256, 64 ], \"default\": 64 }, "
                                "\"UNROLL\": { \"values\": [ 2 ], \"default\": 2 } }");
    assert_holds("wgsl/m.json", "\"constants\": { \"WG\": \"WG_X\" }");
    assert_holds("wgsl/m.json", "\"local_size\": [ 32 ]");
    assert_holds("wgsl/m.json", "{ \"set\": 1, \"binding\": 0, \"members\": [ \"rows\", \"cols\", ");
    assert_int_equal(run("check softmax --only %s/wgsl --tier smoke --quiet --out %s/out", folder, folder), STATUS_OK);
    assert_int_equal(run("init tanh %s/wgsl/backend.wgsl", folder), STATUS_OK);
    assert_says("1 kernel, 0 not placed");
    assert_says("\"members\": [ \"n\", ");
}

static void the_manifest_is_of_the_schema(void **state) {
    assert_of_schema("shaders/mine.json");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_becomes_a_manifest_that_says_what_is_guessed),
        cmocka_unit_test(check_takes_it_at_once),
        cmocka_unit_test(the_check_of_its_kernels_is_short),
        cmocka_unit_test(of_a_shader_it_goes_to_standard_output),
        cmocka_unit_test(wgsl_keeps_its_names),
        cmocka_unit_test(the_manifest_is_of_the_schema),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
