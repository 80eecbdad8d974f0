// SPDX-License-Identifier: Apache-2.0
// A recorded dispatch as recognition sees it: what its buffers held before and after, and its words of parameters.
#ifndef VKASSAY_RECOGNISE_SEEN_H
#define VKASSAY_RECOGNISE_SEEN_H

#include "../../../capture/replay/folder.h"
#include "../guess.h"

enum { SEEN_WORDS = 128, SEEN_NUMBERS = 16 };

struct seen_buffer {
    const struct shader_binding *shader; // of several variables at one place: the first
    bool read, written;                  // by any of them
    const void *before, *after;          // alike if the module does not write
    uint64_t bytes;
    uint64_t changed; // bytes up to the last one that changed
    bool truths;      // words that are 0 or 1, before and after
    bool floats; // words declared as integers, with the bits of floats: moved as bits, or added by compare-and-swap
    double *as_double[DTYPE_COUNT];
};

// A word of parameters. `kind` is as in struct shader_block.
struct seen_word {
    uint32_t bits;
    char kind;
    int block, at; // the reflection's block, and the word in it
    const char *name;
};

struct seen {
    struct arena arena; // of the contents
    const struct captured_dispatch *dispatch;
    const struct reflection *reflection;
    struct seen_buffer buffers[OPERATOR_OPERANDS];
    int buffer_count;
    struct seen_word words[SEEN_WORDS];
    int word_count;
    uint32_t group[3]; // the workgroup's size
    double spent;      // operations of references so far
    float numbers[SEEN_NUMBERS];
    int number_count; // finite constants of the module
    bool specials;    // it declares SignedZeroInfNanPreserve
    bool atomic_sums; // it adds floats atomically, or may by compare-and-swap: the order of the terms varies
};

// Reads a dispatch; seen_close frees it, also after a failure. Returns NULL, or why nothing can be recognised from it.
// A damaged folder is a reason, too.
const char *seen_open(const char *folder, const struct captured_dispatch *dispatch, const struct reflection *reflection,
    struct seen *out);
void seen_close(struct seen *seen);

// Returns how many words of an output differ from the word before and are no NaN, at most SEEN_VARIETY.
enum { SEEN_VARIETY = 64 };
int seen_variety(const struct seen *seen);
// Returns whether the buffer may have elements of the dtype, by the module's declaration.
bool seen_may_be(const struct seen_buffer *buffer, enum dtype dtype);
// Returns the type in which the buffer has the operand, if this is not the operator's; otherwise DTYPE_CASE.
enum dtype seen_type(const struct seen_buffer *buffer, const struct operand *operand, enum dtype of_case);
// Returns how many whole elements of the dtype fit into so many bytes.
int64_t seen_elements(uint64_t bytes, enum dtype dtype);
// Returns what the buffer held before, as doubles. They belong to `seen`. NULL: memory is out.
const double *seen_doubles(struct seen *seen, int buffer, enum dtype dtype);

#endif
