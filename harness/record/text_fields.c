// SPDX-License-Identifier: Apache-2.0
#include "../base/text.h"
#include "../base/utf8.h"
#include "fields.h"

#include <string.h>

struct json_object *json_text(const char *string) {
    if (!string) return NULL;
    struct text clean = {0};
    uint32_t code;
    for (size_t left = strlen(string), length; left; string += length, left -= length) {
        length = utf8_read(string, left, &code);
        if (length)
            text_append_n(&clean, string, length);
        else
            text_append(&clean, "\xef\xbf\xbd");
        if (!length) length = 1;
    }
    struct json_object *value = json_object_new_string(text_str(&clean));
    text_free(&clean);
    return value;
}
