// SPDX-License-Identifier: Apache-2.0
#include "made_up.h"
#include "../../truth/stats/summary.h"

static struct search_finding search(struct made_up *m, const char *name, struct search_options options) {
    struct search_finding finding;
    const struct strategy *strategy = strategy_named(name);
    assert_non_null(strategy);
    strategy_search(strategy, &m->space, &options, &m->arena, &finding);
    size_t asked = 0;
    for (size_t i = 0; i < m->space.count; i++) asked += m->asked[i];
    assert_int_equal(asked, m->asks);
    return finding;
}

static bool is_tie_of(const struct search_finding *finding, int shape) {
    for (int i = 0; i < finding->tie_count; i++)
        if (finding->ties[i] == shape) return true;
    return false;
}

static void test_names(void **state) {
    assert_null(strategy_named("simplex"));
    for (const struct strategy *s = strategies; s->name; s++) assert_ptr_equal(strategy_named(s->name), s);
}

// Without noise and limit, every strategy finds the floor of a valley.
static void test_quiet_valley(void **state) {
    for (const struct strategy *s = strategies; s->name; s++) {
        struct made_up m;
        made_up_valley(&m, 6, 6, 4, 2, 0.05);
        struct search_finding finding = search(&m, s->name, (struct search_options){.seed = 3});
        assert_int_equal(finding.best, 2 * 6 + 4);
        assert_int_equal(finding.tie_count, 0);
        assert_true(finding.times[finding.best].median == 1000);
        assert_false(finding.stopped);
        assert_int_equal(finding.barred, 0);
        assert_int_equal(finding.samples, m.asks);
        // The runner-up is one of the four neighbours.
        assert_true(finding.runner_up != NOT_FOUND && finding.times[finding.runner_up].median == 1050);
        arena_free(&m.arena);
    }
}

// Runs 200 races among 36 shapes: 1 % of noise, 2 % of hiccups, steps of 2 %.
static void test_race_is_right_and_cheap(void **state) {
    int found = 0;
    size_t samples = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct made_up m;
        made_up_valley(&m, 6, 6, (int)(seed % 6), (int)(seed / 6 % 6), 0.02);
        m.noise = 0.01;
        m.hiccups = 0.02;
        m.random = seed;
        struct search_finding finding = search(&m, "race", (struct search_options){.seed = seed});
        assert_true(finding.best != NOT_FOUND);
        found += m.ns[finding.best] <= 1020;
        samples += finding.samples;
        arena_free(&m.arena);
    }
    assert_true(found >= 190);
    assert_true(samples < 200 * 36 * 20 / 5); // a fifth of 20 samples each
}

// In a large space most shapes are never asked, and the valley is found through neighbours.
static void test_race_in_a_large_space(void **state) {
    int found = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct made_up m;
        made_up_valley(&m, 32, 32, 20, 9, 0.03);
        m.noise = 0.005;
        m.random = seed;
        struct search_finding finding = search(&m, "race", (struct search_options){.seed = seed});
        found += m.ns[finding.best] <= 1000 * 1.061;
        assert_true(finding.tried < 200);
        arena_free(&m.arena);
    }
    assert_true(found >= 45);
}

static void test_ties_are_declared(void **state) {
    struct made_up m;
    made_up_valley(&m, 5, 1, 0, 0, 0.2);
    m.ns[3] = 1000;
    m.ns[4] = 1001; // 0.1 % under 1 % of noise
    m.noise = 0.01;
    struct search_finding finding = search(&m, "race", (struct search_options){.seed = 1});
    assert_true(finding.best == 0 || finding.best == 3 || finding.best == 4);
    assert_int_equal(finding.tie_count, 2);
    for (int i = 0; i < 5; i++) assert_int_equal(is_tie_of(&finding, i), i != finding.best && (i == 0 || i > 2));
    assert_true(finding.runner_up == 1);
    arena_free(&m.arena);
}

// The fastest shape gives wrong results: it is asked, barred and never asked again.
static void test_wrong_shapes_are_barred(void **state) {
    for (const struct strategy *s = strategies; s->name; s++) {
        struct made_up m;
        made_up_valley(&m, 6, 6, 4, 2, 0.05);
        m.wrong[16] = m.wrong[0] = true;
        struct search_finding finding = search(&m, s->name, (struct search_options){.seed = 5});
        assert_true(finding.best != NOT_FOUND && finding.best != 16 && m.ns[finding.best] == 1050);
        assert_true(finding.wrong[16] && finding.wrong[0]);
        assert_int_equal(finding.barred, 2);
        assert_true(m.asked[16] == 1 && m.asked[0] == 1);
        assert_false(is_tie_of(&finding, 16));
        arena_free(&m.arena);
    }
}

static void test_all_wrong(void **state) {
    for (const struct strategy *s = strategies; s->name; s++) {
        struct made_up m;
        made_up_valley(&m, 3, 3, 1, 1, 0.05);
        for (int i = 0; i < 9; i++) m.wrong[i] = true;
        struct search_finding finding = search(&m, s->name, (struct search_options){0});
        assert_true(finding.best == NOT_FOUND && finding.runner_up == NOT_FOUND && finding.tie_count == 0);
        assert_int_equal(finding.barred, 9);
        assert_int_equal(finding.samples, 0);
        arena_free(&m.arena);
    }
}

static void test_limits_are_kept(void **state) {
    for (const struct strategy *s = strategies; s->name; s++) {
        struct made_up m;
        made_up_valley(&m, 6, 6, 4, 2, 0.001);
        m.noise = 0.02;
        struct search_finding finding = search(&m, s->name, (struct search_options){.most_samples = 31});
        assert_int_equal(finding.samples, 31);
        assert_true(finding.stopped && finding.best != NOT_FOUND);
        arena_free(&m.arena);
        made_up_valley(&m, 6, 6, 4, 2, 0.001);
        m.stop_after = 17;
        finding = search(&m, s->name, (struct search_options){0});
        assert_true(finding.samples == 17 && finding.stopped && finding.best != NOT_FOUND);
        arena_free(&m.arena);
        made_up_valley(&m, 6, 6, 4, 2, 0.001);
        m.space.count = 0;
        finding = search(&m, s->name, (struct search_options){0});
        assert_true(finding.best == NOT_FOUND && finding.samples == 0);
        arena_free(&m.arena);
    }
}

// Shapes that were slow at other dims are not tried, except as neighbours of the best.
static void test_expectations_save_samples(void **state) {
    struct made_up m;
    made_up_valley(&m, 8, 8, 1, 1, 0.3);
    for (int i = 0; i < 64; i++) m.places[i].expected = m.ns[i] / 1000;
    struct search_finding finding = search(&m, "race", (struct search_options){.seed = 2});
    assert_int_equal(finding.best, 9);
    assert_true(finding.tried < 32);
    assert_int_equal(m.asked[63], 0);
    arena_free(&m.arena);
}

// A single slow sample does not drop the best shape: as a neighbour of the leader it gets another one.
static enum answer first_is_slow(void *user, size_t shape, double *ns) {
    struct made_up *m = user;
    enum answer answer = made_up_ask(user, shape, ns);
    if (shape == 14 && m->asked[14] == 1) *ns *= 4;
    return answer;
}
static void test_an_unlucky_best(void **state) {
    struct made_up m;
    made_up_valley(&m, 6, 6, 2, 2, 0.05);
    m.space.ask = first_is_slow;
    struct search_finding finding = search(&m, "race", (struct search_options){.seed = 4});
    assert_int_equal(finding.best, 14);
    arena_free(&m.arena);
}

// The shapes have equal times. Several reach the final, and are measured in full and further while noise hides the
// best, but not forever.
static void test_the_final_is_fair_and_ends(void **state) {
    struct made_up m;
    made_up_valley(&m, 6, 6, 0, 0, 0);
    m.noise = 0.05;
    struct search_finding finding = search(&m, "race", (struct search_options){.seed = 3});
    size_t full = 0, further = 0, most = 0;
    for (size_t i = 0; i < 36; i++) {
        full += m.asked[i] >= CASE_LEAST;
        further += m.asked[i] > CASE_LEAST;
        most = m.asked[i] > most ? m.asked[i] : most;
    }
    assert_true(full >= 2 && full <= 6);
    assert_true(further >= 2);
    assert_true(most <= 4 * CASE_LEAST);
    assert_false(finding.stopped);
    arena_free(&m.arena);
    made_up_valley(&m, 6, 6, 2, 2, 0.05); // a decided final takes no more samples
    m.noise = 0.001;
    finding = search(&m, "race", (struct search_options){.seed = 3});
    assert_true(finding.times[14].samples >= CASE_LEAST && finding.times[14].samples <= CASE_LEAST + 2);
    arena_free(&m.arena);
}

// A shape far above the leader is asked only once.
static void test_the_hopeless_are_asked_once(void **state) {
    struct made_up m;
    made_up_valley(&m, 6, 6, 0, 0, 1); // the next ones take twice as long, the last eleven times
    m.noise = 0.1;
    search(&m, "race", (struct search_options){.seed = 6});
    for (size_t i = 0; i < 36; i++)
        if (m.ns[i] >= 4000) assert_true(m.asked[i] == 1);
    arena_free(&m.arena);
}

// The default is among the first shapes in any space.
static void test_the_default_starts(void **state) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct made_up m;
        made_up_valley(&m, 32, 32, 20, 9, 0.03);
        search(&m, "race", (struct search_options){.seed = seed});
        assert_true(m.asked[0] > 0);
        arena_free(&m.arena);
    }
}

// Every strategy knows the time of the default, however soon the search is stopped.
static void test_the_default_is_asked_first(void **state) {
    for (const struct strategy *s = strategies; s->name; s++)
        for (size_t most = 1; most <= 2; most++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                struct made_up m;
                made_up_valley(&m, 12, 12, 2, 9, 0.03); // shape 0 is a system's
                m.places[77].standard = m.places[77].start = true;
                m.stop_after = most;
                struct search_finding finding = search(&m, s->name, (struct search_options){.seed = seed});
                assert_int_equal(finding.times[77].samples, m.asked[77]);
                assert_true(m.asked[77] >= 1 && finding.stopped && finding.tried <= most);
                if (most == 1) assert_int_equal(finding.best, 77);
                arena_free(&m.arena);
            }
    struct made_up m;
    made_up_valley(&m, 6, 6, 2, 2, 0.03);
    m.places[3].standard = true;
    search(&m, "exhaustive", (struct search_options){.least = 5});
    for (size_t i = 0; i < 36; i++) assert_int_equal(m.asked[i], 5); // the default no more often than others
    arena_free(&m.arena);
}

// The fastest shape is wrong in its third run, so its earlier times do not make it best.
static enum answer third_is_wrong(void *user, size_t shape, double *ns) {
    struct made_up *m = user;
    enum answer answer = made_up_ask(user, shape, ns);
    return shape == 14 && m->asked[14] == 3 ? ANSWER_WRONG : answer;
}
static void test_wrong_later_is_wrong(void **state) {
    struct made_up m;
    made_up_valley(&m, 6, 6, 2, 2, 0.05);
    m.space.ask = third_is_wrong;
    m.wrong[0] = true;
    for (int i = 1; i < 36; i++) m.wrong[i] = i != 14 && i != 15;
    struct search_finding finding = search(&m, "race", (struct search_options){.seed = 4, .least = 2});
    assert_int_equal(finding.best, 15);
    assert_true(finding.wrong[14]);
    arena_free(&m.arena);
}

// Expectations apply only to the same kernel and dtype.
static void test_families_are_told_apart(void **state) {
    static const char *const names[] = {"wg=64x1x1", "wg=128x1x1"};
    struct made_up m;
    struct arena arena = {0};
    struct model model = {.arena = &arena};
    struct summary times[] = {summarize((double[]){1000}, 1), summarize((double[]){1500}, 1)};
    bool wrong[2] = {false};
    struct search_finding finding = {.times = times, .wrong = wrong, .best = 0};
    made_up_valley(&m, 2, 1, 0, 0, 0.5);
    model_learn(&model, "add.vec4 f32", names, &m.space, &finding);
    model_expect(&model, "add.vec4 f32", names, &m.space);
    assert_true(m.places[0].expected == 1 && m.places[1].expected == 1.5);
    model_expect(&model, "add.vec4 f16", names, &m.space);
    assert_true(isnan(m.places[0].expected) && isnan(m.places[1].expected));
    arena_free(&arena);
    arena_free(&m.arena);
}

// The same seed makes the same requests.
static void test_repeats(void **state) {
    struct made_up a, b;
    made_up_valley(&a, 9, 9, 3, 3, 0.02);
    made_up_valley(&b, 9, 9, 3, 3, 0.02);
    a.noise = b.noise = 0.03;
    search(&a, "race", (struct search_options){.seed = 11});
    search(&b, "race", (struct search_options){.seed = 11});
    assert_memory_equal(a.asked, b.asked, sizeof a.asked);
    arena_free(&a.arena);
    arena_free(&b.arena);
}

// The seed is the only source of the order: the first three of 36 shapes asked at random.
static void test_the_seed_decides_the_order(void **state) {
    size_t first[4][36];
    for (uint64_t run = 0; run < 4; run++) { // seeds 1, 1, 2, 3
        struct made_up m;
        made_up_valley(&m, 6, 6, 4, 2, 0.05);
        const struct search_options options = {.seed = run ? run : 1, .most_samples = 30};
        search(&m, "random", options);
        memcpy(first[run], m.asked, sizeof first[run]);
        arena_free(&m.arena);
    }
    assert_memory_equal(first[0], first[1], sizeof *first);
    assert_true(memcmp(first[1], first[2], sizeof *first) != 0 || memcmp(first[1], first[3], sizeof *first) != 0);
}

// Under noise, no shape of a flat slope is clearly slower. The race ends among those that seem fastest, so most
// samples are of shapes near the floor.
static void test_the_final_is_among_the_fastest(void **state) {
    double sum = 0;
    size_t finals = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct made_up m;
        size_t most = 0;
        made_up_valley(&m, 20, 1, 0, 0, 0.002);
        m.noise = 0.02;
        m.random = seed + 1;
        search(&m, "race", (struct search_options){.seed = seed});
        for (size_t i = 0; i < 20; i++) most = m.asked[i] > most ? m.asked[i] : most;
        for (size_t i = 0; i < 20; i++)
            if (m.asked[i] * 2 > most) sum += (double)i, finals++;
        arena_free(&m.arena);
    }
    assert_true(finals >= 40 * 2);
    if (sum / (double)finals > 7.5) fail_msg("%g of 0 to 19", sum / (double)finals); // 9.5 at random
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_seed_decides_the_order),
        cmocka_unit_test(test_the_final_is_among_the_fastest),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_quiet_valley),
        cmocka_unit_test(test_race_is_right_and_cheap),
        cmocka_unit_test(test_race_in_a_large_space),
        cmocka_unit_test(test_ties_are_declared),
        cmocka_unit_test(test_wrong_shapes_are_barred),
        cmocka_unit_test(test_all_wrong),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_expectations_save_samples),
        cmocka_unit_test(test_an_unlucky_best),
        cmocka_unit_test(test_the_final_is_fair_and_ends),
        cmocka_unit_test(test_the_hopeless_are_asked_once),
        cmocka_unit_test(test_the_default_starts),
        cmocka_unit_test(test_the_default_is_asked_first),
        cmocka_unit_test(test_wrong_later_is_wrong),
        cmocka_unit_test(test_families_are_told_apart),
        cmocka_unit_test(test_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
