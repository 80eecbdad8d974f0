// SPDX-License-Identifier: Apache-2.0
// Whether any invocation comes to an instruction: the kernel as it is, with a counter there, in a buffer that is bound
// as one more scratch buffer.
#include "mutant_parts.h"

#include <string.h>

static const char counter_name[] = "(counter)"; // no operand can have it

// Where something can stand that is run when the item is.
static uint32_t stand_before(const struct code *code, uint32_t item) {
    for (;; item++) {
        uint32_t op = code_op(code, item);
        if (op != SpvOpPhi && op != SpvOpVariable && op != SpvOpLine && op != SpvOpNoLine && op != SpvOpLabel)
            return item;
    }
}

// From SPIR-V 1.4 on the entry point lists what it uses. Of those there is one (entry.h).
static void list_variable(struct change *c, uint32_t variable) {
    for (uint32_t item = 1; item < c->code->first_type && c->code->words[1] >= 0x10400; item++) {
        const uint32_t *i = code_item(c->code, item);
        if (spirv_op(i) != SpvOpEntryPoint) continue;
        uint32_t length = spirv_length(i), *operands = arena_alloc(c->arena, length, sizeof *operands);
        memcpy(operands, &i[1], (length - 1) * sizeof *operands);
        operands[length - 1] = variable;
        change_put(c, INSTEAD, item, SpvOpEntryPoint, operands, length);
    }
}

static bool count_at(
    struct arena *arena, const struct code *code, uint32_t item, struct binding_place place, struct spirv *out) {
    struct change c = change_start(arena, code);
    uint32_t whole = change_int(&c, 32, false), block = change_declare(&c, SpvOpTypeStruct, 1, OPERANDS(whole));
    uint32_t pointer = change_pointer(&c, SpvStorageClassStorageBuffer, block);
    uint32_t variable = change_declare(&c, SpvOpVariable, 2, OPERANDS(pointer, SpvStorageClassStorageBuffer));
    uint32_t zero = change_constant(&c, whole, 32, 0), one = change_constant(&c, whole, 32, 1);
    change_decorate(&c, SpvOpDecorate, OPERANDS(block, SpvDecorationBlock));
    change_decorate(&c, SpvOpMemberDecorate, OPERANDS(block, 0, SpvDecorationOffset, 0));
    change_decorate(&c, SpvOpDecorate, OPERANDS(variable, SpvDecorationDescriptorSet, place.set));
    change_decorate(&c, SpvOpDecorate, OPERANDS(variable, SpvDecorationBinding, place.binding));
    list_variable(&c, variable);
    uint32_t at = stand_before(code, item);
    uint32_t word = change_emit(&c, BEFORE, at, SpvOpAccessChain,
        change_pointer(&c, SpvStorageClassStorageBuffer, whole), 0, OPERANDS(variable, zero));
    change_emit(&c, BEFORE, at, SpvOpAtomicIAdd, whole, 0, OPERANDS(word, one, zero, one)); // scope 1: the device
    return change_finish(&c, &out->words, &out->count);
}

// The kernel with the counter as its last scratch buffer; false: it has no room for one.
static bool add_counter(struct kernel *kernel, int index, struct binding_place *place) {
    struct pass *pass = &kernel->passes[index];
    if (kernel->scratch_count == KERNEL_SCRATCH || pass->binding_count == KERNEL_BINDINGS) return false;
    *place = (struct binding_place){0};
    for (int i = 0; i < pass->binding_count; i++)
        if (pass->places[i].set == 0 && pass->places[i].binding >= place->binding)
            place->binding = pass->places[i].binding + 1;
    if (pass->uniform && pass->uniform_place.set == 0 && pass->uniform_place.binding >= place->binding)
        place->binding = pass->uniform_place.binding + 1;
    pass->places[pass->binding_count] = *place;
    pass->bindings[pass->binding_count++] = counter_name;
    kernel->scratch[kernel->scratch_count++] = (struct scratch){
        .name = counter_name, .dtype = DTYPE_I32, .elements = {.over = {.factors = {{.number = 1}}, .count = 1}}};
    return true;
}

// The counter after the run, less what it was filled with before, which its guard still holds.
static bool read_counter(struct mutant_kernel *k, const struct problem *problem, const struct launch *launch,
    int64_t *count, struct error *err) {
    int last = launch->scratch_count - 1;
    struct buffer word = {0};
    bool ok = buffer_create(k->gpu, BUFFER_READBACK, 8, &word, err) && work_begin(k->gpu, k->work, err);
    if (ok) {
        work_copy(k->work, &launch->scratch[last], 0, &word, 0, 4);
        work_copy(k->work, &launch->scratch[last], problem->guard, &word, 4, 4);
        work_barrier(k->work);
        ok = work_end(k->gpu, k->work, err) && work_run(k->gpu, k->work, k->options->timeout_s, NULL, NULL, err) &&
             buffer_invalidate(k->gpu, &word, err);
    }
    if (ok) *count = ((const uint32_t *)word.host)[1] - ((const uint32_t *)word.host)[0];
    buffer_destroy(k->gpu, &word);
    return ok;
}

static bool run_counted(struct mutant_kernel *k, struct mutant_trial *t, const struct kernel *kernel,
    const struct built *built, int64_t *count, struct error *err) {
    struct launch launch;
    struct point point = *t->point;
    point.kernel = kernel;
    if (!launch_prepare(k->gpu, &point, &t->problem, built, &launch, err)) return false;
    const struct check_request request = {.gpu = k->gpu,
        .work = k->work,
        .problem = &t->problem,
        .launch = &launch,
        .truth = &t->truth,
        .point = &point,
        .policy = built->policy,
        .timeout_s = k->options->timeout_s};
    bool ok = check_run(&request, 1, err) && read_counter(k, &t->problem, &launch, count, err);
    launch_release(k->gpu, &launch);
    return ok;
}

// At the trials of one variant, until any counts. False: it cannot be counted.
static bool count_variant(struct mutant_kernel *k, const struct mutant_place *place, struct mutant_variant *v,
    const struct kernel *kernel, struct binding_place slot, int64_t *count) {
    struct arena arena = {0};
    struct loaded *loaded = arena_alloc(&arena, KERNEL_PASSES, sizeof *loaded);
    bool changed[KERNEL_PASSES] = {false};
    struct spirv *spirv = &loaded[place->pass].spirv;
    struct point point = *v->point;
    struct built built;
    struct error err = {0};
    uint32_t item;
    memcpy(loaded, v->loaded, KERNEL_PASSES * sizeof *loaded);
    point.kernel = kernel;
    changed[place->pass] = true;
    bool present = mutant_place_make(&arena, &v->code[place->pass], place, &spirv->words, &spirv->count, &item);
    bool ok = !present || (count_at(&arena, &v->code[place->pass], item, slot, spirv) &&
                              built_vary(k->gpu, &point, loaded, changed, &v->sound, &built, &err));
    if (present && ok) {
        for (size_t i = 0; ok && !*count && i < k->trial_count; i++)
            if (k->trials[i].variant == v && k->trials[i].is_ready && !k->trials[i].unusable)
                ok = run_counted(k, &k->trials[i], kernel, &built, count, &err);
        built_vary_release(k->gpu, changed, &built);
    }
    arena_free(&arena);
    return ok;
}

int64_t mutant_reached(struct mutant_kernel *k, size_t index) {
    const struct mutant_place *place = k->chosen[index];
    struct kernel kernel = *k->request->points[0].kernel;
    struct binding_place slot;
    int64_t count = 0;
    if (!add_counter(&kernel, place->pass, &slot)) return -1;
    for (size_t i = 0; i < k->variant_count && !count; i++)
        if (k->variants[i].is_built && !count_variant(k, place, &k->variants[i], &kernel, slot, &count)) return -1;
    return count;
}
