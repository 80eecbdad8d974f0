// SPDX-License-Identifier: Apache-2.0
#include "sanitizer.h"

#include "../../../base/hash.h"
#include "../../../base/memory.h"
#include "../check_parts.h"
#include "../../../record/record.h"

#include <stdlib.h>
#include <string.h>

enum { SANITIZER_KEPT = 8, MOST_TOLD = 3 };
static const double patience = 10; // for several atomic operations an access

struct sanitizer {
    struct log_buffers buffers;
    struct sanitized_passes kept[SANITIZER_KEPT];
    uint64_t uses;
};

struct sanitizer *sanitizer_open(void) {
    return memory_alloc(1, sizeof(struct sanitizer));
}

void sanitizer_close(struct gpu *gpu, struct sanitizer *s) {
    if (!s) return;
    for (int i = 0; i < SANITIZER_KEPT; i++) sanitized_passes_release(gpu, &s->kept[i]);
    log_buffers_close(gpu, &s->buffers);
    free(s);
}

// ---- the shaders

static uint64_t key_of(const struct point *point, const struct launch *launch, bool small) {
    const uint64_t longest = sanitizer_longest(launch);
    uint64_t key = hash_string(HASH_START, point->kernel->name);
    key = hash_bytes(key, &point->kernel->manifest_hash, sizeof point->kernel->manifest_hash);
    key = hash_bytes(key, &point->dtype, sizeof point->dtype);
    key = point_hash_pipelines(key, point);
    key = hash_bytes(key, &longest, sizeof longest);
    key = hash_bytes(key, &small, sizeof small);
    return key ? key : 1;
}

// Returns the kept passes of the point, or the least recently used ones.
static struct sanitized_passes *find_kept(struct sanitizer *s, uint64_t key) {
    struct sanitized_passes *found = &s->kept[0];
    for (int i = 0; i < SANITIZER_KEPT; i++) {
        if (s->kept[i].key == key) return &s->kept[i];
        if (s->kept[i].last_used < found->last_used) found = &s->kept[i];
    }
    return found;
}

static bool make(const struct check_request *r, const struct run_options *options, bool small,
    struct sanitized_passes *out, struct error *err) {
    struct loaded loaded[KERNEL_PASSES];
    if (!shaders_load(&out->arena, gpu_info(r->gpu), options, r->point, loaded, err)) {
        out->why = arena_copy(&out->arena, err->text);
        return true;
    }
    return sanitized_passes_make(r->gpu, r->point, loaded, r->launch, small, out, err);
}

// ---- a run

// Numbers the memory of a dispatch: each buffer has a range of its own.
static void set_log_slots(const struct pass *pass, const struct launched *at, int count, struct dispatch_log *log) {
    const struct binding *bindings = at->bindings[LAUNCH_PLAIN];
    uint64_t end = 0;
    log->slot_count = count;
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < i && bindings[k].buffer != bindings[i].buffer) k++;
        const uint64_t start = k < i ? log->slots[k].at - bindings[k].offset : end;
        log->slots[i] = (struct log_slot){.bytes = at->data[i],
            .at = start + bindings[i].offset,
            .name = i < pass->binding_count ? pass->bindings[i] : NULL};
        if (k == i) end += (bindings[i].buffer->bytes + 3) & ~(uint64_t)3;
    }
}

static uint32_t bit_of(enum finding_kind kind) {
    static const uint32_t bits[] = {[FINDING_RACE] = CHECK_RACE,
        [FINDING_BOUNDS] = CHECK_BOUNDS,
        [FINDING_UNSET] = CHECK_UNSET,
        [FINDING_BARRIER] = CHECK_BARRIER,
        [FINDING_STOPPED] = CHECK_BARRIER};
    return bits[kind];
}

// Returns whether invocations write one place by one line. Often they all write the same value, which harms nothing,
// and values are not logged.
static bool may_agree(const struct dispatch_log *log, const struct finding *f) {
    return f->kind == FINDING_RACE && f->first == f->second && log->module->sites[f->first].kind == SITE_WRITE;
}

static void tell(const struct check_request *r, const struct dispatch_log *log, int pass, bool small,
    const struct findings *findings, struct arena *arena, struct record *record) {
    for (int i = 0; i < findings->count; i++) {
        if (small && may_agree(log, &findings->items[i])) continue;
        const char *text = finding_text(arena, log, &findings->items[i]);
        if (r->point->kernel->pass_count > 1) text = arena_format(arena, "pass %d: %s", pass + 1, text);
        if (i < MOST_TOLD) check_fail(record, arena, bit_of(findings->items[i].kind), text);
        record->failed |= bit_of(findings->items[i].kind);
        record->check.sanitized.findings++;
    }
}

static bool run_dispatch(struct sanitizer *s, const struct check_request *r, const struct sanitized_passes *passes,
    const struct launched *at, struct arena *arena, struct record *record, struct error *err) {
    const struct pass *pass = &r->point->kernel->passes[at->pass];
    const int behind = passes->built.behind[at->pass];
    struct binding bindings[PROGRAM_BINDINGS];
    struct dispatch_log log = {.module = &passes->modules[at->pass]};
    struct findings findings;
    uint32_t size[3];
    uint64_t words, dropped;
    pass_workgroup(r->point->kernel, pass, &r->point->shape, size);
    memcpy(bindings, at->bindings[LAUNCH_PLAIN], sizeof bindings);
    log.locals = size[0] * size[1] * size[2];
    log.groups = at->folded[0] * at->folded[1] * at->folded[2];
    set_log_slots(pass, at, behind, &log);
    const struct logged_dispatch dispatch = {.program = passes->built.passes[at->pass],
        .bindings = bindings,
        .log = behind,
        .push = at->words[at->pushed],
        .groups = at->folded,
        .timeout_s = r->timeout_s * patience};
    if (!dispatch_logged(r->gpu, r->work, &s->buffers, &dispatch, &log, &words, &dropped, err)) return false;
    record->check.sanitized.accesses += (int64_t)(words - dropped);
    record->check.sanitized.dropped += (int64_t)dropped;
    record->check.sanitized.groups_left_out += log.left_out;
    findings_make(&log, &findings);
    tell(r, &log, at->pass, passes->small, &findings, arena, record);
    return true;
}

static bool run_all(struct sanitizer *s, const struct check_request *r, const struct sanitized_passes *passes,
    struct arena *arena, struct record *record, struct error *err) {
    if (!s->buffers.room && !log_buffers_open(r->gpu, LOG_ROOM, &s->buffers, err)) return false;
    if (!check_place(r, err)) return false;
    for (int i = 0; i < r->launch->dispatch_count; i++)
        if (!run_dispatch(s, r, passes, &r->launch->dispatches[i], arena, record, err)) return false;
    return true;
}

// Returns whether numbers of workgroups and invocations fit an entry of the log.
static bool fits(const struct check_request *r) {
    for (int i = 0; i < r->launch->dispatch_count; i++) {
        const struct launched *at = &r->launch->dispatches[i];
        uint32_t size[3];
        pass_workgroup(r->point->kernel, &r->point->kernel->passes[at->pass], &r->point->shape, size);
        if ((uint64_t)size[0] * size[1] * size[2] > WHO_LOCALS ||
            (uint64_t)at->folded[0] * at->folded[1] * at->folded[2] > WHO_GROUPS)
            return false;
    }
    return true;
}

static bool check(struct sanitizer *s, const struct check_request *r, const struct sanitized_passes *passes,
    struct arena *arena, struct record *record, struct error *err) {
    for (int i = 0; i < r->point->kernel->pass_count && !passes->why; i++)
        record->check.sanitized.uses_addresses |= passes->modules[i].uses_addresses;
    if (passes->why || !fits(r)) {
        record->check.sanitized.why = passes->why ? arena_copy(arena, passes->why) : "more workgroups than a log holds";
        return true;
    }
    r->problem->inputs_placed = r->problem->packed_placed = false;
    if (run_all(s, r, passes, arena, record, err)) return true;
    record->check.sanitized.why = arena_copy(arena, err->text);
    return !gpu_is_over(err);
}

bool sanitizer_check(struct sanitizer *s, const struct check_request *r, const struct run_options *options, bool small,
    struct arena *arena, struct record *record, struct error *err) {
    const uint64_t key = hash_bytes(key_of(r->point, r->launch, small), &options->lines, sizeof options->lines);
    struct sanitized_passes *passes = find_kept(s, key);
    bool ok = true;
    check_switch(r, WALL_COMPILE);
    if (passes->key != key) {
        sanitized_passes_release(r->gpu, passes);
        passes->key = key;
        ok = make(r, options, small, passes, err);
    }
    passes->last_used = ++s->uses;
    check_switch(r, WALL_COMPUTE);
    return ok && check(s, r, passes, arena, record, err);
}

bool sanitizer_check_changed(struct sanitizer *s, const struct check_request *r, const struct loaded *loaded,
    struct sanitized_passes *passes, struct arena *arena, struct record *record, struct error *err) {
    const uint64_t key = key_of(r->point, r->launch, false);
    if (passes->key != key) {
        sanitized_passes_release(r->gpu, passes);
        passes->key = key;
        if (!sanitized_passes_make(r->gpu, r->point, loaded, r->launch, false, passes, err)) return false;
    }
    return check(s, r, passes, arena, record, err);
}
