// SPDX-License-Identifier: Apache-2.0
// Buffers and where they are in memory. They get the usage of transfers: their content is copied.
#ifndef VKASSAY_CAPTURE_BUFFERS_H
#define VKASSAY_CAPTURE_BUFFERS_H

#include "state.h"

void buffers_clear(struct vk_device *device); // at its end

#endif
