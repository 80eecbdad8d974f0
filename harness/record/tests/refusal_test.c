// SPDX-License-Identifier: Apache-2.0
// Refusals of points: from data to sentences, and to files and back.
#include "../record.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

static struct refusal every_part(int kind) {
    return (struct refusal){.kind = (enum refusal_kind)kind,
        .pass = kind % 2 * 3,
        .words = {"first", "second", "third"},
        .figures = {10.5, 20.5, 30.5, 40.5}};
}

static void sentences_have_words_and_figures_in_order(void **state) {
    static const struct {
        struct refusal refusal;
        const char *text, *pattern, *brief;
    } rows[] = {
        {{REFUSAL_INVOCATIONS, .figures = {1024, 256}}, "1024 invocations; the device allows 256",
            "# invocations; the device allows #", "a limit"},
        {{REFUSAL_FEATURE, .words = {"float16"}}, "the device lacks the feature float16",
            "the device lacks the feature float16", "no float16"},
        {{REFUSAL_RULE_MULTIPLE, .words = {"k", "TILE_K", "tiles are whole"}, .figures = {17, 16}},
            "k = 17 is not a multiple of TILE_K = 16: tiles are whole",
            "k = # is not a multiple of TILE_K = #: tiles are whole", "other"},
        {{REFUSAL_RULE_EQUAL, .words = {"cin", "1", "one channel"}, .figures = {3, 1}},
            "cin = 3 must equal 1: one channel", "cin = # must equal 1 = #: one channel", "other"},
        {{REFUSAL_GRID_FOLDED, .pass = 2, .figures = {9e15, 65535, 4, 1}},
            "pass 2: 9000000000000000 groups; folded over x, y and z the device allows 65535 x 4 x 1",
            "# groups; folded over x, y and z the device allows # x # x #", "a limit"},
        {{REFUSAL_MEMORY, .figures = {800, 0.75, 799, 599.25}},
            "its buffers need 800 bytes; memory_share is 0.75 of the device's 799 bytes of memory, 599 bytes",
            "its buffers need # bytes; memory_share is @ of the device's # bytes of memory, # bytes", "memory"},
        {{REFUSAL_SHARED_BYTES, .figures = {16512, 16384}}, "16512 bytes of shared memory; the device allows 16384",
            "# bytes of shared memory; the device allows #", "memory"},
        {{REFUSAL_TOO_LONG, .words = {"a tenth", "4 GB/s"}, .figures = {1.26, 0.5}},
            "estimated 1.3 s per dispatch at a tenth of the measured 4 GB/s; the suite allows 0.5 s",
            "estimated ~ s per dispatch at a tenth of the measured 4 GB/s; the suite allows @ s", "too long here"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(refusal_text(&arena, &rows[i].refusal), rows[i].text);
        assert_string_equal(refusal_pattern(&arena, &rows[i].refusal), rows[i].pattern);
        assert_string_equal(refusal_brief(&arena, &rows[i].refusal), rows[i].brief);
    }
    arena_free(&arena);
}

// Makes a record of the refusal, as in a file.
static struct json_object *written(struct arena *arena, const struct refusal *refusal) {
    struct record record = {.name = "n", .case_length = 1, .operator= "o", .kernel = "k", .dtype = "f32"};
    record_refuse(arena, &record, refusal);
    return record_to_json(&record, false);
}

static void every_kind_comes_back_from_a_file(void **state) {
    const char *sentences[REFUSAL_KINDS];
    struct arena arena = {0};
    for (int kind = 0; kind < REFUSAL_KINDS; kind++) {
        const struct refusal refusal = every_part(kind);
        struct record back;
        struct error err;
        struct json_object *object = written(&arena, &refusal);
        if (!record_from_json(&arena, object, &back, &err)) fail_msg("kind %d: %s", kind, err.text);
        assert_int_equal(back.status, RECORD_SKIP);
        assert_int_equal(back.refusal->kind, kind);
        assert_int_equal(back.refusal->pass, refusal.pass);
        assert_string_equal(refusal_text(&arena, back.refusal), back.reason);
        sentences[kind] = refusal_pattern(&arena, &refusal);
        for (int other = 0; other < kind; other++) assert_string_not_equal(sentences[kind], sentences[other]);
        json_object_put(object);
    }
    arena_free(&arena);
}

static void what_cannot_be_said_is_not_read(void **state) {
    static const struct {
        const char *refusal, *says;
    } rows[] = {
        {"{\"kind\": \"weather\", \"words\": [], \"figures\": []}", "found \"weather\""},
        {"{\"kind\": \"invocations\", \"words\": [], \"figures\": [1]}", "expected 2 items, found 1"},
        {"{\"kind\": \"invocations\", \"words\": [\"x\"], \"figures\": [1, 2]}", "expected 0 items, found 1"},
        {"{\"kind\": \"feature\", \"words\": [null], \"figures\": []}", "words[0]"},
        {"{\"kind\": \"invocations\", \"words\": [], \"figures\": [1, \"2\"]}", "figures[1]"},
        {"{\"kind\": \"invocations\", \"words\": [], \"figures\": [1, 2], \"pass\": -1}", "pass"},
        {"{\"words\": [], \"figures\": []}", "kind"},
        {"\"invocations\"", "refusal"},
    };
    const struct refusal refusal = {REFUSAL_INVOCATIONS, .figures = {1024, 256}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct record back;
        struct error err;
        struct json_object *object = written(&arena, &refusal);
        json_put(object, "refusal", json_tokener_parse(rows[i].refusal));
        assert_false(record_from_json(&arena, object, &back, &err));
        if (!strstr(err.text, rows[i].says)) fail_msg("expected \"%s\" in \"%s\"", rows[i].says, err.text);
        json_object_put(object);
    }
    arena_free(&arena);
}

// As in older results without the refusal.
static void a_reason_alone_is_read(void **state) {
    const struct refusal refusal = {REFUSAL_INVOCATIONS, .figures = {1024, 256}};
    struct arena arena = {0};
    struct record back;
    struct error err;
    struct json_object *object = written(&arena, &refusal);
    json_object_object_del(object, "refusal");
    assert_true(record_from_json(&arena, object, &back, &err));
    assert_null(back.refusal);
    assert_string_equal(back.reason, "1024 invocations; the device allows 256");
    json_object_put(object);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_have_words_and_figures_in_order),
        cmocka_unit_test(every_kind_comes_back_from_a_file),
        cmocka_unit_test(what_cannot_be_said_is_not_read),
        cmocka_unit_test(a_reason_alone_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
