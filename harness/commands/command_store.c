// SPDX-License-Identifier: Apache-2.0
// store: keeps results for their history.
#include "../record/store.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add(const struct options *options, struct error *err) {
    size_t added = 0, there = 0;
    for (size_t i = 2; i < options->word_count; i++) {
        bool fresh;
        if (!store_add(options->words[1], options->words[i], &fresh, err)) return false;
        added += fresh;
        there += !fresh;
    }
    printf("%zu added to %s", added, options->words[1]);
    printf(there ? ", %zu already stored\n" : "\n", there);
    return true;
}

// ---- list

static int by_kind(const void *a, const void *b) {
    const struct store_run *x = a, *y = b;
    int order = strcmp(x->unit, y->unit);
    if (!order) order = strcmp(x->driver, y->driver);
    if (!order) order = strcmp(x->suite, y->suite);
    return order ? order : strcmp(x->started, y->started);
}

static void list_device(struct store_series *series, bool every) {
    if (series->run_count) qsort(series->runs, series->run_count, sizeof *series->runs, by_kind);
    for (size_t first = 0, next; first < series->run_count; first = next) {
        const struct store_run *run = &series->runs[first];
        for (next = first + 1; next < series->run_count; next++)
            if (strcmp(run->unit, series->runs[next].unit) != 0 ||
                strcmp(run->driver, series->runs[next].driver) != 0 ||
                strcmp(run->suite, series->runs[next].suite) != 0)
                break;
        const struct store_run *last = &series->runs[next - 1];
        printf("%-28s %-24s %-10s %6zu runs  %s to %s, %s to %s%s%s\n", series->device, run->driver, run->suite,
            next - first, run->started, last->started, run->git, last->git, series->unit_count > 1 ? "  unit " : "",
            series->unit_count > 1 ? run->unit : "");
        for (size_t i = first; every && i < next; i++)
            printf("    %s  %-12s seed %-4s %4zu points  %s/%s\n", series->runs[i].started, series->runs[i].git,
                series->runs[i].seed, series->runs[i].points, series->folder, series->runs[i].file);
    }
}

static bool list(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    char **devices;
    size_t count, runs = 0;
    if (!store_devices(arena, options->words[1], &devices, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        struct store_series series;
        if (!store_read(options->words[1], devices[i], false, &series, err)) return false;
        runs += series.run_count;
        list_device(&series, options->all);
        store_series_free(&series);
    }
    printf("%zu runs of %zu devices\n", runs, count);
    if (!runs) *status = STATUS_NOTHING;
    return true;
}

// ---- prune

static bool prune(struct arena *arena, const struct options *options, struct error *err) {
    char **devices;
    size_t count, all = 0;
    if (!options->keep && !options->before)
        return error_set(err, STATUS_USAGE, "store prune: expected --keep N, --before DATE or both");
    if (!store_devices(arena, options->words[1], &devices, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        size_t removed;
        if (!store_prune(options->words[1], devices[i], (size_t)options->keep, options->before, &removed, err))
            return false;
        all += removed;
    }
    printf("%zu runs removed from %s\n", all, options->words[1]);
    return true;
}

bool command_store(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *what = options->word_count > 1 ? options->words[0] : "";
    if (strcmp(what, "add") == 0 && options->word_count > 2) return add(options, err);
    if (strcmp(what, "list") == 0 && options->word_count == 2) return list(arena, options, status, err);
    if (strcmp(what, "prune") == 0 && options->word_count == 2) return prune(arena, options, err);
    return error_set(err, STATUS_USAGE, "store: expected add STORE RESULT..., list STORE or prune STORE");
}
