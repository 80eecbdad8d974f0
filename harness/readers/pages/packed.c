// SPDX-License-Identifier: Apache-2.0
// Packs texts, deflated and in base64, for the page's script to unpack on demand.
#include "html.h"

#include "../../base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put_base64(struct text *out, const unsigned char *bytes, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t three =
            (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63], digits[three >> 6 & 63], digits[three & 63]};
        if (left < 3) four[3] = '=';
        if (left < 2) four[2] = '=';
        text_append_n(out, four, sizeof four);
    }
}

void put_packed(struct text *out, const char *kind, const struct text *plain) {
    uLongf length = compressBound((uLong)plain->length);
    unsigned char *bytes = memory_alloc(length, 1);
    // The only possible error is lack of memory for zlib itself.
    if (compress2(bytes, &length, (const unsigned char *)text_str(plain), (uLong)plain->length, Z_BEST_COMPRESSION) !=
        Z_OK)
        memory_out(1, length);
    put_anchor(out, "<script type=\"text/plain\" id=\"pack-", kind);
    text_append(out, "\">");
    put_base64(out, bytes, length);
    text_append(out, "</script>\n");
    free(bytes);
}
