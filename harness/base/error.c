// SPDX-License-Identifier: Apache-2.0
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum status status_join(enum status a, enum status b) {
    return a == STATUS_OK || (b != STATUS_OK && b < a) ? b : a;
}

enum status status_join_devices(enum status a, enum status b) {
    if (a == b || (a != STATUS_NOTHING && b != STATUS_NOTHING)) return status_join(a, b);
    return status_join(a == STATUS_NOTHING ? b : a, STATUS_PARTIAL);
}

bool error_set(struct error *err, enum status status, const char *format, ...) {
    *err = (struct error){.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool error_of_kind(struct error *err, enum error_kind kind, const char *format, ...) {
    *err = (struct error){.status = STATUS_FAULT, .kind = kind};
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool error_prefix(struct error *err, const char *format, ...) {
    char old[sizeof err->text];
    memcpy(old, err->text, sizeof old);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (length < 0) length = 0;
    if ((size_t)length < sizeof err->text) snprintf(err->text + length, sizeof err->text - (size_t)length, "%s", old);
    return false;
}
