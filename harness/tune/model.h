// SPDX-License-Identifier: Apache-2.0
// What was learnt at other dims of the same kernel and dtype: the loss of each shape that was timed.
// What comes later replaces what came before, so cases are best searched in order of size.
#ifndef VKASSAY_TUNE_MODEL_H
#define VKASSAY_TUNE_MODEL_H

#include "search.h"

struct model {
    struct arena *arena;
    struct learnt *items;
    size_t count, capacity;
};

// `names` are the shapes', "wg=64x1x1,ITEMS=4"; `family` is kernel and dtype.
void model_learn(struct model *model, const char *family, const char *const *names, const struct space *space,
    const struct finding *finding);

// Fills `expected` of every place.
void model_expect(const struct model *model, const char *family, const char *const *names, struct space *space);

#endif
