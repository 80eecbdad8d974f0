// SPDX-License-Identifier: Apache-2.0
#include "walk.h"

#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

void findings_add(struct findings *findings, const struct finding *finding) {
    for (int i = 0; i < findings->count; i++) {
        struct finding *have = &findings->items[i];
        const bool same = have->first == finding->first && have->second == finding->second;
        const bool turned = have->first == finding->second && have->second == finding->first;
        if (have->kind != finding->kind || (!same && !turned)) continue;
        have->times++;
        return;
    }
    if (findings->count == FINDINGS) return;
    findings->items[findings->count] = *finding;
    findings->items[findings->count++].times = 1;
}

bool walk_open(struct walk *w, const struct dispatch_log *log) {
    *w = (struct walk){.log = log};
    if (log->locals > WHO_LOCALS || log->groups > WHO_GROUPS) return false;
    entries_open(log, &w->entries);
    w->moments = memory_alloc(w->entries.count + 1, sizeof *w->moments);
    w->exchange_start = memory_alloc((size_t)log->groups + 1, sizeof *w->exchange_start);
    w->broken = memory_alloc(log->groups, sizeof *w->broken);
    for (uint32_t s = 0; s < log->module->site_count; s++) w->has_subgroups |= log->module->sites[s].kind == SITE_START;
    return w->entries.count < UINT32_MAX;
}

void walk_close(struct walk *w) {
    entries_close(&w->entries);
    free(w->moments);
    free(w->exchange_start);
    free(w->broken);
    free(w->exchanges);
    free(w->barriers);
    free(w->epochs[0]);
    free(w->epochs[1]);
}

// ---- barriers

static void note_difference(
    struct findings *findings, const struct barrier_seen *seen, uint32_t site, uint32_t who, uint32_t of) {
    if (!findings) return;
    findings_add(findings, &(struct finding){.kind = FINDING_BARRIER,
                               .first = seen->site,
                               .second = site,
                               .first_who = seen->who,
                               .second_who = who,
                               .reach = seen->reach,
                               .of = of});
}

static void pass_barrier(struct walk *w, uint32_t entry, uint32_t local, struct findings *findings) {
    const uint32_t site = walk_entry(w, entry)->site, number = w->interval[local]++;
    const struct site *of = walk_site(w, entry);
    if (number == w->barrier_count) {
        if (w->barrier_count == w->barrier_capacity) {
            w->barrier_capacity = w->barrier_capacity ? 2 * w->barrier_capacity : 64;
            w->barriers = memory_resize(w->barriers, w->barrier_capacity, sizeof *w->barriers);
        }
        w->barriers[w->barrier_count++] =
            (struct barrier_seen){.site = site, .who = walk_who(w, entry), .orders = {of->orders[0], of->orders[1]}};
    }
    struct barrier_seen *seen = &w->barriers[number];
    if (seen->site == site) {
        seen->reach++;
        return;
    }
    w->broken[walk_who(w, entry) >> WHO_LOCAL_BITS] = true;
    note_difference(findings, seen, site, walk_who(w, entry), w->log->locals);
}

// An invocation that the driver stopped. What the others do behind is not judged.
static void find_stopped(struct walk *w, uint32_t group, struct findings *findings) {
    if (!w->entries.stopped[group]) return;
    w->broken[group] = true;
    if (findings)
        findings_add(findings, &(struct finding){.kind = FINDING_STOPPED,
                                   .first_who = group << WHO_LOCAL_BITS | (w->entries.stopped[group] - 1)});
}

// An invocation that ended before a barrier of the others.
static void find_absent(struct walk *w, uint32_t group, struct findings *findings) {
    for (size_t b = 0; b < w->barrier_count && !w->broken[group]; b++) {
        const struct barrier_seen *seen = &w->barriers[b];
        uint32_t absent = 0;
        if (seen->reach == w->log->locals) continue;
        while (absent + 1 < w->log->locals && w->interval[absent] > b) absent++;
        w->broken[group] = true;
        note_difference(findings, seen, seen->site, group << WHO_LOCAL_BITS | absent, w->log->locals);
    }
}

// Invocations of a subgroup pass the same number of its barriers.
static void find_absent_lanes(struct walk *w, uint32_t group, uint32_t site, struct findings *findings) {
    for (uint32_t a = 0; a < w->log->locals && !w->broken[group]; a++)
        for (uint32_t b = a + 1; b < w->log->locals && b < a + 128; b++) {
            if (w->subgroup[a] != w->subgroup[b] || w->turns[a] == w->turns[b]) continue;
            const uint32_t reaches = w->turns[a] > w->turns[b] ? a : b;
            const struct barrier_seen seen = {
                .site = site, .who = group << WHO_LOCAL_BITS | reaches, .reach = w->turns[reaches]};
            w->broken[group] = true;
            note_difference(findings, &seen, site, group << WHO_LOCAL_BITS | (a + b - reaches), 0);
            break;
        }
}

static void make_epochs(struct walk *w) {
    if (w->barrier_count + 1 > w->epoch_capacity) {
        w->epoch_capacity = 2 * w->barrier_count + 64;
        for (int m = 0; m < 2; m++) w->epochs[m] = memory_resize(w->epochs[m], w->epoch_capacity, sizeof **w->epochs);
    }
    for (int m = 0; m < 2; m++) {
        bool fenced = w->first_fenced[m];
        w->epochs[m][0] = 0;
        for (size_t b = 0; b < w->barrier_count; b++) {
            const struct barrier_seen *seen = &w->barriers[b];
            w->epochs[m][b + 1] = w->epochs[m][b] + (seen->orders[m] || seen->fenced[m] || fenced);
            fenced = seen->fenced[m];
        }
    }
}

// ---- a workgroup

static void note_fence(struct walk *w, const struct site *site, uint32_t interval) {
    for (int m = 0; m < 2; m++) {
        if (!site->orders[m]) continue;
        if (interval == 0)
            w->first_fenced[m] = true;
        else if (interval <= w->barrier_count)
            w->barriers[interval - 1].fenced[m] = true;
    }
}

static void note_exchange(struct walk *w, uint32_t entry, const struct site *site, uint32_t fenced) {
    if (w->exchange_count == w->exchange_capacity) {
        w->exchange_capacity = w->exchange_capacity ? 2 * w->exchange_capacity : 256;
        w->exchanges = memory_resize(w->exchanges, w->exchange_capacity, sizeof *w->exchanges);
    }
    w->exchanges[w->exchange_count++] = (struct exchange){.entry = entry,
        .interval = w->moments[entry].interval,
        .time = walk_entry(w, entry)->time,
        .fenced = site->orders[1] ? w->moments[entry].interval + 1 : fenced,
        .is_release = site->kind == SITE_UPDATE || site->kind == SITE_STORE,
        .is_acquire = site->kind == SITE_UPDATED};
}

static void reset(struct walk *w) {
    memset(w->interval, 0, sizeof w->interval);
    memset(w->turn, 0, sizeof w->turn);
    memset(w->turns, 0, sizeof w->turns);
    w->barrier_count = 0;
    w->first_fenced[0] = w->first_fenced[1] = false;
}

void walk_group(struct walk *w, uint32_t group, struct findings *findings) {
    uint32_t fenced = 0, turning = 0;
    bool turns = false;
    reset(w);
    if (findings) w->exchange_start[group] = w->exchange_count;
    const uint32_t end = (uint32_t)w->entries.group_start[group + 1];
    for (uint32_t entry = (uint32_t)w->entries.group_start[group]; entry < end; entry++) {
        const uint32_t local = walk_who(w, entry) & (WHO_LOCALS - 1);
        const struct site *site = walk_site(w, entry);
        const int memory = site->space == SPACE_SHARED ? 0 : 1;
        w->moments[entry] = (struct moment){w->interval[local], w->turn[local][memory]};
        if (site->kind == SITE_START) w->subgroup[local] = walk_entry(w, entry)->address;
        if (site->kind == SITE_FENCE) note_fence(w, site, w->interval[local]);
        if (site->kind == SITE_BARRIER && site->is_workgroup) pass_barrier(w, entry, local, findings);
        if (site->kind == SITE_BARRIER && !site->is_workgroup) {
            for (int m = 0; m < 2; m++) w->turn[local][m] += site->orders[m];
            w->turns[local]++;
            turning = walk_entry(w, entry)->site;
            turns = true;
        }
        if ((site->kind == SITE_FENCE || site->kind == SITE_BARRIER) && site->orders[1])
            fenced = w->moments[entry].interval + 1;
        if (site->space != SPACE_SHARED && site->kind >= SITE_UPDATE && site->kind <= SITE_UPDATED && findings)
            note_exchange(w, entry, site, fenced);
    }
    find_stopped(w, group, findings);
    if (w->entries.is_whole[group]) find_absent(w, group, findings);
    if (w->entries.is_whole[group] && turns) find_absent_lanes(w, group, turning, findings);
    make_epochs(w);
    if (findings) w->exchange_start[group + 1] = w->exchange_count;
}

// ---- order

// Returns whether the workgroup of `entry` releases it, and when at the earliest. It must have a fence in between.
static bool released(const struct walk *w, uint32_t entry, uint32_t *time) {
    const uint32_t who = walk_who(w, entry), group = who >> WHO_LOCAL_BITS, interval = w->moments[entry].interval;
    bool any = false;
    for (size_t k = w->exchange_start[group]; k < w->exchange_start[group + 1]; k++) {
        const struct exchange *x = &w->exchanges[k];
        const bool later = walk_who(w, x->entry) == who ? x->entry > entry : x->interval > interval;
        if (!x->is_release || !later || x->fenced <= interval || (any && x->time >= *time)) continue;
        *time = x->time;
        any = true;
    }
    return any;
}

// Returns whether the workgroup of `entry` acquires something before it, released at this time or earlier.
static bool acquired(const struct walk *w, uint32_t entry, uint32_t time) {
    const uint32_t who = walk_who(w, entry), group = who >> WHO_LOCAL_BITS;
    for (size_t k = w->exchange_start[group]; k < w->exchange_start[group + 1]; k++) {
        const struct exchange *x = &w->exchanges[k];
        const bool earlier = walk_who(w, x->entry) == who ? x->entry < entry : x->interval < w->moments[entry].interval;
        if (x->is_acquire && earlier && x->time > time) return true;
    }
    return false;
}

static bool handed_over(const struct walk *w, uint32_t from, uint32_t to) {
    uint32_t time = 0;
    return released(w, from, &time) && acquired(w, to, time);
}

static bool is_matrix(const struct walk *w, uint32_t entry) {
    return walk_site(w, entry)->lines > 0;
}

bool walk_ordered(const struct walk *w, uint32_t first, uint32_t second, int memory) {
    const uint32_t a = walk_who(w, first), b = walk_who(w, second);
    const struct moment *x = &w->moments[first], *y = &w->moments[second];
    if (a == b) return true;
    if (a >> WHO_LOCAL_BITS == b >> WHO_LOCAL_BITS) {
        const uint32_t *epochs = w->epochs[memory];
        if (epochs[x->interval] != epochs[y->interval]) return true;
        const bool together =
            w->has_subgroups && w->subgroup[a & (WHO_LOCALS - 1)] == w->subgroup[b & (WHO_LOCALS - 1)];
        if (together && (x->turn != y->turn || is_matrix(w, first) || is_matrix(w, second))) return true;
    }
    return memory == 1 && w->exchange_count && (handed_over(w, first, second) || handed_over(w, second, first));
}
