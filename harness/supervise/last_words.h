// SPDX-License-Identifier: Apache-2.0
// What a worker says when a signal ends it while it builds shaders on several threads: which of them this one was at.
// What the supervisor heard before leaves the choice among all that were begun.
#ifndef VKASSAY_SUPERVISE_LAST_WORDS_H
#define VKASSAY_SUPERVISE_LAST_WORDS_H

#include <stddef.h>

// What the calling thread is at; NOTHING: nothing.
#define NOTHING ((size_t)-1)
void last_words_at(size_t index);

// Between the two a signal that ends the process, in a thread that is at something, says on descriptor `to` that it
// died (protocol.h) first. What handled the signal before handles it then. The calls may not be nested.
void last_words_take(int to);
void last_words_give_back(void);

#endif
