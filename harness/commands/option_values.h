// SPDX-License-Identifier: Apache-2.0
// An option of the command line, and how to read its value.
#ifndef VKASSAY_COMMANDS_OPTION_VALUES_H
#define VKASSAY_COMMANDS_OPTION_VALUES_H

#include "options.h"

// How resuming a run treats an option. A run's folder may come from somebody else, with a command line in its
// journal. Nothing is loaded, run or written only because the journal names it.
enum when_resumed {
    KEPT = 1,  // affects reading and measuring: the recorded value is used
    AGAIN = 2, // its value is loaded, run or written: used only if given again beside --resume
    APART = 4, // concerns one call of the program: used as given beside --resume
};

// How to read a value, and the type of its member.
enum option_kind {
    FLAG,         // bool; no value
    TEXT,         // const char *, not empty
    TEXTS,        // struct option_list
    WORD,         // const char *: one of the words in the entry's `value`
    SECOND_WORD,  // bool: true for the second of its two words
    COUNT,        // int, from 1 to `most`
    NUMBER,       // uint64_t, decimal or hexadecimal with 0x
    BYTES,        // uint64_t, above 0; decimal, k, M or G may follow: powers of 1024
    SECONDS,      // double, above 0
    MILLISECONDS, // double, in seconds
    PERCENT,      // double, stored as a share below 10; a % sign may follow
    PART,         // the same, above 0 and at most 100 %
    FACTOR,       // double, 1 or more; "inf" too
    SCORE,        // double, from 0 to 1
    SHARD,        // struct shard
    RANGE,        // struct input_range
    PARTS,        // "name=value,...": the entries whose `part_of` is this one
};

struct option_entry {
    const char *name;
    enum option_kind kind;
    size_t offset; // of the member of struct options
    enum when_resumed resumed;
    unsigned commands;        // enum command_set
    const char *value, *help; // value NULL: a flag
    const char *part_of;      // the option that it is given in; NULL: it is an option itself
    size_t also;              // a second member that takes the same value; 0: none
    int most;
};

// Reads a value into a member of the entry's kind. False: the value is not valid.
bool option_take(const struct option_entry *entry, const char *text, void *member);

size_t option_size(enum option_kind kind); // of such a member

#endif
