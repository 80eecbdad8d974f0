// SPDX-License-Identifier: Apache-2.0
// Mutations of barriers and of operations between invocations.
#include "mutations.h"

#include "../split.h"

static bool drop_barrier(struct module_change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item);
    if ((op != SpvOpControlBarrier && op != SpvOpMemoryBarrier) || way) return false;
    change_remove(c, item);
    change_tell(c, "a barrier was dropped");
    return true;
}

static bool conditional_barrier(struct module_change *c, uint32_t item, int way) {
    if (code_op(c->code, item) != SpvOpControlBarrier || way || !split_allowed(c->code, item)) return false;
    uint32_t condition = split_not_first(c, item);
    if (!condition) return false;
    split_conditional(c, item, condition);
    change_tell(c, "the first invocation skipped a barrier");
    return true;
}

static bool weaker_barrier(struct module_change *c, uint32_t item, int way) {
    uint64_t scope;
    uint32_t semantics = code_word(c->code, item, 3);
    if (code_op(c->code, item) != SpvOpControlBarrier || way > 1) return false;
    if (!code_constant(c->code, code_word(c->code, item, 1), &scope)) return false;
    uint32_t type = code_type(c->code, semantics);
    if (way) {
        change_word(c, item, 3, change_constant(c, type, 32, 0));
        change_tell(c, "a barrier lost its memory semantics");
        return true;
    }
    change_word(c, item, 1, change_constant(c, type, 32, SpvScopeSubgroup));
    change_tell(c, "a barrier of a workgroup became one of a subgroup");
    return scope == SpvScopeWorkgroup;
}

static bool subgroup_kind(struct module_change *c, uint32_t item, int way) {
    static const struct {
        uint16_t op, other;
        const char *name, *other_name;
    } pairs[] = {
        {SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformUMax, "sum", "maximum"},
        {SpvOpGroupNonUniformFAdd, SpvOpGroupNonUniformFMax, "sum", "maximum"},
        {SpvOpGroupNonUniformIMul, SpvOpGroupNonUniformIAdd, "product", "sum"},
        {SpvOpGroupNonUniformFMul, SpvOpGroupNonUniformFAdd, "product", "sum"},
        {SpvOpGroupNonUniformSMin, SpvOpGroupNonUniformSMax, "minimum", "maximum"},
        {SpvOpGroupNonUniformUMin, SpvOpGroupNonUniformUMax, "minimum", "maximum"},
        {SpvOpGroupNonUniformFMin, SpvOpGroupNonUniformFMax, "minimum", "maximum"},
        {SpvOpGroupNonUniformSMax, SpvOpGroupNonUniformSMin, "maximum", "minimum"},
        {SpvOpGroupNonUniformUMax, SpvOpGroupNonUniformUMin, "maximum", "minimum"},
        {SpvOpGroupNonUniformFMax, SpvOpGroupNonUniformFMin, "maximum", "minimum"},
        {SpvOpGroupNonUniformBitwiseAnd, SpvOpGroupNonUniformBitwiseOr, "and", "or"},
        {SpvOpGroupNonUniformBitwiseOr, SpvOpGroupNonUniformBitwiseAnd, "or", "and"},
        {SpvOpGroupNonUniformAll, SpvOpGroupNonUniformAny, "all", "any"},
        {SpvOpGroupNonUniformAny, SpvOpGroupNonUniformAll, "any", "all"},
    };
    const uint32_t *i = code_item(c->code, item);
    for (size_t k = 0; !way && k < sizeof pairs / sizeof *pairs; k++) {
        if (pairs[k].op != spirv_op(i)) continue;
        change_remake(c, item, pairs[k].other, &i[3], spirv_length(i) - 3);
        change_tell(c, "a subgroup's %s became its %s", pairs[k].name, pairs[k].other_name);
        return true;
    }
    return false;
}

static bool subgroup_scan(struct module_change *c, uint32_t item, int way) {
    static const struct {
        uint32_t to;
        const char *summary;
    } others[] = {[SpvGroupOperationReduce] = {SpvGroupOperationInclusiveScan, "a reduction became an inclusive scan"},
        [SpvGroupOperationInclusiveScan] = {SpvGroupOperationExclusiveScan,
            "an inclusive scan became an exclusive one"},
        [SpvGroupOperationExclusiveScan] = {
            SpvGroupOperationInclusiveScan, "an exclusive scan became an inclusive one"}};
    uint32_t op = code_op(c->code, item), kind = code_word(c->code, item, 4);
    bool takes = op >= SpvOpGroupNonUniformIAdd && op <= SpvOpGroupNonUniformLogicalXor;
    if (!takes || way || kind > SpvGroupOperationExclusiveScan) return false;
    change_word(c, item, 4, others[kind].to);
    change_tell(c, "%s", others[kind].summary);
    return true;
}

static bool subgroup_own(struct module_change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item), value = code_word(c->code, item, 4);
    bool moves = (op >= SpvOpGroupNonUniformBroadcast && op <= SpvOpGroupNonUniformBroadcastFirst) ||
                 (op >= SpvOpGroupNonUniformShuffle && op <= SpvOpGroupNonUniformShuffleDown) ||
                 op == SpvOpGroupNonUniformQuadBroadcast || op == SpvOpGroupNonUniformQuadSwap;
    if (!moves || way || code_type(c->code, value) != code_word(c->code, item, 1)) return false;
    change_remake(c, item, SpvOpCopyObject, OPERANDS(value));
    change_tell(c, "each invocation took its own value instead of another's");
    return true;
}

const struct mutation mutations_order[] = {
    {"order.drop_barrier", "a missing barrier", drop_barrier},
    {"order.conditional_barrier", "a barrier that some invocations skip", conditional_barrier},
    {"order.weaker_barrier", "a barrier of too small a scope", weaker_barrier},
    {"order.subgroup_kind", "subgroupMax for subgroupAdd", subgroup_kind},
    {"order.subgroup_scan", "an exclusive scan for an inclusive one", subgroup_scan},
    {"order.subgroup_own", "a missing shuffle", subgroup_own},
    {NULL, NULL, NULL},
};
