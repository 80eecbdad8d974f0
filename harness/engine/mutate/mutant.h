// SPDX-License-Identifier: Apache-2.0
// A mutant of a kernel and its outcome, as written to reports.
#ifndef VKASSAY_MUTATE_MUTANT_H
#define VKASSAY_MUTATE_MUTANT_H

#include "../../base/arena.h"
#include "../../base/json.h"
#include "../../record/terms.h"
#include "../plan/point.h"
#include "../plan/run_options.h"

#include <stdint.h>

// Strings are in the arena of the creator.
struct mutant {
    const char *name;        // "comparison.or_equal@normalisation/softmax_cached.comp:41#1"
    const char *operation;   // name of the mutation
    const char *file;        // "normalisation/softmax_cached.comp"; "": the module has no lines
    const char *path;        // path of the file on this machine
    uint32_t line;           // 0: the module has no lines
    const char *text;        // text of the line
    const char *change;      // "`<` became `<=`"
    const char *instruction; // SPIR-V before the change
    struct mutant_outcome outcome;
    const char *replay; // in reports: the command line that makes it again
};

// Takes the outcome from a record of the mutant, with strings in the arena. A lost worker killed it, unless the
// unchanged kernel ran.
bool mutant_take(struct arena *arena, struct mutant *mutant, struct json_object *record, struct error *err);

// ---- the file (reports/schema/mutants.schema.json)

struct mutated_kernel {
    const char *name, *operator, * family;
    size_t counts[MUTANT_VERDICTS];
    double score;                // killed / (killed + survived); NaN: neither
    double seconds;              // of all workers together
    const char *reason, *caveat; // NULL: none
    const struct mutant *mutants;
    size_t mutant_count;
    struct json_object *sources;
};
struct json_object *mutated_kernel_to_json(const struct mutated_kernel *kernel);

struct mutants_end {
    struct json_object *mutated; // the kernels
    double wall_s;
    bool complete;
    int jobs;
};
// Adds the end to the context of a run.
void mutants_end_add(struct json_object *context, const struct mutants_end *end);
extern const struct kind kind_mutants_file;

// ---- the choice of a kernel's mutants, which runs none. It needs no device, only a description of it.

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
