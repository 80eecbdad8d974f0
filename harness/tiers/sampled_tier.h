// SPDX-License-Identifier: Apache-2.0
// The sampled tier: every kernel and type at its shapes, each paired with sizes that lie at the edges of what that
// shape cuts the work by; and cases drawn at random. What is planned follows from the seed, and every point is an
// ordinary one.
#ifndef VKASSAY_PLAN_SAMPLED_TIER_H
#define VKASSAY_PLAN_SAMPLED_TIER_H

#include "../plan/suite.h"

struct sample_request {
    const struct suite *suite; // its points are planned too, and their dims are what sizes are varied from
    const struct kernels *kernels;
    const struct device_info *device;
    uint64_t seed;
    int shapes;                // most shapes of a kernel and type; the default is among them
    int sizes;                 // cases a shape; the default shape has three times as many
    int random;                // further cases of a kernel and type: any shape, any dims
    bool deepen;               // a selection of few kernels gets every pair of tunables and larger sizes
    bool each_alone;           // and so does any: the points of each selected kernel are those of its own check
    const char *const *select; // as plan_build takes them
    size_t select_count;
};

// How many shapes the device takes and how many of them are planned, over all kernels and types.
struct sample_facts {
    size_t shapes, legal;
};

// How many shapes and sizes a device is given unless told otherwise. A CPU gets 2 shapes, as a driver like lavapipe
// compiles one in a third of a second; a GPU 16.
void sample_standard(const struct device_info *device, struct sample_request *request);

// The points of the suite in its order, then kernel by kernel, shape by shape. Errors as plan_build gives them.
bool sample_plan(struct arena *arena, const struct sample_request *request, struct plan *out,
    struct sample_facts *facts, struct error *err);

#endif
