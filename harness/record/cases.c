// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include "../base/memory.h"
#include "../base/names.h"
#include "../../reference/table.h"
#include "terms.h"
#include "../truth/stats/summary.h"
#include "record.h"

#include <math.h>
#include <stdlib.h>

// Numbers the case of each record, NAMES_NONE for records left out; counts the cases' records in out->items.
static void number(const struct record *records, size_t count, case_filter *filter, const void *user, size_t *numbers,
    struct cases *out) {
    struct names names = {0};
    for (size_t i = 0; i < count; i++) {
        numbers[i] = NAMES_NONE;
        if (filter && !filter(&records[i], user)) continue;
        numbers[i] = names_put(&names, records[i].name, records[i].case_length, out->count);
        out->count += numbers[i] == out->count;
        out->items[numbers[i]].count++;
    }
    names_free(&names);
}

void cases_make(const struct record *records, size_t count, case_filter *filter, const void *user, struct arena *arena,
    struct cases *out) {
    size_t *numbers = arena_alloc(arena, count + 1, sizeof *numbers);
    const struct record **room = arena_alloc(arena, count + 1, sizeof *room);
    *out = (struct cases){.items = arena_alloc(arena, count + 1, sizeof *out->items)};
    number(records, count, filter, user, numbers, out);
    for (size_t i = 0; i < out->count; i++) {
        out->items[i].records = room;
        room += out->items[i].count;
        out->items[i].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct case_group *group = numbers[i] == NAMES_NONE ? NULL : &out->items[numbers[i]];
        if (group) group->records[group->count++] = &records[i];
    }
}

const char *record_shape(const struct record *record) {
    const char *end = record->name + record->case_length;
    return *end == '/' ? end + 1 : end;
}

uint64_t record_invocations(const struct record *record) {
    return (uint64_t)record->wg[0] * record->wg[1] * record->wg[2];
}

const char *record_case(struct arena *arena, const struct record *record) {
    return arena_copy_n(arena, record->name, record->case_length);
}

// ---- best of a case

bool record_is_timed(const struct record *record) {
    const struct summary *time = &record->time[FIGURE_COMPUTE];
    return record->status == RECORD_PASS && time->samples && isfinite(time->median) && time->median > 0;
}

// Returns the samples that the best time must have.
static size_t enough_samples(const struct summary *const *times, size_t count, size_t least) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (times[i] && times[i]->samples > most) most = times[i]->samples;
    return most >= least ? least : (most + 1) / 2;
}

size_t best_time(const struct summary *const *times, size_t count, size_t least) {
    size_t best = SIZE_MAX;
    const size_t enough = enough_samples(times, count, least);
    for (size_t i = 0; i < count; i++) {
        if (!times[i] || !times[i]->samples || times[i]->samples < enough) continue;
        if (best == SIZE_MAX || times[i]->median < times[best]->median) best = i;
    }
    return best;
}

size_t time_choice(const struct summary *const *times, size_t count, size_t least, size_t standard) {
    const size_t best = best_time(times, count, least), enough = enough_samples(times, count, least);
    if (best == SIZE_MAX) return best;
    if (standard < count && times[standard] && times[standard]->samples && times_tie(times[best], times[standard]))
        return standard;
    size_t i = 0;
    while (
        i < best && !(times[i] && times[i]->samples && times[i]->samples >= enough && times_tie(times[best], times[i])))
        i++;
    return i;
}

// Makes the list of compute times, NULL for records without one. The caller frees it.
static const struct summary **times_of(const struct record *const *records, size_t count) {
    const struct summary **times = memory_alloc(count, sizeof *times);
    for (size_t i = 0; i < count; i++)
        if (record_is_timed(records[i])) times[i] = &records[i]->time[FIGURE_COMPUTE];
    return times;
}

struct case_choice case_choose(const struct record *const *records, size_t count) {
    const struct summary **times = times_of(records, count);
    size_t standard = count, others = 0, told_apart = 0;
    for (size_t i = 0; i < count; i++)
        if (times[i] && records[i]->is_default) standard = i;
    const size_t best = best_time(times, count, CASE_LEAST), chosen = time_choice(times, count, CASE_LEAST, standard);
    for (size_t i = 0; best != SIZE_MAX && i < count; i++) {
        others += times[i] && i != best;
        told_apart += times[i] && !times_tie(times[best], times[i]);
    }
    free(times);
    if (best == SIZE_MAX) return (struct case_choice){0};
    return (struct case_choice){records[best], records[chosen], others && !told_apart};
}

const struct record *case_best(const struct record *const *records, size_t count) {
    const struct summary **times = times_of(records, count);
    size_t best = best_time(times, count, CASE_LEAST);
    free(times);
    return best == SIZE_MAX ? NULL : records[best];
}

// The spread of a shape's time between processes, beyond its interval. It is about the same for kernels of 2 and of
// 100 us and differs between shapes. So it belongs to the start of a dispatch (section "Shapes" of
// reports/examples/proofs.md). For kernels shorter than those measured so far, it is at most this share.
static const double process_spread_ns = 100, process_spread_most = 0.04;

bool times_tie(const struct summary *best, const struct summary *other) {
    return other->lo - fmin(process_spread_ns, process_spread_most * best->median) <= best->hi;
}

static const double most_spread = 0.2;

double time_spread(const struct summary *time) {
    return (time->hi - time->lo) / 2 / time->median;
}

bool time_is_noise(const struct summary *time) {
    return time_spread(time) > most_spread;
}

bool case_ties(const struct record *best, const struct record *other) {
    if (!best || other == best || !record_is_timed(best) || !record_is_timed(other)) return false;
    return times_tie(&best->time[FIGURE_COMPUTE], &other->time[FIGURE_COMPUTE]);
}

// ---- size

int size_bucket(const double *dims, int count) {
    double size = 1;
    for (int i = 0; i < count; i++) size *= fmax(dims[i], 1);
    return ilogb(size);
}

int record_dims(const struct record *record) {
    const struct op *op = operator_named(record->operator);
    int dims = op ? operator_dims(op) : record->dim_count;
    return dims < record->dim_count ? dims : record->dim_count;
}

int record_bucket(const struct record *record) {
    double dims[RECORD_NAMES];
    int count = record_dims(record);
    for (int i = 0; i < count; i++) dims[i] = record->dims[i].value;
    return size_bucket(dims, count);
}
