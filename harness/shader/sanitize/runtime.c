// SPDX-License-Identifier: Apache-2.0
// The log's buffer, the functions that write its entries, and the numbers of each invocation.
#include "instrumenter.h"

// The log's block has two members: the head and the rows.
enum { MEMBER_HEAD, MEMBER_ROWS };
enum { VERSION_1_3 = 0x10300, VERSION_1_4 = 0x10400 };

// ---- built-in variables

static uint32_t find_builtin(const struct instrumenter *w, uint32_t number) {
    for (size_t at = 0; spirv_next(w->m->words, w->m->declarations, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (spirv_op(i) == SpvOpDecorate && spirv_length(i) > 3 && i[2] == SpvDecorationBuiltIn && i[3] == number &&
            module_defined(w->m, i[1], SpvOpVariable, 4))
            return i[1];
    }
    return 0;
}

// Returns the built-in variable, the module's own or a new one; 0: its type is another.
static uint32_t builtin(struct instrumenter *w, uint32_t number, uint32_t type) {
    const uint32_t found = find_builtin(w, number);
    const uint32_t *variable = found ? module_defined(w->m, found, SpvOpVariable, 4) : NULL;
    const uint32_t *pointer = variable ? module_defined(w->m, variable[1], SpvOpTypePointer, 4) : NULL;
    if (found) return pointer && pointer[3] == type ? found : 0;
    const uint32_t input = emit_type(w, SpvOpTypePointer, 2, (const uint32_t[]){SpvStorageClassInput, type});
    const uint32_t made = EMIT_VALUE(w, &w->declared, SpvOpVariable, input, SpvStorageClassInput);
    EMIT(w, &w->decorations, SpvOpDecorate, made, SpvDecorationBuiltIn, number);
    w->interface[w->interface_count++] = made;
    return made;
}

static bool declare_builtins(struct instrumenter *w) {
    w->local_index = builtin(w, SpvBuiltInLocalInvocationIndex, w->uint_type);
    w->group = builtin(w, SpvBuiltInWorkgroupId, w->uvec3_type);
    w->groups = builtin(w, SpvBuiltInNumWorkgroups, w->uvec3_type);
    bool ok = w->local_index && w->group && w->groups;
    if (ok && w->has_subgroups) {
        w->subgroup = builtin(w, SpvBuiltInSubgroupId, w->uint_type);
        w->lane = builtin(w, SpvBuiltInSubgroupLocalInvocationId, w->uint_type);
        ok = w->subgroup && w->lane;
    }
    return ok || refuse(w, "built-in variables of other types than usual");
}

// ---- the log

// Before SPIR-V 1.3, storage class StorageBuffer needs an extension.
static uint32_t log_class(const struct instrumenter *w) {
    return w->m->words[1] < VERSION_1_3 ? SpvStorageClassUniform : SpvStorageClassStorageBuffer;
}

static uint32_t private_variable(struct instrumenter *w) {
    const uint32_t pointer =
        emit_type(w, SpvOpTypePointer, 2, (const uint32_t[]){SpvStorageClassPrivate, w->uint_type});
    const uint32_t made = EMIT_VALUE(w, &w->declared, SpvOpVariable, pointer, SpvStorageClassPrivate);
    if (w->m->words[1] >= VERSION_1_4) w->interface[w->interface_count++] = made;
    return made;
}

static void declare_log(struct instrumenter *w) {
    const uint32_t head_count = emit_constant(w, LOG_HEAD_WORDS);
    const uint32_t head = w->bound++, rows = w->bound++, block = w->bound++, pointer = w->bound++;
    EMIT(w, &w->declared, SpvOpTypeArray, head, w->uint_type, head_count);
    EMIT(w, &w->declared, SpvOpTypeRuntimeArray, rows, w->uint_type);
    EMIT(w, &w->declared, SpvOpTypeStruct, block, head, rows);
    EMIT(w, &w->declared, SpvOpTypePointer, pointer, log_class(w), block);
    w->uint_pointer = emit_type(w, SpvOpTypePointer, 2, (const uint32_t[]){log_class(w), w->uint_type});
    w->log = EMIT_VALUE(w, &w->declared, SpvOpVariable, pointer, log_class(w));
    EMIT(w, &w->decorations, SpvOpDecorate, head, SpvDecorationArrayStride, 4);
    EMIT(w, &w->decorations, SpvOpDecorate, rows, SpvDecorationArrayStride, 4);
    EMIT(w, &w->decorations, SpvOpDecorate, block,
        log_class(w) == SpvStorageClassUniform ? SpvDecorationBufferBlock : SpvDecorationBlock);
    EMIT(w, &w->decorations, SpvOpMemberDecorate, block, MEMBER_HEAD, SpvDecorationOffset, 0);
    EMIT(w, &w->decorations, SpvOpMemberDecorate, block, MEMBER_ROWS, SpvDecorationOffset, 4 * LOG_HEAD_WORDS);
    EMIT(w, &w->decorations, SpvOpDecorate, w->log, SpvDecorationDescriptorSet, w->request->log_set);
    EMIT(w, &w->decorations, SpvOpDecorate, w->log, SpvDecorationBinding, w->request->log_binding);
    if (w->m->words[1] >= VERSION_1_4) w->interface[w->interface_count++] = w->log;
}

bool runtime_declare(struct instrumenter *w) {
    w->void_type = emit_type(w, SpvOpTypeVoid, 0, NULL);
    w->bool_type = emit_type(w, SpvOpTypeBool, 0, NULL);
    w->uint_type = emit_type(w, SpvOpTypeInt, 2, (const uint32_t[]){32, 0});
    w->uvec3_type = emit_type(w, SpvOpTypeVector, 2, (const uint32_t[]){w->uint_type, 3});
    uint32_t *const variables[] = {&w->number, &w->at, &w->past, &w->step, &w->looked, &w->looked_at};
    uint32_t *const functions[] = {&w->put, &w->look, &w->put_matrix, &w->put_time, &w->finish};
    for (int k = 0; k < 5; k++) *functions[k] = w->bound++;
    declare_log(w);
    for (int k = 0; k < 6; k++) *variables[k] = private_variable(w);
    // The lengths of what the code only reads. All are declared, because the code at the start comes first.
    for (int k = 0; k < w->request->slot_count; k++) w->limits[k] = private_variable(w);
    return declare_builtins(w);
}

uint32_t runtime_limit(struct instrumenter *w, uint32_t slot) {
    return w->limits[slot];
}

// ---- functions

void runtime_call(struct instrumenter *w, uint32_t function, size_t count, const uint32_t *operands) {
    uint32_t words[8] = {function};
    for (size_t k = 0; k < count && k < 7; k++) words[1 + k] = operands[k];
    emit_value(w, &w->code, SpvOpFunctionCall, w->void_type, count + 1, words);
}

static void start_function(struct instrumenter *w, uint32_t function, uint32_t count, uint32_t *parameters) {
    uint32_t operands[5] = {w->void_type};
    for (uint32_t k = 0; k < count; k++) operands[1 + k] = w->uint_type;
    const uint32_t type = emit_type(w, SpvOpTypeFunction, count + 1, operands);
    EMIT(w, &w->functions, SpvOpFunction, w->void_type, function, 0, type);
    for (uint32_t k = 0; k < count; k++) {
        parameters[k] = w->bound++;
        EMIT(w, &w->functions, SpvOpFunctionParameter, w->uint_type, parameters[k]);
    }
    const uint32_t label = w->bound++;
    EMIT(w, &w->functions, SpvOpLabel, label);
}

static void end_function(struct instrumenter *w) {
    emit_words(w, &w->functions, SpvOpReturn, 0, NULL);
    emit_words(w, &w->functions, SpvOpFunctionEnd, 0, NULL);
}

static uint32_t head_word(struct instrumenter *w, struct word_list *to, uint32_t word) {
    return EMIT_VALUE(
        w, to, SpvOpAccessChain, w->uint_pointer, w->log, emit_constant(w, MEMBER_HEAD), emit_constant(w, word));
}

static uint32_t load(struct instrumenter *w, uint32_t pointer) {
    return EMIT_VALUE(w, &w->functions, SpvOpLoad, w->uint_type, pointer);
}

static void store_row(struct instrumenter *w, uint32_t index, uint32_t value) {
    const uint32_t to =
        EMIT_VALUE(w, &w->functions, SpvOpAccessChain, w->uint_pointer, w->log, emit_constant(w, MEMBER_ROWS), index);
    EMIT(w, &w->functions, SpvOpStore, to, value);
}

static void call(struct instrumenter *w, uint32_t function, uint32_t word) {
    EMIT_VALUE(w, &w->functions, SpvOpFunctionCall, w->void_type, function, word);
}

// put(word): appends a word to the invocation's log. The count of words stays where it would wrap.
static void put_put(struct instrumenter *w) {
    struct word_list *f = &w->functions;
    uint32_t word;
    start_function(w, w->put, 1, &word);
    const uint32_t old = load(w, w->at);
    const uint32_t next = EMIT_VALUE(w, f, SpvOpIAdd, w->uint_type, old, load(w, w->step));
    const uint32_t wraps = EMIT_VALUE(w, f, SpvOpULessThan, w->bool_type, next, old);
    const uint32_t at = EMIT_VALUE(w, f, SpvOpSelect, w->uint_type, wraps, old, next);
    const uint32_t past = load(w, w->past);
    const uint32_t fits = EMIT_VALUE(w, f, SpvOpULessThan, w->bool_type, at, past);
    store_row(w, EMIT_VALUE(w, f, SpvOpSelect, w->uint_type, fits, at, past), word);
    EMIT(w, f, SpvOpStore, w->at, at);
    end_function(w);
}

// look(address, site, wrong): keeps the first read outside.
static void put_look(struct instrumenter *w) {
    struct word_list *f = &w->functions;
    uint32_t given[3];
    start_function(w, w->look, 3, given);
    const uint32_t old = load(w, w->looked), old_at = load(w, w->looked_at), zero = emit_constant(w, 0);
    const uint32_t is_wrong = EMIT_VALUE(w, f, SpvOpINotEqual, w->bool_type, given[2], zero);
    const uint32_t is_first = EMIT_VALUE(w, f, SpvOpIEqual, w->bool_type, old, zero);
    const uint32_t keeps = EMIT_VALUE(w, f, SpvOpLogicalAnd, w->bool_type, is_wrong, is_first);
    const uint32_t next = EMIT_VALUE(w, f, SpvOpIAdd, w->uint_type, given[1], emit_constant(w, 1));
    EMIT(w, f, SpvOpStore, w->looked, EMIT_VALUE(w, f, SpvOpSelect, w->uint_type, keeps, next, old));
    EMIT(w, f, SpvOpStore, w->looked_at, EMIT_VALUE(w, f, SpvOpSelect, w->uint_type, keeps, given[0], old_at));
    end_function(w);
}

static uint32_t start_if(struct instrumenter *w, uint32_t condition) {
    struct word_list *f = &w->functions;
    const uint32_t then = w->bound++, end = w->bound++;
    EMIT(w, f, SpvOpSelectionMerge, end, 0);
    EMIT(w, f, SpvOpBranchConditional, condition, then, end);
    EMIT(w, f, SpvOpLabel, then);
    return end;
}

static void end_if(struct instrumenter *w, uint32_t end) {
    EMIT(w, &w->functions, SpvOpBranch, end);
    EMIT(w, &w->functions, SpvOpLabel, end);
}

// put_matrix(site of the stride, stride, site, address): appends them in the first lane of a subgroup.
static void put_put_matrix(struct instrumenter *w) {
    struct word_list *f = &w->functions;
    uint32_t given[4];
    start_function(w, w->put_matrix, 4, given);
    const uint32_t lane = load(w, w->lane);
    const uint32_t end = start_if(w, EMIT_VALUE(w, f, SpvOpIEqual, w->bool_type, lane, emit_constant(w, 0)));
    for (int k = 0; k < 4; k++) call(w, w->put, given[k]);
    end_if(w, end);
    end_function(w);
}

// put_time(site): appends the site and the clock, and moves the clock on.
static void put_put_time(struct instrumenter *w) {
    struct word_list *f = &w->functions;
    uint32_t site;
    start_function(w, w->put_time, 1, &site);
    const uint32_t clock = head_word(w, f, LOG_CLOCK);
    call(w, w->put, site);
    call(w, w->put,
        EMIT_VALUE(w, f, SpvOpAtomicIAdd, w->uint_type, clock, emit_constant(w, module_widest_scope(w->m)),
            emit_constant(w, 0), emit_constant(w, 1)));
    end_function(w);
}

static void store_head(struct instrumenter *w, uint32_t word, uint32_t value) {
    EMIT(w, &w->functions, SpvOpStore, head_word(w, &w->functions, word), value);
}

static uint32_t test(struct instrumenter *w, uint32_t op, uint32_t a, uint32_t b) {
    return EMIT_VALUE(w, &w->functions, op, w->bool_type, a, b);
}

// finish(): appends the first access outside, and writes 1 + the index of the last word into the first row. An
// invocation without a log writes the access into the head.
static void put_finish(struct instrumenter *w) {
    struct word_list *f = &w->functions;
    start_function(w, w->finish, 0, NULL);
    const uint32_t looked = load(w, w->looked), zero = emit_constant(w, 0), step = load(w, w->step);
    const uint32_t is_logged = test(w, SpvOpINotEqual, step, zero), any = test(w, SpvOpINotEqual, looked, zero);
    uint32_t end = start_if(w, EMIT_VALUE(w, f, SpvOpLogicalAnd, w->bool_type, any, is_logged));
    call(w, w->put, emit_constant(w, w->looked_site));
    call(w, w->put, EMIT_VALUE(w, f, SpvOpISub, w->uint_type, looked, emit_constant(w, 1)));
    call(w, w->put, load(w, w->looked_at));
    end_if(w, end);
    const uint32_t is_not = EMIT_VALUE(w, f, SpvOpLogicalNot, w->bool_type, is_logged);
    end = start_if(w, EMIT_VALUE(w, f, SpvOpLogicalAnd, w->bool_type, any, is_not));
    store_head(w, LOG_LOOKED, looked);
    store_head(w, LOG_LOOKED_AT, load(w, w->looked_at));
    store_head(w, LOG_LOOKED_BY, load(w, w->number));
    end_if(w, end);
    end = start_if(w, is_logged);
    const uint32_t at = load(w, w->at);
    const uint32_t first = EMIT_VALUE(w, f, SpvOpUMod, w->uint_type, at, step);
    store_row(w, first, EMIT_VALUE(w, f, SpvOpIAdd, w->uint_type, at, emit_constant(w, 1)));
    end_if(w, end);
    end_function(w);
}

void runtime_functions(struct instrumenter *w) {
    put_put(w);
    put_look(w);
    put_put_time(w);
    put_finish(w);
    if (w->has_subgroups) put_put_matrix(w);
}

// ---- the start of the entry point

static uint32_t part(struct instrumenter *w, uint32_t vector, uint32_t k) {
    return EMIT_VALUE(w, &w->code, SpvOpCompositeExtract, w->uint_type, vector, k);
}

static uint32_t code_value(struct instrumenter *w, uint32_t op, uint32_t a, uint32_t b) {
    return EMIT_VALUE(w, &w->code, op, w->uint_type, a, b);
}

// Returns the invocation's number: its workgroup's, times the size of one, plus its own.
static uint32_t number_of_invocation(struct instrumenter *w) {
    struct word_list *c = &w->code;
    const uint32_t *size = w->request->setting.size;
    const uint32_t group = EMIT_VALUE(w, c, SpvOpLoad, w->uvec3_type, w->group);
    const uint32_t groups = EMIT_VALUE(w, c, SpvOpLoad, w->uvec3_type, w->groups);
    const uint32_t local = EMIT_VALUE(w, c, SpvOpLoad, w->uint_type, w->local_index);
    uint32_t number = part(w, group, 2);
    for (uint32_t k = 2; k-- > 0;) {
        number = code_value(w, SpvOpIMul, number, part(w, groups, k));
        number = code_value(w, SpvOpIAdd, number, part(w, group, k));
    }
    number = code_value(w, SpvOpIMul, number, emit_constant(w, size[0] * size[1] * size[2]));
    return code_value(w, SpvOpIAdd, number, local);
}

static uint32_t head_value(struct instrumenter *w, uint32_t word) {
    return EMIT_VALUE(w, &w->code, SpvOpLoad, w->uint_type, head_word(w, &w->code, word));
}

static uint32_t code_choice(struct instrumenter *w, uint32_t condition, uint32_t a, uint32_t b) {
    return EMIT_VALUE(w, &w->code, SpvOpSelect, w->uint_type, condition, a, b);
}

// Sets the place of the invocation's log. One without a log has the last row for it, and a step of 0.
static void start_log(struct instrumenter *w, uint32_t number, uint32_t zero) {
    struct word_list *c = &w->code;
    const uint32_t first = head_value(w, LOG_FIRST), gap = head_value(w, LOG_GAP);
    const uint32_t step = head_value(w, LOG_INVOCATIONS), room = head_value(w, LOG_ROOM_WORDS);
    const uint32_t is_low = EMIT_VALUE(w, c, SpvOpULessThan, w->bool_type, number, first);
    const uint32_t behind = code_value(w, SpvOpIAdd, first, gap);
    const uint32_t is_high = EMIT_VALUE(w, c, SpvOpUGreaterThanEqual, w->bool_type, number, behind);
    const uint32_t is_logged = EMIT_VALUE(w, c, SpvOpLogicalOr, w->bool_type, is_low, is_high);
    const uint32_t moved = code_value(w, SpvOpISub, number, gap);
    const uint32_t place = code_choice(w, is_logged, code_choice(w, is_low, number, moved), zero);
    const uint32_t rows = code_value(w, SpvOpISub, room, step); // without the last one
    const uint32_t past = code_value(w, SpvOpIAdd, rows, place);
    EMIT(w, c, SpvOpStore, w->number, number);
    EMIT(w, c, SpvOpStore, w->past, past);
    EMIT(w, c, SpvOpStore, w->at, code_choice(w, is_logged, place, past));
    EMIT(w, c, SpvOpStore, w->step, code_choice(w, is_logged, step, zero));
}

void runtime_start(struct instrumenter *w) {
    struct word_list *c = &w->code;
    const uint32_t zero = emit_constant(w, 0);
    start_log(w, number_of_invocation(w), zero);
    EMIT(w, c, SpvOpStore, w->looked, zero);
    EMIT(w, c, SpvOpStore, w->looked_at, zero);
    for (int k = 0; k < w->request->slot_count; k++)
        EMIT(w, c, SpvOpStore, w->limits[k], head_value(w, LOG_LIMIT + (uint32_t)k));
    if (!w->has_subgroups) return;
    sites_add(w, SITE_START);
    const uint32_t start = emit_constant(w, (uint32_t)w->site_count - 1);
    const uint32_t subgroup = EMIT_VALUE(w, c, SpvOpLoad, w->uint_type, w->subgroup);
    runtime_call(w, w->put, 1, &start);
    runtime_call(w, w->put, 1, &subgroup);
}
