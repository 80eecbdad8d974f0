// SPDX-License-Identifier: Apache-2.0
// A mutant of a kernel and its outcome, as exchanged by supervisor and worker and as written to reports.
#ifndef VKASSAY_MUTATE_MUTANT_H
#define VKASSAY_MUTATE_MUTANT_H

#include "../base/arena.h"
#include "../base/json.h"

#include <stdint.h>

enum mutant_verdict {
    MUTANT_KILLED,     // a check failed
    MUTANT_SURVIVED,   // some bits differ, but every check passed
    MUTANT_UNSEEN,     // the same bits at every point
    MUTANT_EQUIVALENT, // not killed, and right by a rule (equivalence.h)
    MUTANT_INVALID,    // not a legal module
    MUTANT_NOT_RUN,
    MUTANT_VERDICTS
};
const char *mutant_verdict_name(enum mutant_verdict verdict); // "killed" ... "not-run"

struct mutant {
    // Strings are in the arena of the creator.
    const char *name;        // "comparison.or_equal@normalisation/softmax_cached.comp:41#1"
    const char *operation;   // name of the mutation
    const char *file;        // "normalisation/softmax_cached.comp"; "": the module has no lines
    const char *path;        // path of the file on this machine
    uint32_t line;           // 0: the module has no lines
    const char *text;        // text of the line
    const char *change;      // "`<` became `<=`"
    const char *instruction; // SPIR-V before the change
    enum mutant_verdict verdict;
    const char *check;  // killed: "ulp", "timeout", ...; else NULL
    const char *point;  // point that killed it, or the first with other bits; else NULL
    const char *rule;   // equivalent: name of the rule; else NULL
    const char *reason; // explanation; NULL: none
    int64_t points;     // number of points it ran at, including the killing one; all reach its instruction
    double seconds;
    const char *replay; // in reports: the command line that makes it again
};

// Convert to and from the form in messages. Strings are copied to the arena.
struct json_object *mutant_to_json(const struct mutant *mutant);
bool mutant_from_json(struct arena *arena, struct json_object *value, struct mutant *out, struct error *err);

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
