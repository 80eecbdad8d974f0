// SPDX-License-Identifier: Apache-2.0
#include "text.h"

// Table 3-7 of the Unicode standard, by the range of the lead byte and of the next byte.
static const struct {
    unsigned char first, last, low, high;
    size_t length;
} forms[] = {
    {0x00, 0x7f, 0x00, 0xff, 1},
    {0xc2, 0xdf, 0x80, 0xbf, 2},
    {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4},
    {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t utf8_read(const char *bytes, size_t left, uint32_t *code) {
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *s = (const unsigned char *)bytes;
    for (size_t i = 0; left && i < sizeof forms / sizeof *forms; i++) {
        size_t length = forms[i].length;
        if (s[0] < forms[i].first || s[0] > forms[i].last) continue;
        if (length > left || (length > 1 && (s[1] < forms[i].low || s[1] > forms[i].high))) return 0;
        *code = s[0] & lead_bits[length];
        for (size_t k = 1; k < length; k++) {
            if ((s[k] & 0xc0) != 0x80) return 0;
            *code = *code << 6 | (s[k] & 0x3f);
        }
        return length;
    }
    return 0;
}

// By blocks, as far as scripts have them.
static const struct {
    uint32_t first, last;
    int columns;
} widths[] = {
    {0x0300, 0x036f, 0},                                           // combining marks
    {0x0483, 0x0489, 0},                                           // Cyrillic marks
    {0x0591, 0x05bd, 0},                                           // Hebrew points
    {0x0610, 0x061a, 0},                                           // Arabic marks
    {0x064b, 0x065f, 0}, {0x0e34, 0x0e3a, 0},                      // Thai vowels
    {0x0e47, 0x0e4e, 0}, {0x1100, 0x115f, 2},                      // Hangul
    {0x1ab0, 0x1aff, 0}, {0x1dc0, 0x1dff, 0}, {0x200b, 0x200f, 0}, // spaces without width, directions
    {0x20d0, 0x20ff, 0}, {0x2e80, 0x303e, 2},                      // radicals, punctuation
    {0x3041, 0x3098, 2},                                           // kana
    {0x3099, 0x309a, 0}, {0x309b, 0xa4cf, 2},                      // kana, ideographs, Yi
    {0xa960, 0xa97f, 2}, {0xac00, 0xd7a3, 2},                      // Hangul
    {0xf900, 0xfaff, 2},                                           // ideographs
    {0xfe00, 0xfe0f, 0},                                           // variation selectors
    {0xfe20, 0xfe2f, 0}, {0xfe30, 0xfe6f, 2}, {0xfeff, 0xfeff, 0}, {0xff01, 0xff60, 2}, // wide forms
    {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2},                                         // pictures
    {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},                // ideographs
};

int utf8_columns(uint32_t code) {
    for (size_t i = 0; i < sizeof widths / sizeof *widths && code >= widths[i].first; i++)
        if (code <= widths[i].last) return widths[i].columns;
    return 1;
}
