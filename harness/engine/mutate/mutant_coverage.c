// SPDX-License-Identifier: Apache-2.0
// Finds the blocks of code reached by a point. The unchanged kernel runs with a store at the head of each block, into
// an additional scratch buffer. A mutant cannot show at a point that does not reach its instruction.
#include "mutant_parts.h"

#include <stdlib.h>
#include <string.h>

// ---- the module

// Lists the variable at the entry point. SPIR-V 1.4 and later list all used variables there. The module has only one
// entry point (spirv/changes.h).
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

static uint32_t declare_marks(struct module_change *c, uint32_t whole, struct slot place) {
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
static bool put_footnotes(
    struct arena *arena, const struct mutant_variant *v, int pass, struct slot place, struct spirv *out) {
    const struct code *code = &v->code[pass];
    struct module_change c = change_start(arena, code);
    uint32_t whole = change_int(&c, 32, false), marks = declare_marks(&c, whole, place);
    uint32_t pointer = change_pointer(&c, SpvStorageClassStorageBuffer, whole);
    uint32_t zero = change_constant(&c, whole, 32, 0), mark = change_constant(&c, whole, 32, 1);
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

// Lists the blocks with instructions of mutants. A driver may take long for marks in all blocks.
static void list_blocks(struct mutant_kernel *k, struct mutant_variant *v) {
    v->blocks = arena_alloc(&k->arena, k->set->name_count + 1, sizeof *v->blocks);
    for (size_t i = 0; i < k->set->name_count; i++) {
        struct arena scratch = {0};
        struct spirv spirv;
        struct mutant_place place;
        uint32_t item, label = 0;
        if (mutant_place_named(&scratch, k->set->names[i], &place) && place.pass < v->point->kernel->pass_count &&
            mutant_place_make(&scratch, &v->code[place.pass], &place, &spirv.words, &spirv.count, &item))
            label = v->code[place.pass].items[item].block;
        arena_free(&scratch);
        if (label && block_number(v, place.pass, label) == v->block_count)
            v->blocks[v->block_count++] = (struct mutant_block){place.pass, label};
    }
}

static bool build_marked(struct mutant_kernel *k, struct mutant_variant *v, struct error *err) {
    struct arena arena = {0};
    struct loaded *loaded = arena_alloc(&arena, KERNEL_PASSES, sizeof *loaded);
    const struct variation variation = {.observes = true};
    struct slot slot;
    memcpy(loaded, v->loaded, sizeof v->loaded);
    list_blocks(k, v);
    bool ok = v->block_count > 0;
    for (int p = 0; ok && p < v->point->kernel->pass_count; p++)
        ok = program_slot_behind(v->point, p, &slot) && put_footnotes(&arena, v, p, slot, &loaded[p].spirv);
    ok = ok && built_vary(k->gpu, v->point, loaded, variation, NULL, &v->marked, err);
    arena_free(&arena);
    return ok;
}

// ---- a point

static bool run_marked(struct mutant_kernel *k, struct mutant_trial *t, struct error *err) {
    const uint32_t count = t->variant->block_count;
    uint32_t *words = arena_alloc(&k->arena, count, sizeof *words);
    const struct check_request request = {.gpu = k->gpu,
        .work = k->work,
        .problem = &t->problem,
        .truth = &t->truth,
        .point = t->point,
        .policy = t->variant->sound.policy,
        .timeout_s = k->options->timeout_s};
    if (!check_observe(&request, &t->variant->marked, words, count, err)) return false;
    t->reached = words;
    return true;
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
