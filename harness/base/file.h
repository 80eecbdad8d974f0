// SPDX-License-Identifier: Apache-2.0
// Files: whole reads, atomic writes, folders.
#ifndef VKASSAY_BASE_FILE_H
#define VKASSAY_BASE_FILE_H

#include "arena.h"
#include "error.h"

#include <stddef.h>
#include <stdint.h>

// Reads a whole file into the arena, with a NUL after its last byte. *length receives its size and may be NULL.
// Returns NULL with STATUS_BAD_INPUT and the system's reason if the file cannot be read or is above 2 GiB, the most
// json-c writes.
char *file_read(struct arena *arena, const char *path, size_t *length, struct error *err);

// Writes to a file next to `path` and renames it, so a reader sees either the old file or the new one.
bool file_write(const char *path, const void *bytes, size_t length, struct error *err);

// Write a file in pieces. They go to a file next to `path`; file_finish renames it, or removes it if `ok` is false.
// It also reports a failed write, and releases `out` in any case.
struct file_out;
struct file_out *file_begin(const char *path, struct error *err);
void file_put(struct file_out *out, const void *bytes, size_t length);
void file_spill(void *out, const char *bytes, size_t length); // the same, as the `spill` of a text
bool file_finish(struct file_out *out, bool ok, struct error *err);

// Creates the folder and its parents.
bool file_make_folder(const char *path, struct error *err);

bool file_exists(const char *path);
bool file_is_folder(const char *path);

// Lists the regular files (not folders) under `folder` and its sub-folders with the suffix `suffix`. The paths begin
// with `folder` and are sorted by byte value. Links are followed to depth 8. Returns false if the folder cannot be
// opened.
bool file_list(
    struct arena *arena, const char *folder, const char *suffix, char ***paths, size_t *count, struct error *err);

int file_by_bytes(const void *a, const void *b); // for qsort: orders paths by byte value

// Returns the folder part of a path ("." if it has none), in the arena.
char *file_folder(struct arena *arena, const char *path);

// Returns the last two parts of a path, a pointer into it.
const char *file_last_parts(const char *path);

// Returns the relative path from a folder to a file or folder, in the arena; `path` as it is if one of them is not
// there.
const char *file_way(struct arena *arena, const char *folder, const char *path);

// Makes an empty folder of its own for files of this purpose, below $TMPDIR or /tmp. Returns NULL with errno if it
// cannot be made.
char *file_temporary_folder(struct arena *arena, const char *purpose);

// Turns a name of unknown origin into a file name of small letters, digits and dashes: "NVIDIA H200" becomes
// "nvidia-h200". The result is never empty and never above 100 characters.
char *file_slug(struct arena *arena, const char *name);

// ---- where the program's own files are

// Returns the path of this executable, in the arena.
char *program_path(struct arena *arena, struct error *err);

// Returns the first folder with kernels/ and suites/ among $VKASSAY_HOME, the folder of the executable, the one above
// it and the current one. If VKASSAY_HOME is set, only it is used. NULL with STATUS_BAD_INPUT: the error lists the
// places.
const char *home_folder(struct arena *arena, struct error *err);

// Returns the path of a script of the program: in the home folder of an installation, or in scripts/ of a source tree.
// NULL with an error if there is no home folder.
const char *home_script(struct arena *arena, const char *name, struct error *err);

// ---- a regular file read from its start. One compressed by gzip is unpacked; its name does not matter.

// Limits of a compressed file. Its content may have FILE_IN_FREE bytes, or up to FILE_IN_RATIO times its own size.
// The results in reports/examples reach 17 times, 50,000 copies of one record 140 times, and zeros 1030 times.
enum { FILE_IN_FREE = 16 << 20, FILE_IN_RATIO = 200, FILE_IN_WHOLE = 256 << 20 };

struct file_in;

// Does not wait for the writer of a pipe. Returns NULL with STATUS_BAD_INPUT if the file cannot be opened or is not
// regular.
struct file_in *file_in_open(const char *path, struct error *err);

// Reads up to `room` bytes of content. *got is less only at the end. Returns false with STATUS_BAD_INPUT if the file
// cannot be read, or is damaged or beyond the limits.
bool file_in_read(struct file_in *in, void *bytes, size_t room, size_t *got, struct error *err);

// Continues at an offset of the content, which may not lie before the bytes read. Past the end, the next read gets 0.
bool file_in_skip_to(struct file_in *in, uint64_t offset, struct error *err);

void file_in_close(struct file_in *in); // NULL is allowed

// Reads all content into the arena, with a NUL after its last byte. Returns NULL with STATUS_BAD_INPUT as above, if a
// plain file is above 2 GiB, the most json-c reads, or if compressed content is above FILE_IN_WHOLE bytes.
char *file_in_whole(struct arena *arena, const char *path, size_t *length, struct error *err);

#endif
