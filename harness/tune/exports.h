// SPDX-License-Identifier: Apache-2.0
// Tuned tables and spaces in the forms that backends and other tuners read.
#ifndef VKASSAY_TUNE_EXPORTS_H
#define VKASSAY_TUNE_EXPORTS_H

#include "../render/exports/export.h"

// Every format of tuned tables and of spaces; each is defined beside what writes it.
#define TUNED_FORMATS(each) each(tuned) each(header) each(glsl) each(wgsl) each(t4) each(kernel_tuner)
TUNED_FORMATS(DECLARE_FORMAT)
extern const struct export_format *const every_format[]; // of results too; ends with NULL

// ---- what a manifest's rules and the device's limits refuse of a space, as expressions over the tunables that other
// tuners evaluate (Python's syntax): "block_size_x * block_size_y * block_size_z <= 1024"

// The name of a manifest's tunable with other tuners: WG_X is block_size_x.
const char *tuner_name(const char *tunable);

// A list of {"Expression", "Parameters"}, as T1 input files have it; empty where the case's kernel is not loaded.
// Limits that are not known (0, of recorded spaces) restrict nothing, and neither does what names no tunable.
struct json_object *restrictions_make(const struct export_case *one);

// Workgroups on each axis, of the kernel's first pass: "(4096 + block_size_x - 1) // block_size_x"; "1" where it has
// none. The caller frees the texts.
void restrictions_grid(const struct export_case *one, struct text axes[3]);

#endif
