// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include "../base/hash.h"

#include <math.h>

struct learnt {
    uint64_t key; // of family and shape
    double loss;
};

static uint64_t key_of(const char *family, const char *name) {
    return hash_string(hash_string(HASH_START, family), name);
}

static struct learnt *find(const struct model *model, uint64_t key) {
    for (size_t i = 0; i < model->count; i++)
        if (model->items[i].key == key) return &model->items[i];
    return NULL;
}

void model_learn(struct model *model, const char *family, const char *const *names, const struct space *space,
    const struct finding *finding) {
    if (finding->best == NOT_FOUND) return;
    for (size_t i = 0; i < space->count; i++) {
        if (!finding->times[i].samples) continue;
        struct learnt learnt = {
            key_of(family, names[i]), finding->times[i].median / finding->times[finding->best].median};
        struct learnt *known = find(model, learnt.key);
        if (!known) {
            model->items = arena_grow(model->arena, model->items, model->count, &model->capacity, sizeof *known);
            known = &model->items[model->count++];
        }
        *known = learnt;
    }
}

void model_expect(const struct model *model, const char *family, const char *const *names, struct space *space) {
    for (size_t i = 0; i < space->count; i++) {
        const struct learnt *known = find(model, key_of(family, names[i]));
        space->places[i].expected = known ? known->loss : NAN;
    }
}
