// SPDX-License-Identifier: Apache-2.0
// Every probe on the best device. Run from the top of the repository.
#include "../../plan/probes.h"
#include "../pool.h"
#include "../run.h"
#include "../../../device/device_info.h"
#include "../../../../reference/table.h"
#include "../../../truth/stats/summary.h"
#include "../../../record/record.h"
#include "../../../record/terms.h"
#include "probe_runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int open_runner(void **state) {
    return open_probes(state, true);
}

static struct record passes(void **state, const char *name) {
    struct record record = run(state, name);
    if (record.status != RECORD_PASS) fail_msg("%s: %s: %s", name, record_status_name(record.status), record.reason);
    assert_string_equal(record.dtype, "probe");
    assert_true(record.time[FIGURE_COMPUTE].samples >= 3 && record.time[FIGURE_COMPUTE].median >= 0);
    assert_non_null(record.clock);
    return record;
}

static double fact(const struct record *record, const char *name) {
    for (int i = 0; i < record->metric_count; i++)
        if (strcmp(record->metrics[i].name, name) == 0) return record->metrics[i].value;
    fail_msg("%s has no fact %s", record->name, name);
    return NAN;
}

// Every probe of the table at some dims: it passes, or names a thing the device lacks.
static void every_probe_runs(void **state) {
    static const struct {
        const char *operator, * dims;
    } dims[] = {{"allocate", "bytes=65536,n=8"}, {"command", "bytes=4096"}, {"create", "bytes=4096"},
        {"download", "bytes=4096"}, {"memory", "n=1"}, {"offset", "n=1000,offset=0"}, {"open", "n=1"},
        {"overlap", "bytes=65536"}, {"pipeline", "n=2"}, {"shader", "n=2"}, {"submit", "k=3"},
        {"upload", "bytes=4096"}};
    for (size_t i = 0; i < probes()->count; i++) {
        const struct kernel *probe = probes()->items[i];
        char name[100] = "";
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
            if (strcmp(dims[d].operator, operator_name(probe->op)) == 0)
                snprintf(name, sizeof name, "%s/probe/%s/wg=1x1x1", probe->name, dims[d].dims);
        assert_true(name[0]);
        struct record record = run(state, name);
        if (record.status == RECORD_SKIP)
            assert_non_null(strstr(record.reason, "the device "));
        else
            passes(state, name);
    }
}

// The host's clock times the whole. The host's copy in it, and the device's by the GPU's timestamps, are separate
// figures.
static void a_staged_transfer_tells_its_copies_apart(void **state) {
    static const struct {
        const char *name;
        enum figure copy, by_host;
    } ways[] = {{"upload.staged", FIGURE_UPLOAD, FIGURE_HOST_WRITE},
        {"upload.per_call", FIGURE_UPLOAD, FIGURE_HOST_WRITE}, {"download.staged", FIGURE_DOWNLOAD, FIGURE_HOST_READ},
        {"download.per_call", FIGURE_DOWNLOAD, FIGURE_HOST_READ}};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s/probe/bytes=4194304/wg=1x1x1", ways[i].name);
        struct record r = passes(state, name);
        const struct summary *whole = &r.time[FIGURE_COMPUTE], *copy = &r.time[ways[i].copy],
                             *host = &r.time[ways[i].by_host];
        assert_int_equal(r.clock, CLOCK_HOST);
        assert_non_null(strstr(r.clock_why, "the copy in it is by the GPU's timestamps"));
        assert_true(host->samples == whole->samples && host->median > 0);
        if (!f->device.timestamp_bits) continue;
        assert_int_equal(copy->samples, whole->samples);
        assert_true(copy->median > 0 && copy->min + host->min <= whole->max);
        assert_true(4194304 / copy->median < 1e5); // bytes a nanosecond: it is only the copy
    }
    struct record mapped = run(state, "upload.mapped/probe/bytes=4194304/wg=1x1x1");
    if (mapped.status == RECORD_SKIP) return; // no such memory
    assert_int_equal(mapped.time[FIGURE_UPLOAD].samples, 0);
    assert_true(mapped.time[FIGURE_HOST_WRITE].samples > 0);
}

// probe_counts_test.c holds what each submission costs. Times of a busy machine cannot be compared.
static void many_in_one_submission_have_its_cost(void **state) {
    struct record many = passes(state, "submit.free/probe/k=16/wg=1x1x1");
    assert_true(many.time[FIGURE_SUBMIT].min > 0);
}

// The calls by themselves take the host less time than each call with its wait. All of them have one wait.
static void many_in_flight_are_waited_for_once(void **state) {
    struct record queued = passes(state, "submit.queued/probe/k=32/wg=1x1x1");
    assert_true(queued.time[FIGURE_SUBMIT].min > 0);
    assert_true(queued.time[FIGURE_SUBMIT].min <= queued.time[FIGURE_END_TO_END].max);
}

// A GPU's memory is filled until a block is refused; of a CPU's memory, shared by all, only a part is taken. There
// nothing is refused, so nothing is said of fragments.
static void half_of_equal_blocks_is_free_for_the_largest(void **state) {
    struct record record = passes(state, "memory.fragmented/probe/n=64/wg=1x1x1");
    struct fixture *f = *state;
    const double memory = (double)device_memory(&f->device), filled = fact(&record, "filled_bytes"),
                 buffers = fact(&record, "buffers"), held = fact(&record, "held_bytes");
    const double part = f->device.kind == DEVICE_CPU ? fmin(memory, 128 << 20) : memory;
    assert_true(fact(&record, "memory_bytes") == memory);
    assert_true(held == filled / buffers * floor(buffers / 2)); // equal blocks
    assert_true(fabs(filled / buffers - part / 64) <= 8);
    bool refused = false;
    for (int i = 0; i < record.metric_count; i++) refused |= strcmp(record.metrics[i].name, "asked_bytes") == 0;
    assert_true(refused == (buffers < 64));
    assert_true(!refused || fact(&record, "asked_bytes") <= 0.9 * (filled - held));
    assert_true(fact(&record, "largest_bytes") >= filled / buffers);
    if (!refused) assert_true(fabs(fact(&record, "largest_bytes") - 0.9 * (filled - held)) <= 8);
}

// The record has the point's allocations; the device no longer has them.
static void memory_is_in_the_record(void **state) {
    struct record record = passes(state, "command.copy/probe/bytes=1048576/wg=1x1x1");
    assert_true(record.memory_peak >= record.memory_used + 2097152);
    assert_true(record.bytes == 2097152);
}

// If the driver reports it: each pipeline was in the cache or was not.
static void what_the_cache_had_is_counted(void **state) {
    struct record record = passes(state, "pipeline.cached/probe/n=3/wg=1x1x1");
    double all = 0;
    for (int i = 0; i < record.metric_count; i++)
        if (strncmp(record.metrics[i].name, "cache_", 6) == 0) all += record.metrics[i].value;
    if (all == 0) not_run("driver: it does not tell what its cache had");
    assert_true(all >= 3 && fmod(all, 3) == 0);
}

static void offsets_follow_the_device(void **state) {
    struct fixture *f = *state;
    struct record record = run(state, "offset.copy/probe/n=256,offset=4/wg=1x1x1");
    bool legal = f->device.storage_alignment <= 4;
    assert_int_equal(record.status, legal ? RECORD_PASS : RECORD_SKIP);
    if (!legal) assert_non_null(strstr(record.reason, "minStorageBufferOffsetAlignment"));
}

static void a_refusal_holds_both_numbers(void **state) {
    struct record record = passes(state, "memory.ladder/probe/n=1/wg=1x1x1");
    double largest = fact(&record, "largest_bytes");
    assert_true(largest >= 1 << 20 && exp2(floor(log2(largest))) == largest);
    assert_true(fact(&record, "requested_bytes") > fact(&record, "available_bytes"));
    assert_true(fact(&record, "available_bytes") >= largest);
}

// Sizes are uniform within an octave, so the next power of two is 4/3 of them on average.
static void a_pool_wastes_a_third(void **state) {
    struct record record = passes(state, "allocate.pool/probe/bytes=1048576,n=64/wg=1x1x1");
    double waste = fact(&record, "waste");
    assert_true(waste > 1.25 && waste < 1.42);
    assert_true(fact(&record, "hit_rate") > 0.5 && fact(&record, "hit_rate") < 1);
    assert_true(fact(&record, "allocations") < fact(&record, "requests"));
}

static void a_pool_gives_back_what_fits(void **state) {
    struct fixture *f = *state;
    struct error err = {0};
    struct buffer first, second, larger;
    struct pool *pool = calloc(1, sizeof *pool);
    struct gpu *gpu = f->runner ? gpu_open(&f->device, &(struct gpu_options){0}, &err) : NULL;
    needs_hardware(f->runner, "Vulkan device");
    assert_non_null(gpu);
    assert_true(pool_take(pool, gpu, 1000, &first, &err));
    assert_int_equal(first.bytes, 1024);
    const struct buffer_handle *handle = first.handle;
    pool_give(pool, gpu, &first);
    assert_true(pool_take(pool, gpu, 1025, &larger, &err));
    assert_int_equal(larger.bytes, 2048);
    assert_true(pool_take(pool, gpu, 513, &second, &err));
    assert_true(second.handle == handle && second.bytes == 1024);
    assert_int_equal(pool->hits, 1);
    assert_int_equal(pool->requests, 3);
    pool_give(pool, gpu, &larger);
    pool_give(pool, gpu, &second);
    pool_close(pool, gpu);
    assert_int_equal(gpu_memory_used(gpu), 0);
    gpu_close(gpu);
    free(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_probe_runs),
        cmocka_unit_test(a_staged_transfer_tells_its_copies_apart),
        cmocka_unit_test(many_in_one_submission_have_its_cost),
        cmocka_unit_test(many_in_flight_are_waited_for_once),
        cmocka_unit_test(half_of_equal_blocks_is_free_for_the_largest),
        cmocka_unit_test(memory_is_in_the_record),
        cmocka_unit_test(what_the_cache_had_is_counted),
        cmocka_unit_test(offsets_follow_the_device),
        cmocka_unit_test(a_refusal_holds_both_numbers),
        cmocka_unit_test(a_pool_wastes_a_third),
        cmocka_unit_test(a_pool_gives_back_what_fits),
    };
    return cmocka_run_group_tests(tests, open_runner, close_runner);
}
