// SPDX-License-Identifier: Apache-2.0
// Tuned tables and spaces in the forms that backends and other tuners read.
#ifndef VKASSAY_TUNE_EXPORTS_H
#define VKASSAY_TUNE_EXPORTS_H

#include "../render/exports/export.h"

// Every format of tuned tables and of spaces; each is defined beside what writes it.
#define TUNED_FORMATS(each) each(tuned) each(header) each(glsl) each(wgsl) each(t4) each(kernel_tuner)
TUNED_FORMATS(DECLARE_FORMAT)
extern const struct export_format *const every_format[]; // of results too; ends with NULL

#endif
