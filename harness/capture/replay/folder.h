// SPDX-License-Identifier: Apache-2.0
// Reads a captured folder: the compute dispatches of another program (harness/capture/README.md). It may come from
// anyone. Every number is held to its range, and every file to its name, which is the hash of its bytes.
#ifndef VKASSAY_CAPTURE_FOLDER_H
#define VKASSAY_CAPTURE_FOLDER_H

#include "../../base/arena.h"
#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A device of the recorded program. Texts the layer did not write are "".
struct captured_device {
    int64_t number; // within its file
    const char *name, *driver_name, *driver_info;
};

struct captured_constant {
    uint32_t id;
    const char *bytes; // as hexadecimal digits
};

struct captured_pipeline {
    int64_t number;
    const struct captured_device *device;
    const char *module; // hash; its file is capture_module_path
    const char *entry;
    const char *name;       // given by the program; NULL: none
    uint32_t subgroup_size; // required; 0: the driver's choice
    struct captured_constant *constants;
    size_t constant_count;
    uint32_t push_bytes;
    int64_t of_device; // number of the device
};

// A buffer of a dispatch. Ranges of one memory that overlap are the same bytes.
struct captured_operand {
    uint32_t set, binding, index;
    const char *type; // "storage", "uniform" and others
    int64_t memory;   // identity of the memory
    uint64_t offset;  // of the range in its memory
    uint64_t bytes;
    const char *before, *after; // hashes of the contents; NULL: not recorded
};

struct captured_dispatch {
    int64_t number; // in the order of submission
    int64_t of_pipeline;
    const struct captured_pipeline *pipeline;
    uint32_t grid[3], base[3];
    bool indirect;
    const char *push; // hexadecimal digits
    struct captured_operand *operands;
    size_t operand_count;
    const char *signature;
    const char *where; // "FILE:LINE"
    int64_t count;     // dispatches of the program with this signature
    double ns;         // of all of them; NaN: not timed
};

// Dispatches that were only counted, or cannot be replayed, and why.
struct captured_lacks {
    struct captured_lack {
        const char *reason;
        int64_t count;
        const char *where; // "FILE:LINE" of the first; NULL: it was only counted
    } * items;
    size_t count, room;
};

struct capture {
    const char *folder;
    const char *program; // its command line, for people
    struct captured_dispatch *dispatches;
    size_t dispatch_count, dispatch_room;
    struct captured_lacks lacks;
    size_t processes, unfinished; // files, and those without an end
    int64_t seen, recorded;       // dispatches; of unfinished processes only the recorded ones are known
    const char *incomplete;       // the first file without an end; NULL: all have one
};

// Returns whether the path is a folder with a file capture-*.jsonl.
bool capture_is_folder(const char *path);

// Reads every capture-*.jsonl of the folder. The files that a dispatch names must be there, with the sizes it states.
// STATUS_BAD_INPUT: the error begins with FILE:LINE. All of the result is in the arena.
bool capture_read(struct arena *arena, const char *folder, struct capture *out, struct error *err);

// Adds to the count of this reason, or appends it.
void captured_lacks_add(
    struct arena *arena, struct captured_lacks *lacks, const char *reason, int64_t count, const char *where);

// Finds the buffer of a binding, its first descriptor; NULL: it was not recorded.
const struct captured_operand *captured_operand_at(
    const struct captured_dispatch *dispatch, uint32_t set, uint32_t binding);
// Returns the bits of a specialization constant. `otherwise`: the program gave no value of 32 bits.
uint32_t captured_constant_bits(const struct captured_pipeline *pipeline, int64_t id, uint32_t otherwise);

const char *capture_module_path(struct arena *arena, const char *folder, const char *hash);

// Reads the contents of an operand. STATUS_BAD_INPUT: the file is not there, or its bytes have another hash or number.
bool capture_operand(const char *folder, const char *hash, void *out, uint64_t bytes, struct error *err);
// Checks the hash of a module's file.
bool capture_module_check(const char *folder, const char *hash, struct error *err);

// Writes the bytes of hexadecimal digits, at most `room`. Returns their number; SIZE_MAX: these are no such digits, or
// too many.
size_t capture_bytes(const char *digits, void *out, size_t room);

#endif
