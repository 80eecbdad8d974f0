// SPDX-License-Identifier: Apache-2.0
#include "utf8.h"

// Table 3-7 of the Unicode standard: by the range of the lead byte and of the byte after it.
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
