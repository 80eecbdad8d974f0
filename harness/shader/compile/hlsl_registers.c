// SPDX-License-Identifier: Apache-2.0
#include "hlsl_registers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = {[HLSL_T] = 't', [HLSL_U] = 'u', [HLSL_B] = 'b'};
enum { MOST_REGISTERS = 64, SPACES = 4 };

// Reads "(t3, space1)" behind the word "register". Returns the kind; -1: it is another.
static int read_register(const char *at, unsigned long *number, unsigned long *space) {
    char *end;
    *space = 0;
    at += strspn(at, " \t");
    if (*at++ != '(') return -1;
    at += strspn(at, " \t");
    const char *kind = *at ? memchr(letters, tolower((unsigned char)*at), sizeof letters) : NULL;
    if (!kind || !isdigit((unsigned char)at[1])) return -1;
    *number = strtoul(at + 1, &end, 10);
    end += strspn(end, " \t,");
    if (strncmp(end, "space", 5) == 0) *space = strtoul(end + 5, NULL, 10);
    return (int)(kind - letters);
}

bool hlsl_registers(const char *text, uint32_t from[HLSL_REGISTERS]) {
    uint64_t used[SPACES][HLSL_REGISTERS] = {0};
    uint32_t count[HLSL_REGISTERS] = {0};
    bool shared = false;
    for (const char *at = text; (at = strstr(at, "register"));) {
        unsigned long number, space;
        at += strlen("register");
        const int kind = read_register(at, &number, &space);
        if (kind < 0 || number >= MOST_REGISTERS || space >= SPACES) continue;
        used[space][kind] |= UINT64_C(1) << number;
        if (count[kind] <= number) count[kind] = (uint32_t)number + 1;
    }
    for (int s = 0; s < SPACES; s++)
        shared |= (used[s][HLSL_T] & used[s][HLSL_U]) || ((used[s][HLSL_T] | used[s][HLSL_U]) & used[s][HLSL_B]);
    from[HLSL_T] = 0;
    from[HLSL_U] = count[HLSL_T];
    from[HLSL_B] = count[HLSL_T] + count[HLSL_U];
    return shared;
}
