// SPDX-License-Identifier: Apache-2.0
// Rounds on the best device there is: contenders whose work is known relative to each other.
#include "../rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INVOCATIONS = 64, LIGHT = 8000, HEAVY = 8 * LIGHT };

// A chain of dependent operations: its time is proportional to `rounds`. (llvmpipe ends the loops of an invocation
// after 65535 turns in all, hence the long body.)
#define XORSHIFT "v ^= v << 13; v ^= v >> 17; v ^= v << 5;"
static const char chain[] = "#version 450\n"
                            "layout(local_size_x = 64) in;\n"
                            "layout(binding = 0) buffer Y { uint y[]; };\n"
                            "layout(push_constant) uniform P { uint rounds; };\n"
                            "void main() {\n"
                            "    uint v = y[gl_GlobalInvocationID.x] + 1;\n"
                            "    for (uint i = 0; i < rounds; i++) { " XORSHIFT XORSHIFT XORSHIFT XORSHIFT " }\n"
                            "    y[gl_GlobalInvocationID.x] = v;\n"
                            "}\n";

struct fixture {
    struct arena arena;
    struct device_info device;
    struct gpu *gpu;
    struct buffer buffer;
    struct program *program;
    struct launch light, heavy;
};

static bool compile_chain(struct fixture *f, struct spirv *spirv, struct error *err) {
    char path[] = "/tmp/vkassay-rounds-XXXXXX.comp";
    int fd = mkstemps(path, 5);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file) return false;
    fputs(chain, file);
    fclose(file);
    bool ok = compile_glsl(&f->arena, path, NULL, 0, NULL, 0, NULL, spirv, err);
    remove(path);
    return ok;
}

static struct launch launch_of(struct fixture *f, uint32_t rounds) {
    struct launch launch = {.pass_count = 1, .programs = {f->program}, .groups = {{1, 1, 1}}, .push = {{rounds}}};
    launch.bindings[0][0] = (struct binding){&f->buffer, 0, f->buffer.bytes};
    return launch;
}

static int set_up(void **state) {
    struct error err = {0};
    struct device_info *devices;
    size_t count, best, chosen;
    struct spirv spirv;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f || !gpu_enumerate(&f->arena, &devices, &count, &err)) return -1;
    if (count == 0 || !device_choose(devices, count, NULL, &best, &chosen, &err)) return 0; // each test skips
    f->device = devices[best];
    f->gpu = gpu_open(&f->device, &(struct gpu_options){0}, &err);
    if (!f->gpu || !buffer_create(f->gpu, BUFFER_DEVICE, INVOCATIONS * 4, &f->buffer, &err) ||
        !compile_chain(f, &spirv, &err))
        return -1;
    struct program_desc desc = {
        .label = "chain", .spirv = spirv.words, .words = spirv.count, .bindings = 1, .push_bytes = 4};
    f->program = program_create(f->gpu, &desc, NULL, &err);
    f->light = launch_of(f, LIGHT);
    f->heavy = launch_of(f, HEAVY);
    return f->program ? 0 : -1;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    if (f->program) program_destroy(f->gpu, f->program);
    if (f->gpu) buffer_destroy(f->gpu, &f->buffer);
    gpu_close(f->gpu);
    arena_free(&f->arena);
    free(f);
    return 0;
}

static struct round_settings settings_of(const struct fixture *f) {
    return (struct round_settings){
        .gpu = f->gpu, .timeout_s = 20, .seed = 3, .rule = {.least = 8, .most = 24, .precision = 0.05, .seconds = 0.3}};
}

static void measure(struct contender *list, size_t count, const struct round_settings *settings) {
    struct error err = {0};
    if (!rounds_measure(list, count, settings, &err)) fail_msg("%s", err.text);
}

static struct fixture *need_device(void **state) {
    struct fixture *f = *state;
    if (!f->gpu) skip();
    return f;
}

// What a busy host adds is left out.
static double least(const struct contender *c) {
    return summarize(c->samples, c->count).min;
}

// Eight times the work shows as such, whatever each one's repeats.
static void times_are_those_of_one_dispatch(void **state) {
    struct fixture *f = need_device(state);
    struct round_settings settings = settings_of(f);
    struct contender list[] = {{.launch = &f->light}, {.launch = &f->heavy}};
    measure(list, 2, &settings);
    assert_true(list[0].repeats >= list[1].repeats);
    assert_true(list[0].count >= 8 && list[0].stop != STOP_NOT_YET);
    double ratio = least(&list[1]) / least(&list[0]);
    if (!(ratio > 3 && ratio < 20)) fail_msg("8 times the work took %g times as long", ratio);
    rounds_release(f->gpu, list, 2);
}

static bool drop_the_heavy(void *user, struct contender *list, size_t count, size_t round) {
    assert_int_equal(count, 2);
    if (round == *(size_t *)user) list[1].dropped = true;
    return true;
}

static void the_dropped_take_no_more_samples(void **state) {
    struct fixture *f = need_device(state);
    struct round_settings settings = settings_of(f);
    size_t last = 2;
    struct contender list[] = {{.launch = &f->light}, {.launch = &f->heavy}};
    settings.between = drop_the_heavy;
    settings.user = &last;
    measure(list, 2, &settings);
    assert_int_equal(list[1].count, 3);
    assert_int_equal(list[1].stop, STOP_NOT_YET);
    assert_true(list[0].count >= 8);
    rounds_release(f->gpu, list, 2);
}

static bool end_after(void *user, struct contender *list, size_t count, size_t round) {
    for (size_t i = 0; i < count; i++) assert_int_equal(list[i].count, round + 1);
    return round + 1 < *(size_t *)user;
}

static void between_ends_the_rounds(void **state) {
    struct fixture *f = need_device(state);
    struct round_settings settings = settings_of(f);
    size_t rounds = 5;
    struct contender list[] = {{.launch = &f->light}, {.launch = &f->light}, {.launch = &f->light}};
    settings.between = end_after;
    settings.user = &rounds;
    settings.rule.precision = 0;
    measure(list, 3, &settings);
    for (int i = 0; i < 3; i++) assert_int_equal(list[i].count, rounds);
    rounds_release(f->gpu, list, 3);
}

// One is precise at once by its loose rule, yet goes on with its partner; both stop at the end of an ABBA.
static void pairs_stop_together(void **state) {
    struct fixture *f = need_device(state);
    struct round_settings settings = settings_of(f);
    struct contender list[] = {{.launch = &f->light}, {.launch = &f->heavy}};
    settings.paired = true;
    settings.rule.precision = 0;
    settings.rule.seconds = 0.02;
    measure(list, 2, &settings);
    assert_int_equal(list[0].count, list[1].count);
    assert_int_equal(list[0].count % 2, 0);
    assert_true(list[0].stop != STOP_NOT_YET && list[1].stop != STOP_NOT_YET);
    rounds_release(f->gpu, list, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_one_dispatch),
        cmocka_unit_test(the_dropped_take_no_more_samples),
        cmocka_unit_test(between_ends_the_rounds),
        cmocka_unit_test(pairs_stop_together),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
