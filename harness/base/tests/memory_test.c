// SPDX-License-Identifier: Apache-2.0
// Tests of the arena, errors, the hash, and running out of memory.
#include "../arena.h"
#include "../error.h"
#include "../hash.h"
#include "../memory.h"
#include "../../../reference/tests/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// AddressSanitizer ends the process if memory is out, unless told to return NULL as malloc does. It also maps
// terabytes for itself, so a limit on address space would end the process before the test.
#ifdef __SANITIZE_ADDRESS__
enum { MEMORY_WATCHED = 1 };
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
#else
enum { MEMORY_WATCHED = 0 };
#endif

static void test_arena_memory_is_zeroed_and_aligned(void **state) {
    struct arena arena = {0};
    for (size_t size = 1; size < 3000; size += 7) {
        unsigned char *memory = arena_alloc(&arena, size, 1);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(memory[i], 0);
        memset(memory, 0xff, size);
    }
    unsigned char *large = arena_alloc(&arena, 1000, 1000); // larger than a block
    assert_non_null(large);
    large[999999] = 1;
    assert_non_null(arena_alloc(&arena, 0, 8));
    arena_free(&arena);
    assert_null(arena.last);
    arena_free(&arena); // an empty one may be freed
}

static void arena_of_too_many(void) {
    struct arena arena = {0};
    arena_alloc(&arena, SIZE_MAX / 2 + 1, 2);
}
static void arena_too_large(void) {
    struct arena arena = {0};
    arena_alloc(&arena, SIZE_MAX, 1);
}
static void arena_copy_too_long(void) {
    struct arena arena = {0};
    arena_copy_n(&arena, "", SIZE_MAX);
}
static void text_too_long(void) {
    struct text text = {0};
    text_append(&text, "abc");
    text_append_n(&text, "", SIZE_MAX - 2);
}
static void heap_exhausted(void) {
    setrlimit(RLIMIT_AS, &(struct rlimit){64 << 20, 64 << 20});
    struct arena arena = {0};
    for (;;) arena_alloc(&arena, 1 << 20, 1);
}
static void array_of_too_many(void) {
    free(memory_alloc(SIZE_MAX, 8));
}
static void resize_to_too_many(void) {
    free(memory_resize(NULL, SIZE_MAX, 8));
}

// Any request for too much memory ends the process with one message and one status.
static void without_memory_the_process_ends_with_70(void **state) {
    void (*const ways[])(void) = {arena_of_too_many, arena_too_large, arena_copy_too_long, text_too_long,
        array_of_too_many, resize_to_too_many, heap_exhausted};
    for (size_t i = 0; i < sizeof ways / sizeof *ways - MEMORY_WATCHED; i++) {
        int ends[2], status;
        char said[200] = "";
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], STDERR_FILENO);
            ways[i]();
            _exit(0);
        }
        close(ends[1]);
        assert_true(read(ends[0], said, sizeof said - 1) > 0);
        close(ends[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), STATUS_FAULT);
        assert_memory_equal(said, "vkassay: out of memory: ", 24);
    }
}

static void test_arena_strings(void **state) {
    struct arena arena = {0};
    assert_string_equal(arena_copy(&arena, "abc"), "abc");
    assert_string_equal(arena_copy_n(&arena, "abcdef", 2), "ab");
    assert_string_equal(arena_format(&arena, "%s=%d", "n", 7), "n=7");
    arena_free(&arena);
}

static void test_arena_grow(void **state) {
    struct arena arena = {0};
    int *items = NULL;
    size_t capacity = 0;
    for (size_t count = 0; count < 1000; count++) {
        items = arena_grow(&arena, items, count, &capacity, sizeof *items);
        assert_non_null(items);
        items[count] = (int)count;
    }
    for (int i = 0; i < 1000; i++) assert_int_equal(items[i], i);
    arena_free(&arena);
}

static void test_error(void **state) {
    struct error err;
    assert_false(error_set(&err, STATUS_BAD_INPUT, "expected %d", 3));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_int_equal(err.kind, ERROR_PLAIN);
    assert_false(error_prefix(&err, "%s: ", "file.json"));
    assert_string_equal(err.text, "file.json: expected 3");
    assert_false(error_of_kind(&err, ERROR_TIMEOUT, "late"));
    assert_int_equal(err.status, STATUS_FAULT);
    assert_int_equal(err.kind, ERROR_TIMEOUT);
}

static void test_error_longer_than_its_room(void **state) {
    struct error err;
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    error_set(&err, STATUS_FAULT, "%s", long_text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "%s", "ab: ");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_memory_equal(err.text, "ab: xxx", 7);
    error_prefix(&err, "%s", long_text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

// Test vectors of draft-eastlake-fnv, 64-bit FNV-1a.
static void test_hash(void **state) {
    assert_true(hash_bytes(HASH_START, "", 0) == 0xcbf29ce484222325u);
    assert_true(hash_bytes(HASH_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(hash_bytes(HASH_START, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(hash_string(hash_string(HASH_START, "ab"), "c") != hash_string(hash_string(HASH_START, "a"), "bc"));
}

static void test_large_memory_may_be_missing(void **state) {
    static const size_t sizes[] = {1, 4096, ((size_t)8 << 20) - 1, ((size_t)8 << 20) + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *memory = memory_large(sizes[i]);
        assert_non_null(memory);
        memory[0] = memory[sizes[i] - 1] = 1;
        if (sizes[i] > (size_t)8 << 20) assert_int_equal((uintptr_t)memory % ((size_t)2 << 20), 0);
        free(memory);
    }
    assert_null(memory_large(SIZE_MAX / 2));
    assert_null(memory_large(SIZE_MAX));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(without_memory_the_process_ends_with_70),
        cmocka_unit_test(test_arena_strings),
        cmocka_unit_test(test_arena_grow),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_error_longer_than_its_room),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_large_memory_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
