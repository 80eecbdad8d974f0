// SPDX-License-Identifier: Apache-2.0
// An option of the command line, and how its value is read.
#ifndef VKASSAY_COMMANDS_OPTION_VALUES_H
#define VKASSAY_COMMANDS_OPTION_VALUES_H

#include "options.h"

// What becomes of an option of a run when the run is resumed. A run's folder may come from somebody else, and the
// command line is in its journal: nothing is loaded, run or written that is named there alone.
enum when_resumed {
    KEPT = 1,  // it says what is read and measured: as recorded, and no other
    AGAIN = 2, // its value is loaded, run or written: only if it is given beside --resume again
    APART = 4, // it is about one call of the program: as given beside --resume
};

// How a value is read, and the type of the member it goes to.
enum option_kind {
    FLAG,         // bool; no value
    TEXT,         // const char *, not empty
    TEXTS,        // struct option_list
    WORD,         // const char *: one of the words of the entry's `value`
    SECOND_WORD,  // bool: the second of its two words
    COUNT,        // int, from 1 to `most`
    NUMBER,       // uint64_t, decimal or hexadecimal with 0x
    SECONDS,      // double, above 0
    MILLISECONDS, // double, in seconds
    PERCENT,      // double, as a share below 10; the sign % may follow
    PART,         // the same, above 0 and at most 100 %
    FACTOR,       // double, 1 or more; "inf" too
    SCORE,        // double, from 0 to 1
    SHARE,        // double, above 0 and up to 1
    BYTES,        // uint64_t, above 0; "64M" is 64 MiB
    SHARD,        // struct shard
    RANGE,        // struct input_range
};

struct option_entry {
    const char *name;
    enum option_kind kind;
    size_t offset; // of the member of struct options
    enum when_resumed resumed;
    unsigned commands;        // enum command_set
    const char *value, *help; // value NULL: a flag
    size_t also;              // a further member that the same value goes to; 0: none
    int most;
};

// Reads a value into a member of the entry's kind. False: it is none.
bool option_take(const struct option_entry *entry, const char *text, void *member);

size_t option_size(enum option_kind kind); // of such a member

#endif
