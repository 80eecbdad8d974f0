// SPDX-License-Identifier: Apache-2.0
#include "questions.h"

#include "../../base/text.h"
#include "../../readers/render/format.h"
#include "../../record/cases.h"
#include "along.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double least_loss = 1.1; // a smaller one is no cliff
enum { BAR = 40 };

// One timed point of a ladder.
struct rung {
    const struct record *record;
    struct along at;
    double ns, low, high, least; // median, its interval, minimum
};

// The cheapest other way to a rung's work.
struct way {
    double ns, high, least;       // as of a rung
    const struct rung *to, *rest; // a larger size or another kernel; of a split, both parts
};

static struct rung rung_of(struct arena *arena, const struct record *record, const char *dim) {
    const struct summary *time = &record->time[FIGURE_COMPUTE];
    return (struct rung){record, along_dim(arena, record, dim), time->median, time->lo, time->hi, time->min};
}

static int by_ladder(const void *a, const void *b) {
    const struct rung *x = a, *y = b;
    const int problem = strcmp(x->at.problem, y->at.problem), kernel = strcmp(x->at.kernel, y->at.kernel);
    return problem ? problem : kernel ? kernel : (x->at.size > y->at.size) - (x->at.size < y->at.size);
}

static void offer(struct way *best, const struct rung *to, const struct rung *rest) {
    const double ns = to->ns + (rest ? rest->ns : 0);
    if (ns < best->ns)
        *best = (struct way){ns, to->high + (rest ? rest->high : 0), to->least + (rest ? rest->least : 0), to, rest};
}

// Finds the cheapest way among all rungs of the problem.
static struct way cheapest(const struct rung *rungs, size_t count, const struct rung *of) {
    struct way best = {.ns = INFINITY, .high = INFINITY};
    for (size_t i = 0; i < count; i++) {
        const struct rung *a = &rungs[i];
        if (strcmp(a->at.problem, of->at.problem) != 0) continue;
        const bool same = strcmp(a->at.kernel, of->at.kernel) == 0;
        if ((same && a->at.size > of->at.size) || (!same && a->at.size == of->at.size)) offer(&best, a, NULL);
        for (size_t k = i; same && k < count && strcmp(rungs[k].at.kernel, of->at.kernel) == 0; k++)
            if (strcmp(rungs[k].at.problem, of->at.problem) == 0 && a->at.size + rungs[k].at.size == of->at.size)
                offer(&best, a, &rungs[k]);
    }
    return best;
}

// The sizes are timed one after the other. Other work on the host changes medians more than minima, so both count.
static bool is_cliff(const struct rung *rung, const struct way *way) {
    return rung->ns > least_loss * way->ns && rung->low > way->high && rung->least > least_loss * way->least;
}

// Appends "pad to 4 (131 us)", "split into 3 + 2", or "matmul_nt.tiled wg=16x16x1".
static void put_way(struct text *out, const struct rung *rung, const struct way *way) {
    if (way->rest)
        text_format(out, "split into %" PRId64 " + %" PRId64, way->to->at.size, way->rest->at.size);
    else if (way->to->at.size > rung->at.size)
        text_format(out, "pad to %" PRId64, way->to->at.size);
    else
        text_append(out, way->to->at.kernel);
    text_append(out, " (");
    put_time(out, way->ns);
    text_append(out, ")");
}

static void put_spills(struct text *out, const struct record *record) {
    for (int i = 0; i < record->code_count; i++)
        if (strcasestr(record->code[i].name, "spill") && record->code[i].value > 0)
            text_format(out, "; %s: %.0f", record->code[i].name, record->code[i].value);
}

static void print_rung(const struct rung *rung, const struct way *way, double slowest) {
    struct text line = {0};
    char bar[BAR + 1];
    const int length = (int)fmax(1, BAR * rung->ns / slowest);
    memset(bar, is_cliff(rung, way) ? '!' : '#', (size_t)length);
    bar[length] = '\0';
    text_format(&line, "  %8" PRId64 "  ", rung->at.size);
    put_time(&line, rung->ns);
    printf("%-22s %s\n", text_str(&line), bar);
    text_free(&line);
}

static void print_cliff(const char *dim, const struct rung *rung, const struct way *way) {
    struct text line = {0};
    text_format(
        &line, "  %s=%" PRId64 " takes %.2fx the time of another way: ", dim, rung->at.size, rung->ns / way->ns);
    put_way(&line, rung, way);
    put_spills(&line, rung->record);
    print_plain(stdout, text_str(&line), 4);
    putchar('\n');
    text_free(&line);
}

// Prints the ladder of one kernel and shape, with the cheapest other way to each rung. Returns the number of cliffs.
static size_t print_ladder(const struct rung *rungs, const struct way *ways, size_t count, const char *dim) {
    double slowest = 0;
    size_t cliffs = 0;
    for (size_t i = 0; i < count; i++) slowest = fmax(slowest, rungs[i].ns);
    printf("\nLadder of %s: %s, %s\n", dim, rungs->at.kernel, rungs->at.problem);
    for (size_t i = 0; i < count; i++) print_rung(&rungs[i], &ways[i], slowest);
    for (size_t i = 0; i < count; i++) {
        if (!is_cliff(&rungs[i], &ways[i])) continue;
        cliffs++;
        print_cliff(dim, &rungs[i], &ways[i]);
    }
    return cliffs;
}

void ladder_tell(struct arena *arena, const struct result *result, const char *dim) {
    struct rung *rungs = arena_alloc(arena, result->count + 1, sizeof *rungs);
    size_t count = 0, cliffs = 0;
    for (size_t i = 0; i < result->count; i++) {
        if (result->records[i].peak || !record_is_timed(&result->records[i])) continue;
        const struct rung rung = rung_of(arena, &result->records[i], dim);
        if (rung.at.size) rungs[count++] = rung;
    }
    qsort(rungs, count, sizeof *rungs, by_ladder);
    struct way *ways = arena_alloc(arena, count + 1, sizeof *ways);
    for (size_t i = 0; i < count; i++) ways[i] = cheapest(rungs, count, &rungs[i]);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(rungs[end].at.kernel, rungs[i].at.kernel) == 0 &&
                          strcmp(rungs[end].at.problem, rungs[i].at.problem) == 0;)
            end++;
        if (end - i > 1) cliffs += print_ladder(&rungs[i], &ways[i], end - i, dim);
    }
    printf("Cliffs along %s: %zu of %zu sizes are slower than a cheaper way by %.0f %% and more\n", dim, cliffs, count,
        100 * (least_loss - 1));
}
