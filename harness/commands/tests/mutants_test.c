// SPDX-License-Identifier: Apache-2.0
// Tests the checker: every mutant of mutants.json must fail by its intended check. The original kernels must pass the
// same points; a skip is no pass. VKASSAY_MUTANTS=FILE writes the checks that caught each mutant, one line per
// mutant. In `make test`, only the first mutant of every second kind is tried, of those a cold driver builds soon.
#include "../../base/tests/depth.h"
#include "mutants.h"
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

enum { MOST_MUTANTS = 300, LEAST_MUTANTS = 40, LEAST_KINDS = 15 };

static struct arena arena;
static struct mutant mutants[MOST_MUTANTS];
static const char *sound[MOST_MUTANTS]; // the sound copy's name, stored at the first mutant sharing it
static size_t mutant_count, all_count;  // the mutants to try come first
static struct json_object *table;
// Results of the smoke suite, of the sampled tier, and of single kernels in the sampled tier.
static const char *const tiers[] = {[TIER_SMOKE] = "smoke", [TIER_SAMPLED] = "sampled", [TIER_ALONE] = "alone"};
static struct result results[TIER_ALONE], alone[MOST_MUTANTS];

static const struct result *result_of(const struct mutant *mutant) {
    return mutant->tier == TIER_ALONE ? &alone[mutant - mutants] : &results[mutant->tier];
}

static const struct check_info *check_named(const char *key) {
    const struct check_info *check = checks;
    while (check->key && strcmp(check->key, key) != 0) check++;
    if (!check->key) fail_msg("mutants.json: there is no check '%s'", key);
    return check;
}

static enum mutant_tier tier_named(const char *key) {
    for (int tier = 0; tier <= TIER_ALONE; tier++)
        if (strcmp(tiers[tier], key) == 0) return (enum mutant_tier)tier;
    fail_msg("mutants.json: there is no tier '%s'", key);
    return TIER_SMOKE;
}

static void load_table(void) {
    struct error err;
    table = json_read("harness/commands/tests/mutants.json", &err);
    if (!table) fail_msg("%s", err.text);
    all_count = mutant_count = json_object_array_length(table);
    assert_within(mutant_count, 1, MOST_MUTANTS);
    for (size_t i = 0; i < mutant_count; i++) {
        struct json_object *item = json_object_array_get_idx(table, i);
        mutants[i] = (struct mutant){.name = json_get_string(item, "name", ""),
            .kind = json_get_string(item, "kind", ""),
            .kernel = json_get_string(item, "kernel", ""),
            .caught_by = json_get_string(item, "caught_by", ""),
            .tier = tier_named(json_get_string(item, "tier", tiers[TIER_SMOKE])),
            .points = json_get_string(item, "points", NULL),
            .needs = json_get_string(item, "needs", NULL),
            .dtypes = json_get(item, "dtypes"),
            .edits = json_get(item, "edits")};
        find_manifest(&arena, &mutants[i]);
    }
}

static bool is_of_tried_kind(const struct mutant *mutant) {
    for (size_t i = 0; i < mutant_count; i++)
        if (strcmp(mutants[i].kind, mutant->kind) == 0) return true;
    return false;
}

// Returns whether a driver without a cache builds the mutant's shaders in a few seconds of CPU time.
static bool is_soon_built(const struct mutant *mutant) {
    return mutant->tier == TIER_SMOKE && strncmp(mutant->kernel, "attention", strlen("attention")) != 0;
}

// Moves the first mutant of every second kind to the front, and leaves out the others.
static void try_some(void) {
    mutant_count = 0;
    for (size_t i = 0; i < all_count; i++) {
        if (!is_soon_built(&mutants[i]) || is_of_tried_kind(&mutants[i])) continue;
        const struct mutant first = mutants[i];
        memmove(&mutants[mutant_count + 1], &mutants[mutant_count], (i - mutant_count) * sizeof *mutants);
        mutants[mutant_count++] = first;
    }
    for (size_t i = 1; 2 * i < mutant_count; i++) {
        const struct mutant other = mutants[i];
        mutants[i] = mutants[2 * i];
        mutants[2 * i] = other;
    }
    mutant_count = (mutant_count + 1) / 2;
}

static bool share_sound(const struct mutant *a, const struct mutant *b) {
    return a->tier == b->tier && a->tier != TIER_ALONE && strcmp(a->kernel, b->kernel) == 0 &&
           (a->dtypes == b->dtypes || json_object_equal(a->dtypes, b->dtypes));
}

// Returns whether a tier of many kernels has a mutant to try.
static bool has_mutants(int tier) {
    for (size_t i = 0; i < mutant_count; i++)
        if ((int)mutants[i].tier == tier) return true;
    return false;
}

static void place_kernels(const char *root, enum mutant_tier tier) {
    assert_int_equal(mkdir(root, 0777), 0);
    place_families(&arena, root);
    for (size_t i = 0; i < mutant_count; i++) {
        const struct mutant *mutant = &mutants[i];
        if (mutant->tier != tier) continue;
        bool first = true;
        for (size_t j = 0; j < i; j++) first = first && !share_sound(&mutants[j], mutant);
        place_kernel(&arena, mutant, root, arena_format(&arena, "%s.mutant_%s", mutant->kernel, mutant->name), true);
        if (!first) continue;
        sound[i] = arena_format(&arena, "%s.sound_%s", mutant->kernel, mutant->name);
        place_kernel(&arena, mutant, root, sound[i], false);
    }
}

// Runs the program once for each tier of many kernels, and once for each TIER_ALONE mutant at its points.
static int check_all(void **state) {
    if (program_open(state) != 0) return -1;
    load_table();
    if (is_presubmit() && !getenv("VKASSAY_MUTANTS")) try_some();
    for (int tier = TIER_SMOKE; tier <= TIER_ALONE; tier++)
        place_kernels(arena_format(&arena, "%s/%s", folder, tiers[tier]), (enum mutant_tier)tier);
    for (int tier = TIER_SMOKE; tier < TIER_ALONE; tier++) {
        if (!has_mutants(tier)) continue;
        run("check --tier %s --kernels %s/%s '*.mutant_*' '*.sound_*' --quiet --trim --out %s/out-%s", tiers[tier],
            folder, tiers[tier], folder, tiers[tier]);
        read_result(arena_format(&arena, "out-%s", tiers[tier]), &results[tier]);
    }
    for (size_t i = 0; i < mutant_count; i++) {
        if (mutants[i].tier != TIER_ALONE) continue;
        const char *name = mutants[i].name, *points = mutants[i].points;
        run("check --tier sampled --kernels %s/alone '*.mutant_%s/*/%s' '*.sound_%s/*/%s' --quiet --trim --out "
            "%s/out-%s",
            folder, name, points, name, points, folder, name);
        read_result(arena_format(&arena, "out-%s", name), &alone[i]);
    }
    return 0;
}

static int clean_up(void **state) {
    for (int tier = TIER_SMOKE; tier < TIER_ALONE; tier++) result_free(&results[tier]);
    for (size_t i = 0; i < mutant_count; i++) result_free(&alone[i]);
    json_object_put(table);
    arena_free(&arena);
    return folder_remove(state);
}

static void the_table_is_broad(void **state) {
    size_t kinds = 0, anywhere = 0;
    for (size_t i = 0; i < all_count; i++) {
        bool fresh = true;
        anywhere += !mutants[i].needs;
        for (size_t j = 0; j < i; j++) {
            fresh = fresh && strcmp(mutants[i].kind, mutants[j].kind) != 0;
            assert_string_not_equal(mutants[i].name, mutants[j].name);
        }
        kinds += fresh;
        check_named(mutants[i].caught_by);
    }
    assert_true(anywhere >= LEAST_MUTANTS && kinds >= LEAST_KINDS);
}

// Returns the first record failed by the intended check; NULL: none.
static const struct record *catch_of(const struct mutant *mutant, bool *skipped) {
    const char *name = arena_format(&arena, "%s.mutant_%s", mutant->kernel, mutant->name);
    const struct check_info *check = check_named(mutant->caught_by);
    size_t points = 0, skips = 0;
    const struct result *result = result_of(mutant);
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (strcmp(record->kernel, name) != 0) continue;
        if (record->failed & check->bit) return record;
        points++;
        skips += record->status == RECORD_SKIP;
    }
    *skipped = points > 0 && skips == points;
    return NULL;
}

static void tell(const struct mutant *mutant) {
    const char *name = arena_format(&arena, "%s.mutant_%s", mutant->kernel, mutant->name);
    print_error("mutant %s (%s) was not caught by '%s':\n", mutant->name, mutant->kind, mutant->caught_by);
    const struct result *result = result_of(mutant);
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (strcmp(record->kernel, name) != 0 || record->status == RECORD_PASS) continue;
        print_error("    %s: %s %s (%.3g of %.3g ULP)\n", record->name, record_status_name(record->status),
            record->reason ? record->reason : "", record->check.max_ulp, record->check.bound_ulp);
    }
}

// Returns every check that failed a point of the mutant, in the order of `checks`.
static const char *catches_of(const struct mutant *mutant) {
    const char *name = arena_format(&arena, "%s.mutant_%s", mutant->kernel, mutant->name), *found = NULL;
    const struct result *result = result_of(mutant);
    for (const struct check_info *check = checks; check->key; check++) {
        bool caught = false;
        for (size_t i = 0; i < result->count; i++)
            caught |= strcmp(result->records[i].kernel, name) == 0 && (result->records[i].failed & check->bit);
        if (caught) found = arena_format(&arena, "%s%s%s", found ? found : "", found ? ", " : "", check->key);
    }
    return found ? found : "no such type";
}

static bool lacks(const struct result *result, const char *feature) {
    return !json_get_bool(json_get(json_get(result->context, "device"), "features"), feature, true);
}

static void every_mutant_is_caught(void **state) {
    const char *path = getenv("VKASSAY_MUTANTS");
    FILE *report = path ? fopen(path, "w") : NULL;
    size_t survivors = 0;
    for (size_t i = 0; i < mutant_count; i++) {
        const struct mutant *mutant = &mutants[i];
        bool skipped = false;
        const struct record *record = catch_of(mutant, &skipped);
        bool survived = !record && !(mutant->needs && (skipped || lacks(result_of(mutant), mutant->needs)));
        if (survived) tell(mutant);
        survivors += survived;
        if (report) fprintf(report, "%s\t%s\t%s\t%s\n", mutant->kind, mutant->name, mutant->kernel, catches_of(mutant));
    }
    if (report) fclose(report);
    assert_int_equal(survivors, 0);
}

static bool passes_in(const struct result *result, const char *kernel, const char *dtype) {
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (record->status == RECORD_PASS && strcmp(record->kernel, kernel) == 0 && strcmp(record->dtype, dtype) == 0)
            return true;
    }
    return false;
}

// Returns whether the skip is allowed: the device lacks a feature, or other points of the same type passed.
static bool rightly_skipped(const struct result *result, const struct record *record) {
    static const char feature[] = "the device lacks the feature ";
    if (record->status != RECORD_SKIP) return false;
    if (strncmp(record->reason, feature, strlen(feature)) == 0) return lacks(result, record->reason + strlen(feature));
    return passes_in(result, record->kernel, record->dtype);
}

static void sound_kernels_pass(void **state) {
    for (size_t i = 0; i < mutant_count; i++) {
        size_t passed = 0;
        const struct result *result = result_of(&mutants[i]);
        for (size_t r = 0; sound[i] && r < result->count; r++) {
            const struct record *record = &result->records[r];
            if (strcmp(record->kernel, sound[i]) != 0) continue;
            if (record->status != RECORD_PASS && !rightly_skipped(result, record))
                fail_msg("%s: %s: %s", record->name, record_status_name(record->status), record->reason);
            passed += record->status == RECORD_PASS;
        }
        if (sound[i] && !passed && !mutants[i].needs) fail_msg("no point of %s passed", sound[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_broad),
        cmocka_unit_test(every_mutant_is_caught),
        cmocka_unit_test(sound_kernels_pass),
    };
    return cmocka_run_group_tests(tests, check_all, clean_up);
}
