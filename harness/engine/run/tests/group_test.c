// SPDX-License-Identifier: Apache-2.0
// The timing fields of a point's record, on the best device with a made-up reference kernel. Run from the top of the
// repository.
#include "../runner.h"
#include "alone.h"
#include "../../../base/clock.h"
#include "../../../base/parallel.h"
#include "../../check/tests/best_device.h"
#include "../../../device/device_info.h"
#include "../../../record/record.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = {"kernels/matrix", "kernels/elementwise"}, *const includes[] = {"kernels/include"};

// The device's slowness at each probe of drift_sample. A probe runs the reference kernel three times.
struct clock_states {
    const double *slow;
    double stays; // slowness after these probes
    int count, run;
    int64_t now;
};

struct fixture {
    struct arena arena;
    struct runner *runner;
    struct kernels kernels;
    struct clock_states probes;
};

static int64_t made_up_ns(void *context) {
    return ((const struct clock_states *)context)->now;
}

static bool run_made_up(
    void *context, uint32_t rounds, uint32_t groups, double *ns, uint32_t *ticks, struct error *err) {
    struct clock_states *probes = context;
    int probe = probes->run++ / 3;
    probes->now += 1000000;
    (void)rounds, (void)groups, (void)ticks, (void)err;
    *ns = 1e5 * (probe < probes->count ? probes->slow[probe] : probes->stays);
    return true;
}

static int open_device(void **state) {
    struct error err = {0};
    const struct device_info *device;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f || !best_device(&f->arena, &device)) return -1;
    if (!device) return 0; // each test skips
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .time = true,
        .include_folders = includes,
        .include_count = 1,
        .timeout_s = 20};
    options.settings.reference_seconds = 1e-9;
    options.settings.point_seconds = 0.01;
    f->runner = runner_open(device, &options, &err);
    return f->runner && kernels_load(&f->arena, folders, 2, &f->kernels, &err) ? 0 : -1;
}

static int close_device(void **state) {
    struct fixture *f = *state;
    runner_close(f->runner);
    arena_free(&f->arena);
    free(f);
    return 0;
}

static struct record go(struct fixture *f, const char *name) {
    struct error err = {0};
    struct point point;
    struct record record;
    needs_hardware(f->runner, "Vulkan device");
    if (!point_parse(&f->arena, &f->kernels, name, &point, &err)) fail_msg("%s", err.text);
    assert_true(run_alone(f->runner, &point, &f->arena, &record));
    if (record.status != RECORD_PASS) fail_msg("%s", record.reason);
    return record;
}

// Returns the point's record on a device with this slowness at each probe. There are two probes before a measurement,
// one within it, one after it, and two before it is made again.
static struct record point_at(struct fixture *f, const char *name, const double *slow, int count, double stays) {
    struct error err = {0};
    needs_hardware(f->runner, "Vulkan device");
    f->probes = (struct clock_states){.stays = 1};
    const struct drift_kernel kernel = {
        .context = &f->probes, .timestamps = true, .own_clock = true, .now = made_up_ns, .run = run_made_up};
    assert_true(drift_start(f->runner->drift, &kernel, &err));
    f->probes = (struct clock_states){.slow = slow, .count = count, .stays = stays, .now = 1000000000000};
    struct record record = go(f, name);
    assert_true(record.time[FIGURE_COMPUTE].samples > 0);
    return record;
}

static struct record timed_at(struct fixture *f, const double *slow, int count, double stays) {
    return point_at(f, "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1", slow, count, stays);
}

static void a_slow_device_is_marked(void **state) {
    struct fixture *f = *state;
    struct record record = timed_at(f, NULL, 0, 1);
    assert_true(!record.throttled && !record.remeasured);
    assert_true(record.drift == 1);
    assert_int_equal(record.clock_probes.count, 3);
    record = timed_at(f, (const double[]){1, 1, 1, 1.5}, 4, 1); // slow for a while: measured again after it
    assert_true(!record.throttled && record.remeasured);
    assert_true(record.drift == 1 && record.clock_probes.most == 1);
    record = timed_at(f, (const double[]){1, 1, 1.5}, 3, 1); // slow in between
    assert_true(!record.throttled && record.remeasured);
    record = timed_at(f, (const double[]){1, 1, 1, 1.5, 1, 1, 1, 1, 1.5}, 9, 1); // slow again
    assert_true(record.throttled && record.remeasured);
    assert_true(record.drift == 1.5 && record.clock_probes.least == 1 && record.clock_probes.most == 1.5);
    record = timed_at(f, (const double[]){1, 1, 1}, 3, 1.5); // it stays slow
    assert_true(record.throttled && !record.remeasured);
}

// Probes are measured between probes, too.
static void a_probe_on_a_slow_device_is_marked(void **state) {
    static const char probe[] = "submit.free/probe/k=3/wg=1x1x1";
    struct fixture *f = *state;
    struct record record = point_at(f, probe, NULL, 0, 1);
    assert_true(record.clock_probes.count > 1 && !record.throttled && record.drift == 1);
    record = point_at(f, probe, (const double[]){1, 1, 1}, 3, 1.5);
    assert_true(record.throttled && record.drift == 1.5);
}

// Only a part of the scalar reference is timed if all of it would take too long.
static void a_reference_that_is_scaled_up_is_marked(void **state) {
    struct fixture *f = *state;
    struct record record = go(f, "matmul.naive_row_y/f32/m=256,n=256,k=256/wg=16x16x1");
    assert_true(record.reference.extrapolated && record.reference.scale > 1);
    record = go(f, "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1");
    assert_true(!record.reference.extrapolated && record.reference.scale == 1);
    assert_true(record.reference.ns > 0);
}

// A point's memory excludes earlier points and the launches waiting beside it.
static void memory_is_the_point_s_own(void **state) {
    struct fixture *f = *state;
    const char small[] = "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1";
    struct record alone = go(f, small), large = go(f, "relu.scalar/f32/n=1000003/wg=64x1x1,ITEMS=1"),
                  again = go(f, small);
    assert_true(alone.memory_used >= 8200 && large.memory_used >= alone.memory_used + 7900000);
    assert_int_equal(again.memory_used, alone.memory_used);
    assert_int_equal(again.memory_peak, alone.memory_peak);
    struct error err = {0};
    struct point both[2];
    size_t lost;
    struct record records[2];
    static const char *const names[] = {
        "fma.two_pass/f32/n=65536/wg=64x1x1,ITEMS=1,WIDTH=1", "fma.two_pass/f32/n=65536/wg=128x1x1,ITEMS=1,WIDTH=1"};
    for (int i = 0; i < 2; i++)
        if (!point_parse(&f->arena, &f->kernels, names[i], &both[i], &err)) fail_msg("%s", err.text);
    assert_true(runner_points(f->runner, both, 2, &f->arena, records, &lost, NULL, NULL));
    assert_true(records[0].memory_used >= 5 * 65536 * 4); // three operands, the result, and the data between the passes
    assert_int_equal(records[1].memory_used, records[0].memory_used);
    assert_int_equal(records[1].memory_peak, records[0].memory_peak);
}

// Notes the point whose shaders were begun first.
static void note_first(void *user, size_t index) {
    size_t *first = user;
    if (*first == SIZE_MAX) *first = index;
}

static void ignore(void *user, size_t index) {
    (void)user, (void)index;
}

// Devices at work at once begin with different shaders, so each finds the others' builds.
static void building_begins_where_it_is_told(void **state) {
    static const char *const names[] = {"relu.scalar/f32/n=9/wg=64x1x1,ITEMS=1", "exp.scalar/f32/n=9/wg=64x1x1,ITEMS=1",
        "silu.scalar/f32/n=9/wg=64x1x1,ITEMS=1", "copy.scalar/f32/n=9/wg=64x1x1,ITEMS=1"};
    static const double from[] = {0, 0.5, 0.75};
    struct fixture *f = *state;
    struct point points[4];
    struct record lost;
    needs_hardware(f->runner, "Vulkan device");
    for (int i = 0; i < 4; i++) {
        struct error err = {0};
        if (!point_parse(&f->arena, &f->kernels, names[i], &points[i], &err)) fail_msg("%s", err.text);
    }
    parallel_limit(1);
    for (int i = 0; i < 3; i++) {
        size_t first = SIZE_MAX;
        const struct prefill_watch watch = {note_first, ignore, &first};
        workshop_close(f->runner->gpu, &f->runner->workshop);
        f->runner->options.build_from = from[i];
        assert_true(runner_prefill(f->runner, points, 4, &watch, &f->arena, &lost));
        assert_int_equal(first, (size_t)(4 * from[i]));
    }
    parallel_limit(0);
}

// A record has both ways of a point's operands, the second only if the device has host-visible memory.
static void operands_go_both_ways(void **state) {
    struct fixture *f = *state;
    struct buffer buffer;
    struct error err = {0};
    struct record r = go(f, "relu.scalar/f32/n=65537/wg=64x1x1,ITEMS=1");
    const bool has = buffer_create(f->runner->gpu, BUFFER_MAPPED, 4096, &buffer, &err);
    if (has) buffer_destroy(f->runner->gpu, &buffer);
    assert_true(r.time[FIGURE_HOST_WRITE].median > 0 && r.time[FIGURE_UPLOAD].median > 0);
    assert_int_equal(r.time[FIGURE_MAPPED_WRITE].samples > 0, has);
    if (f->runner->gpu && has && gpu_info(f->runner->gpu)->kind == DEVICE_CPU) // reading may be too slow elsewhere
        assert_true(r.time[FIGURE_MAPPED_READ].samples > 0);
    struct json_object *json = record_to_json(&r, false);
    assert_int_equal(json_get(json_get(json, "time"), "mapped_write") != NULL, has);
    json_object_put(json);
}

// ---- energy

// A counter like RAPL's, of a device that takes 4 W. It wraps at 5 J, within the measured second.
enum { WATTS = 4 };
static const double range_uj = 5e6, begins_uj = 4.5e6;
struct counter {
    char folder[64], path[128], next[128];
    atomic_bool stop;
    pthread_t thread;
};

static void write_count(const char *path, double value) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%.0f\n", value);
    fclose(file);
}

static void *count(void *user) {
    struct counter *c = user;
    const int64_t start = clock_ns();
    do {
        write_count(c->next, fmod(begins_uj + 1e-3 * WATTS * (double)(clock_ns() - start), range_uj));
        rename(c->next, c->path); // a reader finds the whole value, or the one before
        usleep(1000);
    } while (!atomic_load(&c->stop));
    return NULL;
}

static void open_counter(struct counter *c) {
    char path[128];
    *c = (struct counter){.folder = "/tmp/vkassay-energy-XXXXXX"};
    assert_non_null(mkdtemp(c->folder));
    snprintf(path, sizeof path, "%s/intel-rapl:0", c->folder);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(path, sizeof path, "%s/intel-rapl:0/max_energy_range_uj", c->folder);
    write_count(path, range_uj);
    snprintf(c->path, sizeof c->path, "%s/intel-rapl:0/energy_uj", c->folder);
    snprintf(c->next, sizeof c->next, "%s/next", c->folder);
    write_count(c->path, begins_uj);
}

static void close_counter(struct counter *c) {
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", c->folder);
    assert_int_equal(system(command), 0);
}

static void energy_is_of_one_run_and_kept(void **state) {
    const char small[] = "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1", *why = NULL;
    struct fixture *f = *state;
    struct counter c;
    struct error err;
    needs_hardware(f->runner, "Vulkan device");
    open_counter(&c);
    f->runner->options.energy = true;
    f->runner->meter = energy_open_rapl(c.folder, &why);
    assert_non_null(f->runner->meter);
    assert_int_equal(pthread_create(&c.thread, NULL, count, &c), 0);
    struct record record = go(f, small);
    atomic_store(&c.stop, true);
    pthread_join(c.thread, NULL);
    assert_null(record.energy.why);
    assert_string_equal(record.energy.source, "rapl");
    assert_true(record.energy.watts > 0.8 * WATTS && record.energy.watts < 1.2 * WATTS);
    // Energy over power is the time of a run, with its share of a submission.
    const double run_ns = record.energy.joules / record.energy.watts * 1e9;
    assert_true(run_ns > 0.5 * record.time[FIGURE_COMPUTE].min && run_ns < 1e8);
    struct json_object *json = record_to_json(&record, false);
    struct record back;
    if (!record_from_json(&f->arena, json, &back, &err)) fail_msg("%s", err.text);
    assert_true(back.energy.joules == record.energy.joules && back.energy.watts == record.energy.watts);
    json_object_put(json);
    remove(c.path); // the counter is gone
    record = go(f, small);
    assert_true(isnan(record.energy.joules) && isnan(record.energy.watts));
    assert_string_equal(record.energy.why, "its counter could not be read");
    energy_close(f->runner->meter);
    f->runner->meter = NULL;
    f->runner->options.energy = false;
    close_counter(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slow_device_is_marked, open_device, close_device),
        cmocka_unit_test_setup_teardown(a_probe_on_a_slow_device_is_marked, open_device, close_device),
        cmocka_unit_test_setup_teardown(memory_is_the_point_s_own, open_device, close_device),
        cmocka_unit_test_setup_teardown(building_begins_where_it_is_told, open_device, close_device),
        cmocka_unit_test_setup_teardown(a_reference_that_is_scaled_up_is_marked, open_device, close_device),
        cmocka_unit_test_setup_teardown(operands_go_both_ways, open_device, close_device),
        cmocka_unit_test_setup_teardown(energy_is_of_one_run_and_kept, open_device, close_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
