// SPDX-License-Identifier: Apache-2.0
// Only the code counts. Versions of the compiler lay the same tokens out differently ("main(){", "main() {"), add
// directives of their own, and drop different blank lines. The directive #line names folders of the machine.
#include "compile.h"

#include "../../base/hash.h"

#include <ctype.h>
#include <string.h>

// Returns the length of a number: 12, 1.5e-3f, .5, 0x1Fu. It has at most one point; a sign may only follow the
// exponent of a decimal number.
static size_t number(const char *text) {
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X'), point = false;
    size_t length = 0;
    for (;; length++) {
        char c = text[length];
        if (in_word(c)) continue;
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        char before = length ? text[length - 1] : '\0';
        if ((c == '+' || c == '-') && !hexadecimal && (before == 'e' || before == 'E')) continue;
        return length;
    }
}

// Returns the length of the longest GLSL or HLSL operator at `text`, or 1.
static size_t punctuation(const char *text) {
    static const char *const operators[] = {"<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
        "^^", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(text, operators[i], strlen(operators[i])) == 0) return strlen(operators[i]);
    return 1;
}

// Returns whether a directive counts; it ends with its line.
static bool counts(const char *line) {
    static const char *const idle[] = {
        "line", "extension GL_GOOGLE_include_directive", "extension GL_GOOGLE_cpp_style_line_directive"};
    line += 1 + strspn(line + 1, " \t");
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (strncmp(line, idle[i], strlen(idle[i])) == 0 && !in_word(line[strlen(idle[i])])) return false;
    return true;
}

static uint64_t hash_tokens(uint64_t hash, const char *text, const char *end) {
    while ((text += strspn(text, " \t\r\n\f\v")) < end) {
        const bool is_number = isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
        size_t length = is_number ? number(text) : 0;
        while (!is_number && in_word(text[length])) length++;
        if (!length) length = punctuation(text);
        hash = hash_bytes(hash_bytes(hash, text, length), "", 1); // with an end, so that "ab" is not "a b"
        text += length;
    }
    return hash;
}

uint64_t source_hash(const char *text) {
    uint64_t hash = HASH_START;
    while (*text) {
        const char *first = text + strspn(text, " \t\r"), *end = text + strcspn(text, "\n");
        bool directive = *first == '#';
        if (!directive || counts(first)) hash = hash_tokens(hash, first, end);
        if (directive && counts(first)) hash = hash_bytes(hash, "\n", 2);
        text = end + (*end == '\n');
    }
    return hash;
}
