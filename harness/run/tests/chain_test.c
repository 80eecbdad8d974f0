// SPDX-License-Identifier: Apache-2.0
// A chain of two links on the device: which of its runs are judged, which distances are accepted, and what its times
// are of. Faults are dispatches that are left out, by their number, and a kernel that is wrong by a known factor.
#include "counting_vulkan.h"

#include "../../check/launch.h"
#include "../chain_host.h"
#include "own_kernels.h"
#include "../../record/record.h"

#include <math.h>

enum { STEPS = 5, LINKS = 2 };

#define SHADER(BINDINGS, PUSH, VALUE)                                                                                  \
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"grid.glsl\"\n" BINDINGS                \
    "layout(push_constant) uniform Push { uint n; " PUSH "};\n"                                                        \
    "void main() {\n    uint i = linear_invocation();\n    if (i < n) y[i] = " VALUE ";\n}\n"
#define ONE                                                                                                            \
    "layout(binding = 0) readonly buffer X { float x[]; };\nlayout(binding = 1) writeonly buffer Y { float y[]; };\n"
#define TWO                                                                                                            \
    "layout(binding = 0) readonly buffer A { float a[]; };\nlayout(binding = 1) readonly buffer B { float b[]; };\n"   \
    "layout(binding = 2) writeonly buffer Y { float y[]; };\n"
#define KERNEL(NAME, OPERATOR, FILE, BINDINGS, PUSH)                                                                   \
    "{\"name\": \"" NAME "\", \"operator\": \"" OPERATOR "\", \"summary\": \"s\", \"shader\": \"" FILE                 \
    ".comp\", \"dtypes\": [\"f32\"], \"bindings\": " BINDINGS ", \"push\": [\"n\"" PUSH "], "                          \
    "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, "                                                  \
    "\"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], \"fold\": true}"

static const struct own_shader files[] = {{"add.comp", SHADER(TWO, "", "a[i] + b[i]")},
    {"scale.comp", SHADER(ONE, "float scale; ", "x[i] * scale")},
    {"off.comp", SHADER(ONE, "float scale; ", "x[i] * scale * 1.01")},
    {"m.json", "{\"kernels\": [" KERNEL("add.own", "add", "add", "[\"a\", \"b\", \"y\"]", "") ", " KERNEL("scale.own",
                   "scale", "scale", "[\"x\", \"y\"]",
                   ", \"scale\"") ", " KERNEL("scale.off", "scale", "off", "[\"x\", \"y\"]", ", \"scale\"") "]}"}};

// Each step: t = x + s, then s = 0.3 t.
static void write_chain(const char *scale, const char *members) {
    char text[2000];
    snprintf(text, sizeof text,
        "{\"chains\": [{\"name\": \"chain.own\", \"summary\": \"a state\", \"dims\": [\"n\"], \"buffers\": {\"x\": "
        "{\"low\": -1, \"high\": 1}, \"s\": {\"value\": 0}}, \"links\": [{\"kernel\": \"add.own\", \"dims\": {\"n\": "
        "\"n\"}, \"operands\": {\"a\": \"x\", \"b\": \"s\", \"y\": \"t\"}}, {\"kernel\": \"%s\", \"dims\": {\"n\": "
        "\"n\"}, \"params\": {\"scale\": 0.3}, \"operands\": {\"x\": \"t\", \"y\": \"s\"}}], \"check\": [\"s\"], "
        "\"epoch\": 10%s}]}",
        scale, members);
    own_write("chains.json", text);
}

static struct record run(struct own_device *device, bool time) {
    static struct arena arena;
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .timeout_s = 60,
        .time = time,
        .include_folders = own_includes,
        .include_count = 1};
    const char *folders[] = {folder};
    struct record record = {0};
    struct kernels kernels;
    struct point point;
    struct error err = {0};
    needs_hardware(device->info, "Vulkan device");
    options.settings.point_seconds = 0.02;
    if (!kernels_load(&arena, folders, 1, &kernels, &err) || !kernels_are_sound(&kernels, &err) ||
        !point_parse(&arena, &kernels, "chain.own/chain/steps=5,n=1000/wg=1x1x1", &point, &err))
        fail_msg("%s", err.text);
    struct runner *runner = runner_open(device->info, &options, &err);
    if (!runner) fail_msg("%s", err.text);
    counting.dispatches = counting.submitted_count = 0;
    runner_point(runner, &point, &arena, &record);
    runner_close(runner);
    return record;
}

// The dispatches of a check: one step, then all steps, then all again.
static void each_run_of_a_check_is_judged(void **state) {
    static const struct {
        int from, to;
        const char *says;
    } rows[] = {{0, 0, NULL}, {0, LINKS, "after 1 step buffer s"},        // nothing is done in the first run
        {1, LINKS, "after 1 step buffer s"},                              // its last link
        {2 * LINKS, LINKS + LINKS * STEPS, "after 5 steps buffer s"},     // only the first step of the second run
        {LINKS * STEPS + 1, LINKS * STEPS + 2, "after 5 steps buffer s"}, // the last link of its last step
        {LINKS + LINKS * STEPS, LINKS + 2 * LINKS * STEPS, "a second run gave other bits in buffer s"},
        {LINKS + 2 * LINKS * STEPS, 1000, NULL}}; // there are no others
    write_chain("scale.own", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        counting.drop_from = rows[i].from, counting.drop_to = rows[i].to;
        const struct record record = run(*state, false);
        if ((record.status == RECORD_PASS) != !rows[i].says) fail_msg("row %zu: %s", i, record.reason);
        if (rows[i].says && !strstr(record.reason, rows[i].says)) fail_msg("row %zu: %s", i, record.reason);
    }
    counting.drop_from = counting.drop_to = 0;
}

// One percent in the last link is one percent of the first step. The chain may set a tolerance; else the limit is 16
// times the distance of the float chain.
static void a_distance_is_accepted_up_to_its_limit(void **state) {
    static const struct {
        const char *members;
        bool passes;
        double allowed; // 0: 16 times the float chain's
    } rows[] = {{", \"tolerance\": 0.05", true, 0.05}, {", \"tolerance\": 0.009", false, 0.009}, {"", false, 1e-5},
        {", \"tolerance\": 1e-12", false, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_chain("scale.off", rows[i].members);
        const struct record record = run(*state, false);
        if ((record.status == RECORD_PASS) != rows[i].passes) fail_msg("row %zu: %s", i, record.reason);
        if (rows[i].passes) continue;
        double apart, own, allowed;
        const char *at = strstr(record.reason, "buffer s is ");
        assert_non_null(at);
        assert_int_equal(
            sscanf(at, "buffer s is %lg of its length from the reference chain, which in float is %lg", &apart, &own),
            2);
        assert_int_equal(sscanf(strstr(at, "allowed: "), "allowed: %lg", &allowed), 1);
        assert_true(fabs(apart - 0.01) < 0.0006);
        const double expected = rows[i].allowed > 0 ? rows[i].allowed : 16 * own;
        assert_true(own > 0 && fabs(allowed - expected) <= 0.1 * expected); // two digits are printed
    }
}

static double fact(const struct record *record, const char *name) {
    for (int i = 0; i < record->fact_count; i++)
        if (strcmp(record->facts[i].name, name) == 0) return record->facts[i].value;
    fail_msg("no fact %s", name);
    return NAN;
}

// Compute is the time of all steps. Work and traffic are theirs, too, and an epoch is ten steps.
static void times_are_of_all_steps(void **state) {
    write_chain("scale.own", "");
    const struct record r = run(*state, true);
    if (r.status != RECORD_PASS) fail_msg("%s", r.reason);
    const double whole = r.time[FIGURE_COMPUTE].median;
    assert_true(whole > 0 && fabs(fact(&r, "step_ns") * STEPS - whole) < 1e-9 * whole);
    assert_true(fabs(fact(&r, "epoch_ns") - 10 * fact(&r, "step_ns")) < 1e-9 * whole);
    assert_true(fact(&r, "links") == LINKS);
    assert_true(r.flops == 1000 * 2 * STEPS);
    assert_true(r.bytes == 1000 * 4 * (3 + 2) * STEPS); // a, b, y; x, y
    assert_true(r.reference.extrapolated && r.reference.scale == STEPS);
    int alone = 0, repeated = 0;
    for (int i = 0; i < counting.submitted_count; i++) {
        const int dispatches = counting.submitted[i].dispatches;
        alone += dispatches == LINKS * STEPS && !counting.submitted[i].copied;
        repeated += dispatches > 0 && dispatches % (LINKS * STEPS) == 0;
    }
    assert_true(alone >= (int)r.time[FIGURE_END_TO_END].samples);
    assert_true(repeated >= 2 * (int)r.time[FIGURE_COMPUTE].samples);
    // The submission of all steps takes 1000 seconds on the clock of calls.
    assert_true(fabs(r.time[FIGURE_END_TO_END].median * 1e-9 - SECONDS_OF_SUBMIT) < 10);
    assert_true(fabs(r.time[FIGURE_SUBMIT].median * 1e-9 - SECONDS_OF_SUBMIT) < 10);
}

// The distance is the root of the sum of squares, as a share of that of the double chain.
static void distances_are_shares_of_the_length(void **state) {
    double exact[] = {3, 4, 0};
    float rounded[] = {3, 4, 0.5f}, got[] = {3, 4.5f, 0}, odd[] = {NAN, 4, 0};
    int32_t whole[] = {3, 4, 0}, other[] = {3, 4, 5};
    const struct chain_room room = {.dtype = DTYPE_F32, .elements = 3, .exact = exact, .rounded = rounded},
                            counts = {.dtype = DTYPE_I32, .elements = 3, .whole = whole};
    assert_true(chain_distance(&room, NULL) == 0.1 && chain_distance(&room, got) == 0.1);
    assert_true(chain_distance(&room, (const float[]){3, 4, 0}) == 0);
    assert_true(isinf(chain_distance(&room, odd)));
    assert_true(chain_distance(&counts, NULL) == 0 && chain_distance(&counts, other) == 1);
    const struct chain_room zeros = {.dtype = DTYPE_F32, .elements = 1, .exact = &exact[2], .rounded = got};
    assert_true(isinf(chain_distance(&zeros, got)) && chain_distance(&zeros, &got[2]) == 0);
}

static int open(void **state) {
    return own_open(state, files, sizeof files / sizeof *files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_of_a_check_is_judged),
        cmocka_unit_test(a_distance_is_accepted_up_to_its_limit),
        cmocka_unit_test(times_are_of_all_steps),
        cmocka_unit_test(distances_are_shares_of_the_length),
    };
    return cmocka_run_group_tests(tests, open, own_close);
}
