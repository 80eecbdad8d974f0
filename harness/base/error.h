// SPDX-License-Identifier: Apache-2.0
// Errors: one value carried up to the one place that prints it.
//
// A function that can fail returns bool (or a pointer) and takes `struct error *err` last:
//     if (!suite_load(path, arena, &suite, err)) return false;
// The text says what a user can act on: the file, the line or JSON path, what was expected, what was found.
#ifndef VKASSAY_BASE_ERROR_H
#define VKASSAY_BASE_ERROR_H

#include <stdbool.h>

// Exit statuses of the program (harness/commands/README.md documents them) and the class of every error.
enum status {
    STATUS_OK = 0,
    STATUS_WRONG = 1,      // a wrong result
    STATUS_SLOWER = 2,     // slower than the baseline
    STATUS_NOTHING = 3,    // nothing that was asked for was measured
    STATUS_PARTIAL = 4,    // what ran held, but not all ran
    STATUS_USAGE = 64,     // the command line is off
    STATUS_BAD_INPUT = 65, // an input file is missing or malformed
    STATUS_NO_DEVICE = 69, // no usable Vulkan device
    STATUS_FAULT = 70,     // a fault in vkassay itself or in the system under it; standard output was lost
};

// What went wrong inside a point; decides the record's status (see record/record.h).
enum error_kind {
    ERROR_PLAIN = 0,
    ERROR_SKIP,          // this device cannot run it: a feature or limit is missing; the text names it
    ERROR_OUT_OF_MEMORY, // more was asked for than there is: `requested` and `available` hold bytes
    ERROR_TIMEOUT,       // the GPU did not finish in time
    ERROR_DEVICE_LOST,   // VK_ERROR_DEVICE_LOST
    ERROR_COMPILE,       // a shader does not compile; the text is the compiler's
    ERROR_DRIVER, // a Vulkan call failed with any other code: what its process holds of the device is not to be trusted
};

struct error {
    enum status status;
    enum error_kind kind;
    unsigned long long requested, available; // bytes, where memory was refused; else 0
    char call[100];                          // "vkQueueSubmit: VK_ERROR_DEVICE_LOST" when it was a Vulkan call; else ""
    char text[2000];
};

// Of two outcomes that say how something came out (up to STATUS_PARTIAL) the one that counts: the least but STATUS_OK.
enum status status_join(enum status a, enum status b);
// The same of two devices: where one measured something and the other nothing, not all ran (STATUS_PARTIAL).
enum status status_join_devices(enum status a, enum status b);

// Fills *err and returns false, so that a failure is one line: return error_set(err, STATUS_BAD_INPUT, "...").
bool error_set(struct error *err, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// As error_set with status STATUS_FAULT and a kind.
bool error_of_kind(struct error *err, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Puts context in front of the text already there ("file.json: "); returns false.
bool error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
