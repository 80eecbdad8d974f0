// SPDX-License-Identifier: Apache-2.0
// Runs the program from outside, as users do, from the top of the repository. All files of the program and the test
// are in one folder, made before the tests and removed after them.
#ifndef VKASSAY_COMMANDS_VKASSAY_PROGRAM_H
#define VKASSAY_COMMANDS_VKASSAY_PROGRAM_H

#include "../../base/tests/folder.h"
#include "../../base/tests/needs.h"
#include "../../base/tests/within.h"
#include "../../record/result.h"
#include "../../record/record.h"
#include "../../../reference/tests/unit.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char program[4096];

// The test's PATH, and a PATH starting with a gnuplot stub. Drawing charts takes longer than everything else.
static char path_with_charts[4000], path_without_charts[4300];

static inline int leave_charts_out(void) {
    char stub[300];
    snprintf(stub, sizeof stub, "%s/no-charts", folder);
    snprintf(path_with_charts, sizeof path_with_charts, "%s", getenv("PATH"));
    snprintf(path_without_charts, sizeof path_without_charts, "%s:%s", stub, path_with_charts);
    if (mkdir(stub, 0777) != 0) return -1;
    snprintf(stub, sizeof stub, "%s/no-charts/gnuplot", folder);
    return symlink("/bin/true", stub) == 0 ? setenv("PATH", path_without_charts, 1) : -1;
}

// Lets test programs of one `make test` share compiled shaders: by a link from the test's own cache to a folder that
// scripts/test.sh empties first. Returns 0 on success.
static inline int share_shaders(void) {
    const char *shared = getenv("VKASSAY_TEST_SHADERS");
    char cache[300], link[320];
    if (!shared) return 0;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(link, sizeof link, "%s/spirv", cache);
    return mkdir(cache, 0777) == 0 ? symlink(shared, link) : -1;
}

// Sets FAULTS, the variables that put faults/layer.c in front of the drivers.
static inline void find_faults(void) {
    char text[4200];
    snprintf(text, sizeof text, "VK_ADD_LAYER_PATH=%.*s/faults VK_INSTANCE_LAYERS=VK_LAYER_VKASSAY_faults",
        (int)(strrchr(program, '/') - program), program);
    setenv("FAULTS", text, 1);
}

// Setup of the tests; folder_remove is the teardown. Charts are only drawn if a test asks for them.
static inline int program_open(void **state) {
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 20);
    if (length < 0 || folder_make(state) != 0 || share_shaders() != 0 || leave_charts_out() != 0) return -1;
    program[length] = '\0';
    *strrchr(program, '/') = '\0'; // BUILD/tests
    strcpy(strrchr(program, '/'), "/vkassay");
    find_faults();
    return access(program, X_OK);
}

// Returns the exit status of a shell command, or minus the signal that ended it.
static inline int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline int shell(const char *format, ...) {
    char command[9000];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(command, sizeof command, format, values);
    va_end(values);
    assert_within(length, 0, sizeof command - 1);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Runs `vkassay ARGUMENTS` with very long lines and returns the same. Its output goes to FOLDER/output.
static inline int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline int run(const char *format, ...) {
    char arguments[8000];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(arguments, sizeof arguments, format, values);
    va_end(values);
    assert_within(length, 0, sizeof arguments - 1);
    return shell("COLUMNS=1000 VKASSAY_SEED=${VKASSAY_SEED-1} VKASSAY_CACHE=%s/cache %s %s >%s/output 2>&1", folder,
        program, arguments, folder);
}

// Returns the text of the first file matching FOLDER/PATTERN; valid until the next call.
static inline const char *content(const char *pattern) {
    static char text[4000000];
    char path[2000];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) != 0) fail_msg("there is no %s", path);
    FILE *file = fopen(found.gl_pathv[0], "r");
    globfree(&found);
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

// Returns the same, parsed; the caller releases it.
static inline struct json_object *parsed(const char *pattern) {
    const char *text = content(pattern);
    return json_parse(text, strlen(text));
}

static inline void assert_holds(const char *pattern, const char *part) {
    const char *text = content(pattern);
    if (!strstr(text, part)) fail_msg("expected '%s' in %s:\n%s", part, pattern, text);
}

// Returns the text with each run of blanks and line ends as one blank, because line breaks depend on the terminal's
// width.
static inline char *unwrapped(const char *text) {
    char *out = malloc(strlen(text) + 1);
    size_t length = 0;
    for (; *text; text++) {
        const bool blank = isspace((unsigned char)*text);
        if (!blank || !length || out[length - 1] != ' ') out[length++] = blank ? ' ' : *text;
    }
    out[length] = '\0';
    return out;
}

// Validates files of FOLDER, separated by blanks, with an independent validator of the schemas.
static inline void assert_of_schema(const char *names) {
    const char *python = needs_python("jsonschema");
    if (shell("check=$PWD/harness/record/tests/schema_check.py && cd %s && %s $check %s >schema 2>&1", folder, python,
            names))
        fail_msg("%s: %s", names, content("schema"));
}

static inline void assert_says(const char *part) {
    char *said = unwrapped(content("output")), *wanted = unwrapped(part);
    const bool found = strstr(said, wanted);
    free(said);
    free(wanted);
    if (!found) assert_holds("output", part); // fails with a message
}

static inline void write_text(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) fail_msg("cannot write %s", name);
}

// Writes a suite of these entries to FOLDER/NAME.json, with short times for points.
static inline void write_suite(const char *name, const char *entries) {
    char file[100], text[2000];
    snprintf(file, sizeof file, "%s.json", name);
    snprintf(text, sizeof text,
        "{\"schema_version\": 1, \"name\": \"%s\", \"summary\": \"a test\", \"settings\": {\"point_seconds\": 0.01, "
        "\"reference_seconds\": 0.01}, \"entries\": [%s]}",
        name, entries);
    write_text(file, text);
}

// Reads the result of a run with `--out FOLDER/NAME`; the caller frees it.
static inline void read_result(const char *name, struct result *result) {
    char path[400];
    glob_t found;
    struct error err;
    snprintf(path, sizeof path, "%s/%s/*/*/result.jsonl", folder, name);
    if (glob(path, 0, NULL, &found) != 0) fail_msg("there is no %s:\n%s", path, content("output"));
    if (!result_read(found.gl_pathv[0], result, &err)) fail_msg("%s", err.text);
    globfree(&found);
}

#endif
