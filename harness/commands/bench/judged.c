// SPDX-License-Identifier: Apache-2.0
#include "judged.h"

#include "../../base/json.h"
#include "../../base/names.h"
#include "../../record/terms.h"
#include "../../readers/render/format.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 12 };

// Of one kernel.
struct judged {
    const struct kernel *kernel;
    size_t planned, ran, skipped, expected; // points; `expected` of the skipped ones
    const char *reason;                     // of the first unexpected skip
};

static bool is_named(const struct run *run, const char *kernel) {
    const size_t length = strlen(kernel);
    for (size_t i = 0; i < run->options->word_count; i++) {
        const char *word = run->options->words[i];
        if (strcspn(word, "/") == length && strncmp(word, kernel, length) == 0) return true;
    }
    return false;
}

static void count_record(const struct names *names, struct judged *list, struct json_object *record) {
    const char *name = json_get_string(record, "name", ""), *reason = json_get_string(record, "reason", "no reason");
    const size_t at = names_get(names, name, strcspn(name, "/"));
    if (at == NAMES_NONE) return;
    const bool skipped = record_json_is(record, RECORD_SKIP);
    const char *expected = json_get_string(json_get(record, "expected"), "status", "");
    const bool meant = skipped && strcmp(expected, EXPECTED_SKIP) == 0;
    list[at].ran += !skipped;
    list[at].skipped += skipped;
    list[at].expected += meant;
    if (skipped && !meant && !list[at].reason) list[at].reason = reason;
}

// Counts the points of each kernel, without peaks that nobody asked for.
static struct judged *count_all(const struct run *run, const struct plan *plan, const struct outcome *outcome) {
    const struct kernels *kernels = &run->prepared.kernels;
    const struct options *options = run->options;
    struct judged *list = arena_alloc(run->arena, kernels->count + 1, sizeof *list);
    struct names names = {0};
    for (size_t k = 0; k < kernels->count; k++) {
        const char *name = kernels->items[k]->name;
        list[k].kernel = kernels->items[k];
        names_put(&names, name, strlen(name), k);
    }
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        const size_t at = names_get(&names, point->kernel->name, strlen(point->kernel->name));
        if (at != NAMES_NONE && select_asks(options->words, options->word_count, point->name, point->peak))
            list[at].planned++;
    }
    for (size_t i = 0; i < outcome->count; i++) count_record(&names, list, outcome->records[i]);
    names_free(&names);
    return list;
}

// Returns whether a kernel of the user's without a point is one that the check should have looked at.
static bool chooses_points(const struct run *run) {
    const struct options *options = run->options;
    return !run->bench->time && !run->compile_only && !run->exhaustive && !options->suite && !options->dims &&
           !options->word_count;
}

static void add_name(struct text *names, size_t count, const char *name, const char *why) {
    if (count < NAMED) text_format(names, "%s%s (%s)", count ? "; " : "", name, why);
}

void judged_tell(const struct run *run, const struct plan *plan, const struct outcome *outcome, enum status *status) {
    const size_t kernels = run->prepared.kernels.count;
    struct text names = {0};
    size_t judged = 0, skipped = 0, without = 0, bad = 0;
    if (run->prepared.kernels.notes.count) *status = status_join(*status, STATUS_PARTIAL);
    if (run->options->shard.count > 1 || outcome->left) return;
    const struct judged *list = count_all(run, plan, outcome);
    for (size_t k = 0; k < kernels; k++) {
        const struct judged *one = &list[k];
        const bool given = one->kernel->given != NULL;
        if (!one->planned) {
            const bool missed = given && chooses_points(run);
            if (missed) add_name(&names, bad++, one->kernel->name, one->kernel->untried ? "untried" : "no point");
            without += missed;
            continue;
        }
        judged += one->ran > 0;
        skipped += !one->ran && one->skipped;
        if (!one->ran && one->reason && (given || is_named(run, one->kernel->name)))
            add_name(&names, bad++, one->kernel->name, one->reason);
    }
    if (skipped || without) printf("Kernels: %zu judged, %zu skipped, %zu without a point\n", judged, skipped, without);
    if (bad) {
        struct text line = {0};
        text_format(&line, "Not judged: %s", text_str(&names));
        if (bad > NAMED) text_format(&line, "; and %zu more", bad - NAMED);
        text_append(&line, "; --expectations accepts skips");
        print_plain(stdout, text_str(&line), 0);
        putchar('\n');
        text_free(&line);
        *status = status_join(*status, STATUS_PARTIAL);
    }
    text_free(&names);
}
