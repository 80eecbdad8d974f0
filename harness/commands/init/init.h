// SPDX-License-Identifier: Apache-2.0
// Manifests guessed from shaders, for `init` and `try`.
#ifndef VKASSAY_COMMANDS_INIT_H
#define VKASSAY_COMMANDS_INIT_H

#include "../options.h"

#include "../../base/error.h"

// Guesses a manifest from the words and options of `init`, and prints or writes it. With `tries`, each guess must pass
// a trial on the device at hand, or else is not placed. *status is as the exit status of `init`.
bool init_manifest(
    struct arena *arena, const struct options *options, bool tries, enum status *status, struct error *err);

#endif
