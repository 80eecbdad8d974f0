// SPDX-License-Identifier: Apache-2.0
#include "../base/text.h"
#include "fields.h"

#include <string.h>

// Bytes of the UTF-8 sequence at `s`, 0 when it is none: table 3-7 of the Unicode standard, by the
// range of the lead byte and of the byte after it.
static size_t sequence(const unsigned char *s) {
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
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last) continue;
        if (forms[i].length == 1) return 1;
        if (s[1] < forms[i].low || s[1] > forms[i].high) return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((s[k] & 0xc0) != 0x80) return 0; // the terminating NUL ends the walk here too
        return forms[i].length;
    }
    return 0;
}

struct json_object *json_text(const char *string) {
    if (!string) return NULL;
    struct text clean = {0};
    while (*string) {
        size_t length = sequence((const unsigned char *)string);
        if (length)
            text_append_n(&clean, string, length);
        else
            text_append(&clean, "\xef\xbf\xbd");
        string += length ? length : 1;
    }
    struct json_object *value = json_object_new_string(text_str(&clean));
    text_free(&clean);
    return value;
}
