// SPDX-License-Identifier: Apache-2.0
// The captured folder: the lines of this process, and files named by the hash of their content. Safe for threads.
#ifndef VKASSAY_CAPTURE_OUTPUT_H
#define VKASSAY_CAPTURE_OUTPUT_H

#include "json_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Settings from the environment.
struct capture_settings {
    const char *folder;    // VKASSAY_CAPTURE, a path from the root; NULL: nothing is captured
    const char *only;      // VKASSAY_CAPTURE_ONLY: a pattern of names, entry points and hashes; NULL: all
    uint64_t most_bytes;   // VKASSAY_CAPTURE_MOST_BYTES: of the files of this process
    uint64_t most_staging; // VKASSAY_CAPTURE_STAGING: bytes of memory for copies not yet written
    bool times;            // VKASSAY_CAPTURE_TIMES: timestamps around each dispatch
};
const struct capture_settings *capture_settings(void);

// Begins the output of this process, or of a child process made by fork(). Returns false if it began before.
bool output_begin(void);

void output_lock(void); // during fork()
void output_unlock(void);

// Appends a line, without its line end. A line of the end is removed first: it must be the last one. Returns false if
// it was not written, as on a full disk. Then nothing more is written but the line of the end: other lines could be
// about the missing one. So it is after a module that cannot be written.
bool output_line(const struct json_line *line);
void output_end(const struct json_line *line);
void output_stop(void); // ignores further lines and files, except the line of the end

enum output_outcome { OUTPUT_WRITTEN, OUTPUT_FULL, OUTPUT_FAILED };

// Writes the file of a module or operand, unless it exists. OUTPUT_FULL: operands would exceed the most bytes.
enum output_outcome output_file(bool is_module, struct content_hash hash, const void *bytes, size_t length);

bool output_is_ours(void); // false: not begun, or by the parent of this process

uint64_t output_bytes(void); // of all files written by this process

#endif
