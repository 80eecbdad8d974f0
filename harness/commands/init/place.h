// SPDX-License-Identifier: Apache-2.0
// Entry points of shaders placed as kernels.
#ifndef VKASSAY_COMMANDS_INIT_PLACE_H
#define VKASSAY_COMMANDS_INIT_PLACE_H

#include "../../tools/adopt/dictionary.h"
#include "../options.h"

#include <stdio.h>

enum { INIT_PASSES = 6 };

struct found_entry {
    const struct reflection *reflection;
    const char *folder, *stem; // of passes: their common name
    int pass;                  // 0: its name is not that of a pass
    bool placed;
};

// A kernel with its shader, for messages.
struct placed_kernel {
    const struct reflection *reflection;
    const char *entries;     // all entry points
    const struct op *second; // another operator in its name; NULL: none
    const struct op *op;     // guessed for a single entry point; NULL: of several
    bool given;              // the user or the dictionary names the operator
    const char *doubt;       // the open question for its trial; NULL: none
    bool by_data;            // its operator was recognised by recorded data
    bool is_other;           // another name of the kernel before it; one that is right in its trial is kept
    bool keeps;              // the dictionary keeps it, however its trial ends
    struct json_object *kernel;
};

struct init {
    struct arena *arena;
    const struct options *options;
    struct one_guess *one; // of `try`; NULL: of `init`
    const char *why;       // with `one`: why its shader is not placed
    struct kernels others; // with `one`: the program's, for their names
    const struct op *op;   // the operator given; NULL: guessed from names
    struct dictionary *dictionary;
    struct build_line *lines;
    size_t line_count;
    const char *folder; // the manifest's folder
    const char *includes[2 + OPTION_LIST];
    size_t include_count;
    struct found_entry *found; // the chosen entry points, in the order of the files
    size_t count, capacity;
    struct placed_kernel *placed;
    size_t placed_count, placed_capacity;
    struct json_object *kernels;
    FILE *said; // for messages: stdout, or stderr if the manifest is printed to stdout
    size_t missed, headers;
    bool interrupted;
};

// Reports a shader that is not placed. `entry` may be empty.
void place_miss(struct init *init, const char *path, const char *variant, const char *entry, const char *why);

// Keeps a kernel if the reader of manifests takes it; otherwise it is a miss. Takes `placed.kernel` over.
void place_kernel(struct init *init, struct placed_kernel placed);

// Adds an entry point to those to be placed.
void place_found(struct init *init, const struct reflection *reflection);

// Guesses the kernels of all entry points found.
void place_all(struct init *init);

#endif
