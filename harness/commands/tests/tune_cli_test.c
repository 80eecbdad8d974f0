// SPDX-License-Identifier: Apache-2.0
// Tests a search stopped by the budget: the table, its exports and the exit status.
#include "vkassay_program.h"

// A tiled product has many shapes, each with a shader to build, so the budget runs out early.
#define MANY                                                                                                           \
    "{\"kernel\": \"matmul.tiled\", \"dtypes\": [\"f32\"], \"dims\": {\"m\": 64, \"n\": 64, \"k\": 64}, \"shapes\": "  \
    "\"all\"}"
// relu has few shapes.
#define FEW "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1000}, \"shapes\": \"all\"}"

static struct json_object *only_entry(struct json_object *table) {
    struct json_object *list = json_get(table, "tuned");
    assert_int_equal(json_object_array_length(list), 1);
    return json_object_array_get_idx(list, 0);
}

static void a_stopped_search_is_marked_and_ends_4(void **state) {
    write_suite("many", MANY);
    assert_int_equal(
        run("tune --suite %s/many.json --quiet --budget 0.5 --out %s/many", folder, folder), STATUS_PARTIAL);
    assert_says("Searches stopped by the budget: 1 of 1");
    assert_of_schema("many/*/*/tuned.json");
    struct json_object *table = parsed("many/*/*/tuned.json"), *entry = only_entry(table);
    const int64_t tried = json_get_int(entry, "shapes", 0), legal = json_get_int(entry, "legal", 0);
    assert_true(tried >= 1 && tried < legal);
    assert_true(json_get_bool(entry, "unfinished", false));
    assert_true(json_object_is_type(json_get(entry, "default"), json_type_object)); // it was among the shapes tried
    json_object_put(table);
    char line[100];
    snprintf(line, sizeof line, "matmul.tiled/f32/m=64,n=64,k=64: %lld of %lld shapes tried", (long long)tried,
        (long long)legal);
    assert_says(line);
}

static void what_is_made_of_it_is_marked_too(void **state) {
    assert_int_equal(
        run("export %s/many/*/*/result.jsonl --format header --out %s/table.h", folder, folder), STATUS_OK);
    assert_says("export: 1 of 1 entries are from unfinished searches, and are marked");
    write_text("main.c", "#define VKASSAY_TUNED_IMPLEMENTATION\n#include \"table.h\"\n#include <string.h>\n"
                         "int main(void) { struct vkassay_tuned t = vkassay_tuned_table; struct vkassay_choice c;\n"
                         "    const int64_t dims[] = {64, 64, 64}; t.device = vkassay_tuned_entries[0].device;\n"
                         "    optimal_workgroup_size(&t, \"matmul.tiled\", 0, \"f32\", dims, 3, &c);\n"
                         "    return !(c.search & VKASSAY_UNFINISHED && strstr(c.warning, \"was not finished\")); }\n");
    assert_int_equal(
        shell("cc -std=c99 -Wall -Wextra -Werror -I harness/tune/reader -I %s %s/main.c -o %s/main && %s/main", folder,
            folder, folder, folder),
        0);
    static const char *const sources[] = {"result.jsonl", "tuned.json"};
    struct json_object *searched = parsed("many/*/*/tuned.json");
    const int64_t tried = json_get_int(only_entry(searched), "shapes", 0);
    json_object_put(searched);
    for (size_t i = 0; i < 2; i++) { // a table of many devices, made from either file
        assert_int_equal(
            run("tune --join %s/many/*/*/%s --out %s/%s-joined.json", folder, sources[i], folder, sources[i]),
            STATUS_OK);
        char name[40];
        snprintf(name, sizeof name, "%s-joined.json", sources[i]);
        assert_of_schema(name);
        struct json_object *table = parsed(name), *entry = only_entry(table);
        assert_true(json_get_bool(entry, "unfinished", false));
        assert_true(json_get_int(entry, "legal", 0) > 1);
        assert_int_equal(json_get_int(entry, "shapes", 0), tried);
        json_object_put(table);
    }
}

// Reads the scope, the device and the mark of an entry of a joined table.
static bool is_marked(struct json_object *entry, bool *serves_group, const char **device) {
    *serves_group = strcmp(json_get_string(entry, "scope", "device"), "device") != 0;
    *device = json_get_string(json_get(entry, "device"), "name", "");
    return json_get_bool(entry, "unfinished", false);
}

// On a second device the search ended. A row for both devices keeps the mark of the first one.
static void a_row_for_a_group_is_marked_by_one_device(void **state) {
    struct error err;
    char path[200];
    struct json_object *other = parsed("many/*/*/tuned.json");
    json_put_string(json_get(other, "device"), "name", "Other");
    json_put_bool(only_entry(other), "unfinished", false);
    snprintf(path, sizeof path, "%s/other.json", folder);
    assert_true(json_write(path, other, true, &err));
    json_object_put(other);
    assert_int_equal(
        run("tune --join %s/many/*/*/tuned.json %s/other.json --out %s/both.json", folder, folder, folder), STATUS_OK);
    struct json_object *table = parsed("both.json"), *list = json_get(table, "tuned");
    size_t groups = 0;
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        bool serves_group;
        const char *device;
        const bool marked = is_marked(json_object_array_get_idx(list, i), &serves_group, &device);
        assert_int_equal(marked, serves_group || strcmp(device, "Other") != 0);
        groups += serves_group;
    }
    assert_true(groups > 0);
    json_object_put(table);
}

static void a_search_that_ends_is_not(void **state) {
    write_suite("few", FEW);
    assert_int_equal(
        run("tune --suite %s/few.json --quiet --timing samples=2 --out %s/few", folder, folder), STATUS_OK);
    assert_null(strstr(content("output"), "budget"));
    assert_of_schema("few/*/*/tuned.json");
    struct json_object *table = parsed("few/*/*/tuned.json"), *entry = only_entry(table);
    assert_false(json_get_bool(entry, "unfinished", true));
    const int64_t tried = json_get_int(entry, "shapes", 0);
    assert_true(tried <= json_get_int(entry, "legal", 0));
    json_object_put(table);
    // The table has only some of the shapes. A joined one says how many were tried.
    assert_int_equal(run("tune --join %s/few/*/*/tuned.json --out %s/few-joined.json", folder, folder), STATUS_OK);
    table = parsed("few-joined.json");
    assert_int_equal(json_get_int(only_entry(table), "shapes", 0), tried);
    json_object_put(table);
}

// Returns the record of this shape.
static struct json_object *record_of_shape(struct json_object *result, const char *shape) {
    struct json_object *records = json_get(result, "records");
    for (size_t i = 0; i < json_object_array_length(records); i++) {
        struct json_object *record = json_object_array_get_idx(records, i);
        const char *at = strstr(json_get_string(record, "name", ""), "/wg=");
        if (at && strcmp(at + 1, shape) == 0) return record;
    }
    fail_msg("no record of %s", shape);
    return NULL;
}

static struct json_object *exported(void) {
    assert_int_equal(
        run("export %s/kept/*/*/result.jsonl --format json --out %s/kept.json", folder, folder), STATUS_OK);
    return parsed("kept.json");
}

// Each figure that is printed is one of the result.
static void what_is_printed_is_in_the_result(void **state) {
    write_suite("few", FEW);
    assert_int_equal(run("tune --suite %s/few.json --timing samples=2 --out %s/kept", folder, folder), STATUS_OK);
    write_text("said", content("output"));
    struct json_object *result = exported();
    struct json_object *one =
        json_object_array_get_idx(json_get(json_get(json_get(result, "run"), "tuning"), "cases"), 0);
    static const char *const keys[] = {"shapes", "legal", "tried", "wrong", "samples", "neighbours"};
    long long figures[6];
    char line[300], shape[64];
    double us, percent;
    for (size_t i = 0; i < 6; i++) figures[i] = json_get_int(one, keys[i], -1);
    snprintf(line, sizeof line,
        "%lld shapes, %lld pruned; %s: %lld tried, %lld wrong, %lld samples, best shape right at %lld more sizes, "
        "%.1f s\n",
        figures[0], figures[0] - figures[1], json_get_string(one, "strategy", ""), figures[2], figures[3], figures[4],
        figures[5], json_get_double(one, "seconds", 0));
    assert_holds("said", line);
    assert_holds("said", "/report.html\n");
    assert_holds("kept/*/*/report.html", "<h1>relu.scalar on ");
    const char *said = strstr(content("said"), "relu.scalar/f32/n=1000: ");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "relu.scalar/f32/n=1000: %63s %lf us ±%lf%%", shape, &us, &percent), 3);
    struct json_object *time = json_get(json_get(record_of_shape(result, shape), "time"), "compute");
    const double median = json_get_double(time, "median_ns", 0),
                 width = json_get_double(time, "hi_ns", 0) - json_get_double(time, "lo_ns", 0);
    assert_true(us * 1e3 > median * 0.999 && us * 1e3 < median * 1.001); // four digits
    assert_true(percent > 50 * width / median - 0.06 && percent < 50 * width / median + 0.06);
    json_object_put(result);
}

// The first line of a simulation names the device and driver of the result.
static void a_simulation_names_its_device(void **state) {
    struct json_object *result = exported(), *device = json_get(result, "device");
    char line[500];
    snprintf(line, sizeof line, "\n%s (%s %s): 1 cases, 50 repeats of each search", json_get_string(device, "name", ""),
        json_get_string(device, "driver_name", ""), json_get_string(device, "driver_info", ""));
    assert_int_equal(run("tune --simulate %s/kept/*/*/result.jsonl --quiet", folder), STATUS_OK);
    assert_holds("output", line);
    json_object_put(result);
}

// Two spaces without noise. The line of each strategy is the mean of its column.
static void a_simulation_adds_up_its_cases(void **state) {
    static const char *const names[] = {"race", "random", "greedy"};
    int shapes[2], samples[2], near[2][3], share[2][3];
    write_text("spaces.json",
        "{\"schema_version\": 1, \"device\": \"Card\", \"driver\": \"7.1\", \"spaces\": [{\"case\": \"a/f32/n=1\", "
        "\"shapes\": [{\"shape\": \"wg=1x1x1\", \"samples_ns\": [3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3]}, "
        "{\"shape\": \"wg=2x1x1\", \"samples_ns\": [2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]}]}, "
        "{\"case\": \"a/f32/n=2\", \"shapes\": [{\"shape\": \"wg=1x1x1\", \"samples_ns\": [4,4,4,4,4,4,4,4,4,4]}, "
        "{\"shape\": \"wg=2x1x1\", \"samples_ns\": [6,6,6,6,6,6,6,6,6,6]}, "
        "{\"shape\": \"wg=4x1x1\", \"samples_ns\": [9,9,9,9,9,9,9,9,9,9]}]}]}");
    assert_int_equal(run("tune --simulate %s/spaces.json", folder), STATUS_OK);
    assert_says("Card (7.1): 2 cases, 50 repeats of each search");
    for (int c = 0; c < 2; c++) {
        const char *row = strstr(content("output"), c ? "a/f32/n=2" : "a/f32/n=1");
        assert_non_null(row);
        assert_int_equal(
            sscanf(row + strlen("a/f32/n=1"), "%d %d %d%% / %d%% %d%% / %d%% %d%% / %d%%", &shapes[c], &samples[c],
                &near[c][0], &share[c][0], &near[c][1], &share[c][1], &near[c][2], &share[c][2]),
            8);
    }
    assert_true(shapes[0] == 2 && samples[0] == 40 && shapes[1] == 3 && samples[1] == 30);
    for (int s = 0; s < 3; s++) {
        char line[20];
        double found[4]; // near, least near, loss, share
        snprintf(line, sizeof line, "\n  %-7s within", names[s]);
        const char *row = strstr(content("output"), line);
        assert_non_null(row);
        assert_int_equal(sscanf(row + strlen(line),
                             " 2 %% of the true best in %lf%% of the repeats (%lf%% on its worst case), mean loss "
                             "%lf%%, %lf%% of the samples",
                             &found[0], &found[1], &found[2], &found[3]),
            4);
        assert_true(found[0] * 2 == near[0][s] + near[1][s]); // 50 repeats: whole percents
        assert_true(found[1] == (near[0][s] < near[1][s] ? near[0][s] : near[1][s]));
        assert_true((found[2] > 0) == (found[0] < 100)); // no two shapes are within 2 %
        assert_true(found[3] * 2 > share[0][s] + share[1][s] - 1.2 && found[3] * 2 < share[0][s] + share[1][s] + 1.2);
        assert_true(found[3] <= 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stopped_search_is_marked_and_ends_4),
        cmocka_unit_test(what_is_made_of_it_is_marked_too),
        cmocka_unit_test(a_row_for_a_group_is_marked_by_one_device),
        cmocka_unit_test(a_search_that_ends_is_not),
        cmocka_unit_test(what_is_printed_is_in_the_result),
        cmocka_unit_test(a_simulation_names_its_device),
        cmocka_unit_test(a_simulation_adds_up_its_cases),
    };
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}
