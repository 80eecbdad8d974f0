// SPDX-License-Identifier: Apache-2.0
// Colours of a terminal, for the words that a reader looks for: what is wrong, what is slower or noisy, what is well.
#ifndef VKASSAY_RENDER_COLOUR_H
#define VKASSAY_RENDER_COLOUR_H

#include <stdbool.h>

// For the life of the process, and before anything is printed; until then nothing is coloured. A command decides it
// once, since it is about where standard output goes and not about any table.
void colour_use(bool on);

// What sets the colour of a class of style.css ("bad", "noisy", "good"; NULL and others have none), and what ends it:
// "" where nothing is coloured.
const char *colour_begin(const char *class);
const char *colour_end(const char *class);

#endif
