// SPDX-License-Identifier: Apache-2.0
// Runs every block of commands of kernels/BACKENDS.md in order; each must succeed.
#include "vkassay_program.h"

#include <time.h>

#define PAGE "kernels/BACKENDS.md"

// Returns the next block of commands after `at` and cuts the text off behind it. NULL: there is none.
static char *next_block(char **at) {
    static const char start[] = "\n```sh\n";
    char *block = strstr(*at, start), *end;
    if (!block) return NULL;
    block += sizeof start - 1;
    end = strstr(block, "\n```");
    assert_non_null(end);
    end[1] = '\0';
    *at = end + 2;
    return block;
}

static int run_block(const char *block, int number) {
    char name[40];
    struct timespec start, end;
    snprintf(name, sizeof name, "block-%d", number);
    write_text(name, block);
    clock_gettime(CLOCK_MONOTONIC, &start);
    int status = shell("export VKASSAY=$PWD VKASSAY_CACHE=%s/cache PATH=$(dirname %s):$PATH && cd %s/work && "
                       "bash -euo pipefail ../%s >../output 2>&1",
        folder, program, folder, name);
    clock_gettime(CLOCK_MONOTONIC, &end);
    print_message("block %d: %.1f s\n", number,
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
    return status;
}

static void its_steps_hold(void **state) {
    static char text[40000];
    int count = 0;
    needs_wgsl();
    needs_program("jq");
    FILE *file = fopen(PAGE, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(mkdir(in_folder("work"), 0777), 0);
    for (char *at = text, *block; (block = next_block(&at)); count++)
        if (run_block(block, count + 1) != 0) fail_msg("block %d:\n%s\n%s", count + 1, block, content("output"));
    assert_int_equal(count, 8);
    assert_holds("work/shaders/backend.json", "\"GUESS: ");
    assert_holds("work/check.xml", "<testsuite");
    assert_holds("work/tuned.h", "silu.activations_silu");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_steps_hold),
    };
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}
