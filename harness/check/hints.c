// SPDX-License-Identifier: Apache-2.0
#include "hints.h"
#include "../record/record.h"

// Wrong memory accesses show in guards, or in bits that depend on the memory behind the data.
enum { CHECKS_OF_BOUNDS = CHECK_GUARD | CHECK_PACKED };

static void add(struct arena *arena, struct record *record, const char *text) {
    record->reason = arena_format(arena, "%s; hint: %s", record->reason, text);
}

void hints_add(const struct check_request *request, struct arena *arena, struct record *record) {
    if (record->status != RECORD_FAIL || !record->reason) return;
    if (request->launch->leaves_early)
        add(arena, record, "some invocations of a workgroup may return or branch before a barrier that all must reach");
    const struct kernel *kernel = request->point->kernel;
    bool is_wgsl = false;
    for (int i = 0; i < kernel->pass_count; i++) is_wgsl |= shader_language(kernel->passes[i].shader) == LANGUAGE_WGSL;
    if (record->failed & CHECKS_OF_BOUNDS && is_wgsl)
        add(arena, record,
            "a browser keeps each access within its buffer, but this SPIR-V does not; compile like a browser with "
            "--wgsl-compiler 'naga --index-bounds-check-policy Restrict %i %o'");
}
