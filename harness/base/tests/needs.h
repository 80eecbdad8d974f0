// SPDX-License-Identifier: Apache-2.0
// Needs of a test that a machine may lack. The test is then not run and prints "NOT RUN REASON", listed by
// scripts/tally.sh. A reason beginning with "hardware" cannot be solved by a package. Tests run at the top of the
// repository.
#ifndef VKASSAY_BASE_NEEDS_H
#define VKASSAY_BASE_NEEDS_H

#include "../../../reference/tests/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTALL " (scripts/install.sh test)"

// Ends the calling test as not run. Use nothing else: cmocka's own skip() has no reason.
static inline void not_run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void not_run(const char *format, ...) {
    char reason[400];
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    print_message("NOT RUN %s\n", reason);
    skip();
}

// Ends the test unless the machine has this hardware.
static inline void needs_hardware(bool has, const char *what) {
    if (!has) not_run("hardware: no %s", what);
}

// Returns the line printed by a function of scripts/find.sh, or NULL if it fails. The line is kept to the end of the
// process.
static inline const char *found_by(const char *function) {
    static struct { char function[200], line[4000]; } known[16];
    char command[300];
    size_t i = 0;
    while (i < 16 && known[i].function[0] && strcmp(known[i].function, function) != 0) i++;
    if (i == 16) fail_msg("more than 16 things are looked for: needs.h");
    if (strcmp(known[i].function, function) != 0) {
        snprintf(known[i].function, sizeof known[i].function, "%s", function);
        snprintf(command, sizeof command, "bash -c '. scripts/find.sh && %s'", function);
        FILE *pipe = popen(command, "r");
        if (!pipe || !fgets(known[i].line, sizeof known[i].line, pipe)) known[i].line[0] = '\0';
        if (pipe) pclose(pipe);
        known[i].line[strcspn(known[i].line, "\n")] = '\0';
    }
    return known[i].line[0] ? known[i].line : NULL;
}

// Returns a Python with these modules, or NULL.
static inline const char *python_with(const char *modules) {
    char function[150];
    snprintf(function, sizeof function, "python_with %s", modules);
    return found_by(function);
}

// Does the same, but ends the test if there is none.
static inline const char *needs_python(const char *modules) {
    const char *python = python_with(modules);
    if (!python) not_run("missing: a Python with %s" INSTALL, modules);
    return python;
}

static inline void needs_program(const char *name) {
    char function[150];
    snprintf(function, sizeof function, "command -v %s", name);
    if (!found_by(function)) not_run("missing: %s" INSTALL, name);
}

// Sets VKASSAY_WGSL to a real compiler of WGSL.
static inline void needs_wgsl(void) {
    const char *compiler = found_by("wgsl_command");
    if (!compiler) not_run("missing: node with a compiler of WGSL" INSTALL);
    assert_int_equal(setenv("VKASSAY_WGSL", compiler, 1), 0);
}

static inline void needs_validation_layer(void) {
    if (!found_by("validation_manifest")) not_run("missing: Vulkan's validation layer" INSTALL);
}

static inline void needs_swiftshader(void) {
    if (!found_by("swiftshader_manifest")) not_run("missing: SwiftShader" INSTALL);
}

// Returns the exit status of `python FILE ARGUMENT`.
static inline int python_run(const char *python, const char *file, const char *argument) {
    char command[1500];
    snprintf(command, sizeof command, "%s %s %s", python, file, argument);
    return system(command);
}

static inline void is_not_run(void **state) {
    not_run("%s", (const char *)*state);
}

// Reports all tests of a group as not run, for this reason, if their set-up cannot work here.
static inline int run_none(const char *name, const struct CMUnitTest *tests, size_t count, const char *reason) {
    struct CMUnitTest absent[64] = {0};
    assert_true(count <= 64);
    for (size_t i = 0; i < count; i++)
        absent[i] = (struct CMUnitTest){
            .name = tests[i].name, .test_func = is_not_run, .initial_state = (void *)(uintptr_t)reason};
    return _cmocka_run_group_tests(name, absent, count, NULL, NULL);
}

// Runs the tests of a group with a set-up in Python.
#define run_group_with_python(tests, set_up, tear_down)                                                                \
    (python_with("json") ? cmocka_run_group_tests(tests, set_up, tear_down)                                            \
                         : run_none(#tests, tests, sizeof(tests) / sizeof *(tests), "missing: Python" INSTALL))

#endif
