// SPDX-License-Identifier: Apache-2.0
// Strings: a growing text, glob matching, and the nearest of a list of names.
#ifndef VKASSAY_BASE_TEXT_H
#define VKASSAY_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// A growing, always NUL-terminated string. Zeroed is empty. Where memory is out the process ends (memory.h). `data` may
// be NULL while empty: use text_str.
struct text {
    char *data;
    size_t length, capacity;
    // Where it is set a text that grows long is handed on in parts, but for its last byte: `data` is its end alone.
    void (*spill)(void *user, const char *bytes, size_t length);
    void *spill_user;
};

void text_append(struct text *text, const char *string);
void text_append_n(struct text *text, const char *bytes, size_t length);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_format_list(struct text *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
const char *text_str(const struct text *text); // "" while empty; valid until the next append
void text_free(struct text *text);

// Appends a word as a shell takes it: quoted where it must be.
void text_shell_word(struct text *text, const char *word);

// Glob over a whole string: '*' any run, '?' one character, all else literal. Case-sensitive; '[' is literal, so
// that a point's name may be used as its own pattern.
bool text_glob(const char *pattern, const char *string);

// Edits from one to the other, two neighbours exchanged being one of them, for "did you mean"; strings beyond 255
// characters compare as far apart (SIZE_MAX).
size_t text_distance(const char *a, const char *b);

// The name nearest to `wanted` among `count` names, or NULL when none is within a third of its length.
const char *text_nearest(const char *wanted, const char *const *names, size_t count);

// Appends a number in the C locale whatever the process's locale: shortest form that reads back the same.
void text_number(struct text *text, double value);

#endif
