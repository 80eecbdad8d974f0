// SPDX-License-Identifier: Apache-2.0
// Judging and memory checks without a device: operands, read-back data and truth are made up.
#include "../check_parts.h"
#include "../../../record/record.h"
#include "../../../../reference/operator.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The operands: one input and two outputs of N elements. The last output has no whole number of words.
enum { N = 120000, RANGE = 64, GUARD = GUARD_BYTES, SCRATCH = 256, RUN = 2 };
static const struct op op = {.dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .specials = true}, {"y", .role = ROLE_OUT, .shape = {"n"}},
        {"z", .role = ROLE_OUT, .shape = {"n"}}}};

static const struct guard_form any;

struct world {
    struct arena arena;
    struct problem problem;
    struct kernel kernel;
    struct point point;
    struct launch launch;
    struct truth truth;
    struct check_request request;
    struct record record;
    float x[N], y[N], z[N];
    unsigned char *back;
    uint32_t *scratch_guards;
};

static unsigned char *span(struct world *w, int i) {
    return w->back + w->problem.operands[i].staging;
}

// Lays out what a correct run leaves: intact guards, unchanged inputs, the kept outputs, scratch guards of one word.
static void lay_out(struct world *w) {
    float *const data[] = {w->x, w->y, w->z};
    for (int i = 0; i < 3; i++) {
        struct operand_data *o = &w->problem.operands[i];
        uint32_t run = o->role == ROLE_IN ? GUARD_RUN_INPUTS : RUN;
        uint64_t after = GUARD + o->bytes;
        guard_fill(span(w, i), GUARD, run, (uint32_t)i * 2, any);
        memcpy(span(w, i) + GUARD, data[i], o->bytes);
        guard_fill(span(w, i) + after, operand_span(&w->problem, o) - after, run, (uint32_t)i * 2 + 1, any);
    }
    for (int i = 0; i < 2 * GUARD / 4; i++) w->scratch_guards[i] = check_scratch_word(RUN, 0);
    w->record = (struct record){.check = {.guards_intact = true, .inputs_intact = true, .same_bits = true}};
}

// Samples every third range, and the last one.
static void make_truth(struct world *w) {
    w->truth.output_count = 2;
    for (int i = 0; i < 2; i++) {
        struct truth_output *out = &w->truth.outputs[i];
        size_t most = N / RANGE;
        *out = (struct truth_output){.operand = i + 1,
            .ranges = arena_alloc(&w->arena, most, sizeof *out->ranges),
            .offsets = arena_alloc(&w->arena, most, sizeof *out->offsets),
            .want = arena_alloc(&w->arena, N, sizeof(double)),
            .magnitude = arena_alloc(&w->arena, N, sizeof(double)),
            .bound = arena_alloc(&w->arena, N, sizeof(double))};
        for (int64_t r = 0; r < (int64_t)most; r++) {
            if (r % 3 && r + 1 < (int64_t)most) continue;
            out->offsets[out->range_count] = out->total;
            out->ranges[out->range_count++] = (struct range){r * RANGE, RANGE};
            for (int64_t k = 0; k < RANGE; k++, out->total++) {
                out->want[out->total] = (double)(i + 1) * (double)(r * RANGE + k + 1);
                out->bound[out->total] = 4;
            }
        }
    }
}

static int open_world(void **state) {
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    struct problem *p = &w->problem;
    *p = (struct problem){.op = &op, .dtype = DTYPE_F32, .operand_count = 3, .guard = GUARD, .special_elements = 10};
    p->dims[0] = N;
    for (int i = 0; i < N; i++) {
        w->x[i] = (float)i;
        w->y[i] = (float)(i + 1);
        w->z[i] = 2 * (float)(i + 1);
    }
    float *const data[] = {w->x, w->y, w->z};
    uint64_t at = 0;
    for (int i = 0; i < 3; i++) {
        p->operands[i] = (struct operand_data){.dtype = DTYPE_F32,
            .role = op.operands[i].role,
            .elements = N,
            .bytes = N * sizeof(float) - (i == 2 ? 2 : 0),
            .extent = N * sizeof(float) - (i == 2 ? 2 : 0),
            .image = i ? NULL : w->x,
            .staging = at,
            .got = data[i]};
        at += operand_span(p, &p->operands[i]);
    }
    w->back = arena_alloc(&w->arena, at, 1);
    w->scratch_guards = arena_alloc(&w->arena, 2 * GUARD, 1);
    p->readback.host = w->back;
    w->kernel = (struct kernel){.op = &op, .arithmetic = DTYPE_F32, .scratch = {{.name = "partial"}}};
    w->point.kernel = &w->kernel;
    w->launch =
        (struct launch){.scratch_count = 1, .scratch_bytes = {SCRATCH}, .scratch_guards.host = w->scratch_guards};
    make_truth(w);
    w->request = (struct check_request){.problem = p,
        .launch = &w->launch,
        .truth = &w->truth,
        .point = &w->point,
        .policy = {.rte = true, .denorms = true},
        .packed = true};
    lay_out(w);
    return 0;
}

static int close_world(void **state) {
    struct world *w = *state;
    arena_free(&w->arena);
    free(w);
    return 0;
}

// ---- outputs

static void a_sample_is_counted_as_one(void **state) {
    struct world *w = *state;
    w->x[3] = NAN, w->x[5] = INFINITY, w->x[40] = NAN; // the last is beyond the special elements
    check_outputs(&w->request, RUN, &w->arena, &w->record);
    assert_int_equal(w->record.check.elements, 2 * N);
    assert_int_equal(w->record.check.checked, w->truth.outputs[0].total + w->truth.outputs[1].total - 2 * 2);
    assert_int_equal(w->record.check.excluded, 2 * 2);
    assert_int_equal(w->record.check.failures, 0);
    assert_int_equal(w->record.status, RECORD_PASS);
    assert_null(w->record.reason);
    int64_t judged = 0;
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) judged += w->record.check.histogram[i];
    assert_int_equal(judged, w->record.check.checked);
    w->request.policy.specials = true; // now they count
    check_outputs(&w->request, RUN, &w->arena, &w->record);
    assert_int_equal(w->record.check.excluded, 0);
}

// The worst element can be beyond the first block, and in either output.
static void the_worst_of_all_outputs_is_reported(void **state) {
    struct world *w = *state;
    const int wrong = N - 46; // in the last range
    for (int output = 1; output <= 2; output++) {
        float *y = output == 1 ? w->y : w->z, *other = output == 1 ? w->z : w->y, kept = y[wrong];
        y[wrong] *= 1 + 16 * 0x1p-23f;
        other[0] *= 1 + 2 * 0x1p-23f; // within its bound
        y[70] = -1;                   // outside the sample
        check_outputs(&w->request, RUN, &w->arena, &w->record);
        assert_int_equal(w->record.check.failures, 1);
        assert_int_equal(w->record.check.worst_index, wrong);
        assert_string_equal(w->record.check.worst_operand, output == 1 ? "y" : "z");
        assert_true(w->record.check.got == (double)y[wrong] && w->record.check.want == (double)kept);
        assert_true(w->record.check.worst_ratio > 1 && w->record.check.bound_ulp == 4);
        assert_int_equal(w->record.check.input_count, 1);
        assert_true(w->record.check.inputs[0].value == wrong);
        assert_int_equal(w->record.status, RECORD_FAIL);
        assert_int_equal(w->record.failed, CHECK_ULP);
        y[wrong] = kept, other[0] = (float)(3 - output), y[70] = (float)(71 * output);
        lay_out(w);
    }
}

// Without a judged element there is no worst one, and no inputs of it.
static void no_element_is_the_worst_of_none(void **state) {
    struct world *w = *state;
    for (int o = 0; o < 2; o++)
        for (int64_t i = 0; i < w->truth.outputs[o].total; i++) w->truth.outputs[o].bound[i] = INFINITY;
    w->record.check.input_count = 2; // of another point
    check_outputs(&w->request, RUN, &w->arena, &w->record);
    assert_true(w->record.check.checked == 0 && w->record.check.failures == 0);
    assert_int_equal(w->record.check.excluded, w->truth.outputs[0].total + w->truth.outputs[1].total);
    assert_true(w->record.check.worst_index < 0 && w->record.check.input_count == 0);
}

// The ULP of a sum is that of its terms' magnitude.
static void errors_are_in_ulp_of_the_magnitude(void **state) {
    struct world *w = *state;
    w->y[0] += 3 * 0x1p-3f; // of 1
    check_outputs(&w->request, RUN, &w->arena, &w->record);
    assert_int_equal(w->record.check.failures, 1);
    lay_out(w);
    w->truth.outputs[0].magnitude[0] = 0x1p20; // an ULP of 2^-3
    check_outputs(&w->request, RUN, &w->arena, &w->record);
    assert_int_equal(w->record.check.failures, 0);
    assert_true(w->record.check.max_ulp == 3);
}

// Each byte of the outputs counts, and the inputs do not.
static void the_hash_is_of_every_output(void **state) {
    struct world *w = *state;
    const uint64_t hash = check_hash(&w->problem);
    for (int i = 1; i < 3; i++) {
        unsigned char *got = w->problem.operands[i].got;
        const uint64_t bytes = w->problem.operands[i].bytes;
        for (uint64_t at = 0; at < bytes; at += at < 40 || at + 40 >= bytes ? 1 : 4099) {
            if (at > bytes - 40 - 4099 && at < bytes - 40) at = bytes - 40;
            got[at] ^= 1;
            if (check_hash(&w->problem) == hash) fail_msg("byte %llu of output %d", (unsigned long long)at, i);
            got[at] ^= 1;
        }
    }
    w->x[0]++;
    assert_true(check_hash(&w->problem) == hash);
}

static void what_holds_poison_was_never_written(void **state) {
    struct world *w = *state;
    for (uint64_t i = 0; i < 5; i++) {
        uint32_t word = poison_word(RUN, 1, 100 + i);
        memcpy(&w->y[100 + i], &word, 4); // outside the sample
    }
    w->y[0] = -1; // makes the output fail; only then are unwritten words counted
    check_outputs(&w->request, RUN, &w->arena, &w->record);
    assert_non_null(strstr(w->record.reason, "5 32-bit words of y were never written"));
    assert_int_equal(w->record.failed, CHECK_ULP | CHECK_UNWRITTEN);
    lay_out(w);
    check_outputs(&w->request, RUN + 1, &w->arena, &w->record); // another run has another poison
    assert_int_equal(w->record.failed, CHECK_ULP);
}

// Puts the poison of run 1 and of run RUN into word `i` of y, as if nothing had written it in either.
static void leave_unwritten(struct world *w, uint64_t i) {
    uint32_t first = poison_word(1, 1, i), second = poison_word(RUN, 1, i);
    memcpy(&w->y[i], &first, 4);
    memcpy(span(w, 1) + GUARD + 4 * i, &second, 4);
}

// A second run finds unwritten words outside the sample. Words that differ, or were written in one run, do not count.
static void what_holds_the_poison_of_two_runs_was_never_written(void **state) {
    struct world *w = *state;
    for (uint64_t i = 100; i < 105; i++) leave_unwritten(w, i);
    span(w, 1)[GUARD + 4 * 120] ^= 1;
    const uint32_t once = poison_word(RUN, 1, 130); // unwritten in one run, written in the other
    memcpy(span(w, 1) + GUARD + 4 * 130, &once, 4);
    check_second_run(&w->request, RUN, &w->arena, &w->record);
    assert_string_equal(w->record.reason, "5 32-bit words of y were never written");
    assert_int_equal(w->record.failed, CHECK_UNWRITTEN);
    assert_false(w->record.check.same_bits);
}

// If bits may differ anyway, two runs are not enough evidence for half a word; four are.
static void chance_is_ruled_out_where_bits_may_differ(void **state) {
    struct world *w = *state;
    for (uint32_t runs = 2; runs <= 4; runs++) {
        w->problem.operands[1].dtype = DTYPE_F16;
        uint32_t word = poison_word(1, 1, 50);
        memcpy((char *)w->y + 4 * 50 + 2, (char *)&word + 2, 2);
        struct held *held = held_start(&w->request);
        for (uint32_t run = 2; run <= runs; run++) {
            word = poison_word(run, 1, 50);
            memcpy(span(w, 1) + GUARD + 4 * 50 + 2, (char *)&word + 2, 2);
            held_note(held, &w->request, run);
        }
        lay_out(w);
        assert_int_equal(held_end(held, &w->request, false, &w->arena, &w->record), runs == 4);
        assert_int_equal(w->record.failed, runs == 4 ? CHECK_UNWRITTEN : 0);
        if (runs == 4) assert_string_equal(w->record.reason, "1 elements of y were never written");
    }
}

// ---- memory

static void every_byte_beside_an_operand_is_watched(void **state) {
    struct world *w = *state;
    check_memory(&w->request, RUN, &w->arena, &w->record);
    assert_int_equal(w->record.status, RECORD_PASS);
    for (int i = 0; i < 3; i++) {
        const struct operand_data *o = &w->problem.operands[i];
        const uint64_t end = operand_span(&w->problem, o);
        const uint64_t places[] = {0, GUARD - 1, GUARD + o->bytes, end - 1};
        for (size_t k = 0; k < 4; k++) {
            span(w, i)[places[k]] ^= 0x40;
            check_memory(&w->request, RUN, &w->arena, &w->record);
            assert_int_equal(w->record.failed, CHECK_GUARD);
            assert_false(w->record.check.guards_intact);
            assert_non_null(strstr(w->record.reason, k < 2 ? "wrote before operand" : "wrote past the end of operand"));
            assert_non_null(strstr(w->record.reason, op.operands[i].name));
            lay_out(w);
        }
    }
}

static void every_word_beside_scratch_is_watched(void **state) {
    struct world *w = *state;
    const int places[] = {0, GUARD / 4 - 1, GUARD / 4, 2 * GUARD / 4 - 1};
    for (size_t k = 0; k < 4; k++) {
        w->scratch_guards[places[k]]++;
        check_memory(&w->request, RUN, &w->arena, &w->record);
        assert_int_equal(w->record.failed, CHECK_GUARD);
        assert_string_equal(w->record.reason, "wrote outside scratch buffer partial");
        assert_false(w->record.check.guards_intact);
        lay_out(w);
    }
}

static void inputs_stay_as_they_are(void **state) {
    struct world *w = *state;
    const uint64_t places[] = {0, 2 * N, 4 * N - 1};
    for (size_t k = 0; k < 3; k++) {
        span(w, 0)[GUARD + places[k]] ^= 1;
        check_memory(&w->request, RUN, &w->arena, &w->record);
        assert_int_equal(w->record.failed, CHECK_INPUT);
        assert_string_equal(w->record.reason, "changed its input x");
        assert_false(w->record.check.inputs_intact);
        lay_out(w);
    }
}

// The last byte of the last output counts, though it is in no whole word.
static void a_second_run_has_the_same_bits(void **state) {
    struct world *w = *state;
    check_second_run(&w->request, 2, &w->arena, &w->record);
    assert_true(w->record.status == RECORD_PASS && w->record.check.same_bits);
    span(w, 2)[GUARD + w->problem.operands[2].bytes - 1] ^= 1;
    check_second_run(&w->request, 2, &w->arena, &w->record);
    assert_string_equal(w->record.reason, "a second run gave other bits in z");
    assert_int_equal(w->record.failed, CHECK_BITS);
    assert_false(w->record.check.same_bits);
    w->record = (struct record){.check.same_bits = true};
    w->kernel.nondeterministic = "a test";
    check_second_run(&w->request, 2, &w->arena, &w->record);
    assert_true(w->record.status == RECORD_PASS && !w->record.check.same_bits);
}

// The checked runs may have agreed by chance. The manifest says whether the last run may differ.
static void the_last_run_is_judged_as_the_manifest_says(void **state) {
    static const struct {
        const char *nondeterministic;
        float factor; // of one checked element
        const char *says;
    } rows[] = {{NULL, 1, NULL}, {NULL, 1 + 2 * 0x1p-23f, "its last timed run gave other bits than the checked one"},
        {"a test", 1, NULL}, {"a test", 1 + 2 * 0x1p-23f, NULL},
        {"a test", 1 + 16 * 0x1p-23f, "in its last timed run 1 of"}};
    struct world *w = *state;
    const uint64_t checked = check_hash(&w->problem);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        w->record = (struct record){.check = {.same_bits = true, .output_hash = checked}};
        w->kernel.nondeterministic = rows[i].nondeterministic;
        const float kept = w->y[7];
        w->y[7] *= rows[i].factor;
        check_last(&w->request, &w->arena, &w->record);
        w->y[7] = kept;
        assert_int_equal(w->record.status, rows[i].says ? RECORD_FAIL : RECORD_PASS);
        if (rows[i].says) assert_non_null(strstr(w->record.reason, rows[i].says));
        assert_int_equal(w->record.check.same_bits, rows[i].factor == 1);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
    const struct CMUnitTest tests[] = {TEST(a_sample_is_counted_as_one), TEST(the_worst_of_all_outputs_is_reported),
        TEST(no_element_is_the_worst_of_none), TEST(the_hash_is_of_every_output),
        TEST(errors_are_in_ulp_of_the_magnitude), TEST(what_holds_poison_was_never_written),
        TEST(what_holds_the_poison_of_two_runs_was_never_written), TEST(chance_is_ruled_out_where_bits_may_differ),
        TEST(every_byte_beside_an_operand_is_watched), TEST(every_word_beside_scratch_is_watched),
        TEST(inputs_stay_as_they_are), TEST(a_second_run_has_the_same_bits),
        TEST(the_last_run_is_judged_as_the_manifest_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
