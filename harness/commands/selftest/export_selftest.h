// SPDX-License-Identifier: Apache-2.0
// Self-tests of a loader: small inputs, expected values and allowed errors of the kernels in results.
#ifndef VKASSAY_COMMANDS_EXPORT_SELFTEST_H
#define VKASSAY_COMMANDS_EXPORT_SELFTEST_H

#include "../../readers/exports/export.h"

// A C header for vkassay_selftest.h, and JSON for vkassay_selftest.mjs. They have a case for each kernel and type that
// passed, and at most SELFTEST_BYTES. A kernel without a case is named on standard error. STATUS_USAGE: no kernel has a
// case, or there are too many kernels.
enum { SELFTEST_BYTES = 64 << 10 };
extern const struct export_format format_selftest, format_selftest_json;

#endif
