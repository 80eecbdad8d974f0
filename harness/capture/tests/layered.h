// SPDX-License-Identifier: Apache-2.0
// Scenarios run in processes of their own with the layer.
#ifndef VKASSAY_CAPTURE_LAYERED_H
#define VKASSAY_CAPTURE_LAYERED_H

#include "../../base/tests/folder.h"
#include "client.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char the_layer[] = "VK_LAYER_VKASSAY_capture";
static char layer_folder[4096];
static char out[300]; // captured folder of the running test

static inline int open_folder(void **state) {
    const ssize_t length = readlink("/proc/self/exe", layer_folder, sizeof layer_folder - 20);
    if (length < 0 || folder_make(state) != 0) return -1;
    layer_folder[length] = '\0';
    *strrchr(layer_folder, '/') = '\0'; // BUILD/tests
    strcpy(strrchr(layer_folder, '/'), "/layer");
    return access(layer_folder, R_OK);
}

static inline void new_folder(void) {
    static int runs;
    snprintf(out, sizeof out, "%s/%d", folder, runs++);
    assert_int_equal(mkdir(out, 0777), 0);
}

// Starts a scenario in a process of its own. `setting` is NAME=VALUE or NULL.
static inline pid_t start(void (*scenario)(void), const char *layers, const char *setting) {
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0) return pid;
    alarm(120); // a hang is a failure
    setenv("VK_ADD_LAYER_PATH", layer_folder, 1);
    setenv("VK_INSTANCE_LAYERS", layers, 1);
    setenv("VKASSAY_CAPTURE", out, 1);
    if (setting) putenv(strdup(setting));
    scenario();
    exit(0);
}

// Returns the answer of waitpid(2).
static inline int end_of(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static inline int run_with(void (*scenario)(void), const char *layers, const char *setting) {
    new_folder();
    return end_of(start(scenario, layers, setting));
}

static inline void run(void (*scenario)(void)) {
    assert_int_equal(run_with(scenario, the_layer, NULL), 0);
}

#endif
