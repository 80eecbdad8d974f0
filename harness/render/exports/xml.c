// SPDX-License-Identifier: Apache-2.0
#include "xml.h"

#include "../../record/fields.h"

// Bytes at `s`, of whole UTF-8, that are left out: what XML 1.0 does not allow however it is written (controls but for
// tab and line ends, U+FFFE, U+FFFF), the controls that it allows, which steer terminals, and carriage returns.
static size_t forbidden(const char *s) {
    unsigned char c = (unsigned char)s[0], next = c ? (unsigned char)s[1] : 0;
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) return 1;
    if (c == 0xc2 && next < 0xa0) return 2;
    return c == 0xef && next == 0xbf && ((unsigned char)s[2] & 0xfe) == 0xbe ? 3 : 0;
}

void put_xml(struct text *out, const char *string, bool attribute) {
    static const struct {
        char c;
        const char *text;
        bool always;
    } escapes[] = {{'&', "&amp;", true}, {'<', "&lt;", true}, {'>', "&gt;", true}, {'"', "&quot;", false},
        {'\n', "&#10;", false}, {'\t', "&#9;", false}};
    struct json_object *clean = json_text(string);
    for (const char *s = clean ? json_object_get_string(clean) : ""; *s;) {
        size_t skipped = forbidden(s), i = 0;
        s += skipped;
        if (skipped) continue;
        while (i < 6 && !(escapes[i].c == *s && (escapes[i].always || attribute))) i++;
        if (i < 6)
            text_append(out, escapes[i].text);
        else
            text_append_n(out, s, 1);
        s++;
    }
    json_object_put(clean);
}
