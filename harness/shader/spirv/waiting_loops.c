// SPDX-License-Identifier: Apache-2.0
#include "analyses.h"

#include "module.h"
#include "spirv.h"

static bool is_constant(const struct module *m, uint32_t id) {
    const uint32_t at = id < m->bound ? m->ids[id].at : 0;
    return at && at < m->declarations && spirv_op(&m->words[at]) == SpvOpConstant;
}

static bool is_zero(const struct module *m, uint32_t id) {
    return is_constant(m, id) && m->words[m->ids[id].at + 3] == 0;
}

static bool looks(const struct module *m, const uint32_t *i) {
    const uint32_t length = spirv_length(i);
    switch (spirv_op(i)) {
    case SpvOpAtomicLoad:
        return true;
    case SpvOpLoad:
        return length > 4 && i[4] & SpvMemoryAccessVolatileMask;
    case SpvOpAtomicIAdd:
    case SpvOpAtomicISub:
    case SpvOpAtomicOr:
    case SpvOpAtomicXor:
    case SpvOpAtomicUMax:
        return length > 6 && is_zero(m, i[6]);
    case SpvOpAtomicExchange:
        return length > 6 && is_constant(m, i[6]);
    case SpvOpAtomicCompareExchange:
        return length > 8 && is_constant(m, i[8]);
    default:
        return false;
    }
}

bool waiting_loops_found(const uint32_t *words, size_t count) {
    struct module m;
    struct error err;
    uint32_t merge = 0; // of the outermost loop around the instruction; its blocks come before this one
    bool found = false, block_looks = false; // the block so far: a header may look before it is known as one
    if (!module_open(&m, words, count, &err)) return false;
    for (size_t at = m.declarations; !found && at < m.count; at += spirv_length(&words[at])) {
        const uint32_t *i = &words[at];
        block_looks = spirv_op(i) != SpvOpLabel && (block_looks || looks(&m, i));
        if (spirv_op(i) == SpvOpLoopMerge && !merge) merge = i[1];
        if (spirv_op(i) == SpvOpFunctionEnd || (spirv_op(i) == SpvOpLabel && i[1] == merge)) merge = 0;
        found = merge && block_looks;
    }
    module_close(&m);
    return found;
}
