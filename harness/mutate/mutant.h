// SPDX-License-Identifier: Apache-2.0
// A mutant of a kernel and what became of it, as supervisor and worker tell each other and as reports hold it.
#ifndef VKASSAY_MUTATE_MUTANT_H
#define VKASSAY_MUTATE_MUTANT_H

#include "../base/arena.h"
#include "../base/json.h"

#include <stdint.h>

enum mutant_verdict {
    MUTANT_KILLED,     // a check failed
    MUTANT_SURVIVED,   // other bits somewhere, and every check held
    MUTANT_UNSEEN,     // the same bits in every case
    MUTANT_EQUIVALENT, // not killed, and right by a rule (equivalence.h)
    MUTANT_INVALID,    // no legal module
    MUTANT_NOT_RUN,
    MUTANT_VERDICTS
};
const char *mutant_verdict_name(enum mutant_verdict verdict); // "killed" ... "not-run"

struct mutant {
    // Strings are in the arena of whoever made it.
    const char *name;        // "comparison.or_equal@normalisation/softmax_cached.comp:41#1"
    const char *operation;   // the mutation's name
    const char *file;        // "normalisation/softmax_cached.comp"; "": the module tells no lines
    const char *path;        // of that file, on this machine
    uint32_t line;           // 0: likewise
    const char *text;        // of that line
    const char *change;      // "`<` became `<=`"
    const char *instruction; // of SPIR-V, as it was
    enum mutant_verdict verdict;
    const char *check;  // killed: "ulp", "timeout", ...; else NULL
    const char *point;  // the name of the point that killed it, or of the first with other bits; else NULL
    const char *rule;   // equivalent: the rule's name; else NULL
    const char *reason; // in words; NULL: there is nothing to say
    int64_t points;     // that it was run at, the one that killed it included: those that reach its instruction
    double seconds;
};

// In the form of reports/schema/mutants.schema.json.
struct json_object *mutant_to_json(const struct mutant *mutant);
// Lenient: what is missing is NULL, 0 or not run. Strings are copied to the arena.
struct mutant mutant_from_json(struct arena *arena, struct json_object *value);

#endif
