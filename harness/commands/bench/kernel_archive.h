// SPDX-License-Identifier: Apache-2.0
// The kernels of a baseline in one file beside it, so that a gate can measure them again.
//
// The file begins with "vkassay kernels 1 ID HASH": the run that they were measured in, and a hash of the rest. Each
// file follows as a line "BYTES PATH" and its bytes. One file has no links, so nothing else is read through it.
#ifndef VKASSAY_COMMANDS_KERNEL_ARCHIVE_H
#define VKASSAY_COMMANDS_KERNEL_ARCHIVE_H

#include "../options.h"
#include "../prepare.h"

struct result;

enum { ARCHIVE_MOST = 16 << 20 }; // bytes; the program's own kernels have 2.7 million

// Returns the path of the archive beside a baseline, and the id of the run that its kernels belong to.
const char *archive_path(struct arena *arena, const char *baseline);
const char *archive_id(struct arena *arena, const struct result *baseline);

// Writes manifests of the kernels, and shaders of every kind from the folders of the command line.
// STATUS_NOTHING: the files are larger than ARCHIVE_MOST, and nothing was written.
bool archive_write(struct arena *arena, const char *path, const char *id, const struct options *options,
    const struct kernels *kernels, struct error *err);

// Unpacks an archive below `folder`. STATUS_BAD_INPUT: it is damaged, is a link, is of another run, or has kernels with
// files outside of it; err says so. On success `out` has the folder, then the folders to include from.
bool archive_unpack(struct arena *arena, const char *path, const char *id, const char *folder,
    struct version_files *out, struct kernels *kernels, struct error *err);

#endif
