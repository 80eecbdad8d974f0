// SPDX-License-Identifier: Apache-2.0
#include "families.h"

#include "../../../reference/table.h"
#include "../../base/names.h"
#include "format.h"
#include "highlights.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

// Figures of a device and a family. Each device has one more entry for all families together.
struct family_sums {
    struct spread {
        double logarithms, least; // a sum; the least figure
        size_t count;
    } roof, speed;
};

static void spread_add(struct spread *spread, double figure) {
    spread->least = spread->count++ ? fmin(spread->least, figure) : figure;
    spread->logarithms += log(figure);
}

static double spread_mean(const struct spread *spread) {
    return spread->count ? exp(spread->logarithms / (double)spread->count) : NAN;
}

struct summing {
    const struct view *views;
    size_t devices, families;
    struct arena *arena;
    struct family_sums *sums; // [device * (families + 1) + family]
};

size_t family_number(const char *operator) {
    const char *family = operator_family(operator);
    size_t number = 0;
    while (operator_families[number] && strcmp(operator_families[number], family) != 0) number++;
    return number;
}

static struct family_sums *sums_of(const struct summing *s, size_t device, size_t family) {
    return &s->sums[device * (s->families + 1) + family];
}

static void add_roof(struct summing *s, size_t device) {
    const struct view *view = &s->views[device];
    struct highlight *rated = arena_alloc(s->arena, view->kernel_count, sizeof *rated);
    size_t count = rated_problems(view, rated);
    for (size_t i = 0; i < count; i++) {
        if (!(rated[i].figure > 0)) continue;
        struct family_sums *sums[] = {
            sums_of(s, device, family_number(rated[i].record->operator)), sums_of(s, device, s->families)};
        for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) spread_add(&sums[k]->roof, rated[i].figure);
    }
}

// ---- speed relative to other devices

// Problems and the time of the fastest kernel on each device; 0: not solved there.
struct problems {
    struct names names;
    double *times; // [problem * devices + device]
    size_t *families, count;
};

static void add_times(struct problems *p, const struct summing *s, size_t device) {
    for (size_t c = 0; c < s->views[device].case_count; c++) {
        const struct record *best = s->views[device].cases[c]->best;
        if (!best || best->peak) continue;
        struct text key = {0};
        text_format(&key, "%s/%s/", best->operator, best->dtype);
        put_dims_named(&key, best);
        const size_t length = key.length, number = names_put(&p->names, arena_take(s->arena, &key), length, p->count);
        if (number == p->count) p->families[p->count++] = family_number(best->operator);
        double *time = &p->times[number * s->devices + device];
        if (!(*time > 0) || compute_ns(best) < *time) *time = compute_ns(best);
    }
}

static void add_speed(struct summing *s, const struct problems *p, size_t problem) {
    const double *times = &p->times[problem * s->devices];
    double fastest = INFINITY;
    size_t solved = 0;
    for (size_t d = 0; d < s->devices; d++) {
        if (!(times[d] > 0)) continue;
        fastest = fmin(fastest, times[d]);
        solved++;
    }
    for (size_t d = 0; solved > 1 && d < s->devices; d++) {
        struct family_sums *sums[] = {sums_of(s, d, p->families[problem]), sums_of(s, d, s->families)};
        for (size_t k = 0; times[d] > 0 && k < sizeof sums / sizeof *sums; k++)
            spread_add(&sums[k]->speed, fastest / times[d]);
    }
}

static void add_speeds(struct summing *s) {
    size_t room = 0;
    for (size_t d = 0; d < s->devices; d++) room += s->views[d].case_count;
    struct problems p = {.times = arena_alloc(s->arena, room, s->devices * sizeof *p.times),
        .families = arena_alloc(s->arena, room, sizeof *p.families)};
    for (size_t d = 0; d < s->devices; d++) add_times(&p, s, d);
    for (size_t i = 0; i < p.count; i++) add_speed(s, &p, i);
    names_free(&p.names);
}

// ---- families with figures

void families_make(const struct view *views, size_t devices, struct arena *arena, struct families *out) {
    struct summing s = {.views = views, .devices = devices, .arena = arena, .families = 1};
    while (operator_families[s.families - 1]) s.families++; // counts "other" too
    s.sums = arena_alloc(arena, devices * (s.families + 1), sizeof *s.sums);
    for (size_t d = 0; d < devices; d++) add_roof(&s, d);
    add_speeds(&s);
    size_t *numbers = arena_alloc(arena, s.families + 1, sizeof *numbers);
    *out = (struct families){.names = arena_alloc(arena, s.families, sizeof *out->names)};
    for (size_t f = 0; f < s.families; f++) {
        size_t known = 0;
        for (size_t d = 0; d < devices; d++) known += sums_of(&s, d, f)->roof.count + sums_of(&s, d, f)->speed.count;
        if (!known) continue;
        numbers[out->count] = f;
        out->names[out->count++] = operator_families[f] ? operator_families[f] : "other";
    }
    numbers[out->count] = s.families;
    out->of = arena_alloc(arena, devices * (out->count + 1), sizeof *out->of);
    for (size_t d = 0; d < devices; d++)
        for (size_t f = 0; f <= out->count; f++) {
            const struct family_sums *sums = sums_of(&s, d, numbers[f]);
            out->of[d * (out->count + 1) + f] = (struct family_figures){.roof = spread_mean(&sums->roof),
                .roof_least = sums->roof.least,
                .rated = sums->roof.count,
                .speed = spread_mean(&sums->speed),
                .speed_least = sums->speed.least,
                .shared = sums->speed.count};
        }
}
