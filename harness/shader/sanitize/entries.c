// SPDX-License-Identifier: Apache-2.0
#include "entries.h"

#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

// An entry of one invocation, with its place in the order.
struct placed_entry {
    struct log_entry entry;
    uint32_t interval, turn; // barriers of the workgroup, and of the subgroup, that its invocation has passed
};

// The words of one invocation.
struct reader {
    const struct dispatch_log *log;
    uint32_t invocation, row, rows; // rows: the end
};

struct sorter {
    const struct dispatch_log *log;
    struct placed_entry *placed; // of one workgroup, invocation by invocation
    size_t count, capacity;
    size_t start[WHO_LOCALS + 1], cursor[WHO_LOCALS];
    uint32_t stopped; // as in log_entries
    uint32_t cut;     // the first interval that an invocation has lost a part of; UINT32_MAX: none
    bool has_turns;
};

static bool next_word(struct reader *r, uint32_t *word) {
    if (r->row >= r->rows) return false;
    *word = r->log->rows[(size_t)r->row++ * r->log->invocations + r->invocation];
    return true;
}

static struct placed_entry *add(struct sorter *s, uint32_t interval, uint32_t turn) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 1 << 12;
        s->placed = memory_resize(s->placed, s->capacity, sizeof *s->placed);
    }
    s->placed[s->count] = (struct placed_entry){.interval = interval, .turn = turn};
    return &s->placed[s->count++];
}

// Reads a word with a site: the site, whether it is outside its array, and what a narrow word has of the address.
static void split(const struct log_coding *coding, uint32_t word, struct log_entry *out) {
    const uint32_t bits = coding->site_bits;
    out->site = word & ((1u << bits) - 1);
    out->is_outside = word >> bits & 1;
    out->address = out->is_outside ? (uint32_t)((int32_t)word >> (bits + 1)) : word >> (bits + 1) << coding->shift;
}

// Reads one entry; false: the invocation has no more, or its words are damaged.
static bool read_entry(struct reader *r, struct log_entry *out) {
    const struct sanitized *module = r->log->module;
    uint32_t word, time = 0, stride = 0;
    for (;;) {
        if (!next_word(r, &word)) return false;
        split(&module->coding, word, out);
        if (out->site >= module->site_count) return false;
        const enum site_kind kind = module->sites[out->site].kind;
        if (kind == SITE_TIME && !next_word(r, &time)) return false;
        if (kind == SITE_STRIDE && !next_word(r, &stride)) return false;
        if (kind != SITE_TIME && kind != SITE_STRIDE) break;
    }
    const struct site *site = &module->sites[out->site];
    if (site->kind == SITE_LOOKED) {
        if (!next_word(r, &word)) return false;
        split(&module->coding, word, out);
        if (out->site >= module->site_count || !next_word(r, &out->address)) return false;
    } else if (site->kind == SITE_START || site->lines || (module->coding.wide && site->kind <= SITE_UPDATED)) {
        if (!next_word(r, &out->address)) return false;
    }
    out->time = time;
    out->stride = stride;
    return true;
}

static void read_invocation(struct sorter *s, uint32_t group, uint32_t local) {
    const struct dispatch_log *log = s->log;
    const uint32_t invocation = group * log->locals + local;
    const uint32_t end = log->rows[invocation];                         // 0: it did not come to its end
    const uint32_t rows = (end ? (end - 1) / log->invocations : 0) + 1; // also those without room
    struct reader reader = {log, invocation, 1, rows < log->row_count ? rows : log->row_count};
    struct log_entry entry;
    uint32_t interval = 0, turn = 0;
    if (!end && !s->stopped) s->stopped = local + 1;
    s->start[local] = s->count;
    while (read_entry(&reader, &entry)) {
        struct placed_entry *placed = add(s, interval, turn);
        const struct site *site = &log->module->sites[entry.site];
        placed->entry = entry;
        placed->entry.who = group << WHO_LOCAL_BITS | local;
        if (site->kind != SITE_BARRIER) continue;
        if (site->is_workgroup)
            interval++;
        else
            turn++;
        s->has_turns |= !site->is_workgroup;
    }
    if (rows > log->row_count && interval < s->cut) s->cut = interval;
}

// Moves the entries of one interval and turn to the output.
static void take(struct sorter *s, uint32_t interval, uint32_t turn, struct log_entries *out, size_t *left) {
    for (uint32_t local = 0; local < s->log->locals; local++) {
        size_t at = s->cursor[local];
        while (at < s->start[local + 1] && s->placed[at].interval == interval && s->placed[at].turn == turn)
            out->items[out->count++] = s->placed[at++].entry;
        *left -= at - s->cursor[local];
        s->cursor[local] = at;
    }
}

// Returns the least turn of the next entries in this interval; UINT32_MAX: none has any.
static uint32_t next_turn(const struct sorter *s, uint32_t interval) {
    uint32_t least = UINT32_MAX;
    for (uint32_t local = 0; local < s->log->locals; local++) {
        const struct placed_entry *next = &s->placed[s->cursor[local]];
        if (s->cursor[local] < s->start[local + 1] && next->interval == interval && next->turn < least)
            least = next->turn;
    }
    return least;
}

static void sort_group(struct sorter *s, uint32_t group, struct log_entries *out) {
    s->count = 0;
    s->stopped = 0;
    s->cut = UINT32_MAX;
    s->has_turns = false;
    for (uint32_t local = 0; local < s->log->locals; local++) read_invocation(s, group, local);
    s->start[s->log->locals] = s->count;
    size_t left = s->count;
    memcpy(s->cursor, s->start, s->log->locals * sizeof *s->cursor);
    out->items = memory_resize(out->items, out->count + s->count + 1, sizeof *out->items);
    // After a cut, the fences and turns of its interval may be missing, and everything later.
    const bool keeps_cut = !s->has_turns && !s->log->module->has_fences;
    for (uint32_t interval = 0; left && (interval < s->cut || (keeps_cut && interval == s->cut)); interval++)
        for (uint32_t turn; left && (turn = s->has_turns ? next_turn(s, interval) : 0) != UINT32_MAX;) {
            take(s, interval, turn, out, &left);
            if (!s->has_turns) break;
        }
    out->is_whole[group] = s->cut == UINT32_MAX;
    out->stopped[group] = s->stopped;
}

void entries_open(const struct dispatch_log *log, struct log_entries *out) {
    struct sorter *s = memory_alloc(1, sizeof *s);
    *out = (struct log_entries){.group_start = memory_alloc((size_t)log->groups + 1, sizeof *out->group_start),
        .is_whole = memory_alloc(log->groups, sizeof *out->is_whole),
        .stopped = memory_alloc(log->groups, sizeof *out->stopped)};
    s->log = log;
    for (uint32_t group = 0; group < log->groups; group++) {
        out->group_start[group] = out->count;
        sort_group(s, group, out);
    }
    out->group_start[log->groups] = out->count;
    free(s->placed);
    free(s);
}

void entries_close(struct log_entries *entries) {
    free(entries->items);
    free(entries->group_start);
    free(entries->is_whole);
    free(entries->stopped);
}
