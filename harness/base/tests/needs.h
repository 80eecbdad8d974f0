// SPDX-License-Identifier: Apache-2.0
// What a test needs and a machine may lack: such a test is not run, and says why in a line "NOT RUN REASON", which
// scripts/tally.sh lists. A reason that begins with "hardware" is one that no package mends. From the top of the
// repository.
#ifndef VKASSAY_BASE_TESTS_NEEDS_H
#define VKASSAY_BASE_TESTS_NEEDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTALL " (scripts/install.sh test)"

// Ends the test that calls it as not run. The only way: cmocka's own skip() has no reason.
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

// Ends the test unless the machine has it.
static inline void needs_hardware(bool has, const char *what) {
    if (!has) not_run("hardware: no %s", what);
}

// The line that a function of scripts/find.sh prints, kept to the end of the process; NULL: it fails.
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

// The Python that has these modules; NULL: none has.
static inline const char *python_with(const char *modules) {
    char function[150];
    snprintf(function, sizeof function, "python_with %s", modules);
    return found_by(function);
}

// The same; ends the test where there is none.
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

// From here on VKASSAY_WGSL names a real compiler of WGSL.
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

// The exit status of `python FILE ARGUMENT`.
static inline int python_run(const char *python, const char *file, const char *argument) {
    char command[1500];
    snprintf(command, sizeof command, "%s %s %s", python, file, argument);
    return system(command);
}

static inline void is_not_run(void **state) {
    not_run("%s", (const char *)*state);
}

// In the place of tests whose set-up cannot work here: none of them is run, for this reason.
static inline int run_none(const char *name, const struct CMUnitTest *tests, size_t count, const char *reason) {
    struct CMUnitTest absent[64] = {0};
    assert_true(count <= 64);
    for (size_t i = 0; i < count; i++)
        absent[i] = (struct CMUnitTest){
            .name = tests[i].name, .test_func = is_not_run, .initial_state = (void *)(uintptr_t)reason};
    return _cmocka_run_group_tests(name, absent, count, NULL, NULL);
}

// Runs the tests of a group whose set-up needs Python.
#define run_group_with_python(tests, set_up, tear_down)                                                                \
    (python_with("json") ? cmocka_run_group_tests(tests, set_up, tear_down)                                            \
                         : run_none(#tests, tests, sizeof(tests) / sizeof *(tests), "missing: Python" INSTALL))

#endif
