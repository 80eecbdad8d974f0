// SPDX-License-Identifier: Apache-2.0
// Terminal colours for failures, for slower or noisy figures, and for improvements.
#ifndef VKASSAY_RENDER_COLOUR_H
#define VKASSAY_RENDER_COLOUR_H

#include <stdbool.h>

// Switches colours on or off for the life of the process; they are off by default. Call it before anything is
// printed. A command decides once, because colours depend on where standard output goes, not on a table.
void colour_use(bool on);

// Return the escape sequences that begin and end the colour of a style.css class: "bad", "noisy" or "good". They
// return "" for NULL, for other classes, and if colours are off.
const char *colour_begin(const char *class);
const char *colour_end(const char *class);

#endif
