// SPDX-License-Identifier: Apache-2.0
// report --gallery: a page of all results in a folder.
#ifndef VKASSAY_COMMANDS_REPORT_GALLERY_H
#define VKASSAY_COMMANDS_REPORT_GALLERY_H

#include "../device/profile.h"
#include "options.h"

// Reads every result under the folder and writes gallery.html to --out, or into the folder. What is of another kind is
// passed over; so is, with a word on stderr, a result that cannot be read. STATUS_BAD_INPUT where no result is there.
bool report_gallery(struct arena *arena, const struct options *options, const struct profile *profile, const char *home,
    struct error *err);

#endif
