// SPDX-License-Identifier: Apache-2.0
// gnuplot as a child process. Private to harness/render.
#ifndef VKASSAY_RENDER_GNUPLOT_H
#define VKASSAY_RENDER_GNUPLOT_H

#include "../../base/arena.h"
#include "../../base/error.h"

// Runs `script` (a file in `folder`) there, in the C locale, with the variable `templates` set to
// the absolute path of `template_folder`. NULL when all went well; else why not, in the arena:
// gnuplot is missing, or what it said first.
const char *gnuplot_run(struct arena *arena, const char *folder, const char *script, const char *template_folder);

#endif
