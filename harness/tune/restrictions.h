// SPDX-License-Identifier: Apache-2.0
// What a manifest's rules and the device's limits refuse of a space, as expressions over the tunables that other tuners
// evaluate (Python's syntax): "block_size_x * block_size_y * block_size_z <= 1024".
#ifndef VKASSAY_TUNE_RESTRICTIONS_H
#define VKASSAY_TUNE_RESTRICTIONS_H

#include "../render/exports/export.h"

// The name of a manifest's tunable with other tuners: WG_X is block_size_x.
const char *tuner_name(const char *tunable);

// A list of {"Expression", "Parameters"}, as T1 input files have it; empty where the case's kernel is not loaded.
// Limits that are not known (0, of recorded spaces) restrict nothing, and neither does what names no tunable.
struct json_object *restrictions_make(const struct export_case *one);

// Workgroups on each axis, of the kernel's first pass: "(4096 + block_size_x - 1) // block_size_x"; "1" where it has
// none. The caller frees the texts.
void restrictions_grid(const struct export_case *one, struct text axes[3]);

#endif
