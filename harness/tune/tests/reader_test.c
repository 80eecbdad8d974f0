// SPDX-License-Identifier: Apache-2.0
// The reader of tuned tables: its choices, warnings and refusals, and reading the files of vkassay.
#define VKASSAY_TUNED_IMPLEMENTATION
#include "../reader/vkassay_tuned.h"
#include "../../../reference/tests/unit.h"

#include <stdlib.h>

#define ENTRY(kernel, hash, dims, wg)                                                                                  \
    "{\"kernel\": \"" kernel "\", \"operator\": \"o\", \"source_hash\": \"" hash                                       \
    "\", \"dtype\": \"f32\", \"bucket\": 10, \"dims\": " dims ", \"shape\": {\"wg\": " wg                              \
    ", \"ITEMS\": 4}, \"median_ns\": 1.25e3, \"ties\": [], \"runner_up\": null, "                                      \
    "\"default\": {\"shape\": {\"wg\": [256, 1, 1]}, \"loss\": 0.125}}"
#define TABLE(name, vendor, device, driver, entries)                                                                   \
    "{\"schema_version\": 1, \"tool\": {\"version\": \"x\"}, \"device\": {\"name\": \"" name                           \
    "\", \"kind\": \"discrete\", \"vendor_id\": " vendor ", \"device_id\": " device ", \"driver_version\": " driver    \
    "}, \"tuned\": [" entries "]}"

static const char h200[] = TABLE("NVIDIA H200", "4318", "9013", "77",
    ENTRY("a.k", "tokens:00aa", "{\"rows\": 16, \"cols\": 1024}", "[32, 1, 1]") "," ENTRY("a.k", "tokens:00aa",
        "{\"rows\": 4096, \"cols\": 4096}",
        "[512, 1, 1]") "," ENTRY("b.k", "tokens:00bb", "{\"n\": 64}", "[16, 4, 2]"));

static const struct vkassay_device this_h200 = {4318, 9013, 77, "NVIDIA H200"};

static struct vkassay_tuned read_table(const char *json, struct vkassay_device device) {
    struct vkassay_tuned tuned = {.device = device};
    char why[200] = "";
    if (!vkassay_tuned_add(&tuned, json, strlen(json), why, sizeof why)) fail_msg("%s", why);
    return tuned;
}

static struct vkassay_choice choose(
    const struct vkassay_tuned *tuned, const char *kernel, const char *hash, int64_t rows, int64_t cols) {
    struct vkassay_choice choice;
    const int64_t dims[] = {rows, cols};
    enum vkassay_level level = optimal_workgroup_size(tuned, kernel, hash, "f32", dims, cols ? 2 : 1, &choice);
    assert_int_equal(level, choice.level);
    return choice;
}

static void test_nearest_dims(void **state) {
    static const struct {
        int64_t rows, cols;
        uint32_t x;
    } cases[] = {{16, 1024, 32}, {4096, 4096, 512}, {1, 1, 32}, {100000, 100000, 512}, {512, 2048, 512},
        {127, 2048, 32}, // 7.9 x 2 against 32.3 x 2
        {0, -5, 32}};
    struct vkassay_tuned tuned = read_table(h200, this_h200);
    assert_int_equal(tuned.count, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vkassay_choice choice = choose(&tuned, "a.k", "tokens:00aa", cases[i].rows, cases[i].cols);
        assert_int_equal(choice.wg[0], cases[i].x);
        assert_int_equal(choice.level, VKASSAY_EXACT);
        assert_int_equal(choice.warning[0] != 0, choice.distance > 16);
        assert_int_equal(vkassay_tunable(&choice, "ITEMS", 1), 4);
        assert_int_equal(vkassay_tunable(&choice, "TILE_K", 7), 7);
        assert_true(choice.entry->median_ns == 1250 && choice.entry->default_loss == 0.125);
    }
    struct vkassay_choice choice = choose(&tuned, "b.k", NULL, 64, 0);
    assert_true(choice.wg[0] == 16 && choice.wg[1] == 4 && choice.wg[2] == 2);
    vkassay_tuned_free(&tuned);
}

static void test_nothing_known(void **state) {
    struct vkassay_tuned tuned = {0};
    struct vkassay_choice choice = choose(&tuned, "a.k", NULL, 1, 1);
    assert_int_equal(choice.level, VKASSAY_NONE);
    assert_true(choice.wg[0] == 64 && choice.wg[1] == 1 && choice.wg[2] == 1 && !choice.entry);
    assert_string_equal(choice.warning, "a.k in f32 was not tuned");
    assert_int_equal(vkassay_tunable(&choice, "ITEMS", 3), 3);
    tuned = read_table(h200, this_h200);
    assert_int_equal(choose(&tuned, "c.k", NULL, 1, 1).level, VKASSAY_NONE);
    assert_int_equal(choose(&tuned, "a.k", NULL, 1, 0).level, VKASSAY_NONE); // another number of dims
    const int64_t dims[] = {16, 1024};
    assert_int_equal(optimal_workgroup_size(&tuned, "a.k", NULL, "f16", dims, 2, &choice), VKASSAY_NONE);
    vkassay_tuned_free(&tuned);
}

// Prefers device, then family, then vendor, then anything, in any order of reading.
static void test_fallback(void **state) {
    static const struct {
        const char *json;
        uint32_t x;
    } tables[] = {
        {TABLE("AMD", "4098", "29772", "1", ENTRY("a.k", "tokens:00aa", "{\"rows\": 16, \"cols\": 16}", "[1, 1, 1]")),
            1},
        {TABLE("NVIDIA A100", "4318", "8370", "1",
             ENTRY("a.k", "tokens:00aa", "{\"rows\": 16, \"cols\": 16}", "[2, 1, 1]")),
            2},
        {TABLE("NVIDIA H100", "4318", "9009", "1",
             ENTRY("a.k", "tokens:00aa", "{\"rows\": 16, \"cols\": 16}", "[3, 1, 1]")),
            3},
        {TABLE("NVIDIA H200", "4318", "9013", "77",
             ENTRY("a.k", "tokens:00aa", "{\"rows\": 9, \"cols\": 9}", "[4, 1, 1]")),
            4},
    };
    for (int backwards = 0; backwards < 2; backwards++)
        for (size_t last = 1; last <= 4; last++) {
            struct vkassay_tuned tuned = {.device = this_h200};
            for (size_t i = 0; i < last; i++) {
                const char *json = tables[backwards ? last - 1 - i : i].json;
                assert_true(vkassay_tuned_add(&tuned, json, strlen(json), NULL, 0));
            }
            assert_int_equal(tuned.count, last);
            struct vkassay_choice choice = choose(&tuned, "a.k", NULL, 16, 16);
            assert_int_equal(choice.wg[0], last);
            assert_int_equal(choice.level, (int)last);
            assert_true((choice.warning[0] == '\0') == (last == 4));
            vkassay_tuned_free(&tuned);
        }
}

// Software devices share an id of 0: another name is another device.
static void test_names_tell_devices_apart(void **state) {
    struct vkassay_tuned tuned = read_table(h200, (struct vkassay_device){4318, 9013, 77, "NVIDIA H200 NVL"});
    struct vkassay_choice choice = choose(&tuned, "a.k", NULL, 16, 1024);
    assert_int_equal(choice.level, VKASSAY_ARCHITECTURE);
    assert_string_equal(choice.warning, "a.k was tuned on NVIDIA H200, not on NVIDIA H200 NVL");
    vkassay_tuned_free(&tuned);
}

static void test_stale(void **state) {
    struct vkassay_device device = this_h200;
    device.driver_version = 78;
    struct vkassay_tuned tuned = read_table(h200, device);
    struct vkassay_choice choice = choose(&tuned, "a.k", "tokens:00ab", 16, 1024);
    assert_int_equal(choice.stale, VKASSAY_STALE_DRIVER | VKASSAY_STALE_SOURCE);
    assert_string_equal(choice.warning, "a.k was tuned with another driver and another version of its source");
    assert_int_equal(choice.wg[0], 32);
    assert_string_equal(choose(&tuned, "a.k", "tokens:00aa", 16, 1024).warning, "a.k was tuned with another driver");
    // An entry that is not stale is preferred, however far its dims are.
    static const char newer[] = TABLE(
        "NVIDIA H200", "4318", "9013", "78", ENTRY("a.k", "tokens:00ab", "{\"rows\": 1, \"cols\": 1}", "[8, 1, 1]"));
    assert_true(vkassay_tuned_add(&tuned, newer, strlen(newer), NULL, 0));
    choice = choose(&tuned, "a.k", "tokens:00ab", 16, 1024);
    assert_true(choice.wg[0] == 8 && choice.stale == 0 && !strstr(choice.warning, "tuned with"));
    vkassay_tuned_free(&tuned);
}

// Hashes made in different ways, or from text laid out by a version of a compiler, are not compared.
static void test_hashes_of_before(void **state) {
    static const char before[] = TABLE("NVIDIA H200", "4318", "9013", "77",
        ENTRY("a.k", "c9d27ab0f1e55e01", "{\"rows\": 1, \"cols\": 1}", "[8, 1, 1]") "," ENTRY(
            "b.k", "", "{\"n\": 64}", "[16, 1, 1]"));
    struct vkassay_tuned tuned = read_table(before, this_h200), now = read_table(h200, this_h200);
    static const char *const given[] = {"tokens:00aa", "c9d27ab0f1e55e01", "c9d27ab0f1e55e02", "", "tokens:", ":"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        assert_string_equal(choose(&tuned, "a.k", given[i], 1, 1).warning, "");
        assert_string_equal(choose(&tuned, "b.k", given[i], 64, 0).warning, "");
    }
    assert_string_equal(choose(&now, "a.k", "c9d27ab0f1e55e01", 16, 1024).warning, "");
    assert_string_equal(choose(&now, "a.k", "", 16, 1024).warning, "");
    assert_int_equal(choose(&now, "a.k", "tokens:00ac", 1, 1).stale, VKASSAY_STALE_SOURCE);
    vkassay_tuned_free(&tuned);
    vkassay_tuned_free(&now);
}

static void test_refused(void **state) {
    static const struct {
        const char *json, *why;
    } bad[] = {
        {"", "expected an object, at byte 0"},
        {"[]", "expected an object"},
        {"{\"schema_version\": 3, \"device\": {\"name\": \"x\"}, \"tuned\": []}",
            "expected \"schema_version\": 1 or 2"},
        {"{\"schema_version\": 1, \"tuned\": []}", "expected a device with a name"},
        {"{\"schema_version\": 1, \"device\": {\"name\": \"x\"}, \"tuned\": []} x", "text after the table"},
        {"{\"schema_version\": 1, \"device\": {\"name\": \"x", "a string without end"},
        {"{\"schema_version\": 1, \"device\": {\"name\": \"x\\", "an unknown escape"},
        {"{\"schema_version\": 1, \"device\": {\"name\": \"x\\u00", "a string without end"},
        {"{\"schema_version\": 1, \"device\": {\"vendor_id\": -1}}", "out of range"},
        {"{\"schema_version\": 1, \"device\": {\"vendor_id\": 4294967296}}", "out of range"},
        {"{\"a\": 1", "expected the end of an object"},
        {"{\"tuned\": [{}]}", "an entry without"},
        {"{\"tuned\": [" ENTRY("k", "h", "{}", "[0, 1, 1]") "]}", "sizes above 0"},
        {"{\"tuned\": [" ENTRY("k", "h", "{}", "[1, 1]") "]}", "sizes above 0"},
        {"{\"tuned\": [" ENTRY("k", "h", "{}", "[1, 1, 1, 1]") "]}", "more than three sizes"},
        {"{\"tuned\": [" ENTRY("k", "h",
             "{\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,"
             "\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1,\"a\":1}",
             "[1, 1, 1]") "]}",
            "too many dims"},
        {"{\"x\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}",
            "nested too deeply"},
    };
    struct vkassay_tuned tuned = read_table(h200, this_h200);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[200] = "";
        // The copy ends with the text, so a sanitizer sees a read beyond it.
        size_t length = strlen(bad[i].json);
        char *exact = malloc(length + 1);
        memcpy(exact, bad[i].json, length);
        assert_false(vkassay_tuned_add(&tuned, exact, length, why, sizeof why));
        if (!strstr(why, bad[i].why)) fail_msg("%s: %s", bad[i].json, why);
        free(exact);
        assert_int_equal(tuned.count, 3);
    }
    assert_int_equal(choose(&tuned, "a.k", NULL, 16, 1024).wg[0], 32);
    vkassay_tuned_free(&tuned);
}

// Every prefix of a table is refused, and none is read beyond its end.
static void test_every_prefix(void **state) {
    for (size_t length = 0; length < sizeof h200 - 1; length++) {
        struct vkassay_tuned tuned = {0};
        char *exact = malloc(length + 1);
        memcpy(exact, h200, length);
        assert_false(vkassay_tuned_add(&tuned, exact, length, NULL, 0));
        free(exact);
    }
}

#define JOINED(scope, device, wg)                                                                                      \
    "{\"kernel\": \"a.k\", \"operator\": \"o\", \"source_hash\": \"tokens:00aa\", \"dtype\": \"f32\", \"bucket\": 4, " \
    "\"dims\": "                                                                                                       \
    "{\"n\": 16}, \"scope\": \"" scope "\", \"device\": {" device "}, \"shape\": {\"wg\": [" wg                        \
    ", 1, 1]}, \"members\": "                                                                                          \
    "2, \"losses\": [0.5, null, \"wrong\"]}"
static const char joined[] =
    "{\"schema_version\": 2, \"tool\": null, \"devices\": [{\"name\": \"X\"}], \"conflicts\": [], \"fallbacks\": [], "
    "\"tuned\": [" JOINED("device", "\"name\": \"One\", \"vendor_id\": 16, \"device_id\": 513, \"driver_version\": 7",
        "1") "," JOINED("family", "\"name\": \"2 devices\", \"vendor_id\": 16, \"device_id\": 512",
        "2") "," JOINED("vendor", "\"name\": \"3 devices\", \"vendor_id\": 16", "3") "," JOINED("portable",
        "\"name\": \"4 devices\"", "4") "," JOINED("device",
        "\"name\": \"Other\", \"vendor_id\": 32, \"device_id\": 1, \"driver_version\": 1", "5") "]}";

// Chooses the nearest row: the device's own, then its family's, its vendor's or the one for all, before another
// device's.
static void test_a_joined_table(void **state) {
    static const struct {
        struct vkassay_device device;
        uint32_t x;
        enum vkassay_level level;
    } cases[] = {{{16, 513, 7, "One"}, 1, VKASSAY_EXACT}, {{16, 514, 7, "Two"}, 2, VKASSAY_ARCHITECTURE},
        {{16, 1024, 7, "Three"}, 3, VKASSAY_VENDOR}, {{99, 513, 7, "Four"}, 4, VKASSAY_GENERIC},
        {{32, 2, 1, "Kin of the other"}, 5, VKASSAY_ARCHITECTURE}, {{32, 1, 1, "Other"}, 5, VKASSAY_EXACT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vkassay_tuned tuned = read_table(joined, cases[i].device);
        struct vkassay_choice choice = choose(&tuned, "a.k", "tokens:00aa", 16, 0);
        assert_int_equal(choice.wg[0], cases[i].x);
        assert_int_equal(choice.level, cases[i].level);
        vkassay_tuned_free(&tuned);
    }
    struct vkassay_tuned tuned = read_table(joined, cases[1].device);
    struct vkassay_choice choice = choose(&tuned, "a.k", NULL, 16, 0);
    assert_string_equal(choice.warning, "a.k was not tuned on Two: this is a compromise of 2 devices");
    vkassay_tuned_free(&tuned);
    char why[200];
    struct vkassay_tuned none = {0};
    static const char odd[] = "{\"schema_version\": 2, \"tuned\": [" JOINED("planet", "\"name\": \"x\"", "1") "]}";
    assert_int_equal(vkassay_tuned_add(&none, odd, sizeof odd - 1, why, sizeof why), 0);
    assert_non_null(strstr(why, "unknown scope"));
}

#define SEARCHED(wg, search)                                                                                           \
    "{\"kernel\": \"a.k\", \"operator\": \"o\", \"source_hash\": \"tokens:00aa\", \"dtype\": \"f32\", \"bucket\": 4, " \
    "\"dims\": {\"n\": 16}, \"shape\": {\"wg\": [" wg ", 1, 1]}, \"median_ns\": 1" search "}"

// An entry of an unfinished search comes with a flag and a warning, and only if there is nothing better.
static void test_an_unfinished_search(void **state) {
    static const struct {
        const char *search;
        int flag;
        const char *warning;
    } cases[] = {
        {", \"shapes\": 2, \"legal\": 103, \"unfinished\": true", VKASSAY_UNFINISHED,
            "a.k: its search was not finished: 2 of 103 shapes were tried"},
        {", \"unfinished\": true", VKASSAY_UNFINISHED, "a.k: its search was not finished"},
        {", \"shapes\": 2, \"legal\": null, \"unfinished\":true", VKASSAY_UNFINISHED,
            "a.k: its search was not finished"},
        {", \"shapes\": 90, \"legal\": 103, \"unfinished\": false", 0, ""},
        {", \"unfinished\": null", 0, ""},
        {"", 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[1000];
        snprintf(json, sizeof json, TABLE("NVIDIA H200", "4318", "9013", "77", SEARCHED("32", "%s")), cases[i].search);
        struct vkassay_tuned tuned = read_table(json, this_h200);
        struct vkassay_choice choice = choose(&tuned, "a.k", NULL, 16, 0);
        assert_true(choice.level == VKASSAY_EXACT && choice.wg[0] == 32);
        assert_int_equal(choice.search, cases[i].flag);
        assert_string_equal(choice.warning, cases[i].warning);
        vkassay_tuned_free(&tuned);
    }
    static const char *const both[] = {
        TABLE("NVIDIA H200", "4318", "9013", "77", SEARCHED("1", ", \"unfinished\": true")),
        TABLE("NVIDIA H200", "4318", "9013", "77", SEARCHED("2", ", \"unfinished\": false"))};
    for (int first = 0; first < 2; first++) {
        struct vkassay_tuned tuned = read_table(both[first], this_h200);
        assert_true(vkassay_tuned_add(&tuned, both[!first], strlen(both[!first]), NULL, 0));
        struct vkassay_choice choice = choose(&tuned, "a.k", NULL, 16, 0);
        assert_true(choice.wg[0] == 2 && choice.search == 0);
        vkassay_tuned_free(&tuned);
    }
    // The words on the driver stay.
    struct vkassay_tuned tuned = read_table(both[0], (struct vkassay_device){4318, 9013, 78, "NVIDIA H200"});
    assert_string_equal(choose(&tuned, "a.k", NULL, 16, 0).warning,
        "a.k was tuned with another driver; a.k: its search was not finished");
    vkassay_tuned_free(&tuned);
}

// A backend can refuse an entry by the flags or the interval. Flat shapes with a close interval need no warning.
static void test_an_entry_of_noise(void **state) {
    static const struct {
        const char *interval;
        int flags;
        const char *warning;
    } cases[] = {
        {", \"lo_ns\": 0.5, \"hi_ns\": 2.94, \"undecided\": true", VKASSAY_NOISE | VKASSAY_UNDECIDED,
            "a.k: its time is noise, +-122 %, and no shape was told apart from the fastest"},
        {", \"lo_ns\": 0.75, \"hi_ns\": 1.25, \"undecided\": false", VKASSAY_NOISE, "a.k: its time is noise, +-25 %"},
        {", \"lo_ns\": 0.875, \"hi_ns\": 1.25, \"undecided\": true", VKASSAY_UNDECIDED, ""},
        {", \"lo_ns\": 0.875, \"hi_ns\": 1.25", 0, ""}, {"", 0, ""}, // of a table without them
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[1000];
        snprintf(
            json, sizeof json, TABLE("NVIDIA H200", "4318", "9013", "77", SEARCHED("32", "%s")), cases[i].interval);
        struct vkassay_tuned tuned = read_table(json, this_h200);
        struct vkassay_choice choice = choose(&tuned, "a.k", NULL, 16, 0);
        assert_int_equal(choice.search, cases[i].flags);
        assert_string_equal(choice.warning, cases[i].warning);
        assert_int_equal(choice.entry->hi_ns > 0, *cases[i].interval != '\0');
        vkassay_tuned_free(&tuned);
    }
    static const char *const both[] = {
        TABLE("NVIDIA H200", "4318", "9013", "77", SEARCHED("1", ", \"lo_ns\": 0.5, \"hi_ns\": 2")),
        TABLE("NVIDIA H200", "4318", "9013", "77", SEARCHED("2", ", \"lo_ns\": 0.875, \"hi_ns\": 1.25"))};
    for (int first = 0; first < 2; first++) {
        struct vkassay_tuned tuned = read_table(both[first], this_h200);
        assert_true(vkassay_tuned_add(&tuned, both[!first], strlen(both[!first]), NULL, 0));
        assert_int_equal(choose(&tuned, "a.k", NULL, 16, 0).wg[0], 2);
        vkassay_tuned_free(&tuned);
    }
}

// A shape of sizes far away may be slow, so the choice says how far.
static void test_far_dims(void **state) {
    struct vkassay_tuned tuned = read_table(TABLE("NVIDIA H200", "4318", "9013", "77", SEARCHED("32", "")), this_h200);
    const struct vkassay_choice near = choose(&tuned, "a.k", NULL, 256, 0), far = choose(&tuned, "a.k", NULL, 1600, 0);
    assert_true(near.distance == 16 && far.distance == 100 && far.wg[0] == 32);
    assert_string_equal(near.warning, "");
    assert_string_equal(far.warning, "a.k: the nearest tuned sizes are away by a factor of 100");
    vkassay_tuned_free(&tuned);
}

// A compiled-in table needs no memory.
static void test_constant_table(void **state) {
    static const struct vkassay_entry entries[] = {{{4318, 9013, 77, "NVIDIA H200"}, "a.k", "tokens:00aa", "f32", 2,
        {16, 1024}, {128, 2, 1}, 1, {{"ITEMS", 4}}, 1250, 0.5, VKASSAY_FOR_DEVICE, 12, 12, 0, 1250, 1250, 0}};
    struct vkassay_tuned tuned = {entries, 1, this_h200, NULL};
    struct vkassay_choice choice = choose(&tuned, "a.k", "tokens:00aa", 16, 1024);
    assert_true(choice.level == VKASSAY_EXACT && choice.wg[0] == 128 && choice.wg[1] == 2);
    vkassay_tuned_free(&tuned);
    assert_int_equal(tuned.count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_dims),
        cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_names_tell_devices_apart),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_hashes_of_before),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_constant_table),
        cmocka_unit_test(test_far_dims),
        cmocka_unit_test(test_a_joined_table),
        cmocka_unit_test(test_an_unfinished_search),
        cmocka_unit_test(test_an_entry_of_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
