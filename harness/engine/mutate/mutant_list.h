// SPDX-License-Identifier: Apache-2.0
// Chooses the mutants of a kernel, without running any. It needs no device, only a description of it.
#ifndef VKASSAY_MUTATE_MUTANT_LIST_H
#define VKASSAY_MUTATE_MUTANT_LIST_H

#include "../plan/point.h"
#include "../plan/run_options.h"
#include "mutant.h"

struct mutant_request {
    const struct point *points; // points of one kernel, as its check would run them; borrowed
    size_t point_count;
    uint64_t seed;           // of the choice
    int count;               // how many to choose; 0: all
    const char *const *only; // globs over names of mutations; none: all
    size_t only_count;
    const char *named; // only the mutant of this name; NULL: choose
};

struct mutant_list {
    struct mutant *items; // in the arena; the verdict is "invalid" or "not-run"
    size_t count;
    const char *caveat; // about their verdicts; NULL: none
};

// Chooses the mutants. Set `lines` of the options, or mutants have no lines. False: the kernel's shaders do not build,
// or are invalid. A module newer than this build's SPIRV-Tools is not validated, nor are its mutants: see the caveat.
bool mutant_list_make(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct mutant_request *request, struct mutant_list *out, struct error *err);

#endif
