// SPDX-License-Identifier: Apache-2.0
// Legality with reasons: refusals by a device, by a manifest's rules or by arithmetic, found before any Vulkan call.
// The checks cover limits (needs.h), features, cooperative matrices, memory, rules and sizes that are 0 or overflow.
#ifndef VKASSAY_PLAN_LEGAL_H
#define VKASSAY_PLAN_LEGAL_H

#include "point.h"

struct device_info;
struct needs; // device/profile.h

// A case tried on a device.
struct trial {
    const struct kernel *kernel;
    enum dtype dtype;
    const int64_t *dims;  // given, then derived
    const double *params; // NULL: conditions on parameters are not checked
    const struct device_info *device;
    double memory_share; // the share of the device's memory allowed for one point
    bool peak;           // serves a peak; a profile does not limit peaks
    struct arena *arena; // for the refusals
    // Keeps the device's matrices in words, in the arena, because refusals of many shapes share them. NULL: each
    // refusal has its own.
    const char **matrices;
};

// Makes the trial of a point's case. It borrows the dims.
struct trial trial_of(
    const struct point *point, const struct device_info *device, double memory_share, struct arena *arena);

// Returns the default shape of the case.
struct shape trial_default(const struct trial *trial);

// Returns why no shape can run the case: a missing feature, an operand too large, a push constant beyond 32 bits.
// NULL: some shape may.
const struct refusal *trial_case(const struct trial *trial);

// Returns why this shape cannot run, if trial_case returned NULL. NULL: it can.
const struct refusal *trial_shape(const struct trial *trial, const struct shape *shape);

// Returns why this shape of the case cannot run, for either reason. NULL: it can.
const struct refusal *trial_both(const struct trial *trial, const struct shape *shape);

// Parts of the check with a file of their own. Each returns a refusal or NULL.
const struct refusal *trial_memory(const struct trial *trial, const struct shape *shape); // shape NULL: only operands
const struct refusal *trial_cooperative(const struct trial *trial, const struct shape *shape);
// Returns why the device lacks the feature cooperative_matrix: it has no extension, or the shader compiler lacks the
// extension.
const struct refusal *cooperative_lack(const struct trial *trial);
// Compares the needs from trial_needs with the device's profile.
const struct refusal *trial_profile(const struct trial *trial, const struct shape *shape);

// Computes the limits and features needed by a shape of the case; NULL: by any shape of it. Values that overflow are
// left out, because other checks refuse them.
void trial_needs(const struct trial *trial, const struct shape *shape, struct needs *out);

#endif
