// SPDX-License-Identifier: Apache-2.0
#include "last_run.h"

#include "../../base/file.h"
#include "../../base/kind.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <ctype.h>
#include <string.h>

enum { MOST_TRIED = 16 }; // skips runs of other suites in between

// Compares suite and seed, without reading the records.
static bool is_alike(const char *path, const struct result *result) {
    static const char *const members[] = {"suite", "seed"};
    struct error ignored = {0};
    struct json_object *head = kind_head(path, &ignored), *run = json_get(head, "run");
    bool alike = run;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        alike &= strcmp(json_get_string(run, members[i], ""),
                     json_get_string(json_get(result->context, "run"), members[i], "")) == 0;
    json_object_put(head);
    return alike;
}

// Returns whether all dispatches in both are of one capture. Either result may have only a part of them.
static bool is_same_capture(const struct comparison *c) {
    size_t both = 0, only_base = 0, only_new = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct compared_point *point = &c->points[i];
        if (!(point->new ? point->new : point->base)->recorded.count) continue;
        if (point->base && point->new && point->paired) return false; // not by its signature
        both += point->base && point->new;
        only_base += !point->new;
        only_new += !point->base;
    }
    return both ? !only_base || !only_new : !only_base && !only_new;
}

// Compares with the other result. compare_results refuses another device, driver or seed; another profile is only
// noted in `differ`, so it is refused here.
static bool compares(const char *path, const struct result *result, struct result *last, struct comparison *out) {
    const struct compare_rules rules = COMPARE_RULES;
    struct error ignored = {0};
    if (!result_read(path, last, &ignored)) return false;
    if (compare_results(last, result, &rules, out, &ignored)) {
        if (!out->differ && out->both && is_same_capture(out)) return true;
        comparison_free(out);
    }
    result_free(last);
    return false;
}

bool last_run(const char *path, const struct result *result, struct result *last, struct comparison *out) {
    struct arena arena = {0};
    struct error ignored = {0};
    const char *run = file_folder(&arena, path), *device = file_folder(&arena, run);
    const char *slash = strrchr(run, '/'), *name = strrchr(path, '/');
    char **paths;
    size_t count, tried = 0;
    bool found = false;
    const size_t folder = strlen(device);
    bool kept =
        name && strncmp(name, "/result.json", strlen("/result.json")) == 0 && slash && isdigit((unsigned char)slash[1]);
    if (kept && file_list(&arena, device, name + 1, &paths, &count, &ignored))
        for (size_t i = count; i-- > 0 && !found && tried < MOST_TRIED;) {
            const char *other = paths[i] + folder + 1;
            const bool beside = isdigit((unsigned char)*other) && strcmp(other + strcspn(other, "/"), name) == 0;
            if (!beside || strcmp(paths[i], path) >= 0) continue; // sorted by time: the run itself, or later
            tried++;
            found = is_alike(paths[i], result) && compares(paths[i], result, last, out);
        }
    arena_free(&arena);
    return found;
}
