// SPDX-License-Identifier: Apache-2.0
// The record of an exhaustive point from its pieces: facts of memory, and the piece of the replay line.
#include "../exhaustive_parts.h"
#include "../inputs/problem_data.h"

#include "../../../../reference/table.h"
#include "../../../../reference/tests/unit.h"
#include "../../plan/point.h"

#include <string.h>

enum { PIECES = 3, PIECE_INPUTS = 10, INPUTS = 25, FIRST = 100 };

struct made_pieces {
    struct arena arena;
    struct kernel kernel;
    struct point point;
    struct built built;
    struct piece all[PIECES];
    struct record record;
};

// Sums up three pieces of 10, 10 and 5 inputs, without a judged output. Bits of `failed` are pieces that failed.
static void sum_up(struct made_pieces *m, int failed) {
    *m = (struct made_pieces){.built = {.policy = {.rte = true, .denorms = true}}};
    m->kernel = (struct kernel){.name = "relu.x", .op = operator_named("relu")};
    m->point = (struct point){.kernel = &m->kernel, .dtype = DTYPE_F32, .inputs_first = FIRST, .inputs_count = INPUTS};
    const struct pieces pieces = {
        .point = &m->point, .built = &m->built, .seed = 7, .n = PIECE_INPUTS, .count = PIECES, .all = m->all};
    for (int i = 0; i < PIECES; i++) {
        judge_start(&m->all[i].judgement, PIECE_INPUTS);
        m->all[i].record.check.guards_intact = m->all[i].record.check.inputs_intact = true;
        m->all[i].record.check.same_bits = true;
        m->all[i].record.check.output_hash = (uint64_t)i + 1;
        if (!(failed >> i & 1)) continue;
        m->all[i].record.status = RECORD_FAIL;
        m->all[i].record.reason = i == 0 ? "zero" : i == 1 ? "one" : "two";
        m->all[i].record.check.guards_intact = i != 0;
        m->all[i].record.check.inputs_intact = i != 1;
        m->all[i].record.check.same_bits = i != 2;
    }
    exhaustive_sum(&pieces, &m->arena, &m->record);
}

static void the_replay_is_of_the_first_failed_piece(void **state) {
    static const struct {
        int failed, piece;
        const char *reason;
        uint64_t first, count;
    } rows[] = {{1, 0, "zero", 100, 10}, {2, 1, "one", 110, 10}, {4, 2, "two", 120, 5}, {6, 1, "one", 110, 10},
        {7, 0, "zero", 100, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made_pieces m;
        sum_up(&m, rows[i].failed);
        struct point piece = m.point;
        piece.inputs_first = rows[i].first, piece.inputs_count = rows[i].count;
        point_name(&m.arena, &piece);
        assert_string_equal(m.record.replay, point_replay(&m.arena, &piece, 7));
        assert_int_equal(m.record.status, RECORD_FAIL);
        assert_string_equal(m.record.reason, rows[i].reason);
        assert_int_equal(m.record.check.guards_intact, !(rows[i].failed & 1));
        assert_int_equal(m.record.check.inputs_intact, !(rows[i].failed & 2));
        assert_int_equal(m.record.check.same_bits, !(rows[i].failed & 4));
        arena_free(&m.arena);
    }
}

static void a_right_point_has_its_range_and_no_replay(void **state) {
    struct made_pieces m;
    sum_up(&m, 0);
    assert_int_equal(m.record.status, RECORD_PASS);
    assert_null(m.record.replay);
    assert_int_equal(m.record.exhaustive.first, FIRST);
    assert_int_equal(m.record.exhaustive.last, FIRST + INPUTS - 1);
    assert_int_equal(m.record.exhaustive.inputs, INPUTS);
    assert_true(m.record.check.rte && !m.record.check.specials && m.record.check.denorms);
    assert_true(m.record.check.guards_intact && m.record.check.inputs_intact && m.record.check.same_bits);
    arena_free(&m.arena);
}

// A piece of one block and one input: each input is judged, and those beyond the last one are not.
static void each_input_is_judged(void **state) {
    enum { BLOCK_AND_ONE = 8193 };
    static float x[BLOCK_AND_ONE + 10], y[BLOCK_AND_ONE + 10];
    struct made_pieces m;
    sum_up(&m, 0);
    m.point.inputs_first = 0x3f800000; // from 1 on
    m.point.inputs_count = BLOCK_AND_ONE;
    struct problem problem;
    const struct pieces pieces = {
        .point = &m.point, .built = &m.built, .problem = &problem, .n = BLOCK_AND_ONE + 10, .count = 1, .all = m.all};
    problem = (struct problem){.op = m.kernel.op,
        .dtype = DTYPE_F32,
        .operand_count = 2,
        .operands = {{.dtype = DTYPE_F32, .role = ROLE_IN, .elements = BLOCK_AND_ONE + 10, .image = x},
            {.dtype = DTYPE_F32, .role = ROLE_OUT, .elements = BLOCK_AND_ONE + 10, .got = y}}};
    problem.dims[0] = BLOCK_AND_ONE + 10;
    m.kernel.arithmetic = DTYPE_F32;
    exhaustive_fill(&pieces, &problem, 0);
    assert_true(x[0] == 1 && x[1] == 1 + 0x1p-23f && x[BLOCK_AND_ONE + 9] == 1 + (BLOCK_AND_ONE + 9) * 0x1p-23f);
    static const int places[] = {-1, 0, 1, 4096, BLOCK_AND_ONE - 2, BLOCK_AND_ONE - 1, BLOCK_AND_ONE};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const bool judged = places[p] >= 0 && places[p] < BLOCK_AND_ONE;
        for (int i = 0; i < BLOCK_AND_ONE + 10; i++) y[i] = i == places[p] ? -1 : x[i];
        exhaustive_judge(&pieces, &problem, 0);
        assert_int_equal(m.all[0].judgement.failures, judged);
        assert_int_equal(m.all[0].judgement.checked, BLOCK_AND_ONE);
        if (judged) assert_int_equal(m.all[0].judgement.worst.index, places[p]);
    }
    y[1] = -1;
    exhaustive_judge(&pieces, &problem, 0);
    m.record = (struct record){.status = RECORD_PASS};
    exhaustive_sum(&pieces, &m.arena, &m.record);
    assert_int_equal(m.record.status, RECORD_FAIL);
    if (!strstr(m.record.reason, "1 of 8193 checked inputs give a wrong y") ||
        !strstr(m.record.reason, "got -1, want 1.00000012"))
        fail_msg("%s", m.record.reason);
    arena_free(&m.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_input_is_judged),
        cmocka_unit_test(the_replay_is_of_the_first_failed_piece),
        cmocka_unit_test(a_right_point_has_its_range_and_no_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
