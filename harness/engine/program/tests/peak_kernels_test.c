// SPDX-License-Identifier: Apache-2.0
// The kernels of peaks do what their operator's cost counts: one step in SPIR-V has as many operations, in the type
// of the peak. Run from the top of the repository.
#include "../shaders.h"
#include "../../plan/suite.h"

#include "../../../shader/manifest/kernel.h"
#include "../../../shader/spirv/spirv.h"
#include "../../plan/point.h"

#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../../reference/operator.h"
#include "../../../device/device_info.h"

#include <stdlib.h>

enum { GLSL_FMA = 50, UNROLLED = 17 }; // steps in the text: 16 of the unrolled loop, 1 of the remainder loop

static const struct counted {
    const char *point;
    uint32_t op, extended; // the instruction; `extended` is its number in GLSL.std.450, or 0
    uint32_t kind, width;  // of its result's numbers: OpTypeInt or OpTypeFloat
    int components;        // of its result; 1 is a scalar
    int each_step;         // instructions in one step of an invocation
    int operations;        // per component
    int64_t elements[4];   // dims at which a step costs as much as in one invocation
    int dim;               // index of the dim that counts steps
    bool bytes;            // the cost is in bytes
} rows[] = {
    {"fma_chain.vec4/f32/n=1023,iterations=35/wg=256x1x1", SpvOpExtInst, GLSL_FMA, SpvOpTypeFloat, 32, 4, 1, 2, {4}, 1,
        false},
    {"fma_chain.half/f16/n=1023,iterations=35/wg=256x1x1", SpvOpExtInst, GLSL_FMA, SpvOpTypeFloat, 16, 4, 1, 2, {4}, 1,
        false},
    {"fma_chain.double/f32/n=1023,iterations=35/wg=256x1x1", SpvOpExtInst, GLSL_FMA, SpvOpTypeFloat, 64, 4, 1, 2, {4},
        1, false},
    {"mad_chain.i8/i8/n=3,iterations=35/wg=256x1x1", SpvOpIMul, 0, SpvOpTypeInt, 8, 4, 1, 2, {4}, 1, false},
    {"mad_chain.i16/i8/n=3,iterations=35/wg=256x1x1", SpvOpIMul, 0, SpvOpTypeInt, 16, 4, 1, 2, {4}, 1, false},
    {"mad_chain.i32/i8/n=3,iterations=35/wg=256x1x1", SpvOpIMul, 0, SpvOpTypeInt, 32, 4, 1, 2, {4}, 1, false},
    {"dot_chain.bytes/i32/n=3,iterations=35/wg=256x1x1", SpvOpSDot, 0, SpvOpTypeInt, 32, 1, 4, 8, {4}, 1, false},
    {"turning_sum.memory/f32/rows=3,cols=4,step=36,rounds=35/wg=256x1x1", SpvOpFAdd, 0, SpvOpTypeFloat, 32, 4, 1, 4,
        {1, 4, 4}, 3, true},
    {"turning_sum.shared/f32/rows=3,cols=1024,step=4,rounds=35/wg=256x1x1", SpvOpFAdd, 0, SpvOpTypeFloat, 32, 4, 1, 4,
        {1, 4, 4}, 3, true},
};

struct module_words {
    const uint32_t *words;
    size_t count;
};

static const uint32_t *definition(const struct module_words *m, uint32_t id) {
    for (size_t at = 0; spirv_next(m->words, m->count, &at);) {
        const uint32_t *i = &m->words[at];
        const uint32_t op = spirv_op(i);
        if (op >= SpvOpTypeVoid && op <= SpvOpTypeFunction && i[1] == id) return i;
    }
    return NULL;
}

static bool is_of_type(const struct module_words *m, uint32_t type, const struct counted *row) {
    const uint32_t *of = definition(m, type);
    uint32_t components = 1;
    if (of && spirv_op(of) == SpvOpTypeVector) {
        components = of[3];
        of = definition(m, of[2]);
    }
    return of && spirv_op(of) == row->kind && of[2] == row->width && components == (uint32_t)row->components;
}

static int count_in(const struct module_words *m, const struct counted *row) {
    int found = 0;
    for (size_t at = 0; spirv_next(m->words, m->count, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) == row->op && (!row->extended || i[4] == row->extended) && is_of_type(m, i[1], row)) found++;
    }
    return found;
}

static void load(struct fixture *f, const char *name, struct loaded loaded[KERNEL_PASSES], const struct op **op) {
    static const char *const includes[] = {"kernels/include"};
    const struct run_options options = {
        .include_folders = includes, .include_count = 1, .cache_folder = getenv("VKASSAY_CACHE")};
    const char *folders[] = {"kernels"};
    struct device_info device = fixture_device();
    struct settings settings = {0};
    struct plan plan;
    device.shared_bytes = 32768;
    if (!f->kernels.count && !kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    if (!plan_from_names(&f->arena, &f->kernels, &device, &name, 1, &settings, &plan, &f->err) ||
        !shaders_load(&f->arena, &device, &options, &plan.points[0], loaded, &f->err))
        fail_msg("%s: %s", name, f->err.text);
    *op = plan.points[0].kernel->op;
}

// Returns the cost of one more step.
static double step_cost(const struct op *op, const struct counted *row) {
    int64_t dims[OPERATOR_DIMS] = {0}, more[OPERATOR_DIMS];
    memcpy(dims, row->elements, sizeof row->elements);
    dims[row->dim] = 100;
    memcpy(more, dims, sizeof dims);
    more[row->dim]++;
    return row->bytes ? op->bytes(more) - op->bytes(dims) : op->flops(more) - op->flops(dims);
}

static void steps_are_made_of_what_their_cost_counts(void **state) {
    struct fixture *f = *state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct counted *row = &rows[r];
        struct loaded loaded[KERNEL_PASSES] = {{.spirv = {0}}};
        const struct op *op;
        load(f, row->point, loaded, &op);
        const struct module_words words = {loaded[0].spirv.words, loaded[0].spirv.count};
        const int found = count_in(&words, row);
        if (found != 2 * row->each_step && found != UNROLLED * row->each_step)
            fail_msg("%s: %d such instructions", row->point, found);
        if (row->each_step * row->components * row->operations != (int)step_cost(op, row))
            fail_msg("%s: a step does %d operations, and costs %g", row->point,
                row->each_step * row->components * row->operations, step_cost(op, row));
    }
}

// The slices of K follow each other, as four matrix multiplications or as one in a loop of four.
static void matrices_are_multiplied_in_the_types_that_they_are_the_peak_of(void **state) {
    static const struct {
        const char *types, *k;
        uint32_t sum_kind, sum_width;
    } kinds[] = {{"f16_f32", "64", SpvOpTypeFloat, 32}, {"f16_f16", "64", SpvOpTypeFloat, 16},
        {"bf16_f32", "64", SpvOpTypeFloat, 32}, {"e4m3_f32", "128", SpvOpTypeFloat, 32},
        {"e5m2_f32", "128", SpvOpTypeFloat, 32}, {"f32_f32", "64", SpvOpTypeFloat, 32},
        {"i8_i32", "128", SpvOpTypeInt, 32}, {"u8_u32", "128", SpvOpTypeInt, 32}};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct counted sum = {.kind = kinds[i].sum_kind, .width = kinds[i].sum_width, .components = 1};
        struct loaded loaded[KERNEL_PASSES] = {{.spirv = {0}}};
        const struct op *op;
        int found = 0;
        load(f,
            arena_format(&f->arena,
                "matrix_chain.%s/f32/m=48,n=80,k=%s,iterations=3/"
                "wg=128x1x1,SUBGROUP=32,COOP_M=16,COOP_N=16,COOP_K=%d",
                kinds[i].types, kinds[i].k, atoi(kinds[i].k) / 4),
            loaded, &op);
        const struct module_words words = {loaded[0].spirv.words, loaded[0].spirv.count};
        for (size_t at = 0; spirv_next(words.words, words.count, &at);) {
            const uint32_t *here = &words.words[at];
            if (spirv_op(here) != OP_COOPERATIVE_MATRIX_MUL_ADD_KHR) continue;
            for (size_t t = 0; spirv_next(words.words, words.count, &t);) {
                const uint32_t *type = &words.words[t];
                if (spirv_op(type) == OP_TYPE_COOPERATIVE_MATRIX_KHR && type[1] == here[1])
                    found += is_of_type(&words, type[2], &sum);
            }
        }
        if (found != 1 && found != 4) fail_msg("%s: %d products of matrices", kinds[i].types, found);
        assert_true(op->flops((int64_t[]){16, 16, 64, 1}) == 4 * 2 * 16 * 16 * 16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(steps_are_made_of_what_their_cost_counts, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            matrices_are_multiplied_in_the_types_that_they_are_the_peak_of, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
