// SPDX-License-Identifier: Apache-2.0
// Finds the blocks of code reached by a point. The unchanged kernel runs with a store at the head of each block, into
// an additional scratch buffer. A mutant cannot show at a point that does not reach its instruction.
#include "mutant_parts.h"

#include <stdlib.h>
#include <string.h>

static const char marks_name[] = "(marks)"; // no operand can have this name
enum { MARK = 0x6d61726b };

// ---- the module

// Lists the variable at the entry point. SPIR-V 1.4 and later list all used variables there. The module has only one
// entry point (entry.h).
static void list_variable(struct module_change *c, uint32_t variable) {
    for (uint32_t item = 1; item < c->code->first_type && c->code->words[1] >= 0x10400; item++) {
        const uint32_t *i = code_item(c->code, item);
        if (spirv_op(i) != SpvOpEntryPoint) continue;
        uint32_t length = spirv_length(i), *operands = arena_alloc(c->arena, length, sizeof *operands);
        memcpy(operands, &i[1], (length - 1) * sizeof *operands);
        operands[length - 1] = variable;
        change_put(c, INSTEAD, item, SpvOpEntryPoint, operands, length);
    }
}

static uint32_t declare_marks(struct module_change *c, uint32_t whole, struct binding_place place) {
    uint32_t array = change_declare(c, SpvOpTypeRuntimeArray, 1, OPERANDS(whole));
    uint32_t block = change_declare(c, SpvOpTypeStruct, 1, OPERANDS(array));
    uint32_t pointer = change_pointer(c, SpvStorageClassStorageBuffer, block);
    uint32_t variable = change_declare(c, SpvOpVariable, 2, OPERANDS(pointer, SpvStorageClassStorageBuffer));
    change_decorate(c, SpvOpDecorate, OPERANDS(array, SpvDecorationArrayStride, 4));
    change_decorate(c, SpvOpDecorate, OPERANDS(block, SpvDecorationBlock));
    change_decorate(c, SpvOpMemberDecorate, OPERANDS(block, 0, SpvDecorationOffset, 0));
    change_decorate(c, SpvOpDecorate, OPERANDS(variable, SpvDecorationDescriptorSet, place.set));
    change_decorate(c, SpvOpDecorate, OPERANDS(variable, SpvDecorationBinding, place.binding));
    list_variable(c, variable);
    return variable;
}

// Adds a store of a mark for each of the variant's blocks in this pass, at the block's number.
static bool put_marks(
    struct arena *arena, const struct mutant_variant *v, int pass, struct binding_place place, struct spirv *out) {
    const struct code *code = &v->code[pass];
    struct module_change c = change_start(arena, code);
    uint32_t whole = change_int(&c, 32, false), marks = declare_marks(&c, whole, place);
    uint32_t pointer = change_pointer(&c, SpvStorageClassStorageBuffer, whole);
    uint32_t zero = change_constant(&c, whole, 32, 0), mark = change_constant(&c, whole, 32, MARK);
    for (uint32_t i = 0; i < v->block_count; i++) {
        if (v->blocks[i].pass != pass) continue;
        // Phis and variables come first. The mark is stored before the first instruction after them.
        uint32_t at = v->blocks[i].label + 1, op, number = change_constant(&c, whole, 32, i);
        while ((op = code_op(code, at)) == SpvOpPhi || op == SpvOpVariable || op == SpvOpLine || op == SpvOpNoLine)
            at++;
        uint32_t word = change_emit(&c, BEFORE, at, SpvOpAccessChain, pointer, 0, OPERANDS(marks, zero, number));
        change_put(&c, BEFORE, at, SpvOpStore, OPERANDS(word, mark));
    }
    return change_finish(&c, &out->words, &out->count);
}

static uint32_t block_number(const struct mutant_variant *v, int pass, uint32_t label) {
    uint32_t i = 0;
    while (i < v->block_count && (v->blocks[i].pass != pass || v->blocks[i].label != label)) i++;
    return i;
}

// Lists the blocks with live instructions.
static void list_blocks(struct mutant_kernel *k, struct mutant_variant *v) {
    size_t capacity = 0;
    for (int pass = 0; pass < v->point->kernel->pass_count; pass++)
        for (uint32_t item = v->code[pass].first_function; item < v->code[pass].end; item++) {
            const struct instruction *i = &v->code[pass].items[item];
            if (i->is_dead || !i->block || block_number(v, pass, i->block) < v->block_count) continue;
            v->blocks = arena_grow(&k->arena, v->blocks, v->block_count, &capacity, sizeof *v->blocks);
            v->blocks[v->block_count++] = (struct mutant_block){pass, i->block};
        }
}

// ---- the kernel

// Adds the marks as the kernel's last scratch buffer, bound by every pass. False: there is no room for it.
static bool add_marks(struct kernel *kernel, uint32_t count, struct binding_place places[KERNEL_PASSES]) {
    if (kernel->scratch_count == KERNEL_SCRATCH) return false;
    kernel->scratch[kernel->scratch_count++] = (struct scratch){
        .name = marks_name, .dtype = DTYPE_I32, .elements = {.over = {.factors = {{.number = count}}, .count = 1}}};
    for (int p = 0; p < kernel->pass_count; p++) {
        struct pass *pass = &kernel->passes[p];
        uint32_t free = 0;
        for (int i = 0; i < pass->block_count; i++)
            if (pass->blocks[i].place.set == 0 && pass->blocks[i].place.binding >= free)
                free = pass->blocks[i].place.binding + 1;
        if (pass->binding_count == KERNEL_BINDINGS) return false;
        for (int i = 0; i < pass->binding_count; i++)
            if (pass->places[i].set == 0 && pass->places[i].binding >= free) free = pass->places[i].binding + 1;
        places[p] = (struct binding_place){0, free};
        pass->places[pass->binding_count] = places[p];
        pass->bindings[pass->binding_count++] = marks_name;
    }
    return true;
}

static bool build_marked(struct mutant_kernel *k, struct mutant_variant *v, struct error *err) {
    static const bool all[KERNEL_PASSES] = {true, true, true, true, true, true};
    struct arena arena = {0};
    struct loaded *loaded = arena_alloc(&arena, KERNEL_PASSES, sizeof *loaded);
    struct binding_place places[KERNEL_PASSES];
    struct point point = *v->point;
    const struct built nothing = {.pass_count = point.kernel->pass_count};
    memcpy(loaded, v->loaded, sizeof v->loaded);
    v->marked_kernel = *point.kernel;
    point.kernel = &v->marked_kernel;
    list_blocks(k, v);
    bool ok = v->block_count && add_marks(&v->marked_kernel, v->block_count, places);
    for (int p = 0; ok && p < point.kernel->pass_count; p++) ok = put_marks(&arena, v, p, places[p], &loaded[p].spirv);
    ok = ok && built_vary(k->gpu, &point, loaded, all, &nothing, &v->marked, err);
    arena_free(&arena);
    return ok;
}

// ---- a point

static bool read_marks(
    struct mutant_kernel *k, struct mutant_trial *t, const struct launch *launch, struct error *err) {
    int last = launch->scratch_count - 1;
    uint64_t bytes = (uint64_t)t->variant->block_count * 4;
    struct buffer words = {0};
    bool ok = buffer_create(k->gpu, BUFFER_READBACK, bytes, &words, err) && work_begin(k->gpu, k->work, err);
    if (ok) {
        work_copy(k->work, &launch->scratch[last], t->problem.guard, &words, 0, bytes);
        work_barrier(k->work);
        ok = work_end(k->gpu, k->work, err) && work_run(k->gpu, k->work, k->options->timeout_s, NULL, NULL, err) &&
             buffer_invalidate(k->gpu, &words, err);
    }
    if (ok) t->reached = arena_alloc(&k->arena, t->variant->block_count, sizeof *t->reached);
    for (uint32_t i = 0; ok && i < t->variant->block_count; i++)
        t->reached[i] = ((const uint32_t *)words.host)[i] == MARK;
    buffer_destroy(k->gpu, &words);
    return ok;
}

static bool run_marked(struct mutant_kernel *k, struct mutant_trial *t, struct error *err) {
    struct launch launch;
    struct point point = *t->point;
    point.kernel = &t->variant->marked_kernel;
    if (!launch_prepare(k->gpu, &point, &t->problem, &t->variant->marked, &launch, err)) return false;
    const struct check_request request = {.gpu = k->gpu,
        .work = k->work,
        .problem = &t->problem,
        .launch = &launch,
        .truth = &t->truth,
        .point = &point,
        .policy = t->variant->sound.policy,
        .timeout_s = k->options->timeout_s};
    bool ok = check_run(&request, 1, err) && read_marks(k, t, &launch, err);
    launch_release(k->gpu, &launch);
    return ok;
}

bool mutant_trial_cover(struct mutant_kernel *k, struct mutant_trial *t, struct error *err) {
    struct mutant_variant *v = t->variant;
    if (v->is_unmarkable) return true;
    bool ok = (v->blocks || build_marked(k, v, err)) && run_marked(k, t, err);
    if (!ok) v->is_unmarkable = true;
    return ok || !gpu_is_over(err);
}

bool mutant_trial_reaches(const struct mutant_trial *t, int pass, uint32_t item) {
    uint32_t number = block_number(t->variant, pass, t->variant->code[pass].items[item].block);
    return !t->reached || number == t->variant->block_count || t->reached[number];
}
