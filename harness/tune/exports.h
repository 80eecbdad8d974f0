// SPDX-License-Identifier: Apache-2.0
// Tuned tables in formats of backends.
#ifndef VKASSAY_TUNE_EXPORTS_H
#define VKASSAY_TUNE_EXPORTS_H

#include "../readers/exports/export.h"

// All formats of tuned tables.
#define TUNED_FORMATS(each) each(tuned) each(header) each(glsl) each(wgsl)
TUNED_FORMATS(DECLARE_FORMAT)
extern const struct export_format *const every_format[]; // formats of results included; ends with NULL

#endif
