/* SPDX-License-Identifier: Apache-2.0 */
/* The self-test of a program with compute kernels of its own. It runs each kernel once at a small size, and compares
 * the outputs with expected values. Any C99 or C++11 compiler takes it. Include the header made by vkassay export
 * --format selftest, and call vkassay_selftest with its cases. example.c is a whole program.
 */
#ifndef VKASSAY_SELFTEST_H
#define VKASSAY_SELFTEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VKASSAY_SELFTEST_NUMBERS = 24, VKASSAY_SELFTEST_OPERANDS = 16 };

struct vkassay_selftest_number {
    const char *name; /* 0: the end */
    double value;
};

struct vkassay_selftest_operand {
    const char *name, *type, *role; /* types: f32 f16 bf16 i32 u32 u8 i8 q8_0 q4_0; roles: in out inout */
    uint32_t elements, bytes;
    const char *data;    /* base64: its bytes before the run; 0: an output */
    const char *want;    /* base64: expected floats, or without `allowed` the expected bytes; 0: an input */
    const char *allowed; /* base64: the largest error of each, as floats */
};

struct vkassay_selftest_case {
    const char *kernel, *type; /* "softmax.rows", "f32" */
    struct vkassay_selftest_number dims[VKASSAY_SELFTEST_NUMBERS], params[VKASSAY_SELFTEST_NUMBERS];
    unsigned operand_count;
    struct vkassay_selftest_operand operands[VKASSAY_SELFTEST_OPERANDS];
};

/* Runs the kernel of a case. Returns 0, 1 on a failure, or -1 if the kernel is not used here. operands[i] has
 * c->operands[i].bytes. Inputs stay as they are. Outputs are filled with bytes 0xff (NaN). Upload them too: these bytes
 * reveal elements never written. */
typedef int (*vkassay_selftest_run)(void *user, const struct vkassay_selftest_case *c, void *const *operands);

/* Receives the reason for each case that failed. */
typedef void (*vkassay_selftest_report)(void *user, const struct vkassay_selftest_case *c, const char *reason);

static uint32_t vkassay_selftest_digit(char c) {
    return c >= 'A' && c <= 'Z'   ? (uint32_t)(c - 'A')
           : c >= 'a' && c <= 'z' ? (uint32_t)(c - 'a' + 26)
           : c >= '0' && c <= '9' ? (uint32_t)(c - '0' + 52)
           : c == '+'             ? 62u
                                  : 63u;
}

/* Decodes base64 into exactly `count` bytes; 0 if it has not as many. */
static int vkassay_selftest_decode(const char *text, unsigned char *to, size_t count) {
    size_t at = 0;
    if (strlen(text) != (count + 2) / 3 * 4) return 0;
    for (; *text; text += 4) {
        const uint32_t word = vkassay_selftest_digit(text[0]) << 18 | vkassay_selftest_digit(text[1]) << 12 |
                              vkassay_selftest_digit(text[2]) << 6 | vkassay_selftest_digit(text[3]);
        for (int b = 0; b < 3 && at < count; b++) to[at++] = (unsigned char)(word >> (16 - 8 * b));
    }
    return 1;
}

static float vkassay_selftest_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns element i of a buffer of f32, f16 or bf16. */
static double vkassay_selftest_load(const char *type, const unsigned char *bytes, size_t i) {
    uint32_t word;
    uint16_t half;
    if (strcmp(type, "f32") == 0) {
        memcpy(&word, bytes + 4 * i, 4);
        return (double)vkassay_selftest_float(word);
    }
    memcpy(&half, bytes + 2 * i, 2);
    if (strcmp(type, "bf16") == 0) return (double)vkassay_selftest_float((uint32_t)half << 16);
    {
        const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7fffu;
        const float scale = vkassay_selftest_float(0x77800000u); /* 2^112 moves the exponent of f16 to that of f32 */
        float value = vkassay_selftest_float(rest << 13) * scale;
        if (rest >= 0x7c00u) value = vkassay_selftest_float(0x7f800000u | rest << 13);
        return (double)(sign ? -value : value);
    }
}

/* Compares one output. Writes the reason and returns 0 if an element is wrong. */
static int vkassay_selftest_judge(
    const struct vkassay_selftest_operand *operand, const unsigned char *got, char *reason, size_t room) {
    const size_t bytes = operand->allowed ? (size_t)operand->elements * 4 : operand->bytes;
    unsigned char *want = (unsigned char *)malloc(bytes + 1), *allowed = (unsigned char *)malloc(bytes + 1);
    int ok = want && allowed && vkassay_selftest_decode(operand->want, want, bytes) &&
             (!operand->allowed || vkassay_selftest_decode(operand->allowed, allowed, bytes));
    if (!ok) snprintf(reason, room, "out of memory, or the data are damaged");
    for (uint32_t i = 0; ok && operand->allowed && i < operand->elements; i++) {
        const double is = vkassay_selftest_load(operand->type, got, i), wanted = vkassay_selftest_load("f32", want, i),
                     error = vkassay_selftest_load("f32", allowed, i), off = is - wanted;
        ok = (off <= error && -off <= error) || is == wanted || error > 1e38 || (is != is && wanted != wanted);
        if (!ok) snprintf(reason, room, "%s[%u]: got %g, want %g +- %g", operand->name, (unsigned)i, is, wanted, error);
    }
    for (uint32_t i = 0; ok && !operand->allowed && i < operand->bytes; i++) {
        ok = got[i] == want[i];
        if (!ok) snprintf(reason, room, "%s: byte %u is %d, want %d", operand->name, (unsigned)i, got[i], want[i]);
    }
    free(want);
    free(allowed);
    return ok;
}

/* Runs one case. Returns whether it passed or was not used; else the reason is written. */
static int vkassay_selftest_case_passes(
    const struct vkassay_selftest_case *c, vkassay_selftest_run run, void *user, char *reason, size_t room) {
    void *operands[VKASSAY_SELFTEST_OPERANDS] = {0};
    int ok = 1, status = 0;
    for (unsigned i = 0; ok && i < c->operand_count; i++) {
        const struct vkassay_selftest_operand *operand = &c->operands[i];
        operands[i] = malloc((size_t)operand->bytes + 1);
        ok = operands[i] != 0;
        if (ok) memset(operands[i], 0xff, operand->bytes);
        if (ok && operand->data)
            ok = vkassay_selftest_decode(operand->data, (unsigned char *)operands[i], operand->bytes);
    }
    if (!ok) snprintf(reason, room, "out of memory, or the data are damaged");
    if (ok) status = run(user, c, operands);
    if (ok && status > 0) snprintf(reason, room, "it could not be run");
    for (unsigned i = 0; ok && status == 0 && i < c->operand_count; i++)
        if (c->operands[i].want)
            ok = vkassay_selftest_judge(&c->operands[i], (const unsigned char *)operands[i], reason, room);
    for (unsigned i = 0; i < c->operand_count; i++) free(operands[i]);
    return ok && status <= 0;
}

/* Runs all cases and returns how many failed. `report` may be 0. */
static int vkassay_selftest(const struct vkassay_selftest_case *cases, unsigned count, vkassay_selftest_run run,
    void *user, vkassay_selftest_report report) {
    int failed = 0;
    for (unsigned i = 0; i < count; i++) {
        char reason[160] = "";
        if (vkassay_selftest_case_passes(&cases[i], run, user, reason, sizeof reason)) continue;
        failed++;
        if (report) report(user, &cases[i], reason);
    }
    return failed;
}

#endif
