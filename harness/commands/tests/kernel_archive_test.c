// SPDX-License-Identifier: Apache-2.0
// Tests archives of kernels that were crafted: they write no file outside of their folder.
#include "../../base/hash.h"
#include "../bench/kernel_archive.h"
#include "vkassay_program.h"

#include <inttypes.h>

#define KERNEL(name, shader)                                                                                           \
    "{\"name\": \"" name "\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"" shader                        \
    "\", \"dtypes\": [\"f32\"], "                                                                                      \
    "\"bindings\": [\"x\", \"y\"], \"local_size\": [64], \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}]}"

// Each archive is whole, but names a file outside of its folder or has a wrong length.
static void names_and_lengths_stay_inside(void **state) {
    static const char *const bodies[] = {"1 ../left\nx", "1 0/../../left\nx", "1 /tmp/left\nx", "1 0/..\nx",
        "2 left\nx", "99999999999999999999 left\nx", "-1 left\nx", "left", "1 \nx"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct arena arena = {0};
        struct version_files files;
        struct kernels kernels;
        struct error err = {0};
        char text[300];
        snprintf(text, sizeof text, "vkassay kernels 1 0 %016" PRIx64 "\n%s",
            hash_bytes(HASH_START, bodies[i], strlen(bodies[i])), bodies[i]);
        write_text("crafted", text);
        const char *to = arena_format(&arena, "%s/below/unpacked", folder);
        assert_false(archive_unpack(&arena, in_folder("crafted"), "0", to, &files, &kernels, &err));
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        assert_non_null(strstr(err.text, "crafted: damaged"));
        arena_free(&arena);
    }
    assert_int_equal(shell("test ! -e %s/below", folder), 0);
}

// A manifest of the archive names a shader outside of it.
static void kernels_with_files_outside_are_left_out(void **state) {
    struct arena arena = {0};
    struct version_files files;
    struct kernels kernels;
    struct error err = {0};
    char manifest[2000], body[2400], text[2600];
    snprintf(manifest, sizeof manifest, "{\"kernels\": [%s, %s]}", KERNEL("relu.out", "../../base/relu.comp"),
        KERNEL("relu.in", "in.comp"));
    snprintf(body, sizeof body, "%zu 0/k.json\n%s1 0/in.comp\n ", strlen(manifest), manifest);
    snprintf(
        text, sizeof text, "vkassay kernels 1 0 %016" PRIx64 "\n%s", hash_bytes(HASH_START, body, strlen(body)), body);
    write_text("crafted", text);
    const char *to = arena_format(&arena, "%s/unpacked", folder);
    assert_true(archive_unpack(&arena, in_folder("crafted"), "0", to, &files, &kernels, &err));
    assert_int_equal(kernels.count, 1);
    assert_string_equal(kernels.items[0]->name, "relu.in");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_lengths_stay_inside),
        cmocka_unit_test(kernels_with_files_outside_are_left_out),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
