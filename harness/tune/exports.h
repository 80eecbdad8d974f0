// SPDX-License-Identifier: Apache-2.0
// Tuned tables and spaces in the forms that backends and other tuners read.
#ifndef VKASSAY_TUNE_EXPORTS_H
#define VKASSAY_TUNE_EXPORTS_H

#include "../render/exports/export.h"

extern const struct export_format tuned_formats[]; // ends with a NULL name

// The forms, each in its own file.
bool export_tuned(struct text *out, const struct tuned *tables, size_t count, struct error *err);
bool export_header(struct text *out, const struct tuned *tables, size_t count, struct error *err);
bool export_glsl(struct text *out, const struct tuned *tables, size_t count, struct error *err);
bool export_wgsl(struct text *out, const struct tuned *tables, size_t count, struct error *err);
bool export_t4(struct text *out, const struct export_case *one, struct error *err);
bool export_kernel_tuner(struct text *out, const struct export_case *one, struct error *err);
bool export_t1(struct text *out, const struct export_case *one, struct error *err);

#endif
