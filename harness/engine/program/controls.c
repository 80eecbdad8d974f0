// SPDX-License-Identifier: Apache-2.0
#include "controls.h"

#include "../../shader/spirv/changes.h"
#include "../../shader/spirv/spirv.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

// GLSL.std.450's PackHalf2x16, and OpQuantizeToF16. Any other set's instruction with the number counts, too.
static bool packs_f16(const uint32_t *i) {
    const uint32_t op = spirv_op(i);
    return op == SpvOpQuantizeToF16 || (op == SpvOpExtInst && spirv_length(i) > 4 && i[4] == GLSLstd450PackHalf2x16);
}

bool controls_narrows(const uint32_t *words, size_t count, enum dtype dtype) {
    if (dtype != DTYPE_F16 && dtype != DTYPE_BF16) return false;
    const uint32_t length = dtype == DTYPE_F16 ? 3 : 4; // bfloat16 has its encoding as a fourth word
    for (size_t at = 0; spirv_next(words, count, &at);) {
        const uint32_t *i = &words[at];
        if (spirv_op(i) == SpvOpTypeFloat && spirv_length(i) == length && i[2] == 16) return false;
        if (dtype == DTYPE_F16 && packs_f16(i)) return false;
    }
    return true;
}

static bool can_widen(const uint32_t *instruction, const bool features[FEATURE_COUNT], struct policy declared) {
    if (instruction[0] != CONTROL || instruction[3] != 32) return false;
    switch (instruction[2]) {
    case SpvExecutionModeRoundingModeRTE:
        return features[FEATURE_RTE_F16] && !declared.rte;
    case SpvExecutionModeSignedZeroInfNanPreserve:
        return features[FEATURE_SPECIALS_F16] && !declared.specials;
    case SpvExecutionModeDenormPreserve:
        return features[FEATURE_DENORMS_F16] && !declared.denorms;
    }
    return false;
}

void controls_widen(struct arena *arena, const bool features[FEATURE_COUNT], struct spirv *spirv) {
    const uint32_t *words = spirv->words;
    bool has_float16 = false;
    for (size_t at = 0; spirv_next(words, spirv->count, &at);) // bfloat16 has a fourth word
        has_float16 |= words[at] == (3u << SpvWordCountShift | SpvOpTypeFloat) && words[at + 2] == 16;
    if (!has_float16) return;
    const struct policy declared = controls_declared(words, spirv->count, 16);
    size_t added = 0;
    for (size_t at = 0; spirv_next(words, spirv->count, &at);) added += can_widen(&words[at], features, declared);
    uint32_t *wider = arena_alloc(arena, spirv->count + added * CONTROL_WORDS, sizeof *wider);
    size_t from = 0, to = 0;
    for (size_t at = 0; spirv_next(words, spirv->count, &at);) {
        if (!can_widen(&words[at], features, declared)) continue;
        size_t end = at + CONTROL_WORDS; // the copy for 16 bits follows the instruction itself
        memcpy(wider + to, words + from, (end - from) * sizeof *wider);
        to += end - from;
        memcpy(wider + to, words + at, CONTROL_WORDS * sizeof *wider);
        wider[to + 3] = 16;
        to += CONTROL_WORDS;
        from = end;
    }
    memcpy(wider + to, words + from, (spirv->count - from) * sizeof *wider);
    spirv->words = wider;
    spirv->count += added * CONTROL_WORDS;
}

static bool is_lacking(const uint32_t *instruction, const bool features[FEATURE_COUNT]) {
    const bool half = instruction[0] == CONTROL && instruction[3] == 16;
    if (instruction[0] != CONTROL || (instruction[3] != 32 && !half)) return false;
    switch (instruction[2]) {
    case SpvExecutionModeRoundingModeRTE:
        return !features[half ? FEATURE_RTE_F16 : FEATURE_RTE_F32];
    case SpvExecutionModeSignedZeroInfNanPreserve:
        return !features[half ? FEATURE_SPECIALS_F16 : FEATURE_SPECIALS_F32];
    case SpvExecutionModeDenormPreserve:
        return !features[half ? FEATURE_DENORMS_F16 : FEATURE_DENORMS_F32];
    }
    return false;
}

void controls_fit(struct arena *arena, const bool features[FEATURE_COUNT], struct spirv *spirv) {
    uint32_t *words = arena_alloc(arena, spirv->count, sizeof *words);
    size_t to = spirv->count < SPIRV_HEADER ? spirv->count : SPIRV_HEADER;
    memcpy(words, spirv->words, to * sizeof *words);
    for (size_t at = 0; spirv_next(spirv->words, spirv->count, &at);) {
        const uint32_t *i = &spirv->words[at];
        if (is_lacking(i, features)) continue;
        memcpy(words + to, i, spirv_length(i) * sizeof *words);
        to += spirv_length(i);
    }
    if (to == spirv->count) return;
    spirv->words = words;
    spirv->count = entry_narrow(words, to);
}
