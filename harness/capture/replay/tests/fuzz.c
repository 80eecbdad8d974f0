// SPDX-License-Identifier: Apache-2.0
// A fuzz target: libFuzzer makes up lines for the reader of captured folders (`make fuzz`).
#include "../folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char folder[] = "/tmp/vkassay-fuzz-XXXXXX", path[sizeof folder + 20];
    struct arena arena = {0};
    struct capture capture;
    struct error err;
    if (!*path && mkdtemp(folder)) snprintf(path, sizeof path, "%s/capture-1.jsonl", folder);
    FILE *file = fopen(path, "wb");
    if (!file) abort();
    fwrite(data, 1, size, file);
    fclose(file);
    if (capture_read(&arena, folder, &capture, &err))
        for (size_t i = 0; i < capture.dispatch_count; i++)
            if (!capture.dispatches[i].pipeline || !capture.dispatches[i].grid[0]) __builtin_trap();
    arena_free(&arena);
    unlink(path);
    return 0;
}
