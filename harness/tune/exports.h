// SPDX-License-Identifier: Apache-2.0
// Tuned tables and spaces in formats of backends and other tuners.
#ifndef VKASSAY_TUNE_EXPORTS_H
#define VKASSAY_TUNE_EXPORTS_H

#include "../render/exports/export.h"

// All formats of tuned tables and of spaces; each is defined in the file with its writer.
#define TUNED_FORMATS(each) each(tuned) each(header) each(glsl) each(wgsl) each(t4) each(kernel_tuner)
TUNED_FORMATS(DECLARE_FORMAT)
extern const struct export_format *const every_format[]; // formats of results included; ends with NULL

// ---- limits of manifest and device on a space, as expressions over the tunables in Python's syntax, for other
// tuners: "block_size_x * block_size_y * block_size_z <= 1024"

// Returns other tuners' name of a manifest's tunable: WG_X is block_size_x.
const char *tuner_name(const char *tunable);

// Returns a list of {"Expression", "Parameters"} as in T1 input files; empty if the case's kernel is not loaded.
// Unknown limits (0, in recorded spaces) and rules without a tunable are left out.
struct json_object *restrictions_make(const struct export_case *one);

// Appends the workgroups on each axis, for the kernel's first pass: "(4096 + block_size_x - 1) // block_size_x", or
// "1" for an axis without a grid. The caller frees the texts.
void restrictions_grid(const struct export_case *one, struct text axes[3]);

#endif
