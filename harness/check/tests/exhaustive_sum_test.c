// SPDX-License-Identifier: Apache-2.0
// The record of an exhaustive point from its pieces: facts of memory, and the piece of the replay line.
#include "../exhaustive_parts.h"

#include "../../../reference/table.h"
#include "../../../reference/tests/unit.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_replay_is_of_the_first_failed_piece),
        cmocka_unit_test(a_right_point_has_its_range_and_no_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
