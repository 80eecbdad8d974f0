// SPDX-License-Identifier: Apache-2.0
// Kernels from a captured folder. Dispatches of one module, with the same constants and the same sharing of memory,
// are the cases of one kernel: capture.NAME/f32/call=3. Its operator has no reference; the recording decides.
#ifndef VKASSAY_CAPTURED_CAPTURED_H
#define VKASSAY_CAPTURED_CAPTURED_H

#include "../manifest/manifest.h"

// Appends the kernels of a folder, and notes on dispatches that cannot be replayed or were not recorded. Returns false
// if the folder is damaged: the error begins with FILE:LINE.
bool captured_read(struct manifests *manifests, const char *folder, struct mistakes *notes, struct error *err);

#endif
