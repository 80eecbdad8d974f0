// SPDX-License-Identifier: Apache-2.0
// A kernel's contract: conditions on its parameters, and conventions that it does not promise.
#ifndef VKASSAY_MANIFEST_CONTRACT_H
#define VKASSAY_MANIFEST_CONTRACT_H

#include "../kernel.h"

// Returns the first broken condition; NULL: all hold.
const struct param_rule *param_rule_broken(const struct kernel *kernel, const double *params);
// Returns the default of a parameter: the operator's, or the nearest number that the kernel takes.
double kernel_param_standard(const struct kernel *kernel, int param);
// Replaces the parameters that break a condition by their defaults.
void kernel_params_conform(const struct kernel *kernel, double *params);

// Returns "nan", "ties", ...
const char *leave_name(enum leave leave);
// Returns whether inputs of the operator show this convention.
bool leave_concerns(const struct op *op, enum leave leave);
// Returns the conventions that the kernel leaves open, as "nan, ties"; NULL: none.
const char *kernel_leaves_text(struct arena *arena, const struct kernel *kernel);

#endif
