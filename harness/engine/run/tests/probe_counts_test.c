// SPDX-License-Identifier: Apache-2.0
// What each probe does for a sample, in calls of Vulkan: submissions, buffers, pipelines and devices are its time on a
// clock of calls, and each submission has the commands that its name says.
#include "counting_vulkan.h"

#include "../../vulkan/internal.h"
#include "../runner.h"
#include "../../../record/record.h"
#include "../../../truth/stats/summary.h"
#include "probe_runner.h"

#include <math.h>
#include <stdlib.h>

static int open_runner(void **state) {
    return open_probes(state, false);
}

enum { S = SECONDS_OF_SUBMIT, B = SECONDS_OF_BUFFER, P = SECONDS_OF_PIPELINE, D = SECONDS_OF_DEVICE };

static const struct {
    const char *name;
    enum figure figure;
    double seconds;            // of one sample of that figure
    struct counted submission; // the commands of one of its submissions; none: all zero
} rows[] = {
    {"upload.staged/probe/bytes=4096", FIGURE_COMPUTE, S, {.copied = 4096}},
    {"upload.per_call/probe/bytes=4096", FIGURE_COMPUTE, S + B, {.copied = 4096}},
    {"upload.mapped/probe/bytes=4096", FIGURE_COMPUTE, 0, {0}},
    {"download.staged/probe/bytes=8192", FIGURE_COMPUTE, S, {.copied = 8192}},
    {"download.per_call/probe/bytes=8192", FIGURE_COMPUTE, S + B, {.copied = 8192}},
    {"download.mapped/probe/bytes=8192", FIGURE_COMPUTE, 0, {0}},
    {"create.device/probe/bytes=4096", FIGURE_COMPUTE, S, {.filled = 4096}},
    {"create.upload/probe/bytes=4096", FIGURE_COMPUTE, S, {.copied = 4096}},
    {"submit.each/probe/k=4", FIGURE_COMPUTE, S, {.dispatches = 1}},
    {"submit.queued/probe/k=4", FIGURE_COMPUTE, S, {.dispatches = 1}},
    {"submit.queued/probe/k=4", FIGURE_SUBMIT, S, {.dispatches = 1}},
    {"submit.free/probe/k=4", FIGURE_END_TO_END, S / 4.0, {.dispatches = 4}},
    {"submit.free/probe/k=4", FIGURE_SUBMIT, S, {.dispatches = 4}},
    {"submit.barriers/probe/k=4", FIGURE_END_TO_END, S / 4.0, {.dispatches = 4, .barriers = 4}},
    {"allocate.plain/probe/bytes=65536,n=16", FIGURE_COMPUTE, B, {0}},
    {"allocate.pool/probe/bytes=65536,n=16", FIGURE_COMPUTE, 0, {0}},
    {"pipeline.cold/probe/n=2", FIGURE_COMPUTE, P, {0}},
    {"pipeline.cached/probe/n=2", FIGURE_COMPUTE, P, {0}},
    {"pipeline.kept/probe/n=2", FIGURE_COMPUTE, 0, {0}},
    {"open.device/probe/n=2", FIGURE_COMPUTE, D, {0}},
    {"overlap.serial/probe/bytes=65536", FIGURE_COMPUTE, 2 * S, {.copied = 65536}},
    {"overlap.queues/probe/bytes=65536", FIGURE_COMPUTE, 2 * S, {.copied = 65536}},
    {"memory.ladder/probe/n=1", FIGURE_COMPUTE, B, {0}},
};

static bool any_command(const struct counted *c) {
    return c->dispatches || c->copied || c->filled;
}

// Counts the submissions with exactly these dispatches, copies and fills, and at least these barriers.
static int submissions_like(const struct counted *wanted, int *most_barriers) {
    int found = 0;
    *most_barriers = 0;
    for (int i = 0; i < counting.submitted_count; i++) {
        const struct counted *s = &counting.submitted[i];
        if (s->dispatches != wanted->dispatches || s->copied != wanted->copied || s->filled != wanted->filled ||
            s->barriers < wanted->barriers)
            continue;
        found++;
        if (s->barriers > *most_barriers) *most_barriers = s->barriers;
    }
    return found;
}

static void a_sample_takes_the_calls_of_its_probe(void **state) {
    int barriers, of_free = -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[100];
        snprintf(name, sizeof name, "%s/wg=1x1x1", rows[i].name);
        counting.submitted_count = 0;
        struct record record = run(state, name);
        if (record.status == RECORD_SKIP) continue; // the device lacks it; every_probe_runs names the reason
        if (record.status != RECORD_PASS) fail_msg("%s: %s", name, record.reason);
        const struct summary *time = &record.time[rows[i].figure];
        assert_true(time->samples >= 1);
        if (fabs(time->median * 1e-9 - rows[i].seconds) > 10)
            fail_msg("%s: a sample took %.9g, not %.9g", name, time->median * 1e-9, rows[i].seconds);
        if (!any_command(&rows[i].submission)) continue;
        if (submissions_like(&rows[i].submission, &barriers) < (int)time->samples)
            fail_msg("%s: no submission for each sample", name);
        if (strncmp(name, "submit.free", 11) == 0) of_free = barriers;
        if (strncmp(name, "submit.barriers", 15) == 0) assert_int_equal(barriers, of_free + 4);
    }
}

// Earlier work is done before a timestamp, and work after the first one does not start before it.
static void timestamps_are_between_barriers(void **state) {
    const struct fixture *f = *state;
    int found = 0;
    counting.submitted_count = 0;
    const struct record record = run(state, "submit.free/probe/k=4/wg=1x1x1");
    assert_int_equal(record.status, RECORD_PASS);
    for (int i = 0; i < counting.submitted_count; i++) {
        const char *order = counting.submitted[i].order, *first = strchr(order, '0'), *last = strchr(order, '1');
        if (!first || !last) continue;
        found++;
        if (first == order || first[-1] != 'B' || first[1] != 'B' || last[-1] != 'B' || first > last)
            fail_msg("%s", order);
    }
    assert_int_equal(found > 0, f->device.timestamp_bits > 0);
}

// Staging memory is made once, or for each call. Mapped memory needs none.
static void staging_is_made_as_often_as_its_way_says(void **state) {
    static const struct {
        const char *name;
        int once, per_sample; // buffers
    } ways[] = {{"upload.staged", 2, 0}, {"upload.per_call", 1, 1}, {"upload.mapped", 1, 0}, {"download.staged", 2, 0},
        {"download.per_call", 1, 1}, {"download.mapped", 1, 0}};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        char name[100];
        snprintf(name, sizeof name, "%s/probe/bytes=4096/wg=1x1x1", ways[w].name);
        counting.buffers_made = 0;
        const struct record record = run(state, name);
        if (record.status == RECORD_SKIP) continue; // every_probe_runs names the reason
        const int made = counting.buffers_made - ways[w].once, samples = (int)record.time[FIGURE_COMPUTE].samples;
        if (ways[w].per_sample ? made < samples : made != 0) fail_msg("%s: %d buffers", name, counting.buffers_made);
    }
}

// The device's memory is made before the staging. All bytes go from one to the other, between the timestamps.
static void transfers_go_their_way(void **state) {
    for (int in = 0; in < 2; in++) {
        counting.buffers_made = counting.submitted_count = 0;
        const struct record record =
            run(state, in ? "upload.staged/probe/bytes=4096/wg=1x1x1" : "download.staged/probe/bytes=4096/wg=1x1x1");
        assert_int_equal(record.status, RECORD_PASS);
        assert_true(counting.copy.from == counting.made[in] && counting.copy.to == counting.made[!in]);
        assert_true(
            counting.copy.region.size == 4096 && !counting.copy.region.srcOffset && !counting.copy.region.dstOffset);
        int copies = 0;
        for (int i = 0; i < counting.submitted_count; i++) {
            const char *order = counting.submitted[i].order, *copy = strchr(order, 'C');
            if (!copy) continue;
            const char *first = strchr(order, '0'), *last = strchr(order, '1');
            copies++;
            if (((const struct fixture *)*state)->device.timestamp_bits &&
                (!first || !last || first > copy || copy > last))
                fail_msg("%s", order);
        }
        assert_true(copies >= (int)record.time[FIGURE_COMPUTE].samples);
    }
}

// Shares of the link are reported where the link is known.
static void rates_are_shares_of_the_link(void **state) {
    static const struct host_link links[] = {{0}, {.gt_per_s = 16, .lanes = 4}};
    static const double link_bytes_per_s =
        16e9 / 8 * 4 * 128 / 130; // of PCI Express 4.0, by the specification's coding
    struct fixture *f = *state;
    needs_hardware(f->runner, "Vulkan device");
    struct host_link *link = &f->runner->gpu->info.link, kept = *link;
    for (int known = 0; known < 2; known++) {
        double rate = 0, of_link = 0, share = 0;
        *link = links[known];
        const struct record record = run(state, "upload.staged/probe/bytes=4096/wg=1x1x1");
        for (int i = 0; i < record.metric_count; i++) {
            const struct named_number *fact = &record.metrics[i];
            if (strcmp(fact->name, "bytes_per_s") == 0) rate = fact->value;
            if (strcmp(fact->name, "link_bytes_per_s") == 0) of_link = fact->value;
            if (strcmp(fact->name, "link_share") == 0) share = fact->value;
        }
        assert_true(fabs(rate / (4096 / record.time[FIGURE_COMPUTE].median * 1e9) - 1) < 1e-12);
        assert_true(known ? fabs(of_link / link_bytes_per_s - 1) < 1e-12 : of_link == 0);
        assert_true(known ? fabs(share / (rate / of_link) - 1) < 1e-12 : share == 0);
    }
    *link = kept;
}

// Without the fills, what the pool returns is not what was written.
static void contents_of_the_pool_are_compared(void **state) {
    counting.drop_fills = true;
    struct record record = run(state, "allocate.pool/probe/bytes=65536,n=8/wg=1x1x1");
    counting.drop_fills = false;
    assert_int_equal(record.status, RECORD_FAIL);
    assert_non_null(strstr(record.reason, "came back from the pool with other contents"));
    record = run(state, "allocate.pool/probe/bytes=65536,n=8/wg=1x1x1");
    assert_int_equal(record.status, RECORD_PASS);
}

// A CPU's timestamps are of the host. The device is made to be of each kind.
static void only_a_gpu_has_a_clock_of_its_own(void **state) {
    struct fixture *f = *state;
    needs_hardware(f->runner, "Vulkan device");
    struct device_info *info = &f->runner->gpu->info;
    const enum device_kind kept = info->kind, kinds[] = {DEVICE_CPU, DEVICE_DISCRETE, DEVICE_INTEGRATED, DEVICE_OTHER};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct error err = {0};
        info->kind = kinds[i];
        struct drift *drift = drift_open(&f->runner->device, &f->runner->options, &err);
        info->kind = kept;
        if (!drift) fail_msg("%s", err.text);
        assert_int_equal(drift->kernel.own_clock, info->timestamp_bits > 0 && kinds[i] != DEVICE_CPU);
        if (kinds[i] == DEVICE_CPU) assert_false(drift->kernel.reads_clock);
        drift_close(drift);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_takes_the_calls_of_its_probe),
        cmocka_unit_test(timestamps_are_between_barriers),
        cmocka_unit_test(staging_is_made_as_often_as_its_way_says),
        cmocka_unit_test(transfers_go_their_way),
        cmocka_unit_test(rates_are_shares_of_the_link),
        cmocka_unit_test(contents_of_the_pool_are_compared),
        cmocka_unit_test(only_a_gpu_has_a_clock_of_its_own),
    };
    return cmocka_run_group_tests(tests, open_runner, close_runner);
}
