// SPDX-License-Identifier: Apache-2.0
// Errors: one value, carried up to the one place that prints it.
//
// A function that can fail returns bool (or a pointer) and takes `struct error *err` last:
//     if (!suite_load(path, arena, &suite, err)) return false;
//
// The text names something the user can act on: the file, the line or JSON path, the expected and the actual value.
#ifndef VKASSAY_BASE_ERROR_H
#define VKASSAY_BASE_ERROR_H

#include <stdbool.h>

// Exit statuses of the program (documented in harness/commands/README.md), and the class of every error.
enum status {
    STATUS_OK = 0,
    STATUS_WRONG = 1,      // a wrong result
    STATUS_SLOWER = 2,     // slower than the baseline
    STATUS_NOTHING = 3,    // nothing requested was measured
    STATUS_PARTIAL = 4,    // all that ran held, but not all ran
    STATUS_USAGE = 64,     // the command line is wrong
    STATUS_BAD_INPUT = 65, // an input file is missing or malformed
    STATUS_NO_DEVICE = 69, // no usable Vulkan device
    STATUS_FAULT = 70,     // a fault in vkassay itself or in the system; standard output was lost
};

// Kind of error within a point; it decides the record's status (see record/record.h).
enum error_kind {
    ERROR_PLAIN = 0,
    ERROR_SKIP,          // this device lacks a feature or limit, named by the text
    ERROR_OUT_OF_MEMORY, // out of memory: `requested` and `available` hold bytes
    ERROR_TIMEOUT,       // the GPU did not finish in time
    ERROR_DEVICE_LOST,   // VK_ERROR_DEVICE_LOST
    ERROR_COMPILE,       // a shader does not compile; the text is the compiler's
    ERROR_DRIVER,        // another Vulkan error: the process must not rely on its device objects any more
};

struct error {
    enum status status;
    enum error_kind kind;
    unsigned long long requested, available; // bytes, if memory was refused; otherwise 0
    char call[100];                          // "vkQueueSubmit: VK_ERROR_DEVICE_LOST" for a Vulkan call; otherwise ""
    char text[2000];
};

// Returns the more important of two outcomes (up to STATUS_PARTIAL): the smallest except STATUS_OK.
enum status status_join(enum status a, enum status b);
// Joins the outcomes of two devices. If only one of them measured something, not all ran (STATUS_PARTIAL).
enum status status_join_devices(enum status a, enum status b);

// Fills *err and returns false, so a failure is one line: return error_set(err, STATUS_BAD_INPUT, "...").
bool error_set(struct error *err, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Does the same with status STATUS_FAULT and a kind.
bool error_of_kind(struct error *err, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Puts context in front of the existing text ("file.json: "); returns false.
bool error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
