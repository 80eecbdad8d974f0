// SPDX-License-Identifier: Apache-2.0
// The places of a module that an instrumented run logs.
#ifndef VKASSAY_SANITIZE_SITES_H
#define VKASSAY_SANITIZE_SITES_H

#include <stdbool.h>
#include <stdint.h>

enum site_kind {
    SITE_READ,
    SITE_WRITE,
    SITE_UPDATE,  // an atomic operation that reads and writes
    SITE_LOAD,    // atomic
    SITE_STORE,   // atomic
    SITE_UPDATED, // logged after an atomic operation on storage
    SITE_TIME,    // before both of the last two; the next word is the clock
    SITE_BARRIER, // an execution barrier
    SITE_FENCE,   // a memory barrier
    SITE_START,   // of an invocation; the next word is its subgroup
    SITE_STRIDE,  // before an access of a cooperative matrix; the next word is its stride in elements
    SITE_LOOKED,  // at the end, if memory was read outside; the next words are a site, with its bit, and an address
};

// Kinds of memory. A storage binding has the space SPACE_STORAGE plus its index among the request's slots.
enum { SPACE_SHARED = 0, SPACE_STORAGE = 1 };
enum { SITE_DIMS = 4 };

struct site {
    enum site_kind kind;
    uint32_t space;
    uint32_t bytes;       // that it touches; of a matrix: of one of its lines
    uint32_t part;        // the bytes are parts of so many; 0: all are used
    uint64_t used;        // a bit for each part that is used
    uint32_t lines, unit; // of a cooperative matrix: lines, and bytes of its stride's unit; lines 0: no matrix
    const char *name;     // of the variable, or of its only member; "" if the module does not name it
    // The arrays around the element, outermost first: bytes from one element to the next, and the count of elements.
    // A count of 0 is the length of the buffer.
    struct site_dim {
        uint32_t stride, count;
    } dims[SITE_DIMS];
    int dim_count;
    uint32_t origin;     // address of the outermost array's first element
    uint32_t first, end; // shared memory: addresses of the variable
    bool set;            // the variable has an initializer
    bool is_guess;       // a plain read before a compare-exchange, which fails if the value is stale
    bool is_workgroup;   // a barrier: of the workgroup; otherwise of the subgroup
    bool orders[2];      // a barrier or an atomic operation: orders shared memory, storage
    const char *file;    // "" if the module has no lines
    uint32_t line;
    const char *text; // of the line; NULL: not read yet
};

#endif
