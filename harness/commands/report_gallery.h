// SPDX-License-Identifier: Apache-2.0
// report FOLDER: writes a page of all results in a folder.
#ifndef VKASSAY_COMMANDS_REPORT_GALLERY_H
#define VKASSAY_COMMANDS_REPORT_GALLERY_H

#include "../record/device_key.h"
#include "options.h"

struct profile;

// Returns what makes two results one device in a gallery.
enum device_projection gallery_projection(const struct options *options);

// Reads every result under the folder and writes gallery.html to --out, or into the folder. Files of other kinds are
// skipped. An unreadable result is skipped with a message on stderr. STATUS_BAD_INPUT: no result is there.
bool report_gallery(struct arena *arena, const struct options *options, const struct profile *profile, const char *home,
    struct error *err);

#endif
