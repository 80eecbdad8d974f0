// SPDX-License-Identifier: Apache-2.0
#include "sanitize.h"

#include "instrumenter.h"

static bool note_line(struct instrumenter *w, const uint32_t *i) {
    const uint32_t op = spirv_op(i);
    if (op == SpvOpLine && spirv_length(i) > 2) {
        w->file = i[1];
        w->line = i[2];
    }
    if (op == SpvOpNoLine || op == SpvOpFunctionEnd) w->file = w->line = 0;
    return op == SpvOpLine || op == SpvOpNoLine;
}

static bool put_instruction(struct instrumenter *w, const uint32_t *i, uint32_t entry) {
    const uint32_t op = spirv_op(i);
    bool done = false;
    if (op == SpvOpFunction && spirv_length(i) > 2) w->in_entry = w->at_start = i[2] == entry;
    const bool opens = note_line(w, i) || op == SpvOpFunction || op == SpvOpFunctionParameter || op == SpvOpLabel ||
                       op == SpvOpVariable;
    if (w->at_start && !opens) {
        runtime_start(w);
        w->at_start = false;
    }
    if (w->in_entry && (op == SpvOpReturn || op == SpvOpUnreachable)) runtime_call(w, w->finish, 0, NULL);
    if (op == SpvOpLoopMerge && spirv_length(i) > 3) {
        // An unrolled loop repeats its calls, and drivers then compile for seconds.
        EMIT(w, &w->code, SpvOpLoopMerge, i[1], i[2], SpvLoopControlDontUnrollMask);
        return true;
    }
    if (!chains_follow(w, i, &done)) return false;
    if (!done && !accesses_put(w, i, &done)) return false;
    if (!done) emit_copy(w, &w->code, i, spirv_length(i));
    return true;
}

static void assemble(struct instrumenter *w, const uint32_t *entry, struct spirv *out) {
    const struct module *m = w->m;
    struct word_list to = {0};
    bool annotated = false, lacks = w->has_subgroups;
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);)
        lacks &= spirv_op(&m->words[at]) != SpvOpCapability || m->words[at + 1] != SpvCapabilityGroupNonUniform;
    emit_copy(w, &to, m->words, SPIRV_HEADER);
    if (lacks) EMIT(w, &to, SpvOpCapability, SpvCapabilityGroupNonUniform);
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        if (!annotated && !module_is_before_types(i)) {
            emit_copy(w, &to, w->decorations.items, w->decorations.count);
            annotated = true;
        }
        const size_t start = to.count;
        emit_copy(w, &to, i, spirv_length(i));
        if (i != entry) continue;
        emit_copy(w, &to, w->interface, (size_t)w->interface_count);
        to.items[start] += (uint32_t)w->interface_count << SpvWordCountShift;
    }
    emit_copy(w, &to, w->declared.items, w->declared.count);
    emit_copy(w, &to, w->code.items, w->code.count);
    emit_copy(w, &to, w->functions.items, w->functions.count);
    to.items[SPIRV_BOUND] = w->bound;
    out->words = to.items;
    out->count = to.count;
}

static bool instrument(struct instrumenter *w, struct sanitized *out) {
    const uint32_t *entry = module_entry(w->m, w->request->setting.entry);
    if (!entry) return refuse(w, "no such entry point");
    layout_open(w);
    w->coding.shift = 2;
    w->coding.site_bits = 2;
    accesses_scan(w);
    used_find(w);
    w->time_site = 0;
    w->looked_site = 1;
    sites_add(w, SITE_TIME);
    sites_add(w, SITE_LOOKED);
    if (!layout_shared(w) || !runtime_declare(w) || !chains_variables(w)) return false;
    for (size_t at = w->m->declarations; at < w->m->count; at += spirv_length(&w->m->words[at]))
        if (!put_instruction(w, &w->m->words[at], entry[2])) return false;
    runtime_functions(w);
    if (w->bound > SPIRV_MOST_IDS) return refuse(w, "no ids are left");
    assemble(w, entry, &out->spirv);
    out->sites = w->sites;
    out->site_count = (uint32_t)w->site_count;
    out->coding = w->coding;
    out->shared_bytes = w->shared_bytes;
    out->has_fences = w->has_fences;
    out->uses_addresses = w->uses_addresses;
    return true;
}

bool sanitize_module(struct arena *arena, const struct spirv *spirv, const struct sanitize_request *request,
    struct sanitized *out, struct error *err) {
    struct module module;
    *out = (struct sanitized){.spirv = *spirv};
    bool ok = module_open(&module, spirv->words, spirv->count, err);
    if (ok) {
        struct instrumenter w = {.m = &module,
            .arena = arena,
            .request = request,
            .numbers = numbers_open(&module, &request->setting),
            .bound = module.bound,
            .addresses = arena_alloc(arena, module.bound, sizeof *w.addresses),
            .types = arena_alloc(arena, module.bound, sizeof *w.types),
            .shared_at = arena_alloc(arena, module.bound, sizeof *w.shared_at),
            .written = arena_alloc(arena, module.bound, sizeof *w.written),
            .exchanged = arena_alloc(arena, module.bound, sizeof *w.exchanged),
            .used = arena_alloc(arena, module.bound, sizeof *w.used),
            .err = err};
        ok = instrument(&w, out);
        numbers_close(&w.numbers);
    }
    module_close(&module);
    return ok;
}
