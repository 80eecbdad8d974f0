// SPDX-License-Identifier: Apache-2.0
// Files: whole reads, atomic writes, folders.
#ifndef VKASSAY_BASE_FILE_H
#define VKASSAY_BASE_FILE_H

#include "arena.h"
#include "error.h"

#include <stddef.h>

// The whole file in the arena, with a NUL after its last byte; *length (may be NULL) receives its size.
// NULL with STATUS_BAD_INPUT and the system's reason when it cannot be read or is above 2 GiB, which is also what
// json-c writes at most.
char *file_read(struct arena *arena, const char *path, size_t *length, struct error *err);

// Writes beside `path` and renames over it, so that a reader sees the old file or the new one, never half.
bool file_write(const char *path, const void *bytes, size_t length, struct error *err);

// The same in pieces: what is put goes beside `path`, and file_finish renames it, or removes it where `ok` is false.
// A piece that cannot be written is told by file_finish, which releases `out` in any case.
struct file_out;
struct file_out *file_begin(const char *path, struct error *err);
void file_put(struct file_out *out, const void *bytes, size_t length);
void file_spill(void *out, const char *bytes, size_t length); // the same, for a text that is handed on in parts
bool file_finish(struct file_out *out, bool ok, struct error *err);

// Creates the folder and those above it.
bool file_make_folder(const char *path, struct error *err);

bool file_exists(const char *path);

// Names of regular files (not folders) under `folder` and its sub-folders that end in `suffix`, as paths beginning
// with `folder`, sorted by byte value. Links are followed to depth 8. False when the folder cannot be opened.
bool file_list(
    struct arena *arena, const char *folder, const char *suffix, char ***paths, size_t *count, struct error *err);

// The folder part of a path ("." when it has none), in the arena.
char *file_folder(struct arena *arena, const char *path);

// A name of unknown origin as that of a file or folder, in small letters, digits and dashes: "NVIDIA H200" becomes
// "nvidia-h200". Never empty and never above 100 characters.
char *file_slug(struct arena *arena, const char *name);

#endif
