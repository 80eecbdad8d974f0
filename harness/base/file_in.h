// SPDX-License-Identifier: Apache-2.0
// Reads a regular file from its start. A file compressed by gzip is unpacked; its name does not matter.
#ifndef VKASSAY_BASE_FILE_IN_H
#define VKASSAY_BASE_FILE_IN_H

#include "arena.h"
#include "error.h"

#include <stdint.h>

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
