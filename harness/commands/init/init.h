// SPDX-License-Identifier: Apache-2.0
// Manifests guessed from shaders, for `init` and `try`.
#ifndef VKASSAY_COMMANDS_INIT_H
#define VKASSAY_COMMANDS_INIT_H

#include "../options.h"

#include "../../base/error.h"

// The workgroup size of a shader. FREE: it has constants. PLAIN: it is a literal, of which the shader has no other
// trace. FIXED: a literal that the shader may count on.
enum workgroup_kind { WORKGROUP_FREE, WORKGROUP_PLAIN, WORKGROUP_FIXED };

// The kernel guessed from the one shader of `try`.
struct one_guess {
    const char *kernel; // its name, which no kernel of the program has
    enum workgroup_kind workgroup;
};

// Guesses a manifest from the words and options of `init`, and prints or writes it. Each guess must pass a trial on the
// device at hand, or else is not placed. With `one`, there is no trial, and a shader that is not placed is an error.
// *status is as the exit status of `init`.
bool init_manifest(
    struct arena *arena, const struct options *options, struct one_guess *one, enum status *status, struct error *err);

#endif
