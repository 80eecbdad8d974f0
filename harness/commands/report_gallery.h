// SPDX-License-Identifier: Apache-2.0
// report FOLDER: writes a page of all results in a folder.
#ifndef VKASSAY_COMMANDS_REPORT_GALLERY_H
#define VKASSAY_COMMANDS_REPORT_GALLERY_H

#include "options.h"

struct profile;

// Reads every result under the folder and writes gallery.html to --out, or into the folder. Files of other kinds are
// skipped. An unreadable result is skipped with a message on stderr. STATUS_BAD_INPUT: no result is there.
bool report_gallery(struct arena *arena, const struct options *options, const struct profile *profile, const char *home,
    struct error *err);

#endif
