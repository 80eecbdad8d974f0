// SPDX-License-Identifier: Apache-2.0
// Names the operator of a recorded module by its data: operands before and after, words, grid. One operator explains
// every recording. If the data could not have told it from others, the name is in doubt.
#ifndef VKASSAY_RECOGNISE_RECOGNISE_H
#define VKASSAY_RECOGNISE_RECOGNISE_H

#include "fit.h"

// A recorded dispatch with its dims.
struct sighting {
    struct fit fit;
    const struct seen_word *words;
    int word_count;
    uint32_t grid[3], group[3];
};

enum { RECORDINGS = 8 };
struct recognition {
    const struct reflection *reflection;
    struct sighting recordings[RECORDINGS]; // of one operator and the same buffers
    int count;
    const struct shader_binding *bindings[OPERATOR_OPERANDS]; // of the buffers
    bool atomic_sums;                                         // as in struct seen
    const char *also;                // other names of the same function at these dims; "": none
    const char *why;                 // why there is no name; NULL: there is one
    const char *doubt;               // the lack of the recorded data, for a trial to decide; NULL: none
    const struct recognition *other; // with a doubt: another name that fits, less simple; NULL: none
};

// Recognises the dispatches of one module, with the same entry point and constants. Texts are in the arena.
void recognise(struct arena *arena, const char *folder, const struct captured_dispatch *const *dispatches, size_t count,
    const struct reflection *reflection, struct recognition *out);

// Builds the kernel as a member of a manifest in this folder. Returns NULL, with the reason in *why, if a word or the
// grid does not follow from dims.
struct json_object *recognised_kernel(struct arena *arena, const struct recognition *recognition,
    const struct captured_pipeline *pipeline, const char *folder, const char **why);

#endif
