// SPDX-License-Identifier: Apache-2.0
// A trial of guessed kernels: few small points of each, on the device at hand. It shows wrong guesses, so that no
// sound shader is called wrong later.
#ifndef VKASSAY_COMMANDS_INIT_TRIAL_H
#define VKASSAY_COMMANDS_INIT_TRIAL_H

#include "../options.h"

#include "../../base/json.h"

struct guess_trial {
    size_t passed, failed; // points; a few may fail by inputs that the shader does not promise
    const char *fault;     // of the first point that did not pass, with its name; NULL: none
    const char *skip;      // why no point ran; NULL: one ran
    size_t others;         // other guesses of the shader that differ, too
};

// QUICK and THOROUGH have ordinary inputs alone: a sound guess of a shader with faults at hard ones is right. They end
// at the first failure of a point. QUICK has one small size; THOROUGH has more, for a guess chosen among many.
enum trial_kind { TRIAL_USUAL, TRIAL_QUICK, TRIAL_THOROUGH };

// Runs the kernels, an array of members of a manifest in `folder`, and fills one trial for each. The points run in
// workers, so a driver may crash. Returns false if nothing could be run: there is no device, the workers were lost,
// or the user interrupted it (the error has STATUS_PARTIAL).
bool trial_run(struct arena *arena, const struct options *options, enum trial_kind kind, struct json_object *kernels,
    const char *folder, struct guess_trial *out, struct error *err);

// Tries failed kernels without the conventions that their inputs show: each one left open, then all of them. The first
// that is right replaces the kernel's trial, and its "leaves" and a note are added to the kernel.
void trial_leave(struct arena *arena, const struct options *options, struct json_object *const *kernels,
    struct guess_trial *const *trials, size_t count, const char *folder);

#endif
