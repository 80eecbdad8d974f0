// SPDX-License-Identifier: Apache-2.0
// Claims of suites/claims.json on made-up devices. A claim does not hold because of something that it does not name,
// and comes out either way.
#include "../claims.h"

#include "../../../device/device_info.h"
#include "../../../record/record.h"
#include "../../../record/result.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

enum { ROOM = 40 };

struct made_up {
    struct arena arena;
    struct record records[ROOM];
    struct device_info device;
    struct result result;
};

static struct summary around(double ns) {
    return (struct summary){.median = ns, .lo = ns, .hi = ns, .q1 = ns, .q3 = ns, .min = ns, .max = ns, .samples = 30};
}

static struct made_up *begin(enum device_kind kind) {
    static struct made_up m;
    m = (struct made_up){.device = {.name = "made up", .kind = kind}};
    m.result = (struct result){.records = m.records, .device = &m.device};
    return &m;
}

// Adds a passing record of the default shape, with compute and end-to-end times.
static struct record *add(struct made_up *m, const char *name, double ns, double end_to_end_ns) {
    assert_true(m->result.count < ROOM);
    struct record *r = &m->records[m->result.count++];
    *r = (struct record){.name = arena_format(&m->arena, "%s/wg=64x1x1", name), .case_length = strlen(name)};
    for (int i = 0; i < FIGURE_COUNT; i++) r->time[i] = summarize(NULL, 0);
    r->time[FIGURE_COMPUTE] = around(ns);
    r->time[FIGURE_END_TO_END] = around(end_to_end_ns);
    r->reference.ns = NAN;
    return r;
}

static void expect(struct made_up *m, const char *id, enum verdict_of_claim expected) {
    struct claims claims;
    struct error err;
    if (!claims_load(&m->arena, "suites/claims.json", &claims, &err)) fail_msg("%s", err.text);
    size_t i = 0;
    while (i < claims.count && strcmp(claims.items[i].id, id) != 0) i++;
    assert_true(i < claims.count);
    const size_t parts = claims.items[i].part_count;
    const struct claim_finding found = claim_decide(&claims.items[i], &m->result, &m->arena,
        arena_alloc(&m->arena, parts, sizeof found), arena_alloc(&m->arena, parts, sizeof(bool)));
    if (found.verdict != expected)
        fail_msg("%s: expected \"%s\", found \"%s\": %s", id, claim_verdict_name(expected),
            claim_verdict_name(found.verdict), found.reason ? found.reason : "");
    arena_free(&m->arena);
}

// Sizes that are no multiple of `of` take half as long again; products prefer 1024 to 1000 in any case.
static struct made_up *prefers_multiples(int of) {
    struct made_up *m = begin(DEVICE_DISCRETE);
    for (int more = 0; more < 64; more++) {
        static const int sizes[] = {0, 1, 4, 31, 32, 63};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (sizes[i] == more)
                add(m, arena_format(&m->arena, "silu.vec4/f32/n=%d", 1048576 + more), more % of ? 1500 : 1000, 1e6);
    }
    add(m, "matmul.blocked/f32/m=1024,n=1024,k=1024", 1000, 1e6)->flops = 2e9;
    add(m, "matmul.blocked/f32/m=1000,n=1000,k=1000", 1000, 1e6)->flops = 1e9;
    return m;
}

static void alignment_to_64_elements_is_not_that_to_a_vector(void **state) {
    expect(prefers_multiples(4), "C-TF-align64", CLAIM_FAILS);
    expect(prefers_multiples(64), "C-TF-align64", CLAIM_HOLDS);
}

// A device gives `given` of `asked` bytes in one buffer; 0: it refused no block.
static struct made_up *gives(double given, double asked) {
    struct made_up *m = begin(DEVICE_DISCRETE);
    struct record *r = add(m, "memory.fragmented/probe/n=256", 1000, 1e6);
    const struct named_number metrics[] = {
        {"largest_bytes", given}, {"filled_bytes", 2e9}, {"memory_bytes", 2e9}, {"asked_bytes", asked}};
    r->metric_count = asked > 0 ? 4 : 3;
    memcpy(r->metrics, metrics, sizeof metrics);
    return m;
}

static void fragments_may_matter_or_not(void **state) {
    expect(gives(9e8, 9e8), "C-TF-fragment", CLAIM_FAILS);
    expect(gives(9e8 / 4, 9e8), "C-TF-fragment", CLAIM_HOLDS);
    expect(gives(9e8, 0), "C-TF-fragment", CLAIM_OPEN);
}

// All of the table is calculated in `ns`, and takes `end_to_end_ns` with its transfers; a core needs 100 us.
static struct made_up *calculates(double ns, double end_to_end_ns) {
    static const char *const names[] = {"add.vec4/f32/n=1000000", "matmul.blocked/f32/m=2048,n=2048,k=2048",
        "sum.atomic/f32/n=16777216", "matmul.blocked/f32/m=4096,n=4096,k=4096"};
    struct made_up *m = begin(DEVICE_DISCRETE);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) add(m, names[i], ns, end_to_end_ns)->reference.ns = 1e5;
    return m;
}

static void a_speed_against_the_cpu_counts_the_transfers(void **state) {
    expect(calculates(1000, 150000), "C-TF-tab", CLAIM_FAILS);
    expect(calculates(1000, 1500), "C-TF-tab", CLAIM_HOLDS);
}

static void add_moved(struct made_up *m, const char *kernel, double n, double bytes, double bytes_per_s) {
    struct record *r = add(m, arena_format(&m->arena, "%s/f32/n=%.0f", kernel, n), bytes / bytes_per_s * 1e9, 1e6);
    r->bytes = bytes;
}

// Copies reach 1 TB/s at sizes that are not compared, as from a cache, else 100 GB/s. Random accesses have `random`.
static struct made_up *moves(enum device_kind kind, double random) {
    static const double sizes[] = {262147, 4194304, 16777216};
    struct made_up *m = begin(kind);
    add(m, "gather_stride.plain/f32/n=65536,stride=1", 1000, 1e6);
    add(m, "gather_stride.plain/f32/n=65536,stride=32", 3000, 1e6);
    add_moved(m, "copy.vec4", 1048576, 8 * 1048576.0, 1e12);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        add_moved(m, "gather_random.plain", sizes[i], 12 * sizes[i], random);
        add_moved(m, "scatter_random.plain", sizes[i], 12 * sizes[i], random);
    }
    add_moved(m, "copy.vec4", 393220, 8 * 393220.0, 1e11);
    add_moved(m, "copy.vec4", 25165824, 8 * 25165824.0, 1e11);
    return m;
}

static void random_accesses_are_compared_at_equal_bytes(void **state) {
    static const enum device_kind kinds[] = {DEVICE_DISCRETE, DEVICE_INTEGRATED, DEVICE_CPU};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        expect(moves(kinds[i], 1e11), "C-TS-coal", CLAIM_FAILS);
        expect(moves(kinds[i], 1e10), "C-TS-coal", CLAIM_HOLDS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignment_to_64_elements_is_not_that_to_a_vector),
        cmocka_unit_test(fragments_may_matter_or_not),
        cmocka_unit_test(a_speed_against_the_cpu_counts_the_transfers),
        cmocka_unit_test(random_accesses_are_compared_at_equal_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
