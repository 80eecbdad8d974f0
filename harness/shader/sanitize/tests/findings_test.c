// SPDX-License-Identifier: Apache-2.0
// Faults in logs written by hand: which accesses meet, where, and the sentence about it.
#include "../findings.h"

#include "../../../../reference/tests/unit.h"

#include <string.h>

enum { SITE_BITS = 5, SHIFT = 2, MOST_STEPS = 12, MOST_LOCALS = 4, ROWS = MOST_STEPS + 2 };

// The sites of all logs here.
enum { READ, WRITE, TILE_READ, TILE_WRITE, ADD, BARRIER, STORAGE_BARRIER, OTHER_BARRIER, WIDE_WRITE, SET_READ, SITES };
#define IN_X .space = 1, .bytes = 4, .name = "x", .dims = {{32, 0}, {4, 8}}, .dim_count = 2, .file = ""
#define IN_TILE                                                                                                        \
    .bytes = 4, .name = "tile", .dims = {{4, 16}}, .dim_count = 1, .origin = 16, .first = 16, .end = 80, .file = ""
static struct site sites[SITES] = {
    [READ] = {.kind = SITE_READ, IN_X},
    [WRITE] = {.kind = SITE_WRITE, IN_X},
    [TILE_READ] = {.kind = SITE_READ, IN_TILE},
    [TILE_WRITE] = {.kind = SITE_WRITE, IN_TILE},
    [ADD] = {.kind = SITE_UPDATE, .space = 2, .bytes = 4, .name = "", .file = ""},
    [BARRIER] = {.kind = SITE_BARRIER, .name = "", .is_workgroup = true, .orders = {true, false}, .file = ""},
    [STORAGE_BARRIER] = {.kind = SITE_BARRIER, .name = "", .is_workgroup = true, .orders = {true, true}, .file = ""},
    [OTHER_BARRIER] = {.kind = SITE_BARRIER, .name = "", .is_workgroup = true, .orders = {true, true}, .file = ""},
    [WIDE_WRITE] =
        {.kind = SITE_WRITE, .space = 1, .bytes = 16, .name = "x", .dims = {{4, 0}}, .dim_count = 1, .file = ""},
    [SET_READ] = {.kind = SITE_READ, .bytes = 4, .name = "zeroed", .first = 80, .end = 96, .set = true, .file = ""},
};
static const struct sanitized module = {
    .sites = sites, .site_count = SITES, .coding = {SITE_BITS, SHIFT, false}, .shared_bytes = 96};

struct step {
    uint32_t site, address;
    bool outside;
};
#define END                                                                                                            \
    { SITES, 0, false }

// The actions of each invocation, by its number over all workgroups; END ends them.
struct road {
    uint32_t locals, groups;
    struct step steps[MOST_LOCALS][MOST_STEPS];
};

// Writes the rows as a run does: words of one invocation are `invocations` apart, and the first row counts them.
static struct dispatch_log log_of(const struct road *road, uint32_t rows[ROWS * MOST_LOCALS]) {
    const uint32_t invocations = road->locals * road->groups;
    memset(rows, 0, ROWS * MOST_LOCALS * sizeof *rows);
    for (uint32_t i = 0; i < invocations; i++)
        for (uint32_t s = 0; s < MOST_STEPS && road->steps[i][s].site < SITES; s++) {
            const struct step *step = &road->steps[i][s];
            const uint32_t number = step->outside ? step->address : step->address >> SHIFT;
            rows[(s + 1) * invocations + i] =
                step->site | (uint32_t)step->outside << SITE_BITS | number << (SITE_BITS + 1);
            rows[i] += invocations;
        }
    for (uint32_t i = 0; i < invocations; i++) rows[i] += i + 1;
    return (struct dispatch_log){.rows = rows,
        .row_count = ROWS,
        .invocations = invocations,
        .first_groups = road->groups,
        .module = &module,
        .locals = road->locals,
        .groups = road->groups,
        .slots = {{256, 0, NULL}, {64, 1024, "counts"}},
        .slot_count = 2};
}

static const struct {
    const char *text; // of the first finding; NULL: there is none
    int count;
    struct road road;
} cases[] = {
    // shared memory, in one workgroup
    {NULL, 0, {2, 1, {{{TILE_WRITE, 16, false}, END}, {{TILE_WRITE, 20, false}, END}}}},
    {"race in shared memory: invocation 0 of workgroup 0 writes tile[0], invocation 1 of workgroup 0 reads it, and no "
     "barrier orders them",
        1, {2, 1, {{{TILE_WRITE, 16, false}, END}, {{TILE_READ, 16, false}, END}}}},
    {"race in shared memory: invocation 0 of workgroup 0 writes tile[3], invocation 1 of workgroup 0 writes it, and no "
     "barrier orders them",
        1, {2, 1, {{{TILE_WRITE, 28, false}, END}, {{TILE_WRITE, 28, false}, END}}}},
    {NULL, 0,
        {2, 1,
            {{{TILE_WRITE, 16, false}, {BARRIER, 0, false}, END}, {{BARRIER, 0, false}, {TILE_READ, 16, false}, END}}}},
    {NULL, 0, {1, 1, {{{TILE_WRITE, 16, false}, {TILE_READ, 16, false}, END}}}},
    {"race in shared memory: invocation 0 of workgroup 0 reads tile[1], invocation 1 of workgroup 0 writes it, and no "
     "barrier orders them",
        1,
        {2, 1,
            {{{TILE_WRITE, 20, false}, {BARRIER, 0, false}, {TILE_READ, 20, false}, {BARRIER, 0, false},
                 {TILE_READ, 20, false}, END},
                {{BARRIER, 0, false}, {BARRIER, 0, false}, {TILE_WRITE, 20, false}, END}}}},
    {"invocation 1 of workgroup 0 reads tile[2], but its workgroup wrote nothing there before", 1,
        {2, 1, {{{TILE_WRITE, 20, false}, END}, {{TILE_READ, 24, false}, END}}}},
    {NULL, 0, {2, 1, {{{SET_READ, 84, false}, END}, {END}}}},
    // two workgroups have their own shared memory
    {"invocation 0 of workgroup 1 reads tile[0], but its workgroup wrote nothing there before", 1,
        {1, 2, {{{TILE_WRITE, 16, false}, END}, {{TILE_READ, 16, false}, END}}}},
    // storage
    {"race in storage: invocation 0 of workgroup 0 writes x[1][2], invocation 0 of workgroup 1 reads it, and nothing "
     "orders the workgroups",
        1, {1, 2, {{{WRITE, 40, false}, END}, {{READ, 40, false}, END}}}},
    {NULL, 0, {1, 2, {{{READ, 40, false}, END}, {{READ, 40, false}, END}}}},
    {NULL, 0,
        {2, 1,
            {{{WRITE, 40, false}, {STORAGE_BARRIER, 0, false}, END},
                {{STORAGE_BARRIER, 0, false}, {READ, 40, false}, END}}}},
    {"race in storage: invocation 0 of workgroup 0 writes x[1][2], invocation 1 of workgroup 0 reads it, and no "
     "barrier "
     "orders them",
        1, {2, 1, {{{WRITE, 40, false}, {BARRIER, 0, false}, END}, {{BARRIER, 0, false}, {READ, 40, false}, END}}}},
    {"race in storage: invocation 0 of workgroup 0 writes x[1][3], invocation 0 of workgroup 1 reads it, and nothing "
     "orders the workgroups",
        1, {1, 2, {{{WIDE_WRITE, 32, false}, END}, {{READ, 44, false}, END}}}},
    {"race in storage: invocation 0 of workgroup 0 reads x[11], invocation 0 of workgroup 1 writes it, and nothing "
     "orders "
     "the workgroups",
        1, {1, 2, {{{READ, 44, false}, END}, {{WIDE_WRITE, 32, false}, END}}}},
    {NULL, 0, {1, 2, {{{WIDE_WRITE, 32, false}, END}, {{READ, 48, false}, END}}}},
    {NULL, 0, {1, 2, {{{ADD, 8, false}, END}, {{ADD, 8, false}, END}}}},
    {NULL, 0, {1, 2, {{{WRITE, 8, false}, END}, {{ADD, 8, false}, END}}}}, // of other buffers
    // bounds
    {"invocation 0 of workgroup 0 reads x[8][0], but the buffer has 256 bytes (8 elements)", 1,
        {1, 1, {{{READ, 256, false}, END}}}},
    {NULL, 0, {1, 1, {{{READ, 252, false}, END}}}},
    {"invocation 0 of workgroup 0 writes x[64], but the buffer has 256 bytes (64 elements)", 1,
        {1, 1, {{{WIDE_WRITE, 244, false}, END}}}},
    {NULL, 0, {1, 1, {{{WIDE_WRITE, 240, false}, END}}}},
    {"invocation 0 of workgroup 0 writes tile[16], beyond the array's end", 1,
        {1, 1, {{{TILE_WRITE, 80, false}, END}}}},
    {"invocation 0 of workgroup 0 writes tile (its byte 12), beyond the array's end", 1,
        {1, 1, {{{TILE_WRITE, 12, false}, END}}}},
    {"invocation 1 of workgroup 0 writes index 20 of tile, outside the array", 1,
        {2, 1, {{END}, {{TILE_WRITE, 20, true}, END}}}},
    {"invocation 0 of workgroup 0 reads index -3 of x, but the buffer has 256 bytes (8 elements)", 1,
        {1, 1, {{{READ, (uint32_t)-3, true}, END}}}},
    {"invocation 0 of workgroup 0 atomically updates counts, but the buffer has 64 bytes", 1,
        {1, 1, {{{ADD, 64, false}, END}}}},
    // barriers
    {"invocation 0 of workgroup 0 comes to a barrier, but invocation 1 of workgroup 0 does not; 1 of the workgroup's 2 "
     "invocations do",
        1, {2, 1, {{{BARRIER, 0, false}, END}, {END}}}},
    {"invocation 0 of workgroup 0 comes to a barrier, but invocation 1 of workgroup 0 comes to another one", 1,
        {2, 1, {{{BARRIER, 0, false}, END}, {{OTHER_BARRIER, 0, false}, END}}}},
    {"invocation 0 of workgroup 1 comes to a barrier, but invocation 1 of workgroup 1 does not; 1 of the workgroup's 2 "
     "invocations do",
        1, {2, 2, {{{BARRIER, 0, false}, END}, {{BARRIER, 0, false}, END}, {{BARRIER, 0, false}, END}, {END}}}},
};

static void faults_of_logs_are_found(void **state) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint32_t rows[ROWS * MOST_LOCALS];
        struct arena arena = {0};
        struct findings findings;
        const struct dispatch_log log = log_of(&cases[c].road, rows);
        findings_make(&log, &findings);
        const char *text = findings.count ? finding_text(&arena, &log, &findings.items[0]) : "nothing";
        if (findings.count != cases[c].count || strcmp(text, cases[c].text ? cases[c].text : "nothing") != 0)
            fail_msg(
                "case %zu, %d findings\n    expected: %s\n    found:    %s", c, findings.count, cases[c].text, text);
        arena_free(&arena);
    }
}

// Equal sites are one finding, in either order. There is room for 16.
static void findings_are_counted(void **state) {
    struct findings all = {0};
    const struct finding one = {.kind = FINDING_RACE, .first = 1, .second = 2, .address = 4};
    const struct finding turned = {.kind = FINDING_RACE, .first = 2, .second = 1, .address = 8};
    const struct finding other = {.kind = FINDING_BOUNDS, .first = 1, .second = 2};
    const struct finding half = {.kind = FINDING_RACE, .first = 1, .second = 3};
    findings_add(&all, &one);
    findings_add(&all, &one);
    findings_add(&all, &turned);
    findings_add(&all, &other);
    findings_add(&all, &half);
    assert_int_equal(all.count, 3);
    assert_true(all.items[0].times == 3 && all.items[1].times == 1 && all.items[2].times == 1);
    assert_int_equal(all.items[0].address, 4);
    for (uint32_t i = 0; i < FINDINGS; i++) findings_add(&all, &(struct finding){.kind = FINDING_UNSET, .first = i});
    assert_int_equal(all.count, FINDINGS);
}

// An invocation without a log notes one access outside: 1 + its site, the address, and its number.
static void accesses_without_a_log_are_reported(void **state) {
    static const struct {
        uint32_t looked[3];
        const char *text;
    } rows[] = {
        {{1 + READ, 260, 7}, "invocation 1 of workgroup 3 reads x[8][1], but the buffer has 256 bytes (8 elements)"},
        {{1 + (TILE_WRITE | 1u << SITE_BITS), 19, 4},
            "invocation 0 of workgroup 2 writes index 19 of tile, outside the array"},
        {{0, 260, 7}, "nothing"},
        {{1 + SITES, 260, 7}, "nothing"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        static const struct road road = {2, 1, {{END}, {END}}};
        uint32_t words[ROWS * MOST_LOCALS];
        struct arena arena = {0};
        struct findings findings;
        struct dispatch_log log = log_of(&road, words);
        memcpy(log.looked, rows[r].looked, sizeof log.looked);
        findings_make(&log, &findings);
        assert_string_equal(findings.count ? finding_text(&arena, &log, &findings.items[0]) : "nothing", rows[r].text);
        arena_free(&arena);
    }
}

// Workgroups behind those left out have their own numbers.
static void workgroups_left_out_are_counted(void **state) {
    static const struct road road = {1, 2, {{END}, {{READ, 256, false}, END}}};
    uint32_t words[ROWS * MOST_LOCALS];
    struct arena arena = {0};
    struct findings findings;
    struct dispatch_log log = log_of(&road, words);
    log.first_groups = 1;
    log.left_out = 40;
    findings_make(&log, &findings);
    assert_int_equal(findings.count, 1);
    assert_string_equal(finding_text(&arena, &log, &findings.items[0]),
        "invocation 0 of workgroup 41 reads x[8][0], but the buffer has 256 bytes (8 elements)");
    arena_free(&arena);
}

// Later accesses of the other invocations are no findings: they come to a barrier, and one reads unwritten memory.
static void an_invocation_that_the_driver_stopped_is_told(void **state) {
    static const struct road road = {2, 2,
        {{{BARRIER, 0, false}, END}, {{BARRIER, 0, false}, END}, {{BARRIER, 0, false}, END},
            {{BARRIER, 0, false}, {TILE_READ, 16, false}, END}}};
    uint32_t words[ROWS * MOST_LOCALS];
    struct arena arena = {0};
    struct findings findings;
    struct dispatch_log log = log_of(&road, words);
    words[2] = 0;
    findings_make(&log, &findings);
    assert_int_equal(findings.count, 1);
    assert_string_equal(finding_text(&arena, &log, &findings.items[0]),
        "invocation 0 of workgroup 1 did not come to its end: the "
        "driver stopped it, perhaps at a barrier that others skip");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_logs_are_found),
        cmocka_unit_test(findings_are_counted),
        cmocka_unit_test(accesses_without_a_log_are_reported),
        cmocka_unit_test(workgroups_left_out_are_counted),
        cmocka_unit_test(an_invocation_that_the_driver_stopped_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
