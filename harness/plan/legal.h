// SPDX-License-Identifier: Apache-2.0
// Legality with reasons: what a device, a manifest's rules
// or arithmetic refuse, found before any Vulkan call: zero and overflowing sizes, invocations, size per axis, groups
// per axis (after folding), shared bytes, subgroup size, cooperative matrices, storage range, memory, push bytes,
// rules.
#ifndef VKASSAY_PLAN_LEGAL_H
#define VKASSAY_PLAN_LEGAL_H

#include "../device/profile.h"
#include "point.h"

// A case tried on a device.
struct trial {
    const struct kernel *kernel;
    enum dtype dtype;
    const int64_t *dims; // given, then derived
    const struct device_info *device;
    double memory_share; // of the device's memory that one point may take
    bool peak;           // it serves a peak, which is the device's whatever profile shapes are held to
    struct arena *arena; // of the refusals
};

// Of a point's case; borrows its dims.
struct trial trial_of(
    const struct point *point, const struct device_info *device, double memory_share, struct arena *arena);

// Why no shape at all can run the case: a missing feature, an operand too large, a push constant
// beyond 32 bits. NULL: some shape may.
const struct refusal *trial_case(const struct trial *trial);

// Why this shape cannot run; NULL: it can (given that trial_case is NULL).
const struct refusal *trial_shape(const struct trial *trial, const struct shape *shape);

// Why this shape of the case cannot run, for either reason; NULL: it can.
const struct refusal *trial_both(const struct trial *trial, const struct shape *shape);

// The parts that have a file of their own. Each: why not, or NULL.
const struct refusal *trial_memory(const struct trial *trial, const struct shape *shape); // shape NULL: operands alone
const struct refusal *trial_cooperative(const struct trial *trial, const struct shape *shape);
// Why the device has not the feature cooperative_matrix: an extension is missing, of it or of the shader compiler.
const struct refusal *cooperative_lack(const struct trial *trial);
const struct refusal *trial_grid(const struct trial *trial, const struct shape *shape);
// Against the profile that the device is held to, by what trial_needs gives.
const struct refusal *trial_profile(const struct trial *trial, const struct shape *shape);

// What a shape of the case, or with NULL any shape of it, asks of limits and features. What overflows asks for nothing:
// others refuse it.
void trial_needs(const struct trial *trial, const struct shape *shape, struct needs *out);

#endif
