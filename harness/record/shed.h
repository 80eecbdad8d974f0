// SPDX-License-Identifier: Apache-2.0
// Records of a run that goes on, which are in its journal: most of one is let go, and read again when it is written.
#ifndef VKASSAY_RECORD_SHED_H
#define VKASSAY_RECORD_SHED_H

#include "../base/json.h"

#include <sys/types.h>

// A journal as it is read again, as long as its journal or a record that was shed into it is there.
struct shed_lines;
struct shed_lines *shed_lines_open(const char *path);
void shed_lines_release(struct shed_lines *lines);

// Lets go of what stands in the line at `offset`. What a run asks of a record that is done stays: its name, status and
// reason, what was expected, and whether it was timed ("time": {}). Peaks and parts of a sweep stay whole.
void record_shed(struct json_object *record, struct shed_lines *lines, off_t offset, size_t length);

// All of a record again, with what was changed since; one that was never shed as it is. The caller releases it. NULL
// when the journal cannot be read.
struct json_object *record_whole(struct json_object *record, struct error *err);

#endif
