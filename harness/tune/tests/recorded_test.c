// SPDX-License-Identifier: Apache-2.0
// Recorded spaces: good and bad files, and strategies on spaces with the noise of a quiet GPU.
#include "made_up.h"

#include "../../base/file.h"
#include "../../base/text.h"
#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../recorded.h"

#include <stdio.h>
#include <unistd.h>

struct files {
    struct arena arena;
    struct error err;
    char path[64];
};

static int set_up(void **state) {
    struct files *f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/vkassay-spaces-XXXXXX");
    int fd = mkstemp(f->path);
    *state = f;
    return fd < 0 || close(fd);
}

static int tear_down(void **state) {
    struct files *f = *state;
    unlink(f->path);
    arena_free(&f->arena);
    free(f);
    return 0;
}

static bool read_text(struct files *f, const char *text, struct recorded *out) {
    assert_true(file_write(f->path, text, strlen(text), &f->err));
    return recorded_read(f->path, &f->arena, out, &f->err);
}

static const char two_shapes[] = "{\"schema_version\": 1, \"device\": \"d\", \"driver\": \"v\", \"spaces\": "
                                 "[{\"case\": \"add.vec4/f32/n=64\", \"shapes\": ["
                                 "{\"shape\": \"wg=64x1x1,ITEMS=4\", \"start\": true, \"samples_ns\": [30, 10, 20]},"
                                 "{\"shape\": \"wg=32x1x1,ITEMS=1\", \"samples_ns\": [15.5]},"
                                 "{\"shape\": \"wg=256x1x1,ITEMS=1\", \"wrong\": true, \"samples_ns\": []}]}]}";

static void check_two_shapes(const struct recorded *r) {
    assert_int_equal(r->count, 1);
    const struct recorded_case *c = &r->cases[0];
    assert_string_equal(c->name, "add.vec4/f32/n=64");
    assert_string_equal(c->family, "add.vec4/f32");
    assert_int_equal(c->count, 3);
    assert_int_equal(c->samples, 4);
    assert_true(c->best == 15.5 && c->shapes[0].median == 20);
    assert_true(c->shapes[0].start && !c->shapes[1].start && c->shapes[2].wrong);
    assert_int_equal(c->axes, 4); // x, y, z and ITEMS
    assert_int_equal(c->places[0].step[0], 1);
    assert_int_equal(c->places[0].step[3], 1);
    assert_int_equal(c->places[1].step[0], 0);
    assert_int_equal(c->places[2].step[0], 2);
    assert_int_equal(c->places[2].step[1], 0);
}

static void test_read_and_write(void **state) {
    struct files *f = *state;
    struct recorded r;
    assert_true(read_text(f, two_shapes, &r));
    check_two_shapes(&r);
    assert_true(recorded_write(f->path, &r, &f->err));
    assert_true(recorded_read(f->path, &f->arena, &r, &f->err));
    check_two_shapes(&r);
}

static void test_bad_files(void **state) {
    struct files *f = *state;
    static const struct {
        const char *from, *to, *expected;
    } bad[] = {
        {"[15.5]", "[]", "at least one sample"},
        {"[15.5]", "[-1]", "above 0"},
        {"[15.5]", "[\"x\"]", "expected double"},
        {"\"wrong\": true", "\"worng\": true", "worng"},
        {"\"schema_version\": 1", "\"schema_version\": 2", "schema_version"},
        {"[15.5]}", "[15.5], \"wrong\": true}", "two shapes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct recorded r;
        struct text text = {0};
        const char *at = strstr(two_shapes, bad[i].from);
        assert_non_null(at);
        text_append_n(&text, two_shapes, (size_t)(at - two_shapes));
        text_append(&text, bad[i].to);
        text_append(&text, at + strlen(bad[i].from));
        assert_false(read_text(f, text_str(&text), &r));
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        if (!strstr(f->err.text, bad[i].expected)) fail_msg("%s: %s", bad[i].to, f->err.text);
        text_free(&text);
    }
}

// Steps are ranks of the values, at any place in the name.
static void test_places(void **state) {
    struct files *f = *state;
    static const char *const names[] = {"wg=8x8x1,TILE_K2=32", "wg=16x4x1,TILE_K2=8", "wg=32x8x1,TILE_K2=8"};
    int axes;
    struct shape_place *places = places_of_names(&f->arena, names, 3, &axes);
    static const int steps[3][4] = {{0, 1, 0, 1}, {1, 0, 0, 0}, {2, 1, 0, 0}};
    assert_non_null(places);
    assert_int_equal(axes, 4);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 4; a++) assert_int_equal(places[i].step[a], steps[i][a]);
}

// Makes 12 kernels at three sizes, with 4 to 6 values on each of two or three axes. Each has a valley of random place
// and slope, moving by a step from size to size. Noise is 0.5 %, hiccups 1 %, with 20 samples each.
static void make_spaces(struct files *f, struct text *text) {
    uint64_t random = 99;
    struct made_up m = {.random = 5};
    (void)f;
    text_append(text, "{\"schema_version\": 1, \"device\": \"made up\", \"driver\": \"none\", \"spaces\": [");
    for (int kernel = 0; kernel < 12; kernel++) {
        int width = 4 + (int)random_below(&random, 3), height = 2 + (int)random_below(&random, 5),
            depth = 1 + kernel % 3;
        int x = (int)random_below(&random, (size_t)width), y = (int)random_below(&random, (size_t)height);
        double slope = 0.01 + 0.02 * (double)random_below(&random, 10);
        for (int size = 0; size < 3; size++) {
            if (size && x + 1 < width) x++;
            text_format(text, "%s{\"case\": \"k%d/f32/n=%d\", \"shapes\": [", kernel || size ? "," : "", kernel, size);
            for (int i = 0; i < width * height * depth; i++) {
                int a = i % width, b = i / width % height, c = i / width / height;
                double ns = 5000 * (1 + slope * (abs(a - x) + 0.5 * abs(b - y) + 0.3 * c));
                text_format(text, "%s{\"shape\": \"wg=%dx%dx1,ITEMS=%d\",%s \"samples_ns\": [", i ? "," : "", 32 << a,
                    1 << b, 1 << c, i ? "" : " \"start\": true,");
                for (int n = 0; n < 20; n++) {
                    double normal = sqrt(-2 * log(made_up_uniform(&m))) * cos(6.283185307179586 * made_up_uniform(&m));
                    double sample = ns * (1 + 0.005 * normal) * (made_up_uniform(&m) < 0.01 ? 1.5 : 1);
                    text_format(text, "%s%.1f", n ? "," : "", sample);
                }
                text_append(text, "]}");
            }
            text_append(text, "]}");
        }
    }
    text_append(text, "]}");
}

static void test_the_race_earns_its_keep(void **state) {
    struct files *f = *state;
    struct text text = {0};
    struct recorded r;
    make_spaces(f, &text);
    assert_true(read_text(f, text_str(&text), &r));
    text_free(&text);
    assert_int_equal(r.count, 36);
    const struct simulate_options options = {.repeats = 20, .sample_share = 0.2, .near = 0.02, .seed = 1};
    struct trial_score scores[36];
    double near[2] = {0}, share = 0;
    for (int s = 0; s < 2; s++) {
        simulate(&r, strategy_named(s ? "random" : "race"), &options, scores);
        for (int i = 0; i < 36; i++) {
            near[s] += scores[i].near_share / 36;
            if (!s) share += scores[i].sample_share / 36;
            assert_true(scores[i].sample_share <= 0.2 + 1e-12);
            assert_true(scores[i].mean_loss >= 0 && scores[i].worst_loss >= scores[i].mean_loss);
        }
    }
    assert_true(near[0] >= 0.95);
    assert_true(share <= 0.2);
    assert_true(near[1] < near[0] - 0.2);
}

// An exhaustive search of all samples always finds the best, and uses as many samples as the record has.
static void test_exhaustive_is_the_measure(void **state) {
    struct files *f = *state;
    struct recorded r;
    assert_true(read_text(f,
        "{\"schema_version\": 1, \"device\": \"d\", \"driver\": \"v\", \"spaces\": [{\"case\": \"a/f32/n=1\", "
        "\"shapes\": ["
        "{\"shape\": \"wg=1x1x1\", \"samples_ns\": [3,3,3,3,3,3,3,3,3,3]},"
        "{\"shape\": \"wg=2x1x1\", \"samples_ns\": [2,2,2,2,2,2,2,2,2,2]}]}]}",
        &r));
    struct trial_score score;
    const struct simulate_options options = {.repeats = 4, .sample_share = 1, .near = 0.02, .seed = 1};
    simulate(&r, strategy_named("exhaustive"), &options, &score);
    assert_true(score.near_share == 1 && score.sample_share == 1 && score.worst_loss == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_read_and_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_race_earns_its_keep, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exhaustive_is_the_measure, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
