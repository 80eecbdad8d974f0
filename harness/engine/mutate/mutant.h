// SPDX-License-Identifier: Apache-2.0
// A mutant of a kernel and its outcome, as written to reports.
#ifndef VKASSAY_MUTATE_MUTANT_H
#define VKASSAY_MUTATE_MUTANT_H

#include "../../base/arena.h"
#include "../../base/json.h"
#include "../../record/terms.h"

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

#endif
