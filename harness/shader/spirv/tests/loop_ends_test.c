// SPDX-License-Identifier: Apache-2.0
// Modules with watched loops: the added instructions, their places, and the validity of the result.
#include "../changes.h"

#include "../module.h"
#include "../spirv_tools.h"
#include "assemble.h"

#include <string.h>

static struct arena arena;

static const char head[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %x\n"
    "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 0\n%void = OpTypeVoid\n%proc = OpTypeFunction %void\n"
    "%bool = OpTypeBool\n%int = OpTypeInt 32 1\n%block = OpTypeStruct %int\n"
    "%to = OpTypePointer StorageBuffer %block\n%of = OpTypePointer StorageBuffer %int\n"
    "%x = OpVariable %to StorageBuffer\n%zero = OpConstant %int 0\n%ten = OpConstant %int 10\n";

// A loop's head `h`, its check, and its back edge from another block.
#define OPEN(h, from, again, end)                                                                                      \
    "OpBranch %" h "\n%" h " = OpLabel\n%i" h " = OpPhi %int %zero %" from " %n" h " %" again "\n%c" h                 \
    " = OpSLessThan %bool %i" h " %ten\nOpLoopMerge %" end " %" again " None\n"
#define CLOSE(h, again, end)                                                                                           \
    "OpBranch %" again "\n%" again " = OpLabel\n%n" h " = OpIAdd %int %i" h " %ten\nOpBranch %" h "\n%" end            \
    " = OpLabel\n"

#define SWITCHED                                                                                                       \
    "%h = OpLabel\n%i = OpPhi %int %zero %m %n %b\nOpLoopMerge %e %b None\nOpBranch %a\n%a = OpLabel\n"                \
    "%n = OpIAdd %int %i %ten\n%c = OpSLessThan %bool %n %ten\nOpBranchConditional %c %e %b\n%b = OpLabel\n"           \
    "OpBranch %h\n%e = OpLabel\nOpBranch %z\n%z = OpLabel\n"

static const struct {
    const char *code;
    uint32_t loops;
    const char *arrived; // by loop: its arrivals' numbers in the order of the edges, 1 for the back edge
    uint32_t choices;    // back edges that are one side of a condition
} cases[] = {
    {"", 0, "", 0},
    {OPEN("h", "m", "a", "e") "OpBranchConditional %ch %b %e\n%b = OpLabel\n" CLOSE("h", "a", "e"), 1, "01", 0},
    {OPEN("h", "m", "a", "e") "OpBranchConditional %ch %b %e\n%b = OpLabel\n" //
        OPEN("k", "b", "d", "f") "OpBranchConditional %ck %g %f\n%g = OpLabel\n" CLOSE("k", "d", "f")
            CLOSE("h", "a", "e"),
        2, "0101", 0},
    // the back edge is a side of a condition
    {"OpBranch %h\n%h = OpLabel\n%i = OpPhi %int %zero %m %n %h\n%n = OpIAdd %int %i %ten\n"
     "%c = OpSLessThan %bool %n %ten\nOpLoopMerge %e %h None\nOpBranchConditional %c %h %e\n%e = OpLabel\n",
        1, "01", 1},
    {"OpBranch %h\n%h = OpLabel\n%i = OpPhi %int %zero %m %n %h\n%n = OpIAdd %int %i %ten\n"
     "%c = OpSLessThan %bool %n %ten\nOpLoopMerge %e %h None\nOpBranchConditional %c %e %h\n%e = OpLabel\n",
        1, "01", 1},
    {"OpBranch %h\n%h = OpLabel\n%i = OpPhi %int %zero %m %n %a\nOpLoopMerge %e %a None\nOpBranch %a\n%a = OpLabel\n"
     "%n = OpIAdd %int %i %ten\n%c = OpSLessThan %bool %n %ten\nOpBranchConditional %c %h %e\n%e = OpLabel\n",
        1, "01", 1},
    // a switch enters the loop: by its default, and by one or several of its numbers
    {"OpSelectionMerge %z None\nOpSwitch %zero %h 1 %z\n" SWITCHED, 1, "01", 0},
    {"OpSelectionMerge %z None\nOpSwitch %zero %z 1 %h\n" SWITCHED, 1, "01", 0},
    {"OpSelectionMerge %z None\nOpSwitch %zero %z 7 %z 1 %h\n" SWITCHED, 1, "01", 0},
    {"OpSelectionMerge %z None\nOpSwitch %zero %z 1 %h 2 %h\n" SWITCHED, 1, "01", 0},
};

static struct spirv module_of(const char *more, const char *code) {
    return assemble(&arena,
        arena_format(&arena, "%s%s%%main = OpFunction %%void None %%proc\n%%m = OpLabel\n%sOpReturn\nOpFunctionEnd\n",
            head, more, code));
}

static uint32_t count_of(struct spirv spirv, uint32_t op) {
    uint32_t count = 0;
    for (size_t at = 0; spirv_next(spirv.words, spirv.count, &at);) count += spirv_op(&spirv.words[at]) == op;
    return count;
}

static const uint32_t *find(struct spirv spirv, uint32_t op, uint32_t which) {
    for (size_t at = 0; spirv_next(spirv.words, spirv.count, &at);)
        if (spirv_op(&spirv.words[at]) == op && which-- == 0) return &spirv.words[at];
    fail_msg("no instruction %u", op);
    return NULL;
}

static uint32_t constant(struct spirv spirv, uint32_t id) {
    for (size_t at = 0; spirv_next(spirv.words, spirv.count, &at);)
        if (spirv_op(&spirv.words[at]) == SpvOpConstant && spirv.words[at + 2] == id) return spirv.words[at + 3];
    fail_msg("%u is no constant", id);
    return 0;
}

static struct spirv watched(struct spirv spirv, uint32_t *loops) {
    struct error err;
    struct spirv out;
    const char *why;
    if (!loop_ends_watch(&arena, &spirv, "main", (const uint32_t[]){3, 7}, &out, loops, &err)) fail_msg("%s", err.text);
    if (!spirv_tools_valid(&arena, out.words, out.count, &why))
        fail_msg("%s\n%s", why, spirv_tools_text(&arena, out.words, out.count));
    return out;
}

// The id of the added buffer: the only variable of set 3.
static uint32_t buffer_of(struct spirv out) {
    struct error err;
    struct module m;
    uint32_t found = 0;
    assert_true(module_open(&m, out.words, out.count, &err));
    for (uint32_t id = 1; id < m.bound; id++)
        if (m.ids[id].has_binding && m.ids[id].set == 3) {
            assert_int_equal(m.ids[id].binding, 7);
            assert_int_equal(found, 0);
            found = id;
        }
    assert_int_not_equal(found, 0);
    module_close(&m);
    return found;
}

// Each added phi has its arrivals. It comes first in its block, and is what the atomic subtracts.
static void check_arrivals(struct spirv before, struct spirv out, const char *arrived) {
    const uint32_t loops = count_of(before, SpvOpLoopMerge), bound = before.words[SPIRV_BOUND];
    uint32_t which = 0;
    for (uint32_t loop = 0, phi = 0; loop < loops; phi++) {
        const uint32_t *i = find(out, SpvOpPhi, phi);
        if (i[2] < bound) continue; // the module's own
        for (uint32_t word = 3; word < spirv_length(i); word += 2)
            assert_int_equal(constant(out, i[word]), arrived[which++] - '0');
        assert_int_equal(find(out, SpvOpAtomicISub, loop++)[6], i[2]);
    }
    assert_int_equal(which, strlen(arrived));
}

static void loops_are_watched(void **state) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint32_t loops;
        struct spirv before = module_of("", cases[c].code), out = watched(before, &loops);
        assert_int_equal(loops, cases[c].loops);
        if (!loops) {
            assert_ptr_equal(out.words, before.words);
            assert_int_equal(out.count, before.count);
            continue;
        }
        assert_int_equal(count_of(out, SpvOpAtomicIAdd), loops);
        assert_int_equal(count_of(out, SpvOpAtomicISub), loops);
        assert_int_equal(count_of(out, SpvOpSelect), cases[c].choices);
        assert_int_equal(count_of(out, SpvOpVariable), count_of(before, SpvOpVariable) + 1);
        check_arrivals(before, out, cases[c].arrived);
        for (uint32_t l = 0; l < 2 * loops; l++) {
            const uint32_t *i = find(out, l % 2 ? SpvOpAtomicIAdd : SpvOpAtomicISub, l / 2);
            assert_int_equal(constant(out, i[4]), SpvScopeDevice);
            assert_int_equal(constant(out, i[5]), SpvMemorySemanticsMaskNone);
        }
    }
}

// A condition's back edge adds 1 on its own side, and 0 on the other.
static void conditions_add_on_their_side(void **state) {
    for (size_t c = 3; c <= 5; c++) {
        uint32_t loops;
        struct spirv out = watched(module_of("", cases[c].code), &loops);
        const uint32_t *choice = find(out, SpvOpSelect, 0), *branch = find(out, SpvOpBranchConditional, 0);
        assert_int_equal(choice[3], branch[1]);
        assert_int_equal(constant(out, choice[4]), c != 4);
        assert_int_equal(constant(out, choice[5]), c == 4);
        assert_int_equal(find(out, SpvOpAtomicIAdd, 0)[6], choice[2]);
    }
    uint32_t loops;
    struct spirv out = watched(module_of("", cases[1].code), &loops);
    assert_int_equal(constant(out, find(out, SpvOpAtomicIAdd, 0)[6]), 1);
}

// Returns the decoration of the last block that is declared.
static uint32_t last_block(struct spirv out) {
    uint32_t found = 0;
    for (size_t at = 0; spirv_next(out.words, out.count, &at);) {
        const uint32_t *i = &out.words[at];
        if (spirv_op(i) == SpvOpDecorate && (i[2] == SpvDecorationBlock || i[2] == SpvDecorationBufferBlock))
            found = i[2];
    }
    return found;
}

// From SPIR-V 1.4 on, entry points list all variables. Before 1.3, storage buffers have another storage class.
static void versions_differ(void **state) {
    static const struct {
        uint32_t version;
        bool listed;
        uint32_t storage;
    } versions[] = {{0x10000, false, SpvStorageClassUniform}, {0x10200, false, SpvStorageClassUniform},
        {0x10300, false, SpvStorageClassStorageBuffer}, {0x10400, true, SpvStorageClassStorageBuffer},
        {0x10500, true, SpvStorageClassStorageBuffer}};
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
        struct error err;
        struct spirv out, before = module_of("", cases[1].code);
        uint32_t loops;
        before.words[1] = versions[v].version;
        assert_true(loop_ends_watch(&arena, &before, "main", (const uint32_t[]){3, 7}, &out, &loops, &err));
        const uint32_t *old = find(before, SpvOpEntryPoint, 0), *entry = find(out, SpvOpEntryPoint, 0);
        assert_int_equal(spirv_length(entry), spirv_length(old) + versions[v].listed);
        if (versions[v].listed) assert_int_equal(entry[spirv_length(entry) - 1], buffer_of(out));
        const uint32_t *variable = find(out, SpvOpVariable, 1);
        assert_int_equal(variable[2], buffer_of(out));
        assert_int_equal(variable[3], versions[v].storage);
        const bool buffer_block = last_block(out) == SpvDecorationBufferBlock;
        assert_true(buffer_block == (versions[v].storage == SpvStorageClassUniform));
    }
}

// The module's own type of numbers is used, if it has one: a type may be declared only once.
static void types_are_declared_once(void **state) {
    uint32_t loops;
    struct spirv with = watched(module_of("%uint = OpTypeInt 32 0\n", cases[1].code), &loops),
                 without = watched(module_of("", cases[1].code), &loops);
    assert_int_equal(count_of(with, SpvOpTypeInt), 2);
    assert_int_equal(count_of(without, SpvOpTypeInt), 2);
}

static void refused(const char *code, const char *says) {
    struct error err = {0};
    struct spirv out, before = module_of("", code);
    uint32_t loops;
    assert_false(loop_ends_watch(&arena, &before, "main", (const uint32_t[]){3, 7}, &out, &loops, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    if (!strstr(err.text, says)) fail_msg("%s", err.text);
    assert_ptr_equal(out.words, before.words);
}

static void other_loops_are_left_alone(void **state) {
    // no back edge, two of them, and one in a switch
    refused(
        "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %a None\nOpBranch %e\n%a = OpLabel\nOpUnreachable\n%e = OpLabel\n",
        "no single back edge");
    refused("%c = OpSLessThan %bool %zero %ten\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %e %a None\n"
            "OpBranchConditional %c %h %a\n%a = OpLabel\nOpBranchConditional %c %h %e\n%e = OpLabel\n",
        "no single back edge");
    refused("OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %a None\nOpBranch %a\n%a = OpLabel\nOpSwitch %zero %h 1 %e\n"
            "%e = OpLabel\n",
        "no single back edge");
    refused("OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %a None\nOpBranch %a\n%a = OpLabel\nOpSwitch %zero %e 1 %h\n"
            "%e = OpLabel\n",
        "no single back edge");
}

static void ids_may_run_out(void **state) {
    struct error err;
    struct spirv out, before = module_of("", cases[1].code);
    uint32_t loops;
    before.words[SPIRV_BOUND] = SPIRV_MOST_IDS - 14; // 8 for the module and 6 for the loop
    assert_true(loop_ends_watch(&arena, &before, "main", (const uint32_t[]){3, 7}, &out, &loops, &err));
    assert_int_equal(out.words[SPIRV_BOUND], SPIRV_MOST_IDS);
    before.words[SPIRV_BOUND]++;
    assert_false(loop_ends_watch(&arena, &before, "main", (const uint32_t[]){3, 7}, &out, &loops, &err));
    assert_non_null(strstr(err.text, "no free ids to count 1 loops"));
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_watched),
        cmocka_unit_test(conditions_add_on_their_side),
        cmocka_unit_test(versions_differ),
        cmocka_unit_test(types_are_declared_once),
        cmocka_unit_test(other_loops_are_left_alone),
        cmocka_unit_test(ids_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
