// SPDX-License-Identifier: Apache-2.0
// The page and the table of machine code: spills, waves, and changes since the result before.
#include "../../base/file.h"
#include "../../record/result.h"
#include "../render/render.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct named_number calm[] = {{"Spilled VGPRs", 0}, {"Subgroups per SIMD", 16}},
                           spills[] = {{"Spilled VGPRs", 12}, {"Subgroups per SIMD", 16}},
                           few[] = {{"Spilled VGPRs", 0}, {"Subgroups per SIMD", 3}};

static struct record record(const char *name, struct named_number *code) {
    return (struct record){.name = name,
        .case_length = strlen("a.first/f32"),
        .kernel = name[0] == 'a'   ? "a.first"
                  : name[0] == 'b' ? "b.other"
                                   : "c.third",
        .dtype = "f32",
        .status = RECORD_COMPILED,
        .code = code,
        .code_count = 2};
}

static struct result result(struct arena *arena, const char *device, struct record *records, size_t count) {
    struct result out = {.records = records, .count = count};
    out.device = arena_alloc(arena, 1, sizeof *out.device);
    snprintf(out.device->name, sizeof out.device->name, "%s", device);
    return out;
}

static char *rendered(struct arena *arena, const struct result *results, size_t count, const char *file) {
    char folder[] = "/tmp/vkassay-compiled-XXXXXX", path[128];
    struct error err = {0};
    size_t length;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/code", folder);
    assert_true(file_make_folder(path, &err));
    snprintf(path, sizeof path, "%s/code/a.first-f32-wg=64x1x1.txt", folder);
    assert_true(file_write(path, "nop\n", 4, &err));
    snprintf(path, sizeof path, "%s/compiled.md", folder);
    if (!render_compiled_markdown(results, count, path, &err) ||
        !render_compiled_page(results, count, "code", folder, "reports", &err))
        fail_msg("%s", err.text);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    char *text = file_read(arena, path, &length, &err);
    assert_non_null(text);
    snprintf(path, sizeof path, "rm -rf %s", folder);
    assert_int_equal(system(path), 0);
    return text;
}

static void assert_holds(const char *text, const char *words) {
    if (!strstr(text, words)) fail_msg("no \"%s\"", words);
}

// The first kernel begins to spill; the second has another shape than before, and no longer spills.
static void changes_are_shown_since_the_result_before(void **state) {
    struct arena arena = {0};
    struct record old[] = {record("a.first/f32/wg=64x1x1", calm), record("b.other/f32/wg=256x1x1", spills)},
                  new[] = {record("a.first/f32/wg=64x1x1", spills), record("b.other/f32/wg=128x1x1", calm)},
                  other[] = {record("a.first/f32/wg=64x1x1", calm), record("c.third/f32/wg=32x1x1", few)};
    new[0].reason = "it <needs> them";
    const struct result results[] = {result(&arena, "Card (ONE)", old, 2), result(&arena, "Card (TWO)", other, 2),
        result(&arena, "Card (ONE)", new, 2)};
    char *page = rendered(&arena, results, 3, "compiled.html"), *table = rendered(&arena, results, 3, "compiled.md");
    assert_holds(page, "3 pipelines on 2 devices; 1 spill registers on some device");
    assert_holds(
        page, "<td class=\"heat spill2\" data-sort=1000012 title=\"it &lt;needs&gt; them\">12 <b class=bad>(+12)</b>");
    assert_holds(page, "16 <b class=good>(-12)</b>");
    assert_holds(page, "<td class=\"heat few2\" data-sort=-3>3");
    assert_holds(page, "<li>a.first: it &lt;needs&gt; them</li>");
    assert_holds(page, "\">ONE");
    assert_null(strstr(page, "wg=256x1x1"));
    assert_holds(table, "1. Card (ONE)");
    assert_holds(table, "1 spill registers (1 for the reason in the manifest), 0 skipped");
    assert_holds(table, "| 12 (+12) | 0 |");
    assert_holds(table, "| b.other | f32 | wg=128x1x1 | 0 (-12) |");
    arena_free(&arena);
}

// The first section has only devices that spill.
static void nothing_spills_on_a_calm_device(void **state) {
    struct arena arena = {0};
    struct record records[] = {record("a.first/f32/wg=64x1x1", calm)},
                  loud[] = {record("a.first/f32/wg=64x1x1", spills)};
    const struct result results[] = {result(&arena, "Calm", records, 1), result(&arena, "Loud", loud, 1)};
    char *page = rendered(&arena, results, 1, "compiled.html"), *both = rendered(&arena, results, 2, "compiled.html");
    assert_holds(page, "<p>No pipeline spills.</p>");
    assert_holds(page, "<a href=\"code/a.first-f32-wg=64x1x1.txt\"");
    assert_null(strstr(both, "code/a.first")); // of which device?
    const char *all = strstr(both, "<section id=\"all\">"), *of_calm = strstr(strstr(both, "id=\"spills\""), ">Calm");
    assert_true(of_calm > all);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_shown_since_the_result_before),
        cmocka_unit_test(nothing_spills_on_a_calm_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
