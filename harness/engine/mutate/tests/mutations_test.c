// SPDX-License-Identifier: Apache-2.0
// Runs each mutation on a small module: it makes its change and no other, and the module stays legal.
#include "../../../base/file.h"
#include "../mutant_choice.h"
#include "../../../shader/spirv/spirv_tools.h"
#include "small_module.h"

#include <stdlib.h>

// An example of mutations.txt.
struct example {
    const char *mutation;
    int nth;                            // of its places in the body, from 0
    const char *body, *removed, *added; // lines
};
enum { MOST_EXAMPLES = 200 };
static struct example examples[MOST_EXAMPLES];
static size_t example_count;
static struct arena examples_arena;

static void append(const char **lines, const char *line, const char *end) {
    *lines = arena_format(&examples_arena, "%s%s%s", *lines, **lines && !*end ? "\n" : "", line);
    if (*end) *lines = arena_format(&examples_arena, "%s%s", *lines, end);
}

static int read_examples(void **state) {
    struct error err;
    char *text = file_read(&examples_arena, "harness/engine/mutate/tests/mutations.txt", NULL, &err), *line;
    if (!text) fail_msg("%s", err.text);
    while ((line = strsep(&text, "\n"))) {
        struct example *last = &examples[example_count - 1];
        if (strncmp(line, "== ", 3) == 0) {
            assert_true(example_count < MOST_EXAMPLES);
            char *nth = line + 3, *name = strsep(&nth, " ");
            examples[example_count++] = (struct example){name, nth ? atoi(nth) : 0, "", "", ""};
        } else if (strncmp(line, "- ", 2) == 0)
            append(&last->removed, line + 2, "");
        else if (strncmp(line, "+ ", 2) == 0)
            append(&last->added, line + 2, "");
        else if (*line && *line != '#')
            append(&last->body, line, "\n");
    }
    return 0;
}

static int free_examples(void **state) {
    arena_free(&examples_arena);
    return 0;
}

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
    for (size_t i = 0; i < example_count; i++) check_example(&examples[i]);
}

static void each_mutation_has_an_example(void **state) {
    for (int family = 0; family < MUTATION_FAMILIES; family++)
        for (const struct mutation *m = mutation_families[family]; m->name; m++) {
            size_t i = 0;
            while (i < example_count && strcmp(examples[i].mutation, m->name) != 0) i++;
            if (i == example_count) fail_msg("%s has no example", m->name);
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
    return cmocka_run_group_tests(tests, read_examples, free_examples);
}
