// SPDX-License-Identifier: Apache-2.0
// Legality with reasons: what a device, a manifest's rules
// or arithmetic refuse, found before any Vulkan call.
#ifndef VKASSAY_PLAN_LEGAL_H
#define VKASSAY_PLAN_LEGAL_H

#include "kernel.h"

// A case tried on a device.
struct trial {
    const struct kernel *kernel;
    enum dtype dtype;
    const int64_t *dims; // given, then derived
    const struct device_info *device;
    double memory_share; // of the device's memory that one point may take
    struct arena *arena; // of the reasons
};

// Why no shape at all can run the case: a missing feature, an operand too large, a push constant
// beyond 32 bits. NULL: some shape may.
const char *trial_case(const struct trial *trial);

// Why this shape cannot run; NULL: it can (given that trial_case is NULL). *by_dims: nothing but a
// rule that names dims refuses it.
const char *trial_shape(const struct trial *trial, const struct shape *shape, bool *by_dims);

// The parts that have a file of their own. Each: why not, or NULL.
const char *trial_memory(const struct trial *trial, const struct shape *shape); // shape NULL: operands alone
const char *trial_cooperative(const struct trial *trial, const struct shape *shape);
// Why the device has not the feature cooperative_matrix: an extension is missing, of it or of the shader compiler.
const char *cooperative_lack(const struct trial *trial);
const char *trial_grid(const struct trial *trial, const struct shape *shape);
const char *trial_rules(const struct trial *trial, const struct shape *shape, bool with_dims);

#endif
