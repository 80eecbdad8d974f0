// SPDX-License-Identifier: Apache-2.0
// A problem made ahead on the host is the one made at its turn: operands, buffers, expected outputs. Run from the top
// of the repository.
#include "../next_problem.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../../../base/tests/needs.h"
#include "../../check/tests/best_device.h"
#include "../../plan/point.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

static const char in_place[] =
    "{\"kernels\": [{\"name\": \"relu.place\", \"operator\": \"relu\", \"summary\": \"in place\", \"shader\": "
    "\"relu.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\"], \"in_place\": {\"y\": \"x\"}, \"push\": "
    "[\"n\"], \"local_size\": [64], \"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}]}]}";

static const char *const names[] = {
    "softmax.online/f32/rows=33,cols=65/wg=64x1x1",                            // one output
    "relu.place/f32/n=1027/wg=64x1x1",                                         // an output in the place of an input
    "argmax_rows.workgroup/f16/rows=9,cols=130/wg=64x1x1",                     // whole numbers, and a smaller type
    "layernorm_backward.blocks/f32/rows=40,cols=24/wg=64x4x1,ITEMS=16,ROWS=8", // several outputs
    "sum.multipass/f32/n=1027/wg=64x1x1,ITEMS=4",                              // a single output
};
enum { NAMES = sizeof names / sizeof *names, SINGLE = NAMES - 1 };

struct fixture {
    struct arena arena;
    struct kernels kernels;
    struct point points[NAMES];
    struct gpu *gpu;
};

static int open_all(void **state) {
    static struct fixture f;
    const char *folders[] = {"kernels", NULL};
    const struct device_info *device;
    struct error err;
    if (folder_make(state) != 0) return -1;
    folders[1] = folder;
    *state = &f;
    if (!file_write(in_folder("relu.comp"), "", 0, &err) ||
        !file_write(in_folder("in_place.json"), in_place, strlen(in_place), &err))
        return -1;
    if (!best_device(&f.arena, &device)) return -1;
    if (!kernels_load(&f.arena, folders, 2, &f.kernels, &err)) return -1;
    for (int i = 0; i < NAMES; i++)
        if (!point_parse(&f.arena, &f.kernels, names[i], &f.points[i], &err)) {
            print_error("%s\n", err.text);
            return -1;
        }
    if (device) f.gpu = gpu_open(device, &(struct gpu_options){0}, &err);
    return 0;
}

static int close_all(void **state) {
    struct fixture *f = *state;
    gpu_close(f->gpu);
    arena_free(&f->arena);
    return folder_remove(state);
}

static void same_problem(const struct problem *a, const struct problem *b) {
    assert_true(a->key == b->key && a->operand_count == b->operand_count && a->guard == b->guard);
    assert_true(a->staging_bytes == b->staging_bytes && a->special_elements == b->special_elements);
    for (int i = 0; i < a->operand_count; i++) {
        const struct operand_data *x = &a->operands[i], *y = &b->operands[i];
        assert_true(x->bytes == y->bytes && x->staging == y->staging && !x->image == !y->image);
        assert_true(x->device.bytes == y->device.bytes && x->device.handle && !x->got == !y->got);
        if (x->image) assert_memory_equal(x->image, y->image, x->bytes);
        if (x->as_double) assert_memory_equal(x->as_double, y->as_double, (size_t)x->elements * sizeof(double));
        assert_true(x->from ? x->from - a->operands == y->from - b->operands : !y->from);
    }
}

static void same_truth(const struct truth *a, const struct truth *b) {
    assert_true(a->key == b->key && a->output_count == b->output_count);
    assert_true(a->baseline_ulp >= 0 && a->baseline_ulp == b->baseline_ulp && a->baseline_ns > 0);
    for (int i = 0; i < a->output_count; i++) {
        const struct truth_output *x = &a->outputs[i], *y = &b->outputs[i];
        assert_int_equal(x->total, y->total);
        assert_memory_equal(x->want, y->want, (size_t)x->total * sizeof(double));
        assert_memory_equal(x->bound, y->bound, (size_t)x->total * sizeof(double));
    }
}

static void made_ahead_or_at_its_turn_is_the_same(void **state) {
    struct fixture *f = *state;
    const struct settings settings = settings_standard();
    struct next_problem next = {0};
    struct problem ahead = {0}, now = {0};
    struct truth ahead_truth = {0}, now_truth = {0};
    struct error err = {0};
    needs_hardware(f->gpu, "Vulkan device");
    for (int i = 0; i < NAMES; i++) {
        const struct point *p = &f->points[i];
        const int64_t depth = kernel_depth(p->kernel, p->dims, &p->shape);
        bool taken;
        next_problem_begin(&next, f->gpu, p, &settings, 7);
        if (!next_problem_take(&next, f->gpu, problem_key(p, 7), &ahead, &ahead_truth, &taken, &err))
            fail_msg("%s: %s", p->name, err.text);
        if (!problem_open(f->gpu, p, 7, &now, &err)) fail_msg("%s", err.text);
        assert_int_equal(isnan(ahead_truth.baseline_ulp), i == SINGLE);
        truth_make(&now, &settings, depth, true, true, &now_truth);
        truth_make(&ahead, &settings, depth, true, true, &ahead_truth);
        same_problem(&ahead, &now);
        same_truth(&ahead_truth, &now_truth);
    }
    problem_close(f->gpu, &ahead);
    problem_close(f->gpu, &now);
    truth_free(&ahead_truth);
    truth_free(&now_truth);
    next_problem_close(&next);
}

static void only_the_expected_problem_is_taken(void **state) {
    struct fixture *f = *state;
    const struct settings settings = settings_standard();
    struct next_problem next = {0};
    struct problem problem = {0};
    struct truth truth = {0};
    struct error err;
    bool taken;
    needs_hardware(f->gpu, "Vulkan device");
    assert_false(next_problem_take(&next, f->gpu, problem_key(&f->points[0], 7), &problem, &truth, &taken, &err));
    assert_false(taken); // nothing was begun
    next_problem_begin(&next, f->gpu, &f->points[0], &settings, 7);
    assert_false(next_problem_take(&next, f->gpu, problem_key(&f->points[0], 8), &problem, &truth, &taken, &err));
    assert_false(taken); // another seed
    next_problem_begin(&next, f->gpu, &f->points[1], &settings, 7);
    assert_false(next_problem_take(&next, f->gpu, problem_key(&f->points[0], 7), &problem, &truth, &taken, &err));
    assert_true(next_problem_take(&next, f->gpu, problem_key(&f->points[1], 7), &problem, &truth, &taken, &err));
    assert_true(taken);
    problem_close(f->gpu, &problem);
    truth_free(&truth);
    next_problem_close(&next);
}

// A problem that was begun for the same point and seed is kept; every other one is made.
static void the_same_problem_is_made_once(void **state) {
    struct fixture *f = *state;
    const struct settings settings = settings_standard();
    static const uint8_t mark = 0xa5; // no operand's first byte is made so twice
    struct next_problem next = {0};
    needs_hardware(f->gpu, "Vulkan device");
    next_problem_begin(&next, f->gpu, &f->points[0], &settings, 7);
    next_problem_join(&next);
    assert_true(next.made);
    uint8_t *first = next.problem.operands[0].image;
    const uint8_t kept = *first;
    *first = mark;
    next_problem_begin(&next, f->gpu, &f->points[0], &settings, 7);
    next_problem_join(&next);
    assert_int_equal(*(uint8_t *)next.problem.operands[0].image, mark);
    next_problem_begin(&next, f->gpu, &f->points[0], &settings, 8);
    next_problem_begin(&next, f->gpu, &f->points[0], &settings, 7);
    next_problem_join(&next);
    assert_int_equal(*(uint8_t *)next.problem.operands[0].image, kept);
    next_problem_close(&next);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_ahead_or_at_its_turn_is_the_same),
        cmocka_unit_test(only_the_expected_problem_is_taken),
        cmocka_unit_test(the_same_problem_is_made_once),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
