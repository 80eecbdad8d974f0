// SPDX-License-Identifier: Apache-2.0
// Recorded dispatches replayed on the best device: y[i] = x[i] + x[i ^ 1] by way of shared memory, and faulty forms.
// Run from the top of the repository.
#include "../../../run/tests/alone.h"

#include "../../../../record/record.h"
#include "../../../../record/terms.h"
#include "../../../../shader/captured/tests/written.h"
#include "../../tests/best_device.h"

#include <math.h>

enum { N = 100, BYTES = N * 4, WRONG = 41 };

#define SUM(FIRST, BARRIER, TEST, VALUE)                                                                               \
    "#version 450\nlayout(local_size_x = 64) in;\n"                                                                    \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "shared float tile[64];\n"                                                                                         \
    "void main() {\n"                                                                                                  \
    "    const uint i = gl_GlobalInvocationID.x, at = gl_LocalInvocationID.x;\n"                                       \
    "    if (" FIRST ") tile[at] = i < 100 ? x[i] : 0;\n    " BARRIER "\n"                                             \
    "    const float neighbour = tile[at ^ 1];\n"                                                                      \
    "    if (" TEST ") y[i] = " VALUE ";\n}\n"
#define RIGHT SUM("true", "barrier();", "i < 100", "x[i] + neighbour")
#define PAST SUM("true", "barrier();", "i < 101", "(i < 100 ? x[i] : 1) + neighbour")
#define RACE SUM("true", "", "i < 100", "x[i] + neighbour")
#define UNSET SUM("at != 9", "barrier();", "i < 100", "x[i] + neighbour")
#define ROOT SUM("true", "barrier();", "i < 100", "sqrt(x[i] - 1) + 0 * neighbour")
#define HALF SUM("true", "barrier();", "i < 50", "x[i] + neighbour")

// Contents: x counts from 0; a NaN in one of them; the results; one wrong result; a NaN result; half of the results.
static float x[N], x_nan[N], poor[N], y[N], y_wrong[N], y_nan[N], root[N], half[N];

static void make_contents(void) {
    for (int i = 0; i < N; i++) {
        x[i] = x_nan[i] = (float)i;
        poor[i] = 7;
    }
    x_nan[WRONG] = NAN;
    for (int i = 0; i < N; i++) {
        y[i] = y_wrong[i] = x[i] + x[i ^ 1];
        y_nan[i] = x_nan[i] + x_nan[i ^ 1];
        root[i] = i ? sqrtf(x[i] - 1) : NAN;
        half[i] = i < N / 2 ? y[i] : poor[i];
    }
    y_wrong[WRONG] += 1;
}

static const struct row {
    const char *shader;
    const float *x, *y; // before; after
    bool elsewhere;     // recorded on another device
    bool sanitize;
    uint32_t failed; // check; 0: none
    const char *says;
    int64_t differing, compared;
} rows[] = {
    {RIGHT, x, y, .compared = N},
    {HALF, x, half, .compared = N},
    {RIGHT, x, y_wrong, false, false, CHECK_RECORDED,
        "1 of 100 elements have other bits than in the recording; worst binding1[41]: got 81, recorded 82", 1, N},
    {RIGHT, x, y_wrong, true, .differing = 1, .compared = N},
    {PAST, x, y, false, false, CHECK_GUARD, "wrote past the end of operand binding1", 0, N},
    {PAST, x, y, true, false, CHECK_GUARD, "wrote past the end of operand binding1", 0, N},
    {RACE, x, y, false, true, CHECK_RACE, "race in shared memory", 0, N},
    {UNSET, x, y, false, true, CHECK_UNSET, "but its workgroup wrote nothing there", -1, N},
    {RIGHT, x_nan, y_nan, .compared = N}, // inherited
    {ROOT, x, root, false, false, CHECK_FINITE, "binding1[0] is ", -1, N},
    {ROOT, x, root, true, false, CHECK_FINITE, "though all numbers in its inputs are finite", -1, N},
    {RIGHT, x, NULL, .compared = 0},
};

static struct arena arena;
static const struct device_info *device; // NULL: there is none
static struct kernels kernels;

static void load(const struct row *row) {
    const char *folders[] = {"", folder};
    const struct written_call call = {
        row->shader, "k", .grid = 2, .ranges = {{row->x, row->x, BYTES, 0, 0}, {poor, row->y, BYTES, 0, 0}}};
    struct error err;
    written_program(&arena,
        arena_format(&arena, "{\"name\":\"%s\",\"driver_name\":\"%s\",\"driver_info\":\"%s\"}",
            row->elsewhere ? "another" : device->name, device->driver_name, device->driver_info),
        &call, 1);
    if (!kernels_load(&arena, folders, 2, &kernels, &err)) fail_msg("%s", err.text);
    assert_int_equal(kernels.count, 1);
}

static struct record replay(bool sanitize) {
    static const char *const includes[] = {"kernels/include"};
    const struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .timeout_s = 20,
        .sanitize = sanitize,
        .include_folders = includes,
        .include_count = 1};
    struct record record = {0};
    struct point point;
    struct error err;
    if (!point_parse(&arena, &kernels, "capture.k/f32/call=1/wg=64x1x1", &point, &err)) fail_msg("%s", err.text);
    struct runner *runner = runner_open(device, &options, &err);
    if (!runner) fail_msg("%s", err.text);
    run_alone(runner, &point, &arena, &record);
    runner_close(runner);
    return record;
}

static bool holds(const struct row *row, const struct record *r) {
    return (row->failed ? (r->failed & row->failed) != 0 : !r->failed) &&
           (row->failed ? r->status == RECORD_FAIL : r->status == RECORD_PASS) &&
           (!row->says || (r->reason && strstr(r->reason, row->says))) && r->recorded.compared == row->compared &&
           (row->differing < 0 || r->recorded.differing == row->differing) &&
           (r->recorded.device != NULL) == row->elsewhere && r->check.checked == (row->elsewhere ? 0 : row->compared) &&
           !r->check.excluded;
}

static void each_fault_is_named(void **state) {
    needs_hardware(device, "Vulkan device");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        load(&rows[i]);
        const struct record r = replay(rows[i].sanitize);
        if (!holds(&rows[i], &r))
            fail_msg("row %zu: %s, %x: %s; %lld of %lld differ", i, record_status_name(r.status), r.failed,
                r.reason ? r.reason : "no reason", (long long)r.recorded.differing, (long long)r.recorded.compared);
    }
}

static void a_difference_has_its_place(void **state) {
    needs_hardware(device, "Vulkan device");
    load(&(struct row){RIGHT, x, y_wrong, .elsewhere = true});
    const struct record r = replay(false);
    assert_string_equal(r.recorded.operand, "binding1");
    assert_int_equal(r.recorded.index, WRONG);
    assert_true(r.recorded.got == 81 && r.recorded.want == 82);
    assert_true(r.recorded.max_ulp == 1 / ldexp(1, 6 - 23)); // of numbers from 64 on
    load(&(struct row){RIGHT, x, y_nan, .elsewhere = true});
    assert_true(isinf(replay(false).recorded.max_ulp)); // a NaN is no number
}

// Flips a bit of each file of contents.
static void a_flipped_bit_is_found(void **state) {
    const float *const contents[] = {x, poor, y};
    needs_hardware(device, "Vulkan device");
    for (int i = 0; i < 3; i++) {
        struct error err;
        float flipped[N];
        load(&rows[0]);
        const char *path =
            arena_format(&arena, "%s/operands/%s.bin", folder, written_file(&arena, "operands", contents[i], BYTES));
        memcpy(flipped, contents[i], BYTES);
        ((unsigned char *)flipped)[BYTES - 3] ^= 8;
        assert_true(file_write(path, flipped, BYTES, &err));
        const struct record r = replay(false);
        assert_int_equal(r.status, RECORD_ERROR);
        if (!strstr(r.reason, path) || !strstr(r.reason, "expected bytes with this hash")) fail_msg("%s", r.reason);
    }
}

static int open_device(void **state) {
    make_contents();
    return folder_make(state) == 0 && best_device(&arena, &device) ? 0 : -1;
}

static int release(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_named),
        cmocka_unit_test(a_difference_has_its_place),
        cmocka_unit_test(a_flipped_bit_is_found),
    };
    return cmocka_run_group_tests(tests, open_device, release);
}
