// SPDX-License-Identifier: Apache-2.0
// Shader modules and compute pipelines. All functions expect the lock.
#ifndef VKASSAY_CAPTURE_SHADERS_H
#define VKASSAY_CAPTURE_SHADERS_H

#include "state.h"

void pipeline_keep(struct vk_pipeline *pipeline);
void pipeline_release(void *pipeline);        // NULL: nothing to do
void shaders_clear(struct vk_device *device); // at its end

#endif
