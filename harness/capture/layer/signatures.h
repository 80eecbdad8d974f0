// SPDX-License-Identifier: Apache-2.0
// The signatures of dispatches, their counts, and the need of further copies. All functions expect the lock.
#ifndef VKASSAY_CAPTURE_SIGNATURES_H
#define VKASSAY_CAPTURE_SIGNATURES_H

#include "state.h"

// Dispatches alike in all facts known before they run. Late facts, such as the content of uniforms, make several
// signatures of a kind.
struct seen_kind {
    unsigned planned, known; // copies made or on their way; signatures met
};

struct seen_signature {
    struct content_hash hash;
    int pipeline;
    bool kept;                           // it is recorded, or being written
    enum not_recorded reason;            // why its last copy was not written; RECORDED: none failed
    uint64_t count, ns, timed, uncopied; // uncopied: executions without a copy of the operands
};

// Hashes a hash together with further bytes.
struct content_hash signature_join(struct content_hash hash, const void *bytes, size_t length);

struct seen_kind *kind_of(struct content_hash hash); // NULL: memory is out

// Plans one more copy of a kind, if its signatures may need it. `late`: the signature is known only after the run.
bool kind_plan(struct seen_kind *kind, bool late);

// Finds or adds a signature of a kind. NULL: memory is out.
struct seen_signature *signature_of(struct content_hash hash, struct seen_kind *kind, int pipeline);

// Returns the number of the line of a pipeline with this content on a device. *is_new: there is none yet.
int pipeline_number(struct content_hash content, int device, bool *is_new);

uint64_t dispatches_begin(uint64_t count); // returns the number of the first of so many dispatches
void dispatch_is_recorded(void);
void dispatch_is_not_recorded(enum not_recorded reason);

void signatures_end(void);    // writes the last line
void signatures_forget(void); // in a process made by fork()

#endif
