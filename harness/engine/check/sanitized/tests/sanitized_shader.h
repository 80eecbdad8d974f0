// SPDX-License-Identifier: Apache-2.0
// A small shader of a test, run with its log. Comments in its text state its buffers and its fault.
//
//     // finds: race, shared memory      (a kind of finding, and words of its text; or: nothing)
//     // buffers: 256 4                  (bytes of the data at bindings 0, 1, ...)
//     // groups: 2
#ifndef VKASSAY_SANITIZE_SANITIZED_SHADER_H
#define VKASSAY_SANITIZE_SANITIZED_SHADER_H

#include "../../../../base/file.h"
#include "../../../../base/tests/needs.h"
#include "../../../../shader/compile/shader.h"
#include "../../../../shader/spirv/changes.h"
#include "../../../../shader/spirv/interface.h"
#include "../dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADER_BUFFERS = 6, BUFFER_GUARD = 4096, SHADER_ROOM = 1 << 20 };

struct sanitized_shader {
    struct spirv spirv;
    struct shader_interface interface;
    struct sanitized module;
    struct sanitize_slot slots[SHADER_BUFFERS];
    uint64_t bytes[SHADER_BUFFERS];
    int buffers;
    uint32_t groups;
    const char *finds; // the rest of its line
};

static inline const char *shader_comment(struct arena *arena, const char *text, const char *name) {
    const char *at = strstr(text, name);
    if (!at) return "";
    at += strlen(name);
    at += strspn(at, " ");
    return arena_copy_n(arena, at, strcspn(at, "\r\n"));
}

static inline bool shader_read(struct arena *arena, const char *path, struct sanitized_shader *out, struct error *err) {
    static const char *const includes[] = {"kernels/include"};
    const char *text = file_read(arena, path, NULL, err);
    struct shader_request request = {.path = path,
        .entry = "main",
        .includes = includes,
        .include_count = 1,
        .lines = true,
        .wgsl_compiler = found_by("wgsl_command")};
    *out = (struct sanitized_shader){.groups = 1};
    if (!text) return false;
    out->finds = shader_comment(arena, text, "// finds:");
    const char *groups = shader_comment(arena, text, "// groups:");
    if (*groups) out->groups = (uint32_t)strtoul(groups, NULL, 10);
    char *at = (char *)shader_comment(arena, text, "// buffers:");
    while (*at && out->buffers < SHADER_BUFFERS) {
        out->slots[out->buffers] = (struct sanitize_slot){0, (uint32_t)out->buffers, false};
        out->bytes[out->buffers++] = strtoull(at, &at, 10);
    }
    return shader_make(arena, &request, &out->spirv, err) && entry_isolate(arena, &out->spirv, "main", err) &&
           interface_read(arena, out->spirv.words, out->spirv.count, "main", &out->interface, err);
}

static inline bool shader_sanitize(struct arena *arena, struct sanitized_shader *shader, struct error *err) {
    const struct sanitize_request request = {
        .setting = {.entry = "main",
            .size = {shader->interface.size[0], shader->interface.size[1], shader->interface.size[2]}},
        .slots = shader->slots,
        .slot_count = shader->buffers,
        .log_binding = (uint32_t)shader->buffers,
        .longest = 1 << 16,
        .all_logged = shader->groups * shader->interface.size[0] <= LOG_MOST_INVOCATIONS};
    return sanitize_module(arena, &shader->spirv, &request, &shader->module, err);
}

// Fills the data with whole numbers, and the guards behind them with zeros.
static inline bool shader_fill(
    struct gpu *gpu, struct work *work, struct sanitized_shader *shader, struct buffer *buffers, struct error *err) {
    if (!work_begin(gpu, work, err)) return false;
    for (int b = 0; b < shader->buffers; b++) {
        if (!buffer_create(gpu, BUFFER_DEVICE, shader->bytes[b] + BUFFER_GUARD, &buffers[b], err)) return false;
        work_fill(work, &buffers[b], 0, shader->bytes[b] + BUFFER_GUARD, 0);
    }
    work_barrier(work);
    return work_end(gpu, work, err) && work_run(gpu, work, 10, NULL, NULL, err);
}

// Runs it, and judges its log. Returns false if it cannot be run.
static inline bool shader_judge(struct gpu *gpu, struct arena *arena, struct sanitized_shader *shader,
    struct dispatch_log *log, struct findings *findings, const char **first, struct error *err) {
    struct slot slots[SHADER_BUFFERS + 1] = {{0}};
    struct buffer buffers[SHADER_BUFFERS] = {{0}};
    struct binding bindings[SHADER_BUFFERS + 1] = {{0}};
    struct log_buffers logs = {0};
    uint64_t at = 0;
    *log = (struct dispatch_log){.module = &shader->module,
        .locals = shader->interface.size[0] * shader->interface.size[1] * shader->interface.size[2],
        .groups = shader->groups,
        .slot_count = shader->buffers};
    for (int b = 0; b <= shader->buffers; b++) slots[b] = (struct slot){.binding = (uint32_t)b};
    for (int b = 0; b < shader->buffers; b++) {
        bindings[b] = (struct binding){&buffers[b], 0, shader->bytes[b] + BUFFER_GUARD};
        log->slots[b] = (struct log_slot){.bytes = shader->bytes[b], .at = at};
        at += shader->bytes[b] + BUFFER_GUARD;
    }
    const struct program_desc desc = {.label = "sanitized",
        .spirv = shader->module.spirv.words,
        .words = shader->module.spirv.count,
        .slots = slots,
        .bindings = shader->buffers + 1,
        .uncached = true};
    struct program *program = program_create(gpu, &desc, NULL, err);
    struct work *work = program ? work_create(gpu, 0, err) : NULL;
    uint64_t words, dropped;
    bool ok = work && log_buffers_open(gpu, SHADER_ROOM, &logs, err) && shader_fill(gpu, work, shader, buffers, err);
    const struct logged_dispatch dispatch = {.program = program,
        .bindings = bindings,
        .log = shader->buffers,
        .groups = (const uint32_t[]){shader->groups, 1, 1},
        .timeout_s = 10};
    ok = ok && dispatch_logged(gpu, work, &logs, &dispatch, log, &words, &dropped, err);
    if (ok) {
        findings_make(log, findings);
        *first = findings->count ? finding_text(arena, log, &findings->items[0]) : "";
    }
    for (int b = 0; b < shader->buffers; b++) buffer_destroy(gpu, &buffers[b]);
    log_buffers_close(gpu, &logs);
    if (work) work_destroy(gpu, work);
    if (program) program_destroy(gpu, program);
    return ok;
}

#endif
