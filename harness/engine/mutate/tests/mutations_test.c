// SPDX-License-Identifier: Apache-2.0
// Runs each mutation on a small module: it makes its change and no other, and the module stays legal.
#include "../mutant_choice.h"
#include "../../../shader/spirv/spirv_tools.h"
#include "small_module.h"

// A loop of 7 turns over `i`, with a body from the test.
#define LOOP(body)                                                                                                     \
    "OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint %u0 %entry %next %again\n%r = OpPhi %float %f0 %entry %c "      \
    "%again\n%test = OpULessThan %bool %i %u7\nOpLoopMerge %after %again None\nOpBranchConditional %test %body "       \
    "%after\n%body = OpLabel\n" body "OpBranch %again\n%again = OpLabel\n%next = OpIAdd %uint %i %u1\nOpBranch "       \
    "%head\n%after = OpLabel\n"

struct example {
    const char *mutation;
    int nth;                            // of its places in the body, from 0
    const char *body, *removed, *added; // lines
};

static const struct example examples[] = {
    {"arithmetic.exchange", 0, "%r = OpFMul %float %f %g\n", "%51 = OpFMul %float %f %g", "%51 = OpFDiv %float %f %g"},
    {"arithmetic.exchange", 0, "%r = OpUMod %uint %a %b\n", "%51 = OpUMod %uint %a %b", "%51 = OpUDiv %uint %a %b"},
    {"arithmetic.drop_operand", 0, "%r = OpFAdd %float %f %g\n", "%51 = OpFAdd %float %f %g",
        "%51 = OpCopyObject %float %f"},
    {"arithmetic.drop_operand", 1, "%r = OpFAdd %float %f %g\n", "%51 = OpFAdd %float %f %g",
        "%51 = OpCopyObject %float %g"},
    {"arithmetic.swap_operands", 0, "%r = OpFSub %float %f %g\n", "%51 = OpFSub %float %f %g",
        "%51 = OpFSub %float %g %f"},
    {"arithmetic.drop_addend", 0, "%r = OpExtInst %float %glsl Fma %f %g %f3\n",
        "%51 = OpExtInst %float %1 Fma %f %g %float_3", "%51 = OpFMul %float %f %g"},
    {"arithmetic.drop_negation", 0, "%r = OpFNegate %float %f\n", "%51 = OpFNegate %float %f",
        "%51 = OpCopyObject %float %f"},
    {"arithmetic.conversion_sign", 0, "%r = OpConvertUToF %float %a\n", "%51 = OpConvertUToF %float %a",
        "%51 = OpConvertSToF %float %a"},
    {"comparison.or_equal", 0, "%r = OpULessThan %bool %a %b\n", "%51 = OpULessThan %bool %a %b",
        "%51 = OpULessThanEqual %bool %a %b"},
    {"comparison.or_equal", 0, "%r = OpFOrdGreaterThanEqual %bool %f %g\n", "%51 = OpFOrdGreaterThanEqual %bool %f %g",
        "%51 = OpFOrdGreaterThan %bool %f %g"},
    {"comparison.equality", 0, "%r = OpIEqual %bool %a %b\n", "%51 = OpIEqual %bool %a %b",
        "%51 = OpINotEqual %bool %a %b"},
    {"comparison.equality", 0, "%r = OpFOrdEqual %bool %f %g\n", "%51 = OpFOrdEqual %bool %f %g",
        "%51 = OpFUnordNotEqual %bool %f %g"},
    {"comparison.negate", 0, "%r = OpSelect %float %t %f %g\n", "%51 = OpSelect %float %t %f %g",
        "%52 = OpLogicalNot %bool %t\n"
        "%51 = OpSelect %float %52 %f %g"},
    {"comparison.negate", 0,
        "OpSelectionMerge %after None\n"
        "OpBranchConditional %t %then %after\n"
        "%then = OpLabel\n"
        "OpBranch %after\n"
        "%after = OpLabel\n",
        "OpBranchConditional %t %52 %51",
        "%53 = OpLogicalNot %bool %t\n"
        "OpBranchConditional %53 %52 %51"},
    {"comparison.constant", 0, "%r = OpSelect %float %t %f %g\n", "%51 = OpSelect %float %t %f %g",
        "%51 = OpSelect %float %true %f %g"},
    {"comparison.constant", 1, "%r = OpSelect %float %t %f %g\n", "%51 = OpSelect %float %t %f %g",
        "%false = OpConstantFalse %bool\n"
        "%51 = OpSelect %float %false %f %g"},
    {"comparison.bound", 0, "%r = OpULessThan %bool %a %b\n", "%51 = OpULessThan %bool %a %b",
        "%52 = OpIAdd %uint %b %uint_1\n"
        "%51 = OpULessThan %bool %a %52"},
    {"comparison.bound", 1, "%r = OpULessThan %bool %a %b\n", "%51 = OpULessThan %bool %a %b",
        "%52 = OpISub %uint %b %uint_1\n"
        "%51 = OpULessThan %bool %a %52"},
    {"constant.plus_one", 0, "%r = OpIAdd %uint %a %u7\n", "%51 = OpIAdd %uint %a %uint_7",
        "%uint_8 = OpConstant %uint 8\n"
        "%51 = OpIAdd %uint %a %uint_8"},
    {"constant.plus_one", 0, "%r = OpFAdd %float %f %f3\n", "%51 = OpFAdd %float %f %float_3",
        "%float_4 = OpConstant %float 4\n"
        "%51 = OpFAdd %float %f %float_4"},
    {"constant.minus_one", 0, "%r = OpIAdd %uint %a %u7\n", "%51 = OpIAdd %uint %a %uint_7",
        "%uint_6 = OpConstant %uint 6\n"
        "%51 = OpIAdd %uint %a %uint_6"},
    {"constant.twice", 0, "%r = OpFMul %float %f %f3\n", "%51 = OpFMul %float %f %float_3",
        "%float_6 = OpConstant %float 6\n"
        "%51 = OpFMul %float %f %float_6"},
    {"constant.zero", 0, "%r = OpFAdd %float %f %f3\n", "%51 = OpFAdd %float %f %float_3",
        "%51 = OpFAdd %float %f %float_0"},
    {"constant.one", 0, "%r = OpFAdd %float %f %f0\n", "%51 = OpFAdd %float %f %float_0",
        "%51 = OpFAdd %float %f %float_1"},
    {"constant.negative", 0, "%r = OpFMul %float %f %f3\n", "%51 = OpFMul %float %f %float_3",
        "%float_n3 = OpConstant %float -3\n"
        "%51 = OpFMul %float %f %float_n3"},
    {"constant.part_6", 0, "%r = OpFMul %float %f %f3\n", "%51 = OpFMul %float %f %float_3",
        "%float_3_03125 = OpConstant %float 3.03125\n"
        "%51 = OpFMul %float %f %float_3_03125"},
    {"constant.part_12", 0, "%r = OpFMul %float %f %f3\n", "%51 = OpFMul %float %f %float_3",
        "%float_3_00048828 = OpConstant %float 3.00048828\n"
        "%51 = OpFMul %float %f %float_3_00048828"},
    {"constant.part_20", 0, "%r = OpFMul %float %f %f3\n", "%51 = OpFMul %float %f %float_3",
        "%float_3_00000191 = OpConstant %float 3.00000191\n"
        "%51 = OpFMul %float %f %float_3_00000191"},
    {"constant.finite", 0, "%r = OpExtInst %float %glsl FMin %f %inf\n",
        "%51 = OpExtInst %float %1 FMin %f %float_0x1p_128",
        "%float_3_40282347e_38 = OpConstant %float 3.40282347e+38\n"
        "%51 = OpExtInst %float %1 FMin %f %float_3_40282347e_38"},
    {"constant.tunable", 0, "%r = OpIMul %uint %a %tile\n", "%51 = OpIMul %uint %a %tile",
        "%uint_8 = OpConstant %uint 8\n"
        "%51 = OpIMul %uint %a %uint_8"},
    {"extended.extreme", 0, "%r = OpExtInst %float %glsl FMax %f %g\n", "%51 = OpExtInst %float %1 FMax %f %g",
        "%51 = OpExtInst %float %1 FMin %f %g"},
    {"extended.clamp", 0, "%r = OpExtInst %float %glsl FClamp %f %f0 %f1\n",
        "%51 = OpExtInst %float %1 FClamp %f %float_0 %float_1", "%51 = OpExtInst %float %1 FMax %f %float_0"},
    {"extended.clamp", 1, "%r = OpExtInst %float %glsl FClamp %f %f0 %f1\n",
        "%51 = OpExtInst %float %1 FClamp %f %float_0 %float_1", "%51 = OpExtInst %float %1 FMin %f %float_1"},
    {"extended.exponential", 0, "%r = OpExtInst %float %glsl Exp %f\n", "%51 = OpExtInst %float %1 Exp %f",
        "%51 = OpExtInst %float %1 Exp2 %f"},
    {"extended.root", 0, "%r = OpExtInst %float %glsl InverseSqrt %f\n", "%51 = OpExtInst %float %1 InverseSqrt %f",
        "%51 = OpExtInst %float %1 Sqrt %f"},
    {"extended.rounding", 0, "%r = OpExtInst %float %glsl Floor %f\n", "%51 = OpExtInst %float %1 Floor %f",
        "%51 = OpExtInst %float %1 RoundEven %f"},
    {"extended.rounding", 1, "%r = OpExtInst %float %glsl Floor %f\n", "%51 = OpExtInst %float %1 Floor %f",
        "%51 = OpExtInst %float %1 Trunc %f"},
    {"extended.absolute", 0, "%r = OpExtInst %float %glsl FAbs %f\n", "%51 = OpExtInst %float %1 FAbs %f",
        "%51 = OpCopyObject %float %f"},
    {"memory.drop_store", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "OpStore %p %f\n",
        "OpStore %51 %f", ""},
    {"memory.store_moved", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "OpStore %p %f\n",
        "OpStore %51 %f",
        "%52 = OpIAdd %uint %a %uint_1\n"
        "%53 = OpAccessChain %_ptr_StorageBuffer_float %buffer %int_0 %52\n"
        "OpStore %53 %f"},
    {"memory.store_moved", 1,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "OpStore %p %f\n",
        "OpStore %51 %f",
        "%52 = OpISub %uint %a %uint_1\n"
        "%53 = OpAccessChain %_ptr_StorageBuffer_float %buffer %int_0 %52\n"
        "OpStore %53 %f"},
    {"memory.load_neighbour", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%r = OpLoad %float %p\n",
        "%52 = OpLoad %float %51",
        "%53 = OpIAdd %uint %a %uint_1\n"
        "%54 = OpAccessChain %_ptr_StorageBuffer_float %buffer %int_0 %53\n"
        "%52 = OpLoad %float %54"},
    {"memory.atomic_apart", 0,
        "%p = OpAccessChain %word_pointer %wholes %i0 %a\n"
        "%r = OpAtomicIAdd %uint %p %u1 %u0 %b\n",
        "%52 = OpAtomicIAdd %uint %51 %uint_1 %uint_0 %b",
        "%52 = OpLoad %uint %51\n"
        "%53 = OpIAdd %uint %52 %b\n"
        "OpStore %51 %53"},
    {"memory.atomic_apart", 0,
        "%p = OpAccessChain %word_pointer %wholes %i0 %a\n"
        "%r = OpAtomicUMax %uint %p %u1 %u0 %b\n",
        "%52 = OpAtomicUMax %uint %51 %uint_1 %uint_0 %b",
        "%52 = OpLoad %uint %51\n"
        "%53 = OpExtInst %uint %1 UMax %52 %b\n"
        "OpStore %51 %53"},
    {"memory.index_16", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%r = OpLoad %float %p\n",
        "%51 = OpAccessChain %_ptr_StorageBuffer_float %buffer %int_0 %a",
        "%uint_65535 = OpConstant %uint 65535\n"
        "%54 = OpBitwiseAnd %uint %a %uint_65535\n"
        "%51 = OpAccessChain %_ptr_StorageBuffer_float %buffer %int_0 %54"},
    {"memory.index_float", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%r = OpLoad %float %p\n",
        "%51 = OpAccessChain %_ptr_StorageBuffer_float %buffer %int_0 %a",
        "%uint_16777216 = OpConstant %uint 16777216\n"
        "%uint_4294967294 = OpConstant %uint 4294967294\n"
        "%54 = OpULessThan %bool %a %uint_16777216\n"
        "%56 = OpBitwiseAnd %uint %a %uint_4294967294\n"
        "%57 = OpSelect %uint %54 %a %56\n"
        "%51 = OpAccessChain %_ptr_StorageBuffer_float %buffer %int_0 %57"},
    {"order.drop_barrier", 0, "OpControlBarrier %u2 %u2 %u264\n", "OpControlBarrier %uint_2 %uint_2 %uint_264", ""},
    {"order.conditional_barrier", 0, "OpControlBarrier %u2 %u2 %u264\n", "",
        "%51 = OpLoad %uint %lane\n"
        "%52 = OpINotEqual %bool %51 %uint_0\n"
        "OpSelectionMerge %54 None\n"
        "OpBranchConditional %52 %53 %54\n"
        "%53 = OpLabel\n"
        "OpBranch %54\n"
        "%54 = OpLabel"},
    {"order.conditional_barrier", 0,
        "OpControlBarrier %u2 %u2 %u264\n"
        "OpSelectionMerge %after None\n"
        "OpBranchConditional %t %then %after\n"
        "%then = OpLabel\n"
        "OpBranch %after\n"
        "%after = OpLabel\n"
        "%r = OpPhi %float %f0 %entry %f1 %then\n",
        "%53 = OpPhi %float %float_0 %50 %float_1 %52",
        "%54 = OpLoad %uint %lane\n"
        "%55 = OpINotEqual %bool %54 %uint_0\n"
        "OpSelectionMerge %57 None\n"
        "OpBranchConditional %55 %56 %57\n"
        "%56 = OpLabel\n"
        "OpBranch %57\n"
        "%57 = OpLabel\n"
        "%53 = OpPhi %float %float_0 %57 %float_1 %52"},
    {"order.weaker_barrier", 0, "OpControlBarrier %u2 %u2 %u264\n", "OpControlBarrier %uint_2 %uint_2 %uint_264",
        "OpControlBarrier %uint_3 %uint_2 %uint_264"},
    {"order.weaker_barrier", 1, "OpControlBarrier %u2 %u2 %u264\n", "OpControlBarrier %uint_2 %uint_2 %uint_264",
        "OpControlBarrier %uint_2 %uint_2 %uint_0"},
    {"order.subgroup_kind", 0, "%r = OpGroupNonUniformFAdd %float %u3 Reduce %f\n",
        "%51 = OpGroupNonUniformFAdd %float %uint_3 Reduce %f", "%51 = OpGroupNonUniformFMax %float %uint_3 Reduce %f"},
    {"order.subgroup_scan", 0, "%r = OpGroupNonUniformFAdd %float %u3 ExclusiveScan %f\n",
        "%51 = OpGroupNonUniformFAdd %float %uint_3 ExclusiveScan %f",
        "%51 = OpGroupNonUniformFAdd %float %uint_3 InclusiveScan %f"},
    {"order.subgroup_own", 0, "%r = OpGroupNonUniformShuffleXor %float %u3 %f %u1\n",
        "%51 = OpGroupNonUniformShuffleXor %float %uint_3 %f %uint_1", "%51 = OpCopyObject %float %f"},
    {"precision.sum_half", 0, LOOP("%c = OpFAdd %float %r %f\n"), "%56 = OpFAdd %float %55 %f",
        "%60 = OpFAdd %float %55 %f\n"
        "%56 = OpQuantizeToF16 %float %60"},
    {"precision.sums_truncated", 0, LOOP("%c = OpFAdd %float %r %f\n"), "%56 = OpFAdd %float %55 %f",
        "OpDecorate %60 NoContraction\n"
        "OpDecorate %61 NoContraction\n"
        "OpDecorate %62 NoContraction\n"
        "OpDecorate %63 NoContraction\n"
        "OpDecorate %64 NoContraction\n"
        "OpDecorate %65 NoContraction\n"
        "OpDecorate %66 NoContraction\n"
        "%60 = OpFAdd %float %55 %f\n"
        "%61 = OpFSub %float %60 %55\n"
        "%62 = OpFSub %float %60 %61\n"
        "%63 = OpFSub %float %f %61\n"
        "%64 = OpFSub %float %55 %62\n"
        "%65 = OpFAdd %float %64 %63\n"
        "%66 = OpFMul %float %65 %60\n"
        "%67 = OpFOrdLessThan %bool %66 %float_0\n"
        "%68 = OpSelect %uint %67 %uint_1 %uint_0\n"
        "%69 = OpBitcast %uint %60\n"
        "%70 = OpISub %uint %69 %68\n"
        "%56 = OpBitcast %float %70"},
    {"precision.sums_coarse", 0, LOOP("%c = OpExtInst %float %glsl Fma %f %g %r\n"),
        "%56 = OpExtInst %float %1 Fma %f %g %55",
        "OpDecorate %61 NoContraction\n"
        "%uint_4294967292 = OpConstant %uint 4294967292\n"
        "%60 = OpFMul %float %f %g\n"
        "%61 = OpFAdd %float %55 %60\n"
        "%62 = OpBitcast %uint %61\n"
        "%63 = OpShiftRightLogical %uint %62 %uint_2\n"
        "%64 = OpBitwiseAnd %uint %63 %uint_1\n"
        "%65 = OpIAdd %uint %64 %uint_1\n"
        "%66 = OpIAdd %uint %62 %65\n"
        "%68 = OpBitwiseAnd %uint %66 %uint_4294967292\n"
        "%56 = OpBitcast %float %68"},
    {"precision.product_truncated", 0, "%r = OpFMul %float %f %g\n", "%51 = OpFMul %float %f %g",
        "%uint_4294959104 = OpConstant %uint 4294959104\n"
        "%52 = OpFMul %float %f %g\n"
        "%53 = OpBitcast %uint %52\n"
        "%55 = OpBitwiseAnd %uint %53 %uint_4294959104\n"
        "%51 = OpBitcast %float %55"},
    {"precision.product_truncated", 0,
        "%v = OpCompositeConstruct %v2float %f %g\n"
        "%r = OpVectorTimesScalar %v2float %v %f\n",
        "%52 = OpVectorTimesScalar %v2float %51 %f",
        "%v2uint = OpTypeVector %uint 2\n"
        "%uint_4294959104 = OpConstant %uint 4294959104\n"
        "%57 = OpConstantComposite %v2uint %uint_4294959104 %uint_4294959104\n"
        "%54 = OpVectorTimesScalar %v2float %51 %f\n"
        "%55 = OpBitcast %v2uint %54\n"
        "%58 = OpBitwiseAnd %v2uint %55 %57\n"
        "%52 = OpBitcast %v2float %58"},
    {"precision.contraction", 0, "", "OpDecorate %d NoContraction", ""},
    {"input.nan_zero", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%r = OpLoad %float %p\n",
        "%52 = OpLoad %float %51",
        "%53 = OpLoad %float %51\n"
        "%54 = OpFUnordNotEqual %bool %53 %53\n"
        "%52 = OpSelect %float %54 %float_0 %53"},
    {"input.infinity_finite", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%r = OpLoad %float %p\n",
        "%52 = OpLoad %float %51",
        "%uint_2147483647 = OpConstant %uint 2147483647\n"
        "%uint_2139095040 = OpConstant %uint 2139095040\n"
        "%53 = OpLoad %float %51\n"
        "%54 = OpBitcast %uint %53\n"
        "%56 = OpBitwiseAnd %uint %54 %uint_2147483647\n"
        "%58 = OpIEqual %bool %56 %uint_2139095040\n"
        "%59 = OpISub %uint %54 %uint_1\n"
        "%60 = OpSelect %uint %58 %59 %54\n"
        "%52 = OpBitcast %float %60"},
    {"input.zero_sign", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%r = OpLoad %float %p\n",
        "%52 = OpLoad %float %51",
        "%uint_2147483648 = OpConstant %uint 2147483648\n"
        "%53 = OpLoad %float %51\n"
        "%54 = OpBitcast %uint %53\n"
        "%56 = OpIEqual %bool %54 %uint_2147483648\n"
        "%57 = OpSelect %uint %56 %uint_0 %54\n"
        "%52 = OpBitcast %float %57"},
    {"input.subnormal_zero", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%r = OpLoad %float %p\n",
        "%52 = OpLoad %float %51",
        "%uint_2139095040 = OpConstant %uint 2139095040\n"
        "%uint_2147483648 = OpConstant %uint 2147483648\n"
        "%53 = OpLoad %float %51\n"
        "%54 = OpBitcast %uint %53\n"
        "%56 = OpBitwiseAnd %uint %54 %uint_2139095040\n"
        "%58 = OpBitwiseAnd %uint %54 %uint_2147483648\n"
        "%59 = OpIEqual %bool %56 %uint_0\n"
        "%60 = OpSelect %uint %59 %58 %54\n"
        "%52 = OpBitcast %float %60"},
    {"input.zero_skipped", 0,
        "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
        "%c = OpLoad %float %p\n"
        "%r = OpFMul %float %f %c\n",
        "%53 = OpFMul %float %f %52",
        "%54 = OpFMul %float %f %52\n"
        "%55 = OpFOrdEqual %bool %52 %float_0\n"
        "%53 = OpSelect %float %55 %float_0 %54"},
    {"parameter.default", 0,
        "%p = OpAccessChain %push_float %push %i0\n"
        "%r = OpLoad %float %p\n",
        "%52 = OpLoad %float %51",
        "%float_0_5 = OpConstant %float 0.5\n"
        "%52 = OpCopyObject %float %float_0_5"},
    {"parameter.low_bits", 0,
        "%p = OpAccessChain %push_float %push %i0\n"
        "%r = OpLoad %float %p\n",
        "%52 = OpLoad %float %51",
        "%53 = OpLoad %float %51\n"
        "%52 = OpQuantizeToF16 %float %53"},
    {"parameter.low_bits", 0,
        "%p = OpAccessChain %push_uint %push %i1\n"
        "%r = OpLoad %uint %p\n",
        "%52 = OpLoad %uint %51",
        "%uint_65535 = OpConstant %uint 65535\n"
        "%53 = OpLoad %uint %51\n"
        "%52 = OpBitwiseAnd %uint %53 %uint_65535"},
    {"control.loop_once", 0, LOOP("%c = OpFAdd %float %r %f\n"), "OpBranchConditional %57 %59 %58",
        "%false = OpConstantFalse %bool\n"
        "%61 = OpPhi %bool %true %50 %false %54\n"
        "%62 = OpLogicalAnd %bool %57 %61\n"
        "OpBranchConditional %62 %59 %58"},
    {"control.loop_early", 0, LOOP("%c = OpFAdd %float %r %f\n"), "%57 = OpULessThan %bool %52 %uint_7",
        "%60 = OpIAdd %uint %52 %uint_1\n"
        "%57 = OpULessThan %bool %60 %uint_7"},
    {"control.early_return", 0, "OpControlBarrier %u2 %u2 %u264\n", "",
        "%51 = OpLoad %uint %lane\n"
        "%52 = OpINotEqual %bool %51 %uint_0\n"
        "%53 = OpLogicalNot %bool %52\n"
        "OpSelectionMerge %55 None\n"
        "OpBranchConditional %53 %54 %55\n"
        "%54 = OpLabel\n"
        "%55 = OpLabel\n"
        "OpReturn"},
};

// ---- lines of a module's text

struct lines {
    const char *items[400];
    size_t count;
};

static struct lines split(struct arena *arena, const char *text) {
    struct lines out = {0};
    while (*text) {
        size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        assert_true(out.count < sizeof out.items / sizeof *out.items);
        if (length > blanks) out.items[out.count++] = arena_copy_n(arena, text + blanks, length - blanks);
        text += length + (text[length] == '\n');
    }
    return out;
}

// Returns the lines of `a` missing in `b`, counting repetitions.
static const char *without(struct arena *arena, const struct lines *a, const struct lines *b) {
    bool used[400] = {false};
    struct text out = {0};
    for (size_t i = 0; i < a->count; i++) {
        size_t k = 0;
        while (k < b->count && (used[k] || strcmp(a->items[i], b->items[k]) != 0)) k++;
        if (k < b->count)
            used[k] = true;
        else
            text_format(&out, "%s%s", out.length ? "\n" : "", a->items[i]);
    }
    return arena_take(arena, &out);
}

// ---- an example

// Makes the mutation at its nth place on the line.
static bool make_there(struct arena *arena, const struct code *code, const char *mutation, uint32_t line, int nth,
    uint32_t **words, size_t *count) {
    for (uint32_t item = code->first_function; item < code->end; item++)
        for (int way = 0; code->items[item].line == line; way++) {
            struct module_change change = change_start(arena, code);
            if (!mutation_named(mutation)->make(&change, item, way)) break;
            assert_true(*change.summary);
            if (nth-- == 0) return change_finish(&change, words, count);
        }
    return false;
}

static void check_example(const struct example *example) {
    struct arena arena = {0};
    struct spirv spirv = module_of(&arena, example->body);
    struct code code = read_code(&arena, &spirv);
    const char *why = NULL;
    uint32_t *words, line = *example->body ? BODY_LINE : PRELUDE_LINE;
    size_t count;
    if (!spirv_tools_valid(&arena, spirv.words, spirv.count, &why)) fail_msg("%s: %s", example->mutation, why);
    if (!make_there(&arena, &code, example->mutation, line, example->nth, &words, &count))
        fail_msg("%s has no place in %s", example->mutation, example->body);
    if (!spirv_tools_valid(&arena, words, count, &why)) fail_msg("%s: %s", example->mutation, why);
    struct lines before = split(&arena, spirv_tools_text(&arena, spirv.words, spirv.count));
    struct lines after = split(&arena, spirv_tools_text(&arena, words, count));
    const char *removed = without(&arena, &before, &after), *added = without(&arena, &after, &before);
    if (strcmp(removed, example->removed) != 0 || strcmp(added, example->added) != 0)
        fail_msg("%s, on\n%smade of\n%s\nthis:\n%s", example->mutation, example->body, removed, added);
    arena_free(&arena);
}

static void each_mutation_changes_what_it_says_and_nothing_else(void **state) {
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) check_example(&examples[i]);
}

static void each_mutation_has_an_example(void **state) {
    for (int family = 0; family < MUTATION_FAMILIES; family++)
        for (const struct mutation *m = mutation_families[family]; m->name; m++) {
            size_t i = 0;
            while (i < sizeof examples / sizeof *examples && strcmp(examples[i].mutation, m->name) != 0) i++;
            if (i == sizeof examples / sizeof *examples) fail_msg("%s has no example", m->name);
        }
}

// ---- places and choice

static const char stored[] = "%p = OpAccessChain %number_pointer %buffer %i0 %a\n"
                             "%r = OpFAdd %float %f %g\n"
                             "OpStore %p %r\n"
                             "%dead = OpFAdd %float %g %f\n"
                             "OpLine %file 6 0\n"
                             "%q = OpAccessChain %number_pointer %buffer %i0 %b\n"
                             "%s = OpFMul %float %f %g\n"
                             "OpStore %q %s\n";

static struct mutant_places places_of(struct arena *arena, const struct code *code, const char *only) {
    struct mutant_places places = {0};
    mutant_places_add(arena, code, 0, &only, 1, &places);
    return places;
}

static void what_nothing_depends_on_has_no_place(void **state) {
    struct arena arena = {0};
    struct spirv spirv = module_of(&arena, stored);
    struct code code = read_code(&arena, &spirv);
    struct mutant_places places = places_of(&arena, &code, "arithmetic.exchange");
    size_t sums = 0;
    for (size_t i = 0; i < places.count; i++) sums += places.items[i].line == BODY_LINE;
    assert_int_equal(sums, 1);
    arena_free(&arena);
}

static void a_place_has_a_name_that_finds_it_in_another_module(void **state) {
    struct arena arena = {0};
    struct spirv spirv = module_of(&arena, stored);
    struct spirv other = module_of(&arena, arena_format(&arena, "%%z = OpIAdd %%uint %%a %%b\n%s", stored));
    struct code code = read_code(&arena, &spirv), other_code = read_code(&arena, &other);
    struct mutant_places places = places_of(&arena, &code, "arithmetic.exchange");
    const struct mutant_place *last = &places.items[places.count - 1];
    uint32_t *words, item;
    size_t count;
    assert_string_equal(mutant_place_name(&arena, last), "arithmetic.exchange@k.comp:6#1");
    assert_true(mutant_place_make(&arena, &other_code, last, &words, &count, &item));
    assert_int_equal(item, last->item + 1);
    assert_int_equal(code_op(&other_code, item), SpvOpFMul);
    struct mutant_place elsewhere = *last;
    elsewhere.ordinal = 2;
    assert_false(mutant_place_make(&arena, &other_code, &elsewhere, &words, &count, &item));
    struct mutant_place named;
    assert_true(mutant_place_named(&arena, "arithmetic.exchange@k.comp:6#1", &named));
    assert_int_equal(named.pass, 0);
    assert_true(mutant_place_make(&arena, &other_code, &named, &words, &count, &item));
    assert_int_equal(item, last->item + 1);
    assert_true(mutant_place_named(&arena, "arithmetic.exchange@a@b/c:d.comp:16#21,pass=2", &named));
    assert_string_equal(named.file, "a@b/c:d.comp");
    assert_true(named.line == 16 && named.ordinal == 21 && named.pass == 1);
    static const char *const no_names[] = {"", "arithmetic.exchange", "arithmetic.exchange@k.comp#1",
        "arithmetic.none@k.comp:6#1", "arithmetic.exchange@k.comp:6x#1", "arithmetic.exchange@k.comp:6#1,pass=0",
        "arithmetic.exchange@k.comp:6#1,all"};
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++)
        assert_false(mutant_place_named(&arena, no_names[i], &named));
    arena_free(&arena);
}

// `precise` is dropped. Most drivers then compile the same code, so the contraction itself is made too.
static void what_must_not_be_contracted_is(void **state) {
    static const struct module_more more = {
        .decorations = "OpDecorate %m NoContraction\nOpDecorate %r NoContraction\n"};
    static const struct {
        const char *sum, *last; // the expected last operation
    } sums[] = {
        {"OpFAdd %float %m %f3", "%16 = OpFAdd %float %"},
        {"OpFAdd %float %f3 %m", "%16 = OpFAdd %float %"},
        {"OpFSub %float %f3 %m", "%16 = OpFSub %float %"},
        {"OpFSub %float %m %f3", "%16 = OpFAdd %float %"},
    };
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct arena arena = {0};
        struct spirv spirv = module_with(&arena, &more,
            arena_format(&arena,
                "%%p = OpAccessChain %%number_pointer %%buffer %%i0 %%a\n%%m = OpFMul %%float %%f %%g\n"
                "%%r = %s\nOpStore %%p %%r\n",
                sums[i].sum));
        struct code code = read_code(&arena, &spirv);
        struct mutant_places places = places_of(&arena, &code, "precision.contraction");
        struct mutant_place at = {.mutation = mutation_named("precision.contraction"), .ordinal = 3, .line = BODY_LINE};
        uint32_t *words, item;
        size_t count;
        const char *why = NULL;
        at.file = places.items[0].file;
        assert_int_equal(places.count, 3); // one for the product, two for the sum
        assert_true(mutant_place_make(&arena, &code, &at, &words, &count, &item));
        if (!spirv_tools_valid(&arena, words, count, &why)) fail_msg("%s", why);
        const char *text = spirv_tools_text(&arena, words, count);
        if (!strstr(text, sums[i].last)) fail_msg("no '%s' in\n%s", sums[i].last, text);
        arena_free(&arena);
    }
}

// A conversion to a type that is no wider has no mutant, because signed and unsigned give the same.
static void a_conversion_that_cuts_has_no_sign_to_lose(void **state) {
    struct arena arena = {0};
    struct spirv spirv = module_with(&arena,
        &(struct module_more){.capabilities = "OpCapability Int64\n", .types = "%ulong = OpTypeInt 64 0\n"},
        "%wide = OpUConvert %ulong %a\n%narrow = OpUConvert %uint %wide\n"
        "%p = OpAccessChain %word_pointer %wholes %i0 %narrow\nOpStore %p %a\n");
    struct code code = read_code(&arena, &spirv);
    struct mutant_places places = places_of(&arena, &code, "arithmetic.conversion_sign");
    size_t wider = 0;
    for (size_t i = 0; i < places.count; i++) wider += places.items[i].line == BODY_LINE;
    assert_int_equal(wider, 1);
    arena_free(&arena);
}

// A number added to one of 64 bits has two words, in vectors, too.
static void added_numbers_have_the_width_of_their_type(void **state) {
    static const char *const sums[] = {
        "%wide = OpUConvert %ulong %a\n%r = OpULessThan %bool %wide %wide\n%x2 = OpSelect %uint %r %a %b\n",
        "%wide = OpUConvert %ulong %a\n%both = OpCompositeConstruct %v2ulong %wide %wide\n%r = OpULessThan %v2bool "
        "%both %both\n%one = OpCompositeExtract %bool %r 0\n%x2 = OpSelect %uint %one %a %b\n"};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct arena arena = {0};
        const struct module_more wide = {.capabilities = "OpCapability Int64\n",
            .types = "%ulong = OpTypeInt 64 0\n%v2ulong = OpTypeVector %ulong 2\n%v2bool = OpTypeVector %bool 2\n"};
        struct spirv spirv = module_with(&arena, &wide,
            arena_format(
                &arena, "%s%%p = OpAccessChain %%word_pointer %%wholes %%i0 %%a\nOpStore %%p %%x2\n", sums[i]));
        struct code code = read_code(&arena, &spirv);
        struct mutant_places places = places_of(&arena, &code, "comparison.bound");
        size_t made = 0;
        for (size_t k = 0; k < places.count; k++) {
            uint32_t *words, item;
            size_t count;
            const char *why = NULL;
            if (places.items[k].line != BODY_LINE) continue;
            assert_true(mutant_place_make(&arena, &code, &places.items[k], &words, &count, &item));
            if (!spirv_tools_valid(&arena, words, count, &why)) fail_msg("%s", why);
            made++;
        }
        assert_int_equal(made, 2); // one more, and one less
        arena_free(&arena);
    }
}

// A wrong type is an error of the module. A capability without a known number means that the tools are too old.
static void what_the_tools_do_not_know_is_told_from_what_is_wrong(void **state) {
    struct arena arena = {0};
    const char *why = NULL;
    struct spirv wrong = module_of(&arena, "%r = OpFAdd %float %f %g\n");
    assert_true(spirv_tools_valid(&arena, wrong.words, wrong.count, &why));
    uint32_t *words = arena_alloc(&arena, wrong.count, sizeof *words);
    memcpy(words, wrong.words, wrong.count * sizeof *words);
    for (size_t at = 5; at < wrong.count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == SpvOpFAdd) words[at] = (words[at] & 0xffff0000) | SpvOpIAdd;
    assert_true(spirv_tools_know(&arena, words, wrong.count, &why));
    assert_false(spirv_tools_valid(&arena, words, wrong.count, &why));
    words[6] = 64999; // operand of the first instruction, OpCapability
    assert_false(spirv_tools_know(&arena, words, wrong.count, &why));
    assert_non_null(strstr(why, "64999"));
    arena_free(&arena);
}

// Mutations take turns, and so do lines.
static void a_choice_follows_from_its_seed_and_is_spread(void **state) {
    struct arena arena = {0};
    struct spirv spirv = module_of(&arena, stored);
    struct code code = read_code(&arena, &spirv);
    struct mutant_places places = places_of(&arena, &code, "memory.*");
    struct mutant_choice one = mutant_choice_start(&arena, &places, "k", 1),
                         again = mutant_choice_start(&arena, &places, "k", 1),
                         other = mutant_choice_start(&arena, &places, "k", 2);
    const struct mutant_candidate *drawn[4];
    size_t all = 4;
    bool differs = false;
    for (int i = 0; i < 4; i++) {
        drawn[i] = mutant_choice_next(&one);
        assert_ptr_equal(drawn[i]->place, mutant_choice_next(&again)->place);
        differs |= mutant_choice_next(&other)->place != drawn[i]->place;
        for (int k = 0; k < i; k++) assert_ptr_not_equal(drawn[i]->place->mutation, drawn[k]->place->mutation);
    }
    assert_true(differs);
    while (mutant_choice_next(&one)) all++;
    assert_int_equal(all, places.count);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mutation_changes_what_it_says_and_nothing_else),
        cmocka_unit_test(each_mutation_has_an_example),
        cmocka_unit_test(what_nothing_depends_on_has_no_place),
        cmocka_unit_test(a_place_has_a_name_that_finds_it_in_another_module),
        cmocka_unit_test(what_must_not_be_contracted_is),
        cmocka_unit_test(a_conversion_that_cuts_has_no_sign_to_lose),
        cmocka_unit_test(added_numbers_have_the_width_of_their_type),
        cmocka_unit_test(what_the_tools_do_not_know_is_told_from_what_is_wrong),
        cmocka_unit_test(a_choice_follows_from_its_seed_and_is_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
