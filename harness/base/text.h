// SPDX-License-Identifier: Apache-2.0
// Strings: a growing text, glob matching, the nearest of a list of names, and UTF-8.
#ifndef VKASSAY_BASE_TEXT_H
#define VKASSAY_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A growing, always NUL-terminated string. Zeroed is empty. If memory is out, the process ends (memory.h). `data` may
// be NULL while empty: use text_str.
struct text {
    char *data;
    size_t length, capacity;
    // If set, receives a long text in parts, all but its last byte. `data` then has only the end.
    void (*spill)(void *user, const char *bytes, size_t length);
    void *spill_user;
};

void text_append(struct text *text, const char *string);
void text_append_n(struct text *text, const char *bytes, size_t length);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_format_list(struct text *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
const char *text_str(const struct text *text); // "" while empty; valid until the next append
void text_free(struct text *text);

// Appends a word for a shell, quoted if necessary.
void text_shell_word(struct text *text, const char *word);

// Matches a glob against a whole string: '*' is any run, '?' one character, all else literal. It is case-sensitive.
// '[' is literal too, so a point's name can be its own pattern.
bool text_glob(const char *pattern, const char *string);

// Returns the number of edits between two strings, for "did you mean". Exchanging two neighbours is one edit. Strings
// beyond 255 characters are far apart (SIZE_MAX).
size_t text_distance(const char *a, const char *b);

// Returns the name nearest to `wanted` among `count` names, or NULL if none is within a third of its length.
const char *text_nearest(const char *wanted, const char *const *names, size_t count);

// Appends a number in its shortest form that reads back the same, always in the C locale.
void text_number(struct text *text, double value);

// ---- UTF-8

// Returns the length of the well-formed UTF-8 sequence at the start of `left` bytes, 0 if there is none; *code is its
// code point.
size_t utf8_read(const char *bytes, size_t left, uint32_t *code);

// Returns the columns of a character in a terminal. They are 2 if Unicode Standard Annex 11 calls it wide, 0 if it
// combines with the previous one, otherwise 1.
int utf8_columns(uint32_t code);

#endif
