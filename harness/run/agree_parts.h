// SPDX-License-Identifier: Apache-2.0
// The parts of agree.h that have a file of their own.
#ifndef VKASSAY_RUN_AGREE_PARTS_H
#define VKASSAY_RUN_AGREE_PARTS_H

#include "../device/shader.h"
#include "agree.h"

bool agree_bindings(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);
bool agree_parameters(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);

#endif
