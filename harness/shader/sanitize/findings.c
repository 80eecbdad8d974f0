// SPDX-License-Identifier: Apache-2.0
// Races, accesses out of bounds and unset shared memory, found by a shadow of the memory.
#include "findings.h"

#include "../../base/memory.h"
#include "walk.h"

#include <stdlib.h>

enum { PAGE_GRAINS = 1024 };

// The last accesses of a grain of memory; each is 1 + its entry, 0: none. Two readers are of the same workgroup and
// interval, by other invocations if possible; the third is of an earlier workgroup.
struct grain {
    uint32_t write, atomic, readers[2], earlier;
};

struct shadow {
    struct grain **pages;
    uint64_t page_count;
};

struct finder {
    struct walk *walk;
    const struct dispatch_log *log;
    struct findings *out;
    uint32_t grain; // bytes
    struct shadow shadows[2];
};

static void shadow_open(struct shadow *shadow, uint64_t bytes, uint32_t grain) {
    shadow->page_count = bytes / grain / PAGE_GRAINS + 1;
    shadow->pages = memory_alloc((size_t)shadow->page_count, sizeof *shadow->pages);
}

static void shadow_close(struct shadow *shadow) {
    for (uint64_t p = 0; p < shadow->page_count; p++) free(shadow->pages[p]);
    free(shadow->pages);
}

// ---- one access

static bool is_atomic(const struct site *site) {
    return site->kind == SITE_UPDATE || site->kind == SITE_LOAD || site->kind == SITE_STORE;
}

static uint32_t group_of(const struct finder *f, uint32_t entry) {
    return walk_who(f->walk, entry) >> WHO_LOCAL_BITS;
}

// An atomic operation may go on between a guess and its compare-exchange.
static bool is_guessed(const struct site *a, const struct site *b) {
    return (a->is_guess && is_atomic(b)) || (b->is_guess && is_atomic(a));
}

// Reports a race of an earlier access (1 + its entry; 0: none) with this one, unless they are ordered.
static void meet(struct finder *f, uint32_t earlier, uint32_t entry, int memory, uint32_t address) {
    if (!earlier || (memory == 0 && group_of(f, earlier - 1) != group_of(f, entry)) ||
        is_guessed(walk_site(f->walk, earlier - 1), walk_site(f->walk, entry)) ||
        walk_ordered(f->walk, earlier - 1, entry, memory))
        return;
    const struct log_entry *a = walk_entry(f->walk, earlier - 1), *b = walk_entry(f->walk, entry);
    findings_add(f->out, &(struct finding){.kind = FINDING_RACE,
                             .first = a->site,
                             .second = b->site,
                             .first_who = a->who,
                             .second_who = b->who,
                             .address = address});
}

static void add_reader(struct finder *f, struct grain *g, uint32_t entry) {
    const struct walk *w = f->walk;
    const uint32_t first = g->readers[0];
    if (first && group_of(f, first - 1) != group_of(f, entry)) g->earlier = first;
    if (!first || group_of(f, first - 1) != group_of(f, entry) ||
        w->moments[first - 1].interval != w->moments[entry].interval) {
        g->readers[0] = entry + 1;
        g->readers[1] = 0;
    } else if (walk_who(w, first - 1) != walk_who(w, entry)) {
        g->readers[1] = entry + 1;
    } else {
        g->readers[0] = entry + 1; // its last read
    }
}

static void find_unset(struct finder *f, const struct grain *g, uint32_t entry, uint32_t address) {
    const struct log_entry *e = walk_entry(f->walk, entry);
    const struct site *site = walk_site(f->walk, entry);
    const uint32_t group = group_of(f, entry);
    const bool is_set = (g->write && group_of(f, g->write - 1) == group) ||
                        (g->atomic && group_of(f, g->atomic - 1) == group) || site->set;
    if (is_set || site->kind == SITE_WRITE || site->kind == SITE_STORE) return;
    findings_add(f->out, &(struct finding){.kind = FINDING_UNSET,
                             .first = e->site,
                             .second = e->site,
                             .first_who = e->who,
                             .second_who = e->who,
                             .address = address});
}

// Notes an access of one grain. A write also meets earlier readers, and an atomic operation no other one.
static void note(struct finder *f, struct grain *g, uint32_t entry, int memory, uint32_t address) {
    const struct site *site = walk_site(f->walk, entry);
    const bool writes = site->kind == SITE_WRITE || site->kind == SITE_UPDATE || site->kind == SITE_STORE;
    if (memory == 0) find_unset(f, g, entry, address);
    meet(f, g->write, entry, memory, address);
    if (!is_atomic(site)) meet(f, g->atomic, entry, memory, address);
    if (writes) {
        meet(f, g->readers[0], entry, memory, address);
        meet(f, g->readers[1], entry, memory, address);
        if (memory == 1) meet(f, g->earlier, entry, memory, address);
    }
    if (is_atomic(site))
        g->atomic = entry + 1;
    else if (site->kind == SITE_WRITE)
        *g = (struct grain){.write = entry + 1};
    else
        add_reader(f, g, entry);
}

static void note_range(struct finder *f, uint32_t entry, uint64_t address, uint64_t bytes) {
    const struct site *site = walk_site(f->walk, entry);
    const int memory = site->space == SPACE_SHARED ? 0 : 1;
    const uint64_t at = address + (memory ? f->log->slots[site->space - SPACE_STORAGE].at : 0);
    for (uint64_t n = at / f->grain; n * f->grain < at + bytes; n++) {
        const uint64_t offset = n * f->grain > at ? n * f->grain - at : 0, here = address + offset;
        if (site->part && !(site->used >> offset / site->part & 1)) continue;
        struct grain **page = &f->shadows[memory].pages[n / PAGE_GRAINS];
        if (!*page) *page = memory_alloc(PAGE_GRAINS, sizeof **page);
        note(f, &(*page)[n % PAGE_GRAINS], entry, memory, (uint32_t)here);
    }
}

// ---- bounds

static void add_bounds(struct finder *f, uint32_t entry, uint32_t address, bool is_index) {
    const struct log_entry *e = walk_entry(f->walk, entry);
    findings_add(f->out, &(struct finding){.kind = FINDING_BOUNDS,
                             .first = e->site,
                             .second = e->site,
                             .first_who = e->who,
                             .second_who = e->who,
                             .address = address,
                             .is_index = is_index});
}

static void note_access(struct finder *f, uint32_t entry) {
    const struct log_entry *e = walk_entry(f->walk, entry);
    const struct site *site = walk_site(f->walk, entry);
    const uint64_t first = site->space == SPACE_SHARED ? site->first : 0;
    const uint64_t end = site->space == SPACE_SHARED ? site->end : f->log->slots[site->space - SPACE_STORAGE].bytes;
    const uint32_t lines = site->lines ? site->lines : 1;
    const uint64_t stride = (uint64_t)e->stride * site->unit;
    if (e->is_outside) {
        add_bounds(f, entry, e->address, true);
        return;
    }
    for (uint32_t line = 0; line < lines; line++) {
        const uint64_t at = e->address + line * stride;
        if (at < first || at + site->bytes > end) {
            const uint64_t beyond = at < first || at >= end ? at : end;
            add_bounds(f, entry, (uint32_t)beyond, false);
            return;
        }
        note_range(f, entry, at, site->bytes);
    }
}

// ---- all

// Returns the largest grain that no access has a part of.
static uint32_t grain_of(const struct dispatch_log *log) {
    uint32_t bits = 4;
    for (uint32_t s = 0; s < log->module->site_count; s++) {
        const struct site *site = &log->module->sites[s];
        bits |= site->bytes | site->origin | site->unit | site->part;
        for (int d = 0; d < site->dim_count; d++) bits |= site->dims[d].stride;
    }
    return bits & 1 ? 1 : bits & 2 ? 2 : 4;
}

// Drops reads of unset memory where the read also races.
static void drop_explained(struct findings *out) {
    int kept = 0;
    for (int i = 0; i < out->count; i++) {
        bool explained = false;
        for (int k = 0; k < out->count && out->items[i].kind == FINDING_UNSET; k++)
            explained |= out->items[k].kind == FINDING_RACE &&
                         (out->items[k].first == out->items[i].first || out->items[k].second == out->items[i].first);
        if (!explained) out->items[kept++] = out->items[i];
    }
    out->count = kept;
}

static void look_at_group(struct finder *f, uint32_t group) {
    struct walk *w = f->walk;
    const uint32_t end = (uint32_t)w->entries.group_start[group + 1];
    walk_group(w, group, NULL);
    for (uint32_t entry = (uint32_t)w->entries.group_start[group]; entry < end; entry++)
        if (walk_site(w, entry)->kind <= SITE_STORE && (!w->broken[group] || walk_entry(w, entry)->is_outside))
            note_access(f, entry);
}

// Adds an access outside by an invocation without a log.
static void add_unlogged(const struct dispatch_log *log, struct findings *out) {
    const uint32_t word = log->looked[0] - 1, bits = log->module->coding.site_bits, site = word & ((1u << bits) - 1);
    if (!log->looked[0] || site >= log->module->site_count) return;
    findings_add(out, &(struct finding){.kind = FINDING_BOUNDS,
                          .first = site,
                          .second = site,
                          .first_who = log->looked[2],
                          .address = log->looked[1],
                          .is_index = word >> bits & 1,
                          .is_unlogged = true});
}

void findings_make(const struct dispatch_log *log, struct findings *out) {
    struct walk *walk = memory_alloc(1, sizeof *walk);
    struct finder f = {.walk = walk, .log = log, .out = out, .grain = grain_of(log)};
    uint64_t end = 0;
    for (int s = 0; s < log->slot_count; s++)
        if (log->slots[s].at + log->slots[s].bytes > end) end = log->slots[s].at + log->slots[s].bytes;
    *out = (struct findings){0};
    if (walk_open(walk, log)) {
        shadow_open(&f.shadows[0], log->module->shared_bytes, f.grain);
        shadow_open(&f.shadows[1], end, f.grain);
        for (uint32_t g = 0; g < log->groups; g++) walk_group(walk, g, out);
        for (uint32_t g = 0; g < log->groups; g++) look_at_group(&f, g);
        shadow_close(&f.shadows[0]);
        shadow_close(&f.shadows[1]);
        drop_explained(out);
    }
    add_unlogged(log, out);
    walk_close(walk);
    free(walk);
}
